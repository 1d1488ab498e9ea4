"""What other clients than Claude Code say and hear: their events in its words, and the hook's answers in theirs.

The installed command names its client (`--client codex`), and nothing is guessed from an event. Without the flag this
module is not loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, object]


class Dialect:
    """How one client speaks: `hears` turns its event into one of Claude Code's, `says` an answer into its own."""

    __slots__ = ("hears", "says")

    def __init__(
        self, hears: Callable[[Document], Document], says: Callable[[Document, str], Document | None]
    ) -> None:
        self.hears = hears
        self.says = says


def dialect_of(name: str) -> Dialect | None:
    """Return the dialect of a client, None for one that is not known."""
    return DIALECTS.get(name)


def _as_it_is(event: Document) -> Document:
    return event


def _codex_says(answer: Document, _event: str) -> Document:
    """Codex runs what a hook asks to be asked about, and calls the hook failed: so the call is denied."""
    output = answer["hookSpecificOutput"]
    if isinstance(output, dict) and output.get("permissionDecision") == "ask":
        return {"hookSpecificOutput": output | {"permissionDecision": "deny"}}
    return answer


DIALECTS = {
    "codex": Dialect(_as_it_is, _codex_says),
}
