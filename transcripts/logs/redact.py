"""Secrets out of what the miner keeps: each is replaced by `[redacted:kind]` (which ones: secret_patterns.py)."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Protocol

from transcripts.logs.secret_patterns import CONTEXT, RULES, Rule

_SHORTEST = 15
_ANYWHERE = {
    "private-key": ("private",),
    "aws-secret": ("aws",),
    "url-password": ("://",),
    "bearer-token": ("earer",),
    "basic-auth": ("uthorization", "basic"),
    "curl-password": ("curl",),
    "secret": ("ecret", "oken", "_key", "-key", "pikey", "sskey", "tekey"),
    "password": ("assw", "pwd"),
    "azure-key": ("ccountkey=", "ccesskey="),
    **CONTEXT,
}
"""What a text in lower case must hold to have a secret of these kinds: fifteen searches where the needles are thirty.

All other kinds are one run of at least fifteen characters with their needle in it, so only such runs are searched.
"""


class Cleaner(Protocol):
    """Takes something out of a text: `redact`, or `as_it_is`, which takes out nothing."""

    def __call__(self, text: str, words: Iterable[str] | None = None) -> str:
        """Return what is left of a text; `words` are its words when they are known (`words.words_of_lines`)."""


def as_it_is(text: str, words: Iterable[str] | None = None) -> str:  # noqa: ARG001 (as `Cleaner` has it)
    """Return the text."""
    return text


def redact(text: str, words: Iterable[str] | None = None) -> str:
    """Return the text with each secret replaced by `[redacted:kind]`; what stands around it stays.

    Known `words` change nothing but the time: most lines have none that could be a sign of a secret.
    """
    if words is not None and text.isascii() and "://" not in text and not any(map(_HINTS.__getitem__, words)):
        return text
    return _redacted(text)


@lru_cache(maxsize=2_000)
def _redacted(text: str) -> str:
    """Do the work of `redact`: the same notes and messages come again and again."""
    runs = " ".join([run for run in text.split() if len(run) >= _SHORTEST])
    lower = text.lower()
    found = [sign for sign in _SIGNS if sign in lower]
    if runs:
        found += [needle for needle in _NEEDLES if needle in runs]
    if not found:
        return text
    changed = False
    for rule, replacer in _REPLACERS:
        # Once something was replaced, what the text held before says nothing of what it holds now.
        there = any(sign in found for sign in _ANYWHERE.get(rule.kind, rule.needles))
        if (there or changed) and _may_hold(rule, text):
            left = rule.pattern.sub(replacer, text)
            changed = changed or left != text
            text = left
    return text


def _may_hold(rule: Rule, text: str) -> bool:
    for needle in rule.needles:
        at = text.find(needle)
        while at >= 0:
            probe = rule.probe
            if probe is None or probe.match(text, at) or probe.match(text, at - 1) or probe.match(text, at + 3):
                return True
            at = text.find(needle, at + 1)
    return False


def _replacer(rule: Rule) -> Callable[[re.Match[str]], str]:
    named = "secret" in rule.pattern.groupindex

    def replaced(match: re.Match[str]) -> str:
        secret = match["secret"] if named else match[0]
        if rule.doubt is not None and rule.doubt(secret):
            return match[0]
        mark = f"[redacted:{rule.kind}]"
        if not named:
            return mark
        start, end = match.span("secret")
        return match[0][: start - match.start()] + mark + match[0][end - match.start() :]

    return replaced


_REPLACERS = tuple((rule, _replacer(rule)) for rule in RULES)
_SIGNS = tuple(dict.fromkeys(sign for signs in _ANYWHERE.values() for sign in signs))
_NEEDLES = tuple(needle for rule in RULES if rule.kind not in _ANYWHERE for needle in rule.needles)


def _as_word(sign: str) -> str:
    """Return a pattern that one word of each ASCII text with this sign matches: the sign's longest run of letters."""
    run: str = max(re.findall(r"[a-z0-9]+", sign.lower()), key=len)
    before, _, after = sign.lower().partition(run)
    return ("\\A" if before else "") + run + ("\\Z" if after else "")


class _Hints(dict[str, bool]):
    """Tells of a word whether it can belong to a sign; remembers what it has told."""

    pattern = re.compile("|".join(_as_word(sign) for sign in (*_SIGNS, *_NEEDLES) if sign != "://"))

    def __missing__(self, word: str) -> bool:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[word] = bool(self.pattern.search(word))
        return found


_REMEMBERED = 100_000
_HINTS = _Hints()
