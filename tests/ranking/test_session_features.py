import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.session import changed_lately, next_in_line, note_of_path, same_folder
from ladder.ranking.survey import begin, route

NAMES = ("README", "adr/0001-a", "adr/0002-b", "adr/0003-c", "adr/0004-d", "plugins/x/README", "plugins/y/README")
DAY = 86400.0
NOW = 1_788_307_200.0  # 2026-09-02T00:00:00Z


@pytest.fixture
def index(tmp_path):
    files = {name: f"# {name}\n\nText.\n".encode() for name in NAMES}
    build_from_bytes(files, tmp_path / "index", changed={"adr/0001-a": NOW - 3 * DAY, "adr/0002-b": NOW - 90 * DAY})
    with open_index(str(tmp_path / "index")) as found:
        yield found


def _search(index, *opened, now=""):
    return begin(index, query(Context("go on", opened=opened, now=now)))


def _named(index, values):
    return {index.note(n).name: value for n, value in values.items()}


def test_a_logged_path_is_the_longest_note_name_that_it_ends_in(index):
    assert index.note(note_of_path(index, "/home/me/p/adr/0001-a.md")).name == "adr/0001-a"
    assert index.note(note_of_path(index, r"C:\p\plugins\x\README.md")).name == "plugins/x/README"
    assert index.note(note_of_path(index, "README.md")).name == "README"
    assert note_of_path(index, "/elsewhere/other.md") == -1


def test_the_notes_read_last_come_first(index):
    search = _search(index, "adr/0001-a.md", "README.md", "adr/0002-b.md", "no/note.md")
    assert [index.note(n).name for n in search.opened] == ["adr/0002-b", "README", "adr/0001-a"]


def test_notes_beside_the_last_one_share_by_how_many_they_are(index):
    found = _named(index, same_folder(_search(index, "adr/0001-a.md")))
    assert found == pytest.approx(dict.fromkeys(("adr/0002-b", "adr/0003-c", "adr/0004-d"), 1 / 4**0.5))
    assert same_folder(_search(index)) == {}


def test_who_reads_a_folder_in_order_goes_on_in_order(index):
    assert _named(index, next_in_line(_search(index, "adr/0002-b.md"))) == {"adr/0003-c": 0.25, "adr/0004-d": 0.125}
    found = _named(index, next_in_line(_search(index, "adr/0001-a.md", "adr/0002-b.md")))
    assert found == {"adr/0003-c": 0.5, "adr/0004-d": 0.25}
    assert _named(index, next_in_line(_search(index, "adr/0004-d.md"))) == {}
    assert _named(index, next_in_line(_search(index, "plugins/x/README.md"))) == {"plugins/y/README": 0.25}


def test_a_change_counts_for_some_days_as_far_as_the_words_fit(index):
    talk = Context("go on", said=[("user", "hello"), ("agent", "hi")], now="2026-09-02T00:00:00Z")
    nearest, words = list(range(index.count)), dict.fromkeys(range(index.count), 0.5)
    faded = 0.5 * 2.718281828**-1
    assert _named(index, changed_lately(begin(index, query(talk)), nearest, words)) == pytest.approx(
        {"adr/0001-a": faded}
    )
    bare = _search(index, now="2026-09-02T00:00:00Z")
    assert _named(index, changed_lately(bare, nearest, words)) == pytest.approx({"adr/0001-a": faded / 3})
    assert changed_lately(_search(index), nearest, words) == {}


def test_a_note_that_was_edited_today_does_not_outdo_one_that_answers(tmp_path):
    files = {
        "deploy": b"# Deploy\n\nThe canary stopped the deploy at 1,240 ms.\n",
        "kiosk": b"# Kiosk\n\nDeploys of the kiosk run at night.\n",
        "todo": b"# Todo\n\nGlue the lid.\n",
    }
    build_from_bytes(files, tmp_path / "index", changed={"kiosk": NOW, "todo": NOW, "deploy": NOW - 90 * DAY})
    with open_index(str(tmp_path / "index")) as found:
        asked = query(Context("did the canary ever stop a deploy?", now="2026-09-02T00:00:00Z"))
        assert next(one.name for one in route(found, asked)) == "deploy"
