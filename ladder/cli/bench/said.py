"""What a command says first: what the sessions prove, in sentences; and without sessions what it says of the sample."""

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from ladder.cli.terminal import progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.corpus.corpus import Corpus
    from bench.replay import Replay
    from bench.trend.verdict import Verdict
    from transcripts import Session

#: What a person without evidence can do; an empty result is no error.
SAMPLE_HINT = "`ladder bench --sample` shows what it says of an invented project"


def sessions_watched(sessions: "Sequence[Session]") -> "Iterable[Session]":
    """Show progress over sessions."""
    return progress(sessions, "reading sessions", len(sessions))


def verdict_of(found: "Sequence[Corpus]", replay: "Replay | None", budget: int = 2000) -> "Verdict":
    """Return what the sessions of these corpora say; `replay` is None where nothing was replayed."""
    from bench.tasks.notes_read import reading_of
    from bench.trend.expected import expected
    from bench.trend.verdict import verdict

    return verdict(reading_of(found, sessions_watched), replay, budget, expected(found, budget))


def write_paragraph(said: object) -> None:
    """Print sentences as one paragraph in the terminal's width."""
    width = shutil.get_terminal_size((100, 24)).columns
    sys.stdout.write("\n".join(textwrap.wrap(str(said), width, break_on_hyphens=False)) + "\n")


def sample_said() -> str:
    """Return what the bench says of the invented sample (five seconds of work), for a person without logs."""
    from bench.corpus.corpus import replay_today
    from bench.sample import ROOT
    from bench.strategies import strategies
    from ladder.cli.bench.replay import corpora_of

    found = corpora_of([ROOT], None, None, None, None, "reply", 0.03)
    compared = ("ladder@N", "fragments@N, same query")
    chosen = [each for each in strategies((2000,)) if each.family in compared]
    said = verdict_of(found, replay_today(found, chosen, ("read",))[0])
    return f"Of the invented sample it would say: {said} (`ladder bench --sample`)"


def project_of(root: "Path", *, sample: bool = False) -> str:
    """Return the project's name: of the folder that holds the notes, where their own folder says nothing."""
    if sample:
        return "the invented sample"
    whole = root.resolve()
    return whole.parent.name or whole.name if whole.name.lower() in ("notes", "docs", "doc") else whole.name
