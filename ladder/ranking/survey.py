"""The first rung: which notes hold what the query asks for.

SIGNALS is how it is decided, in order. Signals of whole notes choose the candidates; then signals of the candidates'
passages join, and the sum, each signal divided by its own maximum and times its weight, is the order. What each signal
measured, with and without, stands in docs/decisions.md.
"""

from __future__ import annotations

from itertools import islice

from ladder.index.scoring import best
from ladder.query.conversation import heard
from ladder.query.dates.calendar import dated_entries, day_words, entry_days, may_name_day
from ladder.ranking.granularity import Scales, Weighed
from ladder.ranking.learned import led_by_command, led_by_words, often_opened
from ladder.ranking.names import InView, in_folder, name_words, named_notes
from ladder.ranking.session import changed_lately, next_in_line, same_folder
from ladder.text.spelling import spelt
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.ranking.learned import Learned

    Values = dict[int, float]
    Signal = tuple[str, float, Callable[["Scene"], Values], bool]

#: Notes whose passages are looked into.
CANDIDATES = 16
#: Of a larger store the notes are weighed that are among so many best by their words or by their labels: a table of ten
#: thousand notes that share one word with the query costs the hook more than finding the best.
POOL = 512
#: For so many of these one more is looked into because most of the message stands together there: a long note, or one
#: of many subjects, says little as a whole.
TOGETHER_EACH = 2
#: They are looked for among so many times more that whole notes' signals put next, by the message's heaviest terms.
TOGETHER_POOL = 16
TOGETHER_TERMS = 12
#: The share of those terms' weight that must stand together, and more than one of them.
TOGETHER_SHARE = 0.4
#: Terms that a suggestion gives as its reason.
WHY_TERMS = 4
#: Words of a message that are kept as they were written.
_WORDS = 200
#: More than one term by itself can weigh, which is rounded.
_MORE = 1.001
_EDGE = "()[]{}<>\"'`*,;:!?."


class Suggestion:
    """A note that may hold the answer. `score` is relative to the best possible of this query; `cost` in tokens."""

    __slots__ = ("_scene", "_why", "cost", "name", "note", "score", "signals")

    def __init__(self, scene: Scene, note: int) -> None:
        """Take note `note`, a candidate of `scene`; `signals` says what each signal added to the score."""
        row = scene.index.note(note)
        self.note = note
        self.name = row.name
        self.cost = row.cost
        self.signals = scene.totals[note]
        self.score = sum(self.signals.values())
        self._scene = scene
        self._why: tuple[str, ...] | None = None

    @property
    def why(self) -> tuple[str, ...]:
        """The query's heaviest terms that the note holds, as the query wrote them where it did."""
        if self._why is None:
            self._why = _route_why(self._scene, self.note)
        return self._why

    def __repr__(self) -> str:
        return f"Suggestion({self.name!r}, {self.score:.3f})"


class Scene:
    """One question: the index, the query, what was learned, and what has been found so far."""

    __slots__ = (
        "added", "by_label", "by_word", "candidates", "dates", "heard", "index", "learned", "names", "opened", "pool",
        "query", "scales", "sums", "totals", "weighed", "weights",
    )  # fmt: skip

    def __init__(self, index: Index, query: Query, learned: Learned | None) -> None:
        self.index = index
        self.query = query
        self.learned = learned
        #: The notes that the session has read, the last one first; None until they are asked for.
        self.opened: list[int] | None = None
        #: Ranges of days that the message names.
        self.dates: list[tuple[int, int]] = []
        #: What share of its weight the conversation round the message keeps.
        self.heard = heard(index, query)
        #: term -> what it counts against a note's name
        weights, self.names = query.weigh(self.heard)
        if may_name_day(query.message):
            from ladder.query.dates.absolute import dates_in, words_ago  # noqa: PLC0415 (most messages name no day)

            self.dates = dates_in(query.message, query.now)
            if self.dates:
                said = {term for word in words_ago(query.message) for term in terms(word)}
                weights = {term: weight for term, weight in weights.items() if term not in said}
        #: term -> what it counts against text
        self.weights = weights
        self.weighed = Weighed(index, weights)
        if self.dates:
            self.weighed.wide.update(_days(query, weights, self.dates))
        #: note -> BM25 of the whole note, and of its labels
        self.by_word = index.score_notes(self.weighed.wide)
        self.by_label = index.score_labels(self.weighed.wide)
        #: The notes that are weighed by these.
        self.pool: Iterable[int] = range(len(self.by_word))
        if len(self.by_word) > POOL:
            self.pool = {*best(self.by_word, POOL), *best(self.by_label, POOL)}
        self.candidates: list[int] = []
        #: note -> its passages weighed
        self.scales: dict[int, Scales] = {}
        #: signal -> note -> what it added, and note -> the sum of that, over all notes that a signal led to
        self.added: dict[str, Values] = {}
        self.sums: Values = {}
        #: the same of the candidates: note -> signal -> what it added
        self.totals: dict[int, dict[str, float]] = {}

    def first(self, k: int | None = None) -> list[int]:
        """Return the `k` notes (all when None) that the signals so far put first, equal ones by number."""
        return sorted(sorted(self.sums), key=self.sums.__getitem__, reverse=True)[:k]

    def look_into(self, notes: list[int]) -> None:
        """Weigh the passages of `notes`."""
        self.candidates = notes
        self.index.expect(notes)
        for n in notes:
            if n not in self.scales:
                self.scales[n] = Scales(self.weighed, self.index.passages(n))

    def only(self, notes: list[int]) -> None:
        """Keep these notes alone as candidates, whether the query led to them or not."""
        self.look_into([n for n in notes if self.index.alive(n)])


def whole_note(scene: Scene) -> Values:
    """BM25 of the whole note."""
    scores = scene.by_word
    return {n: scores[n] for n in scene.pool if scores[n] > 0}


def labels(scene: Scene) -> Values:
    """BM25 of what the note says of itself: title, aliases, tags, read_when, description, path, headings."""
    scores = scene.by_label
    return {n: scores[n] for n in scene.pool if scores[n] > 0}


def best_section(scene: Scene) -> Values:
    """The note's best section."""
    return {n: scene.scales[n].best_section for n in scene.candidates}


def best_window(scene: Scene) -> Values:
    """The note's best five paragraphs in a row: words that stand together."""
    return {n: scene.scales[n].best_window for n in scene.candidates}


def best_paragraph(scene: Scene) -> Values:
    """The note's best paragraph."""
    return {n: scene.scales[n].best_paragraph for n in scene.candidates}


def best_heading(scene: Scene) -> Values:
    """The heading that holds most of the query."""
    return {n: scene.scales[n].best_heading for n in scene.candidates}


def by_meaning(scene: Scene) -> Values:
    """How much nearer than usual the note's nearest piece lies to what the message means."""
    near = scene.query.near
    if near is None:
        return {}
    return {n: near.best.get(n, 0.0) - near.usual for n in scene.candidates}


#: Signals over all notes: they choose the candidates. Name, weight, function, whether it is divided by its maximum.
WIDE: tuple[Signal, ...] = (
    ("words", 1.0, whole_note, True),
    ("labels", 0.3, labels, True),
    ("named", 4.5, named_notes, False),
    ("within", 5.5, in_folder, False),
    ("name", 8.0, name_words, False),
    ("folder", 17.0, same_folder, False),
    ("next", 4.0, next_in_line, False),
    ("words led", 60.0, led_by_words, False),
    ("command led", 30.0, led_by_command, False),
    ("often", 0.8, often_opened, False),
    ("changed", 3.0, changed_lately, False),
)
#: Signals that look into the candidates' passages.
CLOSE: tuple[Signal, ...] = (
    ("section", 1.0, best_section, True),
    ("window", 1.0, best_window, True),
    ("heading", 0.6, best_heading, True),
    ("paragraph", 0.25, best_paragraph, True),
    ("dated", 0.8, dated_entries, True),
    ("meaning", 3.0, by_meaning, False),
)
SIGNALS = WIDE + CLOSE


def survey(index: Index, query: Query, *, learned: Learned | None = None, depth: int = CANDIDATES) -> Scene:
    """Return the scene with at most `depth` candidates, best first, and what each signal added (`scene.totals`)."""
    scene = Scene(index, spelt(index, query), learned)
    _add(scene, WIDE)
    pool = scene.pool
    if isinstance(pool, set):
        beyond = scene.sums.keys() - pool
        if beyond:
            scene.pool = beyond  # what else led to a note, its words count too
            _add(scene, WIDE[:2], max(scene.by_word), max(scene.by_label))
            scene.pool = pool | beyond
    chosen = _choose(scene, depth)
    scene.look_into(chosen)
    _add(scene, CLOSE)
    for n in chosen:
        scene.totals[n] = {name: values[n] for name, values in scene.added.items() if n in values}
    sums = scene.sums
    chosen.sort(key=lambda n: (-sums.get(n, 0.0), n))
    return scene


def route(index: Index, query: Query, *, learned: Learned | None = None, k: int = 10) -> list[Suggestion]:
    """Return at most `k` notes, best first; none when no note shares anything with the query."""
    return suggestions(survey(index, query, learned=learned, depth=max(k, CANDIDATES)), k)


def suggestions(scene: Scene, k: int) -> list[Suggestion]:
    """Return the first `k` candidates of a scene as suggestions."""
    return [Suggestion(scene, n) for n in scene.candidates[:k]]


def _days(query: Query, weights: dict[str, float], ranges: list[tuple[int, int]]) -> dict[str, float]:
    """Each day that the message names in other words, as notes write it, with what a word of the message weighs.

    It leads to notes. Which passage of one is of that day, its date tells.
    """
    message = query.part("message")
    if not message:
        return {}
    each = sum([weights.get(term, 0.0) for term in message]) / len(message)
    return {word: each for word in day_words(ranges) if word not in weights}


def _choose(scene: Scene, depth: int) -> list[int]:
    """Return the notes to look into, none that the agent has in view or whose file is gone."""
    index = scene.index
    seen = InView(scene)
    ranked = scene.first()
    chosen: list[int] = []
    at = 0
    while at < len(ranked) and len(chosen) < depth:  # one by one: whether a note is in view costs a read
        if ranked[at] not in seen and index.alive(ranked[at]):
            chosen.append(ranked[at])
        at += 1
    if scene.query.near is not None:
        nearest = scene.query.near.nearest(depth)
        chosen += [n for n in nearest if n not in chosen and n not in seen and index.alive(n)]
        taken = {*chosen}
        ranked[at:] = [n for n in ranked[at:] if n not in taken]
    message = scene.query.part("message")
    terms = [pair for pair in scene.weighed.terms if pair[1] in message][:TOGETHER_TERMS]
    others = ranked[at : at + TOGETHER_POOL * depth]
    if len(terms) < 2 or scene.query.command or not others:  # a command's name asks for no line
        return chosen
    together = index.together(terms, others)
    least = max(TOGETHER_SHARE * sum([weight for weight, _ in terms]), terms[0][0] * _MORE)
    others = [n for n in others if together.get(n, 0.0) > least]
    others.sort(key=lambda n: -together[n])  # equal ones stay as they are ranked
    return chosen + list(islice((n for n in others if n not in seen and index.alive(n)), depth // TOGETHER_EACH))


def _add(scene: Scene, signals: tuple[Signal, ...], *tops: float) -> None:
    """Add what the signals say; `tops` are the maxima of relative ones where these are known from before."""
    sums = scene.sums
    for i, (name, weight, signal, relative) in enumerate(signals):
        values = signal(scene)
        if not values:
            continue
        top = (tops[i] if tops else max(values.values())) if relative else 1.0
        if top <= 0:
            continue
        added = {n: weight * value / top for n, value in values.items() if value > 0}
        if name in scene.added:
            scene.added[name].update(added)
        else:
            scene.added[name] = added
        if sums:
            for n, share in added.items():
                sums[n] = sums.get(n, 0.0) + share
        else:
            sums.update(added)


def _route_why(scene: Scene, n: int) -> tuple[str, ...]:
    written = written_terms(scene.query.message)
    why: dict[str, None] = {}
    for rank, _, _ in scene.scales[n].found:
        term = scene.weighed.terms[rank][1]
        word = written.get(term, term)
        if not any([word in longer for longer in why]):  # noqa: C419 (a generator costs more in the hook)
            why[word] = None
        if len(why) == WHY_TERMS:
            break
    if not why:  # its entries are of a day that the message names
        places = scene.index.passages(n).places
        days = entry_days(scene, n) or [word for word in day_words(scene.dates) if places(word)]
        why = dict.fromkeys(days[:WHY_TERMS])
    if not why and scene.query.near is not None:
        why = _route_nearest(scene, n)
    return tuple(why)


def _route_nearest(scene: Scene, n: int) -> dict[str, None]:
    """The title of the section that lies nearest to what the message means, as the reason where no word is one."""
    near = scene.query.near
    found = near.passages(scene.index, n) if near is not None else []
    if not found:
        return {}
    passages = scene.index.passages(n)
    section = passages.p_section[max(found, key=lambda piece: piece[2])[0]]
    title = passages.sections[section - 1].title if section else ""
    return {"near: " + title: None} if title else {"near in meaning": None}


def written_terms(message: str) -> dict[str, str]:
    """Term -> the word, or the part of a word, of the message that it was cut from."""
    written: dict[str, str] = {}
    for word in message.split(None, _WORDS)[:_WORDS]:
        shown = word.strip(_EDGE).lower()
        found = terms(shown)
        if found and (len(found[0]) > 2 or len(shown) <= 4):  # a pair of characters of a script without spaces
            written.setdefault(found[0], shown)
        if len(found) > 1:
            for part in "".join([char if char.isalnum() else " " for char in shown]).split():
                for term in terms(part)[:1]:
                    if len(term) > 2 or len(part) <= 4:
                        written.setdefault(term, part)
    return written
