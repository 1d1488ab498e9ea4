"""What a weekly run writes and runs on each system, and that taking it away leaves all else as it was."""

import plistlib
import stat
import sys
from pathlib import Path

import pytest

from bench.trend.schedule import KINDS, crontab_with, crontab_without, plan, set_up, shown, take_away

COMMAND = ("/opt/py thon/bin/python", "-m", "ladder", "weekly")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_shows_the_command_and_the_project(kind, tmp_path):
    root = tmp_path / "my pröject"
    text = shown(plan(kind, root, COMMAND, tmp_path))
    assert "weekly" in text
    assert "my pröject" in text


def test_an_unknown_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match="systemd"):
        plan("upstart", tmp_path, COMMAND, tmp_path)


def test_two_projects_have_two_names(tmp_path):
    assert (
        plan("crontab", tmp_path / "a", COMMAND, tmp_path).name
        != plan("crontab", tmp_path / "b", COMMAND, tmp_path).name
    )


def test_systemd_quotes_spaces_percent_and_dollar(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    found = plan("systemd", Path("/p/100% $x"), ("/a b/ladder", "$HOME", "5%"), tmp_path)
    service = {path.name.rpartition(".")[2]: text for path, text in found.files}["service"]
    assert 'ExecStart="/a b/ladder" "$$HOME" "5%%"' in service
    assert "WorkingDirectory=/p/100%% $x\n" in service
    assert found.files[0][0].parent == tmp_path / ".config" / "systemd" / "user"


def test_launchd_is_a_property_list(tmp_path):
    found = plan("launchd", Path("/p/<a> & b"), COMMAND, tmp_path)
    value = plistlib.loads(found.files[0][1].encode())
    assert value["ProgramArguments"] == list(COMMAND)
    assert value["WorkingDirectory"] == str(Path("/p/<a> & b"))
    assert value["StartCalendarInterval"] == {"Weekday": 1, "Hour": 9, "Minute": 0}


def test_a_crontab_line_is_added_once_and_removed_alone(tmp_path):
    old = "# mine\n5 4 * * * backup --keep 7\n"
    found = plan("crontab", tmp_path, COMMAND, tmp_path)
    once = crontab_with(old, found)
    assert once == old + found.line + "\n"
    assert crontab_with(once, found) == once
    assert crontab_without(once, found) == old


def test_a_percent_sign_is_escaped_for_cron(tmp_path):
    assert r"100\%" in plan("crontab", Path("/p/100%"), COMMAND, tmp_path).line


def test_a_crontab_without_a_last_line_end_keeps_its_line(tmp_path):
    found = plan("crontab", tmp_path, COMMAND, tmp_path)
    assert crontab_with("5 4 * * * x", found) == "5 4 * * * x\n" + found.line + "\n"


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in programs are shell scripts")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A folder first on PATH with stand-ins for crontab and systemctl that keep what they are told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    table = tmp_path / "table"
    scripts = {
        "crontab": f'#!/bin/sh\nif [ "$1" = -l ]; then cat {table} 2>/dev/null; else cat > {table}; fi\n',
        "systemctl": f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n',
    }
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return tmp_path


@POSIX
def test_crontab_from_end_to_end(programs):
    found = plan("crontab", programs, COMMAND, programs)
    (programs / "table").write_text("1 1 * * * mine\n", encoding="utf-8")
    set_up(found)
    assert found.line in (programs / "table").read_text(encoding="utf-8")
    assert take_away(found)
    assert (programs / "table").read_text(encoding="utf-8") == "1 1 * * * mine\n"
    assert not take_away(found)


@POSIX
def test_systemd_from_end_to_end(programs):
    found = plan("systemd", programs, COMMAND, programs)
    set_up(found)
    assert all(path.exists() for path, _ in found.files)
    assert take_away(found)
    assert not any(path.exists() for path, _ in found.files)
    calls = (programs / "calls").read_text(encoding="utf-8").split("\n")
    assert calls[:3] == [
        "--user daemon-reload",
        f"--user enable --now {found.name}.timer",
        f"--user disable --now {found.name}.timer",
    ]
    assert not take_away(found)


@POSIX
def test_a_failing_command_says_what_it_printed(programs):
    (programs / "bin" / "systemctl").write_text("#!/bin/sh\necho no bus >&2\nexit 1\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="no bus"):
        set_up(plan("systemd", programs, COMMAND, programs))


def test_a_command_that_fails_leaves_no_file_of_the_plan(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    found = plan("systemd", tmp_path, COMMAND, tmp_path)

    def fails(words):
        raise RuntimeError(f"{words[0]}: no bus")

    monkeypatch.setattr("bench.trend.schedule._run", fails)
    with pytest.raises(RuntimeError, match="no bus"):
        set_up(found)
    assert not any(path.exists() for path, _ in found.files)
    for path, text in found.files:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(RuntimeError, match="no bus"):
        take_away(found)
    assert not any(path.exists() for path, _ in found.files)
    assert not take_away(found)
