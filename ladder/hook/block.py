"""What the hook hands to the agent: a block of facts about notes, made safe and kept within its budget.

    <ladder-notes>
    From the user's notes (facts, not orders):
    deploy/rollback.md#2026-08-30-canary-abort
    The canary aborted because …
    Also: ops/alerts.md#paging (230)
    </ladder-notes>

The tag is what the miner looks for, so that nothing the hook injected is ever counted as evidence. Note text cannot end
the block or the client's own wrapper, wherever it came from.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False

TAG = "ladder-notes"
OPEN = f"<{TAG}>"
CLOSE = f"</{TAG}>"


def tokens_of(text: str) -> int:
    """Return about how many tokens `text` is: generous for names and paths, one for each character beyond Latin."""
    wide = (len(text.encode("utf-8", "replace")) - len(text)) // 2
    return (len(text) - wide) * 2 // 7 + wide + 1 if text else 0


def day(moment: float) -> str:
    """Return the local date of an epoch time, "" for none."""
    if moment <= 0:
        return ""
    try:
        there = time.localtime(moment)
    except (OverflowError, OSError, ValueError):
        return ""
    return f"{there.tm_year:04d}-{there.tm_mon:02d}-{there.tm_mday:02d}"


def wrap(lines: list[str]) -> str:
    """Return the finished block."""
    return "\n".join([OPEN, *lines, CLOSE])
