"""Notes that are named: outright by the message, or by words of the conversation that are words of their name."""

from __future__ import annotations

from ladder.index.format import term_hash
from ladder.index.name_table import fold_name
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.survey import Scene

#: A name that this many notes bear is a word, not a name.
_MOST = 3
#: Words of a message that are looked at; a longer one is a pasted text.
_WORDS = 400
#: Notes whose names are compared: those that the signals before this one put first.
_COMPARED = 64
#: Wiki links that are looked at, and words of a message that may be a name as a whole: each look searches all names.
_LINKS = 20
_WHOLE = 4
#: A folder of more notes says nothing about any of them.
_FOLDER = 200
#: What stands round a name in a message; `@` is how clients write a file that the user points at.
_EDGE = "()[]{}<>\"'`*,;:!?@"


def _words(scene: Scene) -> list[str]:
    """The message's first words, as they stand."""
    return scene.query.message.split(None, _WORDS)[:_WORDS]


def _phrases(scene: Scene) -> list[str]:
    """What the message has in quotes or as a wiki link; all of it, if it is a search or nothing but stop words."""
    message = scene.query.message
    found = list(scene.query.quoted)
    for linked in message.split("[[")[1:_LINKS]:
        name, closed, _ = linked.partition("]]")
        if closed:
            found.append(name.partition("|")[0].partition("#")[0].strip())
    whole = message.strip(_EDGE + ". \n")
    words = whole.split(None, _WHOLE)
    if len(words) <= _WHOLE and (scene.query.search or not terms(whole)):  # a message's terms are looked for
        found += [whole, "-".join(words), "_".join(words)]
    return [phrase for phrase in found if phrase]


def named_notes(scene: Scene) -> dict[int, float]:
    """1 for each note that a path or name in the message means; a bare word must look like a name to count."""
    found: dict[int, float] = {}
    for raw in _words(scene):
        word = raw.strip(_EDGE).partition("#")[0].rstrip(".")
        if len(word) < 3 or word.isalnum():
            continue
        notes = scene.index.find(word)
        if len(notes) <= _MOST:
            for n in notes:
                found[n] = 1.0
    for phrase in _phrases(scene):
        notes = scene.index.find(phrase)
        if len(notes) <= _MOST:
            for n in notes:
                found[n] = 1.0
    return found


def attached(scene: Scene) -> set[int]:
    """The notes that the message points at with `@`: clients put such a file before the agent by themselves."""
    found: set[int] = set()
    if "@" in scene.query.message:
        for raw in _words(scene):
            path = raw.lstrip("([{<\"'`*")
            if path[:1] == "@":
                notes = scene.index.find(path.strip(_EDGE).partition("#")[0].rstrip("."))
                if len(notes) == 1:
                    found.add(notes[0])
    return found


def in_folder(scene: Scene) -> dict[int, float]:
    """For each folder that the message names (`docs/adr/`), its notes: 1 for a single one, less for each of many."""
    found: dict[int, float] = {}
    if "/" not in scene.query.message:
        return found
    for raw in _words(scene):
        path = raw.strip(_EDGE).rstrip(".")
        folder = fold_name(path).strip("/")
        if "/" not in path[1:] or "://" in path or not folder:
            continue
        notes = scene.index.named_like("\0" + folder + "/") or scene.index.named_like("/" + folder + "/")
        if len(notes) <= _FOLDER:
            for n in notes:
                found[n] = max(found.get(n, 0.0), len(notes) ** -0.5)
    return found


def name_words(scene: Scene) -> dict[int, float]:
    """How much of a note's name the conversation has said: the idf of the name's terms, each as far as it was said."""
    said = scene.names
    if not said:
        return {}
    index = scene.index
    weights = {term_hash(term): weight for term, weight in said.items()}
    found: dict[int, float] = {}
    for n in index.named_among(scene.first(_COMPARED), weights):
        whole = heard = 0.0
        for key, idf in index.name_terms(n):
            whole += idf
            if key in weights:
                heard += idf * weights[key]
        if heard:
            found[n] = heard / whole
    return found


def name_terms(name: str) -> list[str]:
    """The distinct terms of a note's name, cut at every mark."""
    return list(dict.fromkeys(terms("".join([char if char.isalnum() else " " for char in name]))))


class InView:
    """Notes that the agent has before it anyway: those read in this session, and the slash command's own text.

    Asked of a few notes (`n in …`). Looking up what each path means would search all names once a path, 50 ms after a
    hundred paths in ten thousand notes; so it is done for those alone that may mean the note at hand.
    """

    __slots__ = ("_command", "_index", "_means", "_paths")

    def __init__(self, scene: Scene) -> None:
        self._index = index = scene.index
        #: last part -> the paths read that end in it, folded; and the notes that these mean, once they were asked for
        self._paths: dict[str, list[str]] = {}
        self._means: dict[str, set[int]] = {}
        for path in scene.query.opened:
            whole = fold_name(path)
            self._paths.setdefault(whole.rpartition("/")[2], []).append(whole)
        self._command: set[int] = set()
        if scene.query.command:
            wanted = "commands/" + scene.query.command.strip("/").replace(":", "/")
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
