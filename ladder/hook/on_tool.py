"""Before a tool runs: the guard of dated entries, and what the notes say about the very file or command at hand.

A reminder here is next to the deed, so it must be about that deed: see mentions.py.
"""

from __future__ import annotations

import os

from ladder.client.contract import CLAUDE_CODE, FILE_TOOLS, SEARCH_TOOLS, SHELL_TOOLS
from ladder.hook.block import tokens_of, wrap
from ladder.hook.index import version_of
from ladder.hook.session import passage_key
from ladder.index.format import IndexBroken
from ladder.index.freshness import read_file
from ladder.lean.files import read_private
from ladder.lean.paths import index_file
from ladder.lean.project import main_of, trees_of
from ladder.reading.answer import CUT, shown, told
from ladder.speaking.mentions import mentions_of_command, mentions_of_file
from ladder.text.plain import address, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.event import Moment
    from ladder.index.reader import Index
    from ladder.speaking.mentions import Mention

#: Notes named at one call, and tokens spent on them. Two notes cost twice as much and brought no more evidence.
NAMED = 1
TOOL_BUDGET = 150
#: Of a paragraph of more than LONG tokens, at most LINES lines that mention the file or command are shown.
LONG = 60
LINES = 3
#: Without one of these a command searches no files.
SEARCHING = ("grep", "rg ", "ag ")
#: Tokens spent on a search.
SEARCH_BUDGET = 150
LEAD = "From the user's notes, on what this call is about:"
#: A note longer than this is not held against an edit.
GUARDED_BYTES = 4 * 1024 * 1024
#: What the person reads when time runs out over a call.
UNJUDGED = "There was not enough time to tell whether this would change or remove a dated entry of a note."
#: What the agent reads then where the guard only warns: behind the call's result.
UNJUDGED_DONE = "There was not enough time to tell whether this changed or removed a dated entry of a note."
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
    "--hard",
    "discard-changes",
    "switch",
)


def answer_tool(moment: Moment) -> None:
    """Put a denial, or facts about the file or command, into the reply."""
    name, given = moment.text("tool_name"), moment.event.get("tool_input")
    if not isinstance(given, dict):
        return
    denial, warning = ("", "") if moment.name == "PostToolUse" else _guard(moment, name, given)
    if denial:
        moment.record["d"] = 1
        moment.reply.say(moment.name, denial=denial)
        return
    # Some clients hand nothing over before a call: there the facts come with its result.
    text = "" if moment.in_subagent or moment.event.get("facts") == "later" else _said(moment, name, given)
    if warning or text:
        moment.record["k"] = tokens_of(text)
        moment.reply.say(moment.name, "\n".join([part for part in (warning, text) if part]))


def _guard(moment: Moment, name: str, given: dict[str, object]) -> tuple[str, str]:
    """Return why the call would hurt a dated entry of a note: to deny it, or only to say so; "" for neither."""
    named = given.get(FILE_TOOLS[name]) if name in FILE_TOOLS else given.get("command")
    if name.startswith("mcp__"):
        named = " ".join([value for value in given.values() if isinstance(value, str) and len(value) < 4096])
    if name == "Read" or not isinstance(named, str):
        return "", ""
    folded = named.casefold()
    if ".md" not in folded and not (name in SHELL_TOOLS and any(word in folded for word in UNNAMED)):
        return "", ""
    index = moment.index() or _index_of_main(moment.root)
    guard = "off" if index is None else index.settings.get("guard")
    if index is None or guard == "off":
        return "", ""
    from ladder.hook.guard.judge import guard_denial, guard_twins, guarded_roots  # noqa: PLC0415 (few calls touch a note)

    client = os.environ.get(CLAUDE_CODE.config_env) or os.path.expanduser("~/" + CLAUDE_CODE.folder)  # noqa: PTH111 (pathlib costs more than the answer)
    trees = list(dict.fromkeys([index.root, *trees_of(moment.root)]))
    roots = guarded_roots(trees, index.files()["surroundings"].get("roots", ()), client)
    if not roots:
        return "", ""
    # A call can be so long that time runs out; to say nothing then would let pass what the guard is there for.
    if guard == "warn":
        moment.reply.say(moment.name, UNJUDGED_DONE)
    else:
        moment.reply.say(moment.name, denial=UNJUDGED, ask=True)
    said = guard_denial(
        moment.event,
        lambda path: read_private(path, GUARDED_BYTES) or None,
        roots,
        lambda: [path for n in range(index.count) if index.alive(n) for path in guard_twins(index.note(n).path, trees)],
        done=guard == "warn",
    )
    moment.reply.unsay()
    said = clean(said) if said else ""
    return ("", said) if guard == "warn" else (said, "")


def _index_of_main(root: str) -> Index | None:
    """Return the main work tree's index, for a new worktree that has none: the guard needs but the notes' places."""
    from ladder.index.reader import open_index  # noqa: PLC0415 (seldom needed)

    main = main_of(root)
    if main == root:
        return None
    try:
        return open_index(index_file(main))
    except IndexBroken:
        return None


def _said(moment: Moment, name: str, given: dict[str, object]) -> str:
    """Return what is said before a call: to a search, else of the file or command."""
    command = given.get("command")
    if name in SEARCH_TOOLS or (isinstance(command, str) and any([word in command for word in SEARCHING])):  # noqa: C419 (a list costs the hook less)
        from ladder.hook.searched import searched  # noqa: PLC0415 (most calls are no searches)

        wanted = searched(name, given)
        if wanted and (text := _found(moment, wanted)):
            return text
    return _facts(moment, name, given)


def _found(moment: Moment, wanted: str) -> str:
    """Return what the notes say of the words that the agent searches files for."""
    index = moment.index()
    if index is None or not index.count or not moment.on("search"):
        return ""
    from ladder.hook.hand_over import hand_over  # noqa: PLC0415 (few searches come so far)
    from ladder.query.query import Context, query  # noqa: PLC0415 (few calls are searches)
    from ladder.speaking.gate import threshold_of  # noqa: PLC0415 (as above)
    from ladder.speaking.verdict import decide_as_files_are  # noqa: PLC0415 (as above)

    asked = query(Context(wanted, cwd=moment.cwd, search=True, moment="search"))
    decision = decide_as_files_are(index, asked, None, threshold_of(moment.setting("gate")))
    if not decision.speaks:
        return ""
    moment.record["w"] = "search"
    return hand_over(moment, index, decision, None, most=SEARCH_BUDGET)


def _facts(moment: Moment, name: str, given: dict[str, object]) -> str:
    """Return what the notes say of the file or command; of a long note that is read whole, what comes instead."""
    if name == "apply_patch":
        from ladder.client.words import patch_files  # noqa: PLC0415 (one client's tool)

        for path in patch_files(str(given.get("command") or "")):
            if text := _facts(moment, "Edit", {"file_path": path}):
                return text
        return ""
    value = given.get(FILE_TOOLS[name]) if name in FILE_TOOLS else given.get("command")
    if not isinstance(value, str) or not value or (name not in FILE_TOOLS and name not in SHELL_TOOLS):
        return ""
    index = moment.index()
    if index is None or not index.count:
        moment.silent("no index")
        return ""
    own = note_at(index, value, moment.cwd) if name in FILE_TOOLS else None
    if own is not None and name == "Read":
        return _reads(moment, index, own, given)
    if not moment.on("call"):
        moment.silent("off")
        return ""
    if own is not None:
        moment.silent("a note itself")
        return ""
    if name in FILE_TOOLS:
        found = mentions_of_file(index, value, moment.root)
    else:
        # In PowerShell a backslash parts folders.
        found = mentions_of_command(index, value.replace("\\", "/") if name == "PowerShell" else value, moment.root)
    return _say(moment, index, found)


def _reads(moment: Moment, index: Index, own: int, given: dict[str, object]) -> str:
    """Note that the agent reads a note; return what it is told when a whole read of a long one is made narrow."""
    if moment.setting("read") == "narrow":
        from ladder.hook.narrow import narrowed  # noqa: PLC0415 (off by default)

        if text := narrowed(moment, index, own, given):
            return text
    moment.state.open(index.note(own).name)
    moment.silent("a note itself")
    return ""


def _say(moment: Moment, index: Index, found: list[Mention]) -> str:
    state = moment.state
    lines: list[str] = []
    named: list[tuple[str, str]] = []
    used = tokens_of(wrap([LEAD]))
    for mention in found:
        row = index.note(mention.note)
        passages = index.passages(mention.note)
        paragraph = passages.paragraph(mention.paragraph)
        data = told(read_file(row.path)) or b""
        own = data[paragraph.start : paragraph.end]
        if state.knows(row.name, version_of(row)) or passage_key(own) in state.passages.get(row.name, {}):
            continue
        section = passages.sections[paragraph.section - 1]
        slug = paragraph.entry_slug or (section.slug if paragraph.section > 1 else "")
        line = f"{address(row, slug)} ({'~' if row.estimated else ''}{section.cost} tokens)"
        text = shown(data, paragraph.start, paragraph.end, paragraph.start, paragraph.end).strip()
        if paragraph.cost > LONG:
            text = _lines_with(text, mention.words)
        if used + tokens_of(line) > TOOL_BUDGET:
            break
        used += tokens_of(line)
        lines.append(line)
        if text and used + tokens_of(text) <= TOOL_BUDGET:
            lines.append(text)
            used += tokens_of(text)
            state.show_passages(row.name, [own])
        named.append((row.name, version_of(row)))
        if len(named) == NAMED:
            break
    if not lines:
        moment.silent("nothing about it" if not found else "shown before")
        return ""
    state.show(named)
    moment.record["n"] = [[name, 1, "mentions"] for name, _ in named]
    return wrap([LEAD, *lines])


def _lines_with(text: str, words: str) -> str:
    """Return the lines of a long paragraph that hold the words, with a mark where others are left out."""
    folded = words.casefold()
    kept = [line for line in text.split("\n") if folded in line.casefold()]
    return "\n".join([CUT, *kept[:LINES], CUT]) if kept else ""


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
