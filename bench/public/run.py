"""Runs one system over one set: builds each pool once, asks every question, times both."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.public.measures import CUTS, Answered, score
from bench.public.model import Question, QuestionSet, System


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system did over a set."""

    system: str
    answers: tuple[Answered, ...]
    seconds: float
    """Building and asking together, scoring left out."""


def run(name: str, system: System, questions: QuestionSet, asked: Iterable[Question]) -> Outcome:
    """Ask `asked` (questions of the set) of the system, pool by pool; a pool's index is dropped after its questions."""
    answers: list[Answered] = []
    seconds = 0.0
    for pool, group in _by_pool(asked):
        documents = questions.pools[pool]
        misleading = frozenset(document.id for document in documents if "distractor" in document.tags)
        started = time.perf_counter()
        search = system(documents)
        seconds += time.perf_counter() - started
        for question in group:
            started = time.perf_counter()
            ranked = tuple(search(question, CUTS[-1]))
            spent = time.perf_counter() - started
            seconds += spent
            answers.append(
                Answered(
                    question.id,
                    question.kind,
                    question.group,
                    question.held,
                    ranked,
                    score(question, ranked, misleading),
                    1000 * spent,
                )
            )
    return Outcome(name, tuple(answers), seconds)


def _by_pool(asked: Iterable[Question]) -> Iterator[tuple[str, list[Question]]]:
    pools: dict[str, list[Question]] = {}
    for question in asked:
        pools.setdefault(question.pool, []).append(question)
    yield from pools.items()
