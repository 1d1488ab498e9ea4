# ruff: noqa: E501 (a table of names)
"""Finds the dated entries of a note by its lines alone: what the guard holds an edit against.

Simpler than `notes.markdown.parse` and a little more careful: any word may stand for a month (`2 Sep 2026`, `2 września 2026`).
"""

from __future__ import annotations

#: Words in a heading under which one dated item is a history; without one it takes two of a kind.
_NAMES = (
    "history", "log", "journal", "diary", "timeline", "changes", "release", "verlauf", "historie", "protokoll", "chronik",
    "tagebuch", "änderung", "historique", "historial", "bitácora", "registro", "cambios", "cronologia", "storico", "diario",
    "modific", "histórico", "alterações", "geschiedenis", "logboek", "wijziging", "historik", "historia", "dziennik",
    "zmian", "geçmiş", "günlük", "история", "журнал", "изменени", "історія", "змін", "履歴", "記録", "经", "ログ", "历史",
    "日志", "记录", "歷史", "記錄", "이력", "기록", "일지", "السجل",
)  # fmt: skip
_OPENERS = ("#", "-", "*", "+", "|", "`", "~", "<", " ", "\t")  # what a line of interest begins with
_OTHER = (0, "")
#: Words that may stand before a date: a version, or the day of the week.
_BEFORE = frozenset(
    (
        "version",
        "release",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "montag",
        "dienstag",
        "mittwoch",
        "donnerstag",
        "freitag",
        "samstag",
        "sonntag",
        "mo",
        "di",
        "mi",
        "do",
        "fr",
        "sa",
        "so",
        "lundi",
        "mardi",
        "mercredi",
        "jeudi",
        "vendredi",
        "samedi",
        "dimanche",
        "lunes",
        "martes",
        "miércoles",
        "jueves",
        "viernes",
        "sábado",
        "domingo",
        "lunedì",
        "martedì",
        "mercoledì",
        "giovedì",
        "venerdì",
        "sabato",
        "domenica",
        "maandag",
        "dinsdag",
        "woensdag",
        "donderdag",
        "vrijdag",
        "zaterdag",
        "zondag",
    )
)
_AROUND = " \t[](){}<>*_~`'\"«»“”„:;,.·•|=–—-\u2010\u2011→/（）【】「」：、"  # noqa: RUF001 (the punctuation itself)


def guard_entries(text: str, known: dict[str, bool] | None = None) -> list[tuple[str, str]]:
    """(first line without its marker, whole text without blanks at its ends) of each dated entry, in order.

    `text` has LF line ends. An entry is a heading that begins with a date, with all under it, or a list item at the margin
    that does, with all that is indented under it; it takes two of a kind, or a history's name over one. `known` keeps
    which lines are dated, for a second text that is much the same.
    """
    known = {} if known is None else known
    lines = text.split("\n")
    kinds = _kinds(lines)
    marks: list[tuple[int, int, str, bool]] = []  # line, level (7 for an item), opening, under a history's name
    names: list[tuple[int, bool]] = []
    covered = 0  # the level of the dated heading whose entry we are in; 0 outside
    for n, (level, opening) in enumerate(kinds):
        if level == 0:
            continue
        if level < 7:
            while names and names[-1][0] >= level:
                names.pop()
            if covered and level <= covered:
                covered = 0
        named = any(is_history for _, is_history in names)
        if covered or (level > 7 and not named):
            is_dated = False
        elif (is_dated := known.get(opening)) is None:  # type: ignore[assignment]
            is_dated = known[opening] = guard_dated(opening)
        if is_dated:
            marks.append((n, level, opening, named))
            if level < 7:
                covered = level
        if level < 7:
            folded = opening.casefold()
            names.append((level, any(name in folded for name in _NAMES)))
    seen: dict[int, int] = {}
    for _, level, _, _ in marks:
        seen[level] = seen.get(level, 0) + 1
    many = {level for level, times in seen.items() if level < 8 and times > 1}
    starts = {n for n, _, _, _ in marks}
    found = []
    for n, level, opening, named in marks:
        if named or level in many:
            end = _end(lines, kinds, n, level, starts)
            found.append((_quoted(opening), "\n".join(lines[n:end]).strip()))
    return found


def _quoted(opening: str) -> str:
    """An entry's first line as it is quoted: at most 80 characters, cut between words."""
    if len(opening) <= 80:
        return opening.strip()
    cut = opening[:80].rpartition(" ")[0].rstrip(" ,;:.")
    return (cut if len(cut) > 40 else opening[:79]) + "…"


def _kinds(lines: list[str]) -> list[tuple[int, str]]:
    """Of each line: 1..6 and its text for a heading, 7 and its text for a list item.

    8 for a table row, 9 for a paragraph that may begin with a date, 0 for everything else.
    """
    kinds: list[tuple[int, str]] = []
    fence = ""
    comment = False
    front = lines[0].rstrip() == "---" and any(line.rstrip() in ("---", "...") for line in lines[1:])
    for n, line in enumerate(lines):
        if not (line[:1] in _OPENERS or line[:1].isdecimal() or fence or comment or front):
            kinds.append(_OTHER)
            continue
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        kind = (0, "")
        if front:
            front = n == 0 or line.rstrip() not in ("---", "...")
        elif fence:
            if indent < 4 and bare.startswith(fence) and not bare.strip().strip(fence[0]):
                fence = ""
        elif comment:
            comment = "-->" not in line
        elif indent < 4 and bare[:3] in ("```", "~~~"):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        elif indent < 4 and bare.startswith("<!--"):
            comment = "-->" not in line
        elif indent < 4 and bare.startswith("#"):
            level = len(bare) - len(bare.lstrip("#"))
            if level < 7 and (bare[level : level + 1] in ("", " ", "\t")):
                kind = (level, bare[level:].strip().rstrip("#").strip())
        elif indent < 4 and bare[:1] in ("-", "*", "+") and bare[1:2] in (" ", "\t"):
            opening = bare[2:].strip()
            kind = (7, "" if _task(opening) else opening) if indent < 2 else (0, "")
        elif bare.startswith("|"):
            kind = (8, bare.strip())
        elif indent < 2 and bare[:1].isdecimal() and (rest := _numbered(bare)):
            kind = (7, "" if _task(rest) else rest)
        elif not indent and bare and (n == 0 or not lines[n - 1].strip() or 0 < kinds[-1][0] < 7):
            kind = (9, bare.strip())
        kinds.append(kind)
    return kinds


def _task(opening: str) -> bool:
    """Whether an item begins with a box to tick: it is no entry, as in `notes.markdown.zones.is_task`."""
    return opening[:1] == "[" and opening[2:4] in ("] ", "]\t") and opening[1] in " xX-/>!?<*"


def _numbered(bare: str) -> str:
    """The text of a numbered item; with its number when that is the day of a date; "" when it is no item."""
    digits = len(bare) - len(bare.lstrip("0123456789"))
    if (
        not 0 < digits < 10
        or bare[digits : digits + 1] not in (".", ")")
        or bare[digits + 1 : digits + 2] not in (" ", "\t")
    ):
        return ""
    rest = bare[digits + 2 :].strip()
    return bare.strip() if rest[:1].isalpha() else rest


def _end(lines: list[str], kinds: list[tuple[int, str]], start: int, level: int, starts: set[int]) -> int:
    """The line behind the entry that begins at `start`; `starts` are the lines where entries begin."""
    for n in range(start + 1, len(lines)):
        other = kinds[n][0]
        if level < 7:
            if 0 < other <= level:
                return n
        elif level == 9:
            if 0 < other < 7 or n in starts:
                return n
        elif level == 8 or other or (lines[n][:1] not in ("", " ", "\t") and not lines[n - 1].strip()):
            return n
    return len(lines)


def guard_dated(text: str) -> bool:
    """Whether `text` begins with a day: `2026-09-02`, `2 Sep 2026`, `Sep 2, 2026`, `2026年9月2日`, `02.09.2026`.

    A version or a weekday may stand before it.
    """
    if not any(c.isdecimal() for c in text[:40]):
        return False
    words = text[:80].strip(_AROUND).replace(",", " ").split()
    words = [w for w in (w.strip(_AROUND) for w in words) if w]
    if not words:
        return False
    for skipped in range(min(3, len(words))):
        if _day(words[skipped:]):
            return True
        before = words[skipped].casefold()
        if before not in _BEFORE and not _version(before):
            return False
    return False


def _version(word: str) -> bool:
    word = word.removeprefix("v")
    return word[:1].isdecimal() and "." in word


def _day(words: list[str]) -> bool:
    first = words[0]
    if len(first) > 3 and first[:4].isdecimal():
        if first[4:5] in ("-", "/", ".") and first[5:7].strip("-/.").isdecimal():
            parts = first[:10].replace("/", "-").replace(".", "-").split("-")
            digits = "".join(c if c.isdecimal() else " " for c in (parts[2] if len(parts) > 2 else "")).split()
            if first[10:11] in ("-", "_") and first[11:12].isalnum():
                return False  # the name of a file or branch
            return len(parts) > 2 and bool(digits) and 1 <= int(parts[1] or "0") <= 12 and 1 <= int(digits[0]) <= 31
        if first[4:5] in ("年", "년"):
            return any(mark in "".join(words[:3])[5:14] for mark in ("日", "일"))
        if len(first) > 7 and first[:8].isdecimal() and not first[8:9].isdecimal():
            return 1 <= int(first[4:6]) <= 12 and 1 <= int(first[6:8]) <= 31
        return False
    if first[:1].isdecimal():
        digits = "".join(c if c.isdecimal() else " " for c in first).split()
        if len(digits) == 3 and len(digits[2]) == 4 and "." in first:
            return int(digits[0]) <= 31 and int(digits[1]) <= 12
        if first.count("-") == 2 and len(digits) == 2:  # 2-Sep-2026
            return len(digits[1]) == 4
        rest = [w for w in words[1:5] if w not in ("de", "of", "del")]
        return 1 <= int(digits[0]) <= 31 and len(rest) > 1 and rest[0].strip(".").isalpha() and _year(rest[1])
    if first.strip(".").isalpha() and len(words) > 2:  # Sep 2, 2026
        digits = "".join(c if c.isdecimal() else " " for c in words[1]).split()
        return bool(digits) and len(digits[0]) < 3 and words[1][0].isdecimal() and _year(words[2])
    return False


def _year(word: str) -> bool:
    return word[:4].isdecimal() and not word[4:5].isdecimal() and "1900" <= word[:4] < "2200"
