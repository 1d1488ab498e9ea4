"""The three rungs as tools of an MCP server on stdin and stdout, for agents that run no shell (extra `mcp`).

Each tool answers with plain text in the form of the command line; each call sees the notes as they are on disk now.
"""

from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from ladder.index.format import IndexBroken
from ladder.indexing.update import fresh_index
from ladder.lean.paths import project_data
from ladder.learning.model import open_learned
from ladder.meaning.use import meant
from ladder.query.dates.calendar import now_here
from ladder.query.dates.date_only import only_days
from ladder.query.query import Context, query
from ladder.ranking.explain import written_terms
from ladder.reading.map_rows import rows_shown
from ladder.reading.rungs import Ambiguous, NoSuchNote, NoSuchSection, map_note, one_note, read_section, suggest
from notes import SettingsError, address_parts, project_root

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")

INSTRUCTIONS = (
    "The user's notes on this project, read rung by rung: suggest names notes with their cost in tokens, map lists "
    "a note's sections with theirs, read gives one section. A head is what holds now; dated entries were true then."
)


def _told(tool: "Callable[Concatenate[Rungs, P], str]") -> "Callable[Concatenate[Rungs, P], str]":
    """Let a tool say in one line what it cannot do: of an error of its own the server tells the client nothing."""

    @wraps(tool)
    def run(self: "Rungs", /, *args: "P.args", **kwargs: "P.kwargs") -> str:
        try:
            try:
                return tool(self, *args, **kwargs)
            except IndexBroken:  # damaged since it was opened
                pass
            fresh_index(self.root, force=True).close()
            return tool(self, *args, **kwargs)
        except (NoSuchNote, NoSuchSection, Ambiguous, SettingsError, OSError) as error:
            return str(error)

    return run


class Rungs:
    """The tools' functions for the project in one folder."""

    def __init__(self, folder: Path) -> None:
        """Find the project that `folder` belongs to."""
        self.root = project_root(folder)

    @_told
    def suggest(self, question: str) -> str:
        """Name the notes that may hold the answer: name, tokens of its head, of all of it, and why."""
        with fresh_index(self.root) as index:
            learned = open_learned(project_data(index.root) + "/learned")
            asked = Context(message=question, cwd=str(self.root), now=now_here(), search=True)
            found = suggest(index, meant(index, query(asked)), learned=learned)
            rows = [(each, index.note(each.note)) for each in found]
            about = "~" if index.estimated else ""
            lines = [
                f"{each.name}  head {about}{row.head_cost}, all {about}{row.cost}  {', '.join(each.why)}"
                for each, row in rows
            ]
            days = only_days(query(asked)) if not lines else ""
        return "\n".join(lines) or (
            f"No note has an entry of {days}." if days else "No note shares anything with the question."
        )

    @_told
    def map(self, note: str, question: str = "") -> str:
        """List a note's sections: address, zone, tokens; `<-` and the question's words that stand there."""
        with fresh_index(self.root) as index:
            n = one_note(index, note)
            weights = query(Context(message=question)).weigh()[0] if question else {}
            about = "~" if index.estimated else ""
            lines = [index.note(n).name]
            rows, written = map_note(index, n, weights), written_terms(question)
            shown = rows_shown(rows)
            for row in shown:
                address = f"{'  ' * max(0, row.level - 1)}{row.title}  #{row.slug}"
                hits = f"  <- {', '.join(written.get(term, term) for term in row.hits)}" if row.hits else ""
                lines.append(f"{address}  {row.zone}  {about}{row.cost}{hits}")
            if len(shown) < len(rows):
                lines.append(f"{len(shown)} of {len(rows)} rows; words of a question choose which")
        return "\n".join(lines)

    @_told
    def read(self, note: str, section: str = "") -> str:
        """Give one section of a note; without one its head. `section` is a slug, a number, a title or a path A > B."""
        with fresh_index(self.root) as index:
            name, inside = address_parts(note, lambda name: bool(index.find(name)))
            return read_section(index, one_note(index, name), section or inside).text


def server(folder: Path) -> Any:  # noqa: ANN401 (the class has two names, see below)
    """Return the server for the project that `folder` belongs to. Raises ImportError without the package `mcp`."""
    try:
        kind = import_module("mcp.server.mcpserver").MCPServer
    except ImportError:
        # mcp 1.x calls the same class by another name.
        kind = import_module("mcp.server.fastmcp").FastMCP
    made = kind("ladder", instructions=INSTRUCTIONS, log_level="WARNING")  # what a client asks wrongly is its business
    rungs = Rungs(folder)
    for tool in (rungs.suggest, rungs.map, rungs.read):
        made.tool(name=tool.__name__, description=tool.__doc__, structured_output=False)(tool)
    return made
