"""Which paragraphs of the likely notes hold the answer, and how much each promises.

A paragraph counts what it says itself, what its window, its section, its section's heading and its note say, each
divided by the best of all candidates: scales of the same text add up (docs/decisions.md has each one's figure).
"""

from __future__ import annotations

from ladder.query.dates.calendar import date_fit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.meaning.near import Near
    from ladder.ranking.survey import Scene

#: What each scale counts.
OWN_SHARE = 1.0
WINDOW_SHARE = 0.6
SECTION_SHARE = 0.75
HEADING_SHARE = 0.5
#: The note: a bare message tells little of notes that its passages do not, what was said before it more, and what the
#: agent says that it is about to do much.
NOTE_BARE = 0.5
NOTE_LATER = 1.0
NOTE_AT_WORK = 2.0
DATE_SHARE = 0.7
#: A paragraph that holds most of the query's weight is what was meant, wherever it stands: what each part beyond
#: HELD_FROM counts.
HELD_SHARE = 4.0
HELD_FROM = 0.75
#: What the head of a note counts more when the agent is at work, by the share that the note has: it then looks for how
#: things stand, and a head often shares no word with what it says.
HEAD_SHARE = 0.5
#: What tokens cost: a promise is divided by (cost + DEAR_FROM) ** DEARNESS.
DEARNESS = 0.2
DEAR_FROM = 30
#: A paragraph of fewer tokens ("The main commands are:") leads to something, it seldom says it.
TINY = 25
TINY_POWER = 0.5


class Passage:
    """A paragraph of a note; `promise` is its expected gain, only comparable within one query."""

    __slots__ = ("cost", "note", "paragraph", "promise", "section")

    def __init__(self, note: int, paragraph: int, section: int, promise: float, cost: int) -> None:
        """Take the fields; `paragraph` and `section` count from 0, `cost` is in tokens."""
        self.note = note
        self.paragraph = paragraph
        self.section = section
        self.promise = promise
        self.cost = cost


#: What a paragraph's piece counts by its cosine beyond the usual.
MEANING_SHARE = 4.0


def _meant(scene: Scene, near: Near, note: int, count: int) -> list[float]:
    """What meaning adds to each paragraph of a note."""
    found = [0.0] * count
    for first, last, cosine in near.passages(scene.index, note):
        found[first : last + 1] = [MEANING_SHARE * max(0.0, cosine - near.usual)] * (last + 1 - first)
    return found


def rank_passages(scene: Scene, notes: list[int] | None = None) -> list[Passage]:
    """The paragraphs of `notes` (default: all candidates), most gain for its tokens first."""
    chosen = scene.candidates if notes is None else notes
    scales = [(n, scene.scales[n]) for n in chosen if n in scene.scales]
    top = max([each.best_paragraph for _, each in scales], default=0.0) or 1.0
    top_window = max([each.best_window for _, each in scales], default=0.0) or 1.0
    top_section = max([each.best_section for _, each in scales], default=0.0) or 1.0
    top_heading = max([each.best_heading for _, each in scales], default=0.0) or 1.0
    totals = {n: sum(scene.totals.get(n, {}).values()) for n in chosen}
    top_note = max(totals.values(), default=0.0) or 1.0
    note_share = NOTE_AT_WORK if scene.query.at_work else NOTE_LATER if scene.query.later else NOTE_BARE
    ranges = scene.dates
    near = scene.query.near
    found: list[Passage] = []
    for n, each in scales:
        passages = each.passages
        owner, costs, days = passages.p_section, passages.p_cost, passages.p_date
        lengths, zones = passages.p_length, passages.p_zone  # 0 is the head
        of_note = note_share * totals[n] / top_note
        of_head = HEAD_SHARE * totals[n] / top_note if scene.query.at_work else 0.0
        of_section = [of_note] * (passages.section_count + 1)
        for s, value in enumerate(each.sections):
            of_section[s + 1] += SECTION_SHARE * value / top_section
        for s, value in each.headings.items():
            of_section[s + 1] += HEADING_SHARE * value / top_heading
        own, window, held = each.paragraphs, each.windows, each.held
        meant = _meant(scene, near, n, passages.count) if near is not None else None
        fits: dict[int, float] = {}
        for p, s in enumerate(owner):
            if not lengths[p]:
                continue
            promise = of_section[s]
            if of_head and not zones[p]:
                promise += of_head
            if window[p]:
                promise += OWN_SHARE * own[p] / top + WINDOW_SHARE * window[p] / top_window
                if held[p] > HELD_FROM:
                    promise += HELD_SHARE * (held[p] - HELD_FROM)
            if meant is not None:
                promise += meant[p]
            if ranges and days[p]:
                day = days[p]
                fit = fits.get(day)
                if fit is None:
                    fit = fits[day] = DATE_SHARE * date_fit(day, ranges)
                promise += fit
            cost = costs[p]
            if cost < TINY:
                promise *= (cost / TINY) ** TINY_POWER
            found.append(Passage(n, p, s - 1, promise / (cost + DEAR_FROM) ** DEARNESS, cost))
    found.sort(key=lambda each: (-each.promise, each.note, each.paragraph))
    return found
