"""The Memind pipeline in its published steps: candidates, then an order of them; each step is a switch.

Candidates are the nearest vectors, the most recent items and the items that hold terms of the question. STEPS is the
order in which the publication switched things on; `make(documents, embed, n)` runs with the first n of them.
"""

import statistics
from collections.abc import Sequence

from bench.public.model import Document, Question, Search
from bench.public.systems.embedding import Embed
from bench.public.systems.fusion import reciprocal
from bench.public.systems.imitations.memind_words import bigrams, content_words, proper_names, question_terms, words

STEPS = (
    "keyword candidates cut by coverage, not by recency",
    "RRF of lexical and vector",
    "word-level lexical for Latin text, stop words out",
    "adaptive weights",
    "keyword scores kept out of the vector ranking",
    "question terms prefer proper names",
    "lexical gating",
    "keyword candidates in tiers",
    "vector margin",
    "device context",
)
COVERAGE, FUSED, WORDS, ADAPTIVE, APART, NAMES, GATED, TIERS, MARGIN, DEVICE = range(1, len(STEPS) + 1)

VECTOR_TOP = 150
RECENT_TOP = 50
KEYWORDS_KEPT, KEYWORD_TERMS = 50, 8
TIER_EACH, TIERS_KEPT, TIER_TERMS = 120, 100, 12
#: The vector scores tell something apart when maximum - median and the maximum reach these.
SPREAD, SURE = 0.20, 0.50
VECTOR_WEIGHT, LEXICAL_WEIGHT = 1.55, 0.45
GATE = 0.6
MARGIN_WIDTH, MARGIN_TOP = 0.15, 200
#: What an item of the device that the question names is multiplied by; the publication gives no number.
DEVICE_FACTOR = 1.1


def make(documents: Sequence[Document], embed: Embed, steps: int = len(STEPS)) -> Search:
    """Return the search with the first `steps` steps on (0 = the pipeline as it began)."""
    return _Pipeline(documents, embed, steps).search


class _Pipeline:
    def __init__(self, documents: Sequence[Document], embed: Embed, steps: int) -> None:
        self.documents = documents
        self.embed = embed
        self.steps = steps
        texts = [document.text for document in documents]
        self.vectors = embed(texts)
        self.words = [frozenset(words(text)) for text in texts]
        self.bigrams = [bigrams(text) for text in texts] if steps < WORDS else []
        self.content = [content_words(text) for text in texts] if steps >= WORDS else []
        by_time = sorted(range(len(documents)), key=lambda at: documents[at].time, reverse=True)
        self.age = {place: age for age, place in enumerate(by_time)}

    def search(self, question: Question, k: int) -> list[str]:
        near = [float(value) for value in self.vectors @ self.embed([question.text])[0]]
        lexical = self._lexical(question.text)
        keyword = self._keyword_candidates(question.text)
        nearest = self._nearest(near)
        recent = sorted(range(len(near)), key=self.age.__getitem__)[:RECENT_TOP]
        candidates = list(dict.fromkeys([*nearest, *recent, *keyword]))
        if self.steps >= FUSED:
            scores = self._fused(candidates, near, lexical, keyword)
        else:
            # Coverage is the main key; the vector only breaks its ties.
            scores = {at: lexical[at] + near[at] / 1000 for at in candidates}
        if self.steps >= DEVICE:
            self._prefer_device(scores, question.text)
        best = sorted(scores, key=lambda at: (-scores[at], at))
        return [self.documents[at].id for at in best[:k]]

    def _lexical(self, text: str) -> list[float]:
        """Share of the question that each item covers: character bigrams, or from the word step on words."""
        asked = content_words(text) if self.steps >= WORDS else bigrams(text)
        held = self.content if self.steps >= WORDS else self.bigrams
        return [len(asked & one) / len(asked) if asked else 0.0 for one in held]

    def _keyword_candidates(self, text: str) -> list[int]:
        tiers = self.steps >= TIERS
        asked = question_terms(text, TIER_TERMS if tiers else KEYWORD_TERMS, names_first=self.steps >= NAMES)
        covered = {at: sum(term in held for term in asked) for at, held in enumerate(self.words)}
        found = [at for at, count in covered.items() if count]
        if self.steps < COVERAGE:
            return sorted(found, key=self.age.__getitem__)[:KEYWORDS_KEPT]
        found.sort(key=lambda at: (-covered[at], self.age[at]))
        if not tiers:
            return found[:KEYWORDS_KEPT]
        names = [name for name in proper_names(text) if name in asked]
        first = [at for at in found if any(name in self.words[at] for name in names)][:TIER_EACH]
        rest = [at for at in found if at not in set(first)][:TIER_EACH]
        return [*first, *rest][:TIERS_KEPT]

    def _nearest(self, near: list[float]) -> list[int]:
        order = sorted(range(len(near)), key=lambda at: (-near[at], at))
        if self.steps < MARGIN or not order:
            return order[:VECTOR_TOP]
        floor = near[order[0]] - MARGIN_WIDTH
        return [at for at in order if near[at] >= floor][:MARGIN_TOP]

    def _fused(
        self, candidates: list[int], near: list[float], lexical: list[float], keyword: list[int]
    ) -> dict[int, float]:
        by_words = sorted((at for at in candidates if lexical[at] > 0), key=lambda at: (-lexical[at], at))
        value = dict(enumerate(near))
        if self.steps < APART:
            # Before that step a keyword hit counted as if its vector were at least as near as its coverage.
            for at in keyword:
                value[at] = max(value[at], lexical[at])
        by_vector = sorted(candidates, key=lambda at: (-value[at], at))
        spread = max(near, default=0.0) - (statistics.median(near) if near else 0.0)
        shows = spread >= SPREAD
        sure = self.steps >= ADAPTIVE and shows and max(near, default=0.0) >= SURE
        weights = [VECTOR_WEIGHT, LEXICAL_WEIGHT] if sure else [1.0, 1.0]
        names = [[str(at) for at in ranking] for ranking in (by_vector, by_words)]
        scores = {int(name): score for name, score in reciprocal(names, weights).items()}
        if self.steps >= GATED and shows:
            for at in scores:
                if lexical[at] == 0:
                    scores[at] *= GATE
        return scores

    def _prefer_device(self, scores: dict[int, float], text: str) -> None:
        asked = set(words(text))
        for at in scores:
            device = self.documents[at].tags.get("device", "")
            if device and asked & set(words(device)):
                scores[at] *= DEVICE_FACTOR
