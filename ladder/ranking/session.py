"""Features of the session: notes beside those it has read, notes that changed lately.

Their values are absolute, not relative to the best one: where nothing near was read, or nothing changed, no note is
lifted.
"""

from __future__ import annotations

from ladder.index.name_table import fold_name
from ladder.query.dates.calendar import day_begins
from ladder.ranking.weights import CHANGED_BARE, CHANGED_DAYS, NEXT_GOING, NEXT_STEPS, READ_FADING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.ranking.search import Search

#: Notes read last whose neighbours are lifted.
_READ = 6
#: A folder or a file name of more notes says nothing about any of them.
_MANY = 200
#: The value of a note that is next in both rows.
_BOTH = 2 * NEXT_STEPS[0] * NEXT_GOING
#: A change counts for nothing after this multiple of CHANGED_DAYS.
_FADED = 5


def opened_notes(index: Index, query: Query) -> list[int]:
    """Return the notes that the session has read, the last one first, at most six."""
    found: dict[int, None] = {}
    for path in reversed(list(query.opened)[-2 * _READ :]):
        n = note_of_path(index, path)
        if n >= 0:
            found[n] = None
    return list(found)[:_READ]


def note_of_path(index: Index, path: str) -> int:
    """The note that a logged path means: the longest ending of it that is a note's name; -1 when none is.

    The log may be of another machine or of a worktree, so what stands before the note's name can be anything. A name
    without a folder must stand right under the project's.
    """
    parts = [part for part in fold_name(path).split("/") if part]
    names = index.names_ending(parts[-1]) if parts else []
    for i in range(max(0, len(parts) - 8), len(parts) if names else 0):
        wanted = "/".join(parts[i:])
        found = {n for name, n in names if name == wanted}
        if len(found) == 1:
            return found.pop()
    return -1


def same_folder(search: Search) -> dict[int, float]:
    """1 for the note beside the one read last, less for older ones and for a folder of many notes."""
    found: dict[int, float] = {}
    weight = search.heard
    for n in search.opened:
        folder, slash, _ = fold_name(search.index.note(n).name).rpartition("/")
        if slash:
            beside = [m for m in search.index.named_like("\0" + folder + "/") if m != n]
            beside = [m for m in beside if fold_name(search.index.note(m).name).rpartition("/")[0] == folder]
            if len(beside) < _MANY:
                for m in beside:
                    found[m] = max(found.get(m, 0.0), weight / (1 + len(beside)) ** 0.5)
        weight *= READ_FADING
    return found


def next_in_line(search: Search) -> dict[int, float]:
    """The next note, and less the ones behind it, of a folder or file name whose notes are read one after the other.

    More where the two notes read last already follow one another so; 1 is the next of both rows, going on.
    """
    opened = search.opened
    found: dict[int, float] = {}
    if not opened:
        return found
    last, before = opened[0], opened[1] if len(opened) > 1 else -1
    folder, _, own = fold_name(search.index.note(last).name).rpartition("/")
    beside = search.index.named_like("\0" + folder + "/") if folder else []
    beside = [m for m in beside if fold_name(search.index.note(m).name).rpartition("/")[0] == folder]
    alike = search.index.named_like("/" + own + "\0")
    for row in (beside, alike):
        if len(row) < _MANY:
            ahead = [m for m in row if m > last and m not in opened][: len(NEXT_STEPS)]
            going = NEXT_GOING if before in row and before < last else 1.0
            for m, share in zip(ahead, NEXT_STEPS):  # noqa: B905 (there may be fewer)
                found[m] = found.get(m, 0.0) + search.heard * share * going / _BOTH
    return found


def changed_lately(search: Search, nearest: list[int], words: dict[int, float]) -> dict[int, float]:
    """How well the `words` of a near note that changed just now fit (1 for the best), 1 / e of it three days later.

    What is worked on is looked at again, but that a note was edited today must not put it before one that answers.
    """
    now = day_begins(search.query.now)
    if not now:
        return {}
    found = {}
    share = 1.0 if search.query.later or search.query.at_work else CHANGED_BARE
    for n in nearest:
        changed = search.index.changed(n)
        if changed > 0:
            days = max(0.0, (now - changed) / 86400.0)
            if days < _FADED * CHANGED_DAYS:
                found[n] = share * words.get(n, 0.0) * 2.718281828 ** (-days / CHANGED_DAYS)
    return found
