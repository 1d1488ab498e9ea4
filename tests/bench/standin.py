"""A stand-in for the product's routing, with the same seams, small enough to check by hand.

It routes by BM25 of whole notes and answers with the routed notes' paragraphs, in order, until the budget is full.
"""

import sys
import types
from typing import NamedTuple

from ladder.text.tokenizer import terms


class Context(NamedTuple):
    message: str = ""
    said: tuple = ()
    touched: tuple = ()
    commands: tuple = ()
    results: tuple = ()
    opened: tuple = ()
    cwd: str = ""
    branch: str = ""
    now: str = ""


class Query(NamedTuple):
    weights: dict


class Suggestion(NamedTuple):
    note: int
    name: str
    score: float
    why: tuple
    cost: int


class SpanRef(NamedTuple):
    note: int
    start: int
    end: int


class Block(NamedTuple):
    text: str
    tokens: int
    spans: tuple
    notes: tuple


def query(context):
    weights = {}
    for weight, texts in ((1.0, [context.message]), (0.3, [text for _, text in context.said]), (0.3, context.commands)):
        for text in texts:
            for term in terms(text):
                weights[term] = weights.get(term, 0.0) + weight
    return Query(weights)


class Scene:
    def __init__(self, index, asked):
        self.index, self.asked, self.notes = index, asked, None
        self.weights = asked.weights

    def among(self, notes):
        other = Scene(self.index, self.asked)
        other.notes = notes
        return other


def survey(index, asked, *, learned=None):
    return Scene(index, asked)


def suggestions(scene, k):
    index = scene.index
    scores = index.score_notes(scene.asked.weights)
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:k]
    rows = [(n, index.note(n)) for n in order if scores[n] > 0]
    return [Suggestion(n, row.name, scores[n], ("words",), row.cost) for n, row in rows]


def rank_passages(scene):
    return None


def spend(scene, budget, *, read, ranked=None):
    index, spent, texts, spans = scene.index, 0, [], []
    chosen = scene.notes if scene.notes is not None else [found.note for found in suggestions(scene, 4)]
    for n in chosen:
        data = read(n)
        for paragraph in index.passages(n).paragraphs:
            if spent + paragraph.cost > budget:
                break
            spent += paragraph.cost
            texts.append(data[paragraph.start : paragraph.end].decode("utf-8", "replace"))
            spans.append(SpanRef(n, paragraph.start, paragraph.end))
    return Block("\n".join(texts), spent, tuple(spans), ())


class MapRow(NamedTuple):
    number: int
    title: str
    zone: str
    cost: int
    hits: tuple = ()


def map_note(index, n, weights):
    return [MapRow(row.number, row.title, row.zone, row.cost) for row in index.passages(n).sections]


def install(monkeypatch):
    """Put the stand-in where the bench looks for the product."""
    for name, members in {
        "ladder.query.query": {"Context": Context, "Query": Query, "query": query},
        "ladder.ranking.survey": {"survey": survey},
        "ladder.ranking.explain": {"suggestions": suggestions, "Suggestion": Suggestion},
        "ladder.reading.answer": {"spend": spend},
        "ladder.ranking.passages": {"rank_passages": rank_passages},
        "ladder.reading.rungs": {"map_note": map_note},
    }.items():
        module = types.ModuleType(name)
        for key, value in members.items():
            setattr(module, key, value)
        monkeypatch.setitem(sys.modules, name, module)
