"""Whether the hook would speak at a message, and why or why not, in words: the hook's own steps, looked at."""

from typing import NamedTuple

from ladder.hook.on_message import LOOKED_INTO, NAMED, chosen_by_meaning, chosen_for
from ladder.index.reader import Index
from ladder.learning.model import Learned
from ladder.meaning.use import meant
from ladder.query.query import Query
from ladder.query.speaker import spoken
from ladder.ranking.in_view import attached
from ladder.ranking.survey import survey
from ladder.speaking.by_meaning import LEAST_COSINE, nearness, worth_looking
from ladder.speaking.by_meaning import needed as needed_near
from ladder.speaking.coverage import leans, needed_of, share_held
from ladder.speaking.gate import likelihood, threshold_of

_NEAR = "its words say too little, but a note lies near by its meaning"


class Verdict(NamedTuple):
    """What the hook would do at a message of a session in which nothing was shown yet."""

    speaks: bool
    notes: tuple[str, ...]
    """Notes that it would name, best first."""
    why: str
    likelihood: float
    """What the gate estimates, in [0, 1]."""
    threshold: float
    """What it must reach."""

    @property
    def line(self) -> str:
        """The verdict as one line."""
        does = f"name {', '.join(self.notes)}" if self.speaks else "be silent"
        return f"the hook would {does}: {self.why}"


def verdict(index: Index, asked: Query, learned: Learned | None) -> Verdict:
    """Return what the hook would do at a message."""
    needed = threshold_of(index.settings.get("gate"))
    if not spoken(asked.message):
        return Verdict(speaks=False, notes=(), why="no person wrote it", likelihood=0.0, threshold=needed)
    if not index.count:
        return Verdict(speaks=False, notes=(), why="there are no notes", likelihood=0.0, threshold=needed)
    scene, chosen = chosen_for(index, asked, learned, needed)
    nearest = ""
    if not chosen and worth_looking(index, asked) and (near := meant(index, asked).near) is not None:
        cosine = max(near.best.values(), default=0.0)
        nearest = f"{nearness(near):.1f} deviations from the usual, {needed_near(asked):.1f} needed; "
        nearest += f"cosine {cosine:.2f}, {LEAST_COSINE} needed"
        by_meaning, named = chosen_by_meaning(index, asked, learned, near)
        asked.near = None  # what is said below is said of the words
        if named and by_meaning is not None:
            names, sure = tuple(each.name for each in named[:NAMED]), round(likelihood(by_meaning), 4)
            return Verdict(speaks=True, notes=names, why=f"{_NEAR} ({nearest})", likelihood=sure, threshold=needed)
    looked = scene or survey(index, asked, learned=learned, depth=LOOKED_INTO)
    sure = likelihood(looked)
    gate = f"the gate gives {sure:.2f}, {needed:.2f} needed"
    held = share_held(looked)
    needed_words, needed_share = needed_of(asked)[0]
    passage = f"{held or 0.0:.2f} of its weight, {needed_share:.2f} needed"
    if chosen:
        why = gate if sure >= needed else f"a passage holds most of the message ({passage})"
    elif not looked.candidates:
        why = "no note has to do with it" + (" but what it points at with @" if attached(looked) else "")
    elif held is None:
        why = f"{gate}, and the message has too few words to go by, or is a pasted text"
    elif leans(looked):
        why = f"{gate}, and the message leans on what was said before it"
    elif held >= needed_share:
        why = f"{gate}, and no passage holds the {needed_words} of its words that it must"
    else:
        why = f"{gate}, and no passage holds enough of the message ({passage})"
    if nearest:
        why += f"; nor does a note lie near by its meaning ({nearest})"
    return Verdict(bool(chosen), tuple(found.name for found in chosen[:NAMED]), why, round(sure, 4), needed)
