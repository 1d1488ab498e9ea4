"""LifeBench as notes: a note a contact or app, its records the dated entries."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.public.as_notes.note_set import Line, NoteSet, NoteWriter, Question, one_line
from bench.public.set_files import ODD_ERRORS, LeftOut, each, found, moment, read_json, text

#: The kinds of record that questions cite.
KINDS = ("agent_chat", "calendar", "call", "note", "photo", "push", "sms")
#: Questions asked in even months are tuned on, those of odd months held: the notes are the same for both.
MONTHS = 2


#: Each person's questions, in the folder QA of the person's own.
FILES = ("QA_clean.json", "QA*.json")
#: Length of a month that is asked in, `2025-03`.
MONTH = 7


def people(place: Path) -> list[tuple[Path, Any]]:
    """Return every person's folder in `place`, or below it, with the person's questions as the file has them.

    Raises:
        FileNotFoundError: no such folder.
        ValueError: a person who is there twice, or questions that are not JSON.
    """
    held = [(path.parent.parent, path) for path in found(place, FILES) if (path.parent.parent / "phone_data").is_dir()]
    if not held:
        raise FileNotFoundError(f"{place}: holds no person's folder with phone_data and QA/QA_clean.json")
    names = [person.name for person, _ in held]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"{place}: holds {twice} twice; name one folder of people with --data")
    return [(person, read_json(path)) for person, path in held]


class Record(NamedTuple):
    """One record of a person's phone."""

    kind: str
    number: int
    """Its id, one of its kind."""
    shelf: str
    """The note that it stands in, `group/title`."""
    when: str
    title: str
    """The entry's title, or nothing."""
    text: str


def records(person: Path, left_out: LeftOut) -> Iterator[Record]:
    """Yield the records of the kinds that questions cite; a person need not have all kinds."""
    for kind in KINDS:
        path = person / "phone_data" / f"{kind}.json"
        if path.is_file():
            read = partial(_record, kind, path)
            yield from each(read_json(path), read, left_out)


def _record(kind: str, path: Path, _: int, row: dict[str, Any]) -> Record:
    try:
        return Record(kind, int(row["phone_id"]), *record(kind, row))
    except ODD_ERRORS as error:
        raise ValueError(f"{path}: a record lacks what it is read by ({type(error).__name__}: {error})") from error


def cited(asked: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return kind and number of each record that a question cites."""
    return [(text(one["type"]), int(one["id"])) for one in asked.get("evidence") or ()]


def asked_at(asked: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the day of asking, ISO or empty (a month's is its 28th), and whether it is of the held half."""
    month = str(asked.get("ask_time") or "")
    held = month[5:7].isdigit() and int(month[5:7]) % MONTHS == 1
    return (f"{month}-28" if len(month) == MONTH else moment(month)), held


def load(place: Path) -> NoteSet:
    """Read every person's folder of `place`."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = LeftOut({"no evidence": 0, "records not found": 0})
    for person, rows in people(place):
        where = _write(person, notes, left_out)
        questions += each(rows, partial(_question, person.name, where, left_out), left_out)
    return NoteSet("lifebench", notes, questions, left_out)


def _question(
    person: str, where: Mapping[object, list[Line]], left_out: LeftOut, number: int, asked: dict[str, Any]
) -> Question | None:
    if not asked.get("evidence"):
        left_out["no evidence"] += 1
        return None
    lines = [line for key in cited(asked) for line in where.get(key, ())]
    if not lines:
        left_out["records not found"] += 1
        return None
    day, held = asked_at(asked)
    return Question(
        id=f"{person}/{number}",
        text=text(asked["question"]),
        group=f"{person}/{asked.get('ask_time') or ''}",
        held=held,
        evidence=tuple(dict.fromkeys(lines)),
        asked=day,
    )


def _contact(_: int, row: dict[str, Any]) -> tuple[str, str]:
    return text(row["name"]), f"{text(row['relation'])}, called {text(row['nickname'])}"


def _write(person: Path, notes: dict[str, bytes], left_out: LeftOut) -> dict[object, list[Line]]:
    """Write one person's notes into `notes`; return (kind, phone id) -> the lines of that record."""
    shelves: dict[str, list[tuple[str, str, str, tuple[str, int]]]] = {}
    for kind, number, shelf, when, title, body in records(person, left_out):
        shelves.setdefault(shelf, []).append((when, title, body, (kind, number)))
    path = person / "phone_data" / "contact.json"
    contacts = dict(each(read_json(path), _contact, left_out) if path.is_file() else ())
    where: dict[object, list[Line]] = {}
    for shelf, entries in shelves.items():
        group, title = shelf.split("/", 1)
        note = NoteWriter(f"{person.name}/{group}/{_slug(title)}")
        while note.name in notes:
            note.name += "-"
        note.block(f"# {title}")
        entries.sort(key=lambda entry: entry[0])
        about = f", {contacts[title]}" if title in contacts else ""
        note.block(f"{group}: {title}{about}. {len(entries)} records, {entries[0][0][:10]} to {entries[-1][0][:10]}.")
        note.block("## History")
        day = ""
        for when, heading, body, key in entries:
            if heading or when[:10] != day:
                day = when[:10]
                note.block(f"### {f'{day} {heading}'.strip()}")
            note.block(f"{when[11:16]} {body}", key)
        notes[note.name] = note.data()
        for place, lines in note.lines.items():
            where.setdefault(place, []).extend(lines)
    return where


def record(kind: str, row: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return the note (`group/title`), the moment, the entry's title or nothing, and the text of one record."""
    when = text(row.get("datetime") or row.get("date"))
    if kind in ("sms", "call"):
        contact = _line(row, "contactName")
        if kind == "call":
            return f"contact/{contact}", when, "", f"Call with {contact}"
        sender = contact if row["message_type"] == "Receive" else "I"
        return f"contact/{contact}", when, "", f"{sender}: {_line(row, 'message_content')}"
    if kind == "push":
        return f"push/{_line(row, 'source')}", when, _line(row, "title"), _line(row, "content")
    if kind == "photo":
        tags = row["imageTag"] if isinstance(row["imageTag"], list) else []
        return "app/Photos", when, "", f"{_line(row, 'caption')} {', '.join(map(one_line, tags))}".strip()
    if kind == "agent_chat":
        talk = row["conversation"]
        said = [f"{who}: {_line(part, 'content')}" for turn in talk.values() for who, part in turn.items() if part]
        return "app/Assistant", f"{when[:10]} 00:00", "", "\n".join(said)
    return (
        f"app/{kind.capitalize()}",
        when,
        _line(row, "title"),
        _line(row, "content" if kind == "note" else "description"),
    )


def _line(row: Mapping[str, Any], name: str) -> str:
    """Return a field's text as one line; an empty or missing text of a record that has the field is empty."""
    return one_line("" if row[name] is None else text(row[name]))


def _slug(title: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title).lower().split()) or "unnamed"
