"""One note's text weighed at several scales: paragraph, the window round it, section, heading.

The same words count at every scale with their own saturation, so a paragraph is lifted by what stands round it and by
the section that it belongs to. Nothing is normalised here: that needs all candidate notes.
"""

from __future__ import annotations

from math import log1p

from ladder.coldformat import K1, B

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.cold import Index, Passages

#: Terms of a query that are looked up in the candidates' paragraphs: those that weigh most.
SCALE_TERMS = 64
#: Of these, the heaviest count in windows.
WINDOW_TERMS = 24
#: Paragraphs to each side that a window takes in, within the section.
WINDOW_REACH = 2
#: Length normalisation of paragraphs: less than of notes, since they are short and their length says little.
PARAGRAPH_B = 0.5


class Weighed:
    """A query's terms with what they weigh in paragraphs; made once a query."""

    __slots__ = ("idf", "index", "terms")

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
        owner = passages.p_section
        lengths = passages.p_length
        count = len(owner)
        mean = index.mean_paragraph or 1.0
        mean_section = mean * index.paragraph_count / (index.section_count or 1) or 1.0
        mean_window = mean * (1 + WINDOW_REACH)
        base, slope = K1 * (1 - PARAGRAPH_B), K1 * PARAGRAPH_B / mean
        wide_base, wide_slope = K1 * (1 - B), K1 * B / mean_window
        section_slope = K1 * B / mean_section
        own, windows, sections, headings = self.paragraphs, self.windows, self.sections, self.headings
        counts, heading_counts = passages.counts, passages.heading_counts
        #: section -> what its length adds to a term's frequency below the line; window likewise, with its bounds
        section_rest: dict[int, float] = {}
        window_rest: dict[int, float] = {}
        bounds: dict[int, tuple[int, int]] = {}
        for rank, (weight, term) in enumerate(weighed.terms):
            in_section: dict[int, int] = {}
            in_window: dict[int, int] = {}
            for p, tf in counts(term):
                own[p] = own.get(p, 0.0) + weight * tf / (tf + base + slope * lengths[p])
                s = owner[p] - 1
                in_section[s] = in_section.get(s, 0) + tf
                if rank < WINDOW_TERMS:
                    if p not in bounds:
                        first, last = max(p - WINDOW_REACH, 0), min(p + WINDOW_REACH, count - 1)
                        while owner[first] != s + 1:
                            first += 1
                        while owner[last] != s + 1:
                            last -= 1
                        bounds[p] = first, last + 1
                    for q in range(*bounds[p]):
                        in_window[q] = in_window.get(q, 0) + tf
            for q, tf in in_window.items():
                rest = window_rest.get(q)
                if rest is None:
                    first, last = max(q - WINDOW_REACH, 0), min(q + WINDOW_REACH + 1, count)
                    s = owner[q]
                    size = sum([lengths[i] for i in range(first, last) if owner[i] == s])
                    rest = window_rest[q] = wide_base + wide_slope * size
                windows[q] = windows.get(q, 0.0) + weight * tf / (tf + rest)
            for s, tf in heading_counts(term):
                if s:  # the first section's heading is the title and front matter: labels of the whole note
                    headings[s] = headings.get(s, 0.0) + weight
                in_section[s] = in_section.get(s, 0) + tf
            if in_section and not section_rest:
                for p in range(count):
                    s = owner[p] - 1
                    section_rest[s] = section_rest.get(s, wide_base) + section_slope * lengths[p]
            for s, tf in in_section.items():
                sections[s] = sections.get(s, 0.0) + weight * tf / (tf + section_rest.get(s, wide_base))
        self.best_section = max(self.sections.values(), default=0.0)
        self.best_window = max(self.windows.values(), default=0.0)
        self.best_heading = max(self.headings.values(), default=0.0)
