"""One note's text weighed at several scales: paragraph, the window round it, section, heading.

The same words count at every scale with their own saturation, so a paragraph is lifted by what stands round it and by
the section that it belongs to. Nothing is normalised here: that needs all candidate notes.
"""

from __future__ import annotations

from itertools import accumulate

from ladder.index.format import K1, B
from ladder.index.note_view import term_key
from ladder.lean.math import log1p
from ladder.ranking.weights import PARAGRAPH_B, WINDOW_REACH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.index.reader import Index, Passages

#: Terms of a query, the heaviest ones, by which all notes are scored. A conversation has four hundred.
WIDE_TERMS = 96
#: Terms of a query, the heaviest ones, that are looked up in the candidates' paragraphs.
SCALE_TERMS = 48
#: Of these, the number (the heaviest) that count in windows.
WINDOW_TERMS = 24
#: Terms that are looked up before it is checked again whether more are needed.
_STEP = 24
#: A term in more than one of _DENSE paragraphs is added up over all paragraphs and windows at once.
_DENSE = 2


class Weighed:
    """The terms of a query with their weights in paragraphs; made once a query."""

    __slots__ = ("index", "keys", "terms", "total", "wide")

    def __init__(self, index: Index, weights: Mapping[str, float]) -> None:
        """Keep the terms that any note holds, the heaviest first, weight times idf over paragraphs.

        The heaviest terms of the query are looked up first, and the lookup stops as soon as no further term can be
        among those that are kept: a conversation has hundreds, and each costs a read.
        """
        total = max(index.paragraph_count, 1)
        found: list[tuple[float, str]] = []
        idf: dict[int, float] = {}  # most words of a conversation are equally rare
        rarest = log1p((total - 0.5) / 1.5) * 1.000001  # of a term in one paragraph; a little more, for rounding
        heavy = sorted([term for term, weight in weights.items() if weight > 0], key=weights.__getitem__, reverse=True)
        begin, end = 0, WIDE_TERMS
        while begin < len(heavy):
            if len(found) >= WIDE_TERMS:
                least = sorted([score for score, _ in found])[-WIDE_TERMS]
                if weights[heavy[begin]] * rarest < least:
                    break
            part = heavy[begin:end]
            for term, df in zip(part, index.paragraph_counts(part)):  # noqa: B905 (one for each)
                if df:
                    if df not in idf:
                        idf[df] = log1p((max(total - df, 0) + 0.5) / (df + 0.5))
                    found.append((weights[term] * idf[df], term))
            begin, end = end, end + _STEP
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        self.index = index
        self.terms: list[tuple[float, str]] = found[:SCALE_TERMS]
        self.keys: list[bytes] = [term_key(term) for _, term in self.terms]
        #: What they weigh together.
        self.total = sum([weight for weight, _ in self.terms])
        #: term -> its weight in the query
        self.wide: dict[str, float] = {term: weights[term] for _, term in found[:WIDE_TERMS]}


class Scales:
    """The scores of one note for a query; all are sums of weight * idf * saturated frequency.

    `paragraphs`, `windows` and `sections` have a score for each, in file order; `headings` is section from 0 -> idf of
    the query's terms in its heading; `held` is the share of the query's weight that a paragraph holds, 0 to 1.
    """

    __slots__ = (
        "best_heading", "best_paragraph", "best_section", "best_window", "found", "headings", "held", "paragraphs",
        "passages", "sections", "windows",
    )  # fmt: skip

    def __init__(self, weighed: Weighed, passages: Passages) -> None:
        """Weigh the note whose passages these are."""
        self.passages = passages
        self.headings: dict[int, float] = {}
        count = passages.count
        self.paragraphs: list[float] = [0.0] * count
        self.held: list[float] = [0.0] * count
        self.windows: list[float] = [0.0] * count
        self.sections: list[float] = [0.0] * passages.section_count
        #: Of each of the query's terms that the note holds: its rank in `weighed.terms`, places, how often at each.
        self.found: Sequence[tuple[int, list[int], Sequence[int]]] = passages.all_places(weighed.terms, weighed.keys)
        if self.found:
            self._weigh(weighed, self.found)
        self.best_paragraph = max(self.paragraphs, default=0.0)
        self.best_section = max(self.sections, default=0.0)
        self.best_window = max(self.windows, default=0.0)
        self.best_heading = max(self.headings.values(), default=0.0)

    def _weigh(self, weighed: Weighed, found: Sequence[tuple[int, list[int], Sequence[int]]]) -> None:
        index, passages = weighed.index, self.passages
        owner, lengths = list(passages.p_section), list(passages.p_length)
        count = len(owner)
        mean = index.mean_paragraph or 1.0
        mean_section = mean * index.paragraph_count / (index.section_count or 1) or 1.0
        base, slope = K1 * (1 - PARAGRAPH_B), K1 * PARAGRAPH_B / mean
        wide_base, wide_slope = K1 * (1 - B), K1 * B / (mean * (1 + WINDOW_REACH))
        section_slope = K1 * B / mean_section
        own, sections, headings, held = self.paragraphs, self.sections, self.headings, self.held
        of_all = 1 / weighed.total
        runs, bounds, window_of = _bounds(owner, len(sections))
        windows = [0.0] * len(bounds)
        before = [0, *accumulate(lengths)]
        # What its length adds to a term's frequency below the line: of each paragraph, window, section.
        own_rest = [base + slope * length for length in lengths]
        window_rest = [wide_base + wide_slope * (before[b] - before[a]) for a, b in bounds]
        section_rest = [wide_base + section_slope * (before[b] - before[a]) for a, b in runs]
        for rank, places, tfs in found:
            weight = weighed.terms[rank][0]
            share = weight * of_all
            in_headings: list[tuple[int, int]] = []
            here = len(places)
            while here and places[here - 1] >= count:  # headings come last
                here -= 1
                s = places[here] - count
                in_headings.append((s, tfs[here]))
                if s:  # the first section's heading is the title and front matter: labels of the whole note
                    headings[s] = headings.get(s, 0.0) + weight
            if here * _DENSE > count:
                row = [0] * count
                for p, tf in zip(places[:here], tfs):  # noqa: B905 (as many as there are paragraphs)
                    row[p] = tf
                    held[p] += share
                own = [x + weight * n / (n + rest) for x, n, rest in zip(own, row, own_rest)]  # noqa: B905 (of one length)
                sums = [0, *accumulate(row)]
                if rank < WINDOW_TERMS:
                    near = [sums[b] - sums[a] for a, b in bounds]
                    windows = [x + weight * n / (n + rest) for x, n, rest in zip(windows, near, window_rest)]  # noqa: B905 (as above)
                near = [sums[b] - sums[a] for a, b in runs]
                for s, tf in in_headings:
                    near[s] += tf
                sections = [x + weight * n / (n + rest) for x, n, rest in zip(sections, near, section_rest)]  # noqa: B905 (as above)
                continue
            in_section = dict(in_headings)
            in_window: dict[int, int] = {}
            for p, tf in zip(places[:here], tfs):  # noqa: B905 (as above)
                own[p] += weight * tf / (tf + own_rest[p])
                held[p] += share
                s = owner[p] - 1
                in_section[s] = in_section.get(s, 0) + tf
                if rank < WINDOW_TERMS:
                    first, behind = bounds[window_of[p]]
                    for u in range(window_of[first], window_of[behind - 1] + 1):
                        in_window[u] = in_window.get(u, 0) + tf
            for u, tf in in_window.items():
                windows[u] += weight * tf / (tf + window_rest[u])
            for s, tf in in_section.items():
                sections[s] += weight * tf / (tf + section_rest[s])
        self.paragraphs, self.sections = own, sections
        self.windows = [windows[u] for u in window_of]


def _bounds(owner: list[int], sections: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[int]]:
    """The first paragraph and the one behind the last, of each section and of each window; each paragraph's window.

    Windows stay in their section: in a short one all paragraphs have the same.
    """
    runs = [(0, 0)] * sections
    bounds: list[tuple[int, int]] = []
    window_of: list[int] = []
    count = len(owner)
    reach = WINDOW_REACH
    begin = 0
    while begin < count:
        s = owner[begin]
        end = begin + 1
        while end < count and owner[end] == s:
            end += 1
        runs[s - 1] = (begin, end)
        if end - begin <= reach + 1:
            window_of += [len(bounds)] * (end - begin)
            bounds.append((begin, end))
        else:
            for p in range(begin, end):
                here = (max(begin, p - reach), min(end, p + reach + 1))
                if p == begin or here != bounds[-1]:
                    bounds.append(here)
                window_of.append(len(bounds) - 1)
        begin = end
    return runs, bounds, window_of
