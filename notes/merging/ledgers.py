"""Two versions of a note's ledger into one: every line of both stays as it is, and a line joins the branches. Pure."""

from notes.merging.sequence import Item, merged, newest_first
from notes.writing.joined import join, laid_out
from notes.writing.ledger import MARKS, Ledger, read_ledger, written
from notes.writing.record import Record


def merge_ledgers(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """The lines of `ours` and those that `theirs` added since `base`, branches in one piece, with what joins them.

    The result does not depend on which side is which. Lines that were added behind others that are not here, as a
    cherry-pick brings them, come as one line of their own that follows from what is here. A line that `theirs` took
    out, as a revert does, stays: a ledger only grows.
    """
    if ours == theirs or _lines(theirs) <= _lines(ours):
        return ours
    if _lines(ours) <= _lines(theirs):
        return theirs
    here, there, before = read_ledger(ours), read_ledger(theirs), read_ledger(base)
    if any(fault.endswith("is not judged") for fault in (*here.faults, *there.faults)):
        return _ended(ours) + b"".join(
            line + b"\n" for line in theirs.split(b"\n") if line and line not in _lines(ours)
        )
    known = {r.key for r in here.records}
    new = [r for r in there.records if r.key not in known | {b.key for b in before.records}]
    present = {r.key for r in there.records}
    picked: list[Record] = []
    records = list(here.records)
    away: set[str] = set()
    for record in new:
        if any((p in present and p not in known) or p in away for p in record.parents):
            away.add(record.key)
            picked.append(record)
        else:
            records.append(record)
            known.add(record.key)
    if picked and (line := _picked(records, before, there)):
        records = list(read_ledger(_file(records) + line).records)
    last = join(records)
    if last is not None and not last.key:
        prev = next(r for r in records if r.key == last.previous)
        line = written(last.number, last.time, "join", prev, last.head, last.entries, {}, beside=last.beside)
        records = list(read_ledger(_file(records) + line).records)
    odd = [line for line in dict.fromkeys((*ours.split(b"\n")[:-1], *theirs.split(b"\n")[:-1])) if line.strip()]
    good = {r.line for r in (*records, *there.records)}
    rest = [line for line in odd if line.removesuffix(b"\r") not in good and not line.startswith(MARKS)]
    return _file(laid_out(records)) + b"".join(line + b"\n" for line in rest)


def _picked(records: list[Record], before: Ledger, there: Ledger) -> bytes:
    """The line that brings what `there` has since `before` to what `records` know; empty when that is nothing."""
    last, new, old = join(records), there.last, before.last
    assert new is not None  # it has lines that `before` has not
    had = {e[2] for e in old.entries} if old else set()
    ours = last.entries if last else ()
    here = {e[2] for e in ours}
    theirs = [e for e in new.entries if e[2] in here or e[2] not in had]
    of = {e[2]: e for e in (*theirs, *ours)}
    days = [[e[0] for e in each] for each in (old.entries if old else (), ours, new.entries)]
    order = merged(
        [Item(e[2], e[0]) for e in ours],
        [Item(e[2], e[0]) for e in theirs],
        falling=newest_first(days[0], days[1], days[2]),
    )
    head = new.head if last is None or old is None or new.head != old.head else last.head
    told = {key for r in records for key in r.texts}
    texts = {e[2]: text for e in theirs if e[2] not in told and (text := there.text(e[2])) is not None}
    former = {r.head for r in there.records if r.key not in {b.key for b in before.records}} - {head}
    if last and head == last.head and not texts and len(order) == len(ours) and not former:
        return b""
    if last is None:
        return written(1, new.time, "picked", None, head, [of[i.key] for i in order], texts)
    prev, beside = (last, ()) if last.key else (next(r for r in records if r.key == last.previous), last.beside)
    entries = [of[item.key] for item in order]
    return written(last.number + 1, new.time, "picked", prev, head, entries, texts, beside=beside)


def _file(records: list[Record]) -> bytes:
    return b"".join(record.line + b"\n" for record in records)


def _ended(data: bytes) -> bytes:
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _lines(data: bytes) -> set[bytes]:
    return {line.removesuffix(b"\r") for line in data.split(b"\n") if line.strip()}
