"""Points at what looks like a live secret in a note. It rewrites nothing: the text is its owner's."""

import re
from typing import NamedTuple

_PLACEHOLDER = re.compile(
    r"(?i)example|dummy|placeholder|changeme|your[_-]|xxxx|\*\*\*|\.\.\.|<[^>]*>|redacted|0{8}|1234567"
)

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


class Secret(NamedTuple):
    """Where something looks like a secret; the value itself is not in here."""

    line: int
    """From 1."""
    kind: str


def secrets_in(text: str) -> list[Secret]:
    """What looks like a live secret in `text`; placeholders and shortened values are passed over."""
    found: list[Secret] = []
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        for kind, form in _KINDS:
            match = form.search(line)
            if match and not _PLACEHOLDER.search(match[0]):
                found.append(Secret(number, kind))
                break
    return found
