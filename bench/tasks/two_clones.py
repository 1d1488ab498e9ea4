"""Two clones of one origin, each appending entries and merging every few: what is lost, and where git stops.

    python -m bench.tasks.two_clones --entries 200 --notes 10 --every 5 [--rebase]

A made history, not a measure of quality: it shows that the merge driver of `ladder init --team` keeps every entry.
"""

import argparse
import datetime as dt
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from notes import find_notes, folder_settings
from notes.files.place import Place
from notes.merging.driver import ARGUMENTS
from notes.review.check import parsed
from notes.writing.changes import changes
from notes.writing.ledger import dated, differs
from notes.writing.store import append_entry, create, observe, read_notes_ledger, replace_head

START = dt.datetime(2026, 9, 1, 8, tzinfo=dt.UTC)


class Result(NamedTuple):
    """How such a history ended."""

    written: int
    """Entries that were appended."""
    there: int
    """Of those, how many stand in both clones, once."""
    conflicts: int
    """Merges at which git stopped."""
    findings: tuple[str, ...]
    """What a check of the notes' histories and ledgers says of either clone."""
    alike: bool
    """Both clones end with the same bytes."""
    merges: int
    seconds: float


def git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run git in `folder` with a name, an address and a time zone of its own."""
    plain = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
    return subprocess.run(
        ["git", *plain, "-C", str(folder), *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )


def run(folder: Path, *, entries: int, notes: int, every: int, rebase: bool, seed: int = 1) -> Result:
    """Play the history in `folder`, which must be empty."""
    begun = time.perf_counter()
    random_ = random.Random(seed)  # noqa: S311 (a made history)
    origin, clones = folder / "origin.git", [folder / "one", folder / "two"]
    git(folder, "init", "--bare", "-b", "main", str(origin))
    git(folder, "clone", str(origin), str(clones[0]))
    git(clones[0], "checkout", "-b", "main")
    names = [create(clones[0], f"Topic {n}", head="how it stands", now=START).relative for n in range(notes)]
    lines = "*.md merge=ladder\n**/.ladder/notes/** merge=ladder\n"
    (clones[0] / ".gitattributes").write_text(lines, encoding="utf-8")
    _commit(clones[0], "begun")
    git(clones[0], "push", "-u", "origin", "main")
    git(folder, "clone", str(origin), str(clones[1]))
    for clone in clones:
        command = f"'{Path(sys.executable).as_posix()}' -m ladder merge {ARGUMENTS}"
        git(clone, "config", "merge.ladder.driver", command)
        git(clone, "config", "merge.ladder.name", "ladder's notes")
    written: set[str] = set()
    conflicts = merges = 0
    for n in range(entries):
        for who, clone in enumerate(clones):
            now = START + dt.timedelta(minutes=30 * n + who)
            place = Place(clone, clone / random_.choice(names))
            text = f"clone {who}, entry {n}: {random_.random()}"
            dated_at = (now - dt.timedelta(days=random_.randrange(4))).date() if random_.random() < 0.3 else None
            append_entry(place, text, date=dated_at, now=now)
            written.add(text)
            if not who and random_.random() < 0.1:
                replace_head(place, f"how it stands after {n}", now=now)
            _commit(clone, f"{who} {n}")
        if n % every == every - 1 or n == entries - 1:
            for clone in (*clones, clones[0]):
                merges += 1
                conflicts += not _synced(clone, rebase=rebase)
    found: list[str] = []
    there = 0
    states = []
    for clone in clones:
        texts: list[str] = []
        for file in find_notes(folder_settings(clone)):
            note, place = parsed(file), Place(clone, Path(file.path))
            ledger = read_notes_ledger(place)
            found += [f"{file.name}: {fault}" for fault in ledger.faults]
            found += [f"{file.name}: {c.kind} {c.slug}" for c in changes(ledger, note)]
            if differs(ledger, note):
                observe(place, note, now=START + dt.timedelta(days=900))
            texts += [note.text(e.span) for e in dated(note)]
        states.append([(clone / name).read_bytes() for name in names])
        whole = "\n".join(texts)
        there += sum(whole.count(text + "\n") + whole.endswith(text) == 1 for text in written)
    return Result(
        len(written), there // 2, conflicts, tuple(found), states[0] == states[1], merges, time.perf_counter() - begun
    )


def _commit(clone: Path, message: str) -> None:
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", message)


def _synced(clone: Path, *, rebase: bool) -> bool:
    done = git(clone, "pull", "--rebase" if rebase else "--no-rebase", "--no-edit", "-q", "origin", "main")
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        git(clone, "rebase" if rebase else "merge", "--abort")
        return False
    return not git(clone, "push", "-q", "origin", "HEAD:main").returncode


def main() -> None:
    """Play it and print the result; exit code 1 when something was lost or git stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=200, help="of each clone")
    parser.add_argument("--notes", type=int, default=10)
    parser.add_argument("--every", type=int, default=5, help="entries between two merges")
    parser.add_argument("--rebase", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ladder-clones-", ignore_cleanup_errors=True) as folder:
        r = run(
            Path(folder), entries=given.entries, notes=given.notes, every=given.every, rebase=given.rebase,
            seed=given.seed,
        )  # fmt: skip
    told = f"{r.there} of {r.written} entries in both clones, {r.conflicts} conflicts in {r.merges} merges, "
    told += f"{len(r.findings)} findings, {'the same' if r.alike else 'other'} bytes, {r.seconds:.0f} s"
    sys.stdout.write("\n".join([told, *r.findings[:20]]) + "\n")
    sys.exit(bool(r.there < r.written or r.conflicts or r.findings or not r.alike))


if __name__ == "__main__":
    main()
