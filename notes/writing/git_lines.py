"""The lines of ledgers that git has ever held: what a merge by hand, a revert or a dropped side took out of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from notes import git
from notes.markdown.model import Note
from notes.writing.changes import changes
from notes.writing.ledger import Ledger, plain_text, read_ledger
from notes.writing.record import chain

_LONGEST = 20_000  # characters of names on a command line


def ever_committed(root: Path, names: Iterable[str], *, everywhere: bool = False) -> dict[str, list[bytes]]:
    """All lines that a commit before this one has added to the files `names`, relative to `root`, oldest commit first.

    `everywhere` also looks at other branches. Empty without git, or when git takes longer than 30 s.
    """
    names = list(names)
    if not names:
        return {}
    command = ["log", *(["--all"] if everywhere else [])]
    command += ["--full-history", "-m", "--reverse", "-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv"]
    command += ["--no-renames", "--text", "--relative", "--src-prefix=a/", "--dst-prefix=b/", "--format=", "--"]
    many = sum(map(len, names)) > _LONGEST  # a command line ends somewhere; then all ledgers of the folder
    asked = sorted({name.partition("/")[0] for name in names}) if many else names
    log = git.output(*command, *(f":(literal){name}" for name in asked), folder=root, patience=git.HISTORY_PATIENCE)
    found: dict[str, dict[bytes, None]] = {}
    lines: dict[bytes, None] = {}
    for line in (log or b"").split(b"\n"):
        if line.startswith(b"+++ b/"):
            name = line[6:].removesuffix(b"\t").decode("utf-8", "surrogateescape")
            lines = found.setdefault(name, {})
        elif line.startswith(b"+{"):
            lines[line[1:].removesuffix(b"\r")] = None
    return {name: list(found[name]) for name in names if name in found}


class Lost(NamedTuple):
    """What a ledger lacks of what git has held of it."""

    lines: tuple[bytes, ...]
    """Good lines that are not there and that nobody took as gone, oldest first."""
    ledger: Ledger
    """The ledger with them."""
    heads: tuple[str, ...]
    """Former heads that only they hold."""
    entries: int
    """How many entries only they hold that the note lacks."""
    vouched: tuple[str, ...]
    """Hashes of lines that others follow, that are not there, and that another branch holds."""


def lost(root: Path, name: str, raw: bytes, committed: list[bytes], note: Note) -> Lost | None:
    """Hold the ledger `raw`, at `name` in `root`, against the lines that were `committed`; None when all is there.

    A line that only names what others hold as well is no loss: lines whose entries stand in the note and whose head is
    known are not told.
    """
    ledger = read_ledger(raw)
    there = {line.removesuffix(b"\r") for line in raw.split(b"\n")}
    settled = {key for record in ledger.records for key in record.settled}
    lines = [line for line in committed if line not in there and chain(line) not in settled]
    if not lines and not ledger.dangling:
        return None
    whole = read_ledger(b"".join(r.line + b"\n" for r in ledger.records) + b"".join(line + b"\n" for line in lines))
    vouched: tuple[str, ...] = ()
    if whole.dangling:
        elsewhere = {chain(line) for line in ever_committed(root, [name], everywhere=True).get(name, ())}
        vouched = tuple(key for key in whole.dangling if key in elsewhere)
        whole = read_ledger(b"".join(r.line + b"\n" for r in whole.records), frozenset(vouched))
    keys = {chain(line) for line in lines}
    heads = {r.head for r in ledger.records} | {plain_text(note.text(note.head)), ""}
    gone = tuple(dict.fromkeys(r.head for r in whole.records if r.key in keys and r.head not in heads))
    entries = max(0, len(changes(whole, note)) - len(changes(ledger, note)))
    if not gone and not entries:
        lines = []
        whole = read_ledger(raw, frozenset({*ledger.dangling} & {*keys, *vouched}))
        vouched = tuple(key for key in ledger.dangling if key in keys or key in vouched)
    return Lost(tuple(lines), whole, gone, entries, vouched)
