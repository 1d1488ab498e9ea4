"""Fuzzes the index: damages its file as a disk or a killed process can, and asks each damaged file everything.

The reader must say IndexBroken or give the right answers: no crash, no hang, no read outside the file, no wrong answer.
Run as `python -m bench.speed.fuzz`; a few thousand of these stand in the tests.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ladder.index.format import IndexBroken
from ladder.index.reader import Index, open_index
from ladder.indexing.pipeline import build_from_bytes

#: Seconds that one damaged file may take.
PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What became of the damaged files."""

    files: int
    noticed: int
    """IndexBroken was raised."""
    harmless: int
    """All answers were right: the damage lay where nothing was read, or between blocks."""
    wrong: tuple[str, ...]
    """What was done to each file that gave a wrong answer, another error, or took too long."""


def answers(index: Index, words: list[str]) -> list[object]:
    """Everything an index can be asked, as values that can be compared."""
    out: list[object] = [index.count, index.root, index.settings]
    for word in words:
        out += [index.df(word), index.score_notes({word: 1.0}), index.score_labels({word: 1.0})]
    out.append(index.together([(1.0, word) for word in words], range(index.count)))
    for n in range(index.count):
        row, passages = index.note(n), index.passages(n)
        out += [row.name, row.title, row.cost, index.find(row.title)]
        out += [(s.title, s.slug, s.start, s.end, s.cost) for s in passages.sections]
        out += [(p.start, p.end, p.cost, p.entry_slug) for p in passages.paragraphs]
        out += [passages.counts(word) for word in words]
    out.append(index.files())
    return out


def damages(good: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Endlessly: what was done, and the file after it."""
    dice = random.Random(seed)  # noqa: S311 (damage that can be repeated, no secret)
    size = len(good)

    def flip() -> tuple[str, bytes]:
        at = dice.randrange(size * 8)
        return f"bit {at} flipped", good[: at // 8] + bytes([good[at // 8] ^ 1 << at % 8]) + good[at // 8 + 1 :]

    def byte() -> tuple[str, bytes]:
        at, value = dice.randrange(size), dice.randrange(256)
        return f"byte {at} set to {value}", good[:at] + bytes([value]) + good[at + 1 :]

    def cut() -> tuple[str, bytes]:
        at = dice.randrange(size)
        return f"cut at {at}", good[:at]

    def hole() -> tuple[str, bytes]:
        at = dice.randrange(size)
        end = min(size, at + dice.choice((1, 4, 64, 512, 4096)))
        return f"zeros from {at} to {end}", good[:at] + bytes(end - at) + good[end:]

    def noise() -> tuple[str, bytes]:
        at = dice.randrange(size)
        end = min(size, at + dice.choice((1, 4, 64, 512)))
        return f"noise from {at} to {end}", good[:at] + dice.randbytes(end - at) + good[end:]

    def moved() -> tuple[str, bytes]:
        a, b, n = dice.randrange(size), dice.randrange(size), dice.choice((8, 64, 512))
        return f"{n} bytes of {a} put at {b}", (good[:b] + good[a : a + n] + good[b + n :])[:size]

    def longer() -> tuple[str, bytes]:
        return "bytes appended", good + dice.randbytes(dice.randint(1, 100))

    kinds: list[Callable[[], tuple[str, bytes]]] = [flip, flip, byte, cut, hole, noise, moved, longer]
    while True:
        yield dice.choice(kinds)()


def fuzz(folder: Path, notes: dict[str, bytes], words: list[str], count: int, seed: int = 1) -> Fuzzed:
    """Build an index of `notes` in `folder`, damage it `count` times, ask each damaged file everything."""
    good_file, bad_file = folder / "good", folder / "bad"
    build_from_bytes(notes, good_file)
    with open_index(str(good_file)) as index:
        right = answers(index, words)
    good = good_file.read_bytes()
    noticed = harmless = 0
    wrong = []
    for _, (done, data) in zip(range(count), damages(good, seed), strict=False):
        bad_file.write_bytes(data)
        begun = time.perf_counter()
        try:
            with open_index(str(bad_file)) as index:
                got = answers(index, words)
        except IndexBroken:
            noticed += 1
        except Exception as error:  # noqa: BLE001 (finding any other error is what this is for)
            wrong.append(f"{done}: {type(error).__name__}: {error}")
        else:
            if got == right:
                harmless += 1
            else:
                wrong.append(f"{done}: another answer")
        if time.perf_counter() - begun > PATIENCE:
            wrong.append(f"{done}: too slow")
    return Fuzzed(count, noticed, harmless, tuple(wrong))


def sample_notes() -> tuple[dict[str, bytes], list[str]]:
    """Eight small notes with everything a note can have, and words to ask."""
    notes = {
        f"area/note{i}": (
            f"---\naliases: [other{i}]\ntags: [t{i}]\n---\n# Note {i} on canaries\n\nlead rollback {'pager ' * i}\n\n"
            f"## Section {i}\n\nbody canary alert{i}\n\n- item one\n- item two\n\n"
            f"## History\n\n### 2026-09-0{i + 1} began\n\nfirst entry {i}\n\n### 2026-08-01 before\n\nsecond entry\n"
        ).encode()
        for i in range(8)
    }
    return notes, ["canari", "pager", "rollback", "alert3", "entri", "nowhere"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 1 when damage was not noticed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.fuzz", description="Damage an index file in many ways; each must be noticed."
    )
    parser.add_argument("--count", type=int, default=100_000, metavar="N", help="damaged files to try (100000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other damage")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="ladder-fuzz-") as folder:
        result = fuzz(Path(folder), *sample_notes(), given.count, given.seed)
    if given.json:
        sys.stdout.write(json.dumps(asdict(result), indent=2) + "\n")
    else:
        sys.stdout.write(f"{result.files:,} damaged files: {result.noticed:,} noticed, {result.harmless:,} harmless\n")
        sys.stdout.writelines(f"wrong: {line}\n" for line in result.wrong[:20])
    return bool(result.wrong)


if __name__ == "__main__":
    raise SystemExit(main())
