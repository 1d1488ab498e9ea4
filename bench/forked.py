"""Runs work in forked processes, which share what was read and ranked before; only on Linux, elsewhere in this process.

A fresh process would have to make a gigabyte of rankings again. Forking is not safe on macOS, and Windows has none.
"""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from itertools import chain
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, TypeVar

from ladder.indexing.parallel import workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

#: Items of a group that a process takes at a time.
PORTION = 16

Item = TypeVar("Item")
Result = TypeVar("Result")

#: What the children run; they find it in the memory that they share.
_run: Callable[[Any], Any] | None = None


def can_fork() -> bool:
    """Whether work may go to other processes here, and there is a core for them."""
    return sys.platform == "linux" and workers() > 1


def in_processes(
    groups: Iterable[Sequence[Item]], run: Callable[[Item], Result], watch: Callable[[Sequence[Item]], Iterable[Item]]
) -> Iterator[tuple[Item, Result]]:
    """(item, its result) in the order of the groups, a group's items near each other. `watch` shows progress."""
    portions = [group[at : at + PORTION] for group in groups for at in range(0, len(group), PORTION)]
    with _shared(lambda portion: [run(item) for item in portion]), get_context("fork").Pool(workers()) as pool:
        results = chain.from_iterable(pool.imap(_in_child, portions))
        yield from zip(watch(list(chain.from_iterable(portions))), results, strict=True)


def beside(run: Callable[[], Result], meanwhile: Callable[[], None]) -> Result | None:
    """What `run` gives in another process, None when it fails; `meanwhile` is done here."""
    with _shared(lambda _: run()), get_context("fork").Pool(1) as pool:
        result = pool.apply_async(_in_child, (None,))
        meanwhile()
        result.wait()
        return result.get() if result.successful() else None


def _in_child(item: Any) -> Any:  # noqa: ANN401 (whatever goes to `run`, and what comes back)
    assert _run is not None
    return _run(item)


@contextmanager
def _shared(run: Callable[[Any], Any]) -> Iterator[None]:
    """Put `run` where children find it; what is there is left out of searches for circles, which would copy it."""
    global _run  # noqa: PLW0603 (a child has nothing but this module to look in)
    _run = run
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        _run = None
