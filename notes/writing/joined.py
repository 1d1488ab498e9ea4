"""A ledger whose lines branched, as git's branches do: which lines end a branch, and the record that joins them. Pure.

A record follows one line or, where branches come together, several. What a joined state is follows from the branches
alone, so that two people who join the same ones get the same line.
"""

import heapq
from collections.abc import Iterator, Sequence

from notes.merging.sequence import Item, merged, newest_first
from notes.writing.record import Record

#: After these a person has taken the entries as they are.
TAKEN = ("accepted", "restored", "gone")


def _is_chain(records: Sequence[Record]) -> bool:
    return all(not r.beside and r.previous == (records[n - 1].key if n else "") for n, r in enumerate(records))


def in_order(records: Sequence[Record]) -> list[Record]:
    """The records, each behind those that it follows; of branches the older first."""
    if _is_chain(records):
        return list(records)
    keys = [r.key for r in records]
    at = {key: n for n, key in enumerate(keys)}
    waits = [sum(p in at for p in set(r.parents)) for r in records]
    children: list[list[int]] = [[] for _ in records]
    for n, record in enumerate(records):
        for parent in set(record.parents):
            if parent in at:
                children[at[parent]].append(n)
    ready = [(r.time, r.number, keys[n], n) for n, r in enumerate(records) if not waits[n]]
    heapq.heapify(ready)
    found: list[Record] = []
    while ready:
        n = heapq.heappop(ready)[3]
        found.append(records[n])
        for child in children[n]:
            waits[child] -= 1
            if not waits[child]:
                heapq.heappush(ready, (records[child].time, records[child].number, keys[child], child))
    return found


def laid_out(records: Sequence[Record]) -> list[Record]:
    """The records as they are written: in the order of `in_order`, but each branch in one piece."""
    records = in_order(records)
    keys = [r.key for r in records]
    at = {key: n for n, key in enumerate(keys)}
    waits = [sum(p in at for p in set(r.parents)) for r in records]
    children: list[list[int]] = [[] for _ in records]
    for n, record in enumerate(records):
        for parent in set(record.parents):
            if parent in at:
                children[at[parent]].append(n)
    stack = [n for n in reversed(range(len(records))) if not waits[n]]
    found: list[Record] = []
    while stack:
        n = stack.pop()
        found.append(records[n])
        for child in reversed(children[n]):
            waits[child] -= 1
            if not waits[child]:
                stack.append(child)
    return found


class Graph:
    """Which record of a ledger stands before which; `records` are in the order of `in_order`."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        keys = [r.key for r in records]
        self.at = {key: n for n, key in enumerate(keys)}
        self.parents = [[self.at[p] for p in dict.fromkeys(r.parents) if p in self.at] for r in records]
        followed = {p for ps in self.parents for p in ps}
        self.ends = [n for n in range(len(records)) if n not in followed]
        self.masks: list[int] = []
        """Of each record those before it and itself, a bit each."""
        self.begun: dict[str, list[int]] = {}
        """Of each entry's hash, the records that hold it and follow none that does."""
        for n, record in enumerate(records):
            mask = 1 << n
            known: set[str] = set()
            for parent in self.parents[n]:
                mask |= self.masks[parent]
                known.update(e[2] for e in records[parent].entries)
            self.masks.append(mask)
            for key in {e[2] for e in record.entries} - known:
                self.begun.setdefault(key, []).append(n)

    def begun_within(self, mask: int) -> set[str]:
        """The hashes of the entries that some record of `mask` holds."""
        return {key for key, begun in self.begun.items() if any(mask >> n & 1 for n in begun)}

    def settled(self, key: str) -> bool:
        """Whether every record that brought the entry in was followed by one that a person took without it."""
        taken = [n for n, r in enumerate(self.records) if r.why in TAKEN and key not in {e[2] for e in r.entries}]
        return all(any(self.masks[t] >> b & 1 for t in taken) for b in self.begun.get(key, ()))

    def sides(self, n: int) -> Iterator[Record]:
        """The record, or of one that only joins, those that it joined: whose order was once a note's."""
        todo, seen = [n], set()
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if self.records[at].why == "join":
                todo += self.parents[at]
            else:
                yield self.records[at]


def join(records: Sequence[Record]) -> Record | None:
    """The newest record; of several branches what joins them, without a line; None when there is no record.

    Its entries are those of all branches, without what one branch left out and the others had from before; its head is
    that of the branch that changed it, of two that did the newer. Its time is the newest.
    """
    if not records:
        return None
    if _is_chain(records):
        return records[-1]
    graph = Graph(records)
    if len(graph.ends) == 1:
        return records[graph.ends[0]]
    ends = sorted(graph.ends, key=lambda n: (records[n].time, records[n].number, records[n].key))
    first = ends[0]
    head, entries, mask = records[first].head, records[first].entries, graph.masks[first]
    for n in ends[1:]:
        record = records[n]
        common = mask & graph.masks[n]
        before = records[common.bit_length() - 1] if common else None
        if record.head != head and (before is None or record.head != before.head):
            head = record.head  # the later end is the newer one
        old = [e[0] for e in before.entries] if before else []
        entries = _entries(entries, record.entries, graph.begun_within(common), old)
        mask |= graph.masks[n]
    last = records[ends[-1]]
    return Record(
        max(records[n].number for n in ends) + 1,
        last.time,
        "join",
        head,
        entries,
        {},
        last.key,
        b"",
        tuple(records[n].key for n in ends[:-1]),
    )


def _entries(
    ours: tuple[tuple[str, str, str], ...], theirs: tuple[tuple[str, str, str], ...], known: set[str], old: list[str]
) -> tuple[tuple[str, str, str], ...]:
    one, other = {e[2] for e in ours}, {e[2] for e in theirs}
    gone = frozenset(key for key in one ^ other if key in known)
    falling = newest_first(old, [e[0] for e in ours], [e[0] for e in theirs])
    of = {e[2]: e for e in (*theirs, *ours)}
    order = merged([Item(e[2], e[0]) for e in ours], [Item(e[2], e[0]) for e in theirs], gone, falling=falling)
    return tuple(of[item.key] for item in order)
