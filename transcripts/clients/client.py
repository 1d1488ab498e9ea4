"""The seam between a client and the miner: what must be known of its logs, and nothing else."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from transcripts.logs.records import Record, Skipped
from transcripts.logs.sessions import Session


class UnreadableError(OSError):
    """A log that is there and cannot be read now: another program holds it, or it has a form that is not known."""


class Stamp(NamedTuple):
    """What a log is known by without being read."""

    size: int
    """Bytes."""
    mtime_ns: int
    inode: int
    """0 where there is none."""


class Reads(Protocol):
    """Reads one log."""

    def __call__(
        self, path: Path, *, start: int = 0, line: int = 1, skipped: list[Skipped] | None = None, agent: bool = False
    ) -> Iterator[Record]:
        """Yield the log's records in the one form, from byte `start` on, which begins line number `line`.

        `agent`: it is a sub-agent's, and only what that did itself is wanted. Raises `UnreadableError`.
        """


class Client(NamedTuple):
    """One client's logs."""

    name: str
    """As in `Session.client`."""
    title: str
    """What it is called."""
    folders: Callable[[], list[Path]]
    """Where its logs lie, whether there or not."""
    owns: Callable[[Path], bool]
    """Tells whether a file is one of its logs, by what stands in it."""
    sessions: Callable[[list[Path], list[Skipped]], list[Session]]
    """The sessions of files that it owns, by path; what cannot be read is appended to the second argument."""
    records: Reads
    working_folder: Callable[[Session, tuple[Path, ...]], str]
    """The folder that a session began in, "" when the log does not say; some say only of a folder given whether."""
    stamp: Callable[[Path], Stamp]
    """Raises `FileNotFoundError` for a log that is gone."""
    left_behind: Callable[[Path], frozenset[str]]
    """Keys (`words.short_key`) of the messages that were taken back, as far as `records` yields them."""
    goes_on: bool
    """Its logs are only ever appended to, so that reading can go on where it stopped."""


def stamp_of_file(path: Path) -> Stamp:
    """Return a file's stamp."""
    stat = path.stat()
    return Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ino)


def nothing_left_behind(path: Path) -> frozenset[str]:  # noqa: ARG001 (every client has this signature)
    """Return nothing: what was taken back is not among the records."""
    return frozenset()


def top_of(parents: dict[str, str], identity: str) -> str:
    """Return the first of the sessions that began one another down to this one, as far as they are in `parents`."""
    seen = {identity}
    while (above := parents.get(identity, "")) in parents and above not in seen:
        identity = above
        seen.add(above)
    return identity
