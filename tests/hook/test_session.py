"""What a session was shown survives crashes, other sessions and other hooks of the same one."""

import os
import threading
from pathlib import Path

import pytest

from ladder.hook.session import ANY_VERSION, load_state, state_file, sweep
from ladder.lean.files import append_private, read_private


def test_r43_a_note_is_known_until_it_changes(tmp_path):
    folder = str(tmp_path / "sessions")
    load_state(folder, "a").show([("deploy", "1"), ("ops", "1")])
    again = load_state(folder, "a")
    assert again.knows("deploy", "1")
    assert not again.knows("deploy", "2")
    assert not load_state(folder, "b").knows("deploy", "1")


def test_a_compaction_forgets_what_was_shown_and_remembers_what_was_in_use(tmp_path):
    state = load_state(str(tmp_path), "a")
    state.show([("deploy", "1")])
    state.open("ops")
    state.reset("compact")
    again = load_state(str(tmp_path), "a")
    assert not again.knows("deploy", "1")
    assert not again.knows("ops", "1")
    assert again.before == ("ops", "deploy")


def test_a_note_the_agent_read_is_not_shown_to_it(tmp_path):
    load_state(str(tmp_path), "a").open("ops")
    assert load_state(str(tmp_path), "a").knows("ops", "any")


def test_a_note_known_from_the_log_counts_in_any_version(tmp_path):
    load_state(str(tmp_path), "a").show([("ops", ANY_VERSION)])
    assert load_state(str(tmp_path), "a").knows("ops", "7")


def test_broken_lines_are_skipped(tmp_path):
    state = load_state(str(tmp_path), "a")
    state.show([("ops", "1")])
    append_private(state.path, b'{"n": "half\n[]\n7\n{"n":5}\n\xff\xfe\n')
    state.show([("deploy", "1")])
    again = load_state(str(tmp_path), "a")
    assert list(again.shown) == ["ops", "deploy"]


def test_a_long_session_stays_small(tmp_path):
    state = load_state(str(tmp_path), "a")
    for number in range(3000):
        state.show([(f"notes/number-{number}", "1")])
    load_state(str(tmp_path), "a")
    assert Path(state.path).stat().st_size < 64 * 1024
    assert load_state(str(tmp_path), "a").knows("notes/number-2999", "1")


@pytest.mark.parametrize("session", ["../../x", "a/b", "", ".", "CON", "\0", "x" * 500, "é"])
def test_a_sessions_name_stays_inside_the_folder(session, tmp_path):
    path = state_file(str(tmp_path), session)
    assert Path(path).resolve().parent == tmp_path
    load_state(str(tmp_path), session).show([("ops", "1")])
    assert load_state(str(tmp_path), session).knows("ops", "1")


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_files_are_their_owners_alone(tmp_path):
    old = os.umask(0)
    try:
        load_state(str(tmp_path / "x" / "y"), "a").show([("ops", "1")])
    finally:
        os.umask(old)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o700
    assert Path(state_file(str(tmp_path / "x" / "y"), "a")).stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="named pipes are POSIX")
def test_a_pipe_or_a_link_in_the_files_place_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "p")
    assert read_private(str(tmp_path / "p"), 10) == b""
    assert not append_private(str(tmp_path / "p"), b"x")
    target = tmp_path / "t"
    target.write_bytes(b"")
    (tmp_path / "l").symlink_to(target)
    assert not append_private(str(tmp_path / "l"), b"x")
    assert target.read_bytes() == b""


def test_many_at_once_lose_nothing(tmp_path):
    def one(number):
        for turn in range(20):
            load_state(str(tmp_path), "a").show([(f"n{number}-{turn}", "1")])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(load_state(str(tmp_path), "a").shown) == 120


def test_sessions_long_gone_are_swept(tmp_path):
    for name, age in (("old", 40), ("new", 1)):
        load_state(str(tmp_path), name).show([("ops", "1")])
        os.utime(state_file(str(tmp_path), name), (1e9 - age * 86_400,) * 2)
    assert sweep(str(tmp_path), now=1e9) == 1
    assert [entry.name for entry in os.scandir(tmp_path)] == ["new.jsonl"]
    assert sweep(str(tmp_path / "missing")) == 0


def test_the_end_of_a_large_file_is_read(tmp_path):
    file = tmp_path / "f"
    file.write_bytes(b"0123456789")
    assert read_private(str(file), 4) == b"6789"
    assert read_private(str(file), 4, 8) == b"4567"
    assert read_private(str(file), 40, 3) == b"012"
    assert read_private(str(file), 40, 99) == b"0123456789"
