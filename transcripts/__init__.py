"""Session logs: records, sessions, turns, and the miner that turns them into pairs. In this order, each a stream."""

from transcripts.asread import AsRead, ReadTexts
from transcripts.contexts import Past, Said, at_message, at_read, at_turn, during
from transcripts.mine import Mined, mine, paired
from transcripts.pairs import Evidence, Pair, Tally, read_pairs, write_pairs
from transcripts.reads import Read
from transcripts.records import Record, Skipped, records
from transcripts.redact import redact
from transcripts.scope import scope_of
from transcripts.sessions import Session, projects_folder, sessions, working_folder
from transcripts.store import Store
from transcripts.turn import Event, Turn, local_day
from transcripts.turns import turns

__all__ = [
    "AsRead",
    "Event",
    "Evidence",
    "Mined",
    "Pair",
    "Past",
    "Read",
    "ReadTexts",
    "Record",
    "Said",
    "Session",
    "Skipped",
    "Store",
    "Tally",
    "Turn",
    "at_message",
    "at_read",
    "at_turn",
    "during",
    "local_day",
    "mine",
    "paired",
    "projects_folder",
    "read_pairs",
    "records",
    "redact",
    "scope_of",
    "sessions",
    "turns",
    "working_folder",
    "write_pairs",
]
