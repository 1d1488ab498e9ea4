"""Which notes the agent has in view already: those read, those attached with `@`, the text of a slash command."""

from __future__ import annotations

from ladder.index.name_table import fold_name
from ladder.ranking.names import EDGE, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.search import Search


def attached(search: Search) -> set[int]:
    """Return the notes that the message attaches with `@`: the client shows such a file to the agent by itself."""
    found: set[int] = set()
    if "@" in search.query.message:
        for raw in words_of(search):
            path = raw.lstrip("([{<\"'`*")
            if path[:1] == "@":
                notes = search.index.find(path.strip(EDGE).partition("#")[0].rstrip("."))
                if len(notes) == 1:
                    found.add(notes[0])
    return found


class InView:
    """Notes that the agent has in view already: those read in this session, and the text of the slash command.

    It is asked of a few notes (`n in …`). Resolving every path would search all names once a path (50 ms for a hundred
    paths in ten thousand notes), so only paths that may mean the note at hand are resolved.
    """

    __slots__ = ("_command", "_index", "_means", "_paths")

    def __init__(self, search: Search) -> None:
        self._index = index = search.index
        #: last part -> the paths read that end in it, folded; and the notes that these mean, once they were asked for
        self._paths: dict[str, list[str]] = {}
        self._means: dict[str, set[int]] = {}
        for path in search.query.opened:
            whole = fold_name(path)
            self._paths.setdefault(whole.rpartition("/")[2], []).append(whole)
        self._command: set[int] = set()
        if search.query.command:
            wanted = "commands/" + search.query.command.strip("/").replace(":", "/")
            self._command = {n for n in index.find(wanted) if index.note(n).name.endswith(wanted)}

    def __contains__(self, n: int) -> bool:
        if n in self._command:
            return True
        if self._paths:
            row = self._index.note(n)
            for name in (row.name, row.path, row.title, *row.aliases):
                last = fold_name(name).rpartition("/")[2]
                if last in self._paths and n in self._meant(last):
                    return True
        return False

    def _meant(self, last: str) -> set[int]:
        """The notes that the paths with this last part mean."""
        found = self._means.get(last)
        if found is None:
            names = self._index.names_ending(last)
            found = self._means[last] = set()
            for path in self._paths[last]:
                notes = _longest(path, names)
                if len(notes) == 1:
                    found |= notes
        return found


def _longest(whole: str, names: list[tuple[str, int]]) -> set[int]:
    """The notes among `names` that the longest end of a path means.

    The log has absolute paths, also of other checkouts: what stands before the note's name can be anything.
    """
    at = 0 if names else -1
    while at >= 0:
        end = whole[at:]
        notes = {n for name, n in names if name == end}
        notes = notes or {n for name, n in names if name.endswith("/" + end.lstrip("/"))}
        if notes:
            return notes
        at = whole.find("/", at) + 1 or -1
    return set()
