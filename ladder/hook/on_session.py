"""The brief at a session's start, and the mark at its end.

After a compaction the brief names the notes that were in use, because what was shown of them is gone. A resumed session
has been told before and is told nothing again.
"""

from __future__ import annotations

from ladder.hook.block import OPEN, day, tokens_of, wrap
from ladder.hook.session import ANY_VERSION, sweep
from ladder.hook.shown import note_resumed
from ladder.index.name_table import fold_name
from ladder.lean.files import append_private, read_private
from ladder.lean.json import to_json
from ladder.text.plain import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.event import Moment
    from ladder.index.note_view import NoteRow
    from ladder.index.reader import Index
    from ladder.learning.model import Learned

#: Tokens of the brief.
BRIEF_BUDGET = 150

#: With more notes than this, finding out which moved lately would take longer than it is worth.
MOST_ROWS = 3_000

#: Notes that a line of the brief names.
NAMED = 5
#: Files written within this many seconds of one another came together, by a checkout or a script: when they are more
#: than a line names, their order says nothing.
TOGETHER = 2

#: Bytes of the list of sessions that wait for mining; the newer half is kept when it is full.
MARKS_CAP = 256 * 1024


def answer_start(moment: Moment) -> None:
    """Put the brief into the reply."""
    source = moment.text("source")
    state = moment.state
    if source in ("compact", "clear"):
        state.reset(source)
    elif source in ("resume", "fork"):
        note_resumed(moment)
        if not remember_log(moment):
            moment.silent("told before")
            return
    state.begin(source)
    sweep(f"{moment.folder}/sessions")
    index = moment.index_to_speak_from()
    if index is None:
        return
    if not moment.on("start"):
        moment.silent("off")
        return
    text = brief(index, state.before if source == "compact" else (), moment.learned())
    moment.record["k"] = tokens_of(text)
    moment.reply.say(moment.name, text)


def remember_log(moment: Moment) -> bool:
    """Take over from the log what a session of another name was shown; False when it has been told about its notes.

    A fork or a resumed session may come with a new id, and the log holds what was said to the old one.
    """
    from ladder.hook.shown import notes_in_blocks  # noqa: PLC0415 (only a session without a state of its own needs it)
    from ladder.query.log_tail import blocks_of  # noqa: PLC0415 (as above)

    if not moment.state.fresh:
        return False
    if form := moment.text("log_form"):
        from ladder.query.other_tails import tail_in  # noqa: PLC0415 (as above)

        tail = tail_in(form, moment.log)
        blocks = tail.blocks if tail is not None else []
    else:
        blocks = blocks_of(moment.log) if moment.log else []
    index = moment.index() if blocks else None
    if index is not None:
        named = [n for address in notes_in_blocks(blocks) for n in index.find(address)[:1]]
        moment.state.show([(index.note(n).name, ANY_VERSION) for n in named])
    return not any([OPEN in text for text in blocks])  # noqa: C419 (a list costs the hook less)


def brief(index: Index, in_use: tuple[str, ...], learned: Learned | None = None) -> str:
    """Return what a new session is told: how many notes there are, which matter now, how to get at them."""
    numbers = [n for n in range(index.count) if index.alive(n)] if index.count <= MOST_ROWS else []
    rows = [index.note(n) for n in numbers]
    number_of = dict(zip([row.path for row in rows], numbers))  # noqa: B905 (one for each)
    about = "~" if index.estimated else ""
    total = f", {about}{sum([row.cost for row in rows]):,} tokens" if rows else ""
    lines = [f"The user keeps {index.living} {'note' if index.living == 1 else 'notes'} on this project{total}."]
    named = [row for path in in_use for row in rows if row.name == path][:6]
    # Of a large store the files are looked at only now.
    named = [row for row in named if index.check(number_of[row.path])]
    if named:
        lines.append(_row_line("In use before the compaction:", named, dated=False))
    usual = _opened_most(rows, learned, {row.path for row in named})
    usual = [row for row in usual if index.check(number_of[row.path])]
    if usual:
        lines.append(_row_line("Opened most in earlier sessions:", usual, dated=False))
    lately = [row for row in _changed_last(rows) if index.check(number_of[row.path])]
    if lately:
        lines.append(_row_line("Changed last:", lately, dated=True))
    lines.append('Before searching files: `ladder answer -b 300 "QUESTION"` prints the lines that answer,')
    lines.append("`ladder read NOTE#SECTION` a section.")
    while tokens_of(wrap(lines)) > BRIEF_BUDGET and len(lines) > 3:
        # The last name of the longest list goes first; a list that is empty goes whole.
        longest = max(range(1, len(lines) - 2), key=lambda i: len(lines[i]))
        head, _, last = lines[longest].rpartition(", ")
        if head and last:
            lines[longest] = head
        else:
            del lines[longest]
    return wrap(lines)


def _opened_most(rows: list[NoteRow], learned: Learned | None, others: set[str]) -> list[NoteRow]:
    """The notes that were opened most in earlier sessions, without those of the paths in `others`."""
    if learned is None:
        return []
    by_name = {fold_name(row.name): row for row in rows if row.path not in others}
    numbers = sorted(range(len(learned.names)), key=lambda number: -learned.opened[number])
    found = [by_name[name] for name in [fold_name(learned.names[number]) for number in numbers] if name in by_name]
    return found[:NAMED]


def _changed_last(rows: list[NoteRow]) -> list[NoteRow]:
    """The notes that changed last, the last one first, as far as their files' times tell one from another."""
    ordered = sorted(rows, key=lambda row: -row.changed)[: 2 * NAMED + 1]
    begin = 0  # of those that came together
    for i, row in enumerate(ordered):
        if i and ordered[i - 1].changed - row.changed > TOGETHER:
            if begin >= NAMED:
                break
            begin = i
        if i - begin >= NAMED:
            return ordered[:begin]
    return ordered[:NAMED]


def _row_line(lead: str, rows: list, *, dated: bool) -> str:  # type: ignore[type-arg]
    names = [one_line(row.name) + (f" ({day(row.changed)})" if dated else f" ({row.cost} tokens)") for row in rows]
    return f"{lead} {', '.join(names)}"


def mark_session(moment: Moment) -> None:
    """Write down that a session's log has something new to mine; takes no more than one write."""
    path = f"{moment.folder}/sessions-ended.jsonl"
    mark = {"t": moment.record["t"], "log": moment.log, "cwd": moment.cwd}
    moment.record = {}  # no answer, nothing to count
    if not moment.log:
        return
    append_private(path, (to_json(mark) + "\n").encode("ascii"))
    kept = read_private(path, MARKS_CAP + 1)
    if len(kept) > MARKS_CAP:
        from ladder.lean.files import replace_private  # noqa: PLC0415 (once in some thousand sessions)

        half = kept[len(kept) // 2 :]
        replace_private(path, half[half.find(b"\n") + 1 :])
