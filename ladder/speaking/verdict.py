"""Whether to speak at a message, and why or why not: the one place that decides, for the hook, `why` and the bench.

Two things speak for a block: a note will be opened (gate.py: the message names one, or such messages led to one
before), and the notes answer what the message asks (coverage.py). The likelier of the two must reach the threshold.
"""

from __future__ import annotations

from ladder.query.conversation import heard
from ladder.query.parts import NAMES_WHOLE
from ladder.query.sentences import LONGEST, sentences
from ladder.query.speaker import spoken
from ladder.ranking.explain import suggestions
from ladder.ranking.in_view import attached
from ladder.ranking.names import named_notes
from ladder.ranking.survey import survey
from ladder.ranking.weights import NAME
from ladder.speaking.by_meaning import named_by_meaning, near_enough, nearness, worth_looking
from ladder.speaking.by_meaning import needed as needed_near
from ladder.speaking.coverage import Answering, answerable, answering, parts
from ladder.speaking.gate import likelihood, threshold_of
from ladder.speaking.weights import GATE, LEAST_COSINE
from ladder.text.spelling import spelt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.index.overlay import FreshIndex
    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.search import Search
    from ladder.speaking.coverage import Part

#: More than the signal `name` can be, of a name that every part of the context says.
MOST_NAME = NAME * 1.001
#: Notes whose passages are weighed: each costs as much as the whole index.
LOOKED_INTO = 8
#: Times that a message is looked at anew because a note that was to be shown had changed.
CHANGED_LOOKS = 3
#: What a client puts before the agent at a session's start; its memory wherever that lies.
MEMORY = "MEMORY.md"
LOADED = frozenset(("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", MEMORY))
#: Bytes of the list of all terms, up to which a word that no note holds is looked for as a slip of the pen: a
#: millisecond. Some two thousand notes have so many.
WORDS_LOOKED_THROUGH = 600_000


class Decision:
    """Whether to speak at a message.

    `meant` are the notes that lie near by their meaning, where words had nothing to say, else None. `search` is None
    where a glance told that nothing can be worth it; `opening` is the gate's likelihood that a note
    will be opened, `answer` the part of the message that the notes answer best, `threshold` what one of both must be.
    """

    __slots__ = ("answer", "meant", "opening", "search", "threshold")

    def __init__(
        self, search: Search | None, opening: float, answer: Answering, threshold: float, meant: list[int] | None = None
    ) -> None:
        """Take the fields."""
        self.meant = meant
        self.search = search
        self.opening = opening
        self.answer = answer
        self.threshold = threshold

    @property
    def sure(self) -> float:
        """How likely it is that the notes are needed, in [0, 1]."""
        return max(self.opening, self.answer.probability)

    @property
    def speaks(self) -> bool:
        """Whether something is said."""
        if self.meant is not None:
            return bool(self.meant)
        return self.search is not None and bool(self.search.candidates) and self.sure >= self.threshold

    @property
    def is_command(self) -> bool:
        """Whether the message is a slash command."""
        return self.search is not None and bool(self.search.query.command)

    @property
    def why(self) -> str:
        """What decided, in words; of a decision that was made without the glance."""
        if self.search is None or not self.search.candidates:
            pointed = self.search is not None and attached(self.search)
            return "no note has to do with it" + (" but what it points at with @" if pointed else "")
        gate = f"that a note will be opened is {self.opening:.2f} likely"
        answer = self.answer
        held = f"that the notes answer it {answer.probability:.2f}"
        if answer.part is None:
            held = "it has no words to go by, or is a pasted text"
        else:
            form = answer.part.form
            said = [f"a passage holds {answer.share:.2f} of its weight in {answer.terms} words"]
            said += ["it asks" if form.asks else "it does not ask"]
            said += ["it speaks to the agent"] * bool(form.to_agent)
            said += ["it leans on what was said before"] * bool(self.search.query.later and self.search.heard > 0.2)
            held += f" ({', '.join(said)})"
        return f"{gate}, {held}; {self.threshold:.2f} needed"


def decide(
    index: Index, asked: Query, learned: Learned | None, threshold: float = GATE, *, glance: bool = True
) -> Decision:
    """Return whether to speak at a message.

    With `glance` most messages are told to be silent before any note is looked into, by the same odds.
    """
    asked = spelt(index, _without_pasted(asked), WORDS_LOOKED_THROUGH)
    said = parts(index, asked)
    if glance and not may_speak(index, asked, learned, threshold, said):
        return Decision(None, 0.0, Answering(None, 0.0, 0.0, 0), threshold)
    search = survey(index, asked, learned=learned, depth=LOOKED_INTO)
    search = _not_in_view(search)
    return Decision(search, likelihood(search) if search.candidates else 0.0, answering(search, said), threshold)


def loaded_by_client(search: Search, note: int) -> bool:
    """Whether the client loads a note by itself: its own files in a folder that it works in, and its memory."""
    path = search.index.note(note).path.replace("\\", "/")
    folder, _, name = path.rpartition("/")
    if name not in LOADED:
        return False
    return name == MEMORY or (search.query.cwd.replace("\\", "/").rstrip("/") + "/").startswith(folder + "/")


def _without_pasted(asked: Query) -> Query:
    """Return the query of what a long message asks: the rest is pasted text, whose words would drown it."""
    if len(asked.message) <= LONGEST:
        return asked
    said = " ".join([each.text for each in sentences(asked.message) if each.asks])
    return asked.about(said) if said else asked


def decide_as_files_are(index: FreshIndex, asked: Query, learned: Learned | None, threshold: float) -> Decision:
    """Return what `decide` does, of notes whose text is as the index has it.

    The files of a large store are looked at only when they are about to be shown. Where one has changed, its new text
    decides whether to speak, and with which paragraph: the message is looked at once more.
    """
    decision = decide(index, asked, learned, threshold)
    for _ in range(CHANGED_LOOKS):
        search = decision.search
        if search is None or not decision.speaks:
            return decision
        before = index.taken
        there = [n for n in search.candidates if index.check(n)]
        if index.taken == before:
            decision.search = search.among(there) if len(there) < len(search.candidates) else search
            return decision
        decision = decide(index, asked, learned, threshold)
    # A store that is changing all over: what is not as it was indexed waits for the background.
    if decision.search is not None:
        before = index.taken
        there = [n for n in decision.search.candidates if index.check(n) and (n in before or n not in index.taken)]
        decision.search = decision.search.among(there)
    return decision


def decide_by_meaning(index: Index, asked: Query, learned: Learned | None, near: Near | None) -> Decision:
    """Return the decision by how near the notes lie to the message, where words had nothing to say."""
    nothing = Answering(None, 0.0, 0.0, 0)
    least = needed_near(asked)
    if near is None or not near_enough(asked, near):
        return Decision(None, 0.0, nothing, least)
    asked.near = near
    search = survey(index, spelt(index, asked, WORDS_LOOKED_THROUGH), learned=learned, depth=LOOKED_INTO)
    search = _not_in_view(search)
    found = [each.note for each in named_by_meaning(near, suggestions(search, LOOKED_INTO))]
    return Decision(search, 0.0, nothing, least, found)


def _not_in_view(search: Search) -> Search:
    """Return the search without the notes that the client puts before the agent by itself."""
    before = attached(search)
    kept = [n for n in search.candidates if n not in before and not loaded_by_client(search, n)]
    return search if len(kept) == len(search.candidates) else search.among(kept)


class Glance:
    """What the gate looks at, before any note has been looked into: at best the message names a note."""

    __slots__ = ("candidates", "index", "learned", "query", "totals")

    def __init__(self, index: Index, asked: Query, learned: Learned | None) -> None:
        """Take the fields."""
        self.index = index
        self.query = asked
        self.learned = learned
        self.candidates = [0]
        self.totals = {0: {"name": MOST_NAME}}

    def look_closer(self) -> None:
        """Take for the most that the signal `name` can be what the conversation can make of any name."""
        _, names = self.query.weigh(heard(self.index, self.query))
        self.totals[0]["name"] = NAME * max(names.values(), default=0.0) / NAMES_WHOLE * 1.000001  # it is rounded


def may_speak(index: Index, asked: Query, learned: Learned | None, threshold: float, said: list[Part]) -> bool:
    """Say whether `decide` can come to speak: most messages are silent, and need not be searched for at all."""
    glance = Glance(index, asked, learned)
    if named_notes(glance):  # type: ignore[arg-type]
        return True
    if likelihood(glance) >= threshold:  # type: ignore[arg-type]
        glance.look_closer()  # only now: it cuts all of the conversation into words
        if likelihood(glance) >= threshold:  # type: ignore[arg-type]
            return True
    return answerable(index, asked, threshold, said)


class Verdict:
    """What the hook would do at a message of a session in which nothing was shown yet.

    `notes` are those that it would show or name, best first; `likelihood` how sure it is, `threshold` what it must be.
    """

    __slots__ = ("likelihood", "notes", "speaks", "threshold", "why")

    def __init__(self, notes: tuple[str, ...], why: str, likelihood: float, threshold: float) -> None:
        """Take the fields."""
        self.speaks = bool(notes)
        self.notes = notes
        self.why = why
        self.likelihood = round(likelihood, 4)
        self.threshold = threshold

    @property
    def line(self) -> str:
        """The verdict as one line."""
        does = f"show {', '.join(self.notes)}" if self.speaks else "be silent"
        return f"the hook would {does}: {self.why}"

    def plain(self) -> dict[str, object]:
        """The verdict as JSON has it."""
        return {name: getattr(self, name) for name in ("speaks", "notes", "why", "likelihood", "threshold")}


def verdict(
    index: Index, asked: Query, learned: Learned | None, near_of: Callable[[Index, Query], Near | None] | None = None
) -> Verdict:
    """Return what the hook would do at a message; `near_of` asks the sentence model, None: there is none."""
    from ladder.hook.on_message import BUDGET, compose  # noqa: PLC0415 (the hook's own module imports this one)

    needed = threshold_of(index.settings.get("gate"))
    if not spoken(asked.message):
        return Verdict((), "no person wrote it", 0.0, needed)
    if not index.count:
        return Verdict((), "there are no notes", 0.0, needed)
    decision = decide(index, asked, learned, needed, glance=False)
    why = decision.why
    if not decision.speaks:
        near = near_of(index, asked) if near_of is not None and worth_looking(index, asked) else None
        if near is None:
            return Verdict((), why, decision.sure, needed)
        nearest = (
            f"{nearness(near):.1f} deviations from the usual, {needed_near(asked)} needed; "
            f"cosine {max(near.best.values(), default=0.0):.2f}, {LEAST_COSINE} needed"
        )
        decision = decide_by_meaning(index, asked, learned, near)
        if not decision.speaks:
            return Verdict((), f"{why}; nor does a note lie near by its meaning ({nearest})", decision.sure, needed)
        why = f"its words say too little, but a note lies near by its meaning ({nearest})"
    block = compose(decision, int(index.settings.get("hook_budget", BUDGET)))
    names = tuple([index.note(n).name for n in block.notes])
    return Verdict(names, why if names else "nothing fits the budget", decision.sure, needed)
