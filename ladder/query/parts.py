"""PARTS: which texts of a conversation a query is made of, how they fade with age, and how much each counts.

What each part measured, with and without, stands in docs/decisions (044) and docs/tried.md.
"""

from __future__ import annotations

from ladder.query.speaker import command_name
from ladder.ranking.weights import PART_WEIGHTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ladder.query.query import Context

    Source = Callable[[Context], Sequence[str]]

#: Characters at the end of the agent's words that say what it does next, and of its last paragraph.
LAST_WORDS = 200
LAST_PARAGRAPH = 600
#: Characters of each turn's words, and turns and results, that are used: more costs the hook time and gained nothing
#: measurable.
HEARD = 800
TURNS_HEARD = 3
RESULTS_SEEN = 4
#: Characters of a message that are read: a pasted log says what it is about early.
MESSAGE_LONGEST = 8_000


def message_words(context: Context) -> Sequence[str]:
    """The message."""
    return (context.message[:MESSAGE_LONGEST],)


def last_words(context: Context) -> Sequence[str]:
    """What the agent said last in this turn: what it is about to do."""
    return (context.said[-1][1][-LAST_WORDS:],) if context.at_work else ()


def last_paragraph(context: Context) -> Sequence[str]:
    """The last paragraph that the agent said in this turn."""
    return (context.said[-1][1].strip().rpartition("\n\n")[2][-LAST_PARAGRAPH:],) if context.at_work else ()


def agent_words(context: Context) -> Sequence[str]:
    """What the agent said."""
    return [entry[1][-HEARD:] for entry in context.said if entry[0] == "agent"][-TURNS_HEARD:]


def user_words(context: Context) -> Sequence[str]:
    """The messages before this one."""
    return [entry[1][-HEARD:] for entry in context.said if entry[0] == "user"][-TURNS_HEARD:]


def file_names(context: Context) -> Sequence[str]:
    """The files that were looked at or changed."""
    return context.touched


def last_step(context: Context) -> Sequence[str]:
    """The last command and the last file."""
    return [*context.commands[-1:], *context.touched[-1:]]


def result_words(context: Context) -> Sequence[str]:
    """Both ends of what tools gave: output, errors, text of files."""
    return context.results[-RESULTS_SEEN:]


def branch_words(context: Context) -> Sequence[str]:
    """The branch; people name it after what they do."""
    return (context.branch,)


def task_words(context: Context) -> Sequence[str]:
    """The branch once more, where a slash command opens the turn: then nothing else says what the work is about."""
    return (context.branch,) if command_name(context.message) and not context.at_work else ()


#: Name, source of its texts (oldest first), the share of a text's weight that remains for each newer one, and the
#: part's weight against the text of a note and against its name.
PARTS: tuple[tuple[str, Source, float, float, float], ...] = (
    ("message", message_words, *PART_WEIGHTS["message"]),
    ("last words", last_words, *PART_WEIGHTS["last words"]),
    ("last paragraph", last_paragraph, *PART_WEIGHTS["last paragraph"]),
    ("agent", agent_words, *PART_WEIGHTS["agent"]),
    ("user", user_words, *PART_WEIGHTS["user"]),
    ("files", file_names, *PART_WEIGHTS["files"]),
    ("last step", last_step, *PART_WEIGHTS["last step"]),
    ("results", result_words, *PART_WEIGHTS["results"]),
    ("branch", branch_words, *PART_WEIGHTS["branch"]),
    ("task", task_words, *PART_WEIGHTS["task"]),
)

#: Sum of the weights of all parts against a name: the weight of a word that every part says.
NAMES_WHOLE = sum([row[4] for row in PARTS])

#: The parts that are the message's own; the rest is the conversation round it.
OWN = ("message", "task")
