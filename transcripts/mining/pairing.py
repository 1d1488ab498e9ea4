"""The rule that makes pairs of what was mined: which words are uncommon, and which lines they prove."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator

from transcripts.logs.locate import Located, Locator, Today
from transcripts.logs.tool_reads import BY_LADDER
from transcripts.logs.words import line_words, number
from transcripts.mining.candidates import Candidate, Line, MinedTurn
from transcripts.mining.kept_turns import KeptTurns
from transcripts.mining.note_lines import ENOUGH
from transcripts.mining.pairs import By, Evidence, Level, Pair, State, Tally
from transcripts.turns.contexts import alone, at_read

SHARE = 0.03
"""A word is uncommon when it stands in the messages and replies of fewer than this share of the turns …

What was written into tools does not count; `rarest_in_all` says how rare the words are when it does: `def` and `int`
are rare in talk and nowhere else.
"""
FLOOR = 5
"""… or of fewer than this many."""


def uncommon_below(turns: int, share: float = SHARE, floor: int = FLOOR) -> int:
    """Return the smallest number of turns in which a word is common."""
    return max(floor, math.ceil(share * turns))


def pair_up(
    kept: KeptTurns,
    locator: Locator,
    today: Today,
    *,
    share: float = SHARE,
    floor: int = FLOOR,
    delivered: list[Pair] | None = None,
) -> tuple[list[Pair], Tally]:
    """Return the pairs of all turns, by session and turn, and the counts. The threshold is applied here.

    Pairs of lines that ladder itself had handed over go into `delivered`.
    """
    used: list[Pair] = [] if delivered is None else delivered
    frequency, in_all = kept.frequency, kept.frequency + kept.tools
    cut = uncommon_below(len(kept), share, floor)
    pairs: list[Pair] = []
    own, session = set[str](), ""
    """The notes that the agent wrote so far in this session."""
    seen: set[str] = set()
    sessions = questions = reads = left_out = 0
    clients: dict[str, dict[str, int]] = {}
    for turn in kept:
        of_client = clients.setdefault(turn.client, {"sessions": 0, "turns": 0, "reads": 0, "pairs": 0})
        if not sessions or turn.session != session:
            own, session = set(), turn.session
            sessions += 1
            of_client["sessions"] += 1
        of_client["turns"] += 1
        of_client["reads"] += turn.reads
        questions += bool(turn.message)
        reads += turn.reads
        now = {found.note for path in turn.written if (found := locator.find(path, turn.cwd))}
        if now:
            left_out += 1
        elif turn.message and turn.before:
            by_note = _by_note(turn, locator, today)
            seen.update(by_note)
            for note, lines in by_note.items():
                by: By
                for by, target in (("agent", pairs), ("ladder", used)):
                    its = [item for item in lines if (item[0].how == BY_LADDER) == (by == "ladder")]
                    target.extend(_pairs(turn, note, its, (frequency, in_all), cut, today, own=note in own, by=by))
        own |= now
    for pair in pairs:
        clients[pair.client]["pairs"] += 1
    counts: dict[str, dict[str, dict[str, int]]] = {"pairs": {}, "lines": {}}
    for level in ("reply", "wrote"):
        chosen = [pair for pair in pairs if pair.level == level]
        counts["pairs"][level] = _states(pair.state for pair in chosen)
        counts["lines"][level] = _states(line.state for pair in chosen for line in pair.lines)
    tally = Tally(
        sessions=sessions,
        logs=kept.logs,
        turns=len(kept),
        questions=questions,
        copies=kept.copies,
        reads=reads,
        notes_read=len(seen),
        delivered={level: sum(pair.level == level for pair in used) for level in ("reply", "wrote")},
        programs=kept.programs,
        left_out=left_out,
        cut=cut,
        pairs=counts["pairs"],
        lines=counts["lines"],
        notes=len({pair.note for pair in pairs if pair.state == "alive"}),
        clients={name: clients[name] for name in sorted(clients)},
    )
    return pairs, tally


def _states(found: Iterable[str]) -> dict[str, int]:
    counted = Counter(found)
    return {state: counted[state] for state in ("alive", "moved", "gone")}


def _by_note(turn: MinedTurn, locator: Locator, today: Today) -> dict[str, list[tuple[Candidate, Line, bool]]]:
    """Return the candidate lines by the note that they belong to; True for lines whose note is a file of today."""
    found: dict[str, list[tuple[Candidate, Line, bool]]] = {}
    for candidate in turn.candidates:
        targets = [at for path in candidate.paths if path and (at := locator.find(path, turn.cwd))]
        for line in candidate.lines:
            chosen: Located | None = None
            if candidate.paths and targets and candidate.sure and targets[0].sure:
                chosen = targets[0]
            elif candidate.paths:
                chosen = next(
                    (at for at in targets if at.exists and today.offset(at.note, line.text) is not None), None
                )
            else:
                holders = today.elsewhere(line.text)
                chosen = Located(holders[0], exists=True, sure=True) if len(holders) == 1 else None
            if chosen:
                found.setdefault(chosen.note, []).append((candidate, line, chosen.exists))
    return found


def _pairs(
    turn: MinedTurn,
    note: str,
    lines: list[tuple[Candidate, Line, bool]],
    frequencies: tuple[Counter[int], Counter[int]],
    cut: int,
    today: Today,
    *,
    own: bool,
    by: By,
) -> Iterator[Pair]:
    levels: dict[Level, list[tuple[Candidate, Evidence]]] = {"reply": [], "wrote": []}
    taken: set[str] = set()
    for candidate, line, _ in lines:
        if line.text in taken:
            continue
        level: Level
        for level, echoed in (("reply", line.said), ("wrote", line.wrote)):
            frequency, in_all = frequencies
            rare = sorted((frequency[number(word)], word) for word in echoed if frequency[number(word)] < cut)
            if len(rare) >= ENOUGH:
                taken.add(line.text)
                places = turn.said_in if level == "reply" else turn.wrote_in
                everywhere = sorted(in_all[number(word)] for _, word in rare)[ENOUGH - 1]
                levels[level].append((candidate, _evidence(candidate, line, rare, everywhere, places, note, today)))
                break
    for level, evidence in levels.items():
        if not evidence:
            continue
        evidence.sort(key=lambda item: (item[1].rarest, item[1].number, item[1].text))
        first = min((candidate for candidate, _ in evidence), key=lambda candidate: (candidate.step, candidate.offset))
        texts = tuple(line for _, line in evidence)
        states = {line.state for line in texts}
        state: State = "alive" if "alive" in states else "moved" if "moved" in states else "gone"
        assert turn.before is not None
        yield Pair(
            id=hashlib.blake2b(
                f"{turn.key}\0{note}\0{level}{'' if by == 'agent' else by}".encode(), digest_size=8
            ).hexdigest(),
            session=turn.session,
            turn=turn.number,
            key=turn.key,
            time=turn.time,
            question=turn.message,
            kind=turn.kind,
            contexts={
                "message": alone(turn.message, turn.cwd, turn.branch, turn.time),
                "turn": turn.before,
                "read": at_read(turn.before, turn.until[str(first.step)]),
            },
            note=note,
            level=level,
            lines=texts,
            state=state,
            zone=next((line.zone for line in texts if line.state == "alive"), ""),
            rarest=min(line.rarest for line in texts),
            rarest_in_all=min(line.rarest_in_all for line in texts),
            only_here=any(line.only_here for line in texts),
            close=any(line.close for line in texts),
            named=_named(note, turn.message),
            own=own,
            how=first.how,
            offset=first.offset,
            by=by,
            client=turn.client,
        )


def _evidence(
    candidate: Candidate,
    line: Line,
    rare: list[tuple[int, str]],
    everywhere: int,
    places: dict[str, list[int]],
    note: str,
    today: Today,
) -> Evidence:
    state: State = "gone"
    where, zone, section = "", "", line.heading
    offset = today.offset(note, line.text)
    if offset is not None:
        place = today.place(note, offset)
        same = not line.heading or line_words(line.heading) in {line_words(title) for title in place.path}
        state, where, zone, section = "alive" if same else "moved", note, str(place.zone), place.section
    elif holders := today.elsewhere(line.text):
        at = today.offset(holders[0], line.text)
        place = today.place(holders[0], at or 0)
        state, where, zone, section = "moved", holders[0], str(place.zone), place.section
    together = Counter(paragraph for _, word in rare for paragraph in places.get(word, ()))
    free = sum(word not in line.elsewhere for _, word in rare)
    return Evidence(
        text=line.text,
        words=tuple((word, count) for count, word in rare),
        rarest=rare[ENOUGH - 1][0],
        rarest_in_all=everywhere,
        state=state,
        zone=zone,
        section=section,
        where=where,
        only_here=free >= ENOUGH,
        close=max(together.values(), default=0) >= ENOUGH,
        how=candidate.how,
        number=line.number,
    )


def _named(note: str, message: str) -> bool:
    """Tell whether a message names a note: by path, by its file's name, or by that without `.md` as a word."""
    text = message.casefold()
    base = note.rsplit("/", 1)[-1].casefold()
    stem = base.rsplit(".", 1)[0]
    return base in text or (len(stem) > 3 and f" {stem} " in f" {' '.join(text.split())} ")
