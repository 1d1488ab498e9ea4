"""Which words stood in a turn's tool outputs beside the note that may have answered."""

from collections.abc import Set as AbstractSet
from functools import cached_property

from transcripts.logs.words import loose_words_among
from transcripts.turns.turn import Turn


class Elsewhere:
    """Which words stood in tool outputs of a turn that are not the text of a certain note."""

    def __init__(self, turn: Turn, wanted: AbstractSet[str]) -> None:
        """`wanted`: the words that will be asked for. Nothing is looked at until one is."""
        self._turn = turn
        self._wanted = wanted
        self._known: dict[tuple[str, ...], frozenset[str]] = {}

    @cached_property
    def _where(self) -> dict[str, frozenset[str]]:
        """The wanted words by the note whose text shows them ("": other outputs)."""
        texts: dict[str, list[str]] = {}
        for path, text in self._turn.outputs:
            texts.setdefault(path, []).append(text)
        by_bytes = {word.encode("utf-8", "replace"): word for word in self._wanted}
        wanted, none = frozenset(by_bytes), frozenset[bytes]()
        return {
            path: frozenset(map(by_bytes.__getitem__, none.union(*(loose_words_among(text, wanted) for text in parts))))
            for path, parts in texts.items()
        }

    def than(self, notes: tuple[str, ...]) -> frozenset[str]:
        """Return the wanted words that stood in an output that is not the text of one of `notes`."""
        if notes not in self._known:
            others = [words for path, words in self._where.items() if path not in notes]
            self._known[notes] = frozenset[str]().union(*others)
        return self._known[notes]
