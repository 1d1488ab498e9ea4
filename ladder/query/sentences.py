"""The sentences of a message, and what the form of each shows: whether it asks, addresses the agent, points back.

"Which port does the relay listen on?" and "tell me the relay's port" ask for what is known; "why did you touch this
file?" asks the agent about its own work, whatever words it shares with a note.
"""

from __future__ import annotations

#: Ends of a question: the marks of Latin, Arabic, Chinese and Greek script, and last words that need no mark.
ASKED = ("?", "\u061f", "\uff1f", "\u037e")
_ASKING = ("\u304b", "\u5417", "\u55ce", "\u5462")
_ENDS = "?!.;\u061f\uff1f\u037e\u3002\uff0e\uff01"
_WIDE_ENDS = "\u061f\uff1f\u3002\uff0e\uff01"
#: First words of a question that needs no mark.
_ASK_WORDS = """
how which what why where when who whose whom is are was were does do did has have may must should what's whats how's
where's who's when's why's
wie wer wo wann warum wieso weshalb was welche welcher welches woher wohin ist sind darf muss
comment pourquoi qui que quoi quel quelle quels quelles où quand combien est-ce
cómo por qué quién cuál cuáles dónde cuándo cuánto come perché quale quali dove quando como onde qual quais hoe wat
waarom
"""
#: First words of an order for an answer.
_TELL = (
    "tell me", "show me", "give me", "remind me", "i need", "need the", "need to know", "list ", "explain", "describe",
    "look up", "find out", "sag mir", "zeig mir", "gib mir", "dis-moi", "montre-moi", "dime", "dimmi", "muéstrame",
)  # fmt: skip
#: Openings of a sentence that say nothing, and words that make an order polite.
_OPENING_WORDS = "so and ok okay but hey hi also please btw well now then und aber et mais y pero"
_POLITE = ("can you ", "could you ", "would you ", "do you know ", "kannst du ", "weißt du ", "peux-tu ", "puedes ")
#: Words that address the agent, and words that point at what both have before them.
_YOU_WORDS = """
you your yours you're you've you'd u ur du dir dich dein deine deinen deinem tu te toi ton tus ti jij je
"""
_HERE_WORDS = """
it its that this those these them they ones same again he him she her
das dies diese dieser dieses es wieder ça cela encore esto eso otra questo quello
"""
_ASK = frozenset(_ASK_WORDS.split())
_OPENING = frozenset(_OPENING_WORDS.split())
_YOU = frozenset(_YOU_WORDS.split())
_HERE = frozenset(_HERE_WORDS.split())
#: What may stand behind the mark, before the question has ended; and what tells that a word is an address or code, in
#: the middle of which a mark asks nothing: `host/path?page=2`, `reply?.body`. Characters of a word.
_BEHIND = "?!.,;:)]}>\"'*_~\u2026\u201d\u2019\u00bb"
_WORD = 200
_NO_WORD = frozenset("/\\=&%$()[]{}<>|_.:*+^#@~")
_EDGE = "()[]{}<>\"'`*,;:!?.\u00bf\u00a1\u2026"
#: Characters of a longer message that are read at its beginning and at its end: a pasted text lies between them.
LONGEST = 2000
_BEGIN, _END = 900, 400
#: The most sentences that are looked at.
_MOST = 40


class Sentence:
    """A sentence. `asks`, `to_agent` as 0 or 1, `points` how many words point, `around` the words of its paragraph."""

    __slots__ = ("around", "asks", "points", "text", "to_agent")

    def __init__(self, text: str, around: int) -> None:
        """Look at its form."""
        self.text = text
        self.around = around
        low = text.lower().strip()
        for polite in _POLITE:
            low = low.replace(polite, "")
        words = [word for word in [raw.strip(_EDGE) for raw in low.split()] if word]
        while len(words) > 1 and words[0] in _OPENING and words[0] not in _ASK:
            low = low.partition(words[0])[2].lstrip(_EDGE + " ")
            del words[0]
        bare = low.rstrip(" .\"')")
        asks = bare.endswith(ASKED) or bare.endswith(_ASKING) or (words and words[0] in _ASK) or low.startswith(_TELL)
        self.asks = 1.0 if asks else 0.0
        self.to_agent = 1.0 if any([word in _YOU for word in words]) else 0.0  # noqa: C419 (a list costs the hook less)
        self.points = sum([word in _HERE for word in words])


def sentences(message: str) -> list[Sentence]:
    """Return the sentences of `message` in order; of a long one those at its begin and at its end."""
    if len(message) > LONGEST:
        message = message[:_BEGIN] + "\n\n" + message[-_END:]
    message = "\n\n".join(as_asked(message).split("```")[::2])  # what stands in code asks nothing
    found: list[Sentence] = []
    for paragraph in message.split("\n\n"):
        around = len(paragraph.split())
        for line in paragraph.split("\n"):
            begin = at = 0
            n = len(line)
            while at < n:
                char = line[at]
                at += 1
                if char in _ENDS and (at == n or line[at] == " " or char in _WIDE_ENDS or not line[at].isascii()):
                    if line[begin:at].strip(_EDGE + " "):
                        found.append(Sentence(line[begin:at].strip(), around))
                    begin = at
            if line[begin:].strip(_EDGE + " "):
                found.append(Sentence(line[begin:].strip(), around))
            if len(found) >= _MOST:
                return found[:_MOST]
    return found


def as_asked(message: str) -> str:
    """Return `message` with `?` for each mark that ends a question, and a space for each in code or in an address."""
    if not any([mark in message for mark in ASKED]):  # noqa: C419 (a list costs the hook less)
        return message
    for mark in ASKED[1:]:
        message = message.replace(mark, ASKED[2])  # of a script in which no space need follow
    blocks = message.split("```")
    for i, block in enumerate(blocks):
        pieces = block.split("`")
        for k, piece in enumerate(pieces):
            if i % 2 or (k % 2 and k + 1 < len(pieces)):  # the last backtick may have no other
                pieces[k] = piece.replace("?", " ").replace(ASKED[2], " ")
            else:
                pieces[k] = _without_marks_in_words(piece).replace(ASKED[2], "?")
        blocks[i] = "`".join(pieces)
    return "```".join(blocks)


def _without_marks_in_words(text: str) -> str:
    """Replace each `?` inside an address or code by a space."""
    kept: list[str] = []
    begin = 0
    at = text.find("?")
    while at >= 0:
        behind = text[at + 1 : at + _WORD]
        rest = behind.lstrip(_BEHIND)[:1]
        if rest.isascii() and rest.strip():
            before = text[max(0, at - _WORD) : at]
            word = "" if before[-1:].isspace() else "".join(before.split()[-1:])
            if not _NO_WORD.isdisjoint(word + behind.split(None, 1)[0]):
                kept.append(text[begin:at])
                begin = at + 1
        at = text.find("?", at + 1)
    return " ".join([*kept, text[begin:]])
