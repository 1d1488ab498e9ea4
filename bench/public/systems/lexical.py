"""Plain rivals without a model: BM25 over documents, BM25 over fragments, and grep."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import bm25s
import numpy as np

from bench.public.measures import BUDGET
from bench.public.model import Document, Question, Reader, Search, Shown
from ladder.indexing.token_counts import count
from ladder.text.tokenizer import terms

K1, B = 1.5, 0.75
#: Turns that are tried for what is shown.
TRIED = 200

#: Question -> places of texts, best first.
Places = Callable[[Question], Iterator[int]]


def bm25(documents: Sequence[Document]) -> Search:
    """BM25 (Lucene's form, k1 1.5, b 0.75) over whole documents with ladder's tokeniser: stemmed, stop words out."""
    return _owners([document.id for document in documents], _places([document.text for document in documents]))


def fragments(documents: Sequence[Document]) -> Reader:
    """BM25 over single turns; a document stands where its best turn does, and the best turns are what is shown."""
    owners = [document.id for document in documents for _ in document.turns]
    texts = [text for document in documents for text in _turns(document)]
    places = _places(texts)

    def show(question: Question) -> Shown:
        kept: list[int] = []
        left = BUDGET
        for place in islice(places(question), TRIED):
            cost = count(texts[place] + "\n")
            if cost <= left:
                kept.append(place)
                left -= cost
        return Shown("\n".join(texts[place] for place in kept), frozenset(owners[place] for place in kept))

    return Reader(_owners(owners, places), show)


def _turns(document: Document) -> list[str]:
    """Return the texts of the turns, the first with the document's title."""
    texts = [turn.text for turn in document.turns]
    return [f"{document.title} {texts[0]}", *texts[1:]] if document.title and texts else texts


def grep(documents: Sequence[Document]) -> Search:
    """Documents by how many of the question's words they hold, then by how often: what a person with grep gets."""
    counts = [(document.id, Counter(terms(document.text))) for document in documents]

    def search(question: Question, k: int) -> list[str]:
        asked = dict.fromkeys(terms(question.text))
        scored = [
            (sum(term in held for term in asked), sum(held[term] for term in asked), name) for name, held in counts
        ]
        return [name for some, _, name in sorted(scored, key=lambda row: (-row[0], -row[1], row[2]))[:k] if some]

    return search


def _owners(owners: Sequence[str], places: Places) -> Search:
    """Rank `owners` by the best of their texts."""

    def search(question: Question, k: int) -> list[str]:
        found: dict[str, None] = {}
        for place in places(question):
            if len(found) == k:
                break
            found.setdefault(owners[place])
        return list(found)

    return search


def _places(texts: Sequence[str]) -> Places:
    """Return question -> places in `texts` by BM25, best first; texts that share no word are left out."""
    cut = [terms(text) for text in texts]
    if not any(cut):
        return lambda _question: iter(())
    model = bm25s.BM25(k1=K1, b=B)
    model.index(cut, show_progress=False)

    def places(question: Question) -> Iterator[int]:
        asked = [term for term in terms(question.text) if term in model.vocab_dict]
        if not asked:
            return
        scores = model.get_scores(asked)
        for place in np.argsort(-scores, kind="stable"):
            if scores[place] <= 0:
                break
            yield int(place)

    return places
