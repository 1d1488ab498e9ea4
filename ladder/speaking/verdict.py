"""Whether to speak at a message, and why or why not: the one place that decides, for the hook, `why` and the bench.

Two things speak for a block: a note will be opened (gate.py: the message names one, or such messages led to one
before), and the notes answer what the message asks (covered.py). The likelier of the two must reach the threshold.
"""

from __future__ import annotations

from ladder.query.conversation import heard
from ladder.query.query import PARTS
from ladder.query.sentences import LONGEST, sentences
from ladder.query.speaker import spoken
from ladder.ranking.names import attached, named_notes
from ladder.ranking.survey import WIDE, suggestions, survey
from ladder.speaking.by_meaning import NEAR_ENOUGH, named_by_meaning, worth_looking
from ladder.speaking.coverage import Answering, answerable, answering, parts
from ladder.speaking.gate import GATE, likelihood, threshold_of
from ladder.text.spelling import spelt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.overlay import FreshIndex
    from ladder.index.reader import Index
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.learned import Learned
    from ladder.ranking.survey import Scene
    from ladder.speaking.coverage import Part

#: What the signal `name` weighs; and more than it can be, of a term of a name that every part of the context says.
_NAME_WEIGHT = next(weight for name, weight, _, _ in WIDE if name == "name")
MOST_NAME = _NAME_WEIGHT * sum([of_name for _, _, _, _, of_name in PARTS]) + 0.001
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

    `meant` are the notes that lie near by their meaning, where words had nothing to say, else None. `scene` is None
    where a glance told that nothing can be worth it; `opening` is the gate's likelihood that a note
    will be opened, `answer` the part of the message that the notes answer best, `threshold` what one of both must be.
    """

    __slots__ = ("answer", "meant", "opening", "scene", "threshold")

    def __init__(
        self, scene: Scene | None, opening: float, answer: Answering, threshold: float, meant: list[int] | None = None
    ) -> None:
        """Take the fields."""
        self.meant = meant
        self.scene = scene
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
        return self.scene is not None and bool(self.scene.candidates) and self.sure >= self.threshold

    @property
    def is_command(self) -> bool:
        """Whether the message is a slash command."""
        return self.scene is not None and bool(self.scene.query.command)

    @property
    def why(self) -> str:
        """What decided, in words; of a decision that was made without the glance."""
        if self.scene is None or not self.scene.candidates:
            pointed = self.scene is not None and attached(self.scene)
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
            said += ["it leans on what was said before"] * bool(self.scene.query.later and self.scene.heard > 0.2)
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
    scene = survey(index, asked, learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    scene.candidates = [n for n in scene.candidates if n not in before and not loaded_by_client(scene, n)]
    return Decision(scene, likelihood(scene) if scene.candidates else 0.0, answering(scene, said), threshold)


def loaded_by_client(scene: Scene, note: int) -> bool:
    """Whether the client loads a note by itself: its own files in a folder that it works in, and its memory."""
    path = scene.index.note(note).path.replace("\\", "/")
    folder, _, name = path.rpartition("/")
    if name not in LOADED:
        return False
    return name == MEMORY or (scene.query.cwd.replace("\\", "/").rstrip("/") + "/").startswith(folder + "/")


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
        scene = decision.scene
        if scene is None or not decision.speaks:
            return decision
        before = index.taken
        scene.candidates = [n for n in scene.candidates if index.check(n)]
        if index.taken == before:
            return decision
        decision = decide(index, asked, learned, threshold)
    # A store that is changing all over: what is not as it was indexed waits for the background.
    if decision.scene is not None:
        before = index.taken
        decision.scene.candidates = [
            n for n in decision.scene.candidates if index.check(n) and (n in before or n not in index.taken)
        ]
    return decision


def decide_by_meaning(index: Index, asked: Query, learned: Learned | None, near: Near | None) -> Decision:
    """Return the decision by how near the notes lie to the message, where words had nothing to say."""
    nothing = Answering(None, 0.0, 0.0, 0)
    if near is None:
        return Decision(None, 0.0, nothing, NEAR_ENOUGH)
    asked.near = near
    scene = survey(index, spelt(index, asked, WORDS_LOOKED_THROUGH), learned=learned, depth=LOOKED_INTO)
    before = attached(scene)
    scene.candidates = [n for n in scene.candidates if n not in before and not loaded_by_client(scene, n)]
    found = [each.note for each in named_by_meaning(near, suggestions(scene, LOOKED_INTO))]
    return Decision(scene, 0.0, nothing, NEAR_ENOUGH, found)


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
        self.totals[0]["name"] = _NAME_WEIGHT * max(names.values(), default=0.0) * 1.000001  # it is rounded


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


def verdict(index: Index, asked: Query, learned: Learned | None) -> Verdict:
    """Return what the hook would do at a message."""
    from ladder.hook.on_message import BUDGET, compose  # noqa: PLC0415 (the hook's own module imports this one)
    from ladder.meaning.use import meant  # noqa: PLC0415 (not for the hook)

    needed = threshold_of(index.settings.get("gate"))
    if not spoken(asked.message):
        return Verdict((), "no person wrote it", 0.0, needed)
    if not index.count:
        return Verdict((), "there are no notes", 0.0, needed)
    decision = decide(index, asked, learned, needed, glance=False)
    why = decision.why
    if not decision.speaks:
        near = meant(index, asked).near if worth_looking(index, asked) else None
        if near is None:
            return Verdict((), why, decision.sure, needed)
        nearest = f"{max(near.best.values(), default=0.0):.2f}, {NEAR_ENOUGH:.2f} needed"
        decision = decide_by_meaning(index, asked, learned, near)
        if not decision.speaks:
            return Verdict((), f"{why}; nor does a note lie near by its meaning ({nearest})", decision.sure, needed)
        why = f"its words say too little, but a note lies near by its meaning ({nearest})"
    block = compose(decision, int(index.settings.get("hook_budget", BUDGET)))
    names = tuple([index.note(n).name for n in block.notes])
    return Verdict(names, why if names else "nothing fits the budget", decision.sure, needed)
