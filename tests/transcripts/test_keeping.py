"""What is kept, and what is not: the product's own block, secrets, what is forgotten; two runs at once; archives."""

import gzip
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ladder.cli.app import app
from notes import find_notes, folder_settings
from notes.atomic import write_private_lines
from transcripts import Store, mine, read_pairs, sessions
from transcripts.logs.redact import redact
from transcripts.privacy.archive import archive

ECHO = "Run shipctl revert with the violet wave, then watch the tangerine dashboard."
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def run(folder, project, **keys):
    return mine(sessions(folder), find_notes(folder_settings(project)), project, **keys)


def command(*words, given=""):
    """Run a command of ladder in this process; return its exit code and what it printed."""
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, list(map(str, words)), input=given)
    return done.exit_code, done.stdout


def answered(log, project, name="s1", extra="", **keys):
    a = log(name, **keys)
    a.user(f"how do we go back?{extra}")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    return a


def test_what_ladder_itself_showed_is_no_evidence_however_often_it_is_copied(log, project, tmp_path):
    block = "<ladder-notes>\n" + (project / "docs" / "deploy.md").read_text() + "\n</ladder-notes>"
    printed = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": block}}
    lines: list[bytes] = []
    for number in range(5):
        a = log(f"s{number}")
        a.clock = 100 * number
        a.lines = list(lines)  # a resumed session repeats the old one
        a.user(f"how do we go back, time {number}?")
        a.attach(type="hook_additional_context", content=[block], hookName="UserPromptSubmit")
        a.attach(type="hook_success", content="", stdout=json.dumps(printed), hookName="UserPromptSubmit")
        a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
        a.say(ECHO)
        a.user(f"Summary of the conversation: {block}", isCompactSummary=True)
        a.save()
        lines = a.lines
        mined = run(tmp_path / "logs", project, store=Store(tmp_path / "mined"))
        assert (mined.pairs, mined.tally.turns) == ([], number + 1)
        assert not any(b"<ladder-notes" in path.read_bytes() for path in (tmp_path / "mined").glob("*.jsonl"))


def test_r28_a_pasted_key_lies_nowhere_in_the_store(log, project, tmp_path):
    a = answered(log, project, extra=f" the key is {KEY}")
    a.bash(f"curl -H 'Authorization: Bearer {KEY}' x", f"token {KEY}")
    a.say(f"I used {KEY}.")
    a.user("again")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(f"The heron alarm fired: mistral certificate lapsed. {KEY}")
    a.save()
    store = Store(tmp_path / "mined")
    mined = run(tmp_path / "logs", project, store=store, clean=redact)
    archive(store, sessions(tmp_path / "logs"), redact)
    assert len(mined.pairs) == 2
    assert "[redacted:github-token]" in mined.pairs[0].question
    for path in (tmp_path / "mined").rglob("*"):
        if path.is_file():
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            assert KEY.encode() not in data
            assert KEY[4:].lower().encode() not in data.lower()


def test_an_archive_says_what_the_log_says(log, project, tmp_path):
    path = answered(log, project).save()
    store = Store(tmp_path / "mined")
    size = archive(store, sessions(tmp_path / "logs"), redact)
    [copy] = (tmp_path / "mined" / "archive").iterdir()
    assert size == copy.stat().st_size > 0
    assert [json.loads(line) for line in gzip.decompress(copy.read_bytes()).splitlines()] == [
        json.loads(line) for line in path.read_bytes().splitlines()
    ]
    before = copy.stat().st_mtime_ns
    archive(store, sessions(tmp_path / "logs"), redact)
    assert copy.stat().st_mtime_ns == before


@pytest.fixture
def at_home(project, tmp_path, monkeypatch):
    """The project as working folder, its logs where the client keeps them."""
    monkeypatch.chdir(project)
    return Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "-tmp-app"


def test_r57_the_configured_folder_is_searched_and_named(project, at_home):
    from typer.testing import CliRunner

    from ladder.cli.terminal import Failure

    failed = CliRunner().invoke(app, ["mine"]).exception
    assert isinstance(failed, Failure)
    assert str(at_home.parent) in str(failed)


def test_r58_the_project_is_what_the_records_say_and_not_the_folders_name(log, project, at_home):
    answered(log, project, folder=at_home, cwd=str(project)).save()
    answered(log, project, "s2", folder=at_home, cwd="/home/u/another").save()
    code, printed = command("mine", "--json")
    counts = json.loads(printed)
    assert (code, counts["sessions"], counts["turns"]) == (0, 1, 1)


def test_the_command_counts_and_reads_on(log, project, at_home):
    a = answered(log, project, folder=at_home, cwd=str(project))
    a.raw(b"[]")
    a.save()
    code, printed = command("mine")
    assert code == 0
    for line in (
        "turns      1",
        "reads      1",
        "alive 1 / 1, moved 0 / 0, gone 0 / 0",
        "skipped    1 line: not an object",
    ):
        assert line in printed
    printed = command("mine", "--json")[1]
    assert json.loads(printed[printed.index("{") :])["sessions_read"] == 0


def test_a_review_keeps_who_said_what(log, project, at_home):
    answered(log, project, folder=at_home, cwd=str(project)).save()
    code, printed = command("mine", "--review", "5", "--by", "ann", given="yes\n")
    assert code == 0
    assert "reply  1 yes, 0 no, 0 unsure: 100% (21% to 100%)" in printed
    code, printed = command("mine", "--review", "5", "--by", "ann", "--json")
    assert json.loads(printed[printed.index("{") :])["by"] == ["ann"]


def test_what_is_forgotten_is_gone_and_stays_gone(log, project, at_home):
    from ladder.lean.paths import project_data

    a = answered(log, project, extra=" Ask Quillfeather.", folder=at_home, cwd=str(project))
    a.user("and who was that?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say("The heron alarm: the mistral certificate had lapsed.")
    a.save()
    assert command("mine", "--archive")[0] == 0
    data = Path(project_data(str(project)))

    def holding(text):
        found = []
        for path in data.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                content = gzip.decompress(content) if path.suffix == ".gz" else content
                if text.lower().encode() in content.lower():
                    found.append(path.name)
        return found

    assert len(holding("quillfeather")) >= 3
    code, printed = command("forget", "quillfeath")
    assert (code, "nothing left" in printed) == (0, True)
    assert printed.startswith("matched    2 pairs, 2 turns, 1 log line\n")  # the second of each quotes it
    code, printed = command("forget", "quillfeath")
    assert code == 1
    assert printed.startswith("matched    nothing: no file that ladder keeps of this project holds it\n")
    assert "changed" not in printed
    assert holding("quillfeath") == []
    a.user("bye")
    a.say("Bye.")
    a.save()
    later = time.time() + 10
    os.utime(a.path, (later, later))  # the log has grown, so it is copied anew
    assert command("mine", "--archive")[0] == 0
    for path in (data / "mined").glob("s1*"):
        path.unlink()  # as if the log had to be read from its beginning
    assert command("mine")[0] == 0
    assert holding("quillfeath") == []
    assert "certificate" in (data / "pairs.jsonl").read_text(encoding="utf-8")


def test_a_forgotten_session_and_note_do_not_come_back(log, project, at_home):
    from ladder.lean.paths import project_data

    answered(log, project, folder=at_home, cwd=str(project)).save()
    answered(log, project, "s2", extra=" really?", folder=at_home, cwd=str(project)).save()
    assert json.loads(command("mine", "--json")[1])["sessions"] == 2
    assert command("forget", "--session", "s2")[0] == 0
    assert json.loads(command("mine", "--json")[1])["sessions"] == 1
    assert command("forget", "--note", "docs/deploy.md")[0] == 0
    code, printed = command("mine", "--json", "--archive")
    assert (code, json.loads(printed)["pairs"]["reply"]["alive"]) == (0, 0)
    [copy] = (Path(project_data(str(project))) / "mined" / "archive").iterdir()
    said = gzip.decompress(copy.read_bytes())
    assert copy.name.startswith("s1-")
    assert (b"deploy.md" in said, b"how do we go back?" in said) == (False, True)


def test_a_folder_is_the_same_however_its_path_is_written(log, project, at_home, monkeypatch):
    from ladder.lean.paths import project_data

    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    answered(log, project, extra=" Ask Quillfeather.", folder=at_home, cwd=str(project)).save()
    assert command("mine", "--notes", "../docs", "--logs", str(at_home.parent))[0] == 0
    assert not list(Path(project_data(str(project))).parent.glob("*..*"))
    code, printed = command("forget", "Quillfeather", "--notes", str(project / "docs"))
    assert (code, "nothing left" in printed) == (0, True)
    code, printed = command("forget", "Quillfeather", "--notes", str(project / "sub"))
    assert code == 1
    assert "0 files, 0.0 MB: nothing was ever kept of this project" in printed


def test_r60_times_are_kept_as_logged_and_days_are_the_readers(log, project, tmp_path, monkeypatch):
    from transcripts import local_day

    monkeypatch.setenv("TZ", "America/Los_Angeles")
    if not hasattr(time, "tzset"):
        pytest.skip("the time zone cannot be set here")
    time.tzset()
    assert str(local_day("2026-01-25T04:08:00Z")) == "2026-01-24"
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert str(local_day("2026-01-25T04:08:00Z")) == "2026-01-25"
    answered(log, project).save()
    assert run(tmp_path / "logs", project).pairs[0].time == "2026-03-01T00:01:00.000Z"


RUN = """
import sys
from pathlib import Path
from transcripts import Store, sessions
if __name__ == "__main__":
    store = Store(Path(sys.argv[2]))
    with store.lock():
        for done in store.update(sessions(Path(sys.argv[1]))):
            print(done.session.id, flush=True)
"""


def test_two_runs_at_once_and_a_killed_one_leave_what_one_run_leaves(log, project, tmp_path):
    for number in range(30):
        answered(log, project, f"s{number:02d}").save()
    script = tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    words = [sys.executable, str(script), str(tmp_path / "logs")]

    def kept(folder):
        return {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}

    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([*words, str(tmp_path / "one")], check=True, env=env, capture_output=True)
    both = [subprocess.Popen([*words, str(tmp_path / "two")], env=env, stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[1] or process.returncode for process in both] == [0, 0]
    assert kept(tmp_path / "two") == kept(tmp_path / "one")
    killed = subprocess.Popen([*words, str(tmp_path / "three")], env=env, stdout=subprocess.PIPE)
    killed.stdout.readline()
    killed.kill()
    killed.communicate()
    subprocess.run([*words, str(tmp_path / "three")], check=True, env=env, capture_output=True, timeout=60)
    assert kept(tmp_path / "three") == kept(tmp_path / "one")


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_every_folder_that_is_made_is_its_owners_alone(tmp_path):
    before = os.umask(0o022)
    try:
        write_private_lines(tmp_path / "a" / "b" / "pairs.jsonl", [b"{}"])
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / part).stat().st_mode) for part in ("a", "a/b")] == [0o700, 0o700]


def shown(project, **sessions):
    """Write what the hook would have: its log, and what each session was shown; return the log and the folder."""
    from ladder.hook.log import write_log
    from ladder.hook.session import load_state
    from ladder.lean.paths import project_state, state_folder

    hook_log = Path(project_state(str(project))) / "hook.log"
    folder = Path(state_folder()) / "sessions"
    for session, notes in sessions.items():
        for note in notes:
            write_log(hook_log.as_posix(), {"t": 1.0, "e": "UserPromptSubmit", "s": session, "n": [[note, 1, "name"]]})
        load_state(folder.as_posix(), session).show([(note, "v1") for note in notes])
    return hook_log, folder


def test_forgetting_takes_lines_out_of_the_hooks_log_and_of_what_sessions_were_shown(project, at_home):
    from ladder.hook.session import load_state
    from ladder.hook.stats import events_of

    hook_log, folder = shown(project, one=["bottling", "honey", "hives/Bottling"], two=["bottling"], three=["honey"])
    former = hook_log.with_name("hook.log.1")
    former.write_bytes(hook_log.read_bytes()[: hook_log.read_bytes().index(b"\n") + 1])
    before = {path: path.read_bytes() for path in (hook_log, former, *folder.iterdir())}
    code, printed = command("forget", "bottling", "--dry-run")
    assert (code, printed.split("\n")[0].startswith("would take out    ")) == (0, True)
    assert {path: path.read_bytes() for path in before} == before
    assert command("forget", "nothing of the kind", "--dry-run")[0] == 1
    code, printed = command("forget", "bottling")
    assert code == 0
    assert printed.split("\n")[:3] == [
        "matched    7 hook lines",  # 3 of the log, 1 of the former, 3 of two sessions
        "changed    2 files",
        "removed    2 files of the hook with nothing left",
    ]
    assert printed.split("\n")[3].startswith("searched   3 files, ")
    assert printed.endswith("MB: nothing left\n")
    left = [(event.session, event.notes) for event in events_of(project)]
    assert left == [("one", ("honey",)), ("three", ("honey",))]
    assert load_state(folder.as_posix(), "one").shown == {"honey": "v1"}
    assert sorted(path.name for path in folder.iterdir()) == ["one.jsonl", "three.jsonl"]
    assert not former.exists()
    if os.name != "nt":
        assert {stat.S_IMODE(path.stat().st_mode) for path in (hook_log, *folder.iterdir())} == {0o600}
    code, printed = command("forget", "bottling")
    assert code == 1
    assert printed.startswith("matched    nothing: no file that ladder keeps of this project holds it\n")
    assert printed.endswith("MB: nothing left\n")


def test_the_last_file_that_goes_is_not_said_never_to_have_been(project, at_home):
    shown(project, one=["bottling"])
    code, printed = command("forget", "bottling")
    assert code == 0
    assert printed.split("\n")[:3] == [
        "matched    2 hook lines",
        "removed    2 files of the hook with nothing left",
        "searched   0 files, 0.0 MB: nothing left",
    ]


def test_letters_that_the_hook_escapes_are_found_in_either_case(project, at_home):
    hook_log, _ = shown(project, one=["abfüllung", "honey", "\U0001f41d-hof"])
    assert b"abf\\u00fcllung" in hook_log.read_bytes()
    assert command("forget", "ABFÜLLUNG")[1].startswith("matched    2 hook lines\nchanged    2 files\n")
    assert command("forget", "\U0001f41d-hof")[1].startswith("matched    2 hook lines\nchanged    2 files\n")
    assert hook_log.read_bytes().count(b"\n") == 1


def test_a_session_loses_its_file_when_what_made_the_earlier_void_goes(project, at_home):
    from ladder.hook.session import load_state

    _, folder = shown(project, one=["honey"])
    load_state(folder.as_posix(), "one").reset("compact")
    load_state(folder.as_posix(), "one").show([("hives", "v1")])
    code, printed = command("forget", "compact")
    assert (code, printed.split("\n")[:2]) == (
        0,
        ["matched    3 hook lines", "removed    1 file of the hook with nothing left"],
    )
    assert load_state(folder.as_posix(), "one").fresh


def test_a_forgotten_session_or_note_leaves_the_hooks_files_too(project, at_home):
    hook_log, folder = shown(project, one=["docs/deploy", "docs/deploy-later"], two=["deploy", "honey"])
    code, printed = command("forget", "--note", "docs/deploy.md")
    assert (code, printed.split("\n")[:2]) == (0, ["matched    2 hook lines", "changed    2 files"])
    code, printed = command("forget", "--session", "two")
    assert (code, printed.split("\n")[:3]) == (
        0,
        ["matched    2 hook lines", "changed    1 file", "removed    1 file of the session"],
    )
    assert [path.name for path in folder.iterdir()] == ["one.jsonl"]
    assert [json.loads(line)["n"][0][0] for line in hook_log.read_text("utf-8").split("\n") if line] == [
        "docs/deploy-later"
    ]


def test_forgetting_a_note_leaves_the_rest_of_a_weekly_run(project, at_home):
    from bench.trend import runs
    from bench.trend.runs import NoteUse, Run
    from ladder.lean.paths import project_data

    folder = Path(project_data(str(project))) / "runs"
    uses = {"bottling": NoteUse(9, 1, 1, 1, 1, 1), "honey": NoteUse(8, 0, 0, 0, 0, 0)}
    pairs = {"p1": ("s1", "1"), "p2": ("s2", "0")}
    made = Run("2026-09-01T00:00:00", "2026-09-01", 2000, "read", ("read/a",), {}, {}, {}, {"pairs": 2}, pairs, uses)
    runs.save(made, folder)
    code, printed = command("forget", "bottling")
    assert (code, printed.split("\n")[:2]) == (0, ["matched    1 run", "changed    1 file"])
    assert command("forget", "--session", "s2")[0] == 0
    [left] = runs.load(folder)
    assert (list(left.notes), left.pairs, left.counts) == (["honey"], {"p1": ("s1", "1")}, {"pairs": 2})


def test_what_was_said_is_what_was_written_also_after_other_logs(log, project, tmp_path):
    for name in ("a", "b"):
        answered(log, project, f"{name}1", folder=tmp_path / name).save()
    b = log("b1", folder=tmp_path / "b")
    b.user("hello")
    b.say("Hello.")
    b.save()
    out = tmp_path / "pairs.jsonl"

    def mined(name):
        options = ["--logs", str(tmp_path / name), "--notes", str(project), "--out", str(out), "--json"]
        counts = json.loads(command("mine", *options)[1])
        said = sum(counts["pairs"][level][state] for level in counts["pairs"] for state in counts["pairs"][level])
        return said, len(read_pairs(out))

    assert mined("a") == (1, 1)
    assert mined("b") == (0, 0)
    assert mined("a") == (1, 1)
    out.write_bytes(b"")
    assert mined("a") == (1, 1)
