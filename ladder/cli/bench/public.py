"""`ladder bench public`: published question sets through ladder and its rivals.

A system that is a program and fails leaves the rows of the others.
"""

import importlib.util
import os
import random
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, progress, show_json, warn
from ladder.extra import missing_extra

if TYPE_CHECKING:
    from bench.public.catalogue import Options, SystemEntry
    from bench.public.model import Question, QuestionSet, System
    from bench.public.run import Outcome

#: Of the draw of `--max-questions`.
SEED = 20261130

Data = Annotated[
    Path | None, typer.Option("--data", help="The set's file or folder, or a folder of sets [default: $LADDER_DATA].")
]


def public(
    name: Annotated[str | None, typer.Argument(metavar="SET", help="Which set; see --list.")] = None,
    system: Annotated[list[str] | None, typer.Option(help="Only these systems; may be given more than once.")] = None,
    program: Annotated[
        list[str] | None, typer.Option(help="Also this command as a system; its protocol is in docs/public.md.")
    ] = None,
    earlier: Annotated[
        list[Path] | None, typer.Option(help="Also the rows of results that --out wrote; may be given more than once.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Shown by kind of question and against ladder; may be given more than once. [default: MRR]"),
    ] = None,
    limit: Annotated[
        float, typer.Option(help="Seconds that a program may take for one pool before it is stopped.", min=1)
    ] = 600.0,
    data: Data = None,
    everything: Annotated[bool, typer.Option("--list", help="Show sets and systems and what is missing.")] = False,
    max_questions: Annotated[int, typer.Option(help="Ask N questions drawn with a fixed seed; 0 asks all.", min=0)] = 0,
    held: Annotated[bool, typer.Option("--held", help="Only the half that nothing was tuned on.")] = False,
    corrected: Annotated[bool, typer.Option("--corrected", help="LoCoMo: citations as the audit has them.")] = False,
    without_abstention: Annotated[
        bool, typer.Option("--without-abstention", help="LongMemEval: leave out questions on what was never said.")
    ] = False,
    scenario: Annotated[str, typer.Option(help="MemFuseBench: only this scenario.")] = "",
    dimension: Annotated[str, typer.Option(help="MemFuseBench: only this dimension.")] = "",
    source_tags: Annotated[str, typer.Option(help="MemFuseBench: only questions on these sources, by comma.")] = "",
    out: Annotated[Path | None, typer.Option(help="Write results question by question, as JSON lines.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when the set is not there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> int:
    """Run retrieval systems over a published question set."""
    from bench.public import catalogue, measures, page, results, summary
    from bench.public.sets.memfusebench import Wanted

    if everything:
        return _list(data_folder(data), as_json=as_json)
    if importlib.util.find_spec("ir_measures") is None:
        raise Failure(missing_extra("`ladder bench public`", "public"))
    if name is None:
        raise Failure("name a set; `ladder bench public --list` shows them")
    if name not in catalogue.sets():
        raise Failure(f"{name}: no such set; there are {', '.join(catalogue.sets())}")
    tags = tuple(tag.strip() for tag in source_tags.split(",") if tag.strip())
    compared = tuple(dict.fromkeys(measure or ["MRR"]))
    known = (*measures.MEASURES, *summary.OPTIONAL)
    if unknown := [one for one in compared if one not in known]:
        raise Failure(f"{unknown[0]}: no such measure; there are {', '.join(known)}")
    options = catalogue.Options(corrected, not without_abstention, Wanted(scenario, dimension, tags))
    questions = _loaded(name, data_folder(data), options)
    if questions is None:
        return NOTHING_FOUND if strict else FOUND
    asked = [question for question in questions.questions if question.held or not held]
    asked = _drawn(asked, max_questions)
    if not asked:
        left = ", ".join(f"{count} {reason}" for reason, count in questions.left_out.items() if count)
        raise Failure(f"{name}: no question is left to ask{f' ({left})' if left else ''}", NOTHING_FOUND)
    told = _earlier(earlier or [], name, asked)
    if out and (out.is_dir() or not out.parent.is_dir()):  # said now, and not after an hour
        raise Failure(f"--out {out}: not a file in a folder that is there")

    def keep(outcomes: "list[Outcome]") -> None:
        if out:
            results.write(out, name, outcomes)

    outcomes, failed = _run(questions, asked, _systems(system), program or [], limit, keep)
    outcomes += [outcome for outcome in told if outcome.system not in {one.system for one in outcomes}]
    if not outcomes:
        raise Failure("no system ran, so there is no table", NOTHING_FOUND)
    rows = summary.rows(outcomes, tuple(dict.fromkeys((*compared, *summary.SHOWN))) if as_json else compared)
    if as_json:
        show_json(page.as_json(questions, len(asked), rows, catalogue.published(name)))
    else:
        sys.stdout.write(page.text(questions, len(asked), rows, catalogue.published(name), compared))
    return NOTHING_FOUND if failed else FOUND


def data_folder(given: Path | None) -> Path | None:
    """Return the file or folder of `--data`, else what LADDER_DATA names, else None."""
    if given is not None and not given.exists():
        raise Failure(f"{given}: no such file or folder")
    named = os.environ.get("LADDER_DATA")
    return given or (Path(named) if named else None)


def _loaded(name: str, data: Path | None, options: "Options") -> "QuestionSet | None":
    """The set, or None, with a line on how to get it, when it is not there."""
    from bench.public import catalogue

    entry = catalogue.sets()[name]
    place = entry.find(data)
    if place is None:
        how = entry.hint or f"`ladder bench fetch {name} --data FOLDER` gets it"
        warn(f"{name} is not {f'in {data}' if data else 'there (no --data, no LADDER_DATA)'}: {how}")
        return None
    try:
        return catalogue.load(name, place, options)
    except (OSError, ValueError) as error:
        raise Failure(str(error)) from error


def _near(wanted: str, known: "Iterable[str]") -> str:
    """`; near: …` with up to three known names that hold `wanted` or are like it; "" for none."""
    names = list(known)
    like = [name for name in names if wanted in name or name in wanted]
    like = list(dict.fromkeys([*like, *get_close_matches(wanted, names, 3, 0.5)]))[:3]
    return f"; near: {', '.join(like)}" if like else ""


def _systems(names: Sequence[str] | None) -> "list[SystemEntry]":
    """The systems that were asked for, or all that can run; what is missing is said."""
    from bench.public.catalogue import systems

    known = systems()
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        like = _near(unknown[0].casefold(), known)
        raise Failure(f"{unknown[0]}: no such system{like}; `ladder bench public --list` shows them")
    chosen = [known[name] for name in names] if names else list(known.values())
    lacking: dict[str, list[str]] = {}
    for entry in chosen:
        if reason := entry.missing():
            lacking.setdefault(reason, []).append(entry.name)
    for reason, left_out in lacking.items():
        warn(f"left out: {', '.join(left_out)}: {reason}")
    return [entry for entry in chosen if not entry.missing()]


def _earlier(files: Sequence[Path], name: str, asked: "Sequence[Question]") -> "list[Outcome]":
    from bench.public import results

    try:
        return [outcome for path in files for outcome in results.read(path, name, asked)]
    except (OSError, ValueError) as error:
        raise Failure(str(error)) from error


def _drawn(asked: "list[Question]", wanted: int) -> "list[Question]":
    """Draw that many questions, the same ones each time, in the order of the set."""
    if not 0 < wanted < len(asked):
        return asked
    places = random.Random(SEED).sample(range(len(asked)), wanted)  # noqa: S311 (a draw, not a secret)
    return [asked[place] for place in sorted(places)]


def _list(data: Path | None, *, as_json: bool) -> int:
    from bench.public import catalogue

    places = {name: entry.find(data) for name, entry in catalogue.sets().items()}
    if as_json:
        show_json(
            {
                "sets": {name: str(place) if place else None for name, place in places.items()},
                "systems": {name: entry.missing() for name, entry in catalogue.systems().items()},
            }
        )
        return FOUND
    sys.stdout.write("sets\n")
    for name, entry in catalogue.sets().items():
        there = places[name] or "not there: " + (entry.hint or f"ladder bench fetch {name} --data FOLDER")
        sys.stdout.write(f"  {name:<14}{entry.title}\n{'':16}{there}\n")
    sys.stdout.write("systems\n")
    for name, one in catalogue.systems().items():
        lacking = one.missing()
        sys.stdout.write(f"  {name:<18}{one.about}{f'; {lacking}' if lacking else ''}\n")
    sys.stdout.write("  --program COMMAND any program; docs/public.md has its protocol, and two adapters for peers\n")
    return FOUND


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


def _run(
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


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("public")(public)
