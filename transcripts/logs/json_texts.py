"""The texts of a JSON value: what an agent wrote, and where archive and forgetting look for what is to be gone.

A log can hold values as deep as its parser goes (1,024), deeper than functions may call each other: so no recursion.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any


def texts_in(value: object, *, keys: bool = True, without: Collection[str] = ()) -> Iterator[str]:
    """Yield every text in a JSON value, in the order in which they stand; nothing of the keys `without`."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            for key, held in reversed(item.items()):
                if key not in without:
                    waiting.append(held)
                    if keys:
                        waiting.append(key)


def changed(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 (any JSON value)
    """Return a JSON value with each of its texts changed, keys too."""
    whole = [value]
    waiting: list[Any] = [whole]
    while waiting:
        holder = waiting.pop()
        for key, item in enumerate(holder) if isinstance(holder, list) else holder.items():
            if isinstance(item, str):
                holder[key] = change(item)
            elif isinstance(item, (list, dict)):
                copy = item.copy() if isinstance(item, list) else {change(name): its for name, its in item.items()}
                holder[key] = copy
                waiting.append(copy)
    return whole[0]
