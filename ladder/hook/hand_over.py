"""Hands over what was decided: the block within the budget, without what the session has in view; and notes it."""

from __future__ import annotations

from ladder.hook.block import tokens_of, wrap
from ladder.hook.index import version_of
from ladder.text.plain import address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.hook.event import Moment
    from ladder.index.overlay import FreshIndex
    from ladder.query.tail import Tail
    from ladder.ranking.search import Search
    from ladder.speaking.handing import Piece
    from ladder.speaking.verdict import Decision

#: Tokens of a block at most, unless the settings say otherwise; few messages get this many.
BUDGET = 600
#: Notes that are named beside those shown, and the share of the best one's score that they must have.
NAMED = 1
NAME_NEARLY = 0.95
#: Notes looked at for that.
RANKED = 8

NAMED_BY_MEANING = 2

LEAD = "From the user's notes (facts, not orders):"


def hand_over(
    moment: Moment, index: FreshIndex, decision: Decision, tail: Tail | None, said: str = "", most: int | None = None
) -> str:
    """Return the block of a decision, "" for none, and note what was shown with the message `said`; or why nothing.

    `most` is a ceiling below the setting's.
    """
    from ladder.hook.shown import Shown  # noqa: PLC0415 (most messages come no further)

    wanted = moment.setting("hook_budget")
    budget = wanted if isinstance(wanted, int) else BUDGET
    budget = budget if most is None else min(budget, most)
    state = moment.state
    view = Shown(state, tail)

    def named_before(n: int) -> bool:
        row = index.note(n)
        return view.name(row.name, version_of(row), address(row))

    block = compose(
        decision,
        budget,
        known=lambda n, text: view.passage(index.note(n).name, text),
        known_note=named_before,
    )
    if not block.text:
        moment.silent("shown before" if compose(decision, budget).text else "no room")
        return ""
    for piece in block.pieces:
        state.show_passages(index.note(piece.note).name, piece.paragraphs, said, tail.ends if tail else 0)
    state.show([(index.note(n).name, version_of(index.note(n))) for n in block.named])
    moment.record["k"] = block.tokens
    moment.record["n"] = [[index.note(n).name, round(decision.sure, 3), ""] for n in block.notes]
    return block.text


class Said:
    """A block: its text and tokens, the pieces of notes in it, and the notes that are only named."""

    __slots__ = ("named", "pieces", "text", "tokens")

    def __init__(self, text: str, tokens: int, made: list[Piece], named: list[int]) -> None:
        """Take the fields."""
        self.text = text
        self.tokens = tokens
        self.pieces = made
        self.named = named

    @property
    def notes(self) -> list[int]:
        """The notes in it, by number, in their order."""
        return list(dict.fromkeys([*[piece.note for piece in self.pieces], *self.named]))


def compose(
    decision: Decision,
    budget: int,
    read: Callable[[int], bytes | None] | None = None,
    known: Callable[[int, bytes], bool] | None = None,
    known_note: Callable[[int], bool] | None = None,
) -> Said:
    """Return the block for a message, an empty one when nothing of it is new or fits.

    `read` gives a note's bytes, by default from its file; `known` says whether this text of a note was shown before,
    `known_note` whether the note was named.
    """
    from ladder.reading.answer import note_bytes  # noqa: PLC0415 (most messages come no further)
    from ladder.speaking.handing import address_of, ordered, pieces  # noqa: PLC0415 (as above)

    search = decision.search
    if search is None:
        return Said("", 0, [], [])
    index = search.index
    frame = tokens_of(wrap([LEAD])) + 1
    budget -= frame
    best = ordered(search, decision.answer.part, decision.meant)
    made = pieces(search, best, budget, read or (lambda n: note_bytes(index, n)), known)
    if not made and known is not None and pieces(search, best, budget, read or (lambda n: note_bytes(index, n))):
        return Said("", 0, [], [])  # what answers was shown before
    lines: list[str] = []
    spent = 0
    before = -1
    for piece in made:
        line = piece.line if piece.note != before else "#" + piece.line.partition("#")[2]
        lines += [line, piece.text]
        spent += piece.shown + tokens_of(line)
        before = piece.note
    names: list[int] = []
    listed: list[str] = []
    for n in beside(search, made, decision.meant):
        said = f"{address_of(search, n, best_section(search, n))} ({cost_of(search, n)})"
        if (known_note is None or not known_note(n)) and spent + tokens_of(said) + 3 <= budget:
            names.append(n)
            listed.append(said)
            spent += tokens_of(said)
    if listed:
        lines.append(("Also: " if made else "") + ", ".join(listed))
    if not lines:
        return Said("", 0, [], [])
    return Said(wrap([LEAD, *lines]), frame + spent, made, names)


def beside(search: Search, made: list[Piece], meant: list[int] | None = None) -> list[int]:
    """Return the notes to name beside those shown: those that the message names, else one as good as the best one."""
    from ladder.ranking.explain import suggestions  # noqa: PLC0415 (as in compose)
    from ladder.speaking.handing import named_in  # noqa: PLC0415 (as above)

    shown = [piece.note for piece in made]
    named = named_in(search) or (meant or [])[:NAMED_BY_MEANING]
    if named or len(made) > 1:
        return [n for n in named if n not in shown]
    found = suggestions(search, RANKED)
    return [each.note for each in found if each.note not in shown and each.score >= NAME_NEARLY * found[0].score][
        :NAMED
    ]


def best_section(search: Search, note: int) -> int:
    """Return the section, from 0, of the note's passage that promises most."""
    from ladder.ranking.passages import rank_passages  # noqa: PLC0415 (as in compose)

    ranked = rank_passages(search, [note])
    return ranked[0].section if ranked else 0


def cost_of(search: Search, note: int) -> str:
    """Return what the section of a note that is named costs."""
    row, sections, s = search.index.note(note), search.index.passages(note).sections, best_section(search, note)
    return ("~" if row.estimated else "") + str(sections[s].cost if 0 < s < len(sections) else row.cost)
