"""The paragraph in AGENTS.md: put in once, taken out to the byte."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from ladder.install.agents_md import BEGIN, END, add_paragraph, remove_paragraph
from ladder.install.install import InstallError


@pytest.mark.parametrize(
    "before", [None, b"", b"# Agents", b"# Agents\n", b"# Agents\n\n\n", b"# A\r\n\r\nRun.\r\n", b"\xef\xbb\xbf# A\n"]
)
def test_taking_it_out_gives_back_every_byte(tmp_path, before):
    file = tmp_path / "AGENTS.md"
    if before is not None:
        file.write_bytes(before)
    assert add_paragraph(tmp_path, dry_run=True).changed
    assert (file.read_bytes() if file.exists() else None) == before
    add_paragraph(tmp_path)
    text = file.read_bytes()
    assert text.startswith(before or b"")
    assert (text.count(BEGIN), text.count(END), text.count(b"ladder answer")) == (1, 1, 1)
    assert text.count(b"\r\n") in (0, text.count(b"\n"))
    assert not add_paragraph(tmp_path).changed
    assert remove_paragraph(tmp_path).changed
    assert (file.read_bytes() if file.exists() else None) == before
    assert not remove_paragraph(tmp_path).changed


def test_what_was_written_around_it_stays_and_an_older_paragraph_is_renewed(tmp_path):
    file = tmp_path / "AGENTS.md"
    file.write_bytes(b"# Mine\n\n" + BEGIN + b"\nwhat a former version said\n" + END + b"\n\n## Mine too\n")
    assert add_paragraph(tmp_path).changed
    text = file.read_text(encoding="utf-8")
    assert "former version" not in text
    assert "ladder map NOTE" in text
    remove_paragraph(tmp_path)
    assert file.read_bytes() == b"# Mine\n\n## Mine too\n"


@pytest.mark.parametrize(("held", "said"), [(BEGIN + b"\nx\n", "line 1: the end"), (b"\xff\xfe#\0", "not UTF-8")])
def test_a_file_that_cannot_be_edited_safely_is_left_alone(tmp_path, held, said):
    (tmp_path / "AGENTS.md").write_bytes(held)
    with pytest.raises(InstallError, match=said):
        add_paragraph(tmp_path)
    assert (tmp_path / "AGENTS.md").read_bytes() == held


@pytest.mark.skipif(os.name == "nt", reason="links and modes are POSIX")
def test_a_link_stays_a_link_and_the_mode_is_kept(tmp_path):
    target, link = tmp_path / "shared.md", tmp_path / "AGENTS.md"
    target.write_bytes(b"# Shared\n")
    target.chmod(0o640)
    link.symlink_to(target)
    add_paragraph(tmp_path)
    assert link.is_symlink()
    assert b"ladder answer" in target.read_bytes()
    assert target.stat().st_mode & 0o777 == 0o640


def test_the_command_line_shows_writes_and_takes_out(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    shown = run(app, ["install", "--agents-md", "--dry-run"])
    assert "+## Notes on this project" in shown.stdout
    assert not Path("AGENTS.md").exists()
    assert "takes it out again" in run(app, ["install", "--agents-md"]).stdout
    assert "nothing changes there" in run(app, ["install", "--agents-md"]).stdout
    assert '"changed":true' in run(app, ["uninstall", "--agents-md", "--json"]).stdout.replace(" ", "")
    assert not Path("AGENTS.md").exists()
