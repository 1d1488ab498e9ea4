"""`ladder bench agent`: an agent program answers the same questions with ladder and without, side by side."""

import json
import os
import random
import shlex
import sys
from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, progress, show_json, warn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.tasks.agent_trial import Asked, Run


def agent(
    questions: Annotated[Path, typer.Option(help="JSON lines: question, note, line, also.")],
    command: Annotated[
        str, typer.Option("--agent", metavar="COMMAND", help="The program, or claude-code and options.")
    ],
    notes: Annotated[Path, typer.Option(help="The notes' folder, or one with a folder for each corpus.")] = Path(),
    out: Annotated[Path | None, typer.Option(help="Where runs are kept; by default beside the questions.")] = None,
    limit: Annotated[float, typer.Option(help="Seconds for one run.")] = 600.0,
    seed: Annotated[int, typer.Option(help="Draws the order of the runs.")] = 1,
    most: Annotated[int, typer.Option("--max-questions", help="Ask at most N, drawn by the seed; 0 for all.")] = 0,
    review: Annotated[bool, typer.Option("--review", help="Then show each answer and take your yes or no.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Start without asking; it costs what the agent costs.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Have an agent answer questions with ladder and without; compare.

    Runs that are kept are not made again, so a trial that was broken off goes on. docs/agent-trial.md has the protocol.
    """
    from bench.tasks.agent_trial import QuestionsError, figures, load, plan, spread, table

    words = _words(command)
    try:
        asked, left = load(questions, lambda corpus, note: _text(_folder(notes, corpus), note))
    except (OSError, QuestionsError) as error:
        raise Failure(str(error)) from error
    for line in left:
        warn(f"left out: {line}")
    if not asked:
        raise Failure(f"{questions}: no question that the notes in {notes.absolute()} answer", NOTHING_FOUND)
    if 0 < most < len(asked):
        asked = random.Random(seed).sample(asked, most)  # noqa: S311 (a draw, not a secret)
    kept = out or questions.with_suffix(".trial.jsonl")
    reviews = kept.with_suffix(".review.jsonl")
    runs = {(run.id, run.arm): run for run in _runs(kept) if run.agent == command}
    todo = [(each, arm) for each, arm in plan(asked, seed) if (each.id, arm) not in runs]
    if todo:
        _may_start(len(todo), len(asked), list(runs.values()), yes=yes)
        for each, arm in progress(todo, "runs", len(todo)):
            runs[each.id, arm] = _one(words, each, arm, _folder(notes, each.corpus), limit, command, kept)
    if review:
        _review(asked, runs, reviews, command, seed)
    said = {(row["id"], row["arm"]): bool(row["right"]) for row in _rows(reviews) if row["agent"] == command}

    @cache
    def lines(corpus: str) -> "Mapping[str, int]":
        return spread(_all_texts(_folder(notes, corpus)))

    found = figures(asked, runs.values(), lines, said)
    if as_json:
        show_json(asdict(found))
    else:
        sys.stdout.write("\n".join(table(found)) + "\n")
    return FOUND


def _words(line: str) -> list[str]:
    """The words of the agent's command; those that name what is here as paths that hold in any folder."""
    from bench.tasks.agent_run import BUILT_IN

    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise Failure(f"--agent {line}: {error}") from error
    if not words:
        raise Failure("--agent: no command")
    if words[0] in BUILT_IN:
        return [*BUILT_IN[words[0]], *words[1:]]
    # Not resolved: the Python of an environment is a link, and through it no longer of that environment.
    return [
        str(Path.cwd() / word) if (place or len(Path(word).parts) > 1) and Path(word).exists() else word
        for place, word in enumerate(words)
    ]


def _folder(notes: Path, corpus: str) -> Path:
    """The folder of a question's notes: of its corpus, where there is one below the folder that was named."""
    base = notes.absolute()
    return next((one for one in (base / corpus / "notes", base / corpus) if corpus and one.is_dir()), base)


def _text(folder: Path, note: str) -> str | None:
    for file in (folder / note, folder / f"{note}.md"):
        if file.is_file():
            return file.read_text(encoding="utf-8", errors="replace")
    return None


def _all_texts(folder: Path) -> list[str]:
    from notes import find_notes, folder_settings

    found = find_notes(folder_settings(folder))
    return [Path(file.path).read_text(encoding="utf-8", errors="replace") for file in found]


def _may_start(runs: int, questions: int, earlier: "list[Run]", *, yes: bool) -> None:
    """Say what the runs cost about, and ask; without a terminal nobody can be asked."""
    from bench.tasks.agent_trial import estimate

    tokens, known = estimate(runs, earlier)
    basis = "as the runs before took" if known else "assumed: the client's own prompt is most of it"
    said = f"{runs} runs of the agent over {questions} questions, about {tokens:,} tokens ({basis})"
    if yes:
        warn(said)
    elif not sys.stdin.isatty():
        raise Failure(f"{said}: nobody can be asked here; --yes starts them")
    else:
        typer.confirm(f"{said}. Start?", abort=True, err=True)


def _one(words: list[str], asked: "Asked", arm: str, folder: Path, limit: float, name: str, kept: Path) -> "Run":
    from bench.tasks.agent_run import ArmError, run

    try:
        done = run(words, asked, arm, folder, limit, name)
    except (ArmError, OSError) as error:
        raise Failure(f"{error}; the runs before are in {kept}") from error
    _keep(kept, asdict(done))
    if done.failure:
        warn(f"{arm} ladder: {asked.text!r}: {done.failure}")
    return done


def _keep(path: Path, row: dict[str, Any]) -> None:
    """Add a line to a file that only its owner can read: a paid run is kept as soon as it is there."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    except ValueError as error:
        raise Failure(f"{path}: not JSON lines: {error}") from error


def _runs(path: Path) -> "list[Run]":
    from bench.tasks.agent_trial import Run

    try:
        return [Run(**row) for row in _rows(path)]
    except TypeError as error:
        raise Failure(f"{path}: no file of runs: {error}") from error


def _review(asked: "list[Asked]", runs: "dict[tuple[str, str], Run]", path: Path, name: str, seed: int) -> None:
    """Show each answer that nobody has judged beside the lines, in drawn order and without its arm; keep yes or no."""
    judged = Counter((row["id"], row["arm"]) for row in _rows(path) if row["agent"] == name)
    by = {each.id: each for each in asked}
    open_ = [run for key, run in runs.items() if key not in judged and run.id in by]
    for run in random.Random(seed).sample(open_, len(open_)):  # noqa: S311 (a draw, not a secret)
        right = False
        if not run.failure:  # nothing to look at
            each = by[run.id]
            typer.echo(
                "\n".join(("", each.text, *(f"  line: {line}" for line in each.lines), f"  answer: {run.answer}"))
            )
            right = typer.confirm("Right?")
        _keep(path, {"id": run.id, "arm": run.arm, "agent": name, "right": right})


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("agent")(agent)
