"""The sample's notes as they stood on a day: later history taken off, later rewordings undone."""

import datetime as dt
import re
from pathlib import Path

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATED = re.compile(r"(?:[-*|] |(#{2,4}) )\**(\d{4}-\d\d-\d\d|\d{1,2}\.? [^\W\d]+ \d{4})")


def lines_of(text: str) -> list[str]:
    """The lines of a note, whatever its line ends."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _day(text: str) -> dt.date:
    if text[4] == "-":
        return dt.date.fromisoformat(text)
    day, month, year = text.replace(".", "").split(" ")
    short = month[:3].lower().replace("mär", "mar").replace("mai", "may")
    return dt.date(int(year), _MONTHS.index(short) + 1, int(day))


class History:
    """All notes of the sample and what is known of their earlier wording."""

    def __init__(self, folder: Path) -> None:
        self.notes = {
            path.relative_to(folder).as_posix().removesuffix(".md"): path.read_bytes().decode("utf-8")
            for path in sorted(folder.rglob("*.md"))
        }
        self.rewordings: list[tuple[str, dt.date, str, str]] = []

    def was(self, note: str, until: dt.date, today: str, older: str) -> None:
        """Before `until`, `older` stood in the note where `today` stands today."""
        if self.notes[note].count(today) != 1:
            raise ValueError(f"{note}: {today!r} does not stand there once")
        self.rewordings.append((note, until, today, older))

    def names(self, folder: str) -> list[str]:
        """The notes under `notes/…`, sorted."""
        inside = folder.removeprefix("notes").strip("/")
        return [name for name in self.notes if not inside or name == inside or name.startswith(inside + "/")]

    def text(self, note: str, day: dt.date) -> str:
        """The note's text at the end of `day`."""
        text = self.notes[note]
        for name, until, today, older in self.rewordings:
            if name == note and day < until:
                text = text.replace(today, older)
        kept: list[str] = []
        dropping = ""
        for line in text.split("\n"):
            dated = _DATED.match(line)
            level = len(line) - len(line.lstrip("#"))
            if dropping and level and level <= len(dropping):
                dropping = ""
            if dated and _day(dated[2]) > day:
                dropping = dated[1] or dropping
                continue
            if not dropping:
                kept.append(line)
        return "\n".join(kept)
