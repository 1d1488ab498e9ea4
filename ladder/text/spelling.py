"""Corrects a word of a message that no note holds to the term of the notes that is one edit away.

An edit is a letter too many, too few, replaced, or two neighbours transposed; never the first letter, where people
notice it. One half of the word is then unchanged, so searching the list of all terms for each half finds every
candidate.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query

#: Least letters of a term: in a shorter one another letter makes another word. A transposition is plain sooner.
SLIP_LEAST = 6
SWAP_LEAST = 5
#: Most unknown words of a message that are corrected; more of them are another language, or code.
_SPELLING_MOST = 3


def spelt(index: Index, query: Query, largest: int | None = None) -> Query:
    """Return `query` with the words of its message as the notes spell them; itself when they hold them all.

    Nothing is mended when the list of all terms takes more than `largest` bytes.
    """
    if query.mended is not None:
        return query
    unknown = [term for term in query.part("message") if len(term) >= SWAP_LEAST and term.isalpha() and term.isascii()]
    index.paragraph_counts(unknown)  # reads them all at once
    unknown = [term for term in unknown if not index.df(term)[0]]
    if not 0 < len(unknown) <= _SPELLING_MOST:
        return query
    if largest is not None and index.words_size > largest:
        return query.mend({})
    words = index.word_bytes()
    mended = {}
    for term in unknown:
        near = max(near_terms(words, term), key=lambda other: index.df(other)[0], default="")
        if near and index.df(near)[0]:
            mended[term] = near
    return query.mend(mended)


def near_terms(words: bytes, term: str) -> list[str]:
    r"""Return the terms one slip away from `term` in `words`, all terms between `\0`, in the order of the list."""
    own = term.encode("utf-8")
    words = b"\0%b\0" % words
    half = len(own) // 2
    found: dict[bytes, None] = {}
    part = b"\0" + own[:half]
    at = words.find(part)
    while at >= 0:
        other = words[at + 1 : words.find(b"\0", at + 1)]
        if one_slip(own, other):
            found[other] = None
        at = words.find(part, at + 1)
    part = own[half + 1 :] + b"\0"
    at = words.find(part)
    while at >= 0:
        other = words[words.rfind(b"\0", 0, at) + 1 : at + len(part) - 1]
        if one_slip(own, other):
            found[other] = None
        at = words.find(part, at + 1)
    return [other.decode("utf-8", "replace") for other in found]


def one_slip(one: bytes, other: bytes) -> bool:
    """Whether the two differ by one slip, and not in their first letter; see SLIP_LEAST."""
    size, longer = len(one), len(other)
    if not -1 <= size - longer <= 1 or one[:1] != other[:1] or one == other:
        return False
    at = 0
    while at < size and at < longer and one[at] == other[at]:
        at += 1
    if size == longer:
        if one[at + 1 : at + 2] == other[at : at + 1] and one[at : at + 1] == other[at + 1 : at + 2]:
            return size >= SWAP_LEAST and one[at + 2 :] == other[at + 2 :]
        return size >= SLIP_LEAST and one[at + 1 :] == other[at + 1 :]
    if size > longer:
        return size >= SLIP_LEAST and one[at + 1 :] == other[at:]
    return size >= SLIP_LEAST and one[at:] == other[at + 1 :]
