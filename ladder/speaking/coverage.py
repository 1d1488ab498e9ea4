"""How likely the notes answer a message: the words of what is asked stand together in a passage, and it asks for them.

ANSWERED in weights.py is the whole of it: the log odds that a message is a question which a note answers, fitted on
plain questions against messages that need no note and real turns in which none was opened (F-109, docs/decisions
082). Words count by their rarity, one that no note holds as much as one of a single note, so that a long message
about something else, which shares a few words with some passage, does not pass.
"""

from __future__ import annotations

from ladder.lean.math import exp, log1p
from ladder.query.conversation import heard
from ladder.query.dates.calendar import may_name_day
from ladder.query.sentences import LONGEST, Sentence, sentences
from ladder.ranking.dates import entry_days
from ladder.speaking.weights import ANSWERED, ANSWERED_BASE, LEANING, REACH
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.ranking.search import Search

#: Verbs and the like that a question is phrased with, as terms: what it asks about are the other words.
_FILLING = """
actual alway describ exact explain find give go happen kind know listen look make mean need put run show sort suppos
take tell thing use want way work
"""
FILLING = frozenset(_FILLING.split())
#: What is asked of a time, as terms: "what changed in July?" is about all that bears its date.
_OF_A_TIME = "chang decid done happen new"
OF_A_TIME = frozenset(_OF_A_TIME.split())
#: Notes whose passages are looked at.
LOOKED = 3
#: A sentence of more terms is a pasted text; and sentences that are weighed.
_MOST_TERMS = 60
_SHORT = 2
_MOST_PARTS = 6


class Part:
    """A sentence of a message, or all of it, as it is looked for: `known` terms with their weight, `whole` of all.

    With `dated` it names a day, whose words are no terms of it: a note with an entry of that day holds one more.
    """

    __slots__ = ("dated", "form", "known", "whole")

    def __init__(self, form: Sentence, known: dict[str, float], whole: float, *, dated: bool = False) -> None:
        """Take the fields."""
        self.dated = dated
        self.form = form
        self.known = known
        self.whole = whole

    def odds(self, share: float, count: int, *, leans: float, first: bool) -> float:
        """The log odds when a passage holds `share` of its weight in `count` terms."""
        form = self.form
        given = {
            "share": share, "terms": count, "asks": form.asks, "to agent": form.to_agent, "points": form.points,
            "leans": leans, "around": form.around / 10, "first": 1.0 if first else 0.0,
            "short": 1.0 if form.asks and not form.points and len(self.known) <= _SHORT and share >= 1 - 1e-9 else 0.0,
        }  # fmt: skip
        return ANSWERED_BASE + sum([weight * min(given[name], most) for name, (weight, most) in ANSWERED.items()])


def parts(index: Index, query: Query) -> list[Part]:
    """Return the sentences that ask, then all of the message, each with the terms that are looked for."""
    text = query.message.lstrip()[len(query.command) :] if query.command else query.message
    found = sentences(text)
    asked = [each for each in found if each.asks][:_MOST_PARTS]
    whole = Sentence(text, len(text.split())) if len(text) <= LONGEST else None
    if whole is not None and len(found) == 1:
        asked = []
    # As much as a word of one note: in a small store a word of none would outweigh all that is known.
    unknown = log1p((index.count - 0.5) / 1.5)
    mended, empty = query.mended or {}, query.empty
    made = []
    for each in [*asked, whole] if whole is not None else asked:
        # A file that is pointed at is before the agent, and no word of the question.
        words = " ".join([word for word in each.text.split() if word[0] != "@"])
        said = [mended.get(term, term) for term in dict.fromkeys(terms(words)) if term not in empty]
        days = _words_of_days(each.text, query.now) if may_name_day(each.text) else set()
        empty_here = FILLING | days | OF_A_TIME if days else FILLING
        telling = [term for term in said if term not in empty_here] or said
        if 0 < len(telling) <= _MOST_TERMS:
            known = index.idfs(telling)
            whole_weight = sum(known.values()) + unknown * (len(telling) - len(known))
            made.append(Part(each, known, whole_weight, dated=bool(days)))
    return made


def _words_of_days(text: str, now: str) -> set[str]:
    """The terms of the words that name a day in `text`; none when it names none."""
    from ladder.query.dates.absolute import dates_in, is_date_word, words_ago  # noqa: PLC0415 (most messages name none)

    if not dates_in(text, now):
        return set()
    words = [*words_ago(text), *[word for word in text.lower().replace("?", " ").split() if is_date_word(word)]]
    return {term for word in words for term in terms(word)}


class Together:
    """Which of some terms stand together in a note: in a paragraph, near it, in its heading, in the note's title."""

    __slots__ = ("headings", "held", "owner")

    def __init__(self, search: Search, note: int, wanted: dict[str, float]) -> None:
        """Look the terms up in note `note`."""
        passages = search.index.passages(note)
        count = passages.count
        #: paragraph -> terms of it
        self.held: dict[int, set[str]] = {}
        #: section from 0 -> terms of its heading; the first one's is the note's title
        self.headings: dict[int, set[str]] = {}
        self.owner = passages.p_section
        ranks = search.weighed.terms
        looked_up = {ranks[rank][1]: places for rank, places, _ in search.scales(note).found}
        asked = {term for _, term in ranks}  # a note is weighed by the heaviest terms only
        for term in wanted:
            places = looked_up.get(term, []) if term in asked else [place for place, _ in passages.places(term)]
            for place in places:
                if place < count:
                    self.held.setdefault(place, set()).add(term)
                else:
                    self.headings.setdefault(place - count, set()).add(term)

    def at(self, paragraph: int) -> set[str]:
        """The terms of a paragraph, its heading and the note's title."""
        headings = self.headings
        own = headings.get(0, set()) | headings.get(self.owner[paragraph] - 1, set())
        return own | self.held.get(paragraph, set())

    def near(self, paragraph: int) -> set[str]:
        """The same with the paragraphs beside it in its section."""
        held, owner = self.held, self.owner
        found = self.at(paragraph)
        for other in range(paragraph - REACH, paragraph + REACH + 1):
            if other in held and owner[other] == owner[paragraph]:
                found |= held[other]
        return found

    def sets(self) -> list[set[str]]:
        """The terms that stand together at each place; an entry may be told by its heading alone."""
        title = self.headings.get(0, set())
        return [self.near(p) for p in self.held] + [title | own for s, own in self.headings.items() if s]


class Answering:
    """The part of a message that some passage holds best: `probability` in [0, 1] that the notes answer it."""

    __slots__ = ("part", "probability", "share", "terms")

    def __init__(self, part: Part | None, probability: float, share: float, terms: int) -> None:
        """Take the fields; `share` and `terms` of the part are what the passage holds."""
        self.part = part
        self.probability = probability
        self.share = share
        self.terms = terms


def answering(search: Search, said: list[Part] | None = None) -> Answering:
    """Return the part of the message that is most likely answered by a passage of one of the first notes."""
    query = search.query
    best = Answering(None, 0.0, 0.0, 0)
    for part in parts(search.index, query) if said is None else said:
        for note in search.candidates[:LOOKED]:
            together = Together(search, note, part.known)
            more = 1 if part.dated and entry_days(search, note) else 0
            # An entry of the day that is asked for need not say again what the note is about.
            for held in together.sets() + ([together.headings[0]] if more and 0 in together.headings else []):
                share = sum([part.known[term] for term in held]) / part.whole
                found = probability(part.odds(share, len(held) + more, leans=_leaning(search), first=not query.later))
                if found > best.probability:
                    best = Answering(part, found, share, len(held))
    return best


def answerable(index: Index, query: Query, least: float, said: list[Part]) -> bool:
    """Whether any passage could make the message so likely: most are told that none can, with no note looked into."""
    if not said:
        return False
    leans = heard(index, query) if query.later else 0.0
    first = not query.later
    return any(
        [  # noqa: C419 (a generator costs the hook more)
            probability(
                part.odds(sum(part.known.values()) / part.whole, len(part.known) + part.dated, leans=leans, first=first)
            )
            >= least
            for part in said
            if part.known
        ]
    )


def most_held(search: Search) -> tuple[float, int]:
    """Return the most that a passage of a first note holds of a part of the message, whatever it asks.

    As share of the part's weight, in [0, 1], and in distinct terms; each by itself. 0 of a message of which nothing can
    be looked for.
    """
    shares, counts = [0.0], [0]
    for part in parts(search.index, search.query):
        if part.whole:
            for note in search.candidates[:LOOKED]:
                for held in Together(search, note, part.known).sets():
                    shares.append(sum([part.known[term] for term in held]) / part.whole)
                    counts.append(len(held))
    return max(shares), max(counts)


def leans_on(index: Index, query: Query) -> bool:
    """Whether the message leans on what was said before it, so that it is no question by itself."""
    return query.later and heard(index, query) > LEANING


def probability(odds: float) -> float:
    """The probability of log odds."""
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds))))


def _leaning(search: Search) -> float:
    return search.heard if search.query.later else 0.0
