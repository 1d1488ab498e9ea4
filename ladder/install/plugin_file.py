"""The plugin of OpenCode, which has no hooks in its settings: a file of ours that calls the hook at each event."""

import json
from pathlib import Path

from ladder.client.contract import Client
from ladder.install.handlers import command_words
from ladder.install.jsonc import SettingsError

#: The file's first line: who reads the folder sees what it is, and the installer knows its own.
MARK = "// ladder's hook, written by `ladder install`; `ladder uninstall` removes it. Changes made here are lost."
_COMMAND = "const COMMAND = "


def plugin_text(client: Client, python: Path, folder: Path, present: str) -> str:
    """Return the plugin's text. Raises SettingsError when the file that is there is somebody else's."""
    if present.strip() and not is_plugin(present):
        raise SettingsError("line 1: another plugin has this name")
    source = Path(__file__).with_name("opencode.js").read_text(encoding="utf-8")
    line = _COMMAND + json.dumps(command_words(client, python, folder), ensure_ascii=True)
    return f"{MARK}\n{source.replace(_COMMAND + '[]', line)}"


def is_plugin(text: str) -> bool:
    """Say whether a plugin's text is ours."""
    return text.startswith(MARK)


def plugin_command(text: str) -> list[str]:
    """Return the command that a plugin of ours starts at each event; nothing when it holds none."""
    line = next((each for each in text.split("\n") if each.startswith(_COMMAND)), "")
    try:
        found = json.loads(line.removeprefix(_COMMAND))
    except ValueError:
        return []
    return [word for word in found if isinstance(word, str)] if isinstance(found, list) else []
