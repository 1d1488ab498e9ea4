"""What happened to a note's entries since somebody last took them as they are: changed, removed, moved. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from notes.markdown.model import Note
from notes.writing.joined import Graph
from notes.writing.ledger import Ledger, dated, digest, plain_text


class Change(NamedTuple):
    """Something that happened to an entry that only grows."""

    kind: str
    """changed, removed, moved."""
    date: str
    slug: str
    since: str
    """When the entry was last seen as it should be, UTC."""
    was: str
    now: str
    """The entry's text then and now; empty when removed."""


def changes(ledger: Ledger, note: Note) -> list[Change]:
    """What happened to the entries since somebody last took them as they are, against the note as it is.

    New entries are no change, nor is one whose text still stands in the note, as no entry of its own.
    """
    last = ledger.last
    if last is None:
        return []
    now = [(e.date.isoformat() if e.date else "", e.slug, plain_text(note.text(e.span))) for e in dated(note)]
    hashes = [digest(text) for _, _, text in now]
    there = Counter(hashes)
    known = Counter(e[2] for e in last.entries)
    strangers = [(date, slug, text) for (date, slug, text), h in zip(now, hashes, strict=True) if h not in known]
    found: list[Change] = []
    graph = Graph(ledger.records)
    whole = plain_text(note.data.decode("utf-8", "replace"))
    for date, slug, key in (*last.entries, *_written_over(ledger, graph)):
        if there[key] > 0:
            there[key] -= 1
            continue
        was = ledger.text(key) or ""
        if was and was in whole:
            continue
        successor = next((s for s in strangers if s[0] == date and s[1] == slug), None)
        successor = successor or next((s for s in strangers if s[0] == date or s[1] == slug), None)
        if successor:
            strangers.remove(successor)
        elif key not in known:  # what took its place was seen since
            successor = next((n for n in now if n[0] == date and n[1] == slug), None)
        kind = "changed" if successor else "removed"
        found.append(Change(kind, date, slug, _last_seen(ledger, key), was, successor[2] if successor else ""))
    if (place := _moved(graph, hashes)) is not None:
        date, slug, key = place
        text = ledger.text(key) or ""
        found.append(Change("moved", date, slug, _last_seen(ledger, key), text, text))
    return found


def _moved(graph: Graph, hashes: list[str]) -> tuple[str, str, str] | None:
    """The first entry that stands in another place than before: on each side of a join, against that side's order."""
    for side in (side for end in graph.ends for side in graph.sides(end)):
        kept = Counter(hashes) & Counter(e[2] for e in side.entries)
        before, after = _kept([e[2] for e in side.entries], kept), _kept(hashes, kept)
        moved = next((k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b), None)
        if moved is not None:
            return next(e for e in side.entries if e[2] == before[moved])
    return None


def _written_over(ledger: Ledger, graph: Graph) -> list[tuple[str, str, str]]:
    """Entries that the newest record does not hold: a later write found them changed or gone, and went on."""
    assert ledger.last is not None  # changes() looked
    known = {e[2] for e in ledger.last.entries}
    found: dict[str, tuple[str, str, str]] = {}
    for record in reversed(ledger.records):
        found.update({e[2]: e for e in record.entries if e[2] not in known and e[2] not in found})
    return [entry for key, entry in found.items() if not graph.settled(key)]


def _kept(hashes: Iterable[str], kept: Counter[str]) -> list[str]:
    left = Counter(kept)
    out = []
    for h in hashes:
        if left[h] > 0:
            left[h] -= 1
            out.append(h)
    return out


def _last_seen(ledger: Ledger, key: str) -> str:
    return next((r.time for r in reversed(ledger.records) if any(e[2] == key for e in r.entries)), "")
