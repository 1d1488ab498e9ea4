"""How much slower or faster the hook of this checkout is than that of another one, as whole processes, in one run.

    python -m bench.speed.hook_between /tmp/other-checkout

Each checkout installs its own hook and builds its own index of the same made-up notes. A message on which both speak,
one on which both are silent, a command and a search of which no note says anything are then answered in turn, the
first of each pair changing from round to round. What counts is the median of the ratios inside the rounds; its interval
is by bootstrap over rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.speed.hook_replay import Client
from bench.speed.hook_times import Way, made_log, made_notes, made_question, once
from ladder.index.checked import TICK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Samples of the bootstrap.
_SAMPLES = 2_000


@contextmanager
def imported_from(checkout: Path) -> Iterator[None]:
    """Have processes that are started inside import the packages of a checkout."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(checkout)
    try:
        yield
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


def events(texts: dict[str, str]) -> dict[str, dict[str, object]]:
    """A message that names a note and asks about it, one that needs none; a command and a search likewise."""
    name = list(texts)[len(texts) // 2]

    def message(text: str) -> dict[str, object]:
        return {"hook_event_name": "UserPromptSubmit", "prompt": text}

    def call(command: str) -> dict[str, object]:
        return {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}

    return {
        "speaks": message(f"what does {name} say of {made_question(texts)}?"),
        "is silent": message("thanks, commit that and push it"),
        "command": call("ls -la src && git status"),
        "search": call("rg -n 'def main' src | head"),
    }


def way_of(client: Client, event: dict[str, object], log: Path) -> Way:
    """One event for an installed hook, each time in a session of its own."""
    handler = client.handlers[str(event["hook_event_name"])]
    fields = {**event, "cwd": str(client.notes)}

    def data(number: int) -> bytes:
        return json.dumps(fields | {"transcript_path": str(log), "session_id": f"{number}-{time.time_ns()}"}).encode()

    return Way(str(client.home), [handler["command"], *handler["args"]], data, len, client.env)


def interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The median of ratios, with the bounds of its 95 % interval."""
    draw = random.Random(0)  # noqa: S311 (the same interval for the same ratios)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(_SAMPLES))
    return statistics.median(ratios), medians[_SAMPLES * 25 // 1000], medians[_SAMPLES * 975 // 1000 - 1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print for each event the ratio of wall time and of processor time, this checkout to the other."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.hook_between", description=__doc__)
    parser.add_argument("other", type=Path, help="another checkout")
    parser.add_argument("--notes", type=int, default=220)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args(arguments)
    checkouts = {"this": Path(__file__).parents[2], "other": given.other.resolve()}
    with tempfile.TemporaryDirectory(prefix="ladder-bench-", ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve()
        texts = made_notes(given.notes)
        for name, text in texts.items():
            file = folder / "notes" / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        made_log(folder / "log.jsonl", texts)
        time.sleep(TICK + 1)  # notes as old as the index are read again to be sure; real ones are older
        clients = {}
        for which, checkout in checkouts.items():
            with imported_from(checkout):
                clients[which] = Client(folder / which, folder / "notes", anywhere=True)
        for label, event in events(texts).items():
            ways = {which: way_of(client, event, folder / "log.jsonl") for which, client in clients.items()}
            _show(label, ways, given.rounds)
    return 0


def _show(label: str, ways: dict[str, Way], rounds: int) -> None:
    wall: dict[str, list[float]] = {which: [] for which in ways}
    worked: dict[str, list[float]] = {which: [] for which in ways}
    size = dict.fromkeys(ways, 0)
    for number in range(-1, rounds):
        for which in sorted(ways, reverse=number % 2 == 0):
            seconds, processor, output = once(ways[which], number)
            size[which] = len(output)
            if number >= 0:  # the first round only warms the caches
                wall[which].append(seconds)
                worked[which].append(processor)
    for what, found in (("wall", wall), ("processor", worked)):
        ratio, low, high = interval([mine / theirs for mine, theirs in zip(*found.values(), strict=True) if theirs])
        ms = [statistics.median(each) * 1000 for each in found.values()]
        sys.stdout.write(
            f"{label:10} {what:10} {ms[0]:6.1f} ms, other {ms[1]:6.1f} ms: {ratio:.3f} ({low:.3f} - {high:.3f}), "
            f"{rounds} rounds; bytes said {size['this']}, other {size['other']}\n"
        )


if __name__ == "__main__":
    raise SystemExit(main())
