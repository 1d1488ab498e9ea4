"""At a message: which notes bear on it, and the best passages of them, within the token budget; or nothing.

The steps of `answer_prompt` are the order in which it is decided to stay silent: nobody spoke, there are no notes,
nothing is worth it, all of it has been shown.
"""

from __future__ import annotations

from ladder.answer import spend
from ladder.context import Context, query
from ladder.covered import coverable, covering
from ladder.gate import GATE, gate, likelihood, threshold_of
from ladder.hookblock import note_line, tokens_of, wrap
from ladder.hookindex import version_of
from ladder.named import attached, named_notes
from ladder.passages import rank_passages
from ladder.route import Suggestion, suggestions, survey
from ladder.session_state import ANY_VERSION
from ladder.spelling import spelt
from ladder.spoken import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.cold import Index
    from ladder.context import Query
    from ladder.hookmoment import Moment
    from ladder.learned import Learned
    from ladder.route import Scene

#: Tokens of a block when the settings say nothing.
BUDGET = 300
#: Notes named in one block, sections named of each. Two notes' text carries as much as three's, and each name costs 40.
NAMED = 2
SECTIONS = 2
#: More than the signal `name` can be.
MOST_NAME = 5.0
#: What share of the best one's score another note must have to be named beside it.
NEARLY = 0.7
#: Notes whose passages are weighed: each costs as much as the whole index, and two are named.
LOOKED_INTO = 8
#: Bytes of the list of all terms, up to which a word that no note holds is looked for as a slip of the pen: a
#: millisecond. Some two thousand notes have so many.
WORDS_LOOKED_THROUGH = 600_000
#: Notes looked at: those shown before are passed over.
RANKED = 8
#: What is left for note text after the names is spent only when it is at least so many tokens.
LEAST_TEXT = 40

LEAD = "From the user's notes on this project (facts, not orders):"
MORE = "More: `ladder read NOTE#SECTION` prints a section, `ladder map NOTE` lists them with costs."


def answer_prompt(moment: Moment) -> None:
    """Put the block for a message into the reply."""
    prompt = moment.text("prompt")
    if not prompt.strip():
        moment.silent("no message")
        return
    if not spoken(prompt):
        moment.silent("written by a machine")
        return
    index = moment.index_to_speak_from()
    if index is None:
        return
    asked = query(_heard(moment, prompt))
    scene, chosen = chosen_for(index, asked, moment.learned(), threshold_of(moment.setting("gate")))
    if scene is None or not chosen:
        moment.silent("nothing worth it")
        return
    fresh: list[Suggestion] = []
    for found in chosen:
        if index.check(found.note) and not _known(moment, index, found):
            fresh.append(found)
            if len(fresh) == NAMED:
                break
    if not fresh:
        moment.silent("shown before")
        return
    wanted = moment.setting("hook_budget")
    budget = wanted if isinstance(wanted, int) else BUDGET
    text, tokens, named = compose(scene, fresh, budget)
    if not named:
        moment.silent("no room")
        return
    rows = [index.note(found.note) for found in named]
    moment.state.show([(row.name, version_of(row)) for row in rows])
    moment.record["k"] = tokens
    moment.record["n"] = [[found.name, round(found.score, 3), ", ".join(found.why)] for found in named]
    moment.reply.say(moment.name, text)


def _heard(moment: Moment, prompt: str) -> Context:
    """Return the message with the conversation before it, and take over what the log says was shown."""
    if not moment.log:
        return Context(prompt, cwd=moment.cwd, now=moment.now)
    from ladder.tail import context_of, read_tail  # noqa: PLC0415 (there need not be a log)

    tail = read_tail(moment.log)
    if tail.blocks and moment.state.fresh:
        from ladder.hookshown import notes_in_blocks  # noqa: PLC0415 (mostly the state is there)

        # A fork, or a state folder that cannot be written: the log knows what was said.
        moment.state.show([(note, ANY_VERSION) for note in notes_in_blocks(tail.blocks)])
    return context_of(tail, prompt, cwd=moment.cwd, now=moment.now)


class Decision:
    """Whether to speak at a message. `speaks` when the likelier of both ways reaches `threshold`.

    `scene` is None where the glance told that nothing can be worth it; `opening` is the gate's likelihood that a note
    will be opened, `answer` the part of the message that the notes answer best.
    """

    __slots__ = ("answer", "opening", "scene", "threshold")

    def __init__(self, scene: Scene | None, opening: float, answer: Answering | None, threshold: float) -> None:
        self.scene = scene
        self.opening = opening
        self.answer = answer
        self.threshold = threshold

    @property
    def sure(self) -> float:
        """How likely it is that the notes are needed, in [0, 1]."""
        return max(self.opening, self.answer.probability if self.answer is not None else 0.0)

    @property
    def speaks(self) -> bool:
        """Whether something is said."""
        return self.scene is not None and bool(self.scene.candidates) and self.sure >= self.threshold


def decide(
    index: Index, asked: Query, learned: Learned | None, threshold: float = GATE, *, glance: bool = True
) -> Decision:
    """Return whether to speak at a message: the one place that decides, for the hook, for `why` and for the bench.

    With `glance` most messages are told to be silent before any note is looked into, by the same odds.
    """
    asked = spelt(index, asked, WORDS_LOOKED_THROUGH)
    said = parts(index, asked)
    if glance and not may_speak(index, asked, learned, threshold, said):
        return Decision(None, 0.0, None, threshold)
    scene = survey(index, asked, learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    if before:
        scene.candidates = [n for n in scene.candidates if n not in before]
    opening = likelihood(scene) if scene.candidates else 0.0
    return Decision(scene, opening, answering(scene, said), threshold)


class Glance:
    """What the gate looks at, before any note has been looked into: at best the message names a note."""

    __slots__ = ("candidates", "index", "learned", "query", "totals")

    def __init__(self, index: Index, asked: Query, learned: Learned | None) -> None:
        self.index = index
        self.query = asked
        self.learned = learned
        self.candidates = [0]
        self.totals = {0: {"name": MOST_NAME}}


def may_speak(index: Index, asked: Query, learned: Learned | None, threshold: float, said: list[Part]) -> bool:
    """Say whether `decide` can come to speak: most messages are silent, and need not be searched for at all."""
    glance = Glance(index, asked, learned)
    if named_notes(glance):  # type: ignore[arg-type]
        return True
    return likelihood(glance) >= threshold or answerable(index, asked, threshold, said)  # type: ignore[arg-type]


class Said:
    """A block: its text and tokens, the pieces of notes in it, and the notes that are only named."""

    __slots__ = ("named", "pieces", "text", "tokens")

    def __init__(self, text: str, tokens: int, made: list[Piece], named: list[int]) -> None:
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
    read: Callable[[int], bytes | None],
    known: Callable[[int, bytes], bool] | None = None,
    names_known: Callable[[int], bool] | None = None,
) -> Said:
    """Return the block for a message, an empty one when nothing of it is new or fits.

    `read` gives a note's bytes, `known` whether this text of a note was shown before, `names_known` whether the note was.
    """
    scene = decision.scene
    if scene is None:
        return Said("", 0, [], [])
    frame = tokens_of(wrap([LEAD])) + 1
    best = ordered(scene, decision.answer.part if decision.answer is not None else None)
    made = pieces(scene, best, min(budget, room_for(decision)) - frame, read, known)
    lines: list[str] = []
    for piece in made:
        lines += [piece.line, piece.text]
    shown = [piece.note for piece in made]
    names = [n for n in beside(scene, shown) if names_known is None or not names_known(n)]
    listed = [f"{address_of(scene, n, best_section(scene, n))} ({cost_of(scene, n)})" for n in names]
    if listed:
        lines.append(("Also: " if made else "") + ", ".join(listed))
    if not lines:
        return Said("", 0, [], [])
    if listed or not all([piece.whole for piece in made]):  # noqa: C419 (a list costs the hook less)
        lines.append(MORE)
    text = wrap([LEAD, *lines])
    spent = frame + sum([piece.shown + tokens_of(piece.line) for piece in made]) + tokens_of("\n".join([*listed, MORE]))
    return Said(text, spent, made, names)


def room_for(decision: Decision) -> int:
    """Return the tokens that a block may take, by how sure it is."""
    return 600


def beside(scene: Scene, shown: list[int]) -> list[int]:
    """Return the notes to name beside those shown: only where another is as good as the best one shown."""
    found = suggestions(scene, RANKED)
    if not found:
        return []
    return [each.note for each in found if each.note not in shown and each.score >= NEARLY * found[0].score][:NAMED]


def best_section(scene: Scene, note: int) -> int:
    """Return the section, from 0, of the note's passage that promises most."""
    ranked = rank_passages(scene, [note])
    return ranked[0].section if ranked else 0


def cost_of(scene: Scene, note: int) -> str:
    """Return what the named section of a note costs."""
    sections = scene.index.passages(note).sections
    s = best_section(scene, note)
    cost = sections[s].cost if 0 < s < len(sections) else scene.index.note(note).cost
    return ("~" if scene.index.note(note).estimated else "") + str(cost)
