"""Which history entries keep being the answer: they belong in the head, where they are read first.

Proposals come from what past sessions were answered with. What a promotion would have gained is replayed by a split in
time: entries that the earlier sessions used are lifted, the later sessions' questions are asked of both stores. Nothing
is written here.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.answer import answer
from ladder.build import build_from_bytes
from ladder.cold import open_index
from ladder.context import Context, query
from ladder.costs import count
from notes import parse
from notes.edit import with_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.cold import Index
    from notes import Entry, Note

#: Turns in which an entry must have been the answer.
LEAST = 2
#: Of the sessions, in order of time, the share that is earlier.
EARLIER = 0.5
#: Tokens that the replayed questions are answered with.
REPLAYED_AT = 1000


@dataclass(frozen=True, slots=True)
class Use:
    """A turn that a note answered."""

    session: str
    turn: str
    time: str
    """ISO."""
    note: str
    """Its name."""
    lines: tuple[str, ...]
    """The lines that came back in the reply."""
    context: Mapping[str, Any]
    """What was known when the message came, with the keys of ladder.context.Context."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """An entry that may be lifted into its note's head."""

    note: str
    slug: str
    text: str
    """What would stand in the head."""
    cost: int
    """Tokens of that text: what every reading of the head costs more."""
    earlier: int
    """Turns of earlier sessions that it answered."""
    later: int
    """Turns of later sessions that it answered."""
    gained: int | None
    """Of the later ones, how many more are answered within REPLAYED_AT tokens once it is lifted (fewer: negative);
    None when the earlier sessions alone would not have proposed it."""


def promotions(uses: Sequence[Use], notes: Mapping[str, bytes], *, least: int = LEAST) -> list[Promotion]:
    """Return what to lift, most used first; `notes` is name -> content as it is today."""
    parsed = {name: parse(notes[name], name + ".md") for name in {use.note for use in uses} if name in notes}
    early = _earlier_sessions(uses)
    turns: dict[tuple[str, str], dict[str, bool]] = {}
    entries: dict[tuple[str, str], Entry] = {}
    for use in uses:
        note = parsed.get(use.note)
        for entry in _entries_with(note, use.lines) if note else []:
            key = (use.note, entry.slug)
            entries[key] = entry
            turns.setdefault(key, {})[use.turn] = use.session in early
    kept = {key: found for key, found in turns.items() if len(found) >= least}
    lifted = {key for key, found in kept.items() if sum(found.values()) >= least}
    gains = _replayed([use for use in uses if use.session not in early], notes, parsed, entries, lifted)
    made = []
    for key, found in kept.items():
        text = lifted_text(parsed[key[0]], entries[key])
        earlier = sum(found.values())
        made.append(
            Promotion(key[0], key[1], text, count(text), earlier, len(found) - earlier, gains.get(key)),
        )
    return sorted(made, key=lambda each: (-each.earlier - each.later, each.note, each.slug))


def lifted_text(note: Note, entry: Entry) -> str:
    """Return an entry as a paragraph of the head: its day, then its words without heading or list marks."""
    lines = note.text(entry.span).strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = lines[0].lstrip("#-*+ ").strip()
    rest = [line.strip() for line in lines[1:] if line.strip()]
    return "\n".join([f"{first}:" if lines[0].startswith("#") and rest else first, *rest])


def head_with(note: Note, text: str) -> str:
    """Return the note's head with `text` as its last paragraph."""
    head = note.text(note.head).strip()
    return f"{head}\n\n{text}\n" if head else f"{text}\n"


def _earlier_sessions(uses: Sequence[Use]) -> set[str]:
    begun: dict[str, str] = {}
    for use in uses:
        begun[use.session] = min(begun.get(use.session, use.time), use.time)
    order = sorted(begun, key=lambda session: (begun[session], session))
    return set(order[: round(len(order) * EARLIER)])


def _entries_with(note: Note, lines: Sequence[str]) -> list[Entry]:
    """The innermost entries in which one of the lines stands."""
    found = []
    for line in lines:
        holding = [entry for entry in note.entries if line in note.text(entry.span)]
        if holding:
            found.append(min(holding, key=lambda entry: entry.span.end - entry.span.start))
    return list(dict.fromkeys(found))


def _replayed(
    later: Sequence[Use],
    notes: Mapping[str, bytes],
    parsed: Mapping[str, Note],
    entries: Mapping[tuple[str, str], Entry],
    lifted: set[tuple[str, str]],
) -> dict[tuple[str, str], int]:
    """For each lifted entry, how many more of the later uses of it are answered with it in the head."""
    if not lifted:
        return {}
    after = dict(notes)
    for name, slug in sorted(lifted):
        note = parse(after[name], name + ".md")
        after[name] = with_head(note, head_with(note, lifted_text(parsed[name], entries[name, slug]))).data
    gains = dict.fromkeys(lifted, 0)
    with tempfile.TemporaryDirectory(prefix="ladder-", ignore_cleanup_errors=True) as folder:
        stores = []
        for number, store in enumerate((notes, after)):
            build_from_bytes(store, Path(folder) / str(number))
            stores.append((open_index(str(Path(folder) / str(number))), store))
        for use in later:
            held = parsed.get(use.note)
            keys = [(use.note, entry.slug) for entry in _entries_with(held, use.lines)] if held else []
            keys = [key for key in keys if key in lifted]
            if keys:
                before, now = [_answers(index, store, use) for index, store in stores]
                for key in keys:
                    gains[key] += now - before
        for index, _ in stores:
            index.close()
    return gains


def _answers(index: Index, store: Mapping[str, bytes], use: Use) -> bool:
    block = answer(index, query(Context(**use.context)), REPLAYED_AT, read=lambda n: store.get(index.note(n).name))
    return any(line in block.text for line in use.lines)
