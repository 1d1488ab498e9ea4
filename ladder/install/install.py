"""Puts the hook into a client's settings and takes it out again.

Three things are written: the hook's code (`ladder.hook.bundle.build`) and a record of what was installed, both in the
user's data folder, and one entry for each event in the client's settings. The settings are removed before the files, so
that at no moment an entry points to nothing; and if one does, what stands in it ends with exit code 0.
"""

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ladder.client.contract import CLAUDE_CODE, Client
from ladder.hook.bundle.build import remove_hook, write_hook
from ladder.install.allow_rules import add_rules, missing_rules, remove_rules
from ladder.install.handlers import NoHandlerError, wanted_hooks
from ladder.install.interpreter import base_interpreter, client_version, interpreter_trouble, temporary_environment
from ladder.install.jsonc import SettingsError, json_view, refused_by_json
from ladder.install.plugin_file import is_plugin, plugin_text
from ladder.install.record import hook_folder, record_path, remembered, start_path, write_record
from ladder.install.settings_edit import BLANK, add_hooks, present_hooks, remove_hooks
from notes.atomic import replacing


class InstallError(Exception):
    """The hook cannot be installed or removed; the message names the file and what to do."""


class IgnoredError(InstallError):
    """The settings can be edited, but the client would not read them."""


class Change(NamedTuple):
    """What an installation did, or would do."""

    settings: Path
    """The settings file, as the user names it."""
    changed: bool
    """Whether its text changes."""
    before: str
    """Its text before, without a byte order mark; "" when there was none."""
    text: str
    """Its text afterwards."""
    python: Path
    hook: Path
    """The file that the settings import."""
    backup: Path | None
    """Where the former text was kept; None when there was none or it had been kept before."""
    warnings: tuple[str, ...]
    rules: tuple[str, ...]
    """Allow rules for commands that read: those that an installation found missing, or that uninstalling takes."""
    allowed: bool
    """Whether `rules` are in the text afterwards."""


def settings_path(client: Client, project: Path | None) -> Path:
    """Return the file that names the hook: the user's own, or for a project the one that is shared least."""
    if project is not None:
        return project / client.project_settings
    configured = os.environ.get(client.config_env)
    return (Path(configured).expanduser() if configured else Path.home() / client.folder) / client.settings


def install(
    client: Client, *, project: Path | None = None, dry_run: bool = False, allow: bool = False, ignored: bool = False
) -> Change:
    """Install the hook for `client`; with `dry_run` only say what would change. Raises InstallError.

    `allow` adds rules that let the agent run the reading commands without asking. Settings that the client would ignore
    are edited only when `ignored` says so; else IgnoredError.
    """
    settings = settings_path(client, project)
    python = base_interpreter()
    if trouble := interpreter_trouble(python):
        raise InstallError(trouble)
    version = client_version(shutil.which(client.program) or client.program)
    exec_form = client.exec_since is not None and (version is None or version >= client.exec_since)
    before, bom = _read(settings)
    try:
        after = _with_hook(client, before, python, exec_form=exec_form)
        rules = missing_rules(before) if client is CLAUDE_CODE else []
        after = add_rules(after, rules) if allow and rules else after
    except (SettingsError, NoHandlerError) as error:
        raise InstallError(f"{settings}, {error}; nothing was changed") from None
    strict = not (client.plugin or client.comments) and before.strip(BLANK)
    if strict and (trouble := refused_by_json(before)) and not ignored:
        raise IgnoredError(f"{settings}, {trouble}; nothing was changed, mend it first")
    warnings = []
    if kind := temporary_environment():
        warnings.append(
            f"this ladder runs from {kind} and will be gone: the hook goes on working, but nobody will be there to "
            "renew the index, mine sessions or answer `ladder`; use `uv tool install .` in a checkout, or pipx",
        )
    if client.exec_since is not None and not exec_form:
        said = ".".join(map(str, version or ()))
        warnings.append(f"{client.program} {said} starts hooks through a shell, which is slower; a newer one does not")
    changed = after != before or not settings.exists()
    backup = _backup_path(settings)
    new = _without_hook(client, before) == before
    kept = backup if changed and settings.exists() and (new or not backup.exists()) else None
    if not dry_run:
        if changed:
            _writable(settings)
        # The files before the setting that names them.
        try:
            write_hook(hook_folder())
            _remember(client, settings, project, rules if allow else ())
        except OSError as error:
            raise InstallError(f"{hook_folder()} cannot be written: {error.strerror}; nothing was changed") from None
        try:
            if kept:
                _replace(kept, settings.read_bytes(), like=settings)
            if changed:
                _replace(settings, bom + after.encode("utf-8"), like=settings)
        except InstallError:
            if new:
                _forget(settings)
            raise
    start, told, allowed = start_path(), tuple(warnings), bool(allow and rules)
    return Change(settings, changed, before, after, python, start, kept, told, tuple(rules), allowed=allowed)


def uninstall(client: Client, *, project: Path | None = None, dry_run: bool = False) -> Change:
    """Take the hook out of the client's settings, then delete the files when nobody names them any more."""
    settings = settings_path(client, project)
    backup = _backup_path(settings)
    before, bom = _read(settings)
    rules = _allowed_by_us(settings)
    try:
        after = remove_rules(_without_hook(client, before), rules) if rules else _without_hook(client, before)
    except SettingsError as error:
        raise InstallError(f"{settings}, {error}; nothing was changed") from None
    if backup.is_file() and not client.plugin:
        # When nobody else has touched the settings since, they become again what they were, to the byte.
        try:
            kept, kept_bom = _read(backup)
            present = {event: group for event, group, _ in present_hooks(json_view(before))}
            if add_rules(add_hooks(kept, present), rules) == before and kept_bom == bom and remove_hooks(kept) == kept:
                after = kept
        except (InstallError, SettingsError):
            pass  # somebody has changed it: what was kept is of no use
    changed = after != before
    if not dry_run:
        if changed:
            _writable(settings)
            _replace(settings, bom + after.encode("utf-8"), like=settings)
        mine = changed or any(entry.get("settings") == str(settings) for entry in remembered())
        if backup.is_file() and mine:
            backup.unlink()
        elif changed and (client.plugin or (_was_created(settings) and json_view(after) == {})):
            Path(os.path.realpath(settings)).unlink()  # a link of the user's stays
            _remove_folders(settings)
        _forget(settings)
    python, start = base_interpreter(), start_path()
    return Change(settings, changed, before, after, python, start, None, (), tuple(rules), allowed=False)


def _allowed_by_us(settings: Path) -> list[str]:
    """Return the allow rules that the installer wrote into settings."""
    found = [entry.get("allowed", "") for entry in remembered() if entry.get("settings") == str(settings)]
    return [rule for rules in found for rule in rules.split("\n") if rule]


def _with_hook(client: Client, text: str, python: Path, *, exec_form: bool) -> str:
    """Return the settings' text with the hook. Raises SettingsError, NoHandlerError."""
    if client.plugin:
        return plugin_text(client, python, hook_folder(), text)
    return add_hooks(text, wanted_hooks(client, python, hook_folder(), exec_form=exec_form))


def _without_hook(client: Client, text: str) -> str:
    """Return the settings' text without the hook. Raises SettingsError."""
    if client.plugin:
        return "" if is_plugin(text) else text
    return remove_hooks(text)


def _remove_folders(settings: Path) -> None:
    """Remove the folders that were made for the settings, as far as nothing else lies in them by now."""
    made = next((entry.get("made", "") for entry in remembered() if entry.get("settings") == str(settings)), "")
    top = Path(made) if made else settings.parent if _was_created(settings, "folder") else None
    folder = settings.parent
    with contextlib.suppress(OSError):
        while top is not None and (folder == top or top in folder.parents):
            folder.rmdir()
            folder = folder.parent


def _remember(client: Client, settings: Path, project: Path | None, rules: Sequence[str]) -> None:
    entries = [entry for entry in remembered() if entry.get("settings") != str(settings)]
    new = {"client": client.name, "settings": str(settings)}
    new["created"] = "yes" if not settings.exists() or _was_created(settings) else "no"
    new["folder"] = "yes" if not os.path.lexists(settings.parent) or _was_created(settings, "folder") else "no"
    new["project"] = str(project or "")
    missing = [folder for folder in settings.parents if not os.path.lexists(folder)]
    before = next((entry.get("made", "") for entry in remembered() if entry.get("settings") == str(settings)), "")
    new["made"] = str(missing[-1]) if missing else before
    new["allowed"] = "\n".join(dict.fromkeys((*_allowed_by_us(settings), *rules)))
    write_record([*entries, new])


def _was_created(settings: Path, key: str = "created") -> bool:
    """Say whether there was no settings file (with `folder`: no folder for it) before the hook was installed."""
    return any(entry.get("settings") == str(settings) and entry.get(key) == "yes" for entry in remembered())


def _forget(settings: Path) -> None:
    """Strike the settings off the record; the hook's files go when no others are left."""
    others = [entry for entry in remembered() if entry.get("settings") != str(settings)]
    if others:
        write_record(others)
        return
    remove_hook(hook_folder())
    record_path().unlink(missing_ok=True)
    if hook_folder().is_dir() and not any(hook_folder().iterdir()):
        hook_folder().rmdir()


def _writable(settings: Path) -> None:
    """Refuse settings that are not the user's to write: a write in one step would get round it. Raises InstallError."""
    target = Path(os.path.realpath(settings))
    folder = next(above for above in target.parents if above.exists())
    for path in (target, folder):
        if path.exists() and not os.access(path, os.W_OK):
            where = f"{settings}: " if path != settings else ""
            raise InstallError(f"{where}{path} is read-only; nothing was changed. --dry-run shows what belongs in it")


def _read(path: Path) -> tuple[str, bytes]:
    """Return a settings file's text and its byte order mark; a missing file is empty. Raises InstallError."""
    try:
        if path.exists() and not path.is_file():
            raise InstallError(f"{path} is no file; nothing was changed")
        data = path.read_bytes()
    except FileNotFoundError:
        return "", b""
    except OSError as error:
        raise InstallError(f"{path} cannot be read: {error.strerror}; nothing was changed") from None
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    try:
        return data[len(bom) :].decode("utf-8"), bom
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InstallError(f"{path}, line {line}: not UTF-8; nothing was changed") from None


def _backup_path(settings: Path) -> Path:
    return settings.with_name(settings.name + ".before-ladder")


def _replace(path: Path, data: bytes, like: Path) -> None:
    """Write a file in one step; a link stays a link, and the mode of `like` is kept."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = like.stat().st_mode & 0o777 if like.exists() else 0o600
        with replacing(target, mode=mode) as file:
            file.write(data)
    except OSError as error:
        raise InstallError(f"{path} cannot be written: {error.strerror}; nothing was changed") from None
