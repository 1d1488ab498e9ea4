"""Builds a project's index as soon as ladder is set up there: without it the first session is mute and unguarded."""

from pathlib import Path


def first_index(folder: Path) -> int | None:
    """Bring the index of the project that `folder` belongs to up to date; return how many notes it holds.

    None where it has none, or where its settings or the cache folder cannot be used: `ladder doctor` says why.
    """
    from ladder.indexing.update import update_index
    from notes import SettingsError, find_notes, load_settings, project_root

    try:
        settings = load_settings(project_root(folder))
        if not find_notes(settings):
            return None
        index, _ = update_index(settings)
    except (SettingsError, OSError):
        return None
    with index:
        return index.living
