"""The table of the next-note task: recall at 1, 4 and 10, MRR, candidate recall and ranking loss, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.corpus.versions import Versions
from bench.questions import MOMENTS
from bench.scores import Rate, mean, rate
from bench.tasks.next_note import Notes, Ranked, Seen, look, rank_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from transcripts import Session

DEPTHS = (1, 4, 10)


@dataclass(frozen=True, slots=True)
class Row:
    """Figures of one moment over some openings; shares in [0, 1]."""

    moment: str
    of: str
    """The corpora and sessions that are counted."""
    n: int
    sessions: int
    recall: dict[int, Rate]
    """Share of the openings whose note is among the first k."""
    mrr: float
    """Mean of 1 / rank; 0 where the note is no candidate."""
    candidates: float
    """Share of the openings whose note the product looks into at all."""

    @property
    def loss(self) -> float:
        """What ranking loses of the candidates: candidate recall minus recall at 4."""
        return self.candidates - self.recall[4].value

    def plain(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "moment": self.moment,
            "of": self.of,
            "n": self.n,
            "sessions": self.sessions,
            **{f"R@{k}": [found.value, found.low, found.high] for k, found in self.recall.items()},
            "MRR": self.mrr,
            "candidate_recall": self.candidates,
            "ranking_loss": self.loss,
            "decided": not self.recall[1].undecided,
        }


def row(moment: str, of: str, ranked: Sequence[Ranked]) -> Row:
    """The figures of these ranks."""
    sessions = [each.opening.session for each in ranked]
    return Row(
        moment=moment,
        of=of,
        n=len(ranked),
        sessions=len(set(sessions)),
        recall={k: rate([float(0 < each.rank <= k) for each in ranked], sessions) for k in DEPTHS},
        mrr=mean([1 / each.rank if each.rank else 0.0 for each in ranked]),
        candidates=mean([float(each.rank > 0) for each in ranked]),
    )


def later(ranked: Iterable[Ranked], seen: Seen) -> list[Ranked]:
    """Those of the later half of a corpus's sessions, by when each began."""
    order = sorted(
        {each.session for each in seen.openings if not each.named}, key=lambda each: (seen.started[each], each)
    )
    late = set(order[len(order) // 2 :])
    return [each for each in ranked if each.opening.session in late]


def by_read(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Those that a Read tool opened: one note a call, and the note is the whole of what was wanted."""
    return [each for each in ranked if each.opening.how == "Read"]


def run_nextnote(
    corpora: Mapping[str, tuple[Sequence[Session], Path]],
    keep: Path,
    *,
    moments: Sequence[str] = MOMENTS,
    learning: bool = True,
) -> list[Row]:
    """Run the task over corpora (name -> sessions, and the git folder of the notes) and return the table.

    Indexes and what was learned go to `keep`. For each moment: each corpus, all together, all but the largest, and of
    these the later halves; the pooled rows again for openings by a Read tool alone.
    """
    found: dict[tuple[str, str], list[Ranked]] = {}
    seen: dict[str, Seen] = {}
    for name, (sessions, folder) in corpora.items():
        notes = Notes(Versions(folder), keep / name)
        seen[name] = look(sessions, notes)
        for moment in moments:
            target = keep / f"{name}-learned"
            found[name, moment] = rank_all(seen[name], notes, target, moment=moment, learning=learning)
    largest = max(seen, key=lambda name: len(seen[name].openings), default="")
    rows = []
    for moment in moments:
        for name in corpora:
            ranked = found[name, moment]
            rows.append(row(moment, name, ranked))
            rows.append(row(moment, f"{name}, later sessions", later(ranked, seen[name])))
        if len(corpora) > 1:
            for label, names in (("all", list(corpora)), (f"all but {largest}", [n for n in corpora if n != largest])):
                pooled = [each for name in names for each in found[name, moment]]
                late = [each for name in names for each in later(found[name, moment], seen[name])]
                rows.append(row(moment, label, pooled))
                rows.append(row(moment, f"{label}, later sessions", late))
                rows.append(row(moment, f"{label}, later sessions, by Read", by_read(late)))
    return [each for each in rows if each.n]


def lines(rows: Iterable[Row]) -> list[str]:
    """The table as text, one line a row, shares in per cent with their 95 % intervals."""
    shares = " ".join(f"{f'R@{k}':16}" for k in DEPTHS)
    found = [f"{'MOMENT':8} {'OPENINGS OF':44} {'N':>4}  {shares} {'MRR':>5} {'CAND':>5} {'LOSS':>5}"]
    for each in rows:
        cells = " ".join(f"{_rate(each.recall[k]):16}" for k in DEPTHS)
        mark = "  undecided" if each.recall[1].undecided else ""
        found.append(
            f"{each.moment:8} {each.of:44} {each.n:4}  {cells} {100 * each.mrr:5.1f} {100 * each.candidates:5.1f} "
            f"{100 * each.loss:5.1f}{mark}"
        )
    return found


def _rate(found: Rate) -> str:
    return f"{100 * found.value:.1f} ({100 * found.low:.0f}-{100 * found.high:.0f})"
