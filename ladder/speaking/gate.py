"""Say nothing: whether what was found for a message is worth showing before the turn.

Most messages need no note. What tells is less the score of the best note, which a vague message gets as easily as a
clear one, than the message itself: whether such messages were followed by an opened note before (learned), whether it
opens the session, whether it is a slash command, and whether it names a note. FEATURES is the whole of it: the log odds
that the agent will open one of the first three suggestions, fitted on earlier sessions (F-053, docs/decisions 034).
"""

from __future__ import annotations

from ladder.lean.math import exp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.ranking.explain import Suggestion
    from ladder.ranking.search import Search

    Feature = tuple[str, float, Callable[[Search], float]]

#: Odds below which nothing is said; the setting `gate` replaces it.
GATE = 0.5


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
    """Log odds, learned, that such a message is followed by an opened note; the usual -1.5 while nothing is learned."""
    learned = scene.learned
    return learned.need(scene.query) if learned is not None else -1.5


def of_the_best(name: str) -> Callable[[Search], float]:
    """What a signal added to the best note."""

    def value(scene: Search) -> float:
        return scene.totals[scene.candidates[0]].get(name, 0.0) if scene.candidates else 0.0

    return value


#: What speaks for a block, with its weight in the log odds.
FEATURES: tuple[Feature, ...] = (
    ("named", 4.0, named_outright),
    ("first message", 1.3, first_message),
    ("command", 1.4, slash_command),
    ("needed before", 0.2, needed_before),
    ("name", 0.1, of_the_best("name")),
)
#: The log odds with nothing of that.
BASE = -2.9


def threshold_of(setting: object) -> float:
    """The threshold that the setting `gate` asks for, what ships when it is no number."""
    return setting if isinstance(setting, int | float) else GATE


def likelihood(scene: Search) -> float:
    """The estimated probability that one of the first suggestions is what the agent will open; in [0, 1]."""
    odds = BASE + sum([weight * feature(scene) for _, weight, feature in FEATURES])
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds))))


def gate(scene: Search, chosen: list[Suggestion], threshold: float = GATE) -> list[Suggestion]:
    """Return `chosen`, or nothing when it is not worth the user's tokens."""
    return chosen if chosen and likelihood(scene) >= threshold else []
