"""Runs one system over one set: builds each pool once, asks every question, times both."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.public.measures import CUTS, READ, Answered, score
from bench.public.model import Question, QuestionSet, Reader, System, Unanswered
from ladder.indexing.token_counts import count


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system did over a set."""

    system: str
    answers: tuple[Answered, ...]
    """Of the questions that it was asked; fewer than the run has where it was stopped before its end."""
    seconds: float
    """Building and asking together, scoring left out."""


def run(name: str, system: System, questions: QuestionSet, asked: Iterable[Question]) -> Outcome:
    """Ask `asked` (questions of the set) of the system, pool by pool; a pool's index is dropped after its questions."""
    answers: list[Answered] = []
    seconds = 0.0
    for pool, group in _by_pool(asked):
        documents = questions.pools[pool]
        texts = {document.id: document.text for document in documents}
        costs: dict[str, int] = {}
        misleading = frozenset(document.id for document in documents if "distractor" in document.tags)
        started = time.perf_counter()
        search = system(documents)
        seconds += time.perf_counter() - started
        for question in group:
            started = time.perf_counter()
            try:
                ranked = tuple(search(question, CUTS[-1]))
            except Unanswered:
                continue
            finally:
                spent = time.perf_counter() - started
                seconds += spent
            took = search.took(question) if isinstance(search, Reader) and search.took else 1000 * spent
            # What is shown is asked for apart: the time is that of the ranking, which every system makes.
            shown = search.show(question) if isinstance(search, Reader) else None
            if shown is None:
                costs |= {name: count(texts[name]) for name in ranked[:READ] if name not in costs}
            answers.append(
                Answered(
                    question.id,
                    question.kind,
                    question.group,
                    question.held,
                    ranked,
                    score(question, ranked, misleading, shown.documents if shown else None),
                    took,
                    count(shown.text) if shown else sum(costs[name] for name in ranked[:READ]),
                )
            )
    return Outcome(name, tuple(answers), seconds)


def _by_pool(asked: Iterable[Question]) -> Iterator[tuple[str, list[Question]]]:
    pools: dict[str, list[Question]] = {}
    for question in asked:
        pools.setdefault(question.pool, []).append(question)
    yield from pools.items()
