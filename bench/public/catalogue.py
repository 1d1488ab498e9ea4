"""Which sets and systems there are, what each needs, and how to get it."""

import importlib.resources
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from bench.public.model import QuestionSet, System
from bench.public.set_files import LeftOut
from bench.public.sets import folder, lifebench, locomo, longmemeval, memfusebench, qmsum
from bench.public.systems import embedding, ladder, lexical
from bench.public.systems.imitations import lexical_hash as lexicalhash
from bench.public.systems.imitations import memesh, memind, mempalace


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A set as catalogue.toml has it."""

    name: str
    title: str
    files: tuple[str, ...]
    url: str
    """Empty where it can't be fetched by one address; then `hint` says how to get it."""
    saved_as: str
    sha256: str
    hint: str
    licence: str
    parts: Mapping[str, "SetEntry"] = field(default_factory=dict)
    """Further files of the set by the name that `--part` takes."""

    def find(self, data: Path | None) -> Path | None:
        """Return where the set is, below `data` or `data` itself; None when it is nowhere."""
        if data is None or not data.is_dir() or (self.name == "folder" and (data / folder.QUESTIONS).is_file()):
            return data
        place = self.below(data)
        return place or (None if any(entry.below(data) for entry in sets().values()) else data)

    def below(self, data: Path) -> Path | None:
        """Return the first of `files` in `data`, or what is called like the set there; several such files: `data`."""
        if exact := next((place for name in self.files if (place := data / name).exists()), None):
            return exact
        if not self.files:
            return None
        alike = [place for place in sorted(data.iterdir()) if _plain(place.name).startswith(self.name)]
        folders = [place for place in alike if place.is_dir()]
        files = [place for place in alike if place.is_file() and place.suffix in ("", ".json", ".jsonl")]
        return next(iter(folders), None) or (files[0] if len(files) == 1 else data if files else None)


def _plain(name: str) -> str:
    """Return a name as the catalogue writes it: `Long-Mem_Eval` as `longmemeval`."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


@cache
def sets() -> dict[str, SetEntry]:
    """Return name -> entry, in the order of the file."""
    return {
        name: _entry(
            name, row, {part: _entry(name, {**row, **told}, {}) for part, told in row.get("parts", {}).items()}
        )
        for name, row in _table("catalogue.toml").items()
    }


def _entry(name: str, row: Mapping[str, Any], parts: Mapping[str, SetEntry]) -> SetEntry:
    return SetEntry(
        name=name,
        title=row["title"],
        files=tuple(row["files"]),
        url=row.get("url", ""),
        saved_as=row.get("saved_as", ""),
        sha256=row.get("sha256", ""),
        hint=row.get("hint", ""),
        licence=row.get("licence", ""),
        parts=parts,
    )


def published(name: str) -> Sequence[dict[str, Any]]:
    """Return the published figures of a set: system, measure, value, provenance."""
    return [row for row in _table("published.toml")["figure"] if row["set"] == name]


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((importlib.resources.files("bench.public") / name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Options:
    """What a loader can be told."""

    corrected: bool = False
    abstention: bool = True
    wanted: memfusebench.Wanted = field(default_factory=memfusebench.Wanted)


def load(name: str, place: Path, options: Options) -> QuestionSet:
    """Load a set from where it lies.

    Raises:
        OSError: a file is missing or can't be read.
        ValueError: a file does not hold the set; the message names it.
    """
    loaders: dict[str, Callable[[Path], QuestionSet]] = {
        "locomo": lambda path: locomo.load(path, corrected=options.corrected),
        "longmemeval": lambda path: longmemeval.load(path, abstention=options.abstention),
        "qmsum": qmsum.load,
        "lifebench": lifebench.load,
        "memfusebench": lambda path: memfusebench.load(path, options.wanted),
        "folder": folder.load,
    }
    try:
        found = loaders[name](place)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, ValueError) and str(place) in str(error):
            raise
        # Somebody's copy in a shape of its own: the field that is missing is the best hint.
        raise ValueError(f"{place}: not {name} as published ({type(error).__name__}: {error})") from error
    if not found.questions and isinstance(found.left_out, LeftOut) and found.left_out.hint:
        raise ValueError(f"{place}: not {name} as published ({found.left_out.hint})")
    return found


@dataclass(frozen=True, slots=True)
class SystemEntry:
    """A system by the name that `--system` takes."""

    name: str
    about: str
    make: Callable[[], System]
    missing: Callable[[], str | None] = lambda: None
    """Says what has to be installed before it runs, or None."""


def systems() -> dict[str, SystemEntry]:
    """Return name -> entry, in the order of the table."""

    def plain(system: System) -> Callable[[], System]:
        return lambda: system

    def embedded(function: Callable[..., Any], *more: Any) -> Callable[[], System]:  # noqa: ANN401 (passed through)
        return lambda: lambda documents: function(documents, embedding.minilm(), *more)

    entries = [
        SystemEntry("ladder", "ladder as shipped: a document a note, route's order", plain(ladder.make)),
        SystemEntry("fragments", "BM25 over single turns, a document where its best turn is", plain(lexical.fragments)),
        SystemEntry("bm25s", "BM25 over whole documents, ladder's tokeniser", plain(lexical.bm25)),
        SystemEntry("grep", "documents by how many of the question's words they hold", plain(lexical.grep)),
        SystemEntry("memesh A", "SQLite FTS5, its published settings", plain(memesh.full_text)),
        SystemEntry("memesh B", "A and MiniLM joined by maximum", embedded(memesh.by_maximum), embedding.missing),
        SystemEntry("memesh C", "A and MiniLM as a 60/40 mean", embedded(memesh.by_mean), embedding.missing),
        SystemEntry(
            "mempalace raw",
            "MiniLM over all turns",
            embedded(mempalace.by_cosine, mempalace.all_turns),
            embedding.missing,
        ),
        SystemEntry(
            "mempalace user",
            "MiniLM over user turns",
            embedded(mempalace.by_cosine, mempalace.user_turns),
            embedding.missing,
        ),
        SystemEntry(
            "mempalace extract",
            "MiniLM over 500 extracted characters",
            embedded(mempalace.by_cosine, mempalace.extraction),
            embedding.missing,
        ),
        SystemEntry(
            "mempalace fused",
            "extract and user turns by RRF, keyword boost",
            embedded(mempalace.fused),
            embedding.missing,
        ),
        SystemEntry("embedding", "MiniLM alone, first 256 tokens", embedded(embedding.cosine), embedding.missing),
    ]
    for steps in range(len(memind.STEPS) + 1):
        about = memind.STEPS[steps - 1] if steps else "as it began, lexical-hash"
        pipeline = plain(partial(memind.make, embed=lexicalhash.embed, steps=steps))
        entries.append(SystemEntry(f"memind {steps}", f"Memind pipeline, {'+ ' if steps else ''}{about}", pipeline))
    entries.append(
        SystemEntry("memind 10 minilm", "all steps, MiniLM for the embedding", embedded(memind.make), embedding.missing)
    )
    return {entry.name: entry for entry in entries}
