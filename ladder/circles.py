"""Python's search for circles of objects, switched off where many objects are made and none of them is in one."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_circles() -> Iterator[None]:
    """Switch the search off: notes and counts make no circles, and it takes a twelfth of a build's time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
