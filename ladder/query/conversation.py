"""How much the conversation counts in a search beside the message: less the clearer the message is by itself.

"Go on with what you proposed" means what was said before; "which port does the relay use?" means the relay, whatever
the session was busy with. The more of the message's words are rare in the notes, the less the conversation counts,
unless the message points back before it says anything ("and how long is that valid?"). When the conversation counted
in full, a clear question in the middle of other work was answered half as often as the same question alone
(docs/decisions, 045).
"""

from __future__ import annotations

from ladder.lean.math import log1p
from ladder.ranking.weights import HEARD_LEAST, HEARD_POINTING, HEARD_WORDS
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query

#: A word that points back means what was said before when fewer than _BEFORE words with a meaning of their own precede
#: it; after these it means them ("I dumped the note and it lost its keys").
_BEFORE = 3
_POINT = """
it its that this those these them they there one ones same again he him she her
es dies diese dieser dieses diesen davon damit dabei dafür daran darin dazu dort denselben dasselbe dieselbe
eso esto esa ese esos esas aquello ello ahí allí mismo misma
ça cela ceci celui celle ceux celles là lui même
"""
_GO_ON = """
and also then ok okay so but now next or yes no go continue und auch dann aber jetzt oder ja nein weiter
y también entonces pero ahora sí et aussi alors mais maintenant oui non
"""
#: Words that point back, in several languages, without those that are also articles; and words that continue what was
#: said when they begin a message.
_BACK = frozenset(_POINT.split())
_ON = frozenset(_GO_ON.split())
_EDGE = "()[]{}<>\"'`*,;:!?.¿¡…"
#: Terms that are looked up at once, and words that are searched for one that points back.
_STEP = 24


def heard(index: Index, query: Query) -> float:
    """Return the share of its weight that the conversation keeps in this search, in [0, 1].

    It keeps all before a tool call, where what the agent says and does tells what it looks for. Of a slash command
    only the arguments count as words of the message.
    """
    if query.begun:
        return 1.0
    asked = list(query.part("message"))
    message = query.message
    if query.command:
        message = " ".join(message.split(None, 1)[1:])
        asked = list(dict.fromkeys(terms(message)))
    enough = HEARD_POINTING if points_back(message) else HEARD_WORDS
    top = log1p((index.count - 0.5) / 1.5)
    said = 0.0
    known = 0
    for at in range(0, len(asked), _STEP):
        step = asked[at : at + _STEP]
        index.paragraph_counts(step)  # reads them all at once
        for term in step:
            if index.df(term)[0]:
                said += min(1.0, index.idf(term) / top)
                known += 1
        if said * HEARD_LEAST > enough:
            return 0.0
    share = enough / said if said > enough else 1.0
    if enough == HEARD_WORDS and known > 1:
        share = min(share, 1 / known)  # also where all of them are common in these notes
    return share if share >= HEARD_LEAST else 0.0


def points_back(message: str) -> bool:
    """Whether `message` goes on from what was said before: by its first word, or by a word that points back early."""
    said = 0
    for i, raw in enumerate(message.split(None, _STEP)[:_STEP]):
        word = raw.strip(_EDGE).lower()
        if word in _BACK or (not i and word in _ON):
            return True
        said += bool(terms(word))
        if said == _BEFORE:
            break
    return False
