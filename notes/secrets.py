"""Where a text holds secrets, and the text with them masked: for `note check`, for all that is handed over.

Nothing here rewrites a note: its text is its owner's. What a secret looks like stands in secret_forms.py.
"""

from __future__ import annotations

from notes.secret_forms import ALNUM, DIGITS, FORMS, NAMES, WORD, is_name, no_password, not_random, placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_NO_VALUE = frozenset(" \t\n\r\"'`,;(){}[]")
_VALUE = ALNUM | set("+/_.~-")
_URL_ENDS = frozenset(" \t\n\r/@\"'<>`")
_KEY_BEGIN, _KEY_END = "-----BEGIN ", "-----END "
_KEY_NAME = "PRIVATE KEY"
_KEY_BODY = ALNUM | set("+/= \t\n\r\\")


def secrets_of(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of what looks like a live secret in `text`, in order; none overlap."""
    found: list[tuple[int, int, str]] = []
    for start, end, kind in _each(text):
        if not any([start < b and a < end for a, b, _ in found]):  # noqa: C419 (a list costs the hook less)
            found.append((start, end, kind))
    found.sort()
    return found


def _each(text: str) -> Iterator[tuple[int, int, str]]:
    yield from _private_keys(text)
    for form in FORMS:
        for prefix in form.prefixes:
            at = text.find(prefix)
            while at >= 0:
                begin = at + len(prefix)
                end = _run(text, begin, ALNUM | set(form.extra))
                if text[at - 1 : at] not in ALNUM or not at:
                    run = text[begin:end].rstrip(".") if form.parts else text[begin:end]
                    end = begin + len(run)
                    if form.holds(run) and not placeholder(prefix + run) and not (form.digit and is_name(run)):
                        slack = form.kind == "slack-webhook"
                        yield (begin if slack else at), end, form.kind
                at = text.find(prefix, begin)
    if "://" in text:
        yield from _in_addresses(text)
    low = text.lower()
    if "earer" in text:
        yield from _after_word(text, "earer", 20, "bearer-token")
    if "basic" in low:
        yield from _logins(text, low)
    if "curl" in text:
        yield from _handed_to_curl(text)
    if ":AA" in text:
        yield from _telegram(text)
    yield from _after_names(text, low)


def _run(text: str, at: int, chars: frozenset[str]) -> int:
    n = len(text)
    while at < n and text[at] in chars:
        at += 1
    return at


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    at = text.find(_KEY_BEGIN)
    while at >= 0:
        name = text.find(_KEY_NAME, at, at + 60)
        if name >= 0:
            close = text.find(_KEY_END, name)
            end = text.find("-----", close + len(_KEY_END)) + 5 if close >= 0 else 0
            if end < 5:
                end = _run(text, text.find("-----", name) + 5, _KEY_BODY)
            yield at, end, "private-key"
        at = text.find(_KEY_BEGIN, at + 1)


def _in_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """The password of `scheme://user:password@host`."""
    at = text.find("://")
    while at >= 0:
        begin = at + 3
        end = begin
        while end < len(text) and text[end] not in _URL_ENDS:
            end += 1
        user, colon, password = text[begin:end].partition(":")
        host = text[end + 1 : end + 2]
        there = text[at - 1 : at].isalnum() and text[end : end + 1] == "@" and (host in WORD or host in "[$") and host
        if there and colon and password and len(user) <= 100 and not no_password(password):
            yield begin + len(user) + 1, end, "url-password"
        at = text.find("://", at + 1)


def _after_word(text: str, word: str, least: int, kind: str) -> Iterator[tuple[int, int, str]]:
    at = text.find(word)
    while at >= 0:
        begin = at + len(word)
        first = begin + len(text[begin : begin + 20]) - len(text[begin : begin + 20].lstrip())
        end = _run(text, first, frozenset(_VALUE))
        if first > begin and end - first >= least and not not_random(text[first:end]):
            yield first, _run(text, end, frozenset("=")), kind
        at = text.find(word, begin)


def _logins(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """Base64 of a name, a colon and a password after `Basic` (RFC 7617)."""
    at = low.find("basic")
    while at >= 0:
        begin = at + 5
        first = _run(text, begin, frozenset(" \t"))
        end = _run(text, _run(text, first, ALNUM | set("+/_-")), frozenset("="))
        if first > begin and end - first >= 8 and (not at or text[at - 1] not in ALNUM):
            _, colon, password = _base64(text[first:end]).partition(":")
            header = "authorization" in low[max(0, at - 24) : at]
            sure = bool(colon) and not no_password(password)
            telling = header and end - first >= 12 and any(map(str.isdigit, text[first:end]))
            if sure or (telling and not colon and not placeholder(text[first:end])):
                yield first, end, "basic-auth"
        at = low.find("basic", begin)


def _base64(value: str) -> str:
    """Return the printable text that base64 stands for, "" where it stands for none."""
    from binascii import Error, a2b_base64  # noqa: PLC0415 (few texts come so far)

    bare = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        said = a2b_base64(bare + "=" * (-len(bare) % 4)).decode("utf-8")
    except (Error, ValueError):
        return ""
    return said if said.isprintable() else ""


def _handed_to_curl(text: str) -> Iterator[tuple[int, int, str]]:
    """The password of `curl -u name:password`."""
    at = text.find("curl ")
    while at >= 0:
        stop = min([place for place in [text.find(sign, at) for sign in "\n|;&"] if place >= 0], default=len(text))
        stop = min(stop, at + 400)
        begin = at + 4
        while begin < stop:
            begin = text.find(" -", begin, stop)
            if begin < 0:
                break
            word = begin + 1
            for option in ("--proxy-user", "--user", "-u"):
                if text.startswith(option, word):
                    first = _run(text, word + len(option), frozenset(" =\"'"))
                    end = first
                    while end < len(text) and text[end] not in _URL_ENDS - {"/", "@"}:
                        end += 1
                    name, colon, password = text[first:end].partition(":")
                    if colon and name and password and not no_password(password) and not name.startswith(("$", "-")):
                        yield first + len(name) + 1, end, "curl-password"
                    break
            begin = word
        at = text.find("curl ", at + 5)


def _telegram(text: str) -> Iterator[tuple[int, int, str]]:
    at = text.find(":AA")
    while at >= 0:
        begin = at
        while begin and text[begin - 1] in DIGITS:
            begin -= 1
        end = _run(text, at + 1, ALNUM | set("_-"))
        if 8 <= at - begin <= 10 and end - at == 36:
            yield begin, end, "telegram-token"
        at = text.find(":AA", at + 1)


def _after_names(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """The value of `name = value`, `"name": "value"`, `name => value`."""
    for name, least, kind in NAMES:
        at = low.find(name)
        while at >= 0:
            begin = at = at + len(name)
            if text[begin : begin + 1] in ('"', "'", "`"):
                begin += 1
            begin = _run(text, begin, frozenset(" \t\n\r"))
            sign = text[begin : begin + 2] if text[begin : begin + 2] == "=>" else text[begin : begin + 1]
            if sign in ("=", ":", "=>"):
                begin = _run(text, begin + len(sign), frozenset(" \t\n\r"))
                quote = text[begin : begin + 1] if text[begin : begin + 1] in ('"', "'", "`") else ""
                begin += len(quote)
                if kind == "password":
                    end = begin
                    while end < len(text) and text[end] not in _NO_VALUE:
                        end += 1
                else:
                    end = _run(text, _run(text, begin, frozenset(_VALUE)), frozenset("="))
                behind = text[end : end + 1]
                closed = behind == quote if quote else kind == "password" or not (behind in WORD or behind == "(")
                if behind == "" and not quote:
                    closed = True
                if end - begin >= least and closed and not not_random(text[begin:end]):
                    yield begin, end, kind
            at = low.find(name, at)


def masked(text: str) -> str:
    """Return `text` with each secret in it replaced by `[redacted:kind]`."""
    while found := secrets_of(text):  # what stood against one that is gone is looked at again
        for start, end, kind in reversed(found):
            text = f"{text[:start]}[redacted:{kind}]{text[end:]}"
    return text


def masked_bytes(data: bytes) -> bytes:
    """Return `data` with each secret replaced by a mark, filled up with NUL: all else stays where it is."""
    while found := secrets_of(data.decode("latin-1")):  # a character for each byte
        data = _blanked(data, found)
    return data


def _blanked(data: bytes, found: list[tuple[int, int, str]]) -> bytes:
    for start, end, kind in found:
        marks = [mark for mark in (f"[redacted:{kind}]", "[redacted]", "***") if len(mark) <= end - start]
        mark = (marks[0] if marks else "*").encode("ascii")
        data = data[:start] + mark + bytes(end - start - len(mark)) + data[end:]
    return data


class Secret:
    """Where something looks like a secret; the value itself is not in here. `line` counts from 1."""

    __slots__ = ("kind", "line")

    def __init__(self, line: int, kind: str) -> None:
        """Take the fields."""
        self.line = line
        self.kind = kind


def secrets_in(text: str) -> list[Secret]:
    """What looks like a live secret in `text`, by line; placeholders and shortened values are passed over."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return [Secret(plain.count("\n", 0, start) + 1, kind) for start, _, kind in secrets_of(plain)]
