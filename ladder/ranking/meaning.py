"""Two rows that say how near a note, and a paragraph of it, lies to what the message means.

Asked only where the sentence model was (`Query.near`). They count the more the less of the message any passage of the
first notes holds: where the words are clear, meaning adds little, and cannot overrule them.
"""

from __future__ import annotations

from ladder.speaking.coverage import share_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.survey import Scene, Values

#: What a note's nearest piece counts by its cosine beyond the usual: at least, and beside that where no passage holds
#: anything of the message. The same of a paragraph's piece.
NOTE_SHARE, NOTE_UNCLEAR = 8.0, 20.0
PASSAGE_SHARE, PASSAGE_UNCLEAR = 3.0, 30.0
#: A message is clear when a passage holds so much of its weight.
CLEAR = 0.6


def unclear(scene: Scene) -> float:
    """Return how little of the message the passages of the first notes hold, in [0, 1]; 0 when one holds enough."""
    return max(0.0, 1.0 - (share_held(scene) or 0.0) / CLEAR)


def note_meaning(scene: Scene) -> Values:
    """How much nearer than usual the note's nearest piece lies to what the message means."""
    near = scene.query.near
    if near is None:
        return {}
    scene.unclear = unclear(scene)
    share = NOTE_SHARE + NOTE_UNCLEAR * scene.unclear
    return {n: share * (near.best.get(n, near.usual) - near.usual) for n in scene.candidates}


def passage_meaning(scene: Scene, note: int, count: int) -> list[float]:
    """What the piece that holds it counts to each of the `count` paragraphs of a note; [] where nothing is known."""
    near = scene.query.near
    pieces = near.passages(scene.index, note) if near is not None else []
    if near is None or not pieces:
        return []
    share = PASSAGE_SHARE + PASSAGE_UNCLEAR * scene.unclear
    found = [0.0] * count
    for first, last, cosine in pieces:
        found[first : last + 1] = [share * max(0.0, cosine - near.usual)] * (last + 1 - first)
    return found


def nearest_section(scene: Scene, note: int) -> str:
    """Return the title of the section of a note that lies nearest, "" where nothing is known."""
    near = scene.query.near
    pieces = near.passages(scene.index, note) if near is not None else []
    if not pieces:
        return ""
    passages = scene.index.passages(note)
    section = passages.p_section[max(pieces, key=lambda piece: piece[2])[0]]
    return passages.sections[section - 1].title if section else ""
