"""A question of the benchmark: the message, the context at that moment, and the lines that answered it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from transcripts.mining.pairs import Pair

#: A pair is asked with three queries: the message; the message and all before it; the same and all before the read.
MOMENTS = ("message", "turn", "read")


@dataclass(frozen=True, slots=True)
class Question:
    """One pair, as the bench asks it. Public question sets make these too."""

    id: str
    session: str
    time: str
    """ISO date and time of the message; empty when not known."""
    text: str
    """The user's message."""
    contexts: Mapping[str, Mapping[str, Any]]
    """For each moment the context, with the keys of `ladder.query.query.Context`."""
    note: str
    """The name of the note that holds the evidence, relative to the notes root, without `.md`."""
    lines: tuple[str, ...]
    """Evidence: lines, stripped of white space at both ends. One of them in view is a hit."""
    zone: str = "body"
    level: str = "reply"
    state: str = "alive"
    client: str = ""
    """The client whose log it is from; empty in public question sets."""
    sure: float = 1.0
    """How probable it is that the agent used the line; 1 in sets that people wrote."""


#: (level, whether three uncommon words came back within one paragraph) -> the share of such lines that a judge found
#: used, unsure ones left out [F-021: 34 of 35, 3 of 10, 8 of 13, 2 of 33; F-176, a second sample: 6 of 17, 9 of 15].
PRECISION = {("reply", True): 0.97, ("reply", False): 0.3, ("wrote", True): 0.62, ("wrote", False): 0.06}


def note_name(path: str) -> str:
    """The name of a note from its path relative to the notes root: forward slashes, no `.md`, NFC."""
    name = unicodedata.normalize("NFC", path.replace("\\", "/"))
    return name.removesuffix(".md")


#: Which evidence counts: `reply`; of it only what came back within one paragraph (`close`, the surest); what came back
#: in tool inputs (`wrote`); or either (`any`).
LEVELS = ("reply", "close", "wrote", "any")


def from_pairs(pairs: Iterable[Pair], level: str = "reply", world: str = "today") -> list[Question]:
    """Questions from mined pairs, in the order given.

    With level `any` the evidence of both levels in one note is one question. Of the lines, `today` takes those that
    stand in the pair's note now (also under another heading), `as-of` takes all; a pair without lines is no question.
    """
    found: dict[tuple[str, str], Question] = {}
    for pair in pairs:
        if level != "any" and pair.level != ("reply" if level == "close" else level):
            continue
        lines = [line for line in pair.lines if world == "as-of" or line.where == pair.note]
        if level == "close":
            lines = [line for line in lines if line.close]
        if not lines:
            continue
        texts = tuple(line.text for line in lines)
        key = (pair.key, pair.note)
        before = found.get(key)
        sure = max(PRECISION[pair.level, line.close] for line in lines)
        if before is not None:
            texts = tuple(dict.fromkeys((*before.lines, *texts)))
        found[key] = Question(
            id=before.id if before else pair.id,
            session=pair.session,
            time=pair.time,
            text=pair.question,
            # Pairs that were mined before contexts told it do not say that the agent is at work before it reads.
            contexts=before.contexts
            if before
            else {moment: {"begun": moment == "read", **each} for moment, each in pair.contexts.items()},
            note=note_name(pair.note),
            lines=texts,
            zone=(before.zone if before else "") or next((line.zone for line in lines if line.zone), ""),
            level="any" if before else pair.level,
            state=before.state if before else pair.state,
            client=pair.client,
            sure=max(sure, before.sure) if before else sure,
        )
    return list(found.values())
