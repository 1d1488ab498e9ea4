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


def chosen_for(
    index: Index, asked: Query, learned: Learned | None, threshold: float
) -> tuple[Scene | None, list[Suggestion]]:
    """Return the scene, None where no note need be looked into, and the suggestions that the block may name."""
    asked = spelt(index, asked, WORDS_LOOKED_THROUGH)
    if not may_speak(index, asked, learned, threshold):
        return None, []
    scene = survey(index, asked, learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    if before:
        scene.candidates = [n for n in scene.candidates if n not in before]
    return scene, worth_saying(scene, threshold)


def worth_saying(scene: Scene, threshold: float = GATE) -> list[Suggestion]:
    """Return the suggestions that the block may name, best first; none when silence is better.

    What the gate lets through at `threshold`; or, when one holds the message nearly whole, those that are nearly as
    good as the best: of two notes with the same words either may be the one that was meant.
    """
    found = suggestions(scene, RANKED)
    passed = gate(scene, found, threshold)
    if passed or not covering(scene, found):
        return passed
    return [each for each in found if each.score >= NEARLY * found[0].score]


class Glance:
    """What the gate looks at, before any note has been looked into: at best the message names a note."""

    __slots__ = ("candidates", "index", "learned", "query", "totals")

    def __init__(self, index: Index, asked: Query, learned: Learned | None) -> None:
        self.index = index
        self.query = asked
        self.learned = learned
        self.candidates = [0]
        self.totals = {0: {"name": MOST_NAME}}


def may_speak(index: Index, asked: Query, learned: Learned | None, threshold: float = GATE) -> bool:
    """Say whether `worth_saying` can find anything: most messages are silent, and need not be searched for at all."""
    glance = Glance(index, asked, learned)
    if named_notes(glance):  # type: ignore[arg-type]
        return True
    if likelihood(glance) >= threshold:  # type: ignore[arg-type]
        return True
    return coverable(index, asked)


def _known(moment: Moment, index: Index, found: Suggestion) -> bool:
    row = index.note(found.note)
    return moment.state.knows(row.name, version_of(row))


def compose(
    scene: Scene, chosen: list[Suggestion], budget: int, read: Callable[[int], bytes | None] | None = None
) -> tuple[str, int, list[Suggestion]]:
    """Return the block that names `chosen`, what is left of `budget` spent on their passages; its tokens; who is named.

    A name that does not fit is left out; with no room for one the block is empty. `read` gives a note's bytes, by
    default from its file.
    """
    index = scene.index
    frame = tokens_of(wrap([LEAD, MORE])) + 2
    lines: list[str] = []
    named: list[Suggestion] = []
    spent = frame
    for found in chosen:
        row = index.note(found.note)
        line = note_line(
            row.name,
            head_cost=row.head_cost,
            cost=row.cost,
            changed=row.changed,
            why=found.why,
            sections=best_sections(scene, found.note),
            about="~" if row.estimated else "",
        )
        if spent + tokens_of(line) > budget:
            break
        spent += tokens_of(line)
        lines.append(line)
        named.append(found)
    if not named:
        return "", 0, []
    if budget - spent >= LEAST_TEXT:
        scene.only([found.note for found in named])
        block = spend(scene, budget - spent, read=read)
        if block.text:
            lines.append(block.text)
            spent += block.tokens
    return wrap([LEAD, *lines, MORE]), spent, named


def best_sections(scene: Scene, note: int) -> list[tuple[str, int]]:
    """Return (slug, cost) of the sections of a note whose passages promise most."""
    sections = scene.index.passages(note).sections
    found: dict[int, bool] = {}
    for passage in rank_passages(scene, [note]):
        if passage.section >= 0:
            found[passage.section] = True
            if len(found) == SECTIONS:
                break
    return [(sections[s].slug, sections[s].cost) for s in found if s < len(sections) and sections[s].slug]
