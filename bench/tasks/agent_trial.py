"""The trial of an agent with ladder and without: questions, what counts as right, the order of runs, the figures."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.scores import Difference, Rate, difference, mean, rate
from bench.tasks.plain_questions import DIGITS, NEEDLESS, digits
from ladder.text.tokenizer import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

WITH, WITHOUT = "with", "without"
#: Words of an answering line that are looked for: its rarest ones, since an answer need not repeat a long line.
TELLING = 6
#: Share of these that an answer has to hold; chosen beforehand, not fitted, since no agents' answers were at hand.
ENOUGH = 0.5
#: An assumption, until runs have said it: tokens of a client's own prompt and tools, and requests a question.
PROMPT, REQUESTS = 20_000, 3
#: What an agent reports.
NUMBERS = ("tokens_in", "tokens_out", "tool_calls")


class QuestionsError(ValueError):
    """The file of questions cannot be used; the message names line and reason."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, with the lines of notes that answer it; each alone suffices."""

    id: str
    text: str
    note: str
    corpus: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the agent gave. `failure` is empty when it answered; numbers are None where not reported."""

    id: str
    arm: str
    agent: str
    answer: str
    failure: str
    tokens_in: int | None
    tokens_out: int | None
    tool_calls: int | None
    seconds: float


class Answer(NamedTuple):
    """What an agent program wrote; numbers are None where it does not report them."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    tool_calls: int | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure in both arms, over the questions for which both have it, and its paired difference."""

    name: str
    n: int
    with_ladder: float
    without: float
    change: Difference


@dataclass(frozen=True, slots=True)
class Figures:
    """What the trial found: shares of right answers by the rule, by a person, numbers, failures by arm."""

    questions: int
    right: dict[str, Rate]
    right_change: Difference
    reviewed: dict[str, Rate]
    reviewed_change: Difference
    agree: Rate
    """How often the rule says what the person said."""
    numbers: tuple[Compared, ...]
    failures: dict[str, Counter[str]]


def load(path: Path, text_of: Callable[[str, str], str | None]) -> tuple[list[Asked], list[str]]:
    """Return the questions of a file, and a line on each that is left out.

    `text_of` returns a note's text by corpus ("" without one) and name, None when there is no such note.

    Raises:
        QuestionsError: a line is no question.
    """
    found: list[Asked] = []
    left: list[str] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not raw.strip():
            continue
        try:
            row: dict[str, Any] = json.loads(raw)
            question, corpus = str(row["question"]), str(row.get("corpus") or "")
            if row.get("kind") == NEEDLESS:
                left.append(f"{question!r}: no note has to answer it")
                continue
            answers = [(str(row["note"]), str(row["line"])), *((str(a), str(b)) for a, b in row.get("also") or ())]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise QuestionsError(f"{path}:{number}: {type(error).__name__}: {error}") from error
        lines = tuple(dict.fromkeys(line for note, each in answers for line in _lines(each, text_of(corpus, note))))
        if lines:
            name = digits("\0".join((corpus, question, *lines)))
            found.append(Asked(name, question, answers[0][0], corpus, lines))
        else:
            left.append(f"{question!r}: no line of {answers[0][0]} is the one that answers")
    return found, left


def _lines(given: str, note: str | None) -> list[str]:
    """The lines of a note that `given` stands for, as text or as the first digits of its SHA-256."""
    held = [line.strip() for line in (note or "").split("\n") if line.strip()]
    if len(given) == DIGITS and all(char in "0123456789abcdef" for char in given):
        return [line for line in held if digits(line) == given]
    return [line for line in held if line == given.strip()]


def spread(texts: Iterable[str]) -> Counter[str]:
    """Return in how many lines of the notes each term stands."""
    found: Counter[str] = Counter()
    for text in texts:
        for line in text.split("\n"):
            found.update(set(terms(line)))
    return found


def telling(line: str, question: str, lines: Mapping[str, int]) -> list[str]:
    """Return the terms of a line by which an answer is known: not the question's, the rarest in the notes first.

    A line that says nothing beyond the question keeps all its terms.
    """
    own = dict.fromkeys(terms(line))
    asked = set(terms(question))
    new = [term for term in own if term not in asked] or list(own)
    return sorted(new, key=lambda term: lines.get(term, 0))[:TELLING]


def is_right(answer: str, asked: Asked, lines: Mapping[str, int]) -> bool:
    """Say whether an answer holds at least half of the telling terms of one answering line."""
    said = set(terms(answer))
    wanted = [words for line in asked.lines if (words := telling(line, asked.text, lines))]
    return any(sum(term in said for term in words) >= ENOUGH * len(words) for words in wanted)


def plan(questions: Sequence[Asked], seed: int) -> list[tuple[Asked, str]]:
    """Return the runs in their order: questions drawn, and for each which arm is first, by the seed."""
    rng = random.Random(seed)  # noqa: S311 (a draw, not a secret)
    runs: list[tuple[Asked, str]] = []
    for each in rng.sample(questions, len(questions)):
        runs += [(each, arm) for arm in rng.sample((WITH, WITHOUT), 2)]
    return runs


def answer_in(printed: bytes) -> Answer:
    """Return the answer in what an agent program printed: its last line that is not blank.

    Raises:
        ValueError: that is no JSON object with a text `answer`, or one of its numbers is none.
    """
    written = [line for line in printed.decode("utf-8", "replace").split("\n") if line.strip()]
    try:
        row = json.loads(written[-1])
        answer = row["answer"]
        numbers = [row.get(name) for name in NUMBERS]
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        answer, numbers = None, []
    if not isinstance(answer, str) or any(
        number is not None and (type(number) is not int or number < 0) for number in numbers
    ):
        raise ValueError("no JSON answer")
    return Answer(answer, *numbers)


def estimate(runs: int, earlier: Sequence[Run]) -> tuple[int, bool]:
    """Return about how many tokens `runs` runs take, and whether that is from earlier runs or only assumed."""
    known = [run.tokens_in + (run.tokens_out or 0) for run in earlier if run.tokens_in is not None]
    return round(runs * (mean(known) if known else PROMPT * REQUESTS)), bool(known)


def figures(
    questions: Sequence[Asked],
    runs: Iterable[Run],
    lines: Callable[[str], Mapping[str, int]],
    reviewed: Mapping[tuple[str, str], bool],
) -> Figures:
    """Return what the runs show, over the questions that have both; a failed run is no right answer.

    `lines` returns `spread` of a corpus, `reviewed` holds a person's word by question and arm. Intervals redraw notes.
    """
    by: dict[tuple[str, str], Run] = {(run.id, run.arm): run for run in runs}
    both = [each for each in questions if {(each.id, WITH), (each.id, WITHOUT)} <= by.keys()]
    groups = [f"{each.corpus} {each.note}" for each in both]
    right: dict[tuple[str, str], bool] = {}
    failures: dict[str, Counter[str]] = defaultdict(Counter)
    for each in both:
        for arm in (WITH, WITHOUT):
            run = by[each.id, arm]
            right[each.id, arm] = not run.failure and is_right(run.answer, each, lines(each.corpus))
            if run.failure:
                failures[arm][run.failure] += 1
    seen = [each for each in both if {(each.id, WITH), (each.id, WITHOUT)} <= reviewed.keys()]
    where = [f"{each.corpus} {each.note}" for each in seen]
    ruled = _arms(both, right)
    said = _arms(seen, reviewed)
    alike = [float(right[each.id, arm] == reviewed[each.id, arm]) for arm in (WITH, WITHOUT) for each in seen]
    return Figures(
        len(both),
        {arm: rate(values, groups) for arm, values in ruled.items()},
        difference(ruled[WITH], ruled[WITHOUT], groups),
        {arm: rate(values, where) for arm, values in said.items()},
        difference(said[WITH], said[WITHOUT], where),
        rate(alike, where * 2),
        tuple(_compared(name, both, by) for name in (*NUMBERS, "seconds")),
        dict(failures),
    )


def _arms(questions: Sequence[Asked], held: Mapping[tuple[str, str], bool]) -> dict[str, list[float]]:
    return {arm: [float(held[each.id, arm]) for each in questions] for arm in (WITH, WITHOUT)}


def _compared(name: str, both: Sequence[Asked], by: Mapping[tuple[str, str], Run]) -> Compared:
    """One number over the questions that both arms answered and reported it for."""
    kept: list[tuple[float, float, str]] = []
    for each in both:
        first, second = by[each.id, WITH], by[each.id, WITHOUT]
        one, other = getattr(first, name), getattr(second, name)
        if not (first.failure or second.failure or one is None or other is None):
            kept.append((float(one), float(other), f"{each.corpus} {each.note}"))
    ours, theirs = [row[0] for row in kept], [row[1] for row in kept]
    return Compared(name, len(kept), mean(ours), mean(theirs), difference(ours, theirs, [row[2] for row in kept]))


def table(found: Figures) -> list[str]:
    """Return the lines that say what was found."""
    out = [
        f"{found.questions} questions, each asked with ladder and without; 95 % intervals over redrawn notes",
        "",
        "| | n | with ladder | without | with - without (95 %) |",
        "|---|---:|---:|---:|---:|",
        _share("right, by the line's words", found.right, found.right_change),
    ]
    if found.reviewed[WITH].n:
        out.append(_share("right, by a person", found.reviewed, found.reviewed_change))
    for row in found.numbers:
        name, change = row.name.replace("_", " "), row.change
        gain = f"{change.value:+,.1f} ({change.low:+,.1f} to {change.high:+,.1f})"
        shown = f"{row.with_ladder:,.1f} | {row.without:,.1f} | {gain}" if row.n else "- | - | not reported"
        out.append(f"| {name} | {row.n} | {shown} |")
    out.append("")
    if found.agree.n:
        out.append(f"The rule and the person agree on {100 * found.agree.value:.0f} % of {found.agree.n} answers.")
    for arm in (WITH, WITHOUT):
        failed = found.failures.get(arm, Counter())
        why = ", ".join(f"{count} {reason}" for reason, count in failed.most_common())
        out.append(f"Failed {arm} ladder, counted as unanswered: {failed.total()}{f' ({why})' if why else ''}.")
    if found.right[WITH].undecided:
        out.append("Fewer than 100 questions decide nothing by themselves.")
    return out


def _share(name: str, rates: Mapping[str, Rate], change: Difference) -> str:
    cells = [
        f"{100 * each.value:.0f} % ({100 * each.low:.0f} - {100 * each.high:.0f})"
        for each in (rates[WITH], rates[WITHOUT])
    ]
    gain = f"{100 * change.value:+.0f} ({100 * change.low:+.0f} to {100 * change.high:+.0f})"
    return f"| {name} | {rates[WITH].n} | {' | '.join(cells)} | {gain} |"
