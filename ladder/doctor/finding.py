"""What `ladder doctor` says of one thing that it looked at."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that was looked at."""

    ok: bool
    what: str
    remedy: str = ""
    """What to do about it; "" when nothing has to be done."""


def fine(what: str, remedy: str = "") -> Finding:
    """Return that all is well; `remedy` is what would be better still."""
    return Finding(ok=True, what=what, remedy=remedy)


def wrong(what: str, remedy: str = "") -> Finding:
    """Return what is wrong, and what to do about it."""
    return Finding(ok=False, what=what, remedy=remedy)
