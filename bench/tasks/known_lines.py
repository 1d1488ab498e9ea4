"""Known-item search: makes questions of a folder's own lines, some words of one line among words of others.

It measures the plainest need, a person who remembers a few words of a line and wants that line. It says nothing about
paraphrases, and favours systems that rank single paragraphs.
"""

import random
from collections.abc import Mapping

from bench.public.as_notes.note_set import Line, NoteSet, Question

#: Least letters of a word in a question, and least words that a line has beyond those in the question.
LEAST_LETTERS = 4
SPARE = 4


def made(notes: Mapping[str, bytes], *, questions: int, words: int, others: int, seed: int) -> NoteSet:
    """Return `questions` questions, or as many as there are lines: `words` words of a line and `others` of any.

    A line is asked about once, and only if it has SPARE words more. Intervals redraw notes.
    """
    dice = random.Random(seed)  # noqa: S311 (nothing is kept secret with it)
    every = _lines(notes)
    lines = [(line, found) for line, found in every if len(found) >= words + SPARE]
    pool = [word for _, found in lines for word in found]
    chosen = dice.sample(lines, min(questions, len(lines)))
    asked = []
    for line, found in chosen:
        own = dice.sample(found, words)
        strange = [dice.choice(pool) for _ in range(others)]
        text = [*own, *strange]
        dice.shuffle(text)
        name = f"{line.note}:{line.start}"
        asked.append(Question(name, " ".join(text), line.note, held=False, evidence=(line,), asked=""))
    return NoteSet("lines", dict(notes), asked, {"lines too short": len(every) - len(lines)})


def _lines(notes: Mapping[str, bytes]) -> list[tuple[Line, list[str]]]:
    """Each line that is not empty, with its distinct words in lower case."""
    found: list[tuple[Line, list[str]]] = []
    for name, data in sorted(notes.items()):
        start = 0
        for text in data.split(b"\n"):
            stripped = text.strip()
            if stripped:
                begin = start + text.index(stripped)
                found.append((Line(name, begin, begin + len(stripped)), words_of(stripped.decode("utf-8", "replace"))))
            start += len(text) + 1
    return found


def words_of(text: str) -> list[str]:
    """The distinct words of a text that are letters alone, in lower case, in their order."""
    words = "".join([char if char.isalnum() else " " for char in text]).lower().split()
    return list(dict.fromkeys(word for word in words if len(word) >= LEAST_LETTERS and word.isalpha()))
