"""LifeBench as notes: a note a contact or app, its records the dated entries."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.public.as_notes.note_set import Line, NoteSet, NoteWriter, Question, one_line
from bench.public.set_files import found, moment, read_json

#: The kinds of record that questions cite.
KINDS = ("agent_chat", "calendar", "call", "note", "photo", "push", "sms")
#: Questions asked in even months are tuned on, those of odd months held: the notes are the same for both.
MONTHS = 2


#: Each person's questions, in the folder QA of the person's own.
FILES = ("QA_clean.json", "QA*.json")
#: Length of a month that is asked in, `2025-03`.
MONTH = 7


def people(place: Path) -> list[tuple[Path, list[dict[str, Any]]]]:
    """Return every person's folder in `place`, or below it, with the person's questions.

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


def records(person: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    """Yield kind, record and its file, of the kinds that questions cite; a person need not have all of them."""
    paths = {kind: person / "phone_data" / f"{kind}.json" for kind in KINDS}
    yield from ((kind, row, path) for kind, path in paths.items() if path.is_file() for row in read_json(path))


def asked_at(asked: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the day of asking, ISO or empty (a month's is its 28th), and whether it is of the held half."""
    month = str(asked.get("ask_time") or "")
    held = month[5:7].isdigit() and int(month[5:7]) % MONTHS == 1
    return (f"{month}-28" if len(month) == MONTH else moment(month)), held


def load(place: Path) -> NoteSet:
    """Read every person's folder of `place`."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"no evidence": 0, "records not found": 0}
    for person, rows in people(place):
        where = _write(person, notes)
        for number, asked in enumerate(rows):
            if not asked.get("evidence"):
                left_out["no evidence"] += 1
                continue
            lines: list[Line] = []
            for cited in asked["evidence"]:
                lines += where.get((cited["type"], int(cited["id"])), [])
            if not lines:
                left_out["records not found"] += 1
                continue
            day, held = asked_at(asked)
            questions.append(
                Question(
                    id=f"{person.name}/{number}",
                    text=asked["question"],
                    group=f"{person.name}/{asked.get('ask_time') or ''}",
                    held=held,
                    evidence=tuple(dict.fromkeys(lines)),
                    asked=day,
                )
            )
    return NoteSet("lifebench", notes, questions, left_out)


def _write(person: Path, notes: dict[str, bytes]) -> dict[object, list[Line]]:
    """Write one person's notes into `notes`; return (kind, phone id) -> the lines of that record."""
    shelves: dict[str, list[tuple[str, str, str, tuple[str, int]]]] = {}
    for kind, row, _ in records(person):
        shelf, when, title, body = record(kind, row)
        shelves.setdefault(shelf, []).append((when, title, body, (kind, int(row["phone_id"]))))
    path = person / "phone_data" / "contact.json"
    contacts = {
        row["name"]: f"{row['relation']}, called {row['nickname']}"
        for row in (read_json(path) if path.is_file() else ())
    }
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
    when = str(row.get("datetime") or row.get("date"))
    if kind in ("sms", "call"):
        contact = one_line(row["contactName"])
        if kind == "call":
            return f"contact/{contact}", when, "", f"Call with {contact}"
        sender = contact if row["message_type"] == "Receive" else "I"
        return f"contact/{contact}", when, "", f"{sender}: {one_line(row['message_content'])}"
    if kind == "push":
        return f"push/{one_line(row['source'])}", when, one_line(row["title"]), one_line(row["content"])
    if kind == "photo":
        tags = row["imageTag"] if isinstance(row["imageTag"], list) else []
        return "app/Photos", when, "", f"{one_line(row['caption'])} {', '.join(map(one_line, tags))}".strip()
    if kind == "agent_chat":
        talk = row["conversation"]
        said = [f"{who}: {one_line(part['content'])}" for turn in talk.values() for who, part in turn.items() if part]
        return "app/Assistant", f"{when[:10]} 00:00", "", "\n".join(said)
    text = row["content"] if kind == "note" else row["description"]
    return f"app/{kind.capitalize()}", when, one_line(row["title"]), one_line(text)


def _slug(title: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title).lower().split()) or "unnamed"
