"""Ways of reading: given a question and the notes, which text comes into the agent's view.

A strategy is one function with one signature, `(world, ask, size) -> View`. It hands over the text itself; the replay
counts the tokens of that text and looks for the evidence in it, so nothing that a strategy claims enters a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench import product
from bench.rivals.fragments import rarest
from bench.rivals.grep import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.snapshot import World
    from bench.questions import Question
    from bench.rivals.fragments import Piece
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.passages import Passage
    from ladder.ranking.search import Search

#: Most characters of a command's output that a client's shell tool keeps.
SHELL_LIMIT = 30_000
BUDGETS = (500, 1000, 2000, 4000, 8000)
HOOK_BUDGETS = (300, 600)
#: Most pieces that fill a budget, and how many of them are counted at a time.
MOST = 400
COUNTED = 100


@dataclass(frozen=True, slots=True)
class Ask:
    """A question at one of its moments, with the query that the product makes of what was known then."""

    question: Question
    moment: str
    query: Query | None
    """None when the product made no query; strategies that need one then find nothing."""
    plain: Mapping[str, float]
    """The message's own terms."""
    learned: Learned | None = None
    """What the product had learned from earlier sessions, for the strategies that may use it."""
    scenes: dict[tuple[str | None, bool], Search] = field(default_factory=dict)
    """What the product surveyed for this question, by note (None: all) and whether it used what was learned."""
    passages: dict[tuple[str | None, bool], list[Passage]] = field(default_factory=dict)
    """The passages of these scenes, best first."""
    read: dict[str, product.Found] = field(default_factory=dict)
    """What was read of each note the study's way; see `product.read_notes`."""
    ranked: dict[bool, tuple[list[int], list[Piece]]] = field(default_factory=dict)
    """The best pieces for the message alone, and for the product's query: their numbers, and the first of them."""


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy brings into the context."""

    parts: tuple[str, ...] = ()
    """All text that enters, evidence or not: suggestions and maps too."""
    notes: tuple[str, ...] = ()
    """The notes that the text is from, in order of first appearance."""
    calls: int = 0
    """Tool calls for one question; each reads the whole context again."""
    everything: bool = False
    """All notes are loaded; `parts` is then left empty and the world's own total is taken."""


Function = Callable[["World", Ask, int], View]


def _no_tokens(_world: World) -> int:
    return 0


def _all_tokens(world: World) -> int:
    return world.tokens


def _taught(world: World) -> int:
    return world.cost(product.INSTRUCTIONS)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A function, the size it is asked for, and where it stands in table and plot."""

    name: str
    family: str
    run: Function
    size: int = 0
    fair: str = "yes"
    """`yes`, or in a few words what the strategy knows or saves that others do not."""
    needs_query: bool = False
    """Whether it uses the product's query: then it is asked at every moment, else once."""
    fixed: Callable[[World], int] = _no_tokens
    """Tokens that enter once a session whatever is asked: what an agent is told, or all notes."""


def note_given(world: World, ask: Ask, _size: int) -> View:
    """The study's ladder without its search: map, head, best section of the right note. Not fair."""
    return product.read_notes(world, ask, [ask.question.note])


def routed(world: World, ask: Ask, size: int) -> View:
    """The study's ladder with real routing: suggestions; of `size` notes map, head, best section. Fair."""
    found = product.suggested(world, ask, size)
    view = product.read_notes(world, ask, found.notes)
    return View((*found.parts, *view.parts), view.notes, found.calls + view.calls)


def ladder_budget(world: World, ask: Ask, size: int) -> View:
    """The product's answer within `size` tokens, everything counted. Fair."""
    return product.answered(world, ask, size, None)


def ladder_learned(world: World, ask: Ask, size: int) -> View:
    """The same with what sessions that began earlier have taught the product. Fair: split by time."""
    return product.answered(world, ask, size, None, learned=True)


def ladder_given(world: World, ask: Ask, size: int) -> View:
    """The same with the right note given: reading when routing is perfect. Not fair."""
    return product.answered(world, ask, size, ask.question.note)


def fragments_message(world: World, ask: Ask, size: int) -> View:
    """The `size` best paragraphs for the message. Fair; charged for bare text, which favours it a little."""
    return _pieces(_best(world, ask, size))


def fragments_query(world: World, ask: Ask, size: int) -> View:
    """The `size` best paragraphs for the very query the ladder gets. Fair; charged for bare text."""
    return _pieces(_best(world, ask, size, same_query=True))


def fragments_message_budget(world: World, ask: Ask, size: int) -> View:
    """The best paragraphs for the message, until the next would exceed `size` tokens. Fair; bare text."""
    return _pieces(_within(world, ask, size))


def fragments_query_budget(world: World, ask: Ask, size: int) -> View:
    """The best paragraphs for the ladder's query, until the next would exceed `size` tokens. Fair; bare text."""
    return _pieces(_within(world, ask, size, same_query=True))


def everything(_world: World, _ask: Ask, _size: int) -> View:
    """All notes in the context from the session's start. Fair, and unaffordable."""
    return View(everything=True)


def rare_words(world: World, ask: Ask, size: int) -> View:
    """A repair the study tried: of `size` routed notes the paragraphs with the three rarest words. Fair."""
    found = product.suggested(world, ask, size)
    words = rarest(ask.plain, world.fragments, 3)
    numbers = sorted(number for name in found.notes for number in world.fragments.of_note(name))
    scores = world.fragments.scores(dict.fromkeys(words, 1.0), numbers)
    picked = [number for number, score in zip(numbers, scores.tolist(), strict=True) if score > 0]
    view = _pieces(world.fragments.pieces(picked))
    return View((*found.parts, *view.parts), view.notes, found.calls + len(found.notes))


def paragraph_then_note(world: World, ask: Ask, size: int) -> View:
    """A repair the study tried: the notes of the best paragraphs (`size` notes), read whole. Fair."""
    names = list(dict.fromkeys(piece.note for piece in _best(world, ask, 50)))[:size]
    return View(tuple(world.text[name] for name in names), tuple(names), 1 + len(names))


def grep(world: World, ask: Ask, size: int) -> View:
    """What an agent does without ladder: grep for the question's `size` rarest words.

    Fair; in file order, cut where a client's shell tool cuts.
    """
    words = world.lines.rarest(words_of(ask.question.text), size)
    if not words:
        return View(calls=1)
    text, names = world.lines.grep(words, SHELL_LIMIT)
    return View((text,), tuple(names), 1)


def nothing(_world: World, _ask: Ask, _size: int) -> View:
    """No notes at all: the floor."""
    return View()


def _best(world: World, ask: Ask, count: int, *, same_query: bool = False) -> list[Piece]:
    """The best paragraphs for the message, or for the ladder's query; ranked once for all sizes and budgets."""
    if same_query not in ask.ranked:
        weights = product.weights(world, ask) if same_query else ask.plain
        ask.ranked[same_query] = world.fragments.best(weights, MOST), []
    numbers, pieces = ask.ranked[same_query]
    if len(pieces) < count:
        pieces += world.fragments.pieces(numbers[len(pieces) : count])
    return pieces[:count]


def _pieces(pieces: Sequence[Piece]) -> View:
    return View(
        tuple(piece.text for piece in pieces), tuple(dict.fromkeys(piece.note for piece in pieces)), 1 if pieces else 0
    )


def _within(world: World, ask: Ask, budget: int, *, same_query: bool = False) -> list[Piece]:
    """The best paragraphs until the next would exceed the budget."""
    spent = taken = 0
    for count in range(COUNTED, MOST + 1, COUNTED):
        pieces = _best(world, ask, count, same_query=same_query)
        for cost in world.costs([piece.text for piece in pieces[taken:]]):
            spent += cost
            if spent > budget:
                return pieces[:taken]
            taken += 1
    return pieces


def strategies(budgets: tuple[int, ...] = BUDGETS, *, hook: bool = False, learned: bool = False) -> list[Strategy]:
    """Every strategy of the table, in its order; `hook` adds small budgets, `learned` the ladder that learned."""
    sizes = (*HOOK_BUDGETS, *budgets) if hook else budgets
    told = "no: told the note"

    def asked(
        name: str,
        family: str,
        run: Function,
        size: int,
        *,
        fair: str = "yes",
        fixed: Callable[[World], int] = _no_tokens,
    ) -> Strategy:
        return Strategy(name, family, run, size, fair, needs_query=True, fixed=fixed)

    return [
        asked("note given: head + best section", "note given", note_given, 1, fair=told, fixed=_taught),
        *(
            asked(f"routing, {n} note{'s' * (n > 1)}", "routing, head + section", routed, n, fixed=_taught)
            for n in (1, 2, 4)
        ),
        *(asked(f"ladder@{n}", "ladder@N", ladder_budget, n) for n in sizes),
        *(asked(f"ladder@{n}, learned", "ladder@N, learned", ladder_learned, n) for n in (sizes if learned else ())),
        *(asked(f"ladder@{n}, note given", "ladder@N, note given", ladder_given, n, fair=told) for n in sizes),
        *(Strategy(f"fragments {n}", "fragments, message", fragments_message, n) for n in (5, 10, 20, 40)),
        *(asked(f"fragments {n}, same query", "fragments, same query", fragments_query, n) for n in (5, 10, 20, 40)),
        *(Strategy(f"fragments@{n}", "fragments@N, message", fragments_message_budget, n) for n in sizes),
        *(asked(f"fragments@{n}, same query", "fragments@N, same query", fragments_query_budget, n) for n in sizes),
        *(asked(f"repair: rarest words in {n}", "repair: rarest words", rare_words, n, fixed=_taught) for n in (1, 2)),
        *(
            Strategy(f"repair: best paragraph, note whole, {n}", "repair: paragraph, note", paragraph_then_note, n)
            for n in (1, 2)
        ),
        Strategy("grep with the question's words", "grep", grep, 5),
        Strategy("everything", "everything", everything, fixed=_all_tokens),
        Strategy("nothing", "nothing", nothing),
    ]
