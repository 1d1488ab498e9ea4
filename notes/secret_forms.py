"""What a secret looks like: the one table of its forms, and what shows that a value is none after all.

Written without regular expressions, which would cost the hook more than all of its answer;
`transcripts.logs.secret_patterns` makes its patterns of FORMS, and a test holds the two equal.
"""

from __future__ import annotations

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = frozenset("0123456789")
ALNUM = LETTERS | DIGITS
WORD = ALNUM | {"_"}


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
    kinds = {char.isdigit() for char in value if char in ALNUM}
    if len(kinds) < 2:
        return True
    return entropy(value) < (2.5 if len(value) < 16 else 3.0)


def _refers(value: str) -> bool:
    """Whether a value is code: a call, a path of names, a constant's name."""
    at = value.find("(")
    if at > 0 and value[at - 1] in WORD:
        return True
    if value[:1] in LETTERS and value == value.upper() and WORD.issuperset(value):
        return True
    pieces = value.split(".")
    return any([a[-1:] in WORD and b and WORD.issuperset(b) for a, b in zip(pieces, pieces[1:-1]) if a])  # noqa: B905, C419, RUF007 (as above)


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
