"""Without a home folder a command works in a temporary place and says so, or says in one line what is missing."""

import os
import subprocess
import sys

import pytest

WORDS = ("suggest zebra", "map a", "doctor", "install --dry-run", "index", "stats", "note check")
COMMANDS = [words.split() for words in WORDS]


@pytest.mark.skipif(os.name == "nt", reason="homes are found otherwise there")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_without_a_home_works_in_a_temporary_place(tmp_path, command):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nzebra\n", encoding="utf-8")
    unset = ("HOME", "CLAUDE_CONFIG_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"HOME": "", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ladder", *command], env=environment, capture_output=True, check=False,
        cwd=tmp_path, text=True,
    )  # fmt: skip
    said = f"ladder: there is no home folder; {tmp_path}/ladder-home-{os.getuid()} is used, and may go at any time\n"
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1)


@pytest.mark.skipif(os.name == "nt", reason="as above")
def test_a_place_that_others_may_look_into_is_not_used(tmp_path):
    (tmp_path / f"ladder-home-{os.getuid()}").mkdir(mode=0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ladder", "index"], env=environment | {"HOME": "", "TMPDIR": str(tmp_path)},
        capture_output=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, b"ladder: there is no home folder; set HOME to one\n")
