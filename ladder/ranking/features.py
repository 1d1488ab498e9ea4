"""FEATURES: how notes are ranked, one row a signal.

A feature is a function from `Search` to note -> value in [0, 1]; it reads nothing that another feature added. Its
value, divided by the largest one of this query where it is `relative`, times its weight is added to the note's score.
To add a signal, write one function and one row here, with its weight in `weights.py`; to take one away, delete the row.

STAGES, in order, say of which notes a feature is asked:

    SAID        of every note, by what is said: these rows alone put the nearest notes first
    SESSION     of every note, by where the session is and what earlier ones led to (the notes of a folder that is being
                read would crowd all others out of the nearest)
    NEAR        of the nearest notes, which the function is handed, with what `words` gave each note
    CANDIDATES  of the notes that are looked into, which the stages before chose, by their passages (`search.scales(n)`)
"""

from __future__ import annotations

from ladder.ranking.dates import dated_entries
from ladder.ranking.learned import led_by_command, led_by_words, often_opened
from ladder.ranking.lexical import best_heading, best_paragraph, best_section, best_window, labels, whole_note
from ladder.ranking.meaning import by_meaning, by_meaning_unclear
from ladder.ranking.names import in_folder, name_words, named_notes
from ladder.ranking.session import changed_lately, next_in_line, same_folder
from ladder.ranking.weights import (
    CHANGED,
    COMMAND_LED,
    DATED,
    FOLDER,
    HEADING,
    LABELS,
    MEANING,
    MEANING_UNCLEAR,
    NAME,
    NAMED,
    NEXT,
    OFTEN,
    PARAGRAPH,
    SECTION,
    WINDOW,
    WITHIN,
    WORDS,
    WORDS_LED,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.ranking.search import Values

SAID = "said"
SESSION = "session"
NEAR = "near"
CANDIDATES = "candidates"


class Feature:
    """One row: `values(search)`, at the stage NEAR `values(search, nearest notes, note -> value of words)`."""

    __slots__ = ("name", "relative", "stage", "values", "weight")

    def __init__(
        self, name: str, weight: float, values: Callable[..., Values], stage: str = SAID, *, relative: bool = False
    ) -> None:
        """Take the fields; `relative` values are divided by the largest one of the query."""
        self.name = name
        self.weight = weight
        self.values = values
        self.stage = stage
        self.relative = relative


FEATURES: tuple[Feature, ...] = (
    Feature("words", WORDS, whole_note, relative=True),
    Feature("labels", LABELS, labels, relative=True),
    Feature("named", NAMED, named_notes),
    Feature("within", WITHIN, in_folder),
    Feature("folder", FOLDER, same_folder, SESSION),
    Feature("next", NEXT, next_in_line, SESSION),
    Feature("words led", WORDS_LED, led_by_words, SESSION),
    Feature("command led", COMMAND_LED, led_by_command, SESSION),
    Feature("often", OFTEN, often_opened, SESSION),
    Feature("name", NAME, name_words, NEAR),
    Feature("changed", CHANGED, changed_lately, NEAR),
    Feature("section", SECTION, best_section, CANDIDATES, relative=True),
    Feature("window", WINDOW, best_window, CANDIDATES, relative=True),
    Feature("heading", HEADING, best_heading, CANDIDATES, relative=True),
    Feature("paragraph", PARAGRAPH, best_paragraph, CANDIDATES, relative=True),
    Feature("dated", DATED, dated_entries, CANDIDATES, relative=True),
    Feature("meaning", MEANING, by_meaning, CANDIDATES),
    Feature("meaning, unclear", MEANING_UNCLEAR, by_meaning_unclear, CANDIDATES),
)
