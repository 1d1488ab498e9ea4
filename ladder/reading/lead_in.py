"""Paragraphs that only lead to the next one: shown alone they waste tokens.

A line that ends in a colon ("This means:"), a line in bold in a heading's place ("**Status: FIXED**"), a table's header
that was cut from its rows.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Passages

#: What a paragraph of bold type or a quotation may have round its last character.
_MARKS = b"*_ \t"
#: First words of a paragraph that takes back, mends or narrows the one before it.
_TURNING = """
but however fix instead except exception unless otherwise therefore so hence solution workaround resolution correction
update aber jedoch stattdessen sondern außer deshalb mais cependant sauf pero excepto ma però mas maar
"""
_TURNS = tuple([word.encode("utf-8") for word in _TURNING.split()])
#: Paragraphs that go together at most.
_MOST = 3


def leads_on(text: bytes) -> bool:
    """Whether `text`, a paragraph, only leads to the one behind it."""
    text = text.strip()
    if text[:1] == b"|":
        return not text.rpartition(b"\n")[2].strip(b"|-: \t\r")
    end = text.rstrip(_MARKS)
    if end[-1:] == b":" or end.endswith("\uff1a".encode()):
        return True
    return text[:2] in (b"**", b"__") and text[-2:] == text[:2] and b"\n" not in text and text.count(text[:2]) == 2


def turns_on(text: bytes) -> bool:
    """Whether `text`, a paragraph, says that what stands before it does not hold as it is: "But …", "**Fix:** …"."""
    begin = text[:48].lstrip(b"*_->+ \t#").lower()
    return any([begin.startswith(word) and not begin[len(word) : len(word) + 1].isalnum() for word in _TURNS])  # noqa: C419 (a list costs the hook less)


def with_what_follows(passages: Passages, data: bytes, p: int) -> list[int]:
    """Return paragraph `p` and, while the last one only leads on, the next of its section; at most three."""
    found = [p]
    begins, ends, owner = passages.p_start, passages.p_end, passages.p_section
    while len(found) < _MOST and leads_on(data[begins[p] : ends[p]]):
        p += 1
        if p >= passages.count or owner[p] != owner[p - 1]:
            break
        found.append(p)
    return found
