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


NOBODY = """
import pwd, sys
def nobody(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")
pwd.getpwuid = nobody
sys.argv[0] = "ladder"
from ladder.entry import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="as above")
@pytest.mark.parametrize("home", [None, ""], ids=["unset", "empty"])
@pytest.mark.parametrize("command", [*COMMANDS, ["config"], ["init"], ["hook"]], ids=" ".join)
def test_a_user_without_an_entry_is_served_too(tmp_path, command, home):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nzebra\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "HOME" and not name.startswith("XDG")}
    environment |= {"TMPDIR": str(tmp_path)} | ({} if home is None else {"HOME": home})
    environment.pop("CLAUDE_CONFIG_DIR", None)
    event = b'{"hook_event_name": "SessionStart", "session_id": "s", "cwd": "."}'
    done = subprocess.run(
        [sys.executable, "-P", "-c", NOBODY, *command], env=environment, capture_output=True, check=False, cwd=tmp_path,
        input=event if command == ["hook"] else b"",
    )  # fmt: skip
    said = f"ladder: there is no home folder; {tmp_path}/ladder-home-{os.getuid()} is used, and may go at any time\n"
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1)
    assert command == ["hook"] or done.stderr.decode().startswith(said)
    assert not (tmp_path / "~").exists()
