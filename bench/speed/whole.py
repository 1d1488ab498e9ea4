"""Measures a whole bench over made-up data: ten thousand notes, two thousand pairs, every strategy.

The pairs are made up too. What is asked is some words of a line in a note, and what was known is paragraphs of that and
other notes; so the hit rates say little of real ones, the work that a question makes is about that of real ones.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from bench import product, table
from bench.corpus.cache import Keep
from bench.corpus.snapshot import World, read_files
from bench.questions import MOMENTS, Question
from bench.replay import replay
from bench.speed.corpus import machine_corpus
from bench.strategies import strategies
from notes import find_notes, folder_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Watch = Callable[[Sequence[int]], Iterable[int]]

#: Words of a message, turns before it, words of a message before and of what an agent said; questions of a session.
MESSAGE, BEFORE, ASKED, SAID, SESSION = 12, 3, 20, 120, 8
#: Spaces in a line that a question is made of, at least.
SHORTEST = 7


@dataclass(slots=True)
class Whole:
    """What a run took."""

    notes: int
    pairs: int
    corpus: str
    terms: dict[str, float] = field(default_factory=dict)
    """Terms of the product's query at each moment, in the median."""
    seconds: dict[str, float] = field(default_factory=dict)
    """By the clock, for each part."""
    worked: dict[str, float] = field(default_factory=dict)
    """Processor seconds of all processes, for each part."""
    table: str = ""
    """What `ladder bench` prints."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def run_whole(
    notes: int, pairs: int, *, seed: int = 8, say: Callable[[str], None] = print, watch: Watch = iter
) -> Whole:
    """Make notes and pairs, then do what `ladder bench` does once logs are mined; leaves nothing behind."""
    corpus = machine_corpus(seed)
    kind = "invented text" if corpus.invented else "text of this machine's documentation and docstrings"
    found = Whole(notes, pairs, f"{kind}, seed {seed}")
    with tempfile.TemporaryDirectory(prefix="ladder-whole-") as place:
        folder = Path(place) / "notes"
        say(f"writing {notes} notes")
        texts = {}
        for name, text in corpus.notes(notes):
            file = folder / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            texts[name] = text
        asked = made_pairs(texts, pairs, seed)
        del texts
        for moment in MOMENTS:
            queries = [product.query_of(question.contexts[moment])[0] for question in asked[:200]]
            found.terms[moment] = median(len(query.weigh()[0]) for query in queries if query)
        say("indexing, cutting, counting")
        with _timed(found, "index, pieces, lines"):
            files = read_files((file.name, Path(file.path)) for file in find_notes(folder_settings(folder)))
            world = World(files, Keep(Path(place) / "keep"))
            world.ready()
        say(f"asking {pairs} questions")
        with _timed(found, "questions"):
            result = replay(asked, lambda _: world, strategies(), MOMENTS, watch)
        with _timed(found, "table"):
            found.table = table.text(result)
    return found


@contextmanager
def _timed(found: Whole, part: str) -> Iterator[None]:
    begun, worked = time.perf_counter(), sum(os.times()[:4])
    yield
    found.seconds[part] = time.perf_counter() - begun
    found.worked[part] = sum(os.times()[:4]) - worked


def made_pairs(texts: Mapping[str, str], count: int, seed: int) -> list[Question]:
    """Questions about lines of known notes, with what was known at each moment; the same for the same seed."""
    dice = random.Random(seed)  # noqa: S311 (repeatable, no secret)
    names = list(texts)

    @cache
    def lines(name: str) -> list[str]:
        return [each for each in texts[name].split("\n") if each.count(" ") >= SHORTEST and not each.startswith("#")]

    def line(name: str) -> str:
        return dice.choice(lines(name))

    def words(text: str, most: int) -> str:
        found = text.split()
        at = dice.randrange(max(1, len(found) - most))
        return " ".join(found[at : at + most])

    def about(name: str) -> str:
        return line(name if dice.random() < 0.5 else dice.choice(names))

    asked = []
    for i in range(count):
        name = dice.choice(names)
        evidence = line(name)
        message: dict[str, Any] = {"message": words(evidence, MESSAGE)}
        said = []
        for _ in range(BEFORE):
            said += [["user", words(about(name), ASKED)], ["agent", words(f"{about(name)} {about(name)}", SAID)]]
        now = [*said, ["agent", words(about(name), SAID)]]
        word = words(evidence, 1)
        work = {"touched": [f"src/{word}.py"], "commands": [f"grep -rn {word} src"], "results": [about(name)[:800]]}
        contexts = {"message": message, "turn": message | {"said": said}, "read": message | {"said": now} | work}
        made = Question(f"made{i}", f"session{i // SESSION}", "", message["message"], contexts, name, (evidence,))
        asked.append(made)
    return asked


def _shown(found: Whole) -> Iterator[str]:
    """Return the lines that say what a run took."""
    terms = ", ".join(f"{moment} {count:.0f}" for moment, count in found.terms.items())
    yield found.table
    yield f"{found.notes:,} notes ({found.corpus}), {found.pairs:,} pairs made up; terms of a query, median: {terms}"
    yield f"{'':22} {'seconds':>8} {'processor seconds':>18}"
    for part, seconds in found.seconds.items():
        yield f"{part:22} {seconds:8.1f} {found.worked[part]:18.1f}"
    yield f"{'in all':22} {sum(found.seconds.values()):8.1f} {sum(found.worked.values()):18.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.whole",
        description="Time what `ladder bench` does once logs are mined, over made-up notes and pairs. The table is "
        "printed too, to show that the work was done; its rates say nothing of real questions.",
    )
    parser.add_argument("--notes", type=int, default=10_000, metavar="N", help="notes to make up (10000)")
    parser.add_argument("--pairs", type=int, default=2000, metavar="N", help="questions to make up and ask (2000)")
    parser.add_argument("--seed", type=int, default=8, metavar="N", help="other notes and other questions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    found = run_whole(
        given.notes, given.pairs, seed=given.seed,
        say=lambda said: print(said, file=sys.stderr),  # noqa: T201 (progress of a command)
    )  # fmt: skip
    sys.stdout.write((json.dumps(found.as_dict(), indent=2) if given.json else "\n".join(_shown(found))) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
