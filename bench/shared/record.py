"""What one person hands to the owner of the notes: a pair without words, its terms and lines hashed with a team's key.

A hash is HMAC-SHA256 of the text under the key, 16 hex digits. Whoever has the key can try words; nobody else can.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.questions import note_name
from ladder.text.tokenizer import terms
from notes.atomic import write_private_lines
from notes.private import without_private
from transcripts import Pair, redact

FORM = 1
#: The moments whose finding is handed over: what the message alone finds, and with the conversation before it.
MOMENTS = ("message", "turn")
_KEY_BYTES = 32


class SharedError(ValueError):
    """A key or a file that cannot be used; one line that says why."""


class Line(NamedTuple):
    """A line of the note that answered."""

    hash: str
    zone: str
    """head, body, history; empty when it is gone."""
    state: str
    """alive, moved or gone, when it was mined."""


class Shared(NamedTuple):
    """A pair as it is handed over."""

    who: str
    """Hash of the person's own random mark: the same in all their records."""
    session: str
    """Hash of the session's id."""
    day: str
    """ISO."""
    note: str
    """The note's name."""
    tokens: int
    """What reading it whole costs today."""
    terms: tuple[str, ...]
    """Hashes of the message's terms, sorted: neither their order nor their number of times."""
    found: dict[str, int]
    """By moment, at which place `suggest` named the note among five; 0 when it did not."""
    lines: tuple[Line, ...]
    how: str
    """The tool by which the agent read it first."""
    level: str


class Kept(NamedTuple):
    """The records of a person, and what was left out."""

    records: tuple[Shared, ...]
    clear: tuple[tuple[str, tuple[str, ...]], ...]
    """Of each record the message's terms and the lines in clear, for the person's own eyes."""
    foreign: int
    """Pairs of notes that are not the project's today."""
    private: int
    """Pairs of whose lines all stand in `<private>`."""


def key_in(path: Path, *, make: bool) -> bytes:
    """The team's key in a file of 64 hex digits; with `make` a new one is written where there is none.

    Raises:
        SharedError: there is none, or it is none.
    """
    if make and not path.exists():
        write_private_lines(path, [secrets.token_hex(_KEY_BYTES).encode()])
    try:
        key = bytes.fromhex(path.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        raise SharedError(f"{path}: no key of a team; `ladder share` makes one, or get it from a colleague") from error
    if len(key) != _KEY_BYTES:
        raise SharedError(f"{path}: a key has 64 hex digits")
    return key


def hashed(key: bytes, kind: str, text: str) -> str:
    """The hash of a text of one kind (term, line, session, who) under the key."""
    return hmac.new(key, f"{kind}\0{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]


def kept(
    pairs: Iterable[Pair],
    key: bytes,
    who: str,
    notes: Mapping[str, tuple[bytes, int]],
    place: Callable[[Mapping[str, Any], str], int],
) -> Kept:
    """The records of mined pairs.

    `notes` has each note of the project by name, its bytes and its tokens; `place` says at which place of five a
    note is suggested in a context.
    """
    records, clear, foreign, private = [], [], 0, 0
    for pair in pairs:
        name = note_name(pair.note)
        if name not in notes or pair.by != "agent":
            foreign += 1
            continue
        data, tokens = notes[name]
        text, open_text = (d.decode("utf-8", "replace") for d in (data, without_private(data)))
        lines = [line for line in pair.lines if line.text not in text or line.text in open_text]
        if not lines:
            private += 1
            continue
        words = tuple(sorted({term for term in terms(redact(pair.question)) if "redacted" not in term}))
        records.append(
            Shared(
                hashed(key, "who", who), hashed(key, "session", pair.session), pair.time[:10], redact(name), tokens,
                tuple(sorted(hashed(key, "term", word) for word in words)),
                {moment: place(pair.contexts[moment], name) for moment in MOMENTS if moment in pair.contexts},
                tuple(Line(hashed(key, "line", line.text), line.zone, line.state) for line in lines),
                pair.how, pair.level,
            )
        )  # fmt: skip
        clear.append((" ".join(words), tuple(line.text for line in lines)))
    return Kept(tuple(records), tuple(clear), foreign, private)


def write_shared(records: Iterable[Shared], folder: Path, who: str) -> Path:
    """Write the records as JSON, one a line, into the person's own file of the folder; what it held is replaced."""
    path = folder / f"{who}.jsonl"
    write_private_lines(
        path,
        (orjson.dumps({"v": FORM, **r._asdict(), "lines": [line._asdict() for line in r.lines]}) for r in records),
    )
    return path


def read_shared(folder: Path) -> list[Shared]:
    """The records of all files in the folder.

    Raises:
        SharedError: a file is none of `write_shared`'s, or of a newer ladder.
    """
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
            if not raw.strip():
                continue
            try:
                value = orjson.loads(raw)
                newer = value.pop("v") > FORM
                lines = tuple(Line(**line) for line in value.pop("lines"))
                record = Shared(**{**value, "terms": tuple(value["terms"])}, lines=lines)
            except (ValueError, KeyError, TypeError, AttributeError):
                raise SharedError(f"{path}: line {number} is no record of `ladder share`") from None
            if newer:
                raise SharedError(f"{path}: written by a newer ladder; update it")
            found.append(record)
    return found
