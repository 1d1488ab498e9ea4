"""Which day "today" is: the one on the machine's clock, wherever the question is asked."""

import time

import pytest

from ladder.api import plain_query
from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.on_message import heard_so_far
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.dates.calendar import day_begins, now_here
from ladder.query.query import Context, query
from ladder.ranking.session import changed_lately
from ladder.ranking.survey import begin

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process can be set on POSIX alone")

#: 2026-09-01, 10:30 in UTC.
MORNING = 1_788_258_600
#: As POSIX writes it: what must be added to the local time to get UTC.
ZONES = [
    pytest.param("EAST-14", MORNING, "2026-09-02T00:30:00", id="UTC+14"),
    pytest.param("WEST+11", MORNING, "2026-08-31T23:30:00", id="UTC-11"),
    pytest.param("UTC0", MORNING, "2026-09-01T10:30:00", id="UTC"),
]


@pytest.fixture
def set_clock(monkeypatch):
    def set_clock(zone, moment):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        for name in ("localtime", "gmtime"):
            real = getattr(time, name)
            monkeypatch.setattr(time, name, lambda at=None, real=real: real(moment if at is None else at))

    return set_clock


@pytest.mark.parametrize(("zone", "moment", "local"), ZONES)
def test_the_day_is_the_local_one_in_the_hook_and_on_the_command_line(tmp_path, set_clock, zone, moment, local):
    set_clock(zone, moment)
    log = tmp_path / "log.jsonl"
    log.write_text("", encoding="utf-8")
    event = {"hook_event_name": "UserPromptSubmit", "cwd": str(tmp_path)}
    assert now_here() == local
    assert heard_so_far(Moment(event, Reply(), 0.0), "what did we do today?")[0].now == local
    logged = Moment(event | {"transcript_path": str(log)}, Reply(), 0.0)
    assert heard_so_far(logged, "what did we do today?")[0].now == local
    assert plain_query("what did we do today?", None).now == local
    assert plain_query("what did we do today?", log).now == local


@pytest.mark.parametrize(("zone", "moment", "local"), ZONES)
def test_what_was_changed_on_the_local_day_was_changed_today(tmp_path, set_clock, zone, moment, local):
    set_clock(zone, moment)
    assert 0 <= moment - day_begins(local) < 24 * 3600
    build_from_bytes({"kiln": b"# Kiln\n\nglaze\n"}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        index._page(0).changed = [int(day_begins(local)) + 60]
        search = begin(index, query(Context("glaze", said=[["user", "so"]], now=local)))
        assert changed_lately(search, [0], {0: 1.0}) == {0: 1.0}


def test_a_logged_time_is_in_utc_wherever_it_is_read(set_clock):
    set_clock("EAST-14", MORNING)
    assert day_begins("2026-09-01T10:30:00Z") == MORNING - 10.5 * 3600
    assert day_begins("") == 0.0
