"""JSON for the hook: reads flat objects and writes all values without loading C's `_json`. Twin of `json`.

An event or a line of a state file is one flat object of strings. Splitting it at its quotes takes a tenth of the time
of loading the scanner, which is a file of its own in many Pythons. Anything else goes to the scanner;
tests/lean/test_lean_json.py holds both equal.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WHITESPACE = " \t\n\r"
_WORDS = {"true": True, "false": False, "null": None}


class _Lenient:
    """Settings of the C scanner; not strict: control characters may stand in strings, as they do in logs."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_scan: list[Callable[[str, int], tuple[object, int]]] = []


def _scanner() -> Callable[[str, int], tuple[object, int]]:
    if not _scan:
        try:
            from _json import make_scanner  # noqa: PLC0415 (see above)

            _scan.append(make_scanner(_Lenient))  # type: ignore[arg-type]
        except ImportError:  # another Python than CPython: slower, the same results
            from json.decoder import JSONDecoder  # noqa: PLC0415 (as above)

            _scan.append(JSONDecoder(strict=False).scan_once)  # type: ignore[attr-defined]
    return _scan[0]


def from_json(text: str) -> object:
    """Return what the JSON document `text` says. Raises ValueError for anything that is not exactly one document."""
    body = text.strip(_WHITESPACE)
    # The C scanner imports `json` to raise its error, which costs more than the answer: what cannot be JSON stops here.
    if not body or body[0] not in '{["-0123456789tfn':
        raise ValueError("not JSON")
    if body[0] == "{":
        flat = _flat(body)
        if flat is not None:
            return flat
    try:
        value, end = _scanner()(body, 0)
    except (StopIteration, SystemError):  # where `json` is not loaded, CPython 3.11 fails to raise its own error
        raise ValueError("not JSON") from None
    if end != len(body):
        raise ValueError("more than one JSON document")
    return value


def documents(text: str, at: int) -> tuple[list[object], int]:
    """Return the JSON documents that stand one after the other in `text` from `at` on, and where the last one ends."""
    found: list[object] = []
    while text.startswith("{", at):
        try:
            value, end = _scanner()(text, at)
        except (StopIteration, SystemError, ValueError, RecursionError):
            break
        found.append(value)
        at = end
        while text[at : at + 1] and text[at] in _WHITESPACE + "\0\f":
            at += 1
    return found, at


def _flat(body: str) -> dict[str, object] | None:
    """Return what an object of strings, whole numbers, true, false and null says; None for anything else."""
    if _scan or not body.isprintable():  # the scanner is there already, and faster
        return None
    plain = body
    if "\\" in body:
        plain = body.replace("\\\\", "\0").replace('\\"', "\1")
    parts = plain.split('"')
    if len(parts) % 2 == 0 or parts[0].strip(" ") != "{":
        return None
    found: dict[str, object] = {}
    at = 1
    last = len(parts) - 1
    while at < last:
        name = _unescaped(parts[at])
        mark = parts[at + 1].strip(" ")
        if name is None or mark[:1] != ":":
            return None
        if mark == ":":
            if at + 3 > last:
                return None
            value: object = _unescaped(parts[at + 2])
            if value is None:
                return None
            mark = parts[at + 3].strip(" ")
            at += 4
        else:
            word = mark[1:-1].strip(" ")
            if word in _WORDS:
                value = _WORDS[word]
            elif word.isascii() and word.isdigit() and len(word) < 19 and (word[0] != "0" or word == "0"):
                value = int(word)
            else:
                return None
            mark = mark[-1:]
            at += 2
        found[name] = value
        if mark != ("," if at < last else "}"):
            return None
    return found or None


def _unescaped(text: str) -> str | None:
    """Return a string's value; None when it holds an escape that is left to the scanner."""
    if "\\" in text:
        text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r").replace("\\/", "/")
        if "\\" in text:
            return None
    return text.replace("\1", '"').replace("\0", "\\") if "\0" in text or "\1" in text else text


class _Escapes(dict[int, str]):
    """What stands for a character in JSON that is ASCII alone."""

    def __missing__(self, code: int) -> str:
        if 32 <= code < 127:
            found = chr(code)
        elif code < 0x10000:
            found = f"\\u{code:04x}"
        else:
            high, low = 0xD800 | code - 0x10000 >> 10, 0xDC00 | code & 0x3FF
            found = f"\\u{high:04x}\\u{low:04x}"
        self[code] = found
        return found


_escapes = _Escapes({34: '\\"', 92: "\\\\", 10: "\\n", 13: "\\r", 9: "\\t", 12: "\\f", 8: "\\b"})


def _quote(text: str) -> str:
    if text.isascii() and text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + text.translate(_escapes) + '"'


def to_json(value: object) -> str:
    """Return `value` (None, bool, int, float, str, list, tuple, dict) as JSON in ASCII alone, on one line."""
    if isinstance(value, str):
        return _quote(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, float):
        return repr(value) if value - value == 0 else "null"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{_quote(str(key))}:{to_json(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([to_json(item) for item in value]) + "]"
    raise TypeError(f"no JSON for {type(value).__name__}")
