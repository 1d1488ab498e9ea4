"""Which secrets of a note look live: placeholders, variables and development defaults are passed over.

`notes.secret_forms` says what a secret looks like; here is what speaks against one: its own characters and what stands
round it. `note check` warns of live ones alone: a warning that is mostly wrong is read by nobody.
"""

import base64
import re

from notes.secrets import Secret, secrets_of

#: What a program puts a value in the place of: `${NAME}`, `$NAME`, `{{ name }}`, `%NAME%`, `%(name)s`, `<name>`.
_VARIABLE = re.compile(r"\$[\w{(]|[{}]|%\w+%|%\(|<[^>]*>")
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
#: Characters of a key without `-` and `_` between them; words in a name are shorter.
_LEAST_RUN = 20
#: Characters of a password that looks drawn by lot.
_LEAST_DRAWN = 12
#: What follows the first line of a private key; without it, a text only speaks of keys.
_BODY = re.compile(r"[\s>\"'|]*(?:\\[nr])*\s*[A-Za-z0-9+/=]{24,}")


def live_secrets(text: str) -> list[Secret]:
    """Return line and kind of what looks like a live secret in `text`, one a line."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    found: dict[int, Secret] = {}
    for start, end, kind in secrets_of(plain):
        line = plain.count("\n", 0, start) + 1
        if line not in found and _is_live(kind, plain, start, end):
            found[line] = Secret(line, kind)
    return list(found.values())


def _is_live(kind: str, text: str, start: int, end: int) -> bool:
    value = text[start:end]
    if kind == "private-key":
        lines = text[start:].split("\n")
        body = lines[0].partition("KEY-----")[2]
        if not body.strip("`'\" "):
            body = next((line for line in lines[1:] if line.strip() and ": " not in line), "")
        return _BODY.match(body) is not None
    if kind == "openai-key":
        longest = max(re.split(r"[-_]", value), key=len)
        return len(longest) >= _LEAST_RUN and any(c.isdigit() for c in longest) and any(c.isalpha() for c in longest)
    if value.startswith("eyJ") and value.count(".") == 2:
        said = value.split(".")[1]
        try:
            claims = base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)).decode("utf-8", "replace")
        except ValueError:
            return True
        return not re.search(r"(?i)1234567|john doe|example|demo\b", claims)
    if kind == "url-password":
        return _is_live_password(text, start, end)
    return True


def _is_live_password(text: str, start: int, end: int) -> bool:
    """Whether the password of an address, which stands between `:` and `@`, is more than a stand-in or a default."""
    password = text[start:end]
    name = re.split(r"://", text[max(0, start - 65) : start - 1])[-1]
    host = re.split(r"[\s`\"')\]]", text[end + 1 : end + 200], maxsplit=1)[0]
    if _VARIABLE.search(password) or password == name or _NO_PASSWORD.fullmatch(password) or "example." in host:
        return False
    return not _NEAR_HOST.match(host) or _is_drawn(password)


def _is_drawn(text: str) -> bool:
    """Whether a password looks drawn by lot: long, and of capitals, small letters and digits."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(text) >= _LEAST_DRAWN and all(any(kind(c) for c in text) for kind in kinds)
