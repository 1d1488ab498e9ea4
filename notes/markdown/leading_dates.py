"""Dates as people write them at the start of a heading, a list item or a paragraph.

`2026-09-02`, `2026/09/02`, `2 Sep 2026`, `Sep 2, 2026`, `2. September 2026`, `02.09.2026`, `2 de septiembre de 2026`,
`2026年9月2日`, `2026년 9월 2일`, and the
same after a version (`[1.2.0] - 2026-09-02`) or a weekday (`Wed, 2 Sep 2026`).
`02/09/2026` is no date: half the world reads it as 9 February.
"""

import datetime as dt
import re
from typing import NamedTuple

from notes.markdown.words import MONTHS, WEEKDAYS, plain


class Dated(NamedTuple):
    """A date found in a text."""

    date: dt.date
    """The day; the first of the month where only a month is given."""
    title: str
    """The rest of the text without the date and the punctuation round it; a version before the date comes first."""
    whole_day: bool
    """False where only month and year are given (`September 2026`, `2026-09`)."""


_NAME = r"(?P<name>[^\W\d_]{2,14})"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})(?P<s>[-/.\u2010\u2011\u2013])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)",
        r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s-]\s?(?:de\s|of\s)?{_NAME}\.?,?[\s-]\s?(?:del?\s)?(?P<y>\d{{4}})(?!\d)",
        rf"{_NAME}\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})(?!\d)",
        r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
        r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
        r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?![\d-])",
        rf"{_NAME}\.?,?\s(?:de\s)?(?P<y>(?:19|20)\d\d)(?!\d)",
        r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월](?!\s?\d)",
    )
)
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_TIME = re.compile(
    r"(?:\s?T|\s|,\s|\s?@\s?|\sat\s)?\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?(?:[ap]m|Z))?(?:\s(?:UTC|GMT|[PMCE][SD]?T|CES?T|BST|JST|IST)\b)?(?:[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?:(?:version|release|rel\.?)\s)?v?\d+(?:\.\d+)+[\w.+-]*|(?:version|release)\s\d+|v\d+", re.IGNORECASE
)
_WEEKDAY = re.compile(r"[^\W\d_]{2,12}(?:-feira)?\.?,?\s+")
_AROUND = " \t\r\n\u00a0[](){}<>*_~`'\"«»“”„‘’:;,.·•|=–—―-\u2010\u2011\u2192/\u3000（）【】「」：、。"  # noqa: RUF001 (the punctuation itself)
_LONGEST = 80  # characters from the start in which a date may begin and end


def leading_date(text: str) -> Dated | None:
    """The date that `text` begins with, or None."""
    head = text[:_LONGEST]
    if not _DIGIT.search(head):
        return None
    start = _skip(head, 0)
    if not _DIGIT.match(head, start):  # most texts begin with no digit, month, weekday or version: told at once
        word = _LETTERS.match(head, start)
        if word is None or not (word[0][0] in "vVrR" or (name := plain(word[0])) in MONTHS or name in WEEKDAYS):
            return None
    prefix = ""
    found = _at(head, start)
    if (
        found is None
        and (weekday := _WEEKDAY.match(head, start))
        and plain(weekday[0].replace("-feira", "")) in WEEKDAYS
    ):
        start = weekday.end()
        found = _at(head, start)
    if found is None and (version := _VERSION.match(head, start)):
        start = _skip(head, version.end())
        found = _at(head, start) if start > version.end() else None
        prefix = version[0]
    if found is None:
        return None
    date, end, whole_day = found
    if text[end : end + 1] in ("-", "_") and text[end + 1 : end + 2].isalnum():
        return None  # the name of a file or branch, not a date that something bears
    if time := _TIME.match(text, end):
        end = time.end()
    rest = _rest(text[end:])
    return Dated(date, f"{prefix} {rest}".strip(), whole_day)


def trailing_date(text: str) -> Dated | None:
    """The date that `text` ends with (`Canary abort (2026-08-30)`), or None; it must follow a space or a bracket."""
    tail = text.rstrip(_AROUND)[-30:]
    for match in re.finditer(r"(?<=[\s(\[（])\w", tail):  # noqa: RUF001 (the full-width bracket itself)
        found = _at(tail, match.start())
        if found is not None and found[1] == len(tail) and found[2]:
            cut = len(text.rstrip(_AROUND)) - len(tail) + match.start()
            return Dated(found[0], text[:cut].strip(_AROUND), whole_day=True)
    return None


def _rest(text: str) -> str:
    """`text` without the punctuation that ties it to a date; brackets that it opens itself stay closed."""
    before = text
    text = text.lstrip(_AROUND).rstrip(" \t\r\n:;,–—-|")  # noqa: RUF001 (the dashes themselves)
    while text[-1:] in (")", "]") and text.count(text[-1]) > text.count("(" if text[-1] == ")" else "["):
        text = text[:-1].rstrip()
    # What the title itself opens, and closes further on, belongs to it: `2026-01-02: [/items] done` (R64).
    around = before[: len(before) - len(before.lstrip(_AROUND))]
    for at, char in enumerate(around):
        close = {"(": ")", "[": "]"}.get(char)
        if close and text.count(close) > text.count(char):
            return around[at:] + text
    return text


def _skip(text: str, at: int) -> int:
    """The next offset at or after `at` that holds a letter or digit, at most 8 characters on."""
    end = min(len(text), at + 8)
    while at < end and not text[at].isalnum():
        at += 1
    return at


def _at(text: str, at: int) -> tuple[dt.date, int, bool] | None:
    """(date, end offset, whole day) of the date that stands at `at`."""
    for form in _FORMS:
        match = form.match(text, at)
        if match is None:
            continue
        parts = match.groupdict()
        month = MONTHS.get(plain(parts["name"]), 0) if parts.get("name") else int(parts["m"])
        day = parts.get("d")
        try:
            date = dt.date(int(parts["y"]), month, int(day) if day else 1)
        except ValueError:
            continue
        if 1900 <= date.year < 2200:
            return date, match.end(), day is not None
    return None
