"""A suggestion and its reason: which words of the message the note holds, or which days."""

from __future__ import annotations

from ladder.query.dates.calendar import day_words
from ladder.ranking.dates import entry_days
from ladder.ranking.meaning import nearest_title
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ladder.ranking.search import Search

#: Terms that a suggestion gives as its reason.
WHY_TERMS = 4
#: Words of a message that are kept as they were written.
_WORDS = 200
_EDGE = "()[]{}<>\"'`*,;:!?."


class Suggestion:
    """A note that may hold the answer. `score` is relative to the best possible of this query; `cost` in tokens."""

    __slots__ = ("_search", "_why", "cost", "name", "note", "score", "signals")

    def __init__(self, search: Search, note: int) -> None:
        """Take note `note` of a search; `signals` says what each feature added to the score."""
        row = search.index.note(note)
        self.note = note
        self.name = row.name
        self.cost = row.cost
        self.signals = search.totals.get(note, {})
        self.score = sum(self.signals.values())
        self._search = search
        self._why: tuple[str, ...] | None = None

    @property
    def why(self) -> tuple[str, ...]:
        """The query's heaviest terms that the note holds, as the query wrote them where it did."""
        if self._why is None:
            self._why = reason(self._search, self.note)
        return self._why

    def __repr__(self) -> str:
        return f"Suggestion({self.name!r}, {self.score:.3f})"


def suggestions(search: Search, k: int, notes: Iterable[int] | None = None) -> list[Suggestion]:
    """Return the first `k` candidates of a search, or of `notes`, as suggestions."""
    return [Suggestion(search, n) for n in list(search.candidates if notes is None else notes)[:k]]


def reason(search: Search, n: int) -> tuple[str, ...]:
    """At most WHY_TERMS words of the message that note `n` holds, the heaviest first; else days of its entries."""
    written = written_terms(search.query.message)
    why: dict[str, None] = {}
    for rank, _, _ in search.scales(n).found:
        term = search.weighed.terms[rank][1]
        word = written.get(term, term)
        if not any([word in longer for longer in why]):  # noqa: C419 (a generator costs more in the hook)
            why[word] = None
        if len(why) == WHY_TERMS:
            break
    if not why:  # its entries are of a day that the message names
        places = search.index.passages(n).places
        days = entry_days(search, n) or [word for word in day_words(search.dates) if places(word)]
        why = dict.fromkeys(days[:WHY_TERMS] or filter(None, [nearest_title(search, n)]))
    return tuple(why)


def written_terms(message: str) -> dict[str, str]:
    """Term -> the word, or the part of a word, of the message that it was cut from."""
    written: dict[str, str] = {}
    for word in message.split(None, _WORDS)[:_WORDS]:
        shown = word.strip(_EDGE).lower()
        found = terms(shown)
        if found and (len(found[0]) > 2 or len(shown) <= 4):  # a pair of characters of a script without spaces
            written.setdefault(found[0], shown)
        if len(found) > 1:
            if shown.isalpha():  # its other spelling: köln is koln and koeln
                for term in found[1:]:
                    if term.isascii():
                        written.setdefault(term, shown)
            for part in "".join([char if char.isalnum() else " " for char in shown]).split():
                for term in terms(part)[:1]:
                    if len(term) > 2 or len(part) <= 4:
                        written.setdefault(term, part)
    return written
