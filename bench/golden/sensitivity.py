"""Whether the golden cases notice each weight: it is doubled, then halved; the first case that differs is its witness.

The witnesses are kept in tests/golden/witnesses.json, so that a test asks one case a weight. A weight that has none
there is searched for among all probes.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bench.golden import product
from bench.golden.cases import turns_of
from bench.golden.hook_events import prompts, tools
from bench.golden.lines import digest, full, line_of
from bench.golden.meaning import asks
from bench.golden.messages import messages
from bench.golden.product import NOW
from bench.golden.stores import made_store
from bench.golden.weights import weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.golden.lines import Parts
    from bench.golden.messages import Message
    from bench.golden.stores import Made
    from bench.golden.weights import Weight

    Ask = Callable[[], dict[str, Any]]

#: What a weight is multiplied by, one after the other.
FACTORS = (2.0, 0.5)
#: One in this many of the sample's questions is asked.
_EVERY = 30


class Probes:
    """Golden cases that can be asked one by one, in the order in which they are likely to notice something."""

    def __init__(self, folder: Path) -> None:
        """Make stores, indexes and a project in `folder`; needs `product.pinned`."""
        self._folder = folder
        self._sessions = count()
        self.cases: dict[str, Ask] = {}
        self._before: dict[str, Parts] = {}
        store = made_store(300)
        self._of_store("store-300", store, messages(store, 1))
        self._of_meaning()
        self._of_hook(store)
        self._of_sample()
        large = made_store(2100)
        self._of_store("store-2100", large, messages(large, 1)[::8])
        self.cases["index"] = partial(self._rebuilt, store)
        self.cases["taught"] = partial(self._taught, store)

    def _of_store(self, group: str, store: list[Made], asked: Iterable[Message]) -> None:
        notes = {note.name: note.text for note in store}
        index = product.index_of(notes, self._folder / group, {note.name: float(NOW - note.age) for note in store})
        learned = product.taught(self._folder / f"{group}-learned", turns_of(store))

        def ask(message: Message) -> dict[str, Any]:
            return product.asked(index, notes, message.context, learned if message.learned else None)

        for message in asked:
            self.cases[f"{group}: {message.id}"] = partial(ask, message)

    def _of_meaning(self) -> None:
        for case, ask in asks(self._folder / "meaning"):
            self.cases[f"meaning: {case}"] = ask

    def _of_sample(self) -> None:
        notes, questions = product.sample_questions(self._folder / "mined")
        index = product.index_of(notes, self._folder / "sample")
        for case, context in list(questions)[::_EVERY]:
            self.cases[f"sample: {case}"] = partial(product.asked, index, notes, context)

    def _of_hook(self, store: list[Made]) -> None:
        root = self._folder / "works"
        product.project_of(root, {note.name: (note.text, NOW - note.age) for note in store})

        def ask(event: dict[str, Any]) -> dict[str, Any]:
            # A session of its own: nothing was shown before.
            return product.hook_says({**event, "cwd": str(root), "session_id": str(next(self._sessions))})

        for i, event in enumerate([*prompts(store), *tools(store, root)]):
            self.cases[f"hook: {i:02} {event['hook_event_name']}"] = partial(ask, event)

    def _rebuilt(self, store: list[Made]) -> dict[str, Any]:
        return product.index_parts({note.name: note.text for note in store}, self._folder / "again", {})

    def _taught(self, store: list[Made]) -> dict[str, Any]:
        target = self._folder / f"taught-{next(self._sessions)}"
        product.taught(target, turns_of(store))
        return {"learned": digest(target.read_text(encoding="utf-8"))}

    def line(self, case: str) -> Parts:
        """What the case says now; a case that fails says that."""
        try:
            parts = self.cases[case]()
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # a limit of 0 may end in any of these
            parts = {"raised": type(error).__name__}
        return line_of(full(case, parts))

    def notices(self, weight: Weight, factor: float, case: str) -> bool:
        """Whether the case differs when the weight is multiplied."""
        if case not in self._before:
            self._before[case] = self.line(case)
        with weight.change(weight.value * factor):
            return self.line(case) != self._before[case]

    def witness(self, weight: Weight) -> str:
        """The first case that notices the weight, `factor case`; "" when none does."""
        for factor in FACTORS:
            if isinstance(weight.value, int) and weight.value * factor < 1:
                continue  # to have none is another rule
            for case in self.cases:
                if self.notices(weight, factor, case):
                    return f"{factor:g} {case}"
        return ""

    def holds(self, weight: Weight, witness: str) -> bool:
        """Whether a witness found before still notices the weight."""
        factor, _, case = witness.partition(" ")
        return case in self.cases and self.notices(weight, float(factor), case)


def witnesses(part: int, parts: int) -> dict[str, str]:
    """The witness of every weight whose number is `part` modulo `parts`."""
    with TemporaryDirectory(prefix="ladder-golden-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        with product.pinned(folder / "home"):
            probes = Probes(folder)
            return {weight.name: probes.witness(weight) for weight in weights()[part::parts]}


def all_witnesses(processes: int) -> dict[str, str]:
    """The witness of every weight, "" where there is none, in the order of `weights()`."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        found: dict[str, str] = {}
        numbers: Sequence[int] = range(processes)
        for each in pool.map(witnesses, numbers, [processes] * processes):
            found |= each
    return {weight.name: found[weight.name] for weight in weights()}
