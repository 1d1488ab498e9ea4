"""The doctor finds what is wrong and says what to do; the judge sees what a client would."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from ladder.client.contract import CLAUDE_CODE
from ladder.client.judge import judge, run_handler
from ladder.doctor import meaning as doctor_meaning
from ladder.doctor import place as doctor_place
from ladder.doctor.checks import CHECKS, examine
from ladder.doctor.hook import end_to_end, errors, installed
from ladder.doctor.notes import index, settings
from ladder.doctor.place import permissions, retention
from ladder.hook.log import write_log
from ladder.indexing.update import fresh_index
from ladder.install import install as installing
from ladder.install.install import IgnoredError, install, settings_path
from ladder.install.record import bundle_path, record_path, start_path
from ladder.lean.paths import data_folder, project_data, project_state, state_folder
from ladder.lean.paths import index_file as where_the_index_lies
from ladder.meaning import model
from notes import client_memory


@pytest.fixture(autouse=True)
def _no_client(monkeypatch):
    monkeypatch.setattr(installing, "client_version", lambda program: None)


def wrong(findings):
    return [finding.what for finding in findings if not finding.ok]


def test_without_an_installation_it_says_how_to_install(tmp_path):
    (finding,) = installed(tmp_path)
    assert (finding.ok, finding.remedy) == (False, "ladder install claude-code")


def test_a_good_installation_has_no_findings(tmp_path):
    install(CLAUDE_CODE)
    assert wrong(installed(tmp_path)) == []
    ran = end_to_end(tmp_path)
    assert wrong(ran) == []
    assert len(ran) == 4
    assert wrong(errors(tmp_path)) == []
    assert wrong(permissions(tmp_path)) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda bundle, settings: bundle.unlink(), "missing or damaged"),
        (lambda bundle, settings: bundle.write_bytes(b"x"), "missing or damaged"),
        (
            lambda bundle, settings: bundle.write_bytes(
                bundle.read_bytes().replace(b"1 0.", b"1 9.", 1)[:80] + b"\0" * 99
            ),
            "",
        ),
        (lambda bundle, settings: settings.write_text("{}", encoding="utf-8"), "does not name the hook any more"),
        (lambda bundle, settings: os.environ.__setitem__("LADDER_OFF", "1"), "LADDER_OFF"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, monkeypatch, damage, said):
    monkeypatch.setenv("LADDER_OFF", "")
    change = install(CLAUDE_CODE)
    damage(bundle_path(), change.settings)
    found = installed(tmp_path)
    assert any(said in what for what in wrong(found)) or not said
    assert all(finding.remedy for finding in found if not finding.ok)


def test_hooks_that_are_turned_off_are_named(tmp_path):
    change = install(CLAUDE_CODE)
    text = change.settings.read_text(encoding="utf-8")
    change.settings.write_text(text.replace("{", '{"disableAllHooks": true,', 1), encoding="utf-8")
    assert any("disableAllHooks" in what for what in wrong(installed(tmp_path)))


def test_an_interpreter_that_is_gone_is_found_by_running_the_hook(tmp_path):
    change = install(CLAUDE_CODE)
    text = change.settings.read_text(encoding="utf-8")
    change.settings.write_text(text.replace(str(change.python), "/gone/python"), encoding="utf-8")
    (what,) = wrong(end_to_end(tmp_path))
    assert "/gone/python does not start" in what


def test_a_hook_that_is_cut_off_is_found_though_it_stays_polite(tmp_path):
    install(CLAUDE_CODE)
    bundle_path().write_bytes(bundle_path().read_bytes()[:5000])
    (what,) = wrong(installed(tmp_path))
    assert "the hook runs from its source, slower" in what
    assert wrong(end_to_end(tmp_path)) == []
    start_path().write_bytes(start_path().read_bytes()[:500])
    (what,) = wrong(end_to_end(tmp_path))
    assert f"does not wake up: {start_path()} is missing or damaged" in what


def test_an_entry_that_stands_there_twice_is_named(tmp_path):
    change = install(CLAUDE_CODE)
    settings = json.loads(change.settings.read_text(encoding="utf-8"))
    settings["hooks"]["SessionStart"] *= 2
    change.settings.write_text(json.dumps(settings), encoding="utf-8")
    (found,) = [finding for finding in installed(tmp_path) if not finding.ok]
    assert found.what == f"{change.settings} names the hook more than once for SessionStart"
    install(CLAUDE_CODE)
    assert wrong(installed(tmp_path)) == [], "what the remedy says mends it"


def test_the_remedy_of_a_projects_own_installation_is_its_command(tmp_path):
    change = install(CLAUDE_CODE, project=tmp_path)
    change.settings.write_text("{}", encoding="utf-8")
    (found,) = [finding for finding in installed(tmp_path) if not finding.ok]
    assert found.remedy == f"ladder install claude-code --project, in {tmp_path}"


def test_an_installation_for_another_project_is_not_one_for_this(tmp_path):
    here, there = tmp_path / "b", tmp_path / "a"
    here.mkdir()
    change = install(CLAUDE_CODE, project=there)
    missing, other = installed(here)
    assert (missing.ok, missing.what) == (False, "the hook is not installed for this project")
    assert missing.remedy == "ladder install claude-code"
    assert (other.ok, other.what) == (True, f"it is installed for {there}")
    assert end_to_end(here) == [], "no client would run it here"
    assert [finding.what for finding in installed(there)] == [f"{change.settings} names the hook for 4 events"]
    own = install(CLAUDE_CODE)
    assert [finding.what for finding in installed(here)] == [f"{own.settings} names the hook for 4 events"]
    assert len(end_to_end(here)) == 4
    assert len(end_to_end(there)) == 8, "there, both are run"


def test_settings_of_another_folder_of_the_clients_do_not_count(tmp_path, monkeypatch):
    change = install(CLAUDE_CODE)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other"))
    assert [finding.what for finding in installed(tmp_path)] == [
        "the hook is not installed for this project",
        f"it is installed for {change.settings}",
    ]


def test_the_trial_names_a_note_that_was_asked_for(tmp_path):
    (tmp_path / "notes").mkdir()
    for name in ("canary", "deploy plan", "rollback"):
        (tmp_path / "notes" / f"{name}.md").write_text(f"# {name}\n\nSome words on it.\n", encoding="utf-8")
    index(tmp_path)
    install(CLAUDE_CODE)
    install(CLAUDE_CODE, project=tmp_path)
    told = [finding for finding in end_to_end(tmp_path) if finding.what.startswith("UserPromptSubmit")]
    assert len(told) == 2
    for finding in told:
        assert '; at "look at [[notes/deploy plan]]" it named notes/deploy plan' in finding.what
    (tmp_path / "ladder.toml").write_text("gate = 1.0\n", encoding="utf-8")
    index(tmp_path)
    silent = next(finding for finding in end_to_end(tmp_path) if finding.what.startswith("UserPromptSubmit"))
    assert silent.what.endswith('0 characters: silent at "look at [[notes/deploy plan]]"')
    assert silent.remedy == 'ladder suggest --why "look at [[notes/deploy plan]]" says why'


@pytest.mark.parametrize(("days", "ok"), [(3, False), (7, False), (8, True), (30, True)])
def test_logs_that_go_before_a_weekly_run_sees_them_are_wrong(tmp_path, days, ok):
    path = settings_path(CLAUDE_CODE, None)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cleanupPeriodDays": days}), encoding="utf-8")
    found = retention(tmp_path)[0]
    assert (found.ok, f"deleted after {days} days" in found.what) == (ok, True)
    assert found.remedy.startswith('"cleanupPeriodDays": 365 in ')


def test_a_folder_that_could_not_be_made_is_named(tmp_path, monkeypatch):
    above = Path(data_folder()).parent
    above.mkdir(parents=True)
    monkeypatch.setattr(doctor_place.os, "access", lambda path, mode: Path(path) != above)
    (found,) = [finding for finding in permissions(tmp_path) if not finding.ok]
    assert (found.what, found.remedy) == (f"{data_folder()} cannot be written", f"chmod u+rwx {above}")


def test_logs_of_a_project_whose_name_is_no_ascii_are_counted(tmp_path):
    project = tmp_path / "été"
    log = client_memory(project).parent / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("{}\n", encoding="utf-8")
    assert retention(project)[-1].what.startswith("1 session logs")


def test_counts_without_a_vocabulary_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("ladder.indexing.token_counts.estimated", lambda: True)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n", encoding="utf-8")
    assert wrong(index(tmp_path)) == ["token counts are estimates: there is no vocabulary"]


def test_a_trial_leaves_no_session_behind(tmp_path):
    install(CLAUDE_CODE)
    end_to_end(tmp_path)
    assert list(Path(state_folder(), "sessions").glob("*")) == []


def test_settings_that_cannot_be_read_are_named_with_their_line(tmp_path):
    change = install(CLAUDE_CODE)
    change.settings.write_text('{\n "a" 1}', encoding="utf-8")
    assert any("settings.json, line 2: a colon is missing" in what for what in wrong(installed(tmp_path)))


@pytest.mark.parametrize("record", [b"", b"[]", b"\xff", b'{"installed": 5}', b'{"installed": [5, {"client": 3}, {}]}'])
def test_a_damaged_record_is_as_none(tmp_path, record):
    install(CLAUDE_CODE)
    record_path().write_bytes(record)
    assert wrong(installed(tmp_path)) == ["the hook is not installed"]
    assert end_to_end(tmp_path) == []


def test_errors_of_the_last_days_are_named(tmp_path):
    log = project_state(str(tmp_path)) + "/hook.log"
    write_log(log, {"t": time.time() - 30 * 86_400, "e": "x", "x": "an old one"})
    assert wrong(errors(tmp_path)) == []
    write_log(log, {"t": time.time(), "e": "x", "x": "ValueError in route:7"})
    assert any("ValueError in route:7" in what for what in wrong(errors(tmp_path)))


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_files_that_others_can_read_are_named(tmp_path):
    install(CLAUDE_CODE)
    bundle_path().chmod(0o644)
    assert any("others can read" in what for what in wrong(permissions(tmp_path)))
    assert Path(data_folder()).stat().st_mode & 0o077 == 0


def test_logs_that_wait_for_mining_are_named(tmp_path):
    folder = "".join(char if char.isalnum() else "-" for char in str(tmp_path))
    log = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / folder / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("{}\n", encoding="utf-8")
    assert wrong(retention(tmp_path)) == []
    old = time.time() - 20 * 86_400
    os.utime(log, (old, old))
    assert any("wait for mining" in what for what in wrong(retention(tmp_path)))
    pairs = Path(project_data(str(tmp_path))) / "pairs.jsonl"
    pairs.parent.mkdir(parents=True)
    pairs.write_text("", encoding="utf-8")
    assert wrong(retention(tmp_path)) == []


def test_every_check_survives_an_empty_home(tmp_path):
    assert len(examine(tmp_path)) >= len(CHECKS) - 1


def answer(output, event="UserPromptSubmit"):
    return json.dumps({"hookSpecificOutput": {"hookEventName": event} | output}).encode()


@pytest.mark.parametrize(
    ("code", "stdout", "fault"),
    [
        (0, b"", None),
        (0, answer({"additionalContext": "x"}), None),
        (2, b"", "blocks"),
        (1, b"", "shows an error"),
        (0, b"not json", "not one JSON document"),
        (0, answer({}) + b"\n" + answer({}), "not one JSON document"),
        (0, b'{"additionalContext":"x"}', "ignores it"),
        (0, answer({"additionalContext": "x"}, "SessionStart"), "the answer is for"),
        (0, answer({"additionalContext": "x" * 10_001}), "hides what is over"),
        (0, answer({"additionalContext": 5}), "no text"),
        (0, answer({"context": "x"}), "does not know context"),
        (0, answer({"additionalContext": "</ladder-notes></LADDER-notes>"}), "closed twice"),
    ],
)
def test_r42_the_judge_sees_what_a_client_sees(code, stdout, fault):
    found = judge("UserPromptSubmit", code, stdout, b"", 0.0)
    assert found.faults == () if fault is None else any(fault in each for each in found.faults)


def test_a_handler_that_takes_too_long_is_cancelled():
    slow = {"command": "sleep", "args": ["5"], "timeout": 0.2}
    if os.name != "nt":
        assert run_handler(slow, {"hook_event_name": "Stop"}).faults == ("the hook was cancelled: it took too long",)


def test_a_key_that_nothing_reads_is_named(tmp_path):
    (tmp_path / "ladder.toml").write_text('folder = ["notes"]\nhead_budget = 300\n', encoding="utf-8")
    (finding,) = settings(tmp_path)
    assert not finding.ok
    assert "'folder'" in finding.what


def test_a_broken_ladder_toml_is_one_finding_with_its_line(tmp_path):
    (tmp_path / "ladder.toml").write_text('folders = ["notes"]\nhead_budget = "much"\n', encoding="utf-8")
    found = [finding for finding in examine(tmp_path) if "ladder.toml" in finding.what]
    assert [finding.ok for finding in found] == [False]
    assert "line 2: head_budget must be" in found[0].what


def test_the_notes_are_counted_as_they_are_now(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\ntext\n", encoding="utf-8")
    assert any("holds 1 notes" in finding.what for finding in index(tmp_path))
    (tmp_path / "notes" / "b.md").write_bytes(b"# B\n\n\xa2\n")
    found = index(tmp_path)
    assert any("holds 2 notes" in finding.what for finding in found)
    assert any("not UTF-8" in finding.what and not finding.ok for finding in found)
    if sys.platform != "win32":
        (tmp_path / "notes" / "dead.md").symlink_to(tmp_path / "gone.md")
        passed = [finding for finding in index(tmp_path) if "dead.md" in finding.what]
        assert [(finding.ok, finding.remedy) for finding in passed] == [(False, "mend or remove it")]
        assert passed[0].what.endswith("dead.md is a link that leads nowhere")
    Path(where_the_index_lies(str(tmp_path))).write_bytes(b"rubbish")
    assert any("made anew" in finding.what for finding in index(tmp_path))
    assert "made anew" not in str(index(tmp_path))


def test_a_session_in_a_sub_folder_of_a_projects_installation_is_told_of(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    install(CLAUDE_CODE, project=tmp_path)
    monkeypatch.chdir(tmp_path)
    assert wrong(installed(tmp_path)) == []
    monkeypatch.chdir(tmp_path / "src")
    (what,) = wrong(installed(tmp_path))
    assert f"sessions started in {tmp_path / 'src'} run no hook and no guard" in what
    install(CLAUDE_CODE)
    assert wrong(installed(tmp_path)) == []


def test_the_plugin_brings_the_hook_too(tmp_path, monkeypatch):
    user = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json"
    user.parent.mkdir(parents=True)
    user.write_text('{"enabledPlugins": {"ladder@ladder-notes": true}}', encoding="utf-8")
    monkeypatch.setattr("shutil.which", lambda name: "/bin/ladder")
    assert wrong(installed(tmp_path)) == []
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "`ladder` is not on PATH" in wrong(installed(tmp_path))[0]
    install(CLAUDE_CODE)
    assert any("plugin and installed hook are both there" in finding.what for finding in installed(tmp_path))
    user.write_text('{"enabledPlugins": {"ladder@ladder-notes": false}}', encoding="utf-8")
    assert "not name the hook any more" in wrong(installed(tmp_path))[0]


@pytest.mark.parametrize("text", ['{\n  "a": 1 // c\n}', '{"a": 1,}', "/* c */ {}"])
def test_settings_that_the_client_ignores_are_refused_and_named(tmp_path, text):
    """Seen with Claude Code 2.1.197: of a file with a comment or a spare comma it heeds nothing."""
    user = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json"
    user.parent.mkdir(parents=True)
    user.write_text(text, encoding="utf-8")
    with pytest.raises(IgnoredError, match="ignores the whole file; nothing was changed"):
        install(CLAUDE_CODE)
    assert user.read_text(encoding="utf-8") == text
    install(CLAUDE_CODE, ignored=True)
    assert any("for which the client ignores the whole file" in what for what in wrong(installed(tmp_path)))


def test_an_entry_of_a_former_version_is_named(tmp_path):
    change = install(CLAUDE_CODE)
    settings = json.loads(change.settings.read_text(encoding="utf-8"))
    for groups in settings["hooks"].values():
        groups[0]["hooks"][0]["args"] = ["-I", "-S", "-c", "exec('…')", str(bundle_path())]
    change.settings.write_text(json.dumps(settings), encoding="utf-8")
    assert any("as a former version did" in what for what in wrong(installed(tmp_path)))
    install(CLAUDE_CODE)
    assert wrong(installed(tmp_path)) == []


@pytest.mark.parametrize("named", ["", "no/such/folder"])
def test_who_never_asked_for_a_model_has_nothing_to_mend(tmp_path, monkeypatch, named):
    monkeypatch.setattr(doctor_meaning, "missing", lambda: ())  # numpy may be there for something else
    monkeypatch.setattr(model, "PACKAGED", ())
    monkeypatch.setenv(model.VARIABLE, named)
    (tmp_path / "a.md").write_text("# A\n\nThe canary waits.\n")
    fresh_index(tmp_path).close()
    assert len(wrong(doctor_meaning.meaning(tmp_path))) == bool(named)
