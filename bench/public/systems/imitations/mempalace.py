"""MemPalace's raw methods and SECI, as the published comparison describes them: cosine over texts, and a fusion."""

from collections.abc import Callable, Sequence

from bench.public.model import Document, Question, Search
from bench.public.systems.embedding import Embed
from bench.public.systems.fusion import reciprocal
from ladder.text.tokenizer import terms

#: Characters of an extraction in all, shared by its three parts.
EXTRACT = 500
#: Most that shared words add to a fused score, as a share of it.
BOOST = 0.3

Shown = Callable[[Document], str]


def all_turns(document: Document) -> str:
    """Return the whole session, every turn."""
    return "\n".join([*filter(None, [document.title]), *(turn.text for turn in document.turns)])


def user_turns(document: Document) -> str:
    """Return what the user said; all of it where the set does not name a user."""
    return "\n".join(turn.text for turn in document.turns if turn.role == "user") or all_turns(document)


def extraction(document: Document) -> str:
    """Return the rule-based extract: topic (first user message), continuation (last one), resolution (last answer)."""
    said = [turn.text for turn in document.turns if turn.role == "user"] or [turn.text for turn in document.turns]
    replies = [turn.text for turn in document.turns if turn.role == "assistant"]
    parts = [
        f"{document.title} {said[0]}" if said else "",
        said[-1] if len(said) > 1 else "",
        replies[-1] if replies else "",
    ]
    kept = [" ".join(part.split()) for part in parts if part.strip()]
    each = EXTRACT // max(1, len(kept))
    return "\n".join(part[:each] for part in kept)


def by_cosine(documents: Sequence[Document], embed: Embed, shown: Shown) -> Search:
    """Rank by the cosine between the question and what is shown of each document."""
    names = [document.id for document in documents]
    held = embed([shown(document) for document in documents])

    def search(question: Question, k: int) -> list[str]:
        near = held @ embed([question.text])[0]
        return [names[place] for place in sorted(range(len(names)), key=lambda at: (-float(near[at]), at))[:k]]

    return search


def fused(documents: Sequence[Document], embed: Embed) -> Search:
    """Fuse extraction and raw by reciprocal rank (k = 60); shared words add up to 30 % to a document's score.

    The comparison does not say which raw; user turns are what the product's own raw mode reads.
    """
    rankings = [by_cosine(documents, embed, extraction), by_cosine(documents, embed, user_turns)]
    held = {document.id: frozenset(terms(document.text)) for document in documents}

    def search(question: Question, k: int) -> list[str]:
        scores = reciprocal([ranking(question, len(documents)) for ranking in rankings])
        asked = frozenset(terms(question.text))
        for name in scores:
            scores[name] *= 1 + BOOST * (len(asked & held[name]) / len(asked) if asked else 0.0)
        return sorted(scores, key=lambda name: (-scores[name], name))[:k]

    return search
