"""Features of meaning: how much nearer than the average of all pieces a note, or a passage of it, lies to the message.

Only where vectors were made (see ladder/meaning): `Query.near` is None otherwise, and words alone decide.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.search import Search, Values


def by_meaning(search: Search) -> Values:
    """The cosine of a candidate's nearest piece beyond the mean of all pieces."""
    near = search.query.near
    if near is None:
        return {}
    return {n: near.best.get(n, near.usual) - near.usual for n in search.candidates}


def by_meaning_unclear(search: Search) -> Values:
    """The same times `unclear`: where the words are clear, meaning cannot overrule them."""
    if search.query.near is None:
        return {}
    share = search.unclear()
    return {n: share * value for n, value in by_meaning(search).items()} if share else {}


def meant_passages(search: Search, note: int, count: int) -> list[float] | None:
    """The cosine of each of a note's `count` paragraphs' piece beyond the mean of all pieces; None without vectors."""
    near = search.query.near
    if near is None:
        return None
    found = [0.0] * count
    for first, last, cosine in near.passages(search.index, note):
        found[first : last + 1] = [max(0.0, cosine - near.usual)] * (last + 1 - first)
    return found


def nearest_title(search: Search, n: int) -> str:
    """The title of the section of note `n` that lies nearest, as a reason where no word is one; "" without vectors."""
    near = search.query.near
    found = near.passages(search.index, n) if near is not None else []
    if not found:
        return ""
    passages = search.index.passages(n)
    section = passages.p_section[max(found, key=lambda piece: piece[2])[0]]
    title = passages.sections[section - 1].title if section else ""
    return "near: " + title if title else "near in meaning"
