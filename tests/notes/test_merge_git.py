"""Git with the merge driver and without: whatever brings branches together, nothing is lost unsaid."""

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.tasks.two_clones import git, run
from notes.files.place import Place
from notes.merging.driver import ARGUMENTS, job_of, main
from notes.writing.ledger import read_ledger
from notes.writing.store import append_entry, create, observe, read_notes_ledger, replace_head

START = dt.datetime(2026, 9, 1, 8, tzinfo=dt.UTC)
ATTRIBUTES = "*.md merge=ladder\n**/.ladder/notes/** merge=ladder\n"


class Repo:
    """A repository with one note; `at` counts minutes, so that no test reads a clock."""

    def __init__(self, folder: Path, attributes: str, *, driver: bool) -> None:
        self.folder = folder
        self.at = 0
        git(folder, "init", "-q", "-b", "main")
        if driver:
            git(
                folder,
                "config",
                "merge.ladder.driver",
                f"'{Path(sys.executable).as_posix()}' -m ladder merge {ARGUMENTS}",
            )
        (folder / ".gitattributes").write_text(attributes, encoding="utf-8")
        self.place = create(folder, "N", head="how it stands", now=START)
        self.append("first")

    def now(self) -> dt.datetime:
        self.at += 1
        return START + dt.timedelta(minutes=self.at)

    def append(self, text: str, day: int = 1) -> None:
        append_entry(self.place, text, date=dt.date(2026, 9, day), now=self.now())
        self.commit(text)

    def head(self, text: str) -> None:
        replace_head(self.place, text, now=self.now())
        self.commit(text)

    def commit(self, message: str) -> None:
        git(self.folder, "add", "-A")
        assert not git(self.folder, "commit", "-qm", message).returncode

    def git(self, *arguments: str, fails: bool = False) -> str:
        done = git(self.folder, *arguments)
        assert bool(done.returncode) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def branched(self) -> None:
        """Two branches with an entry each; on `main`."""
        self.git("checkout", "-qb", "other")
        self.append("theirs one", 2)
        self.append("theirs two", 4)
        self.git("checkout", "-q", "main")
        self.append("ours", 3)

    def note(self) -> str:
        return self.place.path.read_text(encoding="utf-8")

    def check(self, *more: str) -> list[tuple[str, str]]:
        """(kind, message) of what `ladder note check` says, advice left out."""
        env = {**os.environ, "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, "-m", "ladder", "note", *(more or ("check",)), "--notes", str(self.folder), "--json"],
            capture_output=True, check=False, cwd=self.folder, env=env,
        )  # fmt: skip
        assert done.stdout, done.stderr
        return [(f["kind"], f["message"]) for f in json.loads(done.stdout).get("findings", ()) if f["serious"]]


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path, ATTRIBUTES, driver=True)


ALL = ("first", "theirs one", "ours", "theirs two")


def holds(repo: Repo, texts=ALL) -> None:
    at = [repo.note().index(text) for text in texts]
    assert at == sorted(at)
    assert all(repo.note().count(text) == 1 for text in texts)
    assert repo.check() == []


def test_a_merge(repo):
    repo.branched()
    repo.git("merge", "-q", "--no-edit", "other")
    holds(repo)
    assert read_notes_ledger(repo.place).records[-1].why == "join"
    repo.append("after", 5)
    holds(repo, (*ALL, "after"))


def test_a_rebase(repo):
    repo.branched()
    repo.git("checkout", "-q", "other")
    repo.git("rebase", "-q", "main")
    holds(repo)


def test_a_squash(repo):
    repo.branched()
    repo.git("merge", "-q", "--squash", "other")
    repo.commit("squashed")
    holds(repo)


def test_a_cherry_pick_takes_one_entry_and_the_merge_that_follows_takes_it_once(repo):
    repo.branched()
    repo.git("cherry-pick", "other")
    holds(repo, ("first", "ours", "theirs two"))
    repo.git("merge", "-q", "--no-edit", "other")
    holds(repo)


def test_a_revert_is_named_and_can_be_given_back(repo):
    repo.branched()
    repo.git("merge", "-q", "--no-edit", "other")
    repo.git("revert", "--no-edit", "other")
    assert "theirs two" not in repo.note()
    assert [kind for kind, _ in repo.check()] == ["history"]
    repo.check("restore", "--yes")
    holds(repo)


def test_a_note_renamed_on_one_side(repo):
    repo.branched()
    for old, new in (("n.md", "m.md"), (".ladder/notes/n.md.jsonl", ".ladder/notes/m.md.jsonl")):
        repo.git("mv", old, new)
    repo.commit("renamed")
    repo.git("merge", "-q", "--no-edit", "other")
    repo.place = Place(repo.folder, repo.folder / "m.md")
    holds(repo)


def test_a_conflict_in_the_head_says_which_side_is_newer(repo):
    repo.git("checkout", "-qb", "other")
    os.environ["GIT_COMMITTER_DATE"] = "2026-09-01T10:00:00Z"
    try:
        replace_head(repo.place, "as they see it", now=repo.now())
        repo.append("theirs one", 2)
        repo.git("checkout", "-q", "main")
        os.environ["GIT_COMMITTER_DATE"] = "2026-09-01T11:00:00Z"
        replace_head(repo.place, "as we see it", now=repo.now())
        repo.append("ours", 3)
    finally:
        del os.environ["GIT_COMMITTER_DATE"]
    said = repo.git("merge", "--no-edit", "other", fails=True)
    assert "HEAD is newer: 2026-09-01 11:00 UTC, T, " in said
    note = repo.note()
    assert "<<<<<<< HEAD (newer: 2026-09-01 11:00 UTC, T, " in note
    assert "\nas we see it\n=======\nas they see it\n>>>>>>> " in note
    assert note.count("<<<<<<<") == 1
    assert note.index("theirs one") < note.index("ours")
    assert repo.git("diff", "--name-only", "--diff-filter=U").split() == ["n.md"]
    assert [kind for kind, _ in repo.check()] == ["conflict"]
    head = note[note.index("<<<<<<<") : note.index("\n", note.index(">>>>>>>"))]
    repo.place.path.write_text(note.replace(head, "as we all see it"), encoding="utf-8")
    repo.commit("settled")
    assert repo.check() == []
    heads = {record.head for record in read_notes_ledger(repo.place).records}
    assert {"as we see it", "as they see it", "as we all see it"} <= heads


@pytest.mark.parametrize("attributes", ["* merge=union\n", ""])
def test_without_the_driver_both_sides_kept_are_clean(tmp_path, attributes):
    repo = Repo(tmp_path, attributes, driver=False)
    repo.branched()
    repo.git("merge", "--no-edit", "other", fails=not attributes)
    if not attributes:  # by hand: both sides stay, the marks go, in the ledger they are forgotten
        kept = [line for line in repo.note().split("\n") if not line.startswith(("<<<<<<<", "=======", ">>>>>>>"))]
        repo.place.path.write_text("\n".join(kept), encoding="utf-8")
        assert b"<<<<<<<" in repo.place.ledger.read_bytes()
        repo.commit("by hand")
    assert all(text in repo.note() for text in ALL)
    assert repo.check() == []
    ledger = read_notes_ledger(repo.place)
    assert ledger.faults == ()
    assert {"first", "theirs one", "theirs two", "ours"} <= {
        t.split("\n")[-1] for r in ledger.records for t in r.texts.values()
    }


@pytest.mark.parametrize("way", ["merge", "cherry-pick"])
def test_a_side_that_a_person_dropped_is_named_and_can_be_given_back(tmp_path, way):
    repo = Repo(tmp_path, "", driver=False)
    repo.branched()
    if way == "merge":
        repo.git("merge", "-q", "--no-edit", "-s", "ours", "other")
    else:
        repo.git("revert", "--no-edit", "HEAD")  # takes the entry out, and its line in the ledger
    found = repo.check()
    assert "ledger" in {kind for kind, _ in found}
    gone = "theirs two" if way == "merge" else "ours"
    assert any(gone in message for kind, message in found if kind == "history")
    repo.check("restore", "--yes")
    assert gone in repo.note()
    assert repo.check() == []


def test_what_a_person_dropped_can_be_taken_as_it_is(tmp_path):
    repo = Repo(tmp_path, "", driver=False)
    repo.branched()
    repo.git("revert", "--no-edit", "HEAD")
    assert repo.check()
    repo.check("check", "--accept")
    assert repo.check() == []


def test_a_line_picked_by_hand_is_vouched_for_by_its_branch(tmp_path):
    repo = Repo(tmp_path, "", driver=False)
    repo.branched()
    line = repo.git("show", "other:.ladder/notes/n.md.jsonl").strip().split("\n")[-1]
    repo.place.ledger.write_bytes(repo.place.ledger.read_bytes() + line.encode() + b"\n")
    repo.place.path.write_text(repo.note() + "\n### 2026-09-04\n\ntheirs two\n", encoding="utf-8")
    repo.commit("picked by hand")
    assert read_notes_ledger(repo.place).faults != ()  # the line before it is on the other branch
    assert repo.check() == []
    repo.commit("seen")
    repo.git("branch", "-D", "other")
    assert read_notes_ledger(repo.place).faults == ()  # the check wrote down that it is known
    assert repo.check() == []


def test_a_ledger_of_a_newer_form_gets_one_line(repo):
    line = repo.place.ledger.read_bytes()
    repo.place.ledger.write_bytes(line + line.replace(b'{"n":1', b'{"v":9,"n":3'))
    faults = read_ledger(repo.place.ledger.read_bytes()).faults
    assert len(faults) == 1
    assert "was written by a newer ladder: update it" in faults[0]


@pytest.mark.parametrize("rebase", [False, True])
def test_two_clones_that_append_and_merge(tmp_path, rebase):
    result = run(tmp_path, entries=6, notes=2, every=3, rebase=rebase)
    assert (result.written, result.there, result.conflicts, result.findings, result.alike) == (12, 12, 0, (), True)


def test_what_an_older_git_leaves_of_its_arguments():
    job = job_of(["o", "a", "b", "7", "notes/x.md", "%X", "%Y"])
    assert (job.size, job.path, job.our_label, job.their_label) == (7, "notes/x.md", "HEAD", "theirs")
    assert job_of(["o", "a"]) is None
    assert main([]) == 2


def test_a_file_that_is_no_text_is_left_to_git(tmp_path):
    files = [tmp_path / name for name in "oab"]
    for file, data in zip(files, (b"\0o", b"\0a", b"\0b"), strict=True):
        file.write_bytes(data)
    assert main([str(file) for file in files]) == 1
    assert files[1].read_bytes() == b"\0a"


def test_a_seen_state_joins_two_branches_without_a_join(repo):
    repo.branched()
    ledger = repo.place.ledger
    ours = ledger.read_bytes()
    repo.git("checkout", "-q", "other")
    theirs = ledger.read_bytes()
    ledger.write_bytes(ours + b"".join(x + b"\n" for x in theirs.split(b"\n") if x and x not in ours))
    from notes.writing.edit import parse_whole

    assert observe(repo.place, parse_whole(repo.place.path.read_bytes()), "accepted", repo.now())
    last = read_notes_ledger(repo.place).records[-1]
    assert (len(last.parents), read_notes_ledger(repo.place).last) == (2, last)
