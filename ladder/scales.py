"""One note's text weighed at several scales: paragraph, the window round it, section, heading.

The same words count at every scale with their own saturation, so a paragraph is lifted by what stands round it and by
the section that it belongs to. Nothing is normalised here: that needs all candidate notes.
"""

from __future__ import annotations

from itertools import accumulate
from math import log1p

from ladder.coldformat import K1, B

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.cold import Index, Passages

#: Terms of a query by which all notes are weighed: those that weigh most. A conversation has four hundred.
WIDE_TERMS = 96
#: Terms of a query that are looked up in the candidates' paragraphs: those that weigh most.
SCALE_TERMS = 48
#: Of these, the heaviest count in windows.
WINDOW_TERMS = 24
#: Paragraphs to each side that a window takes in, within the section.
WINDOW_REACH = 2
#: Length normalisation of paragraphs: less than of notes, since they are short and their length says little.
PARAGRAPH_B = 0.5
#: A term in more than one of so many paragraphs is added up over all windows at once.
_SCALES_DENSE = 4


class Weighed:
    """A query's terms with what they weigh in paragraphs; made once a query."""

    __slots__ = ("index", "terms", "wide")

    def __init__(self, index: Index, weights: Mapping[str, float]) -> None:
        """Keep the terms that any paragraph holds, the heaviest first, weight times idf over paragraphs."""
        total = max(index.paragraph_count, 1)
        found = []
        for term, weight in weights.items():
            df = index.df(term)[1]
            if df and weight > 0:
                found.append((weight * log1p((max(total - df, 0) + 0.5) / (df + 0.5)), term))
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        self.index = index
        self.terms: list[tuple[float, str]] = found[:SCALE_TERMS]
        #: term -> its weight in the query
        self.wide: dict[str, float] = {term: weights[term] for _, term in found[:WIDE_TERMS]}


class Scales:
    """What a query finds in one note; all scores are sums of weight * idf * saturated frequency."""

    __slots__ = (
        "best_heading", "best_section", "best_window", "headings", "paragraphs", "passages", "sections", "windows",
    )  # fmt: skip

    def __init__(self, weighed: Weighed, passages: Passages) -> None:
        """Weigh the note whose passages these are."""
        index = weighed.index
        self.passages = passages
        #: paragraph from 0 -> score
        self.paragraphs: dict[int, float] = {}
        self.windows: dict[int, float] = {}
        #: section from 0 -> score
        self.sections: dict[int, float] = {}
        #: section from 0 -> idf of the query's terms in its heading
        self.headings: dict[int, float] = {}
        owner, lengths = list(passages.p_section), list(passages.p_length)
        count = len(owner)
        mean = index.mean_paragraph or 1.0
        mean_section = mean * index.paragraph_count / (index.section_count or 1) or 1.0
        base, slope = K1 * (1 - PARAGRAPH_B), K1 * PARAGRAPH_B / mean
        wide_base, wide_slope = K1 * (1 - B), K1 * B / (mean * (1 + WINDOW_REACH))
        section_slope = K1 * B / mean_section
        own, windows, sections, headings = self.paragraphs, self.windows, self.sections, self.headings
        places = passages.places
        #: what its length adds to a term's frequency below the line: of each section, of each window with its bounds
        section_rest: dict[int, float] = {}
        window_rest: list[float] = []
        first: list[int] = []
        last: list[int] = []
        for rank, (weight, term) in enumerate(weighed.terms):
            found = places(term)
            if not found:
                continue
            if not section_rest:
                for p, s in enumerate(owner):
                    section_rest[s - 1] = section_rest.get(s - 1, wide_base) + section_slope * lengths[p]
                first, last = _scales_bounds(owner)
                before = [0, *accumulate(lengths)]
                window_rest = [wide_base + wide_slope * (before[b] - before[a]) for a, b in zip(first, last)]  # noqa: B905 (of one length)
            in_section: dict[int, int] = {}
            in_window: dict[int, int] = {}
            near = rank < WINDOW_TERMS
            dense = near and len(found) * _SCALES_DENSE > count
            row = [0] * count if dense else []
            for p, tf in found:
                if p < count:
                    own[p] = own.get(p, 0.0) + weight * tf / (tf + base + slope * lengths[p])
                    s = owner[p] - 1
                    if dense:
                        row[p] = tf
                    elif near:
                        for q in range(first[p], last[p]):
                            in_window[q] = in_window.get(q, 0) + tf
                else:
                    s = p - count
                    if s:  # the first section's heading is the title and front matter: labels of the whole note
                        headings[s] = headings.get(s, 0.0) + weight
                in_section[s] = in_section.get(s, 0) + tf
            if dense:
                sums = [0, *accumulate(row)]
                in_window = {q: sums[last[q]] - n for q, n in enumerate([sums[a] for a in first]) if sums[last[q]] > n}
            for q, tf in in_window.items():
                windows[q] = windows.get(q, 0.0) + weight * tf / (tf + window_rest[q])
            for s, tf in in_section.items():
                sections[s] = sections.get(s, 0.0) + weight * tf / (tf + section_rest.get(s, wide_base))
        self.best_section = max(self.sections.values(), default=0.0)
        self.best_window = max(self.windows.values(), default=0.0)
        self.best_heading = max(self.headings.values(), default=0.0)


def _scales_bounds(owner: list[int]) -> tuple[list[int], list[int]]:
    """The first paragraph of each paragraph's window, and the one behind its last: none of another section."""
    count = len(owner)
    first, last = [], []
    begin = end = 0
    for p, s in enumerate(owner):
        if p >= end:
            begin = end = p
            while end < count and owner[end] == s:
                end += 1
        first.append(max(begin, p - WINDOW_REACH))
        last.append(p + WINDOW_REACH + 1 if p + WINDOW_REACH < end else end)
    return first, last
