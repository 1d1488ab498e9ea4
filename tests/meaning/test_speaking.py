"""Whether the hook speaks by meaning: what is looked at, what lies near enough, and that nothing of it can hurt."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from ladder.client.contract import CLAUDE_CODE
from ladder.hook import meaning as hook_meaning
from ladder.hook.stats import MESSAGE, _event, stats_of
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.indexing.update import fresh_index
from ladder.install import install as installing
from ladder.install import record
from ladder.lean.paths import index_file, project_state
from ladder.meaning.model import NoModel, find_model
from ladder.meaning.update import update_vectors
from ladder.meaning.use import meant
from ladder.query.query import Context, query
from ladder.reading.answer import note_bytes
from ladder.speaking.by_meaning import worth_looking
from ladder.speaking.verdict import decide_by_meaning
from ladder.speaking.weights import NEAR_ENOUGH, NEAR_ENOUGH_LATER
from notes import folder_settings, load_settings


class Near:
    """Cosines as they might come: each note's nearest piece, all with the same usual and spread."""

    usual, spread = 0.1, 0.1

    def __init__(self, best):
        self.best = best

    def nearest(self, k):
        return sorted(self.best, key=lambda n: -self.best[n])[:k]

    def passages(self, index, note):
        return [(0, index.passages(note).count - 1, self.best[note])]


@pytest.fixture
def index(tmp_path):
    notes = {f"n{i}": f"# Note {i}\n\nword{i} other{i}\n".encode() for i in range(6)}
    build_from_bytes(notes, tmp_path / "index")
    return open_index(str(tmp_path / "index"))


def named(index, best, **context):
    decision = decide_by_meaning(index, query(Context("squeeze a step in between", **context)), None, Near(best))
    assert decision.speaks is bool(decision.meant)
    return [index.note(n).name for n in decision.meant or ()]


def test_a_note_that_stands_out_is_named_and_what_lies_beside_it(index):
    least = 0.1 + NEAR_ENOUGH * 0.1
    far = dict.fromkeys(range(6), 0.1)
    assert named(index, {**far, 2: least + 0.001}) == ["n2"]
    assert named(index, {**far, 2: least + 0.05, 4: least}) == ["n2", "n4"]
    assert named(index, {**far, 2: least - 0.001}) == []


def test_where_nothing_is_near_nothing_is_named_however_it_stands_out(index, monkeypatch):
    monkeypatch.setattr(Near, "spread", 0.01)
    far = dict.fromkeys(range(6), 0.1)
    assert named(index, {**far, 3: 0.51}) == ["n3"]
    assert named(index, {**far, 3: 0.49}) == []


def test_in_the_midst_of_a_session_it_must_lie_nearer(index):
    far = dict.fromkeys(range(6), 0.1)
    said = [["user", "before"], ["agent", "done"]]
    assert named(index, {**far, 1: 0.1 + (NEAR_ENOUGH_LATER - 0.1) * 0.1}, said=said) == []
    assert named(index, {**far, 1: 0.1 + (NEAR_ENOUGH_LATER + 0.1) * 0.1}, said=said) == ["n1"]


@pytest.mark.parametrize(
    ("message", "looked"),
    [
        ("how do I squeeze a forgotten step in between?", True),
        ("squeeze a forgotten step in between", True),
        ("yes", False),
        ("go on", False),
        ("rewrite your last commit message in the imperative", False),
        ("I read your plan. How do people squeeze a step in between?", True),
        ("Steps were piled up. Why did you squeeze one in between?", False),
        ("/review the step in between two others", False),
        ("word " + " ".join(f"pasted{i}" for i in range(80)), False),
    ],
)
def test_only_what_asks_by_itself_is_looked_at(index, message, looked):
    assert worth_looking(index, query(Context(message))) is looked


def test_what_fails_in_the_hook_is_written_down_and_says_nothing(tmp_path, monkeypatch):
    def broken():
        raise ImportError("another numpy")

    index = SimpleNamespace(settings={}, path=str(tmp_path / "index"))
    moment = SimpleNamespace(started=float("inf"), record={})
    assert hook_meaning.near_in_hook(moment, index, "how?") is None
    assert moment.record == {}  # no vectors: nothing was tried
    (tmp_path / "index.meaning").touch()
    monkeypatch.setattr(hook_meaning, "_function", broken)
    assert hook_meaning.near_in_hook(moment, index, "how?") is None
    assert moment.record == {"m": "ImportError"}
    moment.started = float("-inf")
    assert hook_meaning.near_in_hook(moment, index, "how?") is None
    assert moment.record == {"m": "too late"}
    index.settings["meaning"], moment.record = "off", {}
    assert hook_meaning.near_in_hook(moment, index, "how?") is None
    assert moment.record == {}


def test_the_log_says_what_meaning_did():
    assert _event({"e": MESSAGE, "m": 6.1, "n": [["a", 1, ""]]}).meaning == "found"
    assert _event({"e": MESSAGE, "m": 3.9}).meaning == "asked"
    assert _event({"e": MESSAGE, "m": "too late"}).meaning == "too late"
    assert _event({"e": MESSAGE}).meaning == ""
    logged = [{"e": MESSAGE, "m": 6.1, "n": [["a", 1, ""]]}, {"e": MESSAGE, "m": 3.9}, {"e": MESSAGE, "m": "too late"}]
    found = stats_of([_event(each) for each in logged], {}, [])
    assert (found.asked_meaning, found.spoke_by_meaning) == (2, 1)
    assert found.wrong == {"meaning: too late": 1}


def run_hook(settings, event):
    handler = json.loads(settings.read_bytes())["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    command = [handler["command"], *handler["args"]]
    done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    return done.stdout.decode()


NOTES = {
    "rollback": "# Rollback\n\nThe canary aborts the rollout when the error budget is spent.\n",
    "graphite": "# Graphite\n\nA new branch goes into the middle of a stack with `gt create --insert`.\n",
    **{f"other{i}": f"# Topic {i}\n\n{text}\n" for i, text in enumerate((
        "Tomatoes want water in the morning.", "The harbour's valve is checked each week.",
        "Invoices go out on Friday.",
        "The choir sings in the old church.", "Bread rises for nine hours.", "The museum opens at ten.",
        "Wolves were seen near the northern forest.", "The train to Lyon leaves from platform four.",
        "Paint dries faster in the sun.", "The contract ends in October.", "Grandmother's recipe has no sugar.",
        "The telescope needs a new mirror.", "Salaries are paid on the last day.", "The lake freezes in January.",
        "Her violin was made in Cremona.", "The goalkeeper injured his knee.", "Our printer takes A3 paper.",
        "The vaccine is kept cold.", "The bridge is closed to lorries.", "Chess club meets on Tuesdays.",
        "The well is forty metres deep.", "His passport has expired.", "The theatre seats six hundred.",
        "Bees swarm in May.", "The auction starts at noon.", "Sheep graze behind the mill.",
        "The film lasts two hours.",
        "Rust damaged the anchor.", "The tenant pays for heating.", "Snow blocked the pass.", "The judge adjourned.",
        "The ferry runs hourly.", "Olives ripen late.", "The tower leans.", "Coal is no longer mined here.",
    ))},
}  # fmt: skip


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose notes have vectors of the published model, and the installed hook."""
    monkeypatch.delenv("LADDER_MEANING_MODEL")
    try:
        find_model()
    except NoModel:
        pytest.skip("no package with the published weights is installed")
    monkeypatch.setattr(installing, "client_version", lambda program: None)
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "ladder.toml").write_text("", encoding="utf-8")
    with fresh_index(load_settings(tmp_path)) as made:
        update_vectors(made, "", lambda n: note_bytes(made, n))
    installing.install(CLAUDE_CODE)
    return tmp_path


def asked(project, message):
    """What the installed hook answers, and what it logged of meaning."""
    event = {"session_id": f"s{os.urandom(4).hex()}", "transcript_path": "", "cwd": str(project),
             "hook_event_name": MESSAGE, "prompt": message}  # fmt: skip
    said = run_hook(installing.settings_path(CLAUDE_CODE, None), event)
    log = os.path.join(project_state(str(project)), "hook.log")  # noqa: PTH118
    with open(log, encoding="utf-8") as file:  # noqa: PTH123
        return said, json.loads(file.read().rstrip("\n").rpartition("\n")[2])


VAGUE = "inserting something halfway into a pile of git branches with graphite"


def test_the_installed_hook_finds_a_note_by_other_words(project):
    said, log = asked(project, VAGUE)
    assert log["m"] >= NEAR_ENOUGH
    assert "gt create --insert" in said
    assert said.count("notes/graphite") >= 1


def test_the_installed_hook_is_silent_as_before_where_meaning_fails(project):
    found = json.loads(record.record_path().read_bytes())
    for damage in ({"paths": []}, {"python": "cpython-27"}, {"trouble": "it crashed"}, {"package": "/nowhere"}, None):
        changed = dict(found)
        if damage is None:
            del changed["meaning"]
        else:
            changed["meaning"] = {**found["meaning"], **damage}
        record.record_path().write_text(json.dumps(changed), encoding="utf-8")
        said, log = asked(project, VAGUE)
        assert said == ""
        assert log["q"] == "nothing worth it"
        assert isinstance(log["m"], str)


def test_the_record_of_an_installation_follows_the_extra(project, monkeypatch):
    assert not record.is_behind()
    assert record.meaning_trouble() == ""
    monkeypatch.setattr(record, "meaning_places", dict)
    assert record.is_behind()


def test_vectors_that_are_behind_are_asked_for_and_those_of_a_folder_are_not(project, monkeypatch):
    started = []
    monkeypatch.setattr("ladder.index.background.ask_update", lambda root, command: started.append((root, command)))
    with fresh_index(load_settings(project)) as made:
        assert meant(made, query(Context(VAGUE))).near.current
    assert started == []
    (project / "notes" / "new.md").write_text("# New\n\nThe kiln is fired on Monday.\n", encoding="utf-8")
    with fresh_index(load_settings(project)) as made:
        found = meant(made, query(Context(VAGUE))).near
        assert not found.current
        assert made.note(found.nearest(1)[0]).name == "notes/graphite"
        assert [(root, command[-3:-1]) for root, command in started] == [(str(project), ["index", "--background"])]
    with fresh_index(folder_settings(project / "notes")) as made:
        assert meant(made, query(Context(VAGUE))).near is None
    assert len(started) == 1


def test_vectors_that_are_there_are_used_by_the_command(project):
    done = subprocess.run(
        [sys.executable, "-m", "ladder", "suggest", VAGUE, "--json"], cwd=project, capture_output=True, check=True
    )
    assert json.loads(done.stdout)["notes"][0]["note"] == "notes/graphite"
    assert os.path.isfile(index_file(str(project)) + ".meaning")  # noqa: PTH113
