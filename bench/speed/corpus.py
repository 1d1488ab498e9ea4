"""Makes hundreds or ten thousands of notes for measuring speed, of the machine's own English text, from a seed.

Paragraphs come from documentation and docstrings of the installed Python and its packages and from /usr/share/doc;
where that is too little, sentences are invented over a vocabulary with a natural (Zipf) distribution. Every note has
front matter, a lead, sections, dated entries and some words of its own. Questions are words of a known note.
"""

import itertools
import random
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Bytes of distinct paragraphs that are enough; a larger corpus is made of recombined ones.
ENOUGH = 12_000_000
#: Bytes a note has on average.
NOTE_BYTES = 19_500


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the text is from, and how to make the notes."""

    paragraphs: tuple[str, ...]
    invented: bool
    """No real text was found."""
    seed: int

    def notes(self, count: int, size: int = NOTE_BYTES) -> Iterator[tuple[str, str]]:
        """(name, text) of `count` notes of about `size` bytes, the same for the same seed and machine."""
        dice = random.Random(self.seed + count)  # noqa: S311 (repeatable, no secret)
        order = list(self.paragraphs)
        dice.shuffle(order)
        source = itertools.cycle(order)
        recombined = count * size > sum(map(len, order))
        for i in range(count):
            yield f"area{i % 40:02}/note{i:05}", _note(i, dice, order if recombined else source, size)


def machine_corpus(seed: int = 8, enough: int = ENOUGH) -> Corpus:
    """The machine's own text, or invented text when there is less than a tenth of what is needed."""
    roots = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")] + [Path("/usr/share/doc")]
    files = sorted(
        {file for root in roots for file in root.rglob("*") if file.suffix in (".py", ".md", ".rst", ".txt")}
    )
    dice = random.Random(seed)  # noqa: S311 (repeatable, no secret)
    dice.shuffle(files)
    found: dict[str, None] = {}
    size = 0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8", errors="ignore")
        except OSError:
            continue
        for paragraph in _paragraphs(text, code=file.suffix == ".py"):
            if paragraph not in found:
                found[paragraph] = None
                size += len(paragraph)
        if size > enough:
            break
    if size < enough // 10:
        return Corpus(tuple(_invented(dice, enough)), invented=True, seed=seed)
    return Corpus(tuple(found), invented=False, seed=seed)


def _paragraphs(text: str, *, code: bool) -> Iterator[str]:
    """Paragraphs of prose: eight words or more, mostly letters; of Python files, those in docstrings."""
    blocks = text.split('"""')[1::2] if code else [text]
    for block in blocks:
        for paragraph in block.replace("\r\n", "\n").split("\n\n"):
            words = paragraph.split()
            if 8 <= len(words) <= 200:
                plain = " ".join(words)
                if sum(c.isalpha() or c == " " for c in plain) > 0.8 * len(plain):
                    yield plain


def _invented(dice: random.Random, size: int) -> Iterator[str]:
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ist")]
    words = ["".join(dice.choices(syllables, k=dice.choice((1, 2, 2, 3, 4)))) for _ in range(30_000)]
    weights = list(itertools.accumulate(1 / (i + 2.7) for i in range(len(words))))
    while size > 0:
        paragraph = " ".join(dice.choices(words, cum_weights=weights, k=dice.randint(10, 120)))
        size -= len(paragraph)
        yield paragraph


def _note(number: int, dice: random.Random, source: "list[str] | itertools.cycle[str]", most: int) -> str:
    def take() -> str:
        return dice.choice(source) if isinstance(source, list) else next(source)

    title = " ".join(take().split()[:4]).strip("#*`-: ") or "Note"
    parts = [f"---\ntags: [t{number % 17}, id{number:05}x]\n---\n# {title} {number}", take()]
    size = 0
    while size < most * 0.8:
        parts.append(f"## {' '.join(take().split()[:5]).strip('#*`-: ')}")
        for _ in range(dice.randint(2, 7)):
            parts.append(take())
            size += len(parts[-1])
    parts.append("## History")
    for day in range(1, dice.randint(2, 9)):
        parts += [f"### 2026-0{day}-{dice.randint(10, 28)} session {number}-{day}", take()]
    return "\n\n".join(parts) + "\n"


def questions(notes: list[tuple[str, str]], count: int, seed: int = 8) -> list[tuple[str, str]]:
    """(question, name of the note it was taken from): half are short (about 10 words), a third 21, the rest 84."""
    dice = random.Random(seed)  # noqa: S311 (repeatable, no secret)
    out = []
    for _ in range(count):
        name, text = dice.choice(notes)
        words = [word for word in text.split() if word.isalpha()]
        length = dice.choices((10, 21, 84), (52, 34, 14))[0]
        out.append((" ".join(dice.choices(words, k=length)), name))
    return out
