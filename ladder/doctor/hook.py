"""What `ladder doctor` looks at of the installed hook: the settings that name it, its files, a run of each event."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ladder.client.clients import CLIENTS
from ladder.client.contract import CLAUDE_CODE, Client, Event
from ladder.client.judge import run_handler
from ladder.doctor.clients import of_client
from ladder.doctor.finding import Finding, fine, wrong
from ladder.hook.bundle.build import bundle_mark, stamp
from ladder.hook.shown import notes_in_blocks
from ladder.hook.stats import TRIAL, events_of
from ladder.index.format import IndexBroken
from ladder.install.install import settings_path
from ladder.install.jsonc import SettingsError, json_view, refused_by_json
from ladder.install.plugin_file import is_plugin, plugin_command
from ladder.install.record import bundle_path, project_of, remembered, start_path
from ladder.install.settings_edit import present_hooks
from ladder.lean.paths import index_file, state_folder


def installed(root: Path) -> list[Finding]:
    """Look at the settings that name the hook for the project at `root`, and at the bundle."""
    entries = _heeded(root)
    if plugin := _plugin(root):
        if entries:
            both = f"plugin and installed hook are both there; the installed one answers. {plugin} turns the plugin on"
            return [fine(both, "keep one of them"), *_installed(entries)]
        if shutil.which("ladder") is None:
            what = "the plugin's hook is mute: `ladder` is not on PATH"
            return [wrong(what, "uv tool update-shell, or pipx ensurepath")]
        return [fine(f"the plugin brings the hook: {plugin} turns it on")]
    if not entries:
        named = [entry for entry in remembered() if handlers_of(Path(entry["settings"]))]
        return [
            wrong(f"the hook is not installed{' for this project' if named else ''}", "ladder install claude-code"),
            *(fine(f"it is installed for {_whose(entry)}") for entry in named),
        ]
    return _installed(entries)


def _installed(entries: list[dict[str, str]]) -> list[Finding]:
    found = []
    for entry in entries:
        settings = Path(entry["settings"])
        if trouble := _unreadable(settings, comments=CLIENTS.get(entry["client"], CLAUDE_CODE).comments):
            found.append(wrong(trouble, "mend it; the client cannot read it either"))
            continue
        handlers = handlers_of(settings)
        if not handlers:
            found.append(wrong(f"{settings} does not name the hook any more", _again(entry)))
            continue
        if any("hook.bundle" in str(handler) for _, handler in handlers):
            found.append(wrong(f"{settings} names the hook as a former version did: it is mute", _again(entry)))
        view = settings_of(settings)
        events = [event for event, _ in handlers]
        if twice := [event for event in dict.fromkeys(events) if events.count(event) > 1]:
            found.append(wrong(f"{settings} names the hook more than once for {', '.join(twice)}", _again(entry)))
        if view.get("disableAllHooks") is True:
            found.append(wrong(f"{settings} turns all hooks off (disableAllHooks)", "remove that key"))
        found.append(fine(f"{settings} names the hook for {len(set(events))} events"))
        found += of_client(entry, events)
    found += _elsewhere(entries)
    mark = bundle_mark(bundle_path())
    if mark is None:
        found.append(wrong(f"{bundle_path()} is missing or damaged", "ladder install claude-code"))
    elif mark[1] != stamp():
        found.append(wrong(f"{bundle_path()} is of ladder {mark[0]}, not of this one", "ladder install claude-code"))
    elif not mark[2]:
        found.append(
            wrong(
                f"{bundle_path()} is damaged or of another Python: the hook runs from its source, slower",
                "ladder install claude-code",
            )
        )
    if os.environ.get("LADDER_OFF", "") not in ("", "0"):
        found.append(wrong("LADDER_OFF silences the hook", "unset LADDER_OFF"))
    return found


def _elsewhere(entries: list[dict[str, str]]) -> list[Finding]:
    """Say whether a session that is started in the working folder heeds none of the settings that name the hook."""
    here = Path(os.path.abspath(os.curdir))  # noqa: PTH100 (links stay as the user named them)
    homes = [home for entry in entries if (home := project_of(entry)) and entry["client"] == CLAUDE_CODE.name]
    # Of Claude Code, a project's settings are read from the working folder alone.
    if len(homes) < len(entries) or not any(Path(_real(home)) in Path(_real(here)).parents for home in homes):
        return []
    what = f"sessions started in {here} run no hook and no guard: the client heeds that folder's own settings alone"
    return [wrong(what, f"start them in {homes[0]}, or ladder install for all projects")]


def _plugin(root: Path) -> Path | None:
    """Return the settings that turn the plugin on in the project at `root`, None for none."""
    user = settings_path(CLAUDE_CODE, None)
    shared = root / CLAUDE_CODE.folder / "settings.json"
    for settings in (user, shared, settings_path(CLAUDE_CODE, root)):
        enabled = settings_of(settings).get("enabledPlugins")
        if isinstance(enabled, dict) and any(on is True and name.startswith("ladder@") for name, on in enabled.items()):
            return settings
    return None


def end_to_end(root: Path) -> list[Finding]:
    """Run the installed hook as the client would, with a session that begins, a message, and rubbish."""
    found = []
    asked = _note_in(root)
    for number, entry in enumerate(_heeded(root)):
        client = CLIENTS.get(entry["client"], CLAUDE_CODE)
        handlers = handlers_of(Path(entry["settings"]))
        if handlers and (why := _asleep(handlers[0][1])):
            found.append(wrong(f"the hook in {entry['settings']} does not wake up: {why}", _again(entry)))
            continue
        for event, handler in handlers:
            given = _trial(client, event, root, _question(asked))
            given["session_id"] = f"{TRIAL}-{os.getpid()}-{number}"  # each note is named once a session
            answer = run_handler(_timed(handler, client), given, client=client, cwd=str(root))
            whose = "" if client is CLAUDE_CODE else f"{client.title}, "
            said = f"{whose}{event}: {answer.seconds * 1000:.0f} ms, {len(answer.text)} characters"
            found += [wrong(f"{whose}{event}: {fault}", _again(entry)) for fault in answer.faults]
            if not answer.faults:
                means = _event_of(client, event).means
                found.append(_told(said, answer.text, asked) if means == "UserPromptSubmit" and asked else fine(said))
    for trace in Path(state_folder(), "sessions").glob(f"{TRIAL}-{os.getpid()}*"):
        trace.unlink(missing_ok=True)
    return found


def _heeded(root: Path) -> list[dict[str, str]]:
    """Return the installations that a client heeds in the project at `root`: the user's own, and the project's."""
    return [
        entry
        for entry in remembered()
        for client in [CLIENTS.get(entry["client"], CLAUDE_CODE)]
        if _real(entry["settings"]) in (_real(settings_path(client, None)), _real(settings_path(client, root)))
    ]


def _real(path: str | Path) -> str:
    return os.path.normcase(os.path.realpath(path))


def _whose(entry: dict[str, str]) -> Path:
    """Return what an installation is for: the project, when it is one project's; else the file itself."""
    return project_of(entry) or Path(entry["settings"])


def _again(entry: dict[str, str]) -> str:
    """Return the command that renews an installation."""
    project = f" --project, in {home}" if (home := project_of(entry)) else ""
    return f"ladder install {entry['client']}{project}"


def handlers_of(settings: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return (event, handler) of each handler of ours that settings, or a plugin of ours, start."""
    try:
        text = settings.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return []
    if is_plugin(text):
        words = plugin_command(text)
        client = CLIENTS.get(words[-1], CLAUDE_CODE) if words else CLAUDE_CODE
        return [(event.name, {"command": words[0], "args": words[1:]}) for event in client.events if words]
    return [(event, handler) for event, _, handler in present_hooks(settings_of(settings))]


def _event_of(client: Client, name: str) -> Event:
    return next((event for event in client.events if event.name == name), Event(name, "", 5, ()))


def _timed(handler: dict[str, Any], client: Client) -> dict[str, Any]:
    """Return a handler with its time-out in seconds."""
    return handler | {"timeout": handler["timeout"] / client.second} if "timeout" in handler else handler


def _trial(client: Client, event: str, root: Path, question: str) -> dict[str, object]:
    """Return an event as `client` sends it, of a file tool that reads what is not there."""
    reading = next((name for name, (means, _) in client.tools.items() if means == "Read"), "Read")
    field = client.tools.get(reading, ("", {}))[1].get("file_path", "file_path")
    tool = ("Bash", {"command": "true"}) if client.tools and reading == "Read" else (reading, {field: str(root / "no")})
    return {
        "transcript_path": "",
        "cwd": str(root),
        "hook_event_name": event,
        "source": "startup",
        "prompt": question,
        "tool_name": tool[0],
        "tool_input": tool[1],
        "reason": "other",
    }


def _asleep(handler: dict[str, Any]) -> str:
    """Return why a handler does not reach the hook's code, "" when it does: it then says on stderr what is no event.

    What the settings hold ends in silence when it does not, as it must: this looks like a hook with nothing to say.
    """
    command = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
    awake = {name: value for name, value in os.environ.items() if name != "LADDER_OFF"}
    try:
        done = subprocess.run(
            command, input=b"[]", capture_output=True, timeout=10, check=False, shell="args" not in handler, env=awake
        )
    except OSError as error:
        return f"{handler['command']} does not start: {error.strerror}"
    except subprocess.TimeoutExpired:
        return "it does not end"
    if b"not a JSON object" in done.stderr:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"it says {said[:200]!r}" if said else f"{start_path()} is missing or damaged"


def _note_in(root: Path) -> str:
    """Return the name of a note of the project, one in the middle; "" when there is none."""
    from ladder.index.reader import open_index  # noqa: PLC0415 (only when there is a hook to run)

    try:
        with open_index(index_file(str(root))) as index:
            return index.note(index.count // 2).name if index.count else ""
    except (IndexBroken, OSError):
        return ""


def _question(note: str) -> str:
    """Return a message that names `note` outright: the hook speaks at it, unless the settings keep it from that."""
    return f"look at [[{note}]]" if note else "hello"


def _told(said: str, text: str, note: str) -> Finding:
    """Return which notes the hook named when it was asked for `note`."""
    if named := notes_in_blocks([text]):
        return fine(f'{said}; at "{_question(note)}" it named {", ".join(named)}')
    return fine(f'{said}: silent at "{_question(note)}"', f'ladder suggest --why "{_question(note)}" says why')


def errors(root: Path) -> list[Finding]:
    """Look at what went wrong in the hook lately."""
    failed = [event for event in events_of(root, days=7) if event.wrong]
    if not failed:
        return [fine("the hook had no errors in seven days")]
    return [
        wrong(
            f"the hook had {len(failed)} errors in seven days, the last: {failed[-1].wrong}",
            "ladder index --rebuild",
        )
    ]


def _unreadable(path: Path, *, comments: bool) -> str:
    """Return why a settings file cannot be read, "" when it can, or is not there."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if is_plugin(text):
            return "" if plugin_command(text) else f"{path} is damaged"
        json_view(text)
        if not comments and (trouble := refused_by_json(text)):
            return f"{path}, {trouble}"
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        return f"{path} is not UTF-8"
    except SettingsError as error:
        return f"{path}, {error}"
    return ""


def settings_of(path: Path) -> dict[str, Any]:
    """Return a client's settings, empty where there are none or they cannot be read."""
    try:
        view = json_view(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, SettingsError):
        return {}
    return view if isinstance(view, dict) else {}
