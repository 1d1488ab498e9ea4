"""What a secret looks like: the one table, for `note check`, for what the miner keeps, and for what is handed over.

Nothing here rewrites a note: its text is its owner's. The hook masks with this file, so it is written without regular
expressions, which would cost the hook more than all of its answer; `transcripts.logs.redact` makes its patterns of
FORMS and shares the doubts, and a test holds the two equal.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
_ALNUM = _LETTERS | _DIGITS
_WORD = _ALNUM | {"_"}


class Form:
    """A kind of secret that tells itself by how it begins: one of `prefixes`, then a run of letters, digits, `extra`.

    The run has `least` to `most` characters (0: no limit), with `digit` one of them a digit, with `upper` no small
    letter; `parts` are the least lengths of what dots part in it, the second beginning as `inner`.
    """

    __slots__ = ("digit", "extra", "inner", "kind", "least", "most", "parts", "prefixes", "upper")

    def __init__(
        self,
        kind: str,
        prefixes: str,
        extra: str,
        least: int,
        most: int = 0,
        *,
        digit: bool = False,
        upper: bool = False,
        parts: tuple[int, ...] = (),
        inner: str = "",
    ) -> None:
        """Take the fields; prefixes are parted by blanks."""
        self.kind = kind
        self.prefixes = tuple(prefixes.split())
        self.extra = extra
        self.least = least
        self.most = most
        self.digit = digit
        self.upper = upper
        self.parts = parts
        self.inner = inner

    def holds(self, run: str) -> bool:
        """Whether a run after a prefix is such a secret."""
        if len(run) < self.least or (self.most and len(run) > self.most):
            return False
        if (self.digit and not any(map(str.isdigit, run))) or (self.upper and run != run.upper()):
            return False
        if self.parts:
            said = run.split(".")
            if len(said) != len(self.parts) or not said[1 if self.inner else 0].startswith(self.inner):
                return False
            return all([len(each) >= least for each, least in zip(said, self.parts)])  # noqa: B905, C419 (of one length; as everywhere in the hook)
        return True


#: From the most to the least particular: what one form has taken, the next ones do not see.
FORMS = (
    Form("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "", 30, 255),
    Form("github-token", "github_pat_", "_", 22, 255),
    Form("gitlab-token", "glpat-", "_-", 20),
    Form("grafana-token", "glc_ glsa_", "+/_", 32),
    Form("aws-key-id", "AKIA ASIA ABIA ACCA", "", 16, 16, upper=True),
    Form("google-api-key", "AIza", "_-", 35, 35),
    Form("google-oauth", "ya29. GOCSPX-", "_-", 20),
    Form("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", "-", 10),
    Form("slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", "_/-", 20),
    Form("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", "", 16),
    Form("anthropic-key", "sk-ant-", "_-", 20),
    Form("openai-key", "sk-", "_-", 20, digit=True),
    Form("npm-token", "npm_", "", 36, 36),
    Form("pypi-token", "pypi-AgE", "_-", 40),
    Form("hugging-face-token", "hf_", "", 30),
    Form("sendgrid-key", "SG.", "_-.", 47, parts=(16, 30)),
    Form("digitalocean-token", "dop_v1_ doo_v1_", "", 64, 64),
    Form("vault-token", "hvs. hvb. hvr.", "_-", 20),
    Form("age-key", "AGE-SECRET-KEY-1", "", 58, 58, upper=True),
    Form("databricks-token", "dapi", "", 32, 32),
    Form("linear-key", "lin_api_ lin_oauth_", "", 32, 64),
    Form("shopify-token", "shpat_ shpca_ shppa_ shpss_", "", 32, 32),
    Form("heroku-key", "HRKU-", "_-", 30, 70),
    Form("jwt", "eyJ", "_-.", 30, parts=(8, 11, 8), inner="eyJ"),
)

#: Names whose value is a secret, in small letters, with how long the value is at least and its kind.
NAMES = (
    ("secret", 16, "secret"),
    ("token", 16, "secret"),
    ("apikey", 16, "secret"),
    ("api_key", 16, "secret"),
    ("api-key", 16, "secret"),
    ("accesskey", 16, "secret"),
    ("access_key", 16, "secret"),
    ("access-key", 16, "secret"),
    ("privatekey", 16, "secret"),
    ("private_key", 16, "secret"),
    ("private-key", 16, "secret"),
    ("secretkey", 16, "secret"),
    ("secret_key", 16, "secret"),
    ("secret-key", 16, "secret"),
    ("password", 8, "password"),
    ("passwd", 8, "password"),
    ("pwd", 8, "password"),
)
_PLACEHOLDERS = (
    "example", "placeholder", "your-", "your_", "xxxx", "***", "...", "\u2026", "changeme", "change-me", "change_me",
    "dummy", "redacted", "insert-", "insert_", "<", "${", "{{",
)  # fmt: skip
_STAND_INS = frozenset(
    ("password", "passwd", "pass", "pwd", "secret", "token", "xxx", "user", "username", "pw", "test")
)
_REFERENCES = (
    "$", "%", "@", "process.", "os.", "env.", "env(", "env[", "import.", "self.", "this.", "config.", "settings.",
    "secrets.", "vault.", "(", "[", "{", "<", "`",
)  # fmt: skip
_NO_VALUE = frozenset(" \t\n\r\"'`,;(){}[]")
_VALUE = _ALNUM | set("+/_.~-")
_URL_ENDS = frozenset(" \t\n\r/@\"'<>`")
_KEY_BEGIN, _KEY_END = "-----BEGIN ", "-----END "
_KEY_NAME = "PRIVATE KEY"
_KEY_BODY = _ALNUM | set("+/= \t\n\r\\")


def placeholder(value: str) -> bool:
    """Whether a value stands for a secret and is none."""
    low = value.lower()
    return not low.strip("*\0") or any([part in low for part in _PLACEHOLDERS])  # noqa: C419 (a list costs the hook less)


def no_password(value: str) -> bool:
    """Whether what stands in a password's place is none."""
    return placeholder(value) or value.lower() in _STAND_INS or value.startswith(("$", "%", "{", "["))


def not_random(value: str) -> bool:
    """Whether a value after a secret's name is a placeholder, a name or a reference, and no secret."""
    if placeholder(value) or value.startswith(_REFERENCES) or _refers(value) or _is_uuid(value) or _is_path(value):
        return True
    if is_name(value):
        return True
    kinds = {char.isdigit() for char in value if char in _ALNUM}
    if len(kinds) < 2:
        return True
    return entropy(value) < (2.5 if len(value) < 16 else 3.0)


def _refers(value: str) -> bool:
    """Whether a value is code: a call, a path of names, a constant's name."""
    at = value.find("(")
    if at > 0 and value[at - 1] in _WORD:
        return True
    if value[:1] in _LETTERS and value == value.upper() and _WORD.issuperset(value):
        return True
    pieces = value.split(".")
    return any([a[-1:] in _WORD and b and _WORD.issuperset(b) for a, b in zip(pieces, pieces[1:-1]) if a])  # noqa: B905, C419, RUF007 (as above)


def is_name(value: str) -> bool:
    """Whether a value is put together of words and numbers as names are: `rotated-on-2026-01-02`, `db-tls-v2`.

    A name has parts, most of it is words, and what is neither word nor number is short (`my-app-7d9f8`).
    """
    for joint in "_./:~@+=":
        value = value.replace(joint, "-")
    pieces = [piece for piece in value.split("-") if piece]
    if len(pieces) < 2:
        return False
    words = sum([len(piece) for piece in pieces if piece.isalpha() and _is_word(piece)])
    odd = [piece for piece in pieces if not _is_word(piece) and not piece.isdecimal()]
    return words * 2 >= len(value) - len(pieces) and all([len(each) <= 6 and each.isalnum() for each in odd])  # noqa: C419 (as above)


def _is_word(piece: str) -> bool:
    """Whether a piece is one word of a name: small letters, `camelCase`, `LOUD`, `v2`, `10ms`, with a short number."""
    core = piece.rstrip("0123456789")
    if not piece.isascii() or len(piece) - len(core) > 3 + (core == "v"):
        return False
    if core.isalpha():
        humps = [at for at in range(1, len(core)) if core[at].isupper()]
        runs = [b - a for a, b in zip([0, *humps], [*humps, len(core)])]  # noqa: B905 (of one length)
        small = len(humps) <= 6 and all([2 <= run <= 21 for run in runs[1:]])  # noqa: C419 (as above)
        return (core.isupper() and len(core) <= 20) or (small and runs[0] <= 20 and (len(core) > 1))
    number = core.rstrip("abcdefghijklmnopqrstuvwxyz")
    return core == piece and number.isdecimal() and 0 < len(number) <= 4 and 0 < len(core) - len(number) <= 3


def _is_path(value: str) -> bool:
    """Whether a value is a path: it begins as one, and one of its parts is a word."""
    begin = value.lstrip("~.")[:1] if value[1:2] != ":" else value[2:3]
    if begin not in ("/", "\\") or begin == "":
        return False
    pieces = value.replace("\\", "/").split("/")[1:]
    return any([len(each) >= 2 and not any(map(str.isdigit, each.split(".")[0])) for each in pieces])  # noqa: C419 (as above)


def _is_uuid(value: str) -> bool:
    pieces = value.split("-")
    hexadecimal = frozenset("0123456789abcdefABCDEF")
    return [len(each) for each in pieces] == [8, 4, 4, 4, 12] and hexadecimal.issuperset("".join(pieces))


def entropy(value: str) -> float:
    """Return the Shannon entropy of a text's characters, in bits for each."""
    from math import log2  # noqa: PLC0415 (few texts come so far)

    n = len(value)
    counts = [value.count(char) for char in set(value)]
    return -sum([count / n * log2(count / n) for count in counts])


def secrets_of(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of what looks like a live secret in `text`, in order; none overlap."""
    found: list[tuple[int, int, str]] = []
    for start, end, kind in _each(text):
        if not any([start < b and a < end for a, b, _ in found]):  # noqa: C419 (as above)
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
                end = _run(text, begin, _ALNUM | set(form.extra))
                if text[at - 1 : at] not in _ALNUM or not at:
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
        there = text[at - 1 : at].isalnum() and text[end : end + 1] == "@" and (host in _WORD or host in "[$") and host
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
        end = _run(text, _run(text, first, _ALNUM | set("+/_-")), frozenset("="))
        if first > begin and end - first >= 8 and (not at or text[at - 1] not in _ALNUM):
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
        while begin and text[begin - 1] in _DIGITS:
            begin -= 1
        end = _run(text, at + 1, _ALNUM | set("_-"))
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
                closed = behind == quote if quote else kind == "password" or not (behind in _WORD or behind == "(")
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
