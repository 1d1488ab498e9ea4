"""From the bytes of a Markdown file to a `Note`. Pure: nothing is read, nothing is written."""

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING

from notes.markdown.blocks import blocks
from notes.markdown.front_matter import as_list, front_end, front_fields
from notes.markdown.leading_dates import leading_date
from notes.markdown.model import Entry, Note, Section, Span, Zone
from notes.markdown.slugs import HEAD_SLUG, Slugs, entry_slug, slug_of
from notes.markdown.zones import Division, divide
from notes.tokens import estimate

if TYPE_CHECKING:
    import datetime as dt

_BOM = b"\xef\xbb\xbf"
_SAMPLE = 8000  # bytes, as git looks at
_LEAST_SAMPLE = 64
#: Bytes that no text holds, in whatever encoding; UTF-16, which is half of them, cannot be read as a note either.
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\f\r\x1b"))


def is_binary(data: bytes) -> bool:
    """Whether a file is no text, whatever it is called: control characters are a twentieth of its first 8 kB."""
    sample = data[:_SAMPLE]
    return len(sample) >= _LEAST_SAMPLE and len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) // 20


def parse(data: bytes, path: str = "", *, head_budget: int = 400, count: Callable[[str], int] = estimate) -> Note:
    """Parse a Markdown file into sections, zones, entries and paragraphs.

    Args:
        data: the file, as it stands on disk; need not be UTF-8.
        path: gives a note without a title its title, its stem.
        head_budget: tokens; what the head has more counts as body.
        count: tokens of a text.
    """
    bom = data.startswith(_BOM)
    begin = len(_BOM) if bom else 0
    floor = front_end(data, begin)
    fields = front_fields(data[begin:floor].decode("utf-8", "replace")) if floor > begin else {}
    found, links = blocks(data, floor)
    division = divide(data, floor, found, head_budget, count)
    stem = _stem(path)
    sections, entries = _sections(division, _day_of(division.title.opening if division.title else "", stem))
    title = _first(fields, "title") or (division.title.opening if division.title else "")
    if not title:
        title = next((b.opening for b in found if b.kind == "heading" and b.level == 1), "") or stem
    dates = [e.date for e in entries if e.date]
    return Note(
        path=path,
        data=data,
        bom=bom,
        newline=_newline(data),
        encoding_ok=_is_utf8(data),
        title=title,
        aliases=as_list(fields.get("aliases", ()) + fields.get("alias", ())),
        tags=tuple(dict.fromkeys(t.lstrip("#") for t in as_list(fields.get("tags", ()) + fields.get("tag", ())))),
        description=_first(fields, "description") or _first(fields, "summary"),
        read_when=fields.get("read_when", ()),
        links=links,
        front=Span(begin, floor),
        head=division.head,
        sections=sections,
        entries=entries,
        history=division.history,
        newest_first=len(dates) > 1 and dates[0] > dates[-1],
        blocks=found,
    )


def _stem(path: str) -> str:
    """The file's name without `.md`; other dots are the name's own (`30.11.2026`, `v1.2`)."""
    name = PurePath(path).name
    for suffix in (".md", ".markdown"):
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def _day_of(*names: str) -> "dt.date | None":
    """The day of a note that bears one for its name, as daily notes do: its title or its file's name begins with it."""
    for name in names:
        found = leading_date(name)
        if found and found.whole_day:
            return found.date
    return None


def _first(fields: dict[str, tuple[str, ...]], key: str) -> str:
    values = fields.get(key, ())
    return values[0] if values else ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _newline(data: bytes) -> str:
    """The line ending that most lines have."""
    if b"\r" not in data:
        return "\n"
    both = data.count(b"\r\n")
    counts = {"\n": data.count(b"\n") - both, "\r\n": both, "\r": data.count(b"\r") - both}
    best = max(counts, key=lambda newline: counts[newline])
    return best if counts[best] else "\n"


def _sections(division: Division, day: "dt.date | None") -> tuple[tuple[Section, ...], tuple[Entry, ...]]:
    """The sections, which are the file byte for byte, and the entries, which share the slug of a section they begin.

    `day` is the whole note's, which every section has whose own headings bear none.
    """
    slugs = Slugs()
    marks = {mark.span.start: mark for mark in division.marks}
    sections: list[Section] = []
    paths: list[tuple[str, ...]] = []
    dates: list[dt.date | None] = []
    cuts = list(division.cuts)
    entry_slugs: dict[int, str] = {}
    for n, node in enumerate(division.nodes):
        name = node.heading.opening if node.heading else "(head)"
        above = paths[node.parent] if node.parent >= 0 and division.nodes[node.parent].heading else ()
        paths.append((*above, name))
        date = node.dated.date if node.dated else (dates[node.parent] if node.parent >= 0 else day)
        dates.append(date)
        mark = marks.get(node.start) if n else None
        if mark:
            slug = entry_slugs[node.start] = slugs.take(entry_slug(mark.date, mark.title))
            date = mark.date or date
        else:
            slug = slugs.take(slug_of(name))
        if not n:
            slugs.take(HEAD_SLUG)  # it is the head's address, so no later section's
        split: list[tuple[int, str]] = []
        while cuts and cuts[0][0] < node.own_end:
            split.append(cuts.pop(0))
        end = split[0][0] if split else node.own_end
        zone = _zone(division, n, node.start, end)
        if node.start < end or (n == 0 and len(division.nodes) == 1 and not split):
            sections.append(
                Section(len(sections) + 1, node.level, name, paths[n], slug, Span(node.start, end), zone, date)
            )
        for k, (start, title) in enumerate(split):
            end = split[k + 1][0] if k + 1 < len(split) else node.own_end
            zone = Zone.HISTORY if title == "(history)" else Zone.BODY
            path, level = (*paths[n], title), min(node.level + 1, 6)
            slug = slugs.take(slug_of(title))
            sections.append(Section(len(sections) + 1, level, title, path, slug, Span(start, end), zone, date))
    entries: list[Entry] = []
    at = 0
    for mark in division.marks:
        while at + 1 < len(sections) and sections[at + 1].span.start <= mark.span.start:
            at += 1
        slug = entry_slugs.get(mark.span.start) or slugs.take(entry_slug(mark.date, mark.title))
        entries.append(Entry(len(entries) + 1, mark.date, mark.title, slug, mark.span, sections[at].number))
    return tuple(sections), tuple(entries)


def _zone(division: Division, n: int, start: int, end: int) -> Zone:
    """History when the section lies in it, or most of what it says does; head when it is the first or the state."""
    if n == 0:
        return Zone.HEAD
    content = max(start, min(division.nodes[n].content, end))
    covered = 0
    for first, last in division.history:
        if first <= start < last:
            return Zone.HISTORY
        if first < end and last > content:
            covered += min(last, end) - max(first, content)
    if covered * 2 > end - content:
        return Zone.HISTORY
    head, head_end = division.head
    whole = start <= head < head_end <= end
    return Zone.HEAD if whole or head < content < head_end else Zone.BODY
