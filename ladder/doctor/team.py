"""What `ladder doctor` looks at of git: whether notes of many people are merged entry by entry."""

import shlex
import shutil
from pathlib import Path

from ladder.doctor.finding import Finding, fine, wrong

_REMEDY = "ladder init --team"


def merging(root: Path) -> list[Finding]:
    """Look whether `.gitattributes` and this clone's settings agree, and whether what git would run exists."""
    from ladder.flows.merge_setup import state  # noqa: PLC0415 (as in the other checks)
    from notes import SettingsError, find_notes, load_settings  # noqa: PLC0415 (as above)

    try:
        inside = [Path(f.path) for f in find_notes(load_settings(root)) if root in Path(f.path).parents]
    except SettingsError:
        return []  # `settings` says it
    now = state(root, inside[0].relative_to(root).as_posix() if inside else "")
    if now is None or not (now.attributes or now.driver):
        return []  # no git, or one person's notes: git's own merge is as good
    if not now.driver:
        return [
            wrong("git does not know the merge driver that .gitattributes names, so it merges notes as text", _REMEDY)
        ]
    if not now.attributes:
        return [wrong("git knows `ladder merge`, but .gitattributes does not give it notes and ledgers", _REMEDY)]
    try:
        program = shlex.split(now.driver)[0]
    except (ValueError, IndexError):
        program = now.driver
    if shutil.which(program) is None and not Path(program).is_file():
        return [wrong(f"git would merge notes with {program}, which is not there", _REMEDY)]
    return [fine("git merges notes and ledgers with `ladder merge`")]
