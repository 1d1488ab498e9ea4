"""Points at what looks like a live secret in a note. It rewrites nothing: the text is its owner's."""

import base64
import re
from typing import NamedTuple

_PLACEHOLDER = re.compile(
    r"(?i)example|dummy|placeholder|changeme|your[_-]|xxxx|\*\*\*|\.\.\.|<[^>]*>|redacted|0{8}|1234567"
)
#: What a program puts a value in the place of: `${NAME}`, `$NAME`, `{{ name }}`, `%NAME%`, `%(name)s`.
_VARIABLE = re.compile(r"\$[\w{(]|[{}]|%\w+%|%\(")
#: What people write where a password stands, alone or with digits behind it.
_NO_PASSWORD = re.compile(
    r"(?i)(?:(?:my|the|db|some|user|root|admin|app|dev|test|local)[_-]?)?(?:passw(?:or)?d|pass|pw|pwd|secret|token|api_?key|"
    r"credentials?|root|admin|guest|user|username|test|testing|dev|develop|development|local|postgres|mysql|redis|minio|"
    r"minioadmin|mongo|rabbitmq|changeit|hunter2|letmein|qwerty|foobar|abc)[_-]?\d{0,4}[!.]?"
)
#: Machines that nobody else reaches: what is a password there is a development default, unless it looks drawn by lot.
_NEAR_HOST = re.compile(
    r"(?i)(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|[\w-]+|[\w.-]+\.(?:local|localhost|test|internal|invalid))(?:[:/?#]|$)"
)
_LEAST_RUN = 20  # characters of a key without `-` and `_` between them; words in a name are shorter
_LEAST_DRAWN = 12  # characters of a password that looks drawn by lot

#: Kind and form. A form must be so particular that prose and code examples seldom have it.
_KINDS = tuple(
    (kind, re.compile(form))
    for kind, form in (
        ("github token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})"),
        ("aws key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
        ("private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
        ("slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
        ("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{24,}"),
        ("openai key", r"\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}"),
        ("google key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
        ("stripe key", r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
        ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("gitlab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("pypi token", r"\bpypi-[A-Za-z0-9_-]{60,}"),
        ("sendgrid key", r"\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}"),
        ("json web token", r"\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,}"),
        ("password in an address", r"\b[a-z][a-z0-9+.-]{1,12}://[^\s/:@]{1,64}:[^\s/@]{6,64}@[^\s/]+"),
    )
)


_BODY = re.compile(r"[\s>\"'|]*(?:\\[nr])*\s*[A-Za-z0-9+/=]{24,}")
"""What follows the first line of a private key; without it, a text only speaks of keys."""


class Secret(NamedTuple):
    """Where something looks like a secret; the value itself is not in here."""

    line: int
    """From 1."""
    kind: str


def secrets_in(text: str) -> list[Secret]:
    """What looks like a live secret in `text`; placeholders, variables and development defaults are passed over."""
    found: list[Secret] = []
    lines = re.split(r"\r\n|\n|\r", text)
    for number, line in enumerate(lines, start=1):
        for kind, form in _KINDS:
            for match in form.finditer(line):
                if not _PLACEHOLDER.search(match[0]) and _is_live(kind, match[0], line[match.end() :], lines[number:]):
                    found.append(Secret(number, kind))
                    break
            else:
                continue
            break
    return found


def _is_live(kind: str, value: str, rest: str, after: list[str]) -> bool:
    """Whether more than the form speaks for a secret: its own characters, or what stands round it."""
    if kind == "private key":
        body = rest if rest.strip("`'\" ") else next((line for line in after if line.strip() and ": " not in line), "")
        return _BODY.match(body) is not None
    if kind == "openai key":
        longest = max(re.split(r"[-_]", value), key=len)
        return len(longest) >= _LEAST_RUN and any(c.isdigit() for c in longest) and any(c.isalpha() for c in longest)
    if kind == "json web token":
        said = value.split(".")[1]
        try:
            claims = base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)).decode("utf-8", "replace")
        except ValueError:
            return True
        return not re.search(r"(?i)1234567|john doe|example|demo\b", claims)
    if kind == "password in an address":
        name, _, password = value.partition("://")[2].rpartition("@")[0].partition(":")
        host = value.rpartition("@")[2]
        if _VARIABLE.search(password) or password == name or _NO_PASSWORD.fullmatch(password):
            return False
        return not _NEAR_HOST.match(host) or _is_drawn(password)
    return True


def _is_drawn(text: str) -> bool:
    """Whether a password looks drawn by lot: long, and of capitals, small letters and digits."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(text) >= _LEAST_DRAWN and all(any(kind(c) for c in text) for kind in kinds)
