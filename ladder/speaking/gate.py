"""Say nothing: whether what was found for a message is worth showing before the turn.

Most messages need no note. What tells is less the score of the best note, which a vague message gets as easily as a
clear one, than the message itself: whether such messages were followed by an opened note before (learned), whether it
opens the session, whether it is a slash command, and whether it names a note. FEATURES, weighed by OPENED in
weights.py, is the whole of it: the log odds that the agent will open one of the first three suggestions, fitted on
earlier sessions (F-053, docs/decisions 034).
"""

from __future__ import annotations

from ladder.lean.math import exp
from ladder.speaking.weights import GATE, NEED_USUAL, OPENED, OPENED_BASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.ranking.explain import Suggestion
    from ladder.ranking.search import Search

    Feature = Callable[[Search], float]


def named_outright(scene: Search) -> float:
    """1 when the message names the best note itself."""
    return 1.0 if scene.candidates and scene.totals[scene.candidates[0]].get("named") else 0.0


def first_message(scene: Search) -> float:
    """1 for the first message of a session."""
    return 0.0 if scene.query.later else 1.0


def slash_command(scene: Search) -> float:
    """1 for a slash command."""
    return 1.0 if scene.query.command else 0.0


def needed_before(scene: Search) -> float:
    """Log odds, learned, that such a message is followed by an opened note; NEED_USUAL while nothing is learned."""
    learned = scene.learned
    return learned.need(scene.query) if learned is not None else NEED_USUAL


def of_the_best(name: str) -> Callable[[Search], float]:
    """What a signal added to the best note."""

    def value(scene: Search) -> float:
        return scene.totals[scene.candidates[0]].get(name, 0.0) if scene.candidates else 0.0

    return value


#: What speaks for a block, by its name in OPENED.
FEATURES: dict[str, Feature] = {
    "named": named_outright,
    "first message": first_message,
    "command": slash_command,
    "needed before": needed_before,
    "name": of_the_best("name"),
}


def threshold_of(setting: object) -> float:
    """The threshold that the setting `gate` asks for, what ships when it is no number."""
    return setting if isinstance(setting, int | float) else GATE


def likelihood(scene: Search) -> float:
    """The estimated probability that one of the first suggestions is what the agent will open; in [0, 1]."""
    odds = OPENED_BASE + sum([OPENED[name] * feature(scene) for name, feature in FEATURES.items()])
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds))))


def gate(scene: Search, chosen: list[Suggestion], threshold: float = GATE) -> list[Suggestion]:
    """Return `chosen`, or nothing when it is not worth the user's tokens."""
    return chosen if chosen and likelihood(scene) >= threshold else []
