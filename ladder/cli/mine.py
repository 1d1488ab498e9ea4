"""`ladder mine`: session logs to pairs, kept and added to; `--review`: somebody judges what was mined."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ladder.cli.options import whole
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, progress, show_json, warn
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from notes import Settings
    from transcripts import Mined, Pair, Session

#: Fewer pairs than this decide little (see bench/scores.py).
ENOUGH = 100

_SHOWN = 20
"""Damaged lines that are named one by one."""


def add(app: typer.Typer) -> None:
    """Add `mine`."""
    app.command()(mine)


def mine(
    logs: Path | None = typer.Option(
        None, help="A folder of session logs (or one log), all of it; default: this project's."
    ),
    notes: Path | None = typer.Option(None, help="The folder of notes; default: this project's notes."),
    glob: list[str] = typer.Option([], help="Which files of --notes are notes; default **/*.md."),
    out: Path | None = typer.Option(None, help="Where the pairs go; default: the project's data folder."),
    share: float = typer.Option(
        0.03, min=0, max=1, help="A word is uncommon in fewer than this share of the turns ..."
    ),
    floor: int = typer.Option(5, min=1, help="... or in fewer turns than this."),
    all_sessions: bool = typer.Option(False, "--all-sessions", help="Those that programs ran, too."),  # noqa: FBT003 (typer has the default first)
    archive: bool = typer.Option(False, "--archive", help="Keep compressed copies of the logs too."),  # noqa: FBT003 (typer has the default first)
    review: int = typer.Option(0, min=0, help="Show this many lines of each level, and ask of each: is it an echo?"),
    seed: int = typer.Option(1, help="Which sample --review draws."),
    by: str = typer.Option("", help="Who judges; default: the user's name."),
    on: str = typer.Option("", metavar="ADDRESS", help="Read on the workers of this Dask scheduler, or `local`."),
    as_json: bool = typer.Option(False, "--json", help="Print the counts as JSON."),  # noqa: FBT003 (typer has the default first)
) -> None:
    """Find the note lines that answered in past sessions.

    And the questions that led to them; `ladder bench` replays these. What was mined stays when the client sweeps its
    logs away; only what is new in them is read.
    """
    from ladder.cli.bench.replay import LOGS_FILE
    from ladder.cli.bench.said import sample_said
    from ladder.cli.machines import machines_of
    from ladder.flows.learning import Learner, learn_from
    from ladder.lean.paths import make_folder, project_data, project_key
    from notes import find_notes, folder_settings, load_settings, project_root
    from notes.atomic import write_private_lines
    from transcripts import Store, Tally, everywhere, paired, projects_folder, redact, scope_of, sessions, write_pairs
    from transcripts.clients.table import counted, folders
    from transcripts.logs.records import UNFINISHED, Skipped
    from transcripts.privacy.archive import archive as keep_copies
    from transcripts.turns.branches import NO_PARENT
    from transcripts.turns.tombstones import read_stones

    root = whole(notes) if notes else project_root(Path.cwd())
    if notes and not notes.is_dir():
        raise Failure(f"no folder of notes: {notes}")
    if out is not None and (not out.name or out.is_dir()):
        raise Failure(f"{out}: the pairs go into a file, and this is a folder")
    settings = folder_settings(root, tuple(glob) or ("**/*.md",)) if notes else load_settings(root)
    data = Path(project_data(str(root)))
    places = [whole(logs)] if logs else folders() or [projects_folder()]
    folder = places[0] if logs else projects_folder()
    store = Store(data / (f"mined-{project_key(str(folder))}" if logs else "mined"))
    unread: list[Skipped] = []
    found = sessions(folder, unread) if logs and folder.exists() else [] if logs else everywhere(unread)
    if logs is None:
        found = [session for session in found if belongs(session, root, settings)]
    for item in unread:
        warn(f"{item.file}: {item.reason}; what was mined from it before stays")
    if not found and unread and not store.files():
        raise typer.Exit(NOTHING_FOUND)
    if not found and not store.files():
        there = [place for place in places if place.exists()]
        what = f"no session logs: no folder {folder}"
        if there:
            what = f"no session logs of {root} in {', '.join(map(str, there))}"
        raise Failure(f"{what}; run it again once an agent has worked here. {sample_said()}", FOUND)
    make_folder(store.folder)
    target = out or data / "pairs.jsonl"
    in_scope = scope_of(settings, root)
    files = find_notes(settings)
    with store.lock():
        if logs:
            write_private_lines(
                store.folder / LOGS_FILE, [str(folder).encode("utf-8", "surrogateescape")], durable=False
            )
        learner = Learner(found, files, root, data / "learned", redact)
        with machines_of(on) as machines:
            read = store.update(found, redact, watch=learner, machines=machines)
            done = list(progress(read, "reading logs", len(found)))
        key = store.fingerprint(files, share, floor, all_sessions, str(target), (*Tally._fields, "expected"))
        counts = store.remembered(key, target)
        if counts is None:
            mined = paired(
                store,
                files,
                root,
                share=share,
                floor=floor,
                in_scope=in_scope,
                clean=redact,
                all_sessions=all_sessions,
            )
            write_pairs([*mined.pairs, *mined.delivered], target)
            counts = _counts(mined)
            store.remember(key, counts, target)
        copies = keep_copies(store, found, redact) if archive else 0
        seen = {each.session.file: each.found for each in done if each.found is not None}
        learned = learn_from(learner, data / "learned", read_stones(store.folder), seen)
    if review:
        _review(target, found, review, seed, by, as_json=as_json)
        return
    damaged = [item for item in counts["skipped"] if item["reason"] != UNFINISHED]
    for item in damaged[:_SHOWN]:
        how = "" if item["reason"] == NO_PARENT else "skipped, "
        warn(f"{item['file']}:{item['line']}: {how}{item['reason']}")
    if len(damaged) > _SHOWN:
        warn(f"and {len(damaged) - _SHOWN} more lines skipped")
    shown = counts | {"skipped": dict(Counter(item["reason"] for item in counts["skipped"]))}
    if as_json:
        show_json(
            {
                "logs": str(folder),
                "found": counted(found),
                "out": str(target),
                "sessions_read": len(done),
                "archive_bytes": copies,
                "learned": learned,
                **shown,
            }
        )
    else:
        print(_sentence(shown))
        _looked(places, counted(found))
        if not counts["reads"]:  # thirteen rows of zeros say nothing
            return
        _table(shown, len(done))
        if archive:
            print(f"archive    {copies / 1e6:.1f} MB in {store.folder / 'archive'}")
        sys.stdout.write(f"learned    from {learned} openings of notes\n")
        sys.stdout.write(f"pairs in   {target}\n")


def belongs(session: "Session", root: Path, settings: "Settings") -> bool:
    """Tell whether a session began in the project, by the folder that its records name."""
    from notes import main_root, project_root
    from notes.files.globs import matcher
    from transcripts import working_folder

    cwd = working_folder(session, (root, main_root(root)))
    if not cwd or (settings.mine_exclude and matcher(settings.mine_exclude)(cwd.replace("\\", "/").lstrip("/"))):
        return False
    folder = Path(cwd)
    if folder == root or root in folder.parents:
        return True
    return folder.is_dir() and main_root(project_root(folder)) == main_root(root)


def _counts(mined: "Mined") -> dict[str, Any]:
    from bench.questions import from_pairs

    expected = sum(question.sure for question in from_pairs(mined.pairs, "any"))
    return {
        **mined.tally._asdict(),
        "expected": round(expected, 2),
        "bytes": mined.size,
        "skipped": [item._asdict() for item in mined.skipped],
    }


def _sentence(counts: dict[str, Any]) -> str:
    """What was found and what is missing for more, for a reader who knows no term of the table."""
    sessions, messages = number_of(counts["sessions"], "session"), number_of(counts["questions"], "message")
    read = number_of(counts["reads"], "time")
    said = f"In {sessions} with {messages} of yours the agent read Markdown files {read}."
    states = counts["pairs"]["reply"]
    pairs = sum(states.values())
    if not pairs and not counts["reads"]:
        return f"{said} Nothing can be mined before an agent opens a note; `ladder init` names folders of notes."
    if not pairs:
        return f"{said} No reply used three uncommon words of a line that was read; `ladder bench` counts the openings."
    alive = states["alive"] + states["moved"]
    found = number_of(pairs, "pair")
    used = (
        f"{found} of a question and lines that its reply used were found; of {alive} a line still stands in the notes"
    )
    more = "" if pairs >= ENOUGH else f" About {ENOUGH} decide most comparisons; each week of sessions adds some."
    if sum(counts["pairs"]["wrote"].values()):
        more = (
            f" With those that came back in tool inputs, each counted by how probable its use is, they are worth "
            f"{counts['expected']:.0f} answers.{more}"
        )
    return f"{said} {used}; `ladder bench` replays these.{more}"


def _looked(places: list[Path], found: dict[str, int]) -> None:
    """Where sessions were looked for, and how many of which client were found."""
    for place in places:
        print(f"searched   {place}")
    if found:
        shares = [f"{number_of(count, 'session')} of {title}" for title, count in found.items()]
        print(f"found      {', '.join(shares)}")


def _table(counts: dict[str, Any], read: int) -> None:
    turns = f"{counts['questions']} of the person; {counts['copies']} copies in resumed sessions"
    logs = f"{counts['logs']} logs, {counts['bytes'] / 1e6:.1f} MB; something new in {read} of them"
    print(f"sessions   {counts['sessions']}  ({logs})")
    print(f"turns      {counts['turns']}  ({turns})")
    print(f"left out   {counts['left_out']} turns in which the agent wrote to a note")
    if counts["programs"]:
        left = number_of(counts["programs"], "session")
        print(f"left out   {left} that programs ran (--all-sessions takes them)")
    print(f"reads      {counts['reads']}  of Markdown files; words of {counts['notes_read']} notes came back")
    print(f"uncommon   a word in fewer than {counts['cut']} turns")
    for level, meaning in (
        ("reply", "came back in the reply"),
        ("wrote", "came back in what the agent wrote into tools"),
    ):
        pairs, lines = counts["pairs"][level], counts["lines"][level]
        states = ", ".join(f"{state} {pairs[state]} / {lines[state]}" for state in ("alive", "moved", "gone"))
        both = f"{number_of(sum(pairs.values()), 'pair')} / {number_of(sum(lines.values()), 'line')}"
        print(f"{level:<10} {both} that {meaning}: {states}")
    if sum(counts["delivered"].values()):
        print(f"delivered  {number_of(sum(counts['delivered'].values()), 'pair')} more that ladder had handed over")
    print(f"notes      {counts['notes']} with a pair whose line is still there")
    if len(counts["clients"]) > 1:
        for name, its in counts["clients"].items():
            of = f"{number_of(its['sessions'], 'session')}, {number_of(its['turns'], 'turn')}"
            print(f"of these   {name}: {of}, {number_of(its['reads'], 'read')}, {number_of(its['pairs'], 'pair')}")
    for reason, count in sorted(counts["skipped"].items()):
        print(f"skipped    {number_of(count, 'line')}: {reason}")


def _review(target: Path, found: "list[Session]", count: int, seed: int, by: str, *, as_json: bool) -> None:
    """Ask about a sample, keep the verdicts beside the pairs, and print what they say of each level."""
    import getpass
    from datetime import UTC, datetime

    from transcripts import read_pairs
    from transcripts.mining.review import Verdict, line_key, precision, read_verdicts, sample, write_verdicts

    path = target.with_name("verdicts.jsonl")
    verdicts = read_verdicts(path)
    judge = by or getpass.getuser()
    done = {(verdict.id, verdict.line) for verdict in verdicts if verdict.by == judge}
    items = [i for i in sample(read_pairs(target), count, seed) if (i.pair.id, line_key(i.line.text)) not in done]
    passages = _passages([item.pair for item in items], found)
    for number, item in enumerate(items, 1):
        pair, line = item
        sys.stderr.write(
            f"\n{number} of {len(items)} · {pair.level} · {pair.time[:10]} · {pair.note}\n"
            f"QUESTION  {pair.question[:600]}\nLINE      {line.text}\n"
            f"WORDS     {' '.join(word for word, _ in line.words)}\n"
            f"{'REPLY' if pair.level == 'reply' else 'WROTE'}     {passages(item)}\n"
            "Does it owe something to the line? yes / no / unsure / quit: "
        )
        sys.stderr.flush()
        answer = sys.stdin.readline().strip().lower()
        if not answer or answer.startswith("q"):
            break
        said = "yes" if answer[0] == "y" else "no" if answer[0] == "n" else "unsure"
        now = datetime.now(UTC).isoformat(timespec="seconds")
        verdicts.append(Verdict(pair.id, line_key(line.text), pair.level, said, judge, now))  # type: ignore[arg-type]
        write_verdicts(path, verdicts)
    rates = precision(verdicts)
    judges = sorted({verdict.by for verdict in verdicts})
    if as_json:
        show_json(
            {"verdicts": str(path), "by": judges, "levels": [rate._asdict() | {"rate": rate.rate} for rate in rates]}
        )
        return
    for rate in rates:
        interval = f"{rate.low:.0%} to {rate.high:.0%}"
        print(f"{rate.level:<6} {rate.yes} yes, {rate.no} no, {rate.unsure} unsure: {rate.rate:.0%} ({interval})")
    print(f"judged by  {', '.join(judges) or 'nobody'}; verdicts in {path}")


def _passages(pairs: "list[Pair]", found: "list[Session]") -> Any:  # noqa: ANN401 (a function of an item)
    """Return a function that gives the passage of the log that echoes an item's line, as far as logs are there."""
    from transcripts import session_turns
    from transcripts.mining.review import echo

    wanted = {pair.session for pair in pairs}
    keys = {pair.key for pair in pairs}
    there = {
        turn.key: turn
        for session in found
        if session.id in wanted
        for turn in session_turns(session)
        if turn.key in keys
    }
    return lambda item: echo(there[item.pair.key], item) if item.pair.key in there else "(the log is gone)"
