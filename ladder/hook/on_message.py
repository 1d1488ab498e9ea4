"""At a message: which notes bear on it, and the best passages of them, within the token budget; or nothing.

The steps of `answer_prompt` are the order in which it is decided to stay silent: nobody spoke, there are no notes,
nothing is worth it, all of it has been shown.
"""

from __future__ import annotations

from ladder.hook.block import note_line, tokens_of, wrap
from ladder.hook.index import version_of
from ladder.hook.session import ANY_VERSION
from ladder.lean.paths import project_data
from ladder.learning.model import open_learned
from ladder.query.conversation import heard
from ladder.query.dates.calendar import now_here
from ladder.query.parts import NAMES_WHOLE
from ladder.query.query import Context, query
from ladder.query.speaker import spoken
from ladder.ranking.explain import Suggestion, suggestions
from ladder.ranking.in_view import attached
from ladder.ranking.names import named_notes
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import survey
from ladder.ranking.weights import NAME
from ladder.reading.answer import spend
from ladder.speaking.by_meaning import named_by_meaning, near_enough, worth_looking
from ladder.speaking.coverage import coverable, covering
from ladder.speaking.gate import GATE, gate, likelihood, threshold_of
from ladder.text.spelling import spelt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.hook.event import Moment
    from ladder.index.overlay import FreshIndex
    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.search import Search

#: Tokens of a block when the settings say nothing.
BUDGET = 300
#: Notes named in one block, sections named of each. Two notes' text carries as much as three's, and each name costs 40.
NAMED = 2
SECTIONS = 2
#: More than the signal `name` can be, of a name that every part of the context says.
MOST_NAME = NAME * 1.001
#: What share of the best one's score another note must have to be named beside it.
NEARLY = 0.7
#: Notes whose passages are weighed: each costs as much as the whole index, and two are named.
LOOKED_INTO = 8
#: Times that a message is looked at anew because a note that was to be named had changed.
CHANGED_LOOKS = 3
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
    learned = open_learned(project_data(moment.root) + "/learned")
    scene, chosen = chosen_as_files_are(index, asked, learned, threshold_of(moment.setting("gate")))
    if not chosen and worth_looking(index, asked):
        from ladder.hook.meaning import near_in_hook  # noqa: PLC0415 (mostly words decide)

        scene, chosen = chosen_by_meaning(index, asked, learned, near_in_hook(moment, index, asked.message))
        chosen = [each for each in chosen if index.check(each.note)]
    if scene is None or not chosen:
        moment.silent("nothing worth it")
        return
    fresh: list[Suggestion] = []
    for found in chosen:
        if not _known(moment, index, found):
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
        return Context(prompt, cwd=moment.cwd, now=now_here())
    from ladder.query.log_tail import context_of, read_tail  # noqa: PLC0415 (there need not be a log)

    tail = read_tail(moment.log)
    if tail.blocks and moment.state.fresh:
        from ladder.hook.shown import notes_in_blocks  # noqa: PLC0415 (mostly the state is there)

        # A fork, or a state folder that cannot be written: the log knows what was said.
        moment.state.show([(note, ANY_VERSION) for note in notes_in_blocks(tail.blocks)])
    return context_of(tail, prompt, cwd=moment.cwd, now=now_here())


def chosen_for(
    index: Index, asked: Query, learned: Learned | None, threshold: float
) -> tuple[Search | None, list[Suggestion]]:
    """Return the scene, None where no note need be looked into, and the suggestions that the block may name."""
    asked = spelt(index, asked, WORDS_LOOKED_THROUGH)
    if not may_speak(index, asked, learned, threshold):
        return None, []
    scene = survey(index, asked, learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    if before:
        scene = scene.among([n for n in scene.candidates if n not in before])
    return scene, worth_saying(scene, threshold)


def chosen_by_meaning(
    index: Index, asked: Query, learned: Learned | None, near: Near | None
) -> tuple[Search | None, list[Suggestion]]:
    """Return the same by how near the notes lie to the message, where words had nothing to say."""
    if near is None or not near_enough(asked, near):
        return None, []
    asked.near = near
    scene = survey(index, spelt(index, asked, WORDS_LOOKED_THROUGH), learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    if before:
        scene = scene.among([n for n in scene.candidates if n not in before])
    return scene, named_by_meaning(near, suggestions(scene, RANKED))


def chosen_as_files_are(
    index: FreshIndex, asked: Query, learned: Learned | None, threshold: float
) -> tuple[Search | None, list[Suggestion]]:
    """Return what `chosen_for` does, of notes whose text is as the index has it.

    The files of a large store are looked at only when they are about to be named. Where one has changed, its new text
    decides whether it is worth naming, and which paragraph of it: the message is looked at once more.
    """
    scene, chosen = chosen_for(index, asked, learned, threshold)
    for _ in range(CHANGED_LOOKS):
        before = index.taken
        chosen = [found for found in chosen if index.check(found.note)]
        if index.taken == before:
            return scene, chosen
        scene, chosen = chosen_for(index, asked, learned, threshold)
    # A store that is changing all over: what is not as it was indexed waits for the background.
    before = index.taken
    return scene, [
        each for each in chosen if index.check(each.note) and (each.note in before or each.note not in index.taken)
    ]


def worth_saying(scene: Search, threshold: float = GATE) -> list[Suggestion]:
    """Return the suggestions that the block may name, best first; none when silence is better.

    Something is said when the gate lets the message through at `threshold`, or when a note holds it nearly whole. Named
    are then the best note and those that are nearly as good: of two notes with the same words either may be the one
    that was meant; and the notes that the message itself names, however the rest of it is spread over them.
    """
    found = suggestions(scene, RANKED)
    if not gate(scene, found, threshold) and not covering(scene, found):
        return []
    return [each for each in found if each.score >= NEARLY * found[0].score or each.signals.get("named")]


class Glance:
    """What the gate looks at, before any note has been looked into: at best the message names a note."""

    __slots__ = ("candidates", "index", "learned", "query", "totals")

    def __init__(self, index: Index, asked: Query, learned: Learned | None) -> None:
        self.index = index
        self.query = asked
        self.learned = learned
        self.candidates = [0]
        self.totals = {0: {"name": MOST_NAME}}

    def look_closer(self) -> None:
        """Take for the most that the signal `name` can be what the conversation can make of any name."""
        _, names = self.query.weigh(heard(self.index, self.query))
        self.totals[0]["name"] = NAME * max(names.values(), default=0.0) / NAMES_WHOLE * 1.000001  # it is rounded


def may_speak(index: Index, asked: Query, learned: Learned | None, threshold: float = GATE) -> bool:
    """Say whether `worth_saying` can find anything: most messages are silent, and need not be searched for at all."""
    glance = Glance(index, asked, learned)
    if named_notes(glance):  # type: ignore[arg-type]
        return True
    if likelihood(glance) >= threshold:  # type: ignore[arg-type]
        glance.look_closer()  # only now: it cuts all of the conversation into words
        if likelihood(glance) >= threshold:  # type: ignore[arg-type]
            return True
    return coverable(index, asked)


def _known(moment: Moment, index: Index, found: Suggestion) -> bool:
    row = index.note(found.note)
    return moment.state.knows(row.name, version_of(row))


def compose(
    scene: Search, chosen: list[Suggestion], budget: int, read: Callable[[int], bytes | None] | None = None
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
        block = spend(scene, budget - spent, [found.note for found in named], read=read)
        if block.text:
            lines.append(block.text)
            spent += block.tokens
    return wrap([LEAD, *lines, MORE]), spent, named


def best_sections(scene: Search, note: int) -> list[tuple[str, int]]:
    """Return (slug, cost) of the sections of a note whose passages promise most."""
    sections = scene.index.passages(note).sections
    found: dict[int, bool] = {}
    for passage in rank_passages(scene, [note]):
        if passage.section >= 0:
            found[passage.section] = True
            if len(found) == SECTIONS:
                break
    return [(sections[s].slug, sections[s].cost) for s in found if s < len(sections) and sections[s].slug]
