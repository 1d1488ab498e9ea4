"""What its owner keeps out of everything that is handed over: `<private>…</private>` in a note.

It is blanked byte for byte, so that all else stays where it is: before a note is indexed, and before it is shown. The
hook loads this, so it imports nothing.
"""

from __future__ import annotations

_PRIVATE, _PRIVATE_END = b"<private>", b"</private>"


def private_spans(data: bytes) -> list[tuple[int, int]]:
    """Return what of a note stands in `<private>…</private>`, in bytes, tags included; one not closed goes on."""
    if b"<priv" not in data and b"<Priv" not in data and b"<PRIV" not in data:
        return []
    low = data.lower()
    found: list[tuple[int, int]] = []
    at = low.find(_PRIVATE)
    while at >= 0:
        close = low.find(_PRIVATE_END, at)
        end = close + len(_PRIVATE_END) if close >= 0 else len(data)
        found.append((at, end))
        at = low.find(_PRIVATE, end)
    return found


def without_private(data: bytes, blank: bytes = b" ") -> bytes:
    """Return `data` with what is private replaced, byte for byte, by `blank`; line ends stay."""
    for start, end in private_spans(data):
        kept = b"".join(
            [byte if byte in (b"\n", b"\r") else blank for byte in [data[i : i + 1] for i in range(start, end)]]
        )
        data = data[:start] + kept + data[end:]
    return data
