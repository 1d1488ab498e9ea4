"""Text made safe for a block, a line or a terminal, and how things are called in it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.note_view import NoteRow

#: Tags that text inside the block must not hold: ours, and those the client wraps a hook's text in.
GUARDED_TAGS = (b"ladder-notes", b"system-reminder", b"user-prompt-submit-hook")
#: Characters that are not shown, or that turn the direction of what follows: none of them is text.
_REMOVED: dict[int, str | None] = dict.fromkeys(
    (
        *(code for code in range(32) if code not in (9, 10)),
        *range(0x7F, 0xA0),
        0x200B,
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
        *range(0xFFF9, 0xFFFC),
        *range(0xE0000, 0xE0080),
    )
)
_REMOVED |= {0x2028: "\n", 0x2029: "\n"}
#: All that Unicode lets a reader ignore (Default_Ignorable_Code_Point, below the private planes). Some of it is text: a
#: joiner holds an emoji together.
_UNSEEN: dict[int, None] = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFFC),
        *range(0xE0000, 0xE0200),
    )
)
LONGEST_NAME = 120


def clean(text: str) -> str:
    """Return `text` without escape sequences, control and invisible characters, and without tags that end a block."""
    if "\x1b" in text or "\x9b" in text:
        text = _without_escapes(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isprintable():
        text = text.translate(_REMOVED)
    # A character without a width inside a tag hides it from this search and from nobody who reads it.
    seen = text if text.isascii() or "<" not in text else text.translate(_UNSEEN)
    data = seen.encode("utf-8", "replace")
    low = data.lower()  # of bytes: only ASCII letters change, so positions stay
    cuts: list[int] = []
    for tag in GUARDED_TAGS:
        at = low.find(tag)
        while at >= 0:
            before = low[:at].rstrip(b" \t\n/")
            if before.endswith(b"<"):
                cuts.append(len(before) - 1)
            at = low.find(tag, at + 1)
    if cuts and len(seen) != len(text):
        shown = [i for i, char in enumerate(text) if ord(char) not in _UNSEEN]
        at_characters = sorted({shown[len(data[:at].decode("utf-8"))] for at in cuts}, reverse=True)
        for at in at_characters:
            text = f"{text[:at]}&lt;{text[at + 1 :]}"
        return text
    for at in sorted(set(cuts), reverse=True):
        data = data[:at] + b"&lt;" + data[at + 1 :]
    return data.decode("utf-8") if cuts else text


def _without_escapes(text: str) -> str:
    """Remove terminal sequences: ESC [ … letter, ESC ] … BEL, and an ESC with the character after it."""
    out: list[str] = []
    at = 0
    n = len(text)
    while at < n:
        char = text[at]
        if char not in "\x1b\x9b":
            end = at
            while end < n and text[end] not in "\x1b\x9b":
                end += 1
            out.append(text[at:end])
            at = end
            continue
        kind = "[" if char == "\x9b" else text[at + 1 : at + 2]
        at += 1 if char == "\x9b" else 2
        if kind == "[":
            while at < n and not "@" <= text[at] <= "~":
                at += 1
            at += 1
        elif kind == "]":
            while at < n and text[at] not in "\x07\x1b\n":
                at += 1
            at += 1 if at < n and text[at] == "\x07" else 0
    return "".join(out)


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Return `text` cleaned, on one line, cut to `longest` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def address(row: NoteRow, slug: str = "") -> str:
    """Return the address of a note, or of a section of it, as it can be pasted: with the file's ending."""
    name, ending = row.name, row.path.rpartition("/")[2].rpartition(".")[2]
    if ending.lower() in ("md", "mdx", "markdown") and not name.lower().endswith("." + ending.lower()):
        name += "." + ending
    return one_line(name) + ("#" + one_line(slug, 60) if slug else "")


def number_of(count: int, what: str) -> str:
    """Return "1 pair", "2 pairs": for words whose plural is made with an s."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
