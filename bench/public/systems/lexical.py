"""Plain rivals without a model: BM25 over documents, BM25 over fragments, and grep."""

from collections import Counter
from collections.abc import Sequence

import bm25s
import numpy as np

from bench.public.model import Document, Question, Search
from ladder.tokenise import terms

K1, B = 1.5, 0.75


def bm25(documents: Sequence[Document]) -> Search:
    """BM25 (Lucene's form, k1 1.5, b 0.75) over whole documents with ladder's tokeniser: stemmed, stop words out."""
    return _ranked([document.id for document in documents], [document.text for document in documents])


def fragments(documents: Sequence[Document]) -> Search:
    """BM25 over single turns; a document stands where its best turn does."""
    owners = [document.id for document in documents for _ in document.turns]
    return _ranked(owners, [turn.text for document in documents for turn in document.turns])


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


def _ranked(owners: Sequence[str], texts: Sequence[str]) -> Search:
    """Rank `owners` by the best BM25 score of a text of theirs; texts that share no word are left out."""
    cut = [terms(text) for text in texts]
    if not any(cut):
        return lambda _question, _k: []
    model = bm25s.BM25(k1=K1, b=B)
    model.index(cut, show_progress=False)

    def search(question: Question, k: int) -> list[str]:
        asked = [term for term in terms(question.text) if term in model.vocab_dict]
        if not asked:
            return []
        scores = model.get_scores(asked)
        found: dict[str, None] = {}
        for place in np.argsort(-scores, kind="stable"):
            if scores[place] <= 0 or len(found) == k:
                break
            found.setdefault(owners[place])
        return list(found)

    return search
