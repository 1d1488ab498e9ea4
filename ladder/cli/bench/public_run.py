"""Runs the systems of `ladder bench public`; one that is a program and fails leaves the rows of the others."""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.cli.terminal import Failure, progress, warn

if TYPE_CHECKING:
    from bench.public.catalogue import SystemEntry
    from bench.public.model import Question, QuestionSet, System
    from bench.public.run import Outcome


def _command(line: str) -> list[str]:
    """Return the words of a program's command; those that name what is here as paths that hold in any folder.

    Not resolved: the Python of an environment is a link, and through it no longer of that environment.
    """
    try:
        command = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise Failure(f"--program {line}: {error}") from error
    if not command:
        raise Failure("--program: no command")
    return [
        str(Path.cwd() / word) if (place or len(Path(word).parts) > 1) and Path(word).exists() else word
        for place, word in enumerate(command)
    ]


def run_systems(
    questions: "QuestionSet",
    asked: "Sequence[Question]",
    entries: "Sequence[SystemEntry]",
    programs: Sequence[str],
    limit: float,
    keep: "Callable[[list[Outcome]], object]",
) -> "tuple[list[Outcome], bool]":
    """Return what each system did, and whether a program failed: then its row is missing, and the others stand.

    `keep` is handed all that there is after each system: a run of many takes long, and may be broken off.
    """
    from bench.public.run import run
    from bench.public.systems.program import Program, ProgramError

    made: dict[str, Callable[[], System]] = {entry.name: entry.make for entry in entries}
    for line in programs:
        command = _command(line)
        named = next((word for word in reversed(command) if Path(word).is_file()), command[0])
        name = next(name for name in _numbered(Path(named).stem) if name not in made)
        made[name] = partial(Program, command, asked, limit)
    outcomes: list[Outcome] = []
    failed = False
    for name, make in progress(made.items(), "systems", len(made)):
        system = make()
        try:
            outcome = run(name, system, questions, asked)
        except ProgramError as error:
            warn(str(error))
            failed = True
            continue
        if isinstance(system, Program):
            for remark in system.remarks(len(outcome.answers), len(asked)):
                warn(f"{name}: {remark}")
        if outcome.answers:
            outcomes.append(outcome)
            keep(outcomes)
        else:
            failed = True
    return outcomes, failed


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    for number in count(2):
        yield f"{stem} {number}"
