"""Where the session is: notes beside those it has read, notes that changed lately.

Signals for route.py. Their values are as they are, not relative to the best: that nothing near was read, or nothing
changed, must not lift anything.
"""

from __future__ import annotations

from ladder.index.name_table import fold_name
from ladder.query.dates.calendar import day_begins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.ranking.survey import Scene

#: Notes that may have changed lately are looked for among those that the signals before put first.
_LOOKED = 64
#: Notes read last that their neighbours are looked for, and what remains of each for the next older.
_READ = 6
_FADING = 0.7
#: A folder or a file name of more notes says nothing about any of them.
_MANY = 200
#: Days in which a change's weight falls to 1 / e.
_DAYS = 3.0
#: What a change counts for a message without a conversation: such a one says itself what it is about, or nothing does.
_BARE = 1 / 3


def opened_notes(scene: Scene) -> list[int]:
    """The notes that the session has read, the last one first, at most six."""
    if scene.opened is None:
        found: dict[int, None] = {}
        for path in reversed(list(scene.query.opened)[-2 * _READ :]):
            n = note_of_path(scene.index, path)
            if n >= 0:
                found[n] = None
        scene.opened = list(found)[:_READ]
    return scene.opened


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


def same_folder(scene: Scene) -> dict[int, float]:
    """1 for the note beside the one read last, less for older ones and for a folder of many notes."""
    found: dict[int, float] = {}
    weight = scene.heard
    for n in opened_notes(scene) if weight else ():
        folder, slash, _ = fold_name(scene.index.note(n).name).rpartition("/")
        if slash:
            beside = [m for m in scene.index.named_like("\0" + folder + "/") if m != n]
            beside = [m for m in beside if fold_name(scene.index.note(m).name).rpartition("/")[0] == folder]
            if len(beside) < _MANY:
                for m in beside:
                    found[m] = max(found.get(m, 0.0), weight / (1 + len(beside)) ** 0.5)
        weight *= _FADING
    return found


def next_in_line(scene: Scene) -> dict[int, float]:
    """Who reads the notes of a folder, or all notes of one file name, one after the other: 1 for the next, half beyond.

    Twice that when the two notes read last already follow one another so.
    """
    opened = opened_notes(scene) if scene.heard else []
    found: dict[int, float] = {}
    if not opened:
        return found
    last, before = opened[0], opened[1] if len(opened) > 1 else -1
    folder, _, own = fold_name(scene.index.note(last).name).rpartition("/")
    beside = scene.index.named_like("\0" + folder + "/") if folder else []
    beside = [m for m in beside if fold_name(scene.index.note(m).name).rpartition("/")[0] == folder]
    alike = scene.index.named_like("/" + own + "\0")
    for row in (beside, alike):
        if len(row) < _MANY:
            ahead = [m for m in row if m > last and m not in opened][:2]
            for m, share in zip(ahead, (1.0, 0.5)):  # noqa: B905 (there may be fewer)
                found[m] = found.get(m, 0.0) + scene.heard * share * (2.0 if before in row and before < last else 1.0)
    return found


def changed_lately(scene: Scene) -> dict[int, float]:
    """How well the words of a candidate that changed just now fit (1 for the best), 1 / e of it three days later.

    What is worked on is looked at again, but that a note was edited today must not put it before one that answers.
    """
    now = day_begins(scene.query.now)
    if not now:
        return {}
    found = {}
    fits = scene.added.get("words", {})
    share = 1.0 if scene.query.later or scene.query.at_work else _BARE
    for n in scene.first(_LOOKED):
        changed = scene.index.changed(n)
        if changed > 0:
            days = max(0.0, (now - changed) / 86400.0)
            if days < 5 * _DAYS:
                found[n] = share * fits.get(n, 0.0) * 2.718281828 ** (-days / _DAYS)
    return found
