"""Lexical features: the whole note, its labels, its best paragraph, window, section and heading."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ladder.ranking.search import Search, Values


def whole_note(search: Search, notes: Iterable[int] | None = None) -> Values:
    """BM25 of the whole note; of `notes`, by default of the pool."""
    scores = search.by_word
    return {n: scores[n] for n in (search.pool if notes is None else notes) if scores[n] > 0}


def labels(search: Search, notes: Iterable[int] | None = None) -> Values:
    """BM25 of the note's labels: title, aliases, tags, read_when, description, path, headings."""
    scores = search.by_label
    return {n: scores[n] for n in (search.pool if notes is None else notes) if scores[n] > 0}


def best_section(search: Search) -> Values:
    """The note's best section."""
    return {n: search.scales(n).best_section for n in search.candidates}


def best_window(search: Search) -> Values:
    """The note's best five paragraphs in a row: words that stand together."""
    return {n: search.scales(n).best_window for n in search.candidates}


def best_paragraph(search: Search) -> Values:
    """The note's best paragraph."""
    return {n: search.scales(n).best_paragraph for n in search.candidates}


def best_heading(search: Search) -> Values:
    """The heading that holds most of the query."""
    return {n: search.scales(n).best_heading for n in search.candidates}
