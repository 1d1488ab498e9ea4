"""What `ladder install` and `ladder uninstall` say of what they write, did, and left."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.client.contract import CLAUDE_CODE, Client

if TYPE_CHECKING:
    from ladder.install.install import Change


def name_data() -> None:
    """Say what of ladder stays, and how it is removed."""
    from ladder.lean.paths import cache_folder, data_folder, state_folder

    rows = [
        (cache_folder(), "indexes, can be made again"),
        (data_folder(), "what was mined and learned from your sessions"),
        (state_folder(), "what the hook did"),
    ]
    there = [(folder, what) for folder, what in rows if Path(folder).is_dir()]
    if there:
        print("These stay; delete them to be rid of all that ladder kept:")
        for folder, what in there:
            print(f"  {folder}: {what}")
    print("The notes are yours, and so is .ladder/ beside them: the only copy of former heads and of the ledger.")


def name_others(settings: Path) -> None:
    """Say which other settings name the hook, and how to take it out of those."""
    from ladder.install.record import project_of, remembered

    for entry in remembered():
        other, home = Path(entry["settings"]), project_of(entry)
        if other != settings and other.is_file():
            where = f" in {home}" if home else ""
            print(f"It is in {other}: {way_out(entry['client'], home is not None)}{where}.")


def way_out(client: str, project: bool) -> str:
    """Return the command that takes the hook out of a client's settings."""
    name = "" if client == CLAUDE_CODE.name else f" {client}"
    return f"`ladder uninstall{name}{' --project' if project else ''}`"


def installed(client: Client, change: "Change", project: Path | None) -> None:
    """Say what was installed, and what has to be done before it works."""
    print(f"{change.settings}\nThe hook speaks from the next session on. `ladder doctor` tries it out.")
    if client.approval:
        print(f"{client.approval}.")
    print("Dated entries are guarded where a project has a ladder.toml (`ladder init`) or a ledger, nowhere else.")
    if change.rules and not change.allowed:
        print("The agent must ask before it runs `ladder suggest` and the like; `ladder install --allow` lets it.")
    if project and client is CLAUDE_CODE:
        print(f"The client heeds these settings in {project} alone, not in sessions started in folders below it.")
    print(f"{way_out(client.name, project is not None)} takes it out again.")


def announce(client: Client, change: "Change", project: Path | None) -> None:
    """Say in plain words what an installation writes, and where."""
    from ladder.install.record import record_path

    named = ", ".join(event.name for event in client.events)
    what = f"a plugin that calls the hook for {named}" if client.plugin else f"an entry each for {named}"
    rows = [(change.settings, what if client.plugin else f"{what}; all else in it stays as it is")]
    if change.rules:
        rules = ", ".join(change.rules)
        how = "so that the agent need not ask for what only reads; --no-allow leaves them out"
        rows.append((change.settings, f"{rules} in permissions.allow, where you want it (--allow): {how}"))
    if change.backup:
        rows.append((change.backup, "the settings as they are now"))
    rows += [
        (change.hook, f"what the settings import, run by {change.python}; beside it its source, and that compiled"),
        (record_path(), "which settings name the hook, for `ladder uninstall` and `ladder doctor`"),
    ]
    print("Without --dry-run, this is written, and nothing else:")
    for path, told in rows:
        print(f"  {path}\n      {told}")
    print(f"{way_out(client.name, project is not None)} takes all of it away again.")
    print("In the settings:\n")


def show_difference(change: "Change") -> None:
    """Print what changes in the settings' text."""
    old, new = change.before.split("\n"), change.text.split("\n")
    for line in difflib.unified_diff(old, new, str(change.settings), str(change.settings), lineterm=""):
        print(line.rstrip("\r"))


def as_dict(change: "Change") -> dict[str, object]:
    """Return what was done as JSON says it."""
    fields = change._asdict()
    del fields["text"], fields["before"]
    return {key: str(value) if isinstance(value, Path) else value for key, value in fields.items()}
