"""LifeBench as notes: a note a contact or app, its records the dated entries."""

from pathlib import Path
from typing import Any

import orjson

from bench.asnotes.noteset import Line, NoteSet, NoteWriter, Question, one_line

#: The kinds of record that questions cite.
KINDS = ("agent_chat", "calendar", "call", "note", "photo", "push", "sms")
#: Questions asked in even months are tuned on, those of odd months held: the notes are the same for both.
MONTHS = 2


def load(folder: Path) -> NoteSet:
    """Read every person's folder of `folder`."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"no evidence": 0, "records not found": 0}
    for person in sorted(path for path in folder.iterdir() if (path / "QA" / "QA_clean.json").is_file()):
        where = _write(person, notes)
        for place, asked in enumerate(orjson.loads((person / "QA" / "QA_clean.json").read_bytes())):
            if not asked.get("evidence"):
                left_out["no evidence"] += 1
                continue
            lines: list[Line] = []
            for cited in asked["evidence"]:
                lines += where.get((cited["type"], int(cited["id"])), [])
            if not lines:
                left_out["records not found"] += 1
                continue
            questions.append(
                Question(
                    id=f"{person.name}/{place}",
                    text=asked["question"],
                    group=f"{person.name}/{asked['ask_time']}",
                    held=int(asked["ask_time"][5:7]) % MONTHS == 1,
                    evidence=tuple(dict.fromkeys(lines)),
                    asked=asked["ask_time"] + "-28",
                )
            )
    return NoteSet("lifebench", notes, questions, left_out)


def _write(person: Path, notes: dict[str, bytes]) -> dict[object, list[Line]]:
    """Write one person's notes into `notes`; return (kind, phone id) -> the lines of that record."""
    shelves: dict[str, list[tuple[str, str, str, tuple[str, int]]]] = {}
    for kind in KINDS:
        for row in orjson.loads((person / "phone_data" / f"{kind}.json").read_bytes()):
            shelf, moment, title, body = record(kind, row)
            shelves.setdefault(shelf, []).append((moment, title, body, (kind, int(row["phone_id"]))))
    contacts = {
        row["name"]: f"{row['relation']}, called {row['nickname']}"
        for row in orjson.loads((person / "phone_data" / "contact.json").read_bytes())
    }
    where: dict[object, list[Line]] = {}
    for shelf, records in shelves.items():
        group, title = shelf.split("/", 1)
        note = NoteWriter(f"{person.name}/{group}/{_slug(title)}")
        while note.name in notes:
            note.name += "-"
        note.block(f"# {title}")
        records.sort(key=lambda record: record[0])
        about = f", {contacts[title]}" if title in contacts else ""
        note.block(f"{group}: {title}{about}. {len(records)} records, {records[0][0][:10]} to {records[-1][0][:10]}.")
        note.block("## History")
        day = ""
        for moment, heading, body, key in records:
            if heading or moment[:10] != day:
                day = moment[:10]
                note.block(f"### {f'{day} {heading}'.strip()}")
            note.block(f"{moment[11:16]} {body}", key)
        notes[note.name] = note.data()
        for place, lines in note.lines.items():
            where.setdefault(place, []).extend(lines)
    return where


def record(kind: str, row: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return the note (`group/title`), the moment, the entry's title or nothing, and the text of one record."""
    moment = str(row.get("datetime") or row.get("date"))
    if kind in ("sms", "call"):
        contact = one_line(row["contactName"])
        if kind == "call":
            return f"contact/{contact}", moment, "", f"Call with {contact}"
        sender = contact if row["message_type"] == "Receive" else "I"
        return f"contact/{contact}", moment, "", f"{sender}: {one_line(row['message_content'])}"
    if kind == "push":
        return f"push/{one_line(row['source'])}", moment, one_line(row["title"]), one_line(row["content"])
    if kind == "photo":
        tags = row["imageTag"] if isinstance(row["imageTag"], list) else []
        return "app/Photos", moment, "", f"{one_line(row['caption'])} {', '.join(map(one_line, tags))}".strip()
    if kind == "agent_chat":
        talk = row["conversation"]
        said = [f"{who}: {one_line(part['content'])}" for turn in talk.values() for who, part in turn.items() if part]
        return "app/Assistant", f"{moment[:10]} 00:00", "", "\n".join(said)
    text = row["content"] if kind == "note" else row["description"]
    return f"app/{kind.capitalize()}", moment, one_line(row["title"]), one_line(text)


def _slug(title: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title).lower().split()) or "unnamed"
