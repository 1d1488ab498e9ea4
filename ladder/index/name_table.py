r"""Looks up notes in the index's table of names: by a whole name, by its end, or by a part of it.

The table is lines of `\0name\0number`: every name, path, title and alias, folded, with its note. All functions take the
table as the file holds it and do not know whether a note still exists. Only C modules of the standard library: this
runs in the hook.
"""

from __future__ import annotations

from ladder.index.format import IndexBroken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def fold_name(name: str) -> str:
    """A name as it is looked up: case-folded, in Unicode's composed form, `/` between folders, without `.md`."""
    if not name.isascii():
        import unicodedata  # noqa: PLC0415 (a C module that few names need)

        name = unicodedata.normalize("NFC", name)
    name = name.replace("\\", "/").casefold().replace("\0", "").replace("\n", " ").strip().removeprefix("./")
    return name.removesuffix(".md")


def bearers(names: bytes, wanted: bytes) -> Iterable[int]:
    """Return the notes with a name that ends in `wanted`, which holds the border behind it, each once."""
    found: dict[int, None] = {}
    at = names.find(wanted)
    while at >= 0:
        n, at = _number(names, at + len(wanted))
        found[n] = None
        at = names.find(wanted, at)
    return found


def names_ending(names: bytes, last: str) -> list[tuple[str, int]]:
    """Return (name, note) of each name whose last part is `last`."""
    wanted = last.encode("utf-8", "replace") + b"\0"
    found = []
    at = names.find(wanted) if last else -1
    while at >= 0:
        begin = at + len(wanted)
        if names[at - 1] in b"/\0":
            n, _ = _number(names, begin)
            found.append((names[names.rfind(b"\0", 0, at) + 1 : begin - 1].decode("utf-8", "replace"), n))
        at = names.find(wanted, begin)
    return found


def first_and_last(names: bytes) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
    """Return the number of the last, and of the first, note that bears each name, as digits."""
    cut = names.replace(b"\n", b"\0").split(b"\0")
    known, numbers = cut[1::3], cut[2::3]
    if len(cut) % 3 != 1 or not b"".join(numbers or [b"0"]).isdigit():
        raise IndexBroken("the table of names is damaged")
    last = dict(zip(known, numbers))  # noqa: B905 (of one length)
    known.reverse()
    numbers.reverse()
    return last, dict(zip(known, numbers))  # noqa: B905 (as above)


def holders(names: bytes, part: str) -> Iterable[int]:
    r"""Return the notes with a name that holds `part`, each once; `\0` in it is a border of the name."""
    found: dict[int, None] = {}
    wanted = part.encode("utf-8", "replace")
    inner = len(wanted.rstrip(b"\0"))
    at = names.find(wanted) if wanted.strip(b"\0") else -1
    while at >= 0:
        n, at = _number(names, names.find(b"\0", at + inner) + 1)
        found[n] = None
        at = names.find(wanted, at)
    return found


def _number(names: bytes, begin: int) -> tuple[int, int]:
    """The number that stands at `begin`, and where its line ends."""
    end = names.find(b"\n", begin)
    if end < 0 or not names[begin:end].isdigit():
        raise IndexBroken("the table of names is damaged")
    return int(names[begin:end]), end
