"""The questions that weights are fitted to: each set's, with the lines that answer and the half it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from bench.corpus.cache import Keep
    from bench.corpus.snapshot import World
    from notes import Settings

#: The corpora that are mined, and the share of their turns in which a word may stand and still be uncommon.
CORPORA = ("oh-my-posh", "wakil", "cipher-box", "erk")
MINED_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put: `lines` says of a note's name and text which byte ranges answer."""

    group: str
    held: bool
    context: Mapping[str, Any]
    answers: Mapping[str, tuple[str, ...]]
    """Note -> the lines of it that answer, without white space at their ends."""


def of_sample(_data: Path | None, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    """The bundled sample's questions at the turn's start."""
    from bench.sample import ROOT  # noqa: PLC0415 (only the sample needs it)
    from notes import load_settings  # noqa: PLC0415 (as above)

    yield from _mined(load_settings(ROOT), ROOT / "logs", keep, folder)


def of_pairs(data: Path | None, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    """Mined pairs of the corpora with notes enough, at the turn's start, of the notes as of the turn."""
    from notes import folder_settings  # noqa: PLC0415 (as above)

    assert data is not None
    for name in CORPORA:
        root = data / "sessions" / name
        yield from _mined(folder_settings(root / "notes"), root / "logs", keep, folder / name)


def _mined(settings: Settings, logs: Path, keep: Keep, folder: Path) -> Iterator[tuple[World, Asked]]:
    from bench.corpus.corpus import Corpus  # noqa: PLC0415 (not every set is mined)
    from bench.corpus.gather import from_logs  # noqa: PLC0415 (as above)
    from bench.public.as_notes.note_set import in_held_half  # noqa: PLC0415 (as above)
    from transcripts import sessions  # noqa: PLC0415 (as above)

    logged = list(sessions(logs))
    corpus = Corpus(from_logs(logged, settings, MINED_SHARE, mined=folder), logged, keep, "any")
    for question in corpus.asked_then:
        held = in_held_half(question.session)
        asked = Asked(question.session, held, question.contexts["turn"], {question.note: question.lines})
        yield corpus.worlds(question), asked


def of_plain(data: Path | None, keep: Keep, _folder: Path) -> Iterator[tuple[World, Asked]]:
    """The plain questions, tuned and held by their files."""
    from bench.tasks.plain_questions import FILES, NEEDLESS, digits, load, world_of  # noqa: PLC0415 (as above)

    assert data is not None
    worlds: dict[str, World] = {}
    for half, file in FILES.items():
        for plain in load(file):
            if plain.kind == NEEDLESS:
                continue
            if plain.corpus not in worlds:
                worlds[plain.corpus] = world_of(data / "sessions" / plain.corpus / "notes", keep)
            world = worlds[plain.corpus]
            answers = {
                note: tuple(
                    line.strip() for line in world.text.get(note, "").split("\n") if digits(line) in plain.lines
                )
                for note in plain.notes
            }
            group = f"{plain.corpus} {plain.notes[0]}"
            yield world, Asked(group, half == "held", {"message": plain.text}, answers)


def of_published(name: str) -> Callable[[Path | None, Keep, Path], Iterator[tuple[World, Asked]]]:
    """The questions of a published set as notes."""

    def questions(data: Path | None, keep: Keep, _folder: Path) -> Iterator[tuple[World, Asked]]:
        from bench.corpus.snapshot import World  # noqa: PLC0415 (as above)
        from bench.public.as_notes.replay import SETS as PUBLISHED  # noqa: PLC0415 (as above)
        from bench.public.catalogue import sets  # noqa: PLC0415 (as above)

        assert data is not None
        listed, read = PUBLISHED[name]
        place = sets()[listed].find(data)
        if place is None:
            raise LookupError(f"{name} is not in {data}")
        made = read(place)
        world = World(made.notes, keep)
        for each in made.questions:
            answers: dict[str, tuple[str, ...]] = {}
            for line in each.evidence:
                text = made.notes[line.note][line.start : line.end].decode("utf-8", "replace").strip()
                answers[line.note] = (*answers.get(line.note, ()), text)
            yield world, Asked(each.group, each.held, {"message": each.text, "now": each.asked}, answers)

    return questions


SETS: dict[str, Callable[[Path | None, Keep, Path], Iterator[tuple[World, Asked]]]] = {
    "sample": of_sample,
    "plain": of_plain,
    "pairs": of_pairs,
    "locomo": of_published("locomo"),
    "qmsum": of_published("qmsum"),
    "lifebench": of_published("lifebench"),
}
