"""CommonMark into the top-level blocks that zones and paragraphs are made of. pyromark parses; this only picks."""

import re
from typing import Any, NamedTuple

import pyromark

from notes.forms import MONTHS, plain

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_GFM
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_WIKILINKS
)
_PARSER = pyromark.Markdown(options=_OPTIONS)
_OPENING = 200  # characters of a block's first line that are kept, to look for a date and a title
_KINDS = {
    "Paragraph": "text",
    "List": "list",
    "CodeBlock": "code",
    "HtmlBlock": "html",
    "Table": "table",
    "BlockQuote": "quote",
}
_DAY = re.compile(rb"[ \t]*(?:[-*+][ \t]+)?(\d{1,2}\.)[ \t]")
_LONE_CR = re.compile(r"\r(?!\n)")
_LEVELS = {f"H{n}": n for n in range(1, 7)}
_LINE_ENDS = ("Item", "Paragraph", "Heading", "TableCell", "List", "CodeBlock", "BlockQuote", "Table")


class Block(NamedTuple):
    """A block at the top level of the document, or an item of a list, or a row of a table."""

    kind: str
    """heading, text, list, code, html, table, quote, rule, other; item and row inside list and table."""
    start: int
    """Where its first line begins."""
    end: int
    level: int
    """1..6 of a heading, else 0."""
    opening: str
    """A heading's whole text; else the text of the first line, without markup, at most 200 characters."""
    parts: tuple["Block", ...]
    """Items of a list, rows of a table; the head row is the first."""


def blocks(data: bytes, start: int) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """The blocks of `data` from `start` on, and the distinct link targets. Bytes that are not UTF-8 count as `?`."""
    text = data[start:].decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode("utf-8")
    if "\r" in text:  # pyromark misses a fence that ends in a lone CR; CommonMark knows CR as a line end
        text = _LONE_CR.sub("\n", text)
    found: list[Block] = []
    links: dict[str, None] = {}
    parts: list[Block] = []
    depth = 0
    kind, level, opened, ended = "", 0, start, start
    words: list[str] = []  # of the block's first line, or of the whole heading
    part_words: list[str] = []
    part_opened = part_ended = start
    part_kind = ""
    more = part_more = False  # still on the first line
    event: Any  # a name, or a dict of one item: the stubs leave its values open
    for event, place in _PARSER.events_with_range(text, merge_text=True):
        if isinstance(event, str):
            if event == "Rule" and depth == 0:
                found.append(Block("rule", start + place["start"], start + place["end"], 0, "", ()))
            elif event in ("SoftBreak", "HardBreak"):
                if kind == "heading":
                    words.append(" ")
                else:
                    more = part_more = False
            continue
        [(name, value)] = event.items()
        if name == "Text" or name == "Code":  # noqa: PLR1714 (half a million times a second)
            if more:
                words.append(value)
            if part_more:
                part_words.append(value)
        elif name == "Start":
            tag = value if isinstance(value, str) else next(iter(value))
            if depth == 0:
                kind = "heading" if tag == "Heading" else _KINDS.get(tag, "other")
                level = _LEVELS[value["Heading"]["level"]] if kind == "heading" else 0
                opened, ended = start + place["start"], start + place["end"]
                words, parts, more = [], [], kind != "code"
            elif depth == 1 and tag in ("Item", "TableRow", "TableHead"):
                part_kind = "item" if tag == "Item" else "row"
                part_opened, part_ended = start + place["start"], start + place["end"]
                part_words, part_more = [], True
            elif tag in ("CodeBlock", "BlockQuote", "List", "Table") and part_words:
                part_more = False
            elif tag in ("Link", "Image"):
                _keep_link(value, links)
            depth += 1
        elif name == "End":
            depth -= 1
            tag = value if isinstance(value, str) else next(iter(value))
            if depth == 0:
                begin = _line_start(data, opened, start)
                opening = "".join(words) if kind == "heading" else "".join(words)[:_OPENING]
                found.append(Block(kind, begin, ended, level, opening.strip(), tuple(parts)))
                kind, more, part_more = "", False, False
            elif depth == 1 and part_kind and tag in ("Item", "TableRow", "TableHead"):
                begin = _line_start(data, part_opened, start)
                words_of_it = "".join(part_words)[:_OPENING].strip()
                if part_kind == "item":
                    words_of_it = _with_day(data[begin:part_ended], words_of_it)
                parts.append(Block(part_kind, begin, part_ended, 0, words_of_it, ()))
                part_kind, part_more = "", False
            elif tag in _LINE_ENDS:
                if part_kind == "row" and tag == "TableCell":
                    if part_more:
                        part_words.append(" ")
                elif tag != "List" and part_words:
                    part_more = False
                if kind in ("quote", "list") and words:
                    more = False
    return tuple(found), tuple(links)


def _line_start(data: bytes, at: int, floor: int) -> int:
    """`at` moved back over the blanks that indent it, not before `floor`."""
    while at > floor and data[at - 1] in b" \t":
        at -= 1
    return at


def _with_day(item: bytes, words: str) -> str:
    """`2. September 2026: x` is a date whose day CommonMark takes for a list's number."""
    if words[:1].isdigit() or plain(words[:20].partition(" ")[0]) not in MONTHS:
        return words
    day = _DAY.match(item)
    return f"{day[1].decode()} {words}" if day else words


def _keep_link(value: Any, links: dict[str, None]) -> None:  # noqa: ANN401 (pyromark's event)
    target = next(iter(value.values())).get("dest_url", "")
    if target and "://" not in target and not target.startswith(("mailto:", "#", "data:")):
        links[target] = None
