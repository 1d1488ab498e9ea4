"""Questions that somebody wrote about notes, through the rungs and the hook: `python -m bench.tasks.plain_questions`.

A file has one question a line, as JSON: `corpus` (a folder of LADDER_DATA/sessions), `kind` (`direct`: words of the
note; `vague`: other words; `needless`: no note is needed), `question`, and unless it is needless `note` and `line`, the
first 16 hexadecimal digits of the SHA-256 of the answering line without white space at its ends; `also` is a list of
further [note, line] that answer as well. So a file holds nothing of the notes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import product
from bench.corpus.cache import Keep
from bench.corpus.snapshot import World, read_files
from bench.questions import Question, note_name
from bench.rivals.fragments import weights_of
from bench.scores import Rate, rate
from bench.strategies import Ask, ladder_budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Tokens within which a line is looked for.
BUDGETS = (300, 600, 1000)
#: Suggestions among which a note is looked for.
NEAR = 5
NEEDLESS = "needless"
DIGITS = 16
#: Questions that are tuned on, and those that are not.
FILES = {half: Path(__file__).parents[1] / "plain" / f"{half}.jsonl" for half in ("tuned", "held")}


@dataclass(frozen=True, slots=True)
class Plain:
    """One question; `notes` and `lines` (hexadecimal digits) answer it, and are empty when it is needless."""

    corpus: str
    kind: str
    text: str
    notes: tuple[str, ...]
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question, each 0 or 1 by the figure's name; `group` is what intervals redraw."""

    corpus: str
    kind: str
    group: str
    values: dict[str, float]
    text: str
    shown: tuple[str, ...]
    """The notes that were suggested, best first."""


class GoneError(Exception):
    """No note has the line that answers a question."""


def load(path: Path) -> list[Plain]:
    """Return the questions of a file.

    Raises:
        ValueError: a line is no question.
    """
    found: list[Plain] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(line)
            answers = [(row.get("note") or "", row.get("line") or ""), *(row.get("also") or ())]
            found.append(
                Plain(
                    corpus=str(row["corpus"]),
                    kind=str(row["kind"]),
                    text=str(row["question"]),
                    notes=tuple(dict.fromkeys(note_name(note) for note, _ in answers if note)),
                    lines=frozenset(line for _, line in answers if line),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}:{number}: {type(error).__name__}: {error}") from error
        if found[-1].kind != NEEDLESS and not (found[-1].notes and found[-1].lines):
            raise ValueError(f"{path}:{number}: a question that is not needless has a note and a line")
    return found


def digits(line: str) -> str:
    """Return what stands for a line in a file of questions."""
    return hashlib.sha256(line.strip().encode("utf-8", "replace")).hexdigest()[:DIGITS]


def world_of(corpus: Path, keep: Keep) -> World:
    """Return the notes that lie in a folder, found as the product finds them in any folder that it is pointed at."""
    from notes import find_notes, folder_settings  # noqa: PLC0415 (a test's world needs no folder)

    return World(read_files((file.name, Path(file.path)) for file in find_notes(folder_settings(corpus))), keep)


def outcome(world: World, plain: Plain, *, meaning: bool = False) -> Outcome:
    """Ask one question in its world: the rungs with the bare message, then the hook at a session's first message.

    With `meaning` both ask the sentence model too, as they do where the extra is installed.

    Raises:
        GoneError: no note of the world has the answering line.
    """
    context = {"message": plain.text}
    query, error = product.query_of({**context, "search": True})
    if query is None:
        raise RuntimeError(f"the product makes no query: {error}")
    near = query.near = product.near(world, plain.text) if meaning else None
    values: dict[str, float] = {}
    names: list[str] = []
    if plain.kind != NEEDLESS:
        lines = _lines(world, plain)
        note = plain.notes[0]
        question = Question(plain.text, note, "", plain.text, {"message": context}, note, lines)
        ask = Ask(question, "message", query, weights_of(plain.text))
        names = product.ranked(world, ask, max(NEAR, 10))
        values["note first"] = float(names[:1] != [] and names[0] in plain.notes)
        values[f"note in {NEAR}"] = float(any(name in plain.notes for name in names[:NEAR]))
        for budget in BUDGETS:
            view = ladder_budget(world, ask, budget)
            values[f"line in {budget:,}"] = float(any(digits(line) in plain.lines for line in _split(view.parts)))
    text, named = product.spoken(world, {"message": plain.text}, near)
    values["hook speaks"] = float(bool(text))
    if plain.kind != NEEDLESS:
        values["hook names"] = float(any(note_name(name) in plain.notes for name in named))
        values["hook carries"] = float(any(digits(line) in plain.lines for line in _split((text,))))
    group = f"{plain.corpus} {plain.notes[0] if plain.notes else plain.text}"
    return Outcome(plain.corpus, plain.kind, group, values, plain.text, tuple(names))


def _split(parts: Iterable[str]) -> list[str]:
    return [line for part in parts for line in part.split("\n")]


def _lines(world: World, plain: Plain) -> tuple[str, ...]:
    """The answering lines as they stand in the notes now."""
    found = [
        line.strip()
        for note in plain.notes
        for line in world.text.get(note, "").split("\n")
        if digits(line) in plain.lines
    ]
    if not found:
        raise GoneError(f"{plain.corpus}: {', '.join(plain.notes)} has no line that answers {plain.text!r}")
    return tuple(dict.fromkeys(found))


def asked(
    questions: Sequence[Plain],
    world: Callable[[str], World],
    watch: Callable[[Sequence[Plain]], Iterable[Plain]] = iter,
    *,
    meaning: bool = False,
) -> tuple[list[Outcome], list[str]]:
    """Ask all questions; return what became of them, and what could not be asked since its line is gone."""
    worlds: dict[str, World] = {}
    found: list[Outcome] = []
    gone: list[str] = []
    for each in watch(questions):
        if each.corpus not in worlds:
            worlds[each.corpus] = world(each.corpus)
        try:
            found.append(outcome(worlds[each.corpus], each, meaning=meaning))
        except GoneError as error:
            gone.append(str(error))
    return found, gone


def rates(found: Sequence[Outcome]) -> dict[str, Rate]:
    """Return each figure of some outcomes of one kind, with intervals over redrawn notes."""
    groups = [each.group for each in found]
    names = found[0].values if found else {}
    return {name: rate([each.values[name] for each in found], groups) for name in names}


def table(found: Sequence[Outcome], *, by_corpus: bool = True) -> list[str]:
    """Return the lines of the table: kinds, then kinds by corpus."""
    sets: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for each in found:
        sets[each.kind, "all"].append(each)
        if by_corpus:
            sets[each.kind, each.corpus].append(each)
    lines: list[str] = []
    kind = ""
    for (of_kind, corpus), rows in sorted(sets.items(), key=lambda pair: (pair[0][0], pair[0][1] != "all", pair[0][1])):
        figures = rates(rows)
        if of_kind != kind:
            kind = of_kind
            lines += ["", f"| {kind} | n | {' | '.join(figures)} |", "|---" * (len(figures) + 2) + "|"]
        shown = [f"{100 * r.value:.1f} ({100 * r.low:.0f}-{100 * r.high:.0f})" for r in figures.values()]
        lines.append(f"| {corpus} | {len(rows)} | {' | '.join(shown)} |")
    return lines[1:]


def main(words: Sequence[str] | None = None) -> int:
    """Ask the questions of the files named and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.tasks.plain_questions", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="JSON lines; by default those of --half")
    parser.add_argument("--half", choices=[*FILES, "all"], default="tuned", help="which of the repository's files")
    parser.add_argument("--data", type=Path, default=os.environ.get("LADDER_DATA"), help="default: LADDER_DATA")
    parser.add_argument("--corpus", action="append", help="only of this corpus; may be repeated")
    parser.add_argument("--kind", action="append", help="only of this kind; may be repeated")
    parser.add_argument("--json", type=Path, help="write what became of each question here, one a line")
    parser.add_argument("--meaning", action="store_true", help="with the sentence model of the extra `meaning`")
    parser.add_argument("--misses", action="store_true", help="also list the questions whose note is not found")
    given = parser.parse_args(words)
    if given.data is None:
        parser.error("where the corpora lie: --data or LADDER_DATA")
    files = given.files or ([FILES[given.half]] if given.half != "all" else list(FILES.values()))
    questions = [
        each
        for file in files
        for each in load(file)
        if (not given.corpus or each.corpus in given.corpus) and (not given.kind or each.kind in given.kind)
    ]
    from ladder.lean.paths import cache_folder  # noqa: PLC0415 (a test asks elsewhere)

    keep = Keep(Path(cache_folder()) / "bench")
    found, gone = asked(
        questions, lambda name: world_of(given.data / "sessions" / name / "notes", keep), meaning=given.meaning
    )
    write = partial(print, file=sys.stdout)
    write("\n".join(table(found)))
    for each in gone:
        write(f"not asked: {each}")
    if given.misses:
        for one in found:
            if one.values.get(f"note in {NEAR}") == 0.0:
                write(f"{one.kind} {one.group}: {one.text!r} -> {', '.join(one.shown[:NEAR])}")
    if given.json:
        given.json.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
