"""Which paragraphs of the likely notes hold the answer, and how much each promises.

PASSAGE_FEATURES has one row a signal: a function from a search and a note to a value in [0, 1] for each paragraph of
the note; where the row has a `best`, values are divided by the best of all the notes. A promise is the sum of value
times weight, divided by the cost of the paragraph. To add a signal, write one function and one row.
"""

from __future__ import annotations

from ladder.ranking.dates import date_fit
from ladder.ranking.meaning import meant_passages
from ladder.ranking.search import Search
from ladder.ranking.weights import (
    DATE_SHARE,
    DEAR_FROM,
    DEARNESS,
    HEAD_SHARE,
    HEADING_SHARE,
    HELD_FROM,
    HELD_SHARE,
    MEANING_SHARE,
    MEANING_UNCLEAR_SHARE,
    NOTE_AT_WORK,
    NOTE_BARE,
    NOTE_LATER,
    OWN_SHARE,
    SECTION_SHARE,
    TINY,
    TINY_POWER,
    WINDOW_SHARE,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: A value for each paragraph; None where the signal says nothing of the note.
    PassageValues = Sequence[float] | None


class Passage:
    """A paragraph of a note; `promise` is its expected gain, only comparable within one query."""

    __slots__ = ("cost", "note", "paragraph", "promise", "section")

    def __init__(self, note: int, paragraph: int, section: int, promise: float, cost: int) -> None:
        """Take the fields; `paragraph` and `section` count from 0, `cost` is in tokens."""
        self.note = note
        self.paragraph = paragraph
        self.section = section
        self.promise = promise
        self.cost = cost


class PassageFeature:
    """One row: `values(search, note)`, divided by the largest `best(search, note)` of the notes where there is one."""

    __slots__ = ("best", "name", "values", "weight")

    def __init__(
        self,
        name: str,
        weight: float,
        values: Callable[[Search, int], PassageValues],
        best: Callable[[Search, int], float] | None = None,
    ) -> None:
        """Take the fields."""
        self.name = name
        self.weight = weight
        self.values = values
        self.best = best


def own(search: Search, n: int) -> PassageValues:
    """The paragraph's own score, where it holds any of the terms that count in windows."""
    scales = search.scales(n)
    return [value if near else 0.0 for value, near in zip(scales.paragraphs, scales.windows)]  # noqa: B905 (of one length)


def window(search: Search, n: int) -> PassageValues:
    """The score of the window round it."""
    return search.scales(n).windows


def section(search: Search, n: int) -> PassageValues:
    """The score of its section."""
    scales = search.scales(n)
    of_section = [0.0, *scales.sections]
    return [of_section[s] for s in scales.passages.p_section] if any(scales.sections) else None


def heading(search: Search, n: int) -> PassageValues:
    """The score of its section's heading."""
    scales = search.scales(n)
    headings = scales.headings
    return [headings.get(s - 1, 0.0) for s in scales.passages.p_section] if headings else None


def note(search: Search, n: int) -> PassageValues:
    """Its note's score."""
    return [search.score(n)] * search.scales(n).passages.count


def note_later(search: Search, n: int) -> PassageValues:
    """Its note's score, where a conversation precedes the message."""
    return note(search, n) if search.query.later else None


def note_at_work(search: Search, n: int) -> PassageValues:
    """Its note's score, where the agent has said what it is about to do."""
    return note(search, n) if search.query.at_work else None


def head(search: Search, n: int) -> PassageValues:
    """Its note's score, of a head's paragraph while the agent is at work: a head often shares no word with the text."""
    if not search.query.at_work:
        return None
    score = search.score(n)
    return [0.0 if zone else score for zone in search.scales(n).passages.p_zone]  # 0 is the head


def held(search: Search, n: int) -> PassageValues:
    """The share of the query's weight that it holds, from 0 at HELD_FROM to 1 at all of it."""
    shares = search.scales(n).held
    if max(shares, default=0.0) <= HELD_FROM:
        return None
    return [(share - HELD_FROM) / (1 - HELD_FROM) if share > HELD_FROM else 0.0 for share in shares]


def dated(search: Search, n: int) -> PassageValues:
    """How well the day of its entry fits those that the message names."""
    ranges = search.dates
    if not ranges:
        return None
    days = search.scales(n).passages.p_date
    fits = {day: date_fit(day, ranges) if day else 0.0 for day in {*days}}
    return [fits[day] for day in days]


def meaning(search: Search, n: int) -> PassageValues:
    """How much nearer than the average of all pieces it lies to the message."""
    return meant_passages(search, n, search.scales(n).passages.count)


def meaning_unclear(search: Search, n: int) -> PassageValues:
    """The same times `unclear`: how little of the message the words of any passage hold."""
    near = meaning(search, n)
    share = search.unclear() if near else 0.0
    return [share * value for value in near] if near and share else None


def best_of(scale: str) -> Callable[[Search, int], float]:
    """The largest value of a scale in a note."""

    def best(search: Search, n: int) -> float:
        found: float = getattr(search.scales(n), scale)
        return found

    return best


PASSAGE_FEATURES: tuple[PassageFeature, ...] = (
    PassageFeature("own", OWN_SHARE, own, best_of("best_paragraph")),
    PassageFeature("window", WINDOW_SHARE, window, best_of("best_window")),
    PassageFeature("section", SECTION_SHARE, section, best_of("best_section")),
    PassageFeature("heading", HEADING_SHARE, heading, best_of("best_heading")),
    PassageFeature("note", NOTE_BARE, note, Search.score),
    PassageFeature("note later", NOTE_LATER, note_later, Search.score),
    PassageFeature("note at work", NOTE_AT_WORK, note_at_work, Search.score),
    PassageFeature("head", HEAD_SHARE, head, Search.score),
    PassageFeature("held", HELD_SHARE, held),
    PassageFeature("dated", DATE_SHARE, dated),
    PassageFeature("meaning", MEANING_SHARE, meaning),
    PassageFeature("meaning, unclear", MEANING_UNCLEAR_SHARE, meaning_unclear),
)


def rank_passages(
    search: Search, notes: Sequence[int] | None = None, features: Sequence[PassageFeature] = PASSAGE_FEATURES
) -> list[Passage]:
    """Return the paragraphs of `notes` (default: all candidates), the highest promise first."""
    chosen = search.candidates if notes is None else notes
    rows = []
    for feature in features:
        best = feature.best
        top = 1.0 if best is None else max([best(search, n) for n in chosen], default=0.0) or 1.0
        rows.append((feature.values, feature.weight / top))
    found: list[Passage] = []
    for n in chosen:
        passages = search.scales(n).passages
        sums = [0.0] * passages.count
        for values, factor in rows:
            each = values(search, n)
            if each is not None:
                sums = [total + factor * value for total, value in zip(sums, each)]  # noqa: B905 (one a paragraph)
        lengths, owner, costs = passages.p_length, passages.p_section, passages.p_cost
        for p, promise in enumerate(sums):
            if lengths[p]:
                cost = costs[p]
                found.append(Passage(n, p, owner[p] - 1, promise * worth(cost), cost))
    found.sort(key=lambda each: (-each.promise, each.note, each.paragraph))
    return found


def worth(cost: int) -> float:
    """Return the factor of a promise at a cost in tokens: it falls with the cost, and for very short paragraphs."""
    price: float = 1.0 / (cost + DEAR_FROM) ** DEARNESS
    tiny: float = (cost / TINY) ** TINY_POWER if cost < TINY else 1.0
    return price * tiny
