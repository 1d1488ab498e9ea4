"""What `ladder doctor` looks at of one client alone: whether it runs the hook that its settings name."""

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ladder.client.clients import CLIENTS
from ladder.client.contract import Client
from ladder.doctor.finding import Finding, fine, wrong
from ladder.install.jsonc import SettingsError, json_view
from ladder.install.record import project_of


def of_client(entry: dict[str, str], events: Sequence[str]) -> list[Finding]:
    """Look at what keeps a client from running the hook for `events`, and say what the guard cannot prevent there."""
    client = CLIENTS.get(entry["client"])
    if client is None:
        return []
    settings = Path(entry["settings"])
    found = []
    if client.name == "codex":
        found += _codex(client, settings, project_of(entry))
    elif client.name == "gemini":
        found += _gemini(client, settings, project_of(entry))
    if missing := [event.name for event in client.events if event.name not in events]:
        again = f"ladder install {client.name}"
        found.append(wrong(f"{settings} does not name the hook for {', '.join(missing)}", again))
    if client.unguarded:
        found.append(fine(f"{client.title}: the guard does not see {'; '.join(client.unguarded)}"))
    return found


def _codex(client: Client, settings: Path, project: Path | None) -> list[Finding]:
    """Look whether the hook was approved: Codex keeps that in its config.toml, by file, event and place."""
    from ladder.install.install import settings_path  # noqa: PLC0415 (it imports what imports this)

    config = settings_path(client, None).with_name("config.toml")
    try:
        known = tomllib.loads(config.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = {}
    except (OSError, ValueError) as error:
        return [wrong(f"{config} cannot be read: {error}", "mend it; Codex cannot read it either")]
    found = []
    features = known.get("features")
    if isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks")):
        found.append(wrong(f"{config} turns all hooks off (features.hooks)", "remove that key"))
    if project is not None and _of(known, "projects", str(project)).get("trust_level") != "trusted":
        what = f"Codex reads {settings} only when it trusts the folder {project}"
        found.append(wrong(what, "start `codex` there and trust it"))
    states = _of(known, "hooks", "state")
    ours = {key: value for key, value in states.items() if key.startswith(f"{settings}:") and isinstance(value, dict)}
    off = [key for key, value in ours.items() if value.get("enabled") is False]
    if off:
        what = f"Codex has ladder's hook turned off: {', '.join(off)}"
        found.append(wrong(what, "turn it on with /hooks in `codex`"))
    trusted = {key for key, value in ours.items() if value.get("trusted_hash")}
    if not trusted:
        found.append(wrong("Codex does not run the hook yet: it was not approved", client.approval))
    else:
        what = f"Codex has {len(trusted)} approved hooks in {settings}; changed ones it asks about in /hooks"
        found.append(fine(what))
    return found


def _of(known: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        value = known.get(key)
        known = value if isinstance(value, dict) else {}
    return known


def _gemini(client: Client, settings: Path, project: Path | None) -> list[Finding]:
    """Look whether Gemini CLI's switches turn hooks off, and whether it trusts the project whose settings these are."""
    from ladder.install.install import settings_path  # noqa: PLC0415 (as above)

    found = []
    own = settings_path(client, None)
    trusting = _of(_json(own), "security", "folderTrust").get("enabled") is False
    rules = Path(os.environ.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") or own.with_name("trustedFolders.json"))
    if project is not None and not (trusting or _trusted(_json(rules), project)):
        what = f"Gemini CLI runs the hooks of {settings} only when it trusts the folder {project}"
        found.append(wrong(what, "start `gemini` there and trust it with /permissions"))
    config = _of(_json(settings), "hooksConfig")
    disabled = config.get("disabled")
    if config.get("enabled") is False:
        found.append(wrong(f"{settings} turns all hooks off (hooksConfig.enabled)", "remove that key"))
    elif isinstance(disabled, list) and "ladder" in disabled:
        what = f"{settings} turns ladder's hook off (hooksConfig.disabled)"
        found.append(wrong(what, "/hooks enable ladder in `gemini`"))
    return found


def _trusted(rules: dict[str, Any], project: Path) -> bool:
    """Say whether Gemini CLI trusts a folder: of the rules that hold there the longest path decides, as it does it."""
    here = project.resolve()
    decided, said = -1, ""
    for rule, word in rules.items():
        holds = Path(rule).parent if word == "TRUST_PARENT" else Path(rule)
        if holds.resolve() in (here, *here.parents) and len(rule) > decided:
            decided, said = len(rule), word
    return said in ("TRUST_FOLDER", "TRUST_PARENT")


def _json(path: Path) -> dict[str, Any]:
    try:
        view = json_view(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, SettingsError):
        return {}
    return view if isinstance(view, dict) else {}
