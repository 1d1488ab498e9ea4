"""A run of several systems over one set as a page of tables, and the same figures as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bench.public.model import QuestionSet
from bench.public.summary import OPTIONAL, SHOWN, Row
from bench.table import grid, percent, points


def text(
    questions: QuestionSet, n: int, rows: Sequence[Row], published: Sequence[dict[str, Any]], compared: Sequence[str]
) -> str:
    """Return the page: a row a system, `compared` by kind of question, and what others published."""
    whole = len(questions.questions)
    some = f"{n} of {whole}" if n < whole else f"{n}"
    out = [f"{questions.name}: {questions.about}; n = {some} questions, {len(questions.pools)} pools"]
    left = ", ".join(f"{count} {reason}" for reason, count in questions.left_out.items() if count)
    out += [f"left out: {left}"] if left else []
    shown = [*SHOWN, *(name for name in OPTIONAL if any(name in row.rates for row in rows))]
    body = [
        [
            row.system if row.n == n else f"{row.system}, {row.n} of {n}",
            *(percent(row.rates[name]) if name in row.rates else "" for name in shown),
            f"{100 * row.candidates:.1f}",
            f"{100 * row.ranking_loss:.1f}",
            *(points(row.against[name]) if name in row.against else "" for name in compared),
            f"{row.tokens:,.0f}",
            f"{row.seconds:.1f}",
            f"{row.median_ms:.2f}",
        ]
        for row in rows
    ]
    head = ["system", *shown, "found@50", "ranking loss", *(f"{name} against ladder" for name in compared)]
    out += ["", grid([*head, "tokens", "s", "ms, median"], body)]
    kinds = sorted({kind for row in rows for kind in row.kinds})
    if len(kinds) > 1:
        for name in compared:
            # A row that was stopped before its end may have no question of a kind.
            body = [[row.system, *(_of_kind(row, kind, name) for kind in kinds)] for row in rows]
            out += ["", f"{name} by kind of question", "", grid(["system", *kinds], body)]
    if published:
        told = [[row["system"], row["measure"], f"{row['value']:g}", row["provenance"]] for row in published]
        out += ["", "as others published it, not run here", ""]
        out += [grid(["system", "measure", "%", "provenance"], told)]
    return "\n".join(out) + "\n"


def _of_kind(row: Row, kind: str, measure: str) -> str:
    rates = row.kinds.get(kind, {})
    return percent(rates[measure]) if measure in rates else ""


def as_json(questions: QuestionSet, n: int, rows: Sequence[Row], published: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the same figures as a JSON value; shares between 0 and 1."""
    return {
        "set": questions.name,
        "about": questions.about,
        "n": n,
        "left_out": dict(questions.left_out),
        "systems": [asdict(row) for row in rows],
        "published": list(published),
    }
