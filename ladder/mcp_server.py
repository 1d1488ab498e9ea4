"""The three rungs as tools of an MCP server on stdin and stdout, for agents that run no shell (extra `mcp`).

Each tool answers with plain text in the form of the command line; each call sees the notes as they are on disk now.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from ladder.context import Context, query
from ladder.rungs import Ambiguous, NoSuchNote, NoSuchSection, map_note, one_note, read_section, suggest
from ladder.update import fresh_index
from notes import address_parts, project_root

INSTRUCTIONS = (
    "The user's notes on this project, read rung by rung: suggest names notes with their cost in tokens, map lists "
    "a note's sections with theirs, read gives one section. A head is what holds now; dated entries were true then."
)


class Rungs:
    """The tools' functions for the project in one folder."""

    def __init__(self, folder: Path) -> None:
        """Find the project that `folder` belongs to."""
        self.root = project_root(folder)

    def suggest(self, question: str) -> str:
        """Name the notes that may hold the answer: name, tokens of its head, of all of it, and why."""
        with fresh_index(self.root) as index:
            found = suggest(index, query(Context(message=question)))
            rows = [(each, index.note(each.note)) for each in found]
            about = "~" if index.estimated else ""
        lines = [
            f"{each.name}  head {about}{row.head_cost}, all {about}{row.cost}  {', '.join(each.why)}"
            for each, row in rows
        ]
        return "\n".join(lines) or "No note shares anything with the question."

    def map(self, note: str, question: str = "") -> str:
        """List a note's sections: address, zone, tokens; `<-` and the question's words that stand there."""
        with fresh_index(self.root) as index:
            try:
                n = one_note(index, note)
            except (NoSuchNote, Ambiguous) as error:
                return str(error)
            weights = query(Context(message=question)).weights if question else {}
            about = "~" if index.estimated else ""
            lines = [index.note(n).name]
            for row in map_note(index, n, weights):
                address = f"{'  ' * max(0, row.level - 1)}{row.title}  #{row.slug}"
                hits = f"  <- {', '.join(row.hits)}" if row.hits else ""
                lines.append(f"{address}  {row.zone}  {about}{row.cost}{hits}")
        return "\n".join(lines)

    def read(self, note: str, section: str = "") -> str:
        """Give one section of a note; without one its head. `section` is a slug, a number, a title or a path A > B."""
        with fresh_index(self.root) as index:
            name, inside = address_parts(note, lambda name: bool(index.find(name)))
            try:
                return read_section(index, one_note(index, name), section or inside).text
            except (NoSuchNote, NoSuchSection, Ambiguous, OSError) as error:
                return str(error)


def server(folder: Path) -> Any:  # noqa: ANN401 (the class has two names, see below)
    """Return the server for the project that `folder` belongs to. Raises ImportError without the package `mcp`."""
    try:
        made = import_module("mcp.server.mcpserver").MCPServer("ladder", instructions=INSTRUCTIONS)
    except ImportError:
        # mcp 1.x calls the same class by another name.
        made = import_module("mcp.server.fastmcp").FastMCP("ladder", instructions=INSTRUCTIONS)
    rungs = Rungs(folder)
    for tool in (rungs.suggest, rungs.map, rungs.read):
        made.tool(name=tool.__name__, description=tool.__doc__, structured_output=False)(tool)
    return made
