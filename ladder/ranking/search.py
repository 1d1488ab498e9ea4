"""One search: the query, what the index says of its terms, and the candidate notes.

Data alone. `survey` fills it step by step, features read it, and nothing changes it once `survey` has returned. For
other notes than its candidates, pass them as an argument or take a narrower search (`among`).
"""

from __future__ import annotations

from ladder.ranking.granularity import Scales
from ladder.ranking.weights import CLEAR, CLEAR_TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.granularity import Weighed

    #: Note -> value.
    Values = dict[int, float]


class Search:
    """A question, what was found for it, and the notes to look into, best first (`candidates`)."""

    __slots__ = (
        "_scales", "_unclear", "by_label", "by_word", "candidates", "dates", "heard", "index", "learned", "names",
        "opened", "pool", "query", "totals", "weighed", "weights",
    )  # fmt: skip

    def __init__(self, index: Index, query: Query, learned: Learned | None, weighed: Weighed) -> None:
        """Take what is known before any note is looked at; `survey.begin` fills in the rest."""
        self.index = index
        self.query = query
        self.learned = learned
        #: The query's heaviest terms with what they weigh in paragraphs.
        self.weighed = weighed
        #: The share of its weight that the conversation keeps, in [0, 1].
        self.heard = 1.0
        #: Term -> weight against text, and term -> weight against a note's name.
        self.weights: dict[str, float] = {}
        self.names: dict[str, float] = {}
        #: Ranges of days that the message names, YYYYMMDD, both ends included.
        self.dates: list[tuple[int, int]] = []
        #: The notes that the session has read, the last one first.
        self.opened: list[int] = []
        #: Note -> BM25 of the whole note, and of its labels; and the notes that are weighed by these.
        self.by_word: list[float] = []
        self.by_label: list[float] = []
        self.pool: Iterable[int] = ()
        self.candidates: list[int] = []
        #: Candidate -> feature -> what it added to the score.
        self.totals: dict[int, dict[str, float]] = {}
        self._scales: dict[int, Scales] = {}
        self._unclear: float | None = None

    def scales(self, n: int) -> Scales:
        """Return the passages of note `n`, weighed; this is done once a note."""
        found = self._scales.get(n)
        if found is None:
            found = self._scales[n] = Scales(self.weighed, self.index.passages(n))
        return found

    def unclear(self) -> float:
        """Return how little of the message's words any passage of the first notes holds, in [0, 1]; looked up once.

        In a long question no passage holds most of the weight, and yet more words than chance brings together.
        """
        if self._unclear is None:
            from ladder.speaking.coverage import most_held  # noqa: PLC0415 (asked only where vectors were made)

            share, terms = most_held(self)
            self._unclear = max(0.0, 1.0 - share / CLEAR) * max(0.0, 1.0 - terms / CLEAR_TERMS)
        return self._unclear

    def score(self, n: int) -> float:
        """Return the sum of what the features added to a candidate, 0.0 of any other note."""
        return sum(self.totals.get(n, {}).values())

    def among(self, notes: Iterable[int]) -> Search:
        """Return the same search with these notes, in this order, as its candidates; none whose file is gone."""
        other = Search(self.index, self.query, self.learned, self.weighed)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.candidates = [n for n in notes if self.index.alive(n)]
        return other
