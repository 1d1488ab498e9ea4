"""Notes that are named: outright by the message, or by words of the conversation that are words of their name."""

from __future__ import annotations

from ladder.index.format import term_hash
from ladder.index.name_table import fold_name
from ladder.query.parts import NAMES_WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.search import Search

#: A name that this many notes bear is a word, not a name.
_MOST = 3
#: Words of a message that are looked at; a longer one is a pasted text.
_WORDS = 400
#: Wiki links that are looked at, and words of a message that may be a name as a whole: each look searches all names.
_LINKS = 20
_WHOLE = 4
#: The same of a message of function words alone, which nothing else leads to: a title such as "To be or not to be".
_WHOLE_EMPTY = 16
#: A folder of more notes says nothing about any of them.
_FOLDER = 200
#: What stands round a name in a message; `@` is how clients write a file that the user points at.
EDGE = "()[]{}<>\"'`*,;:!?@"


def words_of(search: Search) -> list[str]:
    """The message's first words, as they stand."""
    return search.query.message.split(None, _WORDS)[:_WORDS]


def _phrases(search: Search) -> list[str]:
    """What the message has in quotes or as a wiki link; all of it, if it is a search or nothing but function words."""
    message = search.query.message
    found = list(search.query.quoted)
    for linked in message.split("[[")[1:_LINKS]:
        name, closed, _ = linked.partition("]]")
        if closed:
            found.append(name.partition("|")[0].partition("#")[0].strip())
    whole = message.strip(EDGE + ". \n")
    words = whole.split(None, _WHOLE_EMPTY)
    empty = not search.query.part("message")
    if len(words) <= (_WHOLE_EMPTY if empty else _WHOLE) and (search.query.search or empty):
        # Of any other message its terms are looked for. A title may end in a mark that the message has, or has not.
        written = " ".join(words)
        found += [written, "-".join(words), "_".join(words), *[written + mark for mark in "?!." if empty]]
    return [phrase for phrase in found if phrase]


def named_notes(search: Search) -> dict[int, float]:
    """1 for each note that a path or name in the message means; a bare word must look like a name to count."""
    found: dict[int, float] = {}
    for raw in words_of(search):
        word = raw.strip(EDGE).partition("#")[0].rstrip(".")
        if len(word) < 3 or word.isalnum():
            continue
        notes = search.index.find(word)
        if len(notes) <= _MOST:
            for n in notes:
                found[n] = 1.0
    for phrase in _phrases(search):
        notes = search.index.find(phrase)
        if len(notes) <= _MOST:
            for n in notes:
                found[n] = 1.0
    return found


def in_folder(search: Search) -> dict[int, float]:
    """For each folder that the message names (`docs/adr/`), its notes: 1 for a single one, less for each of many."""
    found: dict[int, float] = {}
    if "/" not in search.query.message:
        return found
    for raw in words_of(search):
        path = raw.strip(EDGE).rstrip(".")
        folder = fold_name(path).strip("/")
        if "/" not in path[1:] or "://" in path or not folder:
            continue
        notes = search.index.named_like("\0" + folder + "/") or search.index.named_like("/" + folder + "/")
        if len(notes) <= _FOLDER:
            for n in notes:
                found[n] = max(found.get(n, 0.0), len(notes) ** -0.5)
    return found


def name_words(search: Search, nearest: list[int], _words: dict[int, float]) -> dict[int, float]:
    """How much of a near note's name the conversation has said: the idf of its terms, each as far as it was said."""
    said = search.names
    if not said:
        return {}
    index = search.index
    weights = {term_hash(term): weight / NAMES_WHOLE for term, weight in said.items()}
    found: dict[int, float] = {}
    for n in index.named_among(nearest, weights):
        whole = heard = 0.0
        for key, idf in index.name_terms(n):
            whole += idf
            if key in weights:
                heard += idf * weights[key]
        if heard:
            found[n] = heard / whole
    return found
