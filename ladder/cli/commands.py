"""The table of all commands: the file that holds each, its line in `--help`, and the heading that it stands under.

`--help` is printed from here, so it loads no command; a command's file is loaded when the command is called. A test
holds each line equal to the first one of the command's own help.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

from ladder.cli.terminal import warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping

    MutableCommands = MutableMapping[str, Any]
else:
    from collections.abc import MutableMapping

    MutableCommands = MutableMapping


class Command(NamedTuple):
    """A command as the table has it."""

    file: str
    """Its module in `ladder.cli`, which has `add(app: typer.Typer) -> None`."""
    help: str
    """The first line of its help."""
    heading: str = ""
    """What it stands under in `--help`; empty for a command that is not listed."""
    now: str = ""
    """Of a former name: the command to use, which is said when the former name is called."""
    name: str = ""
    """The name under which the file adds it, where that is another."""


_SET_UP = "Set up"
_ASK = "Ask the notes"
_WRITE = "Write notes"
_PROVE = "Measure with your own sessions"
_RARE = "Now and then"

#: `ladder …`, in the order of `--help`.
TOP: dict[str, Command] = {
    "init": Command("init", "Write ladder.toml, and a first note where there is none.", _SET_UP),
    "install": Command("install", "Put the hook into the client's settings.", _SET_UP),
    "doctor": Command("hook", "Try all that has to work together; say what to mend.", _SET_UP),
    "suggest": Command("rungs", "Name the notes that may hold the answer, and their costs.", _ASK),
    "map": Command("rungs", "List a note's sections with their costs in tokens.", _ASK),
    "read": Command("rungs", "Print a note, or one section of it, byte for byte.", _ASK),
    "answer": Command("answer", "Print what the notes say on it, within a budget of tokens.", _ASK),
    "note": Command("note.group", "Make, rewrite, append to and check notes.", _WRITE),
    "mine": Command("mine", "Find the note lines that answered in past sessions.", _PROVE),
    "bench": Command("bench.replay", "Say what your past sessions prove: hit rate against tokens.", _PROVE),
    "weekly": Command("bench.weekly", "Mine, replay, compare with the run before; say what changed.", _PROVE),
    "report": Command("bench.report", "Write the bench's curves, tables and misses into one HTML file.", _PROVE),
    "share": Command("share", "Hand over what was mined, without your words.", _PROVE),
    "stats": Command("hook", "Show how often the hook spoke, its cost, and what was read.", _PROVE),
    "config": Command("config", "Show which settings hold here, and where each comes from.", _RARE),
    "mcp": Command("hook", "Serve the notes as tools over MCP, on stdin and stdout.", _RARE),
    "forget": Command("forget", "Remove what a text, a session or a note has left behind.", _RARE),
    "uninstall": Command("install", "Take the hook out of the client's settings.", _RARE),
    # What programs call, and what is tried by hand.
    "hook": Command("hook", "Answer one event of a client on stdin."),
    "guard": Command("guard", "Say whether a tool call would be denied by the guard, and why."),
    "merge": Command("merge", "Merge two versions of a note or a ledger; git runs it."),
    "index": Command("index", "Bring the index of the notes up to date."),
    # Former names.
    "why": Command("why", "Explain a ranking, signal by signal.", now="ladder suggest --why"),
    "adopt": Command(
        "note.adopt", "Say what is head, body and history in notes you already have.", now="ladder note adopt"
    ),
    "promote": Command(
        "bench.promote", "Propose dated entries that keep being the answer for the head.", now="ladder note promote"
    ),
}

_NOTES = "Commands"

#: `ladder note …`.
NOTE: dict[str, Command] = {
    "new": Command("note.write", "Make a new note; never over another file.", _NOTES),
    "head": Command("note.write", "Rewrite a note's head; the old one is kept.", _NOTES),
    "append": Command("note.write", "Append a dated entry to a note's history.", _NOTES),
    "show": Command("note.write", "Show a note, a head, a section or an entry, verbatim.", _NOTES),
    "log": Command("note.write", "List a note's dated entries and its former heads.", _NOTES),
    "asof": Command("note.write", "Show a note as it stood at the end of a day.", _NOTES),
    "check": Command("note.check", "Check notes: changed histories, long heads, dead links, secrets.", _NOTES),
    "fix": Command("note.check", "Repair what is safe, asking first.", _NOTES),
    "restore": Command("note.check", "Give back dated entries that were changed or removed.", _NOTES),
    "adopt": Command("note.adopt", "Say what is head, body and history in notes you already have.", _NOTES),
    "promote": Command("bench.promote", "Propose dated entries that keep being the answer for the head.", _NOTES),
}

_YOURS = "Your notes and sessions"
_SETS = "Published sets"

#: `ladder bench …`; without a command it replays.
BENCH: dict[str, Command] = {
    "notes": Command("bench.notes", "Ask your notes for lines of theirs, by some words.", _YOURS),
    "nextnote": Command("bench.next_note", "Rank the note that the agent is about to open.", _YOURS),
    "hook": Command("bench.hook", "Measure the installed hook, or replay real logs through it.", _YOURS),
    "delivered": Command("bench.delivered", "Replay whole sessions: what reached the agent.", _YOURS),
    "agent": Command("bench.agent", "Have an agent answer questions with ladder and without; compare.", _YOURS),
    "sets": Command("bench.sets", "Ask a published set's questions of notes made from it.", _SETS),
    "public": Command("bench.public", "Run retrieval systems over a published question set.", _SETS),
    "fetch": Command("bench.fetch", "Download a published set into the data folder.", _SETS),
    "compare": Command("bench.compare", "Show which questions a run won and lost against another.", _SETS),
    # Former names.
    "lines": Command(
        "bench.notes", "Ask your notes for lines of theirs, by some words.", now="ladder bench notes", name="notes"
    ),
}

#: `ladder weekly …`; without a command it runs.
WEEKLY: dict[str, Command] = {
    "install": Command("bench.weekly_install", "Have the system run `ladder weekly` here every Monday.", "Commands"),
}


class _Loading(MutableCommands):
    """The commands of a table by name, each made when it is first asked for."""

    def __init__(self, table: Mapping[str, Command]) -> None:
        self.table = table
        self.made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (typer carries click inside, under a private name)
        entry = self.table[name]
        if name not in self.made:
            app = typer.Typer(rich_markup_mode=None)
            import_module(f"ladder.cli.{entry.file}").add(app)
            self.made[name] = get_group(app).commands[entry.name or name]
            self.made[name].hidden = not entry.heading
            _take_texts(self.made[name])
        return self.made[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401 (as above)
        self.made[name] = command

    def __delitem__(self, name: str) -> None:
        del self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)


def _take_texts(command: Any) -> None:  # noqa: ANN401 (as below)
    """Have a command take words such as `- a list` or `-v2 broke` for the texts that they are, not for options."""
    make = command.make_parser

    def make_parser(ctx: Any) -> Any:  # noqa: ANN401 (as below)
        parser = make(ctx)
        process, short = parser._process_opts, parser._short_opt  # noqa: SLF001 (typer has no public place for it)

        def process_options(word: str, state: Any) -> None:  # noqa: ANN401 (as below)
            name = word.partition("=")[0]
            if any(char.isspace() for char in name) and name[:2] not in short:
                state.largs.append(word)
            else:
                process(word, state)

        parser._process_opts = process_options  # noqa: SLF001 (as above)
        return parser

    command.make_parser = make_parser


class _Group(TyperGroup):
    """A group whose commands stand in a table."""

    table: ClassVar[Mapping[str, Command]] = {}

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 (typer's own)
        super().__init__(**attributes)
        self.commands = _Loading(self.table)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 (as above)
        """Find the command that `args` begin with; of a former name, say the one of today."""
        found = super().resolve_command(ctx, args)
        entry = self.table.get(found[0] or "")
        if entry and entry.now and not ctx.resilient_parsing:
            warn(f"`{ctx.command_path} {found[0]}` is now `{entry.now}`; the former name goes with the next release")
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 (as above; the base class has it)
        """Print the headings and their commands in whole, whatever the width."""
        headings = dict.fromkeys(entry.heading for entry in self.table.values() if entry.heading)
        wide = max(len(name) for name, entry in self.table.items() if entry.heading)
        for heading in headings:
            rows = [(name.ljust(wide), entry.help) for name, entry in self.table.items() if entry.heading == heading]
            with formatter.section(heading):
                formatter.write_dl(rows)


class TopGroup(_Group):
    """`ladder`."""

    table = TOP


class NoteGroup(_Group):
    """`ladder note`."""

    table = NOTE


class BenchGroup(_Group):
    """`ladder bench`."""

    table = BENCH


class WeeklyGroup(_Group):
    """`ladder weekly`."""

    table = WEEKLY
