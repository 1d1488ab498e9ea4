# ruff: noqa: E501 (notes as they are)
"""Kills, full disks, links and other writers: afterwards the note is the old one or the new one, whole."""

import datetime as dt
import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import notes.files.place
import notes.writing.store
from notes import find_notes, folder_settings, parse
from notes.writing.changes import changes
from notes.writing.edit import parse_whole, with_entry, with_head
from notes.writing.ledger import dated, differs
from notes.writing.store import (
    ChangedError,
    Place,
    StoreError,
    append_entry,
    create,
    observe,
    read_notes_ledger,
    remove_temporaries,
    replace_head,
    rewrite,
)

OLD = b"# Note\n\nthe old head\n\n## Body\nx\n\n## History\n\n### 2026-09-01 first\n\nwhat was\n"
HEAD = "the new head\n\nof two paragraphs"
ENTRY = "the new entry " * 50
SHAPES = {
    "plain": OLD,
    "newest-first-crlf": (
        b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n# T\r\n\r\nhead\r\n\r\n## 2026-09-02 b\r\n\r\ny\r\n\r\n## 2026-09-01 a\r\n\r\nx"
    ),
    "list": b"# T\n\nhead\n\n## Log\n\n- 2026-09-01: a\n- 2026-09-02: b\n  more\n\n## Body\n\nz\n",
    "no-history": b"# T\n\nhead\n\n## Body\n\nz",
}
WRITER = Path(__file__).parent / "killed_writer.py"


def _place(root: Path, data: bytes = OLD, name: str = "note.md") -> Place:
    path = root / name
    path.write_bytes(data)
    return Place(root, path)


def _write(root: Path, what: str, fatal: int) -> int:
    return subprocess.run([sys.executable, str(WRITER), str(root), "note.md", what, str(fatal)], check=False).returncode


def _kill_at(root: Path, old: bytes, what: str, fatal: int) -> bool:
    """Kill a writer at one point and look; False when it got through."""
    root.mkdir(parents=True)
    place = _place(root, old)
    if fatal % 2:
        observe(place, parse_whole(old))
    before = parse_whole(old)
    code = _write(root, what, fatal)
    assert code in (0, 9)
    data = place.path.read_bytes()
    names = [f.name for f in find_notes(folder_settings(root))]
    if what == "new":
        assert data == old
        assert names in (["note"], ["fresh-note", "note"])
        if "fresh-note" in names:
            assert (root / "fresh-note.md").read_bytes() == b"# Fresh note\n\nits head\n"
    elif what == "head":
        assert names == ["note"]
        assert data in (old, with_head(before, HEAD).data)
        if data != old:
            # The head that was replaced can be read again.
            assert before.text(before.head).replace("\r", "") in [r.head for r in read_notes_ledger(place).records]
    else:
        assert names == ["note"]
        days = [
            d.date() for d in (dt.datetime.now().astimezone(), dt.datetime.now().astimezone() - dt.timedelta(hours=1))
        ]
        assert data in (old, *(with_entry(before, ENTRY, day).note.data for day in days))
    # The next writer goes on, and the ledger has nothing to complain of.
    append_entry(place, "afterwards")
    ledger = read_notes_ledger(place)
    assert ledger.faults == ()
    assert changes(ledger, parse(place.path.read_bytes())) == []
    assert {text for _, text in _texts(before)} <= {text for _, text in _texts(parse_whole(place.path.read_bytes()))}
    remove_temporaries(root, -1, time.time() + 1)
    assert [p.name for p in root.iterdir() if p.name.startswith(".ladder-")] == []
    return code != 0


def _texts(note):
    return [(e.date, note.text(e.span).strip()) for e in dated(note)]


@pytest.mark.parametrize("what", ["head", "append", "new"])
def test_a_writer_killed_at_system_calls_leaves_the_old_or_the_new_note(tmp_path, what):
    # Every fifth point of one note, so that it stays quick; `LADDER_FAULTS=1` takes every point of notes of every form.
    thorough = bool(os.environ.get("LADDER_FAULTS"))
    injected = 0
    for shape, old in list(SHAPES.items())[: None if thorough else 1]:
        through = 0
        for fatal in range(1, 400, 1 if thorough else 7):
            killed = _kill_at(tmp_path / shape / str(fatal), old, what, fatal)
            injected += killed
            through = 0 if killed else through + 1
            if through > 1:
                break
    assert injected >= (150 if thorough else 6)
    print(f"{what}: {injected} kills, no note lost")


def test_r23_a_killed_holder_of_the_lock_does_not_block(tmp_path):
    place = _place(tmp_path)
    program = (
        "import sys, time\nfrom pathlib import Path\nimport filelock\n"
        "lock = Path(sys.argv[1]); lock.parent.mkdir(parents=True, exist_ok=True)\n"
        "filelock.FileLock(lock).acquire(); print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(place.lock)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        holder.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        holder.wait()
    assert append_entry(place, "x").slug, "a lock that is still held is named after a while, and refuses"


def test_a_living_holder_of_the_lock_is_waited_for_and_then_named(tmp_path, monkeypatch):
    import filelock

    place = _place(tmp_path)
    place.lock.parent.mkdir(parents=True)
    monkeypatch.setattr(notes.files.place, "_PATIENCE", 0.2)
    with filelock.FileLock(place.lock), pytest.raises(StoreError, match="another writer"):
        append_entry(place, "x")
    assert place.path.read_bytes() == OLD


_MANY = (
    "import sys\nfrom pathlib import Path\nfrom notes.writing.store import Place, append_entry\n"
    "root, who, count, spread = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])\n"
    "for n in range(count):\n"
    "    place = Place(root, root / f'n{(who + n) % spread}.md')\n"
    "    append_entry(place, f'writer {who} entry {n} ' + 'x' * 200 + ' end')\n"
)


def _many(root: Path, writers: int, count: int, spread: int) -> list[Place]:
    places = [_place(root, OLD, f"n{k}.md") for k in range(spread)]
    arguments = [sys.executable, "-c", _MANY, str(root)]
    running = [subprocess.Popen([*arguments, str(w), str(count), str(spread)]) for w in range(writers)]
    assert [p.wait() for p in running] == [0] * writers
    return places


def _all_whole(places: list[Place], expected: int) -> None:
    said = []
    for place in places:
        data = place.path.read_bytes()
        assert data.startswith(OLD)
        note = parse(data)
        entries = [note.text(e.span) for e in dated(note)][1:]
        assert all(e.rstrip().endswith("end") and e.count("writer") == 1 for e in entries)
        said += [line for e in entries for line in e.split("\n") if line.startswith("writer")]
        ledger = read_notes_ledger(place)
        assert (ledger.faults, changes(ledger, note)) == ((), [])
        assert [e[1] for e in ledger.last.entries] == [e.slug for e in dated(note)]
        assert [r.number for r in ledger.records] == list(range(1, len(ledger.records) + 1))
    assert len(said) == len(set(said)) == expected


def test_r21_eight_processes_append_to_one_note(tmp_path):
    _all_whole(_many(tmp_path, 8, 25, 1), 200)


def test_r21_sixteen_processes_append_to_eight_notes(tmp_path):
    count = 50 if os.environ.get("LADDER_FAULTS") else 12
    _all_whole(_many(tmp_path, 16, count, 8), 16 * count)


def test_r16_two_appends_on_one_day_both_stay(tmp_path):
    place = _place(tmp_path)
    first = append_entry(place, "one", title="same")
    second = append_entry(place, "two", title="same")
    data = place.path.read_bytes()
    assert data.startswith(OLD)
    assert first.slug != second.slug
    assert data.index(b"\none\n") < data.index(b"\ntwo\n")


@pytest.mark.parametrize("days", [("08-01", "09-03"), ("09-03", "08-01")])
def test_an_entry_of_an_earlier_day_goes_among_the_others_and_is_no_change(tmp_path, days):
    place = _place(tmp_path, b"# T\n\nhead\n\n## Log\n\n- 2026-%s: a\n- 2026-%s: c\n" % tuple(d.encode() for d in days))
    append_entry(place, "today", now=dt.datetime(2026, 9, 4, 9, tzinfo=dt.UTC))
    append_entry(place, "b", date=dt.date(2026, 8, 15))
    note = parse_whole(place.path.read_bytes())
    assert sorted(e.date for e in dated(note)) == [e.date for e in dated(note)][:: 1 if days[0] < days[1] else -1]
    ledger = read_notes_ledger(place)
    assert (ledger.faults, changes(ledger, note), differs(ledger, note)) == ((), [], False)
    assert len(ledger.last.texts) == 1  # the line holds the new entry alone


def test_r10_append_to_a_file_without_a_final_newline_adds_exactly_one(tmp_path):
    place = _place(tmp_path, b"# foo\n\nbar\n\n## History\n\n### 2026-09-01\n\nbaz")
    append_entry(place, "x", title="t")
    text = place.path.read_bytes()
    assert b"baz\n\n### 2" in text
    assert text.endswith(b"\n\nx\n")


def test_r11_bom_and_line_ends_stay(tmp_path):
    place = _place(tmp_path, "\ufeff---\r\ntitle: T\r\n---\r\n# A\r\n\r\nold\r\n".encode())
    replace_head(place, "new\nlines")
    assert place.path.read_bytes() == "\ufeff---\r\ntitle: T\r\n---\r\n# A\r\n\r\nnew\r\nlines\r\n".encode()


def test_r14_front_matter_stays_byte_for_byte(tmp_path):
    front = b"---\ncreated: 2026-04-05\nat: 2022-12-06T09:05:28-06:00\nok: yes\n---\n"
    place = _place(tmp_path, front + b"\nold\n")
    replace_head(place, "new")
    assert place.path.read_bytes() == front + b"\nnew\n"


def test_r20_a_note_that_is_not_utf8_is_never_written(tmp_path):
    data = b"# A\n\nprice \xa2 5\n"
    place = _place(tmp_path, data)
    for write in (lambda: append_entry(place, "x"), lambda: replace_head(place, "x")):
        with pytest.raises(StoreError, match="UTF-8"):
            write()
    assert place.path.read_bytes() == data


def test_changed_since_read_is_refused(tmp_path):
    place = _place(tmp_path)
    with pytest.raises(ChangedError, match="changed since read"):
        replace_head(place, "x", seen=OLD + b"more")
    with pytest.raises(ChangedError, match="changed since read"):
        rewrite(place, b"x", seen=b"y")
    assert place.path.read_bytes() == OLD


def test_a_writer_without_the_lock_is_noticed(tmp_path, monkeypatch):
    place = _place(tmp_path)
    real = notes.writing.store.replace_note
    meddled = []

    def meddle(path, data, **how):
        if not meddled:
            meddled.append(1)
            path.write_bytes(OLD + b"\n### 2026-09-01 by hand\n\nz\n")
        return real(path, data, **how)

    monkeypatch.setattr(notes.writing.store, "replace_note", meddle)
    append_entry(place, "mine")
    text = place.path.read_text(encoding="utf-8")
    assert text.index("by hand") < text.index("mine")
    meddled.clear()
    with pytest.raises(ChangedError):
        replace_head(place, "x")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_r25_a_link_is_refused_and_named(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_bytes(OLD)
    root = tmp_path / "notes"
    root.mkdir()
    (root / "note.md").symlink_to(outside)
    place = Place(root, root / "note.md")
    with pytest.raises(StoreError, match=r"note\.md is a link to .*outside\.md"):
        append_entry(place, "x")
    (root / "folder").symlink_to(tmp_path)
    with pytest.raises(StoreError, match="leads out"):
        append_entry(Place(root, root / "folder" / "outside.md"), "x")
    with pytest.raises(StoreError, match="leads out"):
        create(root, "X", folder="folder")
    assert outside.read_bytes() == OLD
    (root / "real.md").write_bytes(OLD)
    (root / ".ladder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(StoreError, match="is a link"):
        append_entry(Place(root, root / "real.md"), "x")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, monkeypatch, call):
    place = _place(tmp_path)
    observe(place, parse(OLD))

    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    for write in (lambda: append_entry(place, "x"), lambda: replace_head(place, "x")):
        with pytest.raises(StoreError, match="the disk is full") as failure:
            write()
        assert "\n" not in str(failure.value)
    assert place.path.read_bytes() == OLD
    assert not list(tmp_path.glob(".ladder-*"))


def test_a_read_only_folder_is_one_line(tmp_path, monkeypatch):
    place = _place(tmp_path)
    real = os.open

    def refuse(path, flags, *rest, **more):
        if flags & os.O_CREAT and ".ladder-" in str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match="permission denied"):
        append_entry(place, "x")
    assert place.path.read_bytes() == OLD


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_mode_and_owner_stay(tmp_path):
    place = _place(tmp_path)
    place.path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(place.path, 1234, 1235)
    before = place.path.stat()
    append_entry(place, "x")
    after = place.path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_former_heads_stay_readable(tmp_path):
    place = _place(tmp_path)
    replace_head(place, "second head")
    replace_head(place, "third head")
    assert [r.head for r in read_notes_ledger(place).records] == ["the old head", "second head", "third head"]


def test_the_ledger_finds_what_was_changed(tmp_path):
    place = _place(tmp_path)
    append_entry(place, "second thing")
    append_entry(place, "third thing")
    data = place.path.read_bytes()
    ledger = read_notes_ledger(place)
    (change,) = changes(ledger, parse(data.replace(b"second thing", b"2nd thing")))
    assert (change.kind, "second thing" in change.was, "2nd thing" in change.now) == ("changed", True, True)
    (change,) = changes(ledger, parse(data.replace(b"### 2026-09-01 first\n\nwhat was\n\n", b"")))
    assert (change.kind, change.slug) == ("removed", "2026-09-01-first")
    assert changes(ledger, parse(data.replace(b"\n", b"\r\n"))) == []
    lines = place.ledger.read_bytes().split(b"\n")
    value = json.loads(lines[1])
    value["time"] = "2020-01-01T00:00:00Z"
    place.ledger.write_bytes(b"\n".join([lines[0], json.dumps(value).encode(), *lines[2:]]))
    assert read_notes_ledger(place).faults != ()


def test_entries_put_in_another_order_are_found(tmp_path):
    a, b = b"### 2026-09-01 a\n\nx\n\n", b"### 2026-09-02 b\n\ny\n"
    place = _place(tmp_path, b"# T\n\n## History\n\n" + a + b)
    observe(place, parse(place.path.read_bytes()))
    (change,) = changes(read_notes_ledger(place), parse(b"# T\n\n## History\n\n" + b + b"\n" + a))
    assert change.kind == "moved"
