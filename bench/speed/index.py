"""Measures the index beside bm25s, SQLite FTS5, tantivy and ripgrep on the same notes in the same run.

Three groups of rows: *ask* (whole processes, measured in turn, ratios to a bare interpreter), *build* (one process
each, ratios to bm25s' own tokenise + index + save), *replay* (questions a second in one process, ratio to bm25s, and
whether the notes found are the same). What is kept is ratios: milliseconds drift by half within minutes.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine, python_version, system
from sqlite3 import sqlite_version
from typing import TYPE_CHECKING, Any

from bench.speed import peers
from bench.speed.corpus import machine_corpus, questions
from bench.speed.hook_times import Way, measure
from bench.speed.index_table import lines
from ladder.hook.bundle.build import bundled_modules
from ladder.hook.bundle.loader import light_os
from ladder.install.interpreter import base_interpreter
from ladder.text.tokenizer import terms
from notes import find_notes, folder_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np


#: Modules that are put in place without an importer's ceremony, each after those it needs, as the hook's bundle does.
_FIRST = ("index.format", "text.stemmer", "text.tokenizer", "index.note_view", "index.file", "index.postings")
_ORDER = [f"ladder.{name}" for name in (*_FIRST, "index.reader", "index.freshness", "index.checked", "index.overlay")]


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing."""

    group: str
    """ask, build or replay."""
    name: str
    notes: int
    value: float
    """Milliseconds (ask), processor seconds (build), questions a second (replay)."""
    ratio: float
    """To the group's first row; of processor time for builds, of rates for replays; 0 where it has none."""
    mib: float
    """Largest resident set; 0 where the system does not say."""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Speed:
    """A run: where, with what, and its rows."""

    rows: tuple[Row, ...]
    versions: dict[str, str]
    corpus: str
    missing: tuple[str, ...]
    """Peers that are not installed."""
    command: str
    """What makes it again."""
    made: str
    """The day."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def run_speed(
    sizes: Sequence[int] = (220,),
    *,
    rounds: int = 40,
    asked: int = 2000,
    seed: int = 8,
    say: Callable[[str], None] = print,
) -> Speed:
    """Measure everything at each number of notes; `say` is told what is being done. Leaves nothing behind."""
    corpus = machine_corpus(seed)
    rows: list[Row] = []
    missing = tuple(name for name in ("tantivy", "rg") if not _there(name))
    with tempfile.TemporaryDirectory(prefix="ladder-speed-") as place:
        for size in sizes:
            folder = Path(place) / str(size)
            say(f"{size} notes: writing")
            texts: list[tuple[str, str]] = []
            for name, text in corpus.notes(size):
                file = folder / "notes" / f"{name}.md"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                os.utime(file, (time.time() - 60, time.time() - 60))
                if size <= 1000 or len(texts) < 500:
                    texts.append((name, text))
            asking = questions(texts, asked, seed)
            say(f"{size} notes: building")
            rows += _builds(folder, size, missing)
            say(f"{size} notes: asking, {rounds} rounds")
            rows += _asks(folder, size, rounds, _typical(asking), missing)
            say(f"{size} notes: replaying {asked} questions")
            rows += _replays(folder, size, [question for question, _ in asking])
    shown = ("bm25s", "numpy", "tantivy", "tiktoken")
    versions = {name: _version(name) for name in shown if _version(name)} | {"sqlite": sqlite_version}
    if "rg" not in missing:
        versions["ripgrep"] = subprocess.check_output(["rg", "--version"], text=True, encoding="utf-8").split()[1]
    versions |= {"python": python_version(), "machine": machine_name()}
    kind = "invented text" if corpus.invented else "text of this machine's documentation and docstrings"
    sized = " ".join(f"--notes {size}" for size in sizes)
    command = f"python -m bench.speed.index {sized} --rounds {rounds} --questions {asked} --seed {seed}"
    made = time.strftime("%Y-%m-%d")
    return Speed(tuple(rows), versions, f"{kind}, seed {seed}", missing, command, made)


def machine_name() -> str:
    """What kind of machine this is, for the folder that keeps its runs; not whose."""
    return f"{system().lower()}-{machine().lower()}-{os.cpu_count()}cores"


def _typical(asking: Sequence[tuple[str, str]]) -> str:
    """A question of 21 words: the median of real ones, between "go on" and a pasted log."""
    return next((question for question, _ in asking if len(question.split()) == 21), asking[0][0])


def _there(peer: str) -> bool:
    return shutil.which(peer) is not None if peer == "rg" else importlib.util.find_spec(peer) is not None


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _run(code: str, *arguments: object) -> tuple[list[float], float, float]:
    """What a program prints (numbers), its processor seconds with its children's, its largest resident set in MiB."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    if code is peers.LADDER_BUILD:  # its workers import it, so it must be a file
        file = Path(str(arguments[1])).with_suffix(".py")
        file.write_text(code, encoding="utf-8")
        command = [sys.executable, str(file), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    printed = process.stdout.read()
    process.stdout.close()
    worked = mib = 0.0
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        worked = usage.ru_utime + usage.ru_stime
        mib = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    if process.wait():
        raise RuntimeError(f"a program that was to be measured ended with {process.returncode}")
    return [float(number) for number in printed.split()], worked, mib


def _size(path: Path) -> float:
    """Megabytes of a file, or of the files in a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


def _builds(folder: Path, size: int, missing: Sequence[str]) -> list[Row]:
    notes = folder / "notes"
    (wall, base), _, mib = _run(peers.BM25S_BUILD, notes, folder / "bm25s")

    def row(name: str, seconds: float, mib: float, path: Path, remark: str = "") -> Row:
        said = f"{_size(path):.1f} MB on disk" + (f"; {remark}" if remark else "")
        return Row("build", name, size, seconds, seconds / base, mib, said)

    rows = [row("bm25s tokenise, index, save", base, mib, folder / "bm25s", f"{wall:.1f} s wall")]
    (wall, cpu), _, mib = _run(peers.BM25S_OUR_WORDS, notes, folder / "bm25s-ours")
    rows.append(row("bm25s with ladder's words", cpu, mib, folder / "bm25s-ours", f"{wall:.1f} s wall"))
    (wall, cpu), _, mib = _run(peers.FTS5_BUILD, notes, folder / "fts5")
    rows.append(row("SQLite FTS5", cpu, mib, folder / "fts5", f"{wall:.1f} s wall"))
    if "tantivy" not in missing:
        (wall, cpu), _, mib = _run(peers.TANTIVY_BUILD, notes, folder / "tantivy")
        rows.append(row("tantivy, 1 thread", cpu, mib, folder / "tantivy", f"{wall:.1f} s wall"))
    index, costs = folder / "index", folder / "costs"
    (wall, cpu, parsing, counting), _, mib = _run(peers.LADDER_BUILD, notes, index, costs, 1)
    mine = cpu - parsing - counting
    remark = f"parsing Markdown {parsing:.1f} s, counting tokens {counting:.1f} s besides; {wall:.1f} s wall in all"
    rows.append(row("ladder: words, passages, save", mine, mib, index, remark))
    (wall, cpu, parsing, counting), _, mib = _run(peers.LADDER_BUILD, notes, index, costs, 1)
    rows.append(row("ladder again: counts kept", cpu, mib, index, f"all, {wall:.1f} s wall, counting {counting:.2f} s"))
    if size >= 1000:
        (wall, *_), cpu, mib = _run(peers.LADDER_BUILD, notes, index, costs, 2)
        rows.append(row("ladder again, two processes", cpu, mib, index, f"all, {wall:.1f} s wall"))
    return rows


def probe(folder: Path) -> list[str]:
    """A command that asks the index as the hook does: one compiled file on a bare interpreter. Arguments follow."""
    modules = {
        name: compile(file.read_bytes(), name, "exec", optimize=2, dont_inherit=True)
        for name, file in bundled_modules("ladder.index.overlay").items()
    }
    first = [name for name in _ORDER if name in modules]
    program = f"{inspect.getsource(light_os)}\nFIRST = {first!r}\n{peers.PROBE_START}"
    ask = compile(peers.LADDER_ASK, "ask", "exec", optimize=2, dont_inherit=True)
    file = folder / "probe"
    file.write_bytes(marshal.dumps((compile(program, "probe", "exec", optimize=2, dont_inherit=True), modules, ask)))
    start = "import marshal,sys;p,modules,ask=marshal.loads(open(sys.argv.pop(1),'rb').read());exec(p)"
    return [str(base_interpreter()), "-I", "-S", "-c", start, str(file)]


def _asks(folder: Path, size: int, rounds: int, question: str, missing: Sequence[str]) -> list[Row]:
    files = find_notes(folder_settings(folder / "notes"))
    index = folder / "index"
    changed = folder / "changed"
    shutil.copy(index, changed)
    bare = [str(base_interpreter()), "-I", "-S", "-c"]
    ours = probe(folder)

    def way(name: str, command: Sequence[object], before: Callable[[], None] | None = None) -> Way:
        return Way(name, [str(part) for part in command], lambda _: b"", lambda out: len(out.split()), before=before)

    first = Path(files[0].path)
    text = first.read_bytes()

    def edit() -> None:
        first.write_bytes(text + f"\nedited {time.time_ns()}\n".encode())

    def restore() -> None:
        first.write_bytes(text)
        os.utime(first, ns=(files[0].mtime_ns, files[0].mtime_ns))

    ways = [
        way("python -I -S -c pass", [*bare, "pass"]),
        way("ladder: rank, 40 notes' passages", [*ours, index, question, "no"], restore),
        way("the same, files looked at", [*ours, index, question, "scan"], restore),
        way("the same, one note changed", [*ours, changed, question, "scan"], edit),
    ]
    if hasattr(os, "posix_fadvise"):
        ways.append(way("ladder, index not in memory", [*ours, index, question, "no"], lambda: _evict(index)))
    ways += [
        way("bm25s.load, retrieve", [sys.executable, "-c", peers.BM25S_ASK, folder / "bm25s", question]),
        way("FTS5 by bare _sqlite3", [*bare, peers.FTS5_ASK, folder / "fts5", question]),
    ]
    if "tantivy" not in missing:
        place = Path(str(importlib.util.find_spec("tantivy").origin)).parent.parent  # type: ignore[union-attr]
        ways.append(way("tantivy, bare", [*bare, peers.TANTIVY_ASK, folder / "tantivy", question, place]))
    if "rg" not in missing:
        words = "|".join(sorted(set(terms(question))))
        ways.append(way("ripgrep, the question's words", ["rg", "-ciN", words, folder / "notes"]))
    rows = [
        Row("ask", t.name, size, t.ms, t.ratio, t.rss, f"processor time x {t.cpu:.2f}, {t.found} found")
        for t in measure(ways, rounds)
    ]
    restore()
    return rows


def _evict(file: Path) -> None:
    """Drop the file's pages from memory, as after a pause."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def _replays(folder: Path, size: int, asking: Sequence[str]) -> list[Row]:
    import bm25s  # noqa: PLC0415 (numpy, and all that it tries to import)

    from ladder.index.reader import open_index  # noqa: PLC0415 (as above)
    from ladder.index.scoring import best as first_notes  # noqa: PLC0415 (as above)

    files = find_notes(folder_settings(folder / "notes"))
    numbers: dict[str, int] = {}
    ids = [
        [numbers.setdefault(t, len(numbers)) for t in terms(Path(f.path).read_text(encoding="utf-8"))] for f in files
    ]
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index((ids, numbers), show_progress=False)
    del ids
    weights = [dict.fromkeys((t for t in terms(question) if t in numbers), 1.0) for question in asking]
    weights = [question for question in weights if question]  # bm25s trips over a question without a known word
    tokens = [[numbers[t] for t in question] for question in weights]
    best = {"theirs": 1e9, "ours": 1e9}
    theirs: np.ndarray[Any, Any] | None = None
    with open_index(str(folder / "index")) as index:
        for _ in range(3):  # in turn, best of three: a neighbour's load hits both
            begun = time.process_time()
            theirs, _ = model.retrieve(tokens, k=5, show_progress=False, n_threads=0)
            best["theirs"] = min(best["theirs"], time.process_time() - begun)
            begun = time.process_time()
            mine = [first_notes(index.score_notes(question), 5) for question in weights]
            best["ours"] = min(best["ours"], time.process_time() - begun)
    assert theirs is not None
    first = sum(int(a[0]) == b[0] for a, b in zip(theirs, mine, strict=True) if b)
    five = sum(set(map(int, a)) == set(b) for a, b in zip(theirs, mine, strict=True))
    n = len(weights)
    remark = f"same first note {first / n:.2%}, same five {five / n:.2%} of {n}"
    rates = {name: n / seconds for name, seconds in best.items()}
    return [
        Row("replay", "bm25s retrieve, k 5", size, rates["theirs"], 1.0, 0.0, "per second of processor time"),
        Row(
            "replay", "ladder, as the hook asks, k 5", size, rates["ours"], rates["ours"] / rates["theirs"], 0.0, remark
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.index",
        description="Measure building, asking and replaying beside bm25s, SQLite FTS5, tantivy and ripgrep, as ratios.",
    )
    parser.add_argument(
        "--notes", type=int, action="append", metavar="N", help="how many notes; 220 by default (again for another)"
    )
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="rounds, each process once in each (40)")
    parser.add_argument("--questions", type=int, default=2000, metavar="N", help="questions to replay (2000)")
    parser.add_argument("--seed", type=int, default=8, metavar="N", help="another corpus and other questions")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the run there, as DATE-MACHINE/speed.json")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    found = run_speed(
        given.notes or (220,), rounds=given.rounds, asked=given.questions, seed=given.seed,
        say=lambda said: print(said, file=sys.stderr),  # noqa: T201 (progress of a command)
    )  # fmt: skip
    written = json.dumps(found.as_dict(), indent=2) + "\n"
    if given.keep is not None:
        folder = given.keep / f"{found.made}-{found.versions['machine']}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "speed.json").write_text(written, encoding="utf-8", newline="\n")
    sys.stdout.write(written if given.json else "\n".join(lines(found)) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
