"""The data model of the public sets: documents in pools, questions, gold. Loaders make it, systems get it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance or record of a document."""

    role: str
    """Who speaks: `user`, `assistant`, or a name; empty when the set does not say."""
    text: str
    id: str = ""
    """The set's own id of the turn, where it has one."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a system ranks: a session, a meeting's topic, a day of records."""

    id: str
    turns: tuple[Turn, ...]
    title: str = ""
    time: str = ""
    """ISO date or time; empty when the set gives none."""
    note: bytes = b""
    """The Markdown file that it is, where the set is one of notes."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Further fields that a set has: source, device, location, user, noise."""

    @property
    def text(self) -> str:
        """Return all that a system without fields reads: the title if it has one, then what is said."""
        return f"{self.title}\n{self.said}" if self.title else self.said

    @property
    def said(self) -> str:
        """Return all turns, one a line, each after its speaker."""
        return "\n".join(f"{turn.role}: {turn.text}" if turn.role else turn.text for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Question:
    """One question over one pool of documents."""

    id: str
    text: str
    kind: str
    """The set's own type of question."""
    pool: str
    gold: frozenset[str]
    """Ids of the documents that answer it. One that is not in the pool, or none at all, can only be missed."""
    asked: str = ""
    """ISO date or time of asking; empty when the set gives none."""
    group: str = ""
    """What intervals resample and halves keep together: a conversation, a meeting, a person's month."""
    held: bool = False
    """Whether the question belongs to the half that nothing was tuned on."""
    checklist: tuple[frozenset[str], ...] = ()
    """Points of the answer, each the documents that carry it; empty when the set has none."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A whole set: pool name -> its documents, the questions, and how many were left out and why."""

    name: str
    pools: Mapping[str, tuple[Document, ...]]
    questions: tuple[Question, ...]
    left_out: Mapping[str, int]
    about: str
    """Which file it is, for the table's head."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Text that a system puts before a reader for one question."""

    text: str
    documents: frozenset[str] | None
    """Ids of the documents that it is of; None when the system does not say."""


class Unanswered(Exception):  # noqa: N818 (no error: the question is left out of the row, which says so)
    """Raised by a search that was stopped before it came to the question."""


#: Ranks the documents of one pool for a question: at most `k` ids, best first, without repetition.
Search = Callable[[Question, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Reader:
    """A search of a system that shows text too, and not only says which documents to read."""

    search: Search
    show: Callable[[Question], Shown | None]
    took: Callable[[Question], float] | None = None
    """Milliseconds that a question took, where all were asked at once; None: what the search takes."""

    def __call__(self, question: Question, k: int) -> Sequence[str]:
        """Rank, as any search does."""
        return self.search(question, k)


#: Takes the documents of one pool, once, and returns the search over them.
System = Callable[[Sequence[Document]], Search | Reader]
