"""Measures one message through the hook as a whole process, beside other ways to answer it, in one run.

The machine's speed drifts by half within minutes, so every row is measured in turn with a bare interpreter
(`python -I -S -c pass`), and what counts is the median of the ratios inside each round, not the milliseconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.install.interpreter import base_interpreter
from ladder.text.tokenizer import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bench.speed.hook_replay import Client

#: Words of the question; the median of real ones, between "go on" and a pasted log.
QUESTION_WORDS = 21


@dataclass(frozen=True, slots=True)
class Timed:
    """One way to answer, measured."""

    name: str
    ms: float
    """Median wall time of the whole process, milliseconds."""
    ratio: float
    """Median of the ratios to the bare interpreter of the same round."""
    cpu: float
    """The same ratio for processor time: what remains comparable when neighbours are busy."""
    rss: float
    """Resident set, MiB; 0 where the system does not say."""
    rounds: int
    found: int
    """Results of the last round; a system that finds nothing is not fast."""


@dataclass(frozen=True, slots=True)
class Way:
    """A process to start: its command, what it reads, what counts as a result, what is done before each round."""

    name: str
    command: Sequence[str]
    data: Callable[[int], bytes]
    count: Callable[[bytes], int]
    env: dict[str, str] | None = None
    before: Callable[[], None] | None = None


def measure(ways: Sequence[Way], rounds: int) -> Iterator[Timed]:
    """Run every way once a round, in turn; the first is the yardstick."""
    times: dict[str, list[float]] = {way.name: [] for way in ways}
    processor: dict[str, list[float]] = {way.name: [] for way in ways}
    found = dict.fromkeys(times, 0)
    for number in range(rounds + 1):
        for way in ways:
            if way.before is not None:
                way.before()
            seconds, worked, output = once(way, number)
            if number == 0:
                continue  # the first round only warms the caches
            times[way.name].append(seconds)
            processor[way.name].append(worked)
            found[way.name] = way.count(output)
    base = times[ways[0].name]
    for way in ways:
        yield Timed(
            way.name,
            statistics.median(times[way.name]) * 1000,
            _ratio(times[way.name], base),
            _ratio(processor[way.name], processor[ways[0].name]),
            resident(way),
            rounds,
            found[way.name],
        )


def _ratio(mine: Sequence[float], base: Sequence[float]) -> float:
    return statistics.median([a / b for a, b in zip(mine, base, strict=True)]) if all(base) else 0.0


def once(way: Way, number: int) -> tuple[float, float, bytes]:
    """Run a way once; return its wall and processor time in seconds (0.0 where that is not known), and its stdout."""
    data = way.data(number)
    begun = time.perf_counter()
    process = subprocess.Popen(
        list(way.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=way.env
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(data)
        process.stdin.close()
    output = process.stdout.read()
    process.stdout.close()
    worked = 0.0
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        worked = usage.ru_utime + usage.ru_stime
    else:
        process.wait()
    return time.perf_counter() - begun, worked, output


#: Starts a command from a process that is itself small: a child inherits its parent's largest resident set.
_SMALL = (
    "import posix, sys\n"
    "pid = posix.posix_spawnp(sys.argv[1], sys.argv[1:], posix.environ)\n"
    "usage = posix.wait4(pid, 0)[2]\n"
    "posix.write(2, b'%d' % usage.ru_maxrss)\n"
)


def resident(way: Way) -> float:
    """Return the largest resident set of one more run, MiB; 0 where the system does not say."""
    if not hasattr(os, "wait4"):
        return 0.0
    command = [base_interpreter().as_posix(), "-I", "-S", "-c", _SMALL, *way.command]
    done = subprocess.run(command, input=way.data(-1), capture_output=True, check=False, env=way.env)
    digits = done.stderr.rsplit(b"\n", 1)[-1]
    return int(digits) / (1024 * 1024 if sys.platform == "darwin" else 1024) if digits.isdigit() else 0.0


def ways_to_answer(client: Client, texts: dict[str, str], question: str, folder: Path, log: Path) -> list[Way]:
    """Return the hook and its yardsticks, ready to be asked `question` over `texts` (name -> text)."""
    handler = client.handlers["UserPromptSubmit"]
    hook = [handler["command"], *handler["args"]]
    index = next((client.home / "cache" / "ladder").glob("*/index.ladder"))

    def event(path: str) -> Callable[[int], bytes]:
        fields = {
            "hook_event_name": "UserPromptSubmit",
            "cwd": str(client.notes),
            "prompt": question,
            "transcript_path": path,
        }
        return lambda number: json.dumps(fields | {"session_id": f"{number}-{path != ''}-{time.time_ns()}"}).encode()

    def evict() -> None:
        for file in [index]:
            descriptor = os.open(file, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)

    def warm() -> None:
        # The row with an evicted index leaves it cold, and what the next rows then wait for is the disk.
        index.read_bytes()
        log.read_bytes()

    def names(output: bytes) -> int:
        return output.decode("utf-8", "replace").count("(head ")

    ways = [
        Way("python -I -S -c pass", [hook[0], "-I", "-S", "-c", "pass"], lambda _: b"", lambda _: 1),
        Way("hook, message alone", hook, event(""), names, client.env, warm),
        Way("hook, with a log's tail", hook, event(str(log)), names, client.env, warm),
    ]
    if hasattr(os, "posix_fadvise"):
        ways.append(Way("hook, index evicted", hook, event(""), names, client.env, evict))
    words = terms(question)
    ways.append(_bm25s(texts, words, folder))
    ways.append(_fts5(texts, words, folder, hook[0]))
    if shutil.which("rg"):
        pattern = "|".join(sorted(set(words)))
        command = ["rg", "--count-matches", "--ignore-case", "--regexp", pattern, str(folder / "notes")]
        ways.append(Way("ripgrep, count", command, lambda _: b"", lambda output: output.count(b"\n")))
    return ways


def _bm25s(texts: dict[str, str], words: list[str], folder: Path) -> Way:
    import bm25s  # noqa: PLC0415 (a second to load, only when this is run)

    retriever = bm25s.BM25(k1=1.5, b=0.75)
    retriever.index([terms(text) for text in texts.values()], show_progress=False)
    retriever.save(str(folder / "bm25s"))
    code = (
        "import sys, json, bm25s\n"
        f"r = bm25s.BM25.load({str(folder / 'bm25s')!r}, mmap=True)\n"
        "found, _ = r.retrieve([json.load(sys.stdin)], k=5, show_progress=False)\n"
        "print(len(found[0]))\n"
    )
    return Way(
        "bm25s.load(mmap) + retrieve",
        [sys.executable, "-P", "-c", code],
        lambda _: json.dumps(words).encode(),
        lambda output: int(output or 0),
    )


def _fts5(texts: dict[str, str], words: list[str], folder: Path, python: str) -> Way:
    path = folder / "fts5.db"
    with contextlib.closing(sqlite3.connect(path)) as base, base:
        base.execute("create virtual table notes using fts5(body, content='', tokenize='porter unicode61')")
        base.executemany("insert into notes(rowid, body) values (?, ?)", enumerate(texts.values(), 1))
    match = " OR ".join(f'"{word}"' for word in sorted(set(words)) if word.isalnum())
    # Code for the child, which reads its question from stdin.
    lines = (
        "import _sqlite3, sys",
        f"c = _sqlite3.connect({str(path)!r})",
        "q = 'select rowid from notes where notes match ? order by bm25(notes) limit 5'",
        "print(len(c.execute(q, (sys.stdin.read(),)).fetchall()))",
    )
    code = "\n".join(lines)
    return Way(
        "FTS5, bare _sqlite3",
        [python, "-I", "-S", "-c", code],
        lambda _: match.encode(),
        lambda output: int(output or 0),
    )


def made_notes(count: int, seed: int = 1) -> dict[str, str]:
    """Return `count` seeded notes of about 4,900 tokens, in the proportions of real ones: many words, few often.

    They stand for size alone; what is found in them says nothing about finding.
    """
    source = random.Random(seed)  # noqa: S311 (a corpus that is the same each time)
    sounds = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "zen", "qor"]
    vocabulary = sorted({"".join(source.choices(sounds, k=source.randint(2, 5))) for _ in range(40_000)})
    source.shuffle(vocabulary)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    pool = source.choices(vocabulary, weights=weights, k=400_000)
    notes = {}
    for number in range(count):
        parts = [f"# Note {number} {vocabulary[number % len(vocabulary)]}\n"]
        for section in range(9):
            parts.append(f"\n## {' '.join(source.choices(vocabulary, k=3))} {number}-{section}\n")
            for _ in range(3):
                start = source.randrange(len(pool) - 60)
                parts.append("\n" + " ".join(pool[start : start + 45]) + f" id{number}x{section}.\n")
        notes[f"area{number % 12}/note-{number}"] = "".join(parts)
    return notes


def made_question(texts: dict[str, str]) -> str:
    """Return words of a note in the middle, as a question of ordinary length."""
    text = list(texts.values())[len(texts) // 2]
    words = text.replace("#", " ").split()
    return " ".join(words[len(words) // 2 :][:QUESTION_WORDS])


def made_log(path: Path, texts: dict[str, str]) -> None:
    """Write a session log of two megabytes whose turns speak in the notes' words."""
    source = random.Random(2)  # noqa: S311 (as above)
    bodies = list(texts.values())
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < 2_000_000:
            number += 1
            words = source.choice(bodies).split()
            said = " ".join(words[50:90])
            call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": said}}
            answer = {"type": "tool_result", "tool_use_id": f"t{number}", "content": " ".join(words)}
            spoken = {"type": "text", "text": " ".join(words[:120])}
            records = [
                {"type": "user", "message": {"role": "user", "content": said}},
                {"type": "assistant", "message": {"id": f"m{number}", "content": [spoken]}},
                {"type": "assistant", "message": {"id": f"n{number}", "content": [call]}},
                {"type": "user", "message": {"role": "user", "content": [answer]}},
            ]
            for place, record in enumerate(records):
                record["uuid"] = f"{number}-{place}"
                file.write(json.dumps(record, separators=(",", ":")) + "\n")
