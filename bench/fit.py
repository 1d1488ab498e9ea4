"""Fits the weights of the ranking's two tables to questions whose answering line is known: `python -m bench.fit`.

What is fitted is **evidence delivered for the tokens**: the share of questions whose answering line is among the
passages that come first, within 300, 600 and 1,000 tokens, the mean of the three, each set of questions counting the
same. The next note, and the rank of the right one, are means to that end and are printed, not fitted.

Each question is put to the product once; the value of every feature of every candidate and passage is kept, and the
search goes over these: one weight after the other is multiplied by each of FACTORS, and the best is kept where it gains
at least LEAST on the tuned half. So the candidates themselves stay those of the weights before. Which half decides
nothing: of the held half the figures before and after are printed, with the paired interval.

    python -m bench.fit --set plain --set locomo            only these sets; without --data the sample alone
    python -m bench.fit --write                             also writes the fitted values into ranking/weights.py
"""

from __future__ import annotations

import argparse
import ast
import os
import pickle
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bench.corpus.cache import Keep
from bench.scores import difference, mean
from ladder.query.query import Context, query
from ladder.ranking import features, passages, weights
from ladder.ranking.features import FEATURES
from ladder.ranking.passages import PASSAGE_FEATURES, worth
from ladder.ranking.search import Search
from ladder.ranking.survey import survey
from ladder.reading.answer import label_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType
    from typing import Any

    from bench.corpus.snapshot import World
    from ladder.index.reader import Index
    from ladder.ranking.features import Feature
    from ladder.ranking.passages import PassageFeature
    from notes import Settings

    Floats = npt.NDArray[np.float64]

#: Tokens within which an answering line is looked for.
BUDGETS = (300, 600, 1000)
#: What a weight is multiplied by, one after the other; times that all weights are gone through.
FACTORS = (0.0, 0.5, 0.7, 1.4, 2.0)
ROUNDS = 2
#: Share of the questions that a change must gain on the tuned half: less is noise.
LEAST = 0.001
#: The corpora that are mined, and the share of their turns in which a word may stand and still be uncommon.
CORPORA = ("oh-my-posh", "wakil", "cipher-box", "erk")
MINED_SHARE = 0.05
#: Passages that are looked at of one question, best first.
_DEEPEST = 80
WEIGHTS = Path(weights.__file__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put: `lines` says of a note's name and text which byte ranges answer."""

    group: str
    held: bool
    context: Mapping[str, Any]
    answers: Mapping[str, tuple[str, ...]]
    """Note -> the lines of it that answer, without white space at their ends."""


@dataclass(slots=True)
class Kept:
    """What the product said to one question: everything that weights could change the order of."""

    group: str
    held: bool
    notes: Floats
    """Candidates by features of notes, values as they are weighed."""
    right: npt.NDArray[np.bool_]
    """Which candidates hold the answer."""
    of_passages: Floats
    """Passages by features of passages; where a note's score is the value, 1 stands for it."""
    owner: npt.NDArray[np.int64]
    """The candidate that a passage is of."""
    costs: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    """Tokens of its note's name, and of its section's."""
    sections: npt.NDArray[np.int64]
    price: Floats
    answer: npt.NDArray[np.bool_]


@dataclass
class Sets:
    """Questions by the name of their set."""

    kept: dict[str, list[Kept]] = field(default_factory=dict)

    def half(self, *, held: bool) -> dict[str, list[Kept]]:
        """The questions of one half."""
        found = {name: [each for each in rows if each.held == held] for name, rows in self.kept.items()}
        return {name: rows for name, rows in found.items() if rows}


# --- what is asked -------------------------------------------------------------------------------------------------


def of_sample(_data: Path | None, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    """The bundled sample's questions at the turn's start."""
    from bench.sample import ROOT  # noqa: PLC0415 (only the sample needs it)
    from notes import load_settings  # noqa: PLC0415 (as above)

    yield from _mined(load_settings(ROOT), ROOT / "logs", keep, folder)


def of_pairs(data: Path | None, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    """Mined pairs of the corpora with notes enough, at the turn's start, of the notes as of the turn."""
    from notes import folder_settings  # noqa: PLC0415 (as above)

    assert data is not None
    for name in CORPORA:
        root = data / "sessions" / name
        yield from _mined(folder_settings(root / "notes"), root / "logs", keep, folder / name)


def _mined(settings: Settings, logs: Path, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    from bench.corpus.corpus import Corpus  # noqa: PLC0415 (not every set is mined)
    from bench.corpus.gather import from_logs  # noqa: PLC0415 (as above)
    from bench.public.as_notes.note_set import in_held_half  # noqa: PLC0415 (as above)
    from transcripts import sessions  # noqa: PLC0415 (as above)

    logged = list(sessions(logs))
    corpus = Corpus(from_logs(logged, settings, MINED_SHARE, mined=folder), logged, keep, "any")
    for question in corpus.asked_then:
        held = in_held_half(question.session)
        asked = Asked(question.session, held, question.contexts["turn"], {question.note: question.lines})
        yield corpus.worlds(question), asked


def of_plain(data: Path | None, keep: Keep, _folder: Path) -> Iterator[tuple[World, Asked]]:
    """The plain questions, tuned and held by their files."""
    from bench.tasks.plain_questions import FILES, NEEDLESS, digits, load, world_of  # noqa: PLC0415 (as above)

    assert data is not None
    worlds: dict[str, World] = {}
    for half, file in FILES.items():
        for plain in load(file):
            if plain.kind == NEEDLESS:
                continue
            if plain.corpus not in worlds:
                worlds[plain.corpus] = world_of(data / "sessions" / plain.corpus / "notes", keep)
            world = worlds[plain.corpus]
            answers = {
                note: tuple(
                    line.strip() for line in world.text.get(note, "").split("\n") if digits(line) in plain.lines
                )
                for note in plain.notes
            }
            group = f"{plain.corpus} {plain.notes[0]}"
            yield world, Asked(group, half == "held", {"message": plain.text}, answers)


def of_published(name: str) -> Callable[[Path | None, Keep, Path], Iterator[tuple[World, Asked]]]:
    """The questions of a published set as notes."""

    def questions(data: Path | None, keep: Keep, _folder: Path) -> Iterator[tuple[World, Asked]]:
        from bench.corpus.snapshot import World  # noqa: PLC0415 (as above)
        from bench.public.as_notes.replay import SETS as PUBLISHED  # noqa: PLC0415 (as above)
        from bench.public.catalogue import sets  # noqa: PLC0415 (as above)

        assert data is not None
        listed, read = PUBLISHED[name]
        place = sets()[listed].find(data)
        if place is None:
            raise LookupError(f"{name} is not in {data}")
        made = read(place)
        world = World(made.notes, keep)
        for each in made.questions:
            answers: dict[str, tuple[str, ...]] = {}
            for line in each.evidence:
                text = made.notes[line.note][line.start : line.end].decode("utf-8", "replace").strip()
                answers[line.note] = (*answers.get(line.note, ()), text)
            yield world, Asked(each.group, each.held, {"message": each.text, "now": each.asked}, answers)

    return questions


SETS: dict[str, Callable[[Path | None, Keep, Path], Iterator[tuple[World, Asked]]]] = {
    "sample": of_sample,
    "plain": of_plain,
    "pairs": of_pairs,
    "locomo": of_published("locomo"),
    "qmsum": of_published("qmsum"),
    "lifebench": of_published("lifebench"),
}


# --- what the product says to it -----------------------------------------------------------------------------------


def kept(world: World, asked: Asked) -> Kept | None:
    """Put a question to the product and keep the value of every feature; None where no candidate is found."""
    index = world.index
    search = survey(index, query(Context(**asked.context)))
    if not search.candidates:
        return None
    names = [index.note(n).name for n in search.candidates]
    blocks: list[Floats] = []
    rows: list[tuple[int, int, int, int, int, bool]] = []
    for at, n in enumerate(search.candidates):
        view = search.scales(n).passages
        said = [p for p in range(view.count) if view.p_length[p]]
        blocks.append(np.array([_values(search, n, feature) for feature in PASSAGE_FEATURES]).T[said])
        answering = _answering(world, index, n, asked.answers.get(names[at], ()))
        name = label_cost(f"{names[at]} (1000 tokens)")
        slugs = [label_cost("#" + each.slug) for each in view.sections]
        for p in said:
            s = view.p_section[p] - 1
            rows.append((at, at * 10_000 + s, view.p_cost[p], name, slugs[s] if s > 0 else 0, p in answering))
    table = np.array(rows, dtype=np.int64).reshape(-1, 6)
    return Kept(
        group=asked.group,
        held=asked.held,
        notes=np.array([[_unweighed(search, n, feature) for feature in FEATURES] for n in search.candidates]),
        right=np.array([name in asked.answers for name in names]),
        of_passages=np.concatenate(blocks),
        owner=table[:, 0],
        sections=table[:, 1],
        costs=table[:, 2],
        labels=table[:, 3:5],
        price=np.array([worth(cost) for cost in table[:, 2].tolist()]),
        answer=table[:, 5].astype(bool),
    )


def _unweighed(search: Search, n: int, feature: Feature) -> float:
    """What a feature says of a candidate, before it is weighed."""
    return search.totals[n].get(feature.name, 0.0) / (feature.weight or 1.0)


def _values(search: Search, n: int, feature: PassageFeature) -> Floats:
    """What a feature says of each paragraph of a note, before it is weighed; 1 where that is the note's score."""
    values = feature.values(search, n)
    if values is None:
        return np.zeros(search.scales(n).passages.count)
    found = np.array(values, dtype=np.float64)
    if feature.best is Search.score:
        return (found > 0).astype(np.float64)
    best = feature.best
    return found if best is None else found / (max(best(search, each) for each in search.candidates) or 1.0)


def _answering(world: World, index: Index, n: int, lines: Sequence[str]) -> set[int]:
    """The paragraphs of a note that hold a line which answers."""
    if not lines:
        return set()
    data = world.files[index.note(n).name]
    view = index.passages(n)
    found = set()
    for p in range(view.count):
        text = data[view.p_start[p] : view.p_end[p]].decode("utf-8", "replace")
        if any(line.strip() in lines for line in text.split("\n")):
            found.add(p)
    return found


# --- weighing it anew ----------------------------------------------------------------------------------------------


#: Which rows of PASSAGE_FEATURES take the note's score.
_BY_NOTE = np.array([feature.best is Search.score for feature in PASSAGE_FEATURES])


def tokens_to_answer(one: Kept, of_notes: Floats, of_passages: Floats) -> float:
    """The tokens that are spent when the first passage that answers has been shown; infinite when none is."""
    scores = one.notes @ of_notes
    share = scores / (float(scores.max()) or 1.0)
    promise = one.of_passages @ np.where(_BY_NOTE, 0.0, of_passages)
    promise += share[one.owner] * (one.of_passages @ np.where(_BY_NOTE, of_passages, 0.0))
    promise *= one.price
    best = float(promise[one.answer].max())
    before = np.flatnonzero(promise > best)
    if len(before) > _DEEPEST:
        return np.inf
    at = [*before.tolist(), int(np.flatnonzero(one.answer & (promise == best))[0])]
    notes = {int(one.owner[i]): int(one.labels[i, 0]) for i in at}
    sections = {int(one.sections[i]): int(one.labels[i, 1]) for i in at}
    return float(one.costs[at].sum()) + sum(notes.values()) + sum(sections.values())


def delivered(rows: Sequence[Kept], of_notes: Floats, of_passages: Floats) -> list[float]:
    """Of each question the share of BUDGETS within which the answering line is shown, in [0, 1]."""
    found = []
    for one in rows:
        spent = tokens_to_answer(one, of_notes, of_passages) if one.answer.any() else np.inf
        found.append(sum(spent <= budget for budget in BUDGETS) / len(BUDGETS))
    return found


def first_right(rows: Sequence[Kept], of_notes: Floats) -> float:
    """The share of questions whose first candidate holds the answer."""
    return mean([float(one.right[int(np.argmax(one.notes @ of_notes))]) for one in rows])


# --- fitting -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weight:
    """One weight: its name in weights.py, and where it stands in the vectors of the two tables."""

    name: str
    value: float
    of_notes: bool
    at: int


def weights_of_tables() -> list[Weight]:
    """Every weight of the two tables, in their order."""
    of_notes, of_passages = _names(features), _names(passages)
    return [
        *[Weight(of_notes[row.name], row.weight, of_notes=True, at=at) for at, row in enumerate(FEATURES)],
        *[Weight(of_passages[row.name], row.weight, of_notes=False, at=at) for at, row in enumerate(PASSAGE_FEATURES)],
    ]


def _names(module: ModuleType) -> dict[str, str]:
    """Row -> the constant of weights.py that it is weighed by, read from the table's source."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return {
        str(node.args[0].value): node.args[1].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[0], ast.Constant)
        if isinstance(node.args[1], ast.Name)
    }


Vectors = tuple["Floats", "Floats"]


def vectors() -> Vectors:
    """The weights of both tables as they are."""
    return np.array([row.weight for row in FEATURES]), np.array([row.weight for row in PASSAGE_FEATURES])


def with_weight(both: Vectors, weight: Weight, value: float) -> Vectors:
    """The vectors with another value of one weight."""
    new = (both[0].copy(), both[1].copy())
    new[0 if weight.of_notes else 1][weight.at] = value
    return new


def objective(sets: Mapping[str, Sequence[Kept]], both: Vectors) -> float:
    """Evidence delivered for the tokens: the mean over the sets of the share of questions and budgets, in [0, 1]."""
    return mean([mean(delivered(rows, *both)) for rows in sets.values()])


def fit(
    sets: Mapping[str, Sequence[Kept]], both: Vectors, weights: Sequence[Weight], tell: Callable[[str], None]
) -> Vectors:
    """Return the vectors that deliver most on these sets, found by going through the weights one by one."""
    best = objective(sets, both)
    for number in range(ROUNDS):
        before = best
        for weight in weights:
            now = float(both[0 if weight.of_notes else 1][weight.at])
            tries = [(objective(sets, new), new) for new in (with_weight(both, weight, now * f) for f in FACTORS)]
            gain, new = max(tries, key=lambda pair: pair[0])
            if gain >= best + LEAST:
                value = float(new[0 if weight.of_notes else 1][weight.at])
                tell(f"round {number + 1}: {weight.name} {now:g} -> {value:g}  {100 * (gain - best):+.2f} points")
                best, both = gain, new
        if best < before + LEAST:
            break
    return both


def table(sets: Sets, before: Vectors, after: Vectors) -> list[str]:
    """What the weights deliver on the held half, before and after, with paired intervals."""
    lines = [f"{'SET':10} {'HALF':6} {'N':>5} {'BEFORE':>7} {'AFTER':>7}  {'GAIN (95 %)':24} NOTE FIRST"]
    for half in ("tuned", "held"):
        for name, rows in sets.half(held=half == "held").items():
            old, new = delivered(rows, *before), delivered(rows, *after)
            change = difference(new, old, [one.group for one in rows])
            told = f"{100 * change.value:+.1f} ({100 * change.low:+.1f} to {100 * change.high:+.1f})"
            first = f"{100 * first_right(rows, before[0]):.1f} -> {100 * first_right(rows, after[0]):.1f}"
            lines.append(
                f"{name:10} {half:6} {len(rows):5} {100 * mean(old):7.1f} {100 * mean(new):7.1f}  {told:24} {first}"
            )
    return lines


def without_each(sets: Mapping[str, Sequence[Kept]], both: Vectors, weights: Sequence[Weight]) -> list[str]:
    """What each weight brings: points of each set that are lost when it is 0."""
    whole = {name: delivered(rows, *both) for name, rows in sets.items()}
    lines = [f"{'WITHOUT':14} {'WEIGHT':>7} " + " ".join(f"{name:>10}" for name in sets)]
    for weight in weights:
        now = float(both[0 if weight.of_notes else 1][weight.at])
        bare = with_weight(both, weight, 0.0)
        lost = [100 * (mean(delivered(rows, *bare)) - mean(whole[name])) for name, rows in sets.items()]
        lines.append(f"{weight.name:14} {now:7g} " + " ".join(f"{each:+10.1f}" for each in lost))
    return lines


def written(text: str, weights: Sequence[Weight], both: Vectors) -> str:
    """The text of weights.py with these values."""
    for weight in weights:
        value = float(both[0 if weight.of_notes else 1][weight.at])
        text, count = re.subn(rf"(?m)^{weight.name} = \S+", f"{weight.name} = {value!r}", text)
        if count != 1:
            raise LookupError(f"{weight.name} stands {count} times in weights.py")
    return text


def collected(names: Sequence[str], data: Path | None, every: int, tell: Callable[[str], None]) -> Sets:
    """Put every N-th question of the sets to the product (N is `every`)."""
    found = Sets()
    with TemporaryDirectory(prefix="ladder-fit-") as folder:
        keep = Keep(Path(folder) / "kept")
        for name in names:
            asked = SETS[name](data, keep, Path(folder) / name)
            rows = [kept(world, each) for at, (world, each) in enumerate(asked) if at % every == 0]
            found.kept[name] = [row for row in rows if row is not None]
            lost = sum(not row.answer.any() for row in found.kept[name])
            tell(f"{name}: {len(found.kept[name])} questions, in {lost} of them no candidate holds the answer")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Collect, fit, print; write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit", description=__doc__.partition("\n")[0])
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="only this set (again for another)")
    parser.add_argument("--data", type=Path, default=os.environ.get("LADDER_DATA"), help="default: LADDER_DATA")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th question (1)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="what the product said, read when it is there")
    parser.add_argument("--write", action="store_true", help="write the fitted values into ranking/weights.py")
    given = parser.parse_args(words)
    data = Path(given.data) if given.data else None
    names = given.set or (list(SETS) if data else ["sample"])
    if data is None and names != ["sample"]:
        parser.error("where the data sets lie: --data or LADDER_DATA")

    def tell(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    if given.keep and given.keep.is_file():
        sets = pickle.loads(given.keep.read_bytes())  # noqa: S301 (written by this command, for this person)
        sets.kept = {name: sets.kept[name] for name in names if name in sets.kept}
    else:
        sets = collected(names, data, given.every, tell)
        if given.keep:
            given.keep.write_bytes(pickle.dumps(sets))
    before, all_weights = vectors(), weights_of_tables()
    after = fit(sets.half(held=False), before, all_weights, tell)
    for line in (*table(sets, before, after), "", *without_each(sets.kept, before, all_weights)):
        tell(line)
    if given.write:
        WEIGHTS.write_text(written(WEIGHTS.read_text(encoding="utf-8"), all_weights, after), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
