"""memesh: SQLite FTS5 over sessions (A), joined with a sentence embedding by maximum (B) or a 60/40 mean (C)."""

import sqlite3
from collections.abc import Callable, Sequence

from bench.public.model import Document, Question, Search
from bench.public.systems.embedding import Embed

#: A session's text is cut here, in characters.
LONGEST = 8_000
#: Tokens of a question that take part, and the shortest that does, in characters.
MOST_TOKENS = 20
SHORTEST_TOKEN = 3
#: Sessions that the full-text search returns.
TOP = 20


def full_text(documents: Sequence[Document]) -> Search:
    """Mode A: FTS5 (unicode61, diacritics removed), the question's tokens quoted and joined by OR, top 20."""
    scores = _full_text(documents)
    return lambda question, k: list(scores(question))[:k]


def by_maximum(documents: Sequence[Document], embed: Embed) -> Search:
    """Mode B: the greater of the full-text score and the cosine."""
    return _joined(documents, embed, max)


def by_mean(documents: Sequence[Document], embed: Embed) -> Search:
    """Mode C: 0.6 of the full-text score and 0.4 of the cosine."""
    return _joined(documents, embed, lambda words, meaning: 0.6 * words + 0.4 * meaning)


def match(text: str) -> str:
    """Return a question as an FTS5 expression: letters and digits, long tokens, quoted, OR between them."""
    plain = "".join(letter if letter.isalnum() else " " for letter in text)
    tokens = [token for token in plain.split() if len(token) >= SHORTEST_TOKEN]
    return " OR ".join(f'"{token}"' for token in tokens[:MOST_TOKENS])


def _full_text(documents: Sequence[Document]) -> Callable[[Question], dict[str, float]]:
    """Return question -> (id -> 1 - rank / n), best first; n is how many were found."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE held USING fts5(body, tokenize='unicode61 remove_diacritics 1')")
    rows = [(place, document.text[:LONGEST]) for place, document in enumerate(documents)]
    base.executemany("INSERT INTO held(rowid, body) VALUES (?, ?)", rows)

    def search(question: Question) -> dict[str, float]:
        asked = match(question.text)
        if not asked:
            return {}
        order = "SELECT rowid FROM held WHERE held MATCH ? ORDER BY rank LIMIT ?"
        found = [documents[place].id for (place,) in base.execute(order, (asked, TOP))]
        return {name: 1 - rank / len(found) for rank, name in enumerate(found)}

    return search


def _joined(documents: Sequence[Document], embed: Embed, join: Callable[[float, float], float]) -> Search:
    words = _full_text(documents)
    held = embed([document.text[:LONGEST] for document in documents])

    def search(question: Question, k: int) -> list[str]:
        lexical = words(question)
        near = held @ embed([question.text])[0]
        scored = [
            (join(lexical.get(document.id, 0.0), float(value)), place)
            for place, (document, value) in enumerate(zip(documents, near, strict=True))
        ]
        return [documents[place].id for _, place in sorted(scored, key=lambda row: (-row[0], row[1]))[:k]]

    return search
