"""Front matter, read as text and never as YAML: `created: 2026-04-05` stays the text it is, `yes` stays `yes` (R14)."""

import re

_FENCE = re.compile(rb"(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|$)")
_KEY = re.compile(r"([A-Za-z_][\w .-]{0,60}?|\"[^\"]+\"|'[^']+')\s*[:=](?:\s+|$)(.*)")
_CLOSES = {"[": "]", "{": "}", '"': '"', "'": "'"}
_CONFLICT_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?\s*(?:#.*)?$")


def front_end(data: bytes, start: int) -> int:
    """The offset behind the front matter that begins at `start`, closing fence included; `start` when there is none.

    A `---` that opens no key is a rule, not front matter, and so is one before lines that YAML could not be: prose
    behind a blank line, a list under a key that has a value.
    """
    opening = _FENCE.match(data, start)
    if opening is None:
        return start
    closing = (opening[1], b"...") if opening[1] == b"---" else (opening[1],)
    lines = _Lines() if opening[1] == b"---" else None
    at, first, remark = opening.end(), True, False
    while at < len(data):
        match = _LINE.match(data, at)
        assert match is not None  # the pattern matches the empty line too
        line = match[0].rstrip()
        if line in closing and not match[0].startswith((b" ", b"\t")):
            return start if first and remark else match.end()
        remark = remark or line.startswith(b"#")
        if first and line and not line.startswith(b"#"):
            if not _KEY.match(line.decode("utf-8", "replace")):
                return start
            first = False
        if lines is not None and not lines.may_hold(line.decode("utf-8", "replace")):
            return start
        at = match.end()
    return start


def is_left_open(data: bytes, start: int) -> bool:
    """Whether front matter begins at `start` with a key and nothing closes it: all of the file counts as body then."""
    opening = _FENCE.match(data, start)
    if opening is None or front_end(data, start) != start:
        return False
    lines = [line.rstrip() for line in re.split(rb"\r\n|\n|\r", data[opening.end() :])]
    said = next((line for line in lines if line and not line.startswith(b"#")), b"")
    if not _KEY.match(said.decode("utf-8", "replace")):
        return False
    return not any(line in (opening[1], b"...") for line in lines)


class _Lines:
    """Whether lines, one after the other, may be a YAML mapping as people write it: no parser, but prose is told."""

    def __init__(self) -> None:
        self.open = ""
        """The bracket or quote that a value has opened."""
        self.blank = False
        """A blank line or a comment stands before."""
        self.may_list = False
        """The last key has no value yet, so that a list may follow it."""

    def may_hold(self, line: str) -> bool:
        """Whether `line` may come next."""
        blank, self.blank = self.blank, not line or line.startswith("#")
        if self.open:
            if self.open in line:
                self.open = ""
            return True
        if self.blank or line[0] in " \t" or line.startswith(_CONFLICT_MARKS):
            return True
        if line == "-" or line.startswith("- "):
            return self.may_list
        if key := _KEY.match(line):
            value = key[2].strip()
            self.may_list = not value or value.startswith(("&", "!", "#"))
            close = _CLOSES.get(value[:1], "")
            self.open = close if close and close not in value[1:] else ""
            return True
        return not blank  # a value that goes on without being indented: no YAML, but found in the field


def front_fields(text: str) -> dict[str, tuple[str, ...]]:
    """The fields of front matter (with or without its fences): key, lower case with `_`, to its values as text.

    Lists in either form give one value an item, anything else gives one value. What is not understood is left out.
    """
    fields: dict[str, tuple[str, ...]] = {}
    key, block = "", ""
    values: list[str] = []
    for line in re.split(r"\r\n|\n|\r", text):
        bare = line.strip()
        if bare in ("---", "+++", "...") and not block:
            continue
        match = _KEY.match(line)
        if match and not line[:1].isspace() and not bare.startswith(("- ", "#")):
            _keep(fields, key, values, block)
            key, values, block = match[1].strip("\"'").strip().lower().replace("-", "_").replace(" ", "_"), [], ""
            if _BLOCK_SCALAR.match(match[2]):
                block = match[2][0]
            elif match[2].strip():
                values = [match[2].strip()]
        elif not key or (not bare and not block) or (bare.startswith("#") and not block):
            continue
        elif block:
            values.append(bare)
        elif bare == "-" or bare.startswith("- "):
            values.append("\0" + bare[1:].strip())
        elif values:
            values[-1] += " " + bare
        else:
            values = [bare]
    _keep(fields, key, values, block)
    return fields


def _keep(fields: dict[str, tuple[str, ...]], key: str, values: list[str], block: str) -> None:
    if not key:
        return
    if block:
        joined = " ".join(v for v in values if v) if block == ">" else "\n".join(values).strip()
        fields[key] = (joined,) if joined else ()
    elif any(v.startswith("\0") for v in values):
        fields[key] = tuple(t for v in values if v.startswith("\0") and (t := _scalar(v[1:])))
    else:
        text = " ".join(values)
        if text.startswith("[") and text.rstrip().endswith("]"):
            fields[key] = tuple(t for item in _items(text.strip()[1:-1]) if (t := _scalar(item)))
        else:
            value = _scalar(text)
            fields[key] = (value,) if value else ()


def _items(text: str) -> list[str]:
    """The comma-separated items of a flow list; commas in quotes do not separate."""
    items, current, quote = [], "", ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'" and not current.strip():
            quote = c
        elif c == ",":
            items.append(current)
            current = ""
            continue
        current += c
    return [*items, current]


def _scalar(text: str) -> str:
    """A value without its quotes or trailing comment."""
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'":
        end = text.find(text[0], 1)
        while end > 0 and (text[end - 1] == "\\" or text[end : end + 2] == "''"):
            end = text.find(text[0], end + (1 if text[end - 1] == "\\" else 2))
        if end > 0:
            inner = text[1:end]
            return inner.replace("''", "'") if text[0] == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    comment = re.search(r"\s#", text)
    return (text[: comment.start()] if comment else text).strip()


def as_list(values: tuple[str, ...]) -> tuple[str, ...]:
    """A field that is a list for its reader: one value with commas is several (`tags: a, b`)."""
    if len(values) == 1 and "," in values[0]:
        values = tuple(v.strip() for v in values[0].split(","))
    return tuple(dict.fromkeys(v for v in values if v))
