"""Session logs: records, sessions, turns, and the miner that turns them into pairs. In this order, each a stream."""

from transcripts.clients.table import everywhere, sessions, working_folder
from transcripts.logs.records import Record, Skipped, records
from transcripts.logs.redact import redact
from transcripts.logs.sessions import Session, projects_folder
from transcripts.logs.tool_reads import Read
from transcripts.mining.mine import Mined, mine, paired
from transcripts.mining.pairs import Evidence, Pair, Tally, read_pairs, write_pairs
from transcripts.mining.scope import scope_of
from transcripts.mining.store import Store
from transcripts.mining.texts_as_read import AsRead, ReadTexts
from transcripts.turns.contexts import Past, Said, at_message, at_read, at_turn, during
from transcripts.turns.turn import Event, Turn, local_day
from transcripts.turns.with_agents import session_turns

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
    "everywhere",
    "local_day",
    "mine",
    "paired",
    "projects_folder",
    "read_pairs",
    "records",
    "redact",
    "scope_of",
    "session_turns",
    "sessions",
    "working_folder",
    "write_pairs",
]
