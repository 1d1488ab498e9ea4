"""Makes an entry's text stay inside its entry: no heading in it ends it, no open fence swallows the next."""

import re

from notes.markdown.blocks import blocks

#: What may be left open at a text's end, and what closes it, besides code fences.
_CLOSERS = ("-->", "</script>", "</pre>", "</style>", "</textarea>", "?>", "]]>", ">")
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_RAW = re.compile(r"<(pre|script|style|textarea)\b", re.IGNORECASE)
_ROUNDS = 200  # lines that are escaped one after the other, at most


class CannotContainError(ValueError):
    """A text that cannot be made to stay inside an entry; the message says which line."""


def contain(text: str, level: int) -> str:
    """`text` so that no heading of `level` or above stands in it and nothing stays open at its end.

    A heading's `#` or underline gets a backslash before it, which CommonMark does not show; an open fence is closed.
    What is returned comes back unchanged when it is given again. Lines end with LF.
    """
    text = _closed(text.strip("\n"))
    for _ in range(_ROUNDS):
        data = text.encode("utf-8")
        found, _links = blocks(data, 0)
        heading = next((b for b in found if b.kind == "heading" and b.level <= level), None)
        if heading is None:
            return text
        start, end = heading.start, heading.end
        lines = data[start:end].rstrip(b"\n").split(b"\n")
        if lines[0].lstrip(b" ").startswith(b"#"):
            at = start + len(lines[0]) - len(lines[0].lstrip(b" "))
        else:
            at = start + sum(len(line) + 1 for line in lines[:-1])
            at += len(lines[-1]) - len(lines[-1].lstrip(b" "))
        text = _closed((data[:at] + b"\\" + data[at:]).decode("utf-8"))
    raise CannotContainError("the text holds more than 200 headings of the entry's level; append it in parts")


def _closed(text: str) -> str:
    """`text` with a line that closes what it leaves open, if it leaves anything open."""
    if _ends_closed(text):
        return text
    found, _links = blocks((text + "\n\n# end\n").encode("utf-8"), 0)
    last = found[-1] if found else None
    closers = list(_CLOSERS)
    if last and last.kind == "code" and (fence := _FENCE.match(text.encode("utf-8")[last.start :].decode("utf-8"))):
        closers.insert(0, fence[1])
    if raw := _RAW.findall(text):  # any of their end tags closes each: its own reads best
        closers.insert(0, f"</{raw[-1].lower()}>")
    for closer in closers:
        if _ends_closed(f"{text}\n{closer}"):
            return f"{text}\n{closer}"
    line = text.partition("\n")[0][:60]
    raise CannotContainError(f"the text that begins with {line!r} leaves something open that cannot be closed")


def _ends_closed(text: str) -> bool:
    found, _links = blocks((text + "\n\n# end\n").encode("utf-8"), 0)
    return bool(found) and found[-1].kind == "heading" and found[-1].opening == "end" and found[-1].level == 1
