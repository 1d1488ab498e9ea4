"""Where the session is: notes beside those it has read, notes that changed lately.

Signals for route.py. Their values are as they are, not relative to the best: that nothing near was read, or nothing
changed, must not lift anything.
"""

from __future__ import annotations

from ladder.cold import fold_name
from ladder.dated import day_number, day_ordinal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.cold import Index
    from ladder.route import Scene

#: Notes that may have changed lately are looked for among those that the signals before put first.
_AROUND_LOOKED = 64
#: Notes read last that their neighbours are looked for, and what remains of each for the next older.
_AROUND_READ = 6
_AROUND_FADING = 0.7
#: A folder or a file name of more notes says nothing about any of them.
_AROUND_MANY = 200
#: Days in which a change's weight falls to 1 / e.
_AROUND_DAYS = 3.0


def opened_notes(scene: Scene) -> list[int]:
    """The notes that the session has read, the last one first, at most six."""
    if scene.opened is None:
        found: dict[int, None] = {}
        for path in reversed(list(scene.query.opened)[-2 * _AROUND_READ :]):
            n = note_of_path(scene.index, path)
            if n >= 0:
                found[n] = None
        scene.opened = list(found)[:_AROUND_READ]
    return scene.opened


def note_of_path(index: Index, path: str) -> int:
    """The note that a logged path means: the longest ending of it that is a note's name; -1 when none is.

    The log may be of another machine or of a worktree, so what stands before the note's name can be anything. A name
    without a folder must stand right under the project's.
    """
    parts = [part for part in fold_name(path).split("/") if part]
    for i in range(max(0, len(parts) - 8), len(parts)):
        found = index.named_like("\0" + "/".join(parts[i:]) + "\0")
        if len(found) == 1:
            return found[0]
    return -1


def same_folder(scene: Scene) -> dict[int, float]:
    """1 for the note beside the one read last, less for older ones and for a folder of many notes."""
    found: dict[int, float] = {}
    weight = 1.0
    for n in opened_notes(scene):
        folder, slash, _ = fold_name(scene.index.note(n).name).rpartition("/")
        if slash:
            beside = [m for m in scene.index.named_like("\0" + folder + "/") if m != n]
            beside = [m for m in beside if fold_name(scene.index.note(m).name).rpartition("/")[0] == folder]
            if len(beside) < _AROUND_MANY:
                for m in beside:
                    found[m] = max(found.get(m, 0.0), weight / (1 + len(beside)) ** 0.5)
        weight *= _AROUND_FADING
    return found


def same_kind(scene: Scene) -> dict[int, float]:
    """1 for a note of the same file name as the one read last, in another folder (a README after a README)."""
    found: dict[int, float] = {}
    weight = 1.0
    for n in opened_notes(scene):
        last = fold_name(scene.index.note(n).name).rpartition("/")[2]
        alike = scene.index.named_like("/" + last + "\0")
        if len(alike) < _AROUND_MANY:
            for m in alike:
                if m != n:
                    found[m] = max(found.get(m, 0.0), weight)
        weight *= _AROUND_FADING
    return found


def changed_lately(scene: Scene) -> dict[int, float]:
    """1 for a candidate that changed just now, 1 / e three days later."""
    today = day_number(scene.query.now)
    if not today:
        return {}
    now = (day_ordinal(today) - day_ordinal(19700101)) * 86400.0
    found = {}
    first = sorted(scene.totals, key=lambda n: (-sum(scene.totals[n].values()), n))[:_AROUND_LOOKED]
    for n in first:
        changed = scene.index.changed(n)
        if changed > 0:
            days = max(0.0, (now - changed) / 86400.0)
            if days < 5 * _AROUND_DAYS:
                found[n] = 2.718281828 ** (-days / _AROUND_DAYS)
    return found
