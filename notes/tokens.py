"""The estimate of tokens that decides where a head ends: the same on every machine, with a vocabulary or without.

What reading costs is another question, asked of the vocabulary (`ladder/indexing/token_counts.py`) or, where there is
none, of a closer estimate (`rough_count.py`); the hook reckons with its own, generous one (`ladder/hook/block.py`).
"""


def estimate(text: str) -> int:
    """About how many tokens `text` is: four ASCII characters or one other character each.

    Where a head is cut depends on it, so every caller of `parse` uses the same one: section numbers agree everywhere.
    """
    others = len(text.encode("utf-8", "replace")) - len(text)
    wide = len(text) - len(text.encode("ascii", "ignore")) if others else 0
    return (len(text) - wide + 3) // 4 + wide
