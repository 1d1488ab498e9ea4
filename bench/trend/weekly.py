"""A weekly run: replays, compares with the run before, and says in a few lines what changed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.corpus.corpus import Corpus, replay_then, replay_today
from bench.questions import MOMENTS
from bench.scores import rate
from bench.strategies import BUDGETS, strategies
from bench.table import percent, points, short
from bench.trend import runs
from bench.trend.causes import causes, said_of
from bench.trend.misses import costly, misses, note_uses, unread, worth_promoting
from bench.trend.story import Side, Story
from bench.trend.survival import KINDS, curve, lives, standing
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.replay import Replay
    from bench.scores import Difference
    from bench.trend.runs import Run
    from bench.trend.verdict import Verdict

#: The budget that a run is judged at, in tokens, and the moment: what a search by the agent has.
BUDGET = 2000
MOMENT = "read"
#: The families that a trend shows, and that are replayed in both worlds.
TREND = frozenset({"ladder@N", "ladder@N, note given", "fragments@N, same query"})
_NAMED = 5
#: Kinds of survival among the twelve rows.
_SURVIVAL = 2


@dataclass(frozen=True, slots=True)
class Week:
    """A run and what it is compared with."""

    run: Run
    before: Run | None
    change: Difference | None
    """Of the figure that the run is judged by, on the pairs that both hold."""
    story: Story
    promote: list[tuple[str, str, int]]
    """History sections that were the answer more than once: note, section, how often."""

    @property
    def fell(self) -> bool:
        """Whether the hit rate fell by more than the interval allows."""
        return self.change is not None and self.change.high < 0


def make(
    corpus: Corpus,
    earlier: Sequence[Run],
    *,
    title: str,
    command: str,
    now: dt.datetime,
    budget: int = BUDGET,
    moment: str = MOMENT,
    both_worlds: bool = False,
    families: frozenset[str] = frozenset(),
    watch: Callable[[Sequence[int]], Iterable[int]] = iter,
    sentence: Callable[[Replay], Verdict] | None = None,
) -> Week:
    """Replay a corpus and make the week's run and story; `both_worlds` replays the notes as of the turn too.

    With `families`, only their strategies are replayed. `sentence` gives what the replay means.
    """
    chosen = [
        strategy
        for strategy in strategies(tuple(sorted({*BUDGETS, budget})))
        if not families or strategy.family in families
    ]
    replay, world_of = replay_today([corpus], chosen, MOMENTS, watch)
    name = f"ladder@{budget}"
    changed = last_changes(corpus)
    uses = note_uses(replay, corpus.today, name, moment, reads=corpus.found.reads, changed=changed)
    run = runs.of(
        replay, budget=budget, moment=moment, counts=corpus.found.counts, notes=uses, now=now, until=corpus.found.newest
    )
    # A run over the same logs is no week before: whoever looks twice would compare a week with itself.
    before = next((each for each in reversed(earlier) if each.until != run.until), earlier[-1] if earlier else None)
    change = runs.change(run, before, runs.headline(run)) if before else None
    lived = lives(corpus.asked_then, corpus.versions)
    story = Story(
        title=title,
        made=now.strftime("%Y-%m-%d %H:%M UTC"),
        command=command,
        replay=replay,
        budget=budget,
        moment=moment,
        notes=uses,
        misses=misses(replay, world_of, name, moment),
        counts=corpus.found.counts,
        # Of runs over the same logs the last one counts: a report made after a weekly run shows that week once.
        runs=[*(each for each in earlier if each.until != run.until), run],
        compared=change,
        causes=causes(run, before, replay.questions, corpus.found.pairs, changed) if before else None,
        said=sentence(replay) if sentence else None,
        survival=curve(lived),
        last_day=max((max(life.days) for life in lived), default=0.0),
        sides=sides(
            replay,
            replay_then([corpus], [each for each in chosen if each.family in TREND], (moment,), watch)[0],
            moment,
        )
        if both_worlds
        else [],
    )
    return Week(run, before, change, story, worth_promoting(replay.questions, corpus.today))


def sides(today: Replay, then: Replay, moment: str) -> list[Side]:
    """The strategies that matter most, in both worlds, on the pairs that both hold.

    Of all pairs only those whose evidence stands today can be asked of today's notes; the others are the reason for
    asking as of the turn, and stand in its own table.
    """
    shared = {question.id for question in today.questions} & {question.id for question in then.questions}
    found = []
    for strategy in today.strategies:
        if strategy.family not in TREND:
            continue
        both = []
        for side in (today, then):
            hits = side.hits(moment, strategy.name)
            at = [i for i, question in enumerate(side.questions) if question.id in shared]
            both.append(rate([hits[i] for i in at], [side.sessions[i] for i in at]))
        everything = rate(then.hits(moment, strategy.name), then.sessions)
        found.append(Side(strategy.name, both[0], both[1], everything))
    return found


def last_changes(corpus: Corpus) -> dict[str, str]:
    """For each of today's notes the day of its last change: from git's versions, else its file's."""
    found: dict[str, str] = {}
    by_path = {file.name: file for file in corpus.found.notes}
    before: dict[str, str] = {}
    for version in corpus.versions.versions:
        tree = corpus.versions.tree(version)
        for path, blob in tree.items():
            if before.get(path) != blob:
                found[path.removesuffix(".md")] = version.time.date().isoformat()
        before = tree
    for name, file in by_path.items():
        found.setdefault(name, dt.datetime.fromtimestamp(file.mtime_ns / 1e9, dt.UTC).date().isoformat())
    return found


def said(week: Week, *, everything: bool = False) -> str:
    """The week below its sentence: at most twelve rows, or `everything` with its lists note by note."""
    run = week.run
    out = []
    counts = run.counts
    states = ", ".join(f"{counts.get(name, 0)} {name}" for name in ("alive", "moved", "gone"))
    out.append(f"{number_of(counts.get('pairs', 0), 'pair')} ({states})")
    wanted = {
        f"ladder@{run.budget}": "ladder",
        f"fragments@{run.budget}, same query": "fragments, same query",
        f"ladder@{run.budget}, note given": "ladder, told the right note (a bound)",
    }
    for strategy, label in wanted.items():
        hits = week.story.replay.hits(run.moment, strategy)
        value = rate(hits, week.story.replay.sessions)
        note = ", undecided" if value.undecided else ""
        out.append(f"{label} at {short(run.budget)} tokens: {percent(value).strip()}, n = {value.n}{note}")
    if week.change is None:
        out.append("no earlier run to compare with" if week.before is None else "no pair shared with the run before")
    else:
        verdict = "more than noise" if week.change.clear else "no more than noise"
        assert week.before is not None
        since = f"since {week.before.made[:10]}: {points(week.change)} points"
        out.append(f"{since} on {number_of(week.change.n, 'shared pair')}, {verdict}")
    if week.story.causes is not None and (why := said_of(week.story.causes)):
        out.append(why)
    out.extend(_survived(week.story)[: None if everything else _SURVIVAL])
    uses = week.story.notes
    if found := costly(uses, _NAMED):
        rows = [
            f"{name}: shown {number_of(use.shown, 'time')}, answered {use.answered}, {short(use.cost)} tokens"
            for name, use in found
        ]
        out.extend(_list("shown most and answering least", rows, everything=everything))
    if week.promote:
        rows = [f"{note} > {section}: {number_of(times, 'time')}" for note, section, times in week.promote[:_NAMED]]
        said_first = "history that keeps being the answer (`ladder note promote` proposes what to lift)"
        out.extend(_list(said_first, rows, everything=everything))
    if idle := unread(uses):
        total = sum(use.cost for _, use in idle)
        rows = [f"{name}: {short(use.cost)} tokens" for name, use in idle[:_NAMED]]
        said_first = f"read by nobody: {number_of(len(idle), 'note')}, {short(total)} tokens; the largest"
        out.extend(_list(said_first, rows, everything=everything))
    return "\n".join(out) + "\n"


def _list(title: str, rows: list[str], *, everything: bool) -> list[str]:
    """A list below its title, or its first row alone beside the title."""
    return [f"{title}:", *(f"  {row}" for row in rows)] if everything else [f"{title}: {rows[0]}"]


def _survived(story: Story) -> list[str]:
    """How many evidence lines still stand after a day, three, seven and thirty, as far as the notes' history goes."""
    out = []
    for kind in KINDS:
        shares = []
        for days in (1, 3, 7, 30):
            point = standing(story.survival, kind, days)
            if point is not None and days <= story.last_day:
                shares.append(
                    f"{100 * point.share:.0f} % ({100 * point.low:.0f} - {100 * point.high:.0f}) after {days}"
                )
        if shares:
            watched = max(point.watched for point in story.survival)
            out.append(f"evidence that still stands, {kind}: {', '.join(shares)} days; {watched} lines")
    return out
