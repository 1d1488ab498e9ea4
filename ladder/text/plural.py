"""A number and what it counts, as it is said."""


def number_of(count: int, what: str) -> str:
    """Return "1 pair", "2 pairs": for words whose plural is made with an s."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
