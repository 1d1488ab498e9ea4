"""The query: weighted terms of the message and of the conversation round it.

    query(Context(message="go on with what you proposed", said=[["agent", "Next: the canary rollout."]], …))

The table PARTS (parts.py) says where words come from, how they fade, and how much they count against a note's text and
against its name. A message alone can't route "go on"; what the agent said last, and the branch, can.

Only C modules of the standard library: this runs in the hook.
"""

from __future__ import annotations

from ladder.query.parts import OWN, PARTS
from ladder.query.speaker import command_name
from ladder.ranking.weights import FAINT, FREQUENCY_POWER, QUOTED
from ladder.text.stop_words import function_terms
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ladder.meaning.near import Near

#: What the reader of a log puts in place of a note's name.
MASK = "[note]"
#: The most texts that a part is made of.
_TEXTS = 8


class Context:
    """What a conversation looks like to a search. All lists are oldest first; paths are as the log names them."""

    __slots__ = (
        "begun", "branch", "commands", "cwd", "message", "moment", "now", "opened", "results", "said", "search",
        "touched",
    )  # fmt: skip

    def __init__(
        self,
        message: str = "",
        said: Sequence[Sequence[str]] = (),
        touched: Sequence[str] = (),
        commands: Sequence[str] = (),
        results: Sequence[str] = (),
        opened: Sequence[str] = (),
        cwd: str = "",
        branch: str = "",
        now: str = "",
        *,
        begun: bool = False,
        search: bool = False,
        moment: str = "message",
    ) -> None:
        """Take `said` as (role, text) of the turns before and of the agent in this one, roles `user` and `agent`.

        `touched` are files of tool calls, `commands` shell commands, `results` excerpts of what tools gave, `opened`
        the notes that the session has read, `now` an ISO time, `begun` whether the turn is under way: the agent is
        before a tool call, `search` whether the message is no message but words to search for, `moment` whose words
        the message is: a person's `message` or a `search` of the agent's own.
        """
        self.message = message
        self.said = said
        self.touched = touched
        self.commands = commands
        self.results = results
        self.opened = opened
        self.cwd = cwd
        self.branch = branch
        self.now = now
        self.begun = begun
        self.search = search
        self.moment = moment

    @property
    def at_work(self) -> bool:
        """Whether the agent has spoken since the message, as before a tool call and unlike at the turn's start.

        Each turn that is over has the user's words before the agent's; what the agent says in this one has not.
        """
        said = self.said
        return bool(said) and said[-1][0] == "agent" and (len(said) == 1 or said[-2][0] != "user")


class Query:
    """A context as a search takes it.

    `part(name)` are the terms of one part, `weigh(share)` the weights of all together. `quoted` are the message's
    phrases in quotes or backticks, `command` its slash command, `opened` the notes read so far; `at_work` as in
    Context, `begun` whether the turn is under way, `later` whether the session has said anything before.
    """

    __slots__ = (
        "_context", "_empty", "_parts", "at_work", "begun", "command", "cwd", "later", "mended", "message", "moment",
        "near", "now", "opened", "quoted", "search", "touched",
    )  # fmt: skip

    def __init__(self, context: Context) -> None:
        """Take a context; its texts are cut into terms on first use."""
        self._context = context
        self._parts: dict[str, dict[str, float]] = {}
        self._empty: set[str] | None = None
        #: term of the message -> the term that it is taken for; None until the spelling was looked at (see spelling.py)
        self.mended: dict[str, str] | None = None
        #: How near the notes lie to the meaning of the message, where it was computed (see ladder.meaning.near).
        self.near: Near | None = None
        self.message = context.message
        self.opened = context.opened
        self.touched = context.touched
        self.now = context.now
        self.cwd = context.cwd
        self.at_work = context.at_work
        self.begun = context.begun or context.at_work
        self.search = context.search
        self.moment = context.moment
        self.later = bool(context.said)
        self.quoted = quoted(context.message)
        self.command = command_name(context.message)

    def part(self, name: str) -> dict[str, float]:
        """Return the terms of the part `name` of PARTS, each with its share of the part; empty when the part is."""
        found = self._parts.get(name)
        if found is None:
            _, source, fading, _, _ = next(row for row in PARTS if row[0] == name)
            found = self._parts[name] = _terms(source(self._context), fading)
            if name == "message":
                for term in self.empty & found.keys():
                    del found[term]
                for term in {term for phrase in self.quoted for term in terms(phrase)} & found.keys():
                    found[term] *= QUOTED
        return found

    def about(self, message: str) -> Query:
        """Return the query of another message in the same conversation."""
        whole = self._context
        return Query(
            Context(
                message, whole.said, whole.touched, whole.commands, whole.results, whole.opened, whole.cwd,
                whole.branch, whole.now, begun=whole.begun, search=whole.search,
                moment=whole.moment,
            )
        )  # fmt: skip

    @property
    def empty(self) -> set[str]:
        """The terms of the message that are function words of its language."""
        if self._empty is None:
            self._empty = function_terms(self.message)
        return self._empty

    def mend(self, mended: dict[str, str]) -> Query:
        """Return the query with these terms of the message replaced by others."""
        other = Query(self._context)
        other.mended = mended
        other.near = self.near
        other._empty = self._empty
        message: dict[str, float] = {}
        other._parts = {**self._parts, "message": message}
        for term, weight in self.part("message").items():
            term = mended.get(term, term)  # noqa: PLW2901 (as it is taken)
            message[term] = message.get(term, 0.0) + weight
        return other

    def weigh(self, share: float = 1.0) -> tuple[dict[str, float], dict[str, float]]:
        """Return term -> weight over all parts, for scoring text; and term -> weight for scoring names.

        The conversation is weighed `share` times what PARTS says. The terms of a part share its weight, however long
        its texts are; a term of several parts gets a share of each. For names, 1 is a term of a part that counts 1. The
        message's terms alone keep the order that plain counts give them.
        """
        weights: dict[str, float] = {}
        names: dict[str, float] = {}
        for part, _, _, of_text, of_name in PARTS:
            factor = 1.0 if part in OWN else share
            found = self.part(part) if factor else None
            if not found:
                continue
            each = factor * of_text / sum(found.values())
            of_name *= factor  # noqa: PLW2901 (as far as it is heard)
            for term, weight in found.items():
                if each:
                    weights[term] = weights.get(term, 0.0) + each * weight
                if of_name:
                    names[term] = names.get(term, 0.0) + of_name * min(weight, 1.0)
        return weights, names


def query(context: Context) -> Query:
    """The query of a context; the same function for hook, command line and bench."""
    return Query(context)


def _terms(texts: Sequence[str], fading: float) -> dict[str, float]:
    """Term -> weight: the root of how often, so that a log's repeated word does not drown the rest; faded with age."""
    found: dict[str, float] = {}
    weight = 1.0
    for text in list(texts)[: -_TEXTS * 5 - 1 : -1]:
        if weight < FAINT:
            break
        counts: dict[str, int] = {}
        for term in terms(text.replace(MASK, " ")):
            counts[term] = counts.get(term, 0) + 1
        for term, count in counts.items():
            found[term] = found.get(term, 0.0) + weight * count**FREQUENCY_POWER
        weight *= fading
    return found


def quoted(message: str) -> tuple[str, ...]:
    """The phrases that the message has in double quotes, typographic quotes or backticks, in order, each once."""
    found: dict[str, None] = {}
    for opening, closing in (('"', '"'), ("“", "”"), ("„", "“"), ("`", "`"), ("«", "»")):
        at = message.find(opening)
        while at >= 0:
            end = message.find(closing, at + 1)
            if end < 0:
                break
            phrase = message[at + 1 : end].strip(opening + closing + " ")
            if 1 < len(phrase) <= 120 and "\n" not in phrase:
                found[phrase] = None
            at = message.find(opening, end + 1)
    return tuple(found)
