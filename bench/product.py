"""The bench's only access to the product: its public functions, and the text that an agent gets from its rungs.

An exception of the product is not caught here: it reaches the replay, which counts the question as missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bench.questions import note_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.corpus.snapshot import World
    from bench.strategies import Ask, View
    from ladder.index.reader import Index
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.explain import Suggestion
    from ladder.ranking.search import Search

#: What an agent is told once a session so that it can climb the ladder itself.
INSTRUCTIONS = (
    'Notes on this project can be searched. `ladder suggest "question"` names notes that may hold the answer, with '
    "their cost in tokens; `ladder map NOTE` lists a note's sections with their costs; "
    "`ladder read NOTE#SECTION` prints one section."
)


class Found(NamedTuple):
    """A rung's answer."""

    parts: tuple[str, ...]
    notes: tuple[str, ...]
    calls: int


def opened(target: Path) -> Index:
    """The product's index that lies in `target`."""
    from ladder.index.reader import open_index  # noqa: PLC0415 (as above)

    return open_index(str(target))


def query_of(context: Mapping[str, Any]) -> tuple[Query | None, str]:
    """The product's query for a context, or None and the name of what it raised."""
    try:
        from ladder.query.query import Context, query  # noqa: PLC0415 (as above)

        return query(Context(**context)), ""
    except Exception as raised:  # noqa: BLE001 (a broken product asks nothing and finds nothing; the replay shows the name)
        return None, type(raised).__name__


def surveyed(world: World, ask: Ask, note: str | None, *, learned: bool = False) -> Search:
    """The product's survey for a question, of all notes or of one; made once for all budgets of the question.

    `route` is `suggestions` of a survey and `answer` is `spend` of it (a test holds them equal).

    Raises:
        LookupError: the product's index does not hold the note.
    """
    from ladder.ranking.survey import survey  # noqa: PLC0415 (as above)

    key = (note, learned)
    if key not in ask.scenes:
        assert ask.query is not None
        if note is None:
            scene = survey(world.index, ask.query, learned=ask.learned if learned else None)
        else:
            number = world.number(note)
            if number is None:
                raise LookupError(note)
            scene = surveyed(world, ask, None, learned=learned).among([number])
        ask.scenes[key] = scene
    return ask.scenes[key]


def weights(world: World, ask: Ask) -> Mapping[str, float]:
    """The terms that the product searches for with their weights; the rival gets them too."""
    return surveyed(world, ask, None).weights if ask.query is not None else {}


def suggestions(world: World, ask: Ask, k: int) -> list[Suggestion]:
    """The first rung: notes that may hold the answer, best first."""
    from ladder.ranking.explain import suggestions as first  # noqa: PLC0415 (as above)

    return list(first(surveyed(world, ask, None), k))


def ranked(world: World, ask: Ask, k: int) -> list[str]:
    """The names of the k notes that the product suggests; none when it is broken."""
    if ask.query is None:
        return []
    try:
        return [note_name(found.name) for found in suggestions(world, ask, k)]
    except Exception:  # noqa: BLE001 (the strategies meet the same error and show its name)
        return []


def suggested(world: World, ask: Ask, k: int) -> Found:
    """The first rung as an agent sees it: one line a note with name, costs and reason."""
    if ask.query is None:
        return Found((), (), 1)
    found = suggestions(world, ask, k)
    rows = [(each, world.index.note(each.note)) for each in found]
    lines = [f"{each.name} {row.head_cost} {row.sections} {row.cost} {', '.join(each.why)}" for each, row in rows]
    return Found(("\n".join(lines),) if lines else (), tuple(note_name(each.name) for each in found), 1)


def read_notes(world: World, ask: Ask, names: Sequence[str]) -> View:
    """The second and third rung, the study's way: of each note map, head, and best section."""
    from bench.strategies import View as Seen  # noqa: PLC0415 (strategies import this module)

    parts: list[str] = []
    calls = 0
    for name in names:
        if name not in ask.read:
            ask.read[name] = _read_note(world, ask, name)
        parts.extend(ask.read[name].parts)
        calls += ask.read[name].calls
    return Seen(tuple(parts), tuple(names), calls)


def _read_note(world: World, ask: Ask, name: str) -> Found:
    from ladder.reading.rungs import map_note  # noqa: PLC0415 (as above)

    number = world.number(name)
    if number is None:
        return Found((), (), 0)
    asked = weights(world, ask)
    rows = map_note(world.index, number, asked)
    parts = ["\n".join(f"{row.number} {row.title} {row.zone} {row.cost} {', '.join(row.hits)}" for row in rows)]
    head = world.head(name)
    if head.strip():
        parts.append(head)
    section = world.best_section(name, asked)
    chosen = bool(section) and section != head
    if chosen:
        parts.append(section)
    return Found(tuple(parts), (name,), 2 + chosen)


def answered(world: World, ask: Ask, budget: int, note: str | None, *, learned: bool = False) -> View:
    """The text that the product puts before the agent for `budget` tokens; of one note when that is given."""
    from bench.strategies import View as Seen  # noqa: PLC0415 (as above)
    from ladder.ranking.passages import rank_passages  # noqa: PLC0415 (as above)
    from ladder.reading.answer import spend  # noqa: PLC0415 (as above)

    if ask.query is None or (note is not None and note not in world.files):
        return Seen(calls=1)

    def read(number: int) -> bytes | None:
        return world.files.get(note_name(world.index.note(number).name))

    scene = surveyed(world, ask, note, learned=learned)
    key = (note, learned)
    if key not in ask.passages:
        ask.passages[key] = rank_passages(scene)
    block = spend(scene, budget, read=read, ranked=ask.passages[key])
    names = dict.fromkeys(note_name(world.index.note(span.note).name) for span in block.spans)
    return Seen((block.text,) if block.text else (), tuple(names), 1)


def spoken(world: World, context: Mapping[str, Any], near: Near | None = None) -> tuple[str, tuple[str, ...]]:
    """The block that the hook would hand over at a session's first message, and the notes that it names; or nothing.

    With nothing learned and no block before; `context` has the keys of `ladder.query.query.Context`. `near` is what the
    sentence model says of the message: the hook asks it where words have nothing to say.
    """
    from ladder.hook.hand_over import BUDGET, compose  # noqa: PLC0415 (as above)
    from ladder.query.query import Context, query  # noqa: PLC0415 (as above)
    from ladder.query.speaker import spoken as by_a_person  # noqa: PLC0415 (as above)
    from ladder.speaking.by_meaning import worth_looking  # noqa: PLC0415 (as above)
    from ladder.speaking.verdict import decide, decide_by_meaning  # noqa: PLC0415 (as above)

    if not by_a_person(context["message"]):
        return "", ()
    asked = query(Context(**context))
    decision = decide(world.index, asked, None)
    if not decision.speaks and near is not None and worth_looking(world.index, asked):
        decision = decide_by_meaning(world.index, asked, None, near)
    if not decision.speaks:
        return "", ()
    block = compose(decision, BUDGET, lambda number: world.files.get(note_name(world.index.note(number).name)))
    return block.text, tuple(note_name(world.index.note(n).name) for n in block.notes)


def near(world: World, message: str) -> Near | None:
    """How near the notes lie to what a message means; their vectors are made when they are first asked for.

    Raises:
        NoModel: no sentence model is installed.
    """
    from ladder.meaning.near import near as nearest  # noqa: PLC0415 (needs the extra `meaning`)
    from ladder.meaning.update import update_vectors  # noqa: PLC0415 (as above)

    index = world.index
    update_vectors(index, "", lambda number: world.files.get(note_name(index.note(number).name)))
    return nearest(index, message)
