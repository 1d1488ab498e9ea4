"""The hook in the settings of Codex CLI, Gemini CLI and OpenCode: put in, taken out to the byte, and doctor's view."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from ladder.client.clients import CLIENTS, CODEX, GEMINI, OPENCODE
from ladder.doctor.hook import end_to_end, installed
from ladder.install import install as installing
from ladder.install.install import InstallError, install, settings_path, uninstall
from ladder.install.plugin_file import MARK
from ladder.install.record import bundle_path, record_path

OTHERS = [CODEX, GEMINI, OPENCODE]
WHO = pytest.mark.parametrize("client", OTHERS, ids=lambda client: client.name)


@pytest.fixture(autouse=True)
def _no_client(monkeypatch):
    monkeypatch.setattr(installing, "client_version", lambda program: None)


def wrong(findings):
    return [finding.what for finding in findings if not finding.ok]


def tree(folder):
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


BEFORE = {
    "nothing": None,
    "empty": b"",
    "an object": b"{}\n",
    "hooks of others": b'{\n    "hooks": {\n    "Stop": [ { "hooks": [ {"type": "command"} ] } ]\n    }\n}\n',
    "the same event": b'{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}], "BeforeTool": []}}',
    "carriage returns": b'{\r\n\t"a": [1,  2]\r\n}',
}
COMMENTED = {
    "comments": b'{\n  // mine\n  "security": {"auth": {"selectedType": "x"}}, /* here */\n  "hooks": {\n    // own\n'
    b'    "AfterAgent": [{"hooks": [{"type": "command", "command": "true"}]}]\n  }\n}\n',
    "a mark and a comma": b'\xef\xbb\xbf{\n  "ui": {"theme": "x",}, // c\n}\n',
}


@pytest.mark.parametrize(
    ("client", "before"),
    [(client, text) for client in (CODEX, GEMINI) for text in BEFORE.values()]
    + [(GEMINI, text) for text in COMMENTED.values()],
)
def test_settings_are_given_back_to_the_byte(client, before):
    settings = settings_path(client, None)
    if before is not None:
        settings.parent.mkdir(parents=True)
        settings.write_bytes(before)
    home = Path.home()
    found = tree(home)
    assert install(client, dry_run=True).changed
    assert tree(home) == found
    install(client)
    text = settings.read_text(encoding="utf-8-sig")
    for event in client.events:
        assert f'"{event.name}"' in text
    assert f"--client {client.name}" in text
    assert not install(client).changed
    uninstall(client)
    assert (settings.read_bytes() if settings.exists() else None) == before
    if before is None:
        assert not settings.parent.exists()
    else:
        assert [path.name for path in settings.parent.iterdir()] == [settings.name]
    assert not bundle_path().exists()
    assert not record_path().exists()


def test_comments_of_gemini_stay_while_the_hook_is_in():
    settings = settings_path(GEMINI, None)
    settings.parent.mkdir(parents=True)
    settings.write_bytes(COMMENTED["comments"])
    install(GEMINI)
    text = settings.read_bytes()
    assert b"// mine" in text
    assert b"/* here */" in text
    assert b"// own" in text


def test_what_changed_since_is_kept():
    settings = settings_path(GEMINI, None)
    settings.parent.mkdir(parents=True)
    settings.write_bytes(COMMENTED["comments"])
    install(GEMINI)
    settings.write_bytes(settings.read_bytes().replace(b"// mine", b"// yours"))
    uninstall(GEMINI)
    assert settings.read_bytes() == COMMENTED["comments"].replace(b"// mine", b"// yours")


def test_the_plugin_is_a_file_of_ours_and_another_one_is_left_alone():
    settings = settings_path(OPENCODE, None)
    install(OPENCODE)
    text = settings.read_text(encoding="utf-8")
    assert text.startswith(MARK)
    assert '"--client", "opencode"]' in text
    assert not install(OPENCODE).changed
    uninstall(OPENCODE)
    assert not settings.exists()
    assert not (Path.home() / OPENCODE.folder).exists()
    settings.parent.mkdir(parents=True)
    settings.write_text("export const Mine = async () => ({})\n", encoding="utf-8")
    with pytest.raises(InstallError, match="another plugin has this name; nothing was changed"):
        install(OPENCODE)
    assert not uninstall(OPENCODE).changed
    assert settings.read_text(encoding="utf-8") == "export const Mine = async () => ({})\n"


@WHO
def test_one_projects_settings(tmp_path, client):
    change = install(client, project=tmp_path)
    assert change.settings == tmp_path / client.project_settings
    assert not settings_path(client, None).exists()
    assert tree(tmp_path)
    uninstall(client, project=tmp_path)
    assert tree(tmp_path) == {}


@WHO
def test_the_others_stay_when_one_goes(client):
    for each in (*OTHERS, CLIENTS["claude-code"]):
        install(each)
    uninstall(client)
    for each in (*OTHERS, CLIENTS["claude-code"]):
        assert settings_path(each, None).exists() == (each is not client)
    assert bundle_path().exists()


def test_a_moved_folder_of_codex_and_gemini(tmp_path, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("GEMINI_CLI_HOME", str(tmp_path / "g"))
    assert install(CODEX).settings == tmp_path / "c" / "hooks.json"
    assert install(GEMINI).settings == tmp_path / "g" / ".gemini" / "settings.json"


@WHO
def test_doctor_knows_the_client_and_tries_its_hook(tmp_path, client):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "kiln.md").write_text("# Kiln\n\nFired on weekdays.\n", encoding="utf-8")
    change = install(client)
    found = installed(tmp_path)
    asleep = [line for line in wrong(found) if "approved" not in line]
    assert asleep == []
    assert f"{change.settings} names the hook for {len(client.events)} events" in [each.what for each in found]
    ran = end_to_end(tmp_path)
    assert wrong(ran) == []
    assert [each.what.partition(":")[0] for each in ran] == [f"{client.title}, {event.name}" for event in client.events]


def test_doctor_says_that_codex_has_not_approved_the_hook(tmp_path):
    settings = install(CODEX).settings
    (what,) = wrong(installed(tmp_path))
    assert "it was not approved" in what
    config = settings.with_name("config.toml")
    key = json.dumps(f"{settings}:user_prompt_submit:0:0")
    config.write_text(f'[hooks.state.{key}]\ntrusted_hash = "sha256:1"\n', encoding="utf-8")
    assert wrong(installed(tmp_path)) == []
    config.write_text(f'[hooks.state.{key}]\nenabled = false\ntrusted_hash = "x"\n', encoding="utf-8")
    assert "turned off" in wrong(installed(tmp_path))[0]
    config.write_text("[features]\nhooks = false\n", encoding="utf-8")
    assert "turns all hooks off (features.hooks)" in wrong(installed(tmp_path))[0]
    config.write_text("features = [", encoding="utf-8")
    assert "cannot be read" in wrong(installed(tmp_path))[0]


def test_doctor_says_that_codex_does_not_trust_the_project(tmp_path):
    install(CODEX, project=tmp_path)
    assert any("only when it trusts the folder" in what for what in wrong(installed(tmp_path)))


@pytest.mark.parametrize(
    ("switch", "said"),
    [({"enabled": False}, "turns all hooks off"), ({"disabled": ["ladder"]}, "turns ladder's hook off")],
)
def test_doctor_reads_geminis_switches(tmp_path, switch, said):
    settings = settings_path(GEMINI, None)
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"hooksConfig": switch}), encoding="utf-8")
    install(GEMINI)
    (what,) = wrong(installed(tmp_path))
    assert said in what


@pytest.mark.parametrize(
    ("said", "trusted"),
    [
        ({}, False),
        ({"p": "TRUST_FOLDER"}, True),
        ({".": "TRUST_FOLDER"}, True),
        ({"p": "DO_NOT_TRUST", ".": "TRUST_FOLDER"}, False),
        ({"other": "TRUST_PARENT"}, True),
        ({"other": "TRUST_FOLDER"}, False),
    ],
)
def test_doctor_says_that_gemini_does_not_trust_the_project(tmp_path, said, trusted):
    project = tmp_path / "p"
    project.mkdir()
    install(GEMINI, project=project)
    folders = {str(tmp_path / where): word for where, word in said.items()}
    own = settings_path(GEMINI, None)
    own.parent.mkdir(parents=True)
    own.with_name("trustedFolders.json").write_text(json.dumps(folders), encoding="utf-8")
    assert (wrong(installed(project)) == []) == trusted
    own.write_text('{"security": {"folderTrust": {"enabled": false}}}', encoding="utf-8")
    assert wrong(installed(project)) == []


def test_doctor_misses_an_event_and_says_what_the_guard_cannot_see(tmp_path):
    settings = install(GEMINI).settings
    text = json.loads(settings.read_text(encoding="utf-8"))
    del text["hooks"]["BeforeTool"]
    settings.write_text(json.dumps(text), encoding="utf-8")
    assert any("does not name the hook for BeforeTool" in what for what in wrong(installed(tmp_path)))
    install(CODEX)
    assert any("the guard does not see" in each.what for each in installed(tmp_path))


@pytest.mark.parametrize("damage", ["const COMMAND = [", ""])
def test_doctor_finds_a_damaged_plugin(tmp_path, damage):
    settings = install(OPENCODE).settings
    lines = settings.read_text(encoding="utf-8").split("\n")
    lines = [damage if line.startswith("const COMMAND = ") else line for line in lines]
    settings.write_text("\n".join(lines), encoding="utf-8")
    assert any("is damaged" in what for what in wrong(installed(tmp_path)))


def test_all_takes_the_clients_that_are_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    run = CliRunner().invoke
    assert run(app, ["install", "--all"]).exit_code != 0
    (Path.home() / ".codex").mkdir()
    (Path.home() / ".config" / "opencode").mkdir(parents=True)
    done = json.loads(run(app, ["install", "--all", "--json"]).stdout)
    assert [each["client"] for each in done["installed"]] == ["codex", "opencode"]
    gone = json.loads(run(app, ["uninstall", "--all", "--json"]).stdout)
    assert [each["client"] for each in gone["uninstalled"] if each["changed"]] == ["codex", "opencode"]
    assert list((Path.home() / ".codex").iterdir()) == []


def test_codex_says_how_the_hook_is_approved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(app, ["install", "codex"]).stdout
    assert "start `codex`, type /hooks, and trust ladder's entries" in said
    assert "`ladder uninstall codex` takes it out again" in said
