"""Features of what a message means: how much nearer than usual a note, or a passage of it, lies to it.

Only where vectors were made (see ladder/meaning): `Query.near` is None otherwise, and words alone decide. It counts the
more the less of the message any passage of the first notes holds: where words are clear it adds little.
"""

from __future__ import annotations

from ladder.ranking.weights import CLEAR, MEANING_SHARE_UNCLEAR, MEANING_UNCLEAR
from ladder.speaking.coverage import share_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.search import Search, Values


def by_meaning(search: Search) -> Values:
    """The cosine of a candidate's nearest piece beyond the mean of all pieces, more where words say little."""
    near = search.query.near
    if near is None:
        return {}
    factor = 1.0 + MEANING_UNCLEAR * unclear(search)
    return {n: factor * (near.best.get(n, near.usual) - near.usual) for n in search.candidates}


def unclear(search: Search) -> float:
    """How little of the message the passages of the first notes hold, in [0, 1]; worked out once a message."""
    near = search.query.near
    if near is None:
        return 0.0
    if near.unclear is None:
        near.unclear = max(0.0, 1.0 - (share_held(search) or 0.0) / CLEAR)
    return near.unclear


def meant_passages(search: Search, note: int, count: int) -> list[float] | None:
    """As above of each of a note's `count` paragraphs, by the piece that it is in; None without vectors."""
    near = search.query.near
    if near is None:
        return None
    factor = 1.0 + MEANING_SHARE_UNCLEAR * unclear(search)
    found = [0.0] * count
    for first, last, cosine in near.passages(search.index, note):
        found[first : last + 1] = [factor * max(0.0, cosine - near.usual)] * (last + 1 - first)
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
