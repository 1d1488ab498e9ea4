"""The first rung: which notes hold what the query asks for.

`survey` works in steps: `begin` weighs the query, the rows of FEATURES are added stage by stage, and between the stages
it is decided which notes are near and which become candidates. The figures of each feature, with it and without, stand
in docs/decisions (048, 049, 070).
"""

from __future__ import annotations

from ladder.query.conversation import heard
from ladder.query.dates.calendar import day_words, may_name_day
from ladder.ranking.candidates import choose, pool
from ladder.ranking.explain import Suggestion, suggestions
from ladder.ranking.features import CANDIDATES, FEATURES, NEAR, SAID, SESSION
from ladder.ranking.granularity import Weighed
from ladder.ranking.lexical import labels, whole_note
from ladder.ranking.search import Search
from ladder.ranking.session import opened_notes
from ladder.text.spelling import spelt
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.features import Feature
    from ladder.ranking.search import Values

#: Candidates: notes whose passages are scored.
DEPTH = 16
#: Notes for which the features of the stage NEAR are computed.
NEAREST = 64


def survey(
    index: Index,
    query: Query,
    *,
    learned: Learned | None = None,
    depth: int = DEPTH,
    features: Sequence[Feature] = FEATURES,
) -> Search:
    """Return the search with at most `depth` candidates, best first (half as many more that hold most of the message).

    `Search.totals` says what each feature added to them.
    """
    search = begin(index, spelt(index, query), learned)
    scores = Scores()
    for feature in features:
        if feature.stage == SAID:
            scores.add(feature, feature.values(search))
    nearest = scores.first(NEAREST)
    words = scores.added.get("words", {})
    for feature in features:
        if feature.stage == NEAR:
            scores.add(feature, feature.values(search, nearest, words))
        elif feature.stage == SESSION:
            scores.add(feature, feature.values(search))
    _words_beyond_the_pool(search, scores, features)
    search.candidates = choose(search, scores.first(), depth)
    index.expect(search.candidates)
    for feature in features:
        if feature.stage == CANDIDATES:
            scores.add(feature, feature.values(search))
    sums = scores.sums
    search.candidates.sort(key=lambda n: (-sums.get(n, 0.0), n))
    search.totals = {
        n: {name: added[n] for name, added in scores.added.items() if n in added} for n in search.candidates
    }
    return search


def begin(index: Index, query: Query, learned: Learned | None = None) -> Search:
    """Return the search as features find it: terms weighed, days read, words looked up; no candidates yet."""
    share = heard(index, query)
    weights, names = query.weigh(share)
    ranges: list[tuple[int, int]] = []
    if may_name_day(query.message):
        from ladder.query.dates.absolute import dates_in, words_ago  # noqa: PLC0415 (most messages name no day)

        ranges = dates_in(query.message, query.now)
        if ranges:
            said = {term for word in words_ago(query.message) for term in terms(word)}
            weights = {term: weight for term, weight in weights.items() if term not in said}
    weighed = Weighed(index, weights)
    if ranges:
        weighed.wide.update(_days(query, weights, ranges))
    search = Search(index, query, learned, weighed)
    search.heard, search.weights, search.names, search.dates = share, weights, names, ranges
    search.opened = opened_notes(index, query) if share else []
    search.by_word = index.score_notes(weighed.wide)
    search.by_label = index.score_labels(weighed.wide)
    search.pool = pool(search.by_word, search.by_label)
    return search


def route(index: Index, query: Query, *, learned: Learned | None = None, k: int = 10) -> list[Suggestion]:
    """Return at most `k` notes, best first; none when no note shares anything with the query."""
    return suggestions(survey(index, query, learned=learned, depth=max(k, DEPTH)), k)


class Scores:
    """What the features have added so far: `added` feature -> note -> share, `sums` note -> score."""

    __slots__ = ("added", "sums", "tops")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.added: dict[str, Values] = {}
        self.sums: Values = {}
        #: Feature -> the largest value, where values are divided by it.
        self.tops: dict[str, float] = {}

    def add(self, feature: Feature, values: Values) -> None:
        """Add what a feature says; a second time, of other notes, by the same largest value."""
        if not values:
            return
        top = 1.0
        if feature.relative:
            top = self.tops.get(feature.name, 0.0) or max(values.values())
            self.tops[feature.name] = top
            if top <= 0:
                return
        weight, sums = feature.weight, self.sums
        added = {n: weight * value / top for n, value in values.items() if value > 0}
        self.added.setdefault(feature.name, {}).update(added)
        if sums:
            for n, share in added.items():
                sums[n] = sums.get(n, 0.0) + share
        else:
            sums.update(added)

    def first(self, k: int | None = None) -> list[int]:
        """Return the `k` notes (all when None) that come first so far, equal ones by number."""
        return sorted(sorted(self.sums), key=self.sums.__getitem__, reverse=True)[:k]


def _words_beyond_the_pool(search: Search, scores: Scores, features: Sequence[Feature]) -> None:
    """Add words and labels of the notes outside the pool that another feature led to."""
    within = search.pool
    beyond = scores.sums.keys() - within if isinstance(within, set) else ()
    if beyond:
        for feature in features:
            if feature.values is whole_note:
                scores.add(feature, whole_note(search, beyond))
            elif feature.values is labels:
                scores.add(feature, labels(search, beyond))


def _days(query: Query, weights: Mapping[str, float], ranges: list[tuple[int, int]]) -> dict[str, float]:
    """Each day that the message names in other words, as notes write it, with what a word of the message weighs.

    It leads to notes. Which passage of one is of that day, its date tells.
    """
    message = query.part("message")
    if not message:
        return {}
    each = sum([weights.get(term, 0.0) for term in message]) / len(message)
    return {word: each for word in day_words(ranges) if word not in weights}
