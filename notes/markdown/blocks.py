"""CommonMark into the top-level blocks that zones and paragraphs are made of. pyromark parses; this only picks."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyromark

from notes.markdown.conflicts import conflicts, fenced
from notes.markdown.words import MONTHS, plain

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_GFM
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_WIKILINKS
)
_PARSER = pyromark.Markdown(options=_OPTIONS)
_OPENING = 200  # characters of a block's first line that are kept, to look for a date and a title
_KINDS = {"CodeBlock": "code", "HtmlBlock": "html", "BlockQuote": "quote"}
_DAY = re.compile(rb"[ \t]*(?:[-*+][ \t]+)?(\d{1,2}\.)[ \t]")
_LONE_CR = re.compile(r"\r(?!\n)")
_TABS_BEHIND = re.compile(r"(?<=[`~#])[ \t]*\t[ \t]*(?=\r?$)", re.MULTILINE)
_TABS_BEFORE = re.compile(r"\t+(?=#+[ \t]*\r?$)", re.MULTILINE)
_RAW_BEGINS = re.compile(r"^ {0,3}<(pre|script|style|textarea)(?=[\s>])", re.MULTILINE | re.IGNORECASE)
_RAW_ENDS = re.compile(r"</(pre|script|style|textarea)>", re.IGNORECASE)
_RAW_NAMES = re.compile(r"(</?)(pre|script|style|textarea)(?=[\s>])(>?)", re.IGNORECASE)
_LEVELS = {f"H{n}": n for n in range(1, 7)}
_BREAKS = ("SoftBreak", "HardBreak")
#: What ends an item's first line where it begins, and where it ends.
_LINE_ENDS_BEFORE = frozenset(("CodeBlock", "BlockQuote", "List", "Table"))
_LINE_ENDS_AFTER = frozenset(("Item", "Paragraph", "Heading", "TableCell", "CodeBlock", "BlockQuote", "Table"))

#: What pyromark gives: an event, which is a name or a dict of one item (the stubs leave its values open), and the bytes
#: it stands for. An event is asked by `in`, which is right for both: no name holds another's key.
_Events = Iterator[tuple[Any, Any]]


class Block(NamedTuple):
    """A block at the top level of the document, or an item of a list, or a row of a table."""

    kind: str
    """heading, text, list, code, html, table, quote, rule, conflict, other; item and row inside list and table."""
    start: int
    """Where its first line begins."""
    end: int
    level: int
    """1..6 of a heading, else 0."""
    opening: str
    """A heading's whole text; of text, item and row the first line, at most 200 characters; else "". Without markup,
    but a task keeps its box."""
    parts: tuple["Block", ...]
    """Items of a list, rows of a table; the head row is the first."""


def blocks(data: bytes, start: int) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """The blocks of `data` from `start` on, and the distinct link targets. Bytes that are not UTF-8 count as `?`."""
    found: list[Block] = []
    links: dict[str, None] = {}
    unsettled = [span for span in conflicts(data) if span.start >= start]
    text = _text(fenced(data, unsettled) if unsettled else data, start)
    begins = {span.start for span in unsettled}
    events: _Events = iter(_PARSER.events_with_range(text, merge_text=True))
    for event, place in events:
        begin, end = start + place["start"], start + place["end"]
        if event == "Rule":
            found.append(Block("rule", begin, end, 0, "", ()))
            continue
        value = event["Start"]
        tag = value if value.__class__ is str else next(iter(value))
        if begin > start and data[begin - 1] in b" \t":
            begin = _line_start(data, begin, start)
        if tag == "Paragraph":
            found.append(Block("text", begin, end, 0, _first_line(events, links), ()))
        elif tag == "Heading":
            found.append(Block("heading", begin, end, _LEVELS[value["Heading"]["level"]], _whole(events, links), ()))
        elif tag == "List":
            found.append(Block("list", begin, end, 0, "", tuple(_items(events, data, start, links))))
        elif tag == "Table":
            found.append(Block("table", begin, end, 0, "", tuple(_rows(events, data, start, links))))
        else:
            _skip(events, 1, links)
            kind = "conflict" if begin in begins else _KINDS.get(tag, "other")
            found.append(Block(kind, begin, end, 0, "", ()))
    return tuple(found), tuple(links)


def _text(data: bytes, start: int) -> str:
    """What pyromark is given: as many bytes of UTF-8 as `data` has from `start` on."""
    data = data[start:] if start else data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode("utf-8")
    if "\r" in text:  # pyromark misses a fence that ends in a lone CR; CommonMark knows CR as a line end
        text = _LONE_CR.sub("\n", text)
    return _as_the_standard_reads(text)


def _as_the_standard_reads(text: str) -> str:
    """`text` of the same length, with what pyromark reads otherwise than CommonMark written in a way that both read.

    A fence or a heading's closing `#` may be followed by tabs; a tab may stand before the latter; raw HTML that begins
    with `<pre`, `<script`, `<style` or `<textarea` ends at the end tag of any of the four, in capitals too.
    """
    if "\t" in text:
        text = _TABS_BEHIND.sub(_blanks, text)
        if "\t#" in text:
            text = _TABS_BEFORE.sub(_blanks, text)
    if "</" in text and _RAW_BEGINS.search(text):
        ends = [(end.start(), end[1]) for end in _RAW_ENDS.finditer(text)]
        for begun in _RAW_BEGINS.finditer(text):
            first = next((name for at, name in ends if at >= begun.end()), begun[1])
            if first != begun[1]:
                text = _RAW_NAMES.sub(lambda tag: tag[1] + "pre" + tag[3] + " " * (len(tag[2]) - 3), text)
                break
    return text


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _skip(events: _Events, depth: int, links: dict[str, None]) -> None:
    """Take events up to the end of what was begun `depth` times; only links matter."""
    for event, _ in events:
        if "Text" in event:
            continue
        if "End" in event:
            depth -= 1
            if not depth:
                return
        elif "Start" in event:
            depth += 1
            if event["Start"].__class__ is dict:
                _keep_link(event["Start"], links)


def _whole(events: _Events, links: dict[str, None]) -> str:
    """The text of a heading that has begun; takes its events."""
    words: list[str] = []
    depth = 1
    for event, _ in events:
        if "Text" in event:
            words.append(event["Text"])
        elif "End" in event:
            depth -= 1
            if not depth:
                break
        elif "Code" in event:
            words.append(event["Code"])
        elif "Start" in event:
            depth += 1
            if event["Start"].__class__ is dict:
                _keep_link(event["Start"], links)
        elif event in _BREAKS:
            words.append(" ")
    return "".join(words).strip()


def _first_line(events: _Events, links: dict[str, None]) -> str:
    """The first line of a paragraph that has begun; takes its events."""
    words: list[str] = []
    depth = 1
    for event, _ in events:
        if "Text" in event:
            words.append(event["Text"])
        elif event in _BREAKS:
            _skip(events, depth, links)
            break
        elif "End" in event:
            depth -= 1
            if not depth:
                break
        elif "Code" in event:
            words.append(event["Code"])
        elif "Start" in event:
            depth += 1
            if event["Start"].__class__ is dict:
                _keep_link(event["Start"], links)
    return "".join(words)[:_OPENING].strip()


def _items(events: _Events, data: bytes, start: int, links: dict[str, None]) -> Iterator[Block]:
    """The items of a list that has begun."""
    for event, place in events:
        if "End" in event:
            return
        begin, end = start + place["start"], start + place["end"]
        if begin > start and data[begin - 1] in b" \t":
            begin = _line_start(data, begin, start)
        yield Block("item", begin, end, 0, _with_day(data, begin, end, _item_line(events, links)), ())


def _item_line(events: _Events, links: dict[str, None]) -> str:
    """The first line of an item that has begun; takes its events."""
    words: list[str] = []
    depth = 1
    for event, _ in events:
        if "Text" in event:
            words.append(event["Text"])
        elif event in _BREAKS:
            _skip(events, depth, links)
            break
        elif "End" in event:
            depth -= 1
            if not depth:
                break
            value = event["End"]
            if words and (value if value.__class__ is str else next(iter(value))) in _LINE_ENDS_AFTER:
                _skip(events, depth, links)
                break
        elif "Start" in event:
            depth += 1
            value = event["Start"]
            if value.__class__ is dict:
                if words and not _LINE_ENDS_BEFORE.isdisjoint(value):
                    _skip(events, depth, links)
                    break
                _keep_link(value, links)
        elif "Code" in event:
            words.append(event["Code"])
        elif "TaskListMarker" in event:
            words.append("[x] " if event["TaskListMarker"] else "[ ] ")
    return "".join(words)[:_OPENING].strip()


def _rows(events: _Events, data: bytes, start: int, links: dict[str, None]) -> Iterator[Block]:
    """The rows of a table that has begun."""
    for event, place in events:
        if "End" in event:
            return
        begin = _line_start(data, start + place["start"], start)
        words: list[str] = []
        depth = 1
        for inner, _ in events:
            if "Text" in inner:
                words.append(inner["Text"])
            elif "Code" in inner:
                words.append(inner["Code"])
            elif "Start" in inner:
                depth += 1
                if inner["Start"].__class__ is dict:
                    _keep_link(inner["Start"], links)
            elif "End" in inner:
                depth -= 1
                if not depth:
                    break
                if inner["End"] == "TableCell":
                    words.append(" ")
        yield Block("row", begin, start + place["end"], 0, "".join(words)[:_OPENING].strip(), ())


def _line_start(data: bytes, at: int, floor: int) -> int:
    """`at` moved back over the blanks that indent it, not before `floor`."""
    while at > floor and data[at - 1] in b" \t":
        at -= 1
    return at


def _with_day(data: bytes, start: int, end: int, words: str) -> str:
    """`2. September 2026: x` is a date whose day CommonMark takes for a list's number."""
    day = _DAY.match(data, start, end)
    if day is None or words[:1].isdigit() or plain(words[:20].partition(" ")[0]) not in MONTHS:
        return words
    return f"{day[1].decode()} {words}"


def _keep_link(value: dict[str, Any], links: dict[str, None]) -> None:
    """Keep the target of what has begun, when it is a link or an image and no other host's."""
    inner = value.get("Link") or value.get("Image")
    target = inner.get("dest_url", "") if inner else ""
    if target and "://" not in target and not target.startswith(("mailto:", "#", "data:")):
        links[target] = None
