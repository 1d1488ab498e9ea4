"""Before a tool runs: the guard of dated entries, and what the notes say about the very file or command at hand.

A reminder here is next to the deed, so it must be about that deed: a note is named only when it mentions the file by a
path that fits, or the command word for word, and when so few notes do that the mention means something.
"""

from __future__ import annotations

import os

from ladder.clients import FILE_TOOLS, SHELL_TOOLS
from ladder.hookblock import clean, note_line, tokens_of, wrap
from ladder.hookindex import note_bytes, version_of
from ladder.session_state import read_private
from ladder.tokenise import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.cold import Index
    from ladder.hookmoment import Moment

#: A file or command that more notes than this mention is no particular note's business.
MOST_NOTES = 3
#: Notes named at one call, and tokens spent on them.
NAMED = 2
TOOL_BUDGET = 200
#: A note longer than this is not held against an edit.
GUARDED_BYTES = 4 * 1024 * 1024
#: Without one of these a command hurts no note that it does not name.
UNNAMED = (
    "rm ",
    "rm\t",
    "mv ",
    "rmtree",
    "checkout",
    "restore",
    " clean",
    "sed ",
    "perl ",
    "ruby ",
    "shred ",
    "remove-item",
    "move-item",
)
#: Words of a command that are looked at.
COMMAND_WORDS = 24


class Mention:
    """A paragraph that mentions what is at hand: note and paragraph numbers, and the words it was found by."""

    __slots__ = ("note", "paragraph", "words")

    def __init__(self, note: int, paragraph: int, words: str) -> None:
        self.note = note
        self.paragraph = paragraph
        self.words = words


def answer_tool(moment: Moment) -> None:
    """Put a denial, or facts about the file or command, into the reply."""
    name, given = moment.text("tool_name"), moment.event.get("tool_input")
    if not isinstance(given, dict):
        return
    denial = _guard(moment, name, given)
    warning = ""
    if denial and moment.setting("guard") == "warn":
        denial, warning = "", denial
    if denial:
        moment.record["d"] = 1
        moment.reply.say(moment.name, denial=denial)
        return
    text = "" if moment.in_subagent else _facts(moment, name, given)
    if warning or text:
        moment.record["k"] = tokens_of(text)
        moment.reply.say(moment.name, "\n".join([part for part in (warning, text) if part]))


def _guard(moment: Moment, name: str, given: dict[str, object]) -> str:
    """Return why the call would hurt a dated entry of a note, "" when it would not or names no note."""
    named = given.get(FILE_TOOLS[name]) if name in FILE_TOOLS else given.get("command")
    if name == "Read" or not isinstance(named, str):
        return ""
    folded = named.casefold()
    if ".md" not in folded and not (name in SHELL_TOOLS and any(word in folded for word in UNNAMED)):
        return ""
    index = moment.index()
    if index is None or moment.setting("guard") == "off":
        return ""
    from ladder.guard import guard_denial  # noqa: PLC0415 (few calls touch a note)

    roots = [path for path, _ in index.files()["surroundings"].get("roots", ())]
    denial = guard_denial(
        moment.event,
        lambda path: read_private(path, GUARDED_BYTES) or None,
        roots,
        lambda: [index.note(n).path for n in range(index.count) if index.alive(n)],
    )
    return clean(denial) if denial else ""


def _facts(moment: Moment, name: str, given: dict[str, object]) -> str:
    value = given.get(FILE_TOOLS[name]) if name in FILE_TOOLS else given.get("command")
    if not isinstance(value, str) or not value or (name not in FILE_TOOLS and name not in SHELL_TOOLS):
        return ""
    index = moment.index()
    if index is None or not index.count:
        moment.silent("no index")
        return ""
    if name in FILE_TOOLS:
        own = note_at(index, value, moment.cwd)
        if own is not None:
            if name == "Read":
                moment.state.open(index.note(own).name)
            moment.silent("a note itself")
            return ""
        found = mentions_of_file(index, value, moment.root)
    else:
        # In PowerShell a backslash parts folders.
        found = mentions_of_command(index, value.replace("\\", "/") if name == "PowerShell" else value, moment.root)
    return _say(moment, index, found)


def _say(moment: Moment, index: Index, found: list[Mention]) -> str:
    state = moment.state
    lines: list[str] = []
    shown: list[tuple[str, str]] = []
    seen: set[int] = set()
    for mention in found:
        row = index.note(mention.note)
        if mention.note in seen or state.knows(row.name, version_of(row)):
            continue
        seen.add(mention.note)
        passages = index.passages(mention.note)
        paragraph = passages.paragraph(mention.paragraph)
        section = passages.sections[paragraph.section - 1]
        about = "~" if row.estimated else ""
        line = note_line(
            row.name,
            head_cost=row.head_cost,
            cost=row.cost,
            changed=row.changed,
            why=(f"mentions {mention.words}",),
            sections=[(paragraph.entry_slug or section.slug, section.cost)],
            about=about,
        )
        text = clean(note_bytes(row, paragraph.start, paragraph.end).decode("utf-8", "replace")).strip()
        used = tokens_of("\n".join(lines))
        if text and used + tokens_of(line) + paragraph.cost <= TOOL_BUDGET:
            line += "\n" + text
        elif used + tokens_of(line) > TOOL_BUDGET:
            break
        lines.append(line)
        shown.append((row.name, version_of(row)))
        if len(shown) == NAMED:
            break
    if not lines:
        moment.silent("nothing about it" if not found else "shown before")
        return ""
    state.show(shown)
    moment.record["n"] = [[name, 1, "mentions"] for name, _ in shown]
    return wrap(["From the user's notes, on what this call is about:", *lines])


def note_at(index: Index, path: str, cwd: str) -> int | None:
    """Return the number of the note that lies at `path`, None when it is no note."""
    if not path.lower().endswith((".md", ".mdx", ".markdown")):
        return None
    full = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118 (pathlib costs more than the answer)
    base = os.path.basename(full)  # noqa: PTH119 (as above)
    for n in index.find(base) or index.find(os.path.relpath(full, index.root)):
        if os.path.normcase(index.note(n).path) == os.path.normcase(full):
            return n
    return None


def mentions_of_file(index: Index, path: str, root: str) -> list[Mention]:
    """Return the paragraphs that mention a file, by the longest end of its path that any note holds."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    inside = [part for part in root.replace("\\", "/").split("/") if part]
    if parts[: len(inside)] == inside:
        parts = parts[len(inside) :]
    for first in range(max(0, len(parts) - 6), len(parts)):
        tail = "/".join(parts[first:])
        found = terms(tail)
        if not found:
            continue
        notes, _ = index.df(found[0])
        if notes > MOST_NOTES:
            return []
        if notes:
            return _mentions(index, found[0], tail, parts[:first])
    return []


def mentions_of_command(index: Index, command: str, root: str) -> list[Mention]:
    """Return the paragraphs that hold two neighbouring words of a command, one of them rare, or a file it names."""
    words = [word.strip("\"'();&|") for word in command.split(None, COMMAND_WORDS)[:COMMAND_WORDS]]
    found: list[Mention] = []
    for first, second in zip(words, words[1:]):  # noqa: B905, RUF007 (itertools is one import more)
        if "/" in first or not first or not second or first.startswith(("-", "$", ">", "<")):
            continue
        rare = [term for term in terms(f"{first} {second}") if 0 < index.df(term)[0] <= MOST_NOTES]
        if rare and len(second) > 2:
            found += _mentions(index, rare[0], f"{first} {second}", [])
    for word in words:
        if "/" in word and "." in word.rpartition("/")[2] and "://" not in word:
            found += mentions_of_file(index, word, root)
    return found[: 2 * NAMED]


def _mentions(index: Index, term: str, words: str, above: list[str]) -> list[Mention]:
    """Return the paragraphs that hold `term` and, word for word, `words`; not as part of another path than `above`."""
    scores = index.score_notes({term: 1.0})
    ranked = sorted([n for n, score in enumerate(scores) if score > 0 and index.alive(n)], key=lambda n: -scores[n])
    found: list[Mention] = []
    for n in ranked[:MOST_NOTES]:
        passages = index.passages(n)
        for paragraph, _ in passages.counts(term):
            row = passages.paragraph(paragraph)
            text = note_bytes(index.note(n), row.start, row.end).decode("utf-8", "replace")
            if _fits(text, words, above):
                found.append(Mention(n, paragraph, words))
                break
    return found


def _fits(text: str, words: str, above: list[str]) -> bool:
    """Say whether `words` stand in `text` as a whole, and what stands before them in a path agrees with `above`."""
    folded, wanted = text.casefold(), words.casefold()
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        after = folded[end : end + 1]
        before = folded[at - 1 : at] if at else ""
        if not after.isalnum() and after not in ("_", "-") and not before.isalnum() and before not in ("_", "-", "."):
            if before != "/":
                return True
            folder = folded[:at].rstrip("/").rpartition("/")[2].split()[-1:]
            if not above or (folder and folder[0].strip("`\"'(") in ("", ".", "..", "…", "...", above[-1].casefold())):
                return True
        at = folded.find(wanted, at + 1)
    return False
