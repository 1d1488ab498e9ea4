"""Installing and removing the hook: settings merged, files copied, nothing left that could block a message."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.client.contract import CLAUDE_CODE
from ladder.hook.bundle.build import bundle_mark, bundled_modules, foreign_modules
from ladder.install import install as installing
from ladder.install.allow_rules import RULES
from ladder.install.handlers import NoHandlerError, handler
from ladder.install.install import InstallError, install, settings_path, uninstall
from ladder.install.interpreter import base_interpreter, interpreter_trouble, temporary_environment
from ladder.install.record import bundle_path, is_behind, record_path, remembered, renew, start_path


@pytest.fixture(autouse=True)
def _no_client(monkeypatch):
    monkeypatch.setattr(installing, "client_version", lambda program: None)


def user_settings():
    return Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json"


def run_handler(entry, data=b"[]"):
    return subprocess.run([entry["command"], *entry["args"]], input=data, capture_output=True, check=False, timeout=10)


def test_install_writes_settings_that_work():
    change = install(CLAUDE_CODE)
    assert change.settings == user_settings()
    hooks = json.loads(user_settings().read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == {"UserPromptSubmit", "SessionStart", "PreToolUse", "SessionEnd"}
    for groups in hooks.values():
        (entry,) = groups[0]["hooks"]
        assert entry["type"] == "command"
        assert entry["timeout"] <= 30
        done = run_handler(entry)
        assert (done.returncode, done.stdout) == (0, b"")
        assert b"not a JSON object" in done.stderr
    assert bundle_path().stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_the_command_is_the_base_interpreter_without_an_environment():
    python = base_interpreter()
    assert not (python.parent.parent / "pyvenv.cfg").exists()
    assert not (python.parent / "pyvenv.cfg").exists()
    assert interpreter_trouble(python) == ""
    assert interpreter_trouble(python.with_name("no-such-python")) != ""


@pytest.mark.parametrize(
    "before", [None, "", "{}", '{"hooks": {}}\n', '\ufeff{\n  "model": "x" // c\n}\n', '{"a":[1, 2]}']
)
def test_r66_uninstall_gives_back_every_byte(before):
    settings = user_settings()
    if before is not None:
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_bytes(before.encode("utf-8"))
        settings.chmod(0o640)
    first = install(CLAUDE_CODE, allow=True, ignored=True)
    assert first.changed
    assert first.rules == RULES
    text = settings.read_bytes()
    assert b"Bash(ladder read:*)" in text
    assert not install(CLAUDE_CODE, allow=True, ignored=True).changed
    assert not install(CLAUDE_CODE, ignored=True).changed, "what was allowed stays so"
    assert settings.read_bytes() == text
    kept = [path.name for path in settings.parent.iterdir()]
    assert kept.count("settings.json.before-ladder") == (before is not None)
    if before is not None and os.name != "nt":
        assert settings.stat().st_mode & 0o777 == 0o640
    uninstall(CLAUDE_CODE)
    if before is None:
        assert not settings.exists()
    else:
        assert settings.read_bytes() == before.encode("utf-8")
    left = [path.name for path in settings.parent.iterdir()] if settings.parent.exists() else None
    assert left == (None if before is None else ["settings.json"])
    assert not bundle_path().exists()
    assert not record_path().exists()


def test_uninstall_names_the_other_settings_that_have_the_hook(tmp_path, monkeypatch, capsys):
    from ladder.cli.install import _uninstall

    (tmp_path / "p" / ".git").mkdir(parents=True)
    change = install(CLAUDE_CODE, project=tmp_path / "p")
    _uninstall()
    assert capsys.readouterr().out == (
        f"The hook is not in {user_settings()}.\n"
        f"It is in {change.settings}: `ladder uninstall --project` in {tmp_path / 'p'}.\n"
    )


@pytest.mark.parametrize("found", [None, "empty", "filled"])
def test_a_folder_goes_only_if_the_installer_made_it_and_nothing_lies_in_it(tmp_path, found):
    folder = tmp_path / ".claude"
    if found == "empty":
        folder.mkdir()
    install(CLAUDE_CODE, project=tmp_path)
    install(CLAUDE_CODE, project=tmp_path)
    if found == "filled":
        (folder / "agents").mkdir()
    uninstall(CLAUDE_CODE, project=tmp_path)
    assert folder.exists() == (found is not None)
    assert not (folder / "settings.local.json").exists()


@pytest.mark.parametrize(("project", "way"), [(True, "`ladder uninstall --project`"), (False, "`ladder uninstall`")])
def test_an_installation_says_how_it_is_undone(tmp_path, monkeypatch, capsys, project, way):
    from ladder.cli.install import _install

    monkeypatch.chdir(tmp_path)
    _install(project=project, dry_run=True)
    assert f"\n{way} takes all of it away again.\n" in capsys.readouterr().out
    _install(project=project)
    assert capsys.readouterr().out.endswith(f"\n{way} takes it out again.\n")


def test_what_changed_since_is_kept_on_uninstall():
    settings = user_settings()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"a": 1}', encoding="utf-8")
    install(CLAUDE_CODE)
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('"a": 1', '"a": 2'), encoding="utf-8")
    uninstall(CLAUDE_CODE)
    assert settings.read_text(encoding="utf-8") == '{"a": 2}'


def test_r66_an_unparsable_file_is_refused_with_its_line_and_left_alone():
    settings = user_settings()
    settings.parent.mkdir(parents=True, exist_ok=True)
    for broken in (b'{\n  "a": 1\n  "b": 2\n}', b'{"a": "\xff"}', b"\xff\xfe{\0}\0"):
        settings.write_bytes(broken)
        for act in (install, uninstall):
            with pytest.raises(InstallError, match=r"settings\.json, line \d: .*nothing was changed"):
                act(CLAUDE_CODE)
        assert settings.read_bytes() == broken
    assert not bundle_path().exists()


def test_a_dry_run_writes_nothing():
    change = install(CLAUDE_CODE, dry_run=True)
    assert change.changed
    assert "import ladder_hook" in change.text
    assert not user_settings().exists()
    assert not bundle_path().exists()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_linked_settings_stay_a_link(tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n", encoding="utf-8")
    user_settings().parent.mkdir(parents=True, exist_ok=True)
    user_settings().symlink_to(real)
    install(CLAUDE_CODE)
    assert user_settings().is_symlink()
    assert "import ladder_hook" in real.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_that_led_nowhere_leads_nowhere_again(tmp_path):
    user_settings().parent.mkdir(parents=True, exist_ok=True)
    user_settings().symlink_to(tmp_path / "dotfiles.json")
    install(CLAUDE_CODE)
    assert (tmp_path / "dotfiles.json").is_file()
    uninstall(CLAUDE_CODE)
    assert user_settings().is_symlink()
    assert not (tmp_path / "dotfiles.json").exists()


@pytest.mark.parametrize("readonly", ["settings.json", "."])
def test_read_only_settings_are_refused_and_nothing_is_left(monkeypatch, readonly):
    settings = user_settings()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("{}", encoding="utf-8")
    real = Path(os.path.realpath(settings.parent / readonly))
    monkeypatch.setattr(installing.os, "access", lambda path, mode: Path(path) != real)
    with pytest.raises(InstallError, match="is read-only; nothing was changed"):
        install(CLAUDE_CODE)
    assert settings.read_text(encoding="utf-8") == "{}"
    assert not bundle_path().exists()
    assert install(CLAUDE_CODE, dry_run=True).changed


def test_an_installation_that_breaks_off_leaves_nothing(monkeypatch):
    def full(path, data, like):
        raise InstallError(f"{path} cannot be written: the disk is full")

    monkeypatch.setattr(installing, "_replace", full)
    with pytest.raises(InstallError):
        install(CLAUDE_CODE)
    assert not bundle_path().exists()
    assert remembered() == []


@pytest.mark.parametrize("what", ["folder", "pipe"])
def test_what_is_no_file_is_refused_at_once(what):
    user_settings().parent.mkdir(parents=True, exist_ok=True)
    if what == "folder":
        user_settings().mkdir()
    elif not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    else:
        os.mkfifo(user_settings())
    for act in (install, uninstall):
        with pytest.raises(InstallError, match="is no file"):
            act(CLAUDE_CODE)


def test_the_backup_is_of_the_settings_before_the_last_installation():
    settings = user_settings()
    settings.parent.mkdir(parents=True, exist_ok=True)
    kept = settings.with_name("settings.json.before-ladder")
    settings.write_text('{"a": 1}', encoding="utf-8")
    install(CLAUDE_CODE)
    settings.write_text(settings.read_text(encoding="utf-8").replace('"a": 1', '"a": 2'), encoding="utf-8")
    uninstall(CLAUDE_CODE)
    assert not kept.exists(), "the settings have moved on, and nothing of ours stays"
    install(CLAUDE_CODE)
    assert kept.read_text(encoding="utf-8") == '{"a": 2}'
    uninstall(CLAUDE_CODE)
    assert settings.read_text(encoding="utf-8") == '{"a": 2}'
    assert not kept.exists()


def test_a_project_whose_settings_git_would_show_is_told(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    command = [sys.executable, "-m", "ladder", "install", "--project"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, text=True)
    assert "git would show it" in done.stderr
    (tmp_path / ".gitignore").write_text("settings.local.json\n", encoding="utf-8")
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, text=True)
    # Tests may run from an environment in a temporary folder, which is told too; git is not spoken of any more.
    assert "git" not in done.stderr


def test_a_projects_settings_are_the_ones_that_are_not_shared(tmp_path):
    install(CLAUDE_CODE, project=tmp_path)
    assert settings_path(CLAUDE_CODE, tmp_path) == tmp_path / ".claude" / "settings.local.json"
    install(CLAUDE_CODE)
    uninstall(CLAUDE_CODE, project=tmp_path)
    assert bundle_path().exists(), "the user's settings still name it"
    uninstall(CLAUDE_CODE)
    assert not bundle_path().parent.exists()


def test_an_older_client_gets_a_quoted_command(tmp_path, monkeypatch):
    monkeypatch.setattr(installing, "client_version", lambda program: (2, 1, 100))
    change = install(CLAUDE_CODE)
    assert any("through a shell" in line for line in change.warnings)
    entry = json.loads(user_settings().read_text(encoding="utf-8"))["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    assert "args" not in entry
    if os.name != "nt":
        done = subprocess.run(["sh", "-c", entry["command"]], input=b"[]", capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"")
        assert b"not a JSON object" in done.stderr
    with pytest.raises(NoHandlerError, match="too old; update it"):
        handler(CLAUDE_CODE, Path("/a$b/python"), tmp_path, exec_form=False)


def test_an_upgrade_renews_the_bundle_at_the_next_command(monkeypatch, tmp_path):
    assert not renew(), "nothing is installed"
    install(CLAUDE_CODE)
    assert not is_behind()
    mark = bundle_mark(bundle_path())
    bundle_path().write_bytes(bundle_path().read_bytes().replace(b"ladder-bundle 2 ", b"ladder-bundle 2 0", 1))
    record = json.loads(record_path().read_text(encoding="utf-8"))
    record["sources"]["ladder.hook.main"][0] += 1
    record_path().write_text(json.dumps(record), encoding="utf-8")
    assert is_behind()
    assert renew()
    assert bundle_mark(bundle_path()) == mark
    assert len(remembered()) == 1
    start_path().unlink()
    assert renew()
    assert start_path().is_file()
    bundle_path().unlink()
    done = subprocess.run([sys.executable, "-m", "ladder", "--help"], capture_output=True, check=False)
    assert done.returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "ladder", "uninstall", "--dry-run", "--json"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert bundle_mark(bundle_path()) == mark


def test_a_temporary_environment_is_recognised(monkeypatch):
    for prefix, kind in (
        ("/home/u/.cache/uv/archive-v0/abc", "uvx"),
        ("/home/u/.local/pipx/.cache/1234", "pipx run"),
        ("/c/Users/u/AppData/Local/uv/cache/archive-v0/abc", "uvx"),
        ("/home/u/.local/share/uv/tools/ladder-notes", ""),
        ("/home/u/.local/pipx/venvs/ladder-notes", ""),
    ):
        monkeypatch.setattr(sys, "prefix", prefix)
        assert temporary_environment() == kind


def test_the_hook_needs_nothing_but_c_modules():
    allowed = {
        "_blake2",
        "binascii",
        "math",
        "_sha1",
        "_collections",
        "_imp",
        "_json",
        "_signal",
        "_thread",
        "_winapi",
        "itertools",
        "marshal",
        "os",
        "sys",
        "time",
    }
    allowed |= {"unicodedata", "zlib", "posix", "nt"}
    fallbacks = {"json.decoder", "json.encoder"}  # where there is no _json
    assert foreign_modules(bundled_modules()) <= allowed | fallbacks


def test_the_command_line_installs_and_removes(tmp_path):
    def ladder(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "ladder", *arguments], capture_output=True, check=False, cwd=tmp_path, text=True
        )

    shown = ladder("install", "claude-code", "--dry-run")
    assert shown.returncode == 0
    told, diff = shown.stdout.split(f"\n--- {user_settings()}\n")
    for path in (user_settings(), start_path(), record_path()):
        assert f"\n  {path}\n" in told
    assert "import ladder_hook\\nexcept" in diff
    assert "exec(" not in diff
    assert not user_settings().exists()
    assert ladder("install", "nobody").returncode == 2
    done = ladder("install")
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, str(user_settings()))
    again = ladder("install")
    assert (again.returncode, "already" in again.stdout) == (0, True)
    would = ladder("uninstall", "--dry-run")
    assert "import ladder_hook" in would.stdout
    assert user_settings().exists()
    assert json.loads(ladder("uninstall", "--json").stdout)["changed"] is True
    assert not user_settings().exists()
    assert "is not in" in ladder("uninstall").stdout


def test_init_and_install_build_the_index(tmp_path):
    from ladder.lean.paths import index_file

    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nzebra\n", encoding="utf-8")
    for command in ("install", "init"):
        done = subprocess.run([sys.executable, "-m", "ladder", command], capture_output=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert Path(index_file(str(tmp_path))).is_file(), command
        Path(index_file(str(tmp_path))).unlink()


def test_without_a_terminal_no_rule_is_written_unless_asked_for(tmp_path):
    def allowed(*arguments):
        command = [sys.executable, "-m", "ladder", "install", *arguments]
        done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, text=True)
        return json.loads(user_settings().read_text(encoding="utf-8")).get("permissions"), done.stdout

    assert "Bash(ladder suggest:*)" in install(CLAUDE_CODE, dry_run=True, allow=True).text
    rules, said = allowed()
    assert rules is None
    assert "`ladder install --allow` lets it" in said
    assert allowed("--allow")[0] == {"allow": list(RULES)}
