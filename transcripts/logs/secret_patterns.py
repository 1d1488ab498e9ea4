"""Which secrets the miner takes out, each by a pattern of its own: made of the table in `notes.secret_forms`, and more.

A form that other things share (a name, a colon and a long value) counts only where the value is no placeholder, no
reference to a variable, no UUID and random enough; a git hash has no such name before it. Every repetition before the
telling part is bounded, so that a line of two megabytes costs its length and not its square.
"""

import base64
import re
from collections.abc import Callable
from typing import NamedTuple

from notes.secret_forms import FORMS, Form, entropy


class Rule(NamedTuple):
    """A kind of secret."""

    kind: str
    needles: tuple[str, ...]
    """A text without any of these holds none: cheaper than the pattern."""
    pattern: re.Pattern[str]
    """The secret is the group `secret`, else the whole match."""
    doubt: Callable[[str], bool] | None = None
    """Tells of a match's secret whether it is none after all."""
    probe: re.Pattern[str] | None = None
    """Must match where a needle begins, one character before or three after it: a name is oftener said than set."""


_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your[_-]|xxxx|\*\*\*|\.\.\.|…|changeme|change[_-]me|dummy|redacted|insert[_-]|<|\$\{|\{\{"
)
_REFERENCE = re.compile(
    r"\A(?:\$|%|@|process\.|os\.|env[.(\[]|import\.|self\.|this\.|config\.|settings\.|secrets\.|vault\.|\(|\[|\{|<|`)"
    r"|\w\(|\w\.\w+\.|\A[A-Z][A-Z0-9_]*\Z|\A[a-z]+(?:[_-][a-z]+)*\Z|\A[a-z]+(?:[A-Z][a-z]+)+\Z|\A[a-zA-Z_]+\.[a-zA-Z_.]+\Z"
)
_UUID = re.compile(r"(?i)\A[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_PATH = re.compile(
    r"(?:~|\.{1,2}|[A-Za-z]:)?(?=[\w.@+ \\/-]*?[\\/][A-Za-z_.-]{2,}(?:[\\/.]|\Z))(?:[\\/][\w.@+ -]*)+[:\\/]?\Z"
)
_JOINTS = re.compile(r"[-_./:~@+=]+")
_A_WORD = re.compile(
    r"[A-Za-z]?[a-z]{1,19}(?:[A-Z][a-z]{1,19}){0,5}[0-9]{0,3}|[A-Z]{1,20}[0-9]{0,3}|v[0-9]{1,4}|[0-9]{1,4}[a-z]{1,3}"
)
_STAND_IN = frozenset(("password", "passwd", "pass", "pwd", "secret", "token", "xxx", "user", "username", "pw", "test"))


def _placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.search(value))


def _named(value: str) -> bool:
    """Tell whether a value is put together of words and numbers as names are: `rotated-on-2026-01-02`, `db-tls-v2`.

    A name has parts, most of it is words, and what is neither word nor number is short (`my-app-7d9f8`).
    """
    parts = [part for part in _JOINTS.split(value) if part]
    if len(parts) < 2:
        return False
    words = sum(len(part) for part in parts if part.isalpha() and _A_WORD.fullmatch(part))
    odd = [part for part in parts if not _A_WORD.fullmatch(part) and not part.isdecimal()]
    return words * 2 >= len(value) - len(parts) and all(len(part) <= 6 and part.isalnum() for part in odd)


def _no_password(value: str) -> bool:
    return _placeholder(value) or value.lower() in _STAND_IN or value.startswith(("$", "%", "{", "["))


def _no_key(value: str) -> bool:
    """Tell whether what stands behind a key's own beginning is made of words."""
    return _placeholder(value) or _named(value.partition("-")[2])


def _not_random(value: str) -> bool:
    """Tell whether a value after a secret's name is a placeholder, a name or a reference and no secret."""
    if _placeholder(value) or _REFERENCE.search(value) or _UUID.match(value) or _PATH.match(value):
        return True
    if _named(value):
        return True
    if not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return True
    return entropy(value) < (2.5 if len(value) < 16 else 3.0)


def _base64(value: str) -> str:
    """Return the printable text that base64 stands for, "" where it stands for none."""
    bare = value.rstrip("=")
    try:
        said = base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_").decode()
    except ValueError:
        return ""
    return said if said.isprintable() else ""


def _no_login(value: str) -> bool:
    """Tell whether a word is anything but base64 of a name, a colon and a password (RFC 7617)."""
    said = _base64(value)
    _, colon, password = said.partition(":")
    return not colon or len(said) < 4 or _no_password(password)


def _no_authorization(value: str) -> bool:
    """The same after `Authorization:`, where what is no example and no word is a secret, whatever it holds."""
    return _no_login(value) and (_placeholder(value) or not re.search(r"\d", value) or ":" in _base64(value))


CONTEXT = {
    "discord-token": ("discord",),
    "discord-webhook": ("discord",),
    "twilio-key": ("twilio",),
    "mailgun-key": ("mailgun", "key-"),
    "heroku-key": ("heroku", "hrku-"),
}
"""Kinds whose form alone says little: so is a text where they are looked for."""


def _rule(kind: str, needles: str, pattern: str, doubt: Callable[[str], bool] | None = _placeholder) -> Rule:
    compiled = re.compile(pattern, re.DOTALL)
    # The others tell what kind of text it is, somewhere in it.
    probe = None if kind in ("private-key", "telegram-token") or kind in CONTEXT else compiled
    if kind == "url-password":
        probe = re.compile(r"[^\s/:@\"'<>`]{0,100}:[^\s/@\"'<>`]+@")
    return Rule(kind, tuple(needles.split()), compiled, doubt, probe)


_END = r"(?![A-Za-z0-9])"
_START = r"(?<![A-Za-z0-9])"


def _of_form(form: Form) -> Rule:
    """The rule of a row of the table in `notes.secret_forms`."""
    kinds = "A-Z0-9" if form.upper else "A-Za-z0-9"
    begin = "(?:" + "|".join(map(re.escape, form.prefixes)) + ")"
    chars = f"[{kinds}{re.escape(form.extra.replace('.', '') if form.parts else form.extra)}]"
    if form.parts:
        first, *others = form.parts
        run = f"{chars}{{{first},}}" + "".join(
            rf"\.{form.inner if not at else ''}{chars}{{{least - len(form.inner) * (not at)},}}"
            for at, least in enumerate(others)
        )
    else:
        run = f"{chars}{{{form.least},{form.most or ''}}}"
    # Not far ahead: in "sk-sk-sk-…" each of the prefixes would look through all that follows.
    ahead = rf"(?={chars}{{0,200}}\d)" if form.digit else ""
    webhook = form.kind == "slack-webhook"
    pattern = f"{begin}(?P<secret>{run})" if webhook else f"{_START}{begin}{ahead}{run}"
    doubt = _no_key if form.digit else _placeholder
    return _rule(form.kind, " ".join(form.prefixes), pattern + (_END if form.most else ""), doubt)


RULES: tuple[Rule, ...] = (
    _rule(
        "private-key",
        "PRIVATE",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]*)"
        r"|(?:(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/=]{16,}+(?:\s|\\n)+){1,100})?"
        r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----",
        None,
    ),
    *map(_of_form, FORMS),
    _rule(
        "aws-secret",
        "aws AWS Aws",
        r"(?i)aws.{0,20}?secret.{0,20}?[\"'=: ]+(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    _rule("azure-key", "ccountKey= ccessKey=", r"(?:Account|Access)Key=(?P<secret>[A-Za-z0-9+/]{42,88}={0,2})" + _END),
    _rule(
        "discord-token", "iscord ISCORD", _START + r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}"
    ),
    _rule(
        "discord-webhook", "discord", r"discord(?:app)?\.com/api/webhooks/\d{17,20}/(?P<secret>[A-Za-z0-9_-]{60,80})"
    ),
    _rule("twilio-key", "wilio WILIO", _START + r"SK[0-9a-f]{32}" + _END),
    _rule(
        "twilio-key",
        "wilio WILIO",
        r"(?i:auth[_-]?token[\"'`]?\s*[=:,]\s*[\"'`]?)(?P<secret>[0-9a-f]{32})" + _END,
    ),
    _rule("mailgun-key", "key-", r"(?<![A-Za-z0-9_/-])key-[0-9a-f]{32}" + _END),
    _rule("mailgun-key", "ailgun AILGUN", _START + r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])"),
    _rule(
        "heroku-key",
        "eroku EROKU",
        r"(?i)heroku.{0,40}?(?:key|token|auth)[\"'`]?\s*[=:]\s*[\"'`]?"
        r"(?P<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})" + _END,
    ),
    _rule("telegram-token", ":AA", r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}" + _END),
    _rule(
        "url-password",
        "://",
        r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>`]{0,100}:(?P<secret>[^\s/@\"'<>`]+)@(?=[\w\[$])",
        _no_password,
    ),
    _rule("bearer-token", "earer", r"[Bb]earer\s+(?P<secret>[A-Za-z0-9._~+/-]{20,}=*)", _not_random),
    _rule(
        "basic-auth",
        "uthorization UTHORIZATION",
        r"(?i:authorization)[\\\"'`]*\s*[:=,]\s*[\\\"'`]*(?i:basic)\s+(?P<secret>[A-Za-z0-9+/_-]{12,}=*)",
        _no_authorization,
    ),
    _rule(
        "basic-auth",
        "asic ASIC",
        _START + r"(?i:basic)\s+(?P<secret>[A-Za-z0-9+/_-]{8,}={0,2})(?![A-Za-z0-9+/=_-])",
        _no_login,
    ),
    _rule(
        "curl-password",
        "curl",
        r"curl\s(?:[^\n|;&]{0,300}?\s)?(?:-[A-Za-z]{0,5}u|--(?:proxy-)?user)[ =]?[\"']?[^\s:\"']{1,100}:"
        r"(?P<secret>[^\s\"']+)",
        _no_password,
    ),
    _rule(
        "secret",
        "ecret ECRET oken OKEN pi_key pi-key PI_KEY piKey pikey APIKEY ccess_key CCESS_KEY ccessKey rivate_key "
        "RIVATE_KEY rivateKey",
        r"(?i)(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key)[\"'`]?\s*(?:=|:|=>)\s*"
        r"(?P<quote>[\"'`])?(?P<secret>[A-Za-z0-9+/_.~-]{16,}+=*+)(?(quote)(?P=quote)|(?![\w(]))",
        _not_random,
    ),
    _rule(
        "password",
        "assword ASSWORD asswd ASSWD PWD pwd",
        r"(?i)(?:password|passwd|pwd)[\"'`]?\s*(?:=|:|=>)\s*"
        r"(?P<quote>[\"'`])?(?P<secret>[^\s\"'`,;(){}\[\]]{8,}+)(?(quote)(?P=quote)|)",
        _not_random,
    ),
)
"""From the most to the least particular: what one rule has replaced, the next ones do not see."""
