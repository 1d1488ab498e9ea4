import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_reader import WORDS, invented

from bench.speed.fuzz import fuzz
from ladder.index.format import HEADER_SIZE, VERSION, IndexBroken, pack_header
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.text.tokenizer import terms


def test_a_damaged_index_is_noticed_or_right_never_believed(tmp_path):
    notes = {
        "a": b"---\naliases: [x]\n---\n# Alpha\n\ncanary rollback\n\n## History\n\n### 2026-09-02\n\npager\n",
        "b": b"# B\n\npager\n",
    }
    notes |= invented(6)
    result = fuzz(tmp_path, notes, ["canari", "pager", terms(WORDS[0])[0], "nowhere"], 3000)
    assert result.wrong == ()
    assert result.noticed + result.harmless == 3000
    assert result.noticed > 2000


@pytest.mark.parametrize("size", [0, 1, 7, HEADER_SIZE - 1, HEADER_SIZE])
def test_a_file_that_is_no_index_is_noticed(tmp_path, size):
    file = tmp_path / "index"
    file.write_bytes(b"ladderix" * 9)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(IndexBroken):
        open_index(str(file))


def test_a_file_of_another_version_is_noticed(tmp_path, monkeypatch):
    file = tmp_path / "index"
    build_from_bytes({"a": b"# A\n"}, file)
    data = file.read_bytes()
    monkeypatch.setattr("ladder.index.format.VERSION", VERSION + 1)
    file.write_bytes(pack_header(len(data), 64, 64) + data[HEADER_SIZE:])
    monkeypatch.undo()
    with pytest.raises(IndexBroken, match="of version"):
        open_index(str(file))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
def test_a_pipe_in_the_files_place_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "index")
    with pytest.raises(IndexBroken):  # who opens a pipe that nobody writes to waits for ever
        open_index(str(tmp_path / "index"))


WRITER = """
import sys, time
from pathlib import Path
from ladder.indexing.pipeline import build_from_bytes, PreparedNotes
target = Path(sys.argv[1])
prepared = PreparedNotes()
end = time.time() + float(sys.argv[2])
round = 0
while time.time() < end:
    word = ("odd", "pair")[round % 2]
    text = f"# N\\n\\n{word} {word} zeppelin\\n".encode()
    build_from_bytes({f"n{i}": text for i in range(50)}, target, prepared=prepared)
    round += 1
    if round == 1:
        print("begun", flush=True)
"""

READER = """
import sys, time
from ladder.index.reader import open_index
end = time.time() + float(sys.argv[2])
asked = 0
while time.time() < end:
    with open_index(sys.argv[1]) as index:
        odd = index.df("odd")[0]
        scores = [index.score_notes({w: 1.0}) for w in ("odd", "pair", "zeppelin")]
        texts = {bool(index.passages(n).counts("odd")) for n in range(0, 50, 7)}
    assert odd in (0, 50), odd
    assert [s > 0 for s in scores[0]] == [odd == 50] * 50
    assert [s > 0 for s in scores[1]] == [odd == 0] * 50
    assert all(s > 0 for s in scores[2])
    assert texts == {odd == 50}
    asked += 1
print(asked)
"""


def start(code: str, target: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, str(target), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")


@pytest.mark.skipif(
    os.name == "nt", reason="Windows does not replace a file that somebody reads: the writer tries again"
)
def test_readers_beside_a_writer_get_no_error_and_no_mixed_answer(tmp_path):
    target = tmp_path / "index"
    writer = start(WRITER, target, 6)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "begun\n"
    readers = [start(READER, target, 3) for _ in range(12)]
    for reader in readers:
        out, err = reader.communicate(timeout=60)
        assert (reader.returncode, err) == (0, "")
        assert int(out) > 0
    writer.kill()
    writer.communicate()


@pytest.mark.skipif(os.name == "nt", reason="kills with a signal")
def test_a_writer_killed_at_any_moment_leaves_an_index_that_works(tmp_path):
    target = tmp_path / "index"
    writer = start(WRITER, target, 30)
    assert writer.stdout is not None
    writer.stdout.readline()
    for i in range(6):
        time.sleep(0.01 + 0.004 * i)
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        with open_index(str(target)) as index:
            assert index.count == 50
            assert all(s > 0 for s in index.score_notes({"zeppelin": 1.0}))
        writer = start(WRITER, target, 30)
        assert writer.stdout is not None
        writer.stdout.readline()
    writer.kill()
    writer.communicate()


def test_a_whole_block_over_another_one_of_its_size_is_noticed(tmp_path):
    notes = {f"n{i}": b"kiln shelf\n" if i < 7 else b"glaze wax\n" for i in range(14)}
    build_from_bytes(notes, tmp_path / "index")
    data = bytearray((tmp_path / "index").read_bytes())
    with open_index(str(tmp_path / "index")) as index:
        one, other = index._entry("kiln"), index._entry("glaze")
        assert (one.notes, one.labels) == (other.notes, other.labels) == (7, 0)
        size = 8 * (other.where - one.where) if other.where > one.where else 8 * (one.where - other.where)
    # Payload, checksum and all, also of the spots behind it.
    data[8 * one.where : 8 * one.where + size] = data[8 * other.where : 8 * other.where + size]
    (tmp_path / "moved").write_bytes(data)
    with open_index(str(tmp_path / "moved")) as index:
        with pytest.raises(IndexBroken):
            index.score_notes({"kiln": 1.0})
        with pytest.raises(IndexBroken):
            index.together([(1.0, "kiln"), (1.0, "wax")], range(14))
