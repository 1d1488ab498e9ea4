"""The texts of a JSON value: where archive and forgetting look for what is to be gone."""

from collections.abc import Iterator


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in a JSON value, keys too, in the order in which they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_in(item)
