"""Vectors of an index's notes: made once a text, for what changed alone, and of no harm when they are behind."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.meaning import update
from ladder.meaning.near import near
from ladder.meaning.pieces import LONGEST, SHORT, pieces
from ladder.meaning.records import Records, records_files
from ladder.meaning.table import NoTable, read_table
from ladder.meaning.update import Updated, update_vectors
from ladder.meaning.use import meant
from ladder.query.query import Context, query

NOTES = {
    "ops/rollback": b"# Rollback\n\nThe canary aborts the rollback when the budget is spent.\n\n## Tug\n\nCrew.\n",
    "ops/copy": b"# Rollback\n\nThe canary aborts the rollback when the budget is spent.\n",
    "harbour": b"# Harbour\n\nThe valve is checked every week by the crew of the tug.\n",
    "garden": b"# Garden\n\nTomato: water in the morning.\n\n- garden week\n",
    "empty": b"",
}


@pytest.fixture
def store(tmp_path, model_folder, monkeypatch):
    """Builds an index of notes, brings its vectors up to date; returns the open index and what the update did."""
    monkeypatch.setenv("LADDER_MEANING_MODEL", str(model_folder))

    def made(notes, vectors=True):
        build_from_bytes(notes, tmp_path / "index")
        index = open_index(str(tmp_path / "index"))
        found = update_vectors(index, "", lambda n: notes.get(index.note(n).name)) if vectors else None
        return index, found

    return made


def best(index, message):
    found = near(index, message)
    return None if found is None else index.note(found.nearest(1)[0]).name


def test_a_text_that_stands_in_two_notes_has_one_vector(store, tmp_path):
    index, found = store(NOTES)
    assert found == Updated(pieces=4, encoded=4)  # rollback, its section, harbour, garden; the copy is the first again
    table = read_table(tmp_path / "index.meaning")
    assert table.names == sorted(NOTES)
    assert len(table.record) == 5
    assert [table.begins[n + 1] - table.begins[n] for n in range(5)] == [0, 1, 1, 1, 2]
    assert best(index, "The valve is checked every week by the crew of the tug.") == "harbour"


def test_the_text_itself_is_what_lies_nearest(store):
    index, _ = store(NOTES)
    found = near(index, "Garden\nTomato: water in the morning.\n\n- garden week")
    assert index.note(found.nearest(1)[0]).name == "garden"
    assert found.best[found.nearest(1)[0]] == pytest.approx(1, abs=0.02)  # 8 bits a number
    ((first, last, cosine),) = found.passages(index, found.nearest(1)[0])
    assert (first, last) == (0, index.passages(found.nearest(1)[0]).count - 1)
    assert cosine == pytest.approx(1, abs=0.02)


def test_only_what_changed_is_encoded(store):
    store(NOTES)
    assert store(NOTES)[1] == Updated(4, 0)  # another index, of the same texts
    changed = {**NOTES, "harbour": b"# Harbour\n\nThe valve is new.\n", "new": b"# New\n\nTug.\n"}
    index, found = store(changed)
    assert found == Updated(5, 2)
    assert update_vectors(index, "", lambda n: None) is None  # up to date: nothing is read


def test_what_was_made_before_the_process_ended_is_kept(store, monkeypatch, tmp_path):
    monkeypatch.setattr(update, "TOGETHER", 1)
    index, _ = store(NOTES, vectors=False)

    def two(batches, count):
        assert count == 4
        yield from batches[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update_vectors(index, "", lambda n: NOTES[index.note(n).name], two)
    assert near(index, "canary") is None  # words alone, as before
    (path,) = records_files(str(tmp_path / "index"))
    with path.open("ab") as file:
        file.write(b"the beginning of a record")
    assert update_vectors(index, "", lambda n: NOTES[index.note(n).name]) == Updated(4, 2)
    assert Records(path, 8).count == 4
    assert best(index, "The valve is checked every week by the crew of the tug.") == "harbour"


def test_what_nobody_needs_any_more_is_dropped(store, monkeypatch, tmp_path):
    monkeypatch.setattr(update, "_WASTE_LEAST", 0)
    store(NOTES)
    table = read_table(tmp_path / "index.meaning")
    index, found = store({"garden": NOTES["garden"]})
    assert found == Updated(1, 0)
    (path,) = records_files(str(tmp_path / "index"))
    assert path.name != table.file
    assert Records(path, 8).count == 1
    assert best(index, "tomato") == "garden"


def test_notes_that_have_other_numbers_now_are_found_by_their_names(store):
    store(NOTES)
    fewer = {name: NOTES[name] for name in ("garden", "harbour")}
    index, _ = store(fewer, vectors=False)
    found = near(index, "The valve is checked every week by the crew of the tug.")
    assert [index.note(n).name for n in found.best][:1] == ["harbour"]
    assert len(found.best) == 2


def test_a_note_that_was_cut_otherwise_since_has_no_passages(store):
    store(NOTES)
    index, _ = store({**NOTES, "ops/rollback": b"# Rollback\n"}, vectors=False)
    found = near(index, "canary")
    (number,) = index.find("ops/rollback")
    assert found.passages(index, number) == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"ladder-meaning-2", b"ladder-meaning-2\xff\xff\xff\xff{}", b"ladder-meaning-1\2\0\0\0{}", b"x" * 400],
)
def test_a_damaged_table_leaves_words_alone_and_is_made_anew(store, tmp_path, damage):
    index, _ = store(NOTES)
    (tmp_path / "index.meaning").write_bytes(damage)
    with pytest.raises(NoTable):
        read_table(tmp_path / "index.meaning")
    assert near(index, "canary") is None
    assert update_vectors(index, "", lambda n: NOTES[index.note(n).name]) == Updated(4, 0)


def test_records_that_are_gone_leave_words_alone(store, tmp_path):
    index, _ = store(NOTES)
    (path,) = records_files(str(tmp_path / "index"))
    path.write_bytes(path.read_bytes()[:30])
    assert near(index, "canary") is None
    path.unlink()
    assert near(index, "canary") is None


def test_another_models_vectors_are_not_used(store, model_folder, tmp_path, monkeypatch):
    import shutil

    index, _ = store(NOTES)
    other = shutil.copytree(model_folder, tmp_path / "other")
    (other / "config.json").write_bytes((other / "config.json").read_bytes() + b"\n")
    monkeypatch.setenv("LADDER_MEANING_MODEL", str(other))
    assert near(index, "canary") is None
    assert update_vectors(index, "", lambda n: NOTES[index.note(n).name]) == Updated(4, 4)
    assert len(records_files(str(tmp_path / "index"))) == 1
    assert best(index, "The valve is checked every week by the crew of the tug.") == "harbour"


def test_without_vectors_or_with_the_setting_off_a_query_stays_as_it_is(store, tmp_path, monkeypatch):
    index, _ = store(NOTES, vectors=False)
    assert meant(index, query(Context("canary"))).near is None
    index, _ = store(NOTES)
    assert meant(index, query(Context("canary"))).near is not None
    index.settings["meaning"] = "off"
    assert meant(index, query(Context("canary"))).near is None
    index.settings["meaning"] = str(tmp_path / "nowhere")
    assert meant(index, query(Context("canary"))).near is None
    assert near(index, "  ") is None


def test_short_paragraphs_are_joined_within_their_section(store):
    text = b"# Long\n\n" + b"".join(b"The canary number %d aborts the tug of the harbour.\n\n" % n for n in range(60))
    text += b"## Crew\n\n" + b"The crew checks the valve. " * 20 + b"\n\n" + b"The crew checks the tug. " * 8 + b"\n\n"
    text += b"## Tug\n\nThe crew.\n"
    index, _ = store({"long": text}, vectors=False)
    passages = index.passages(0)
    found = pieces(index.note(0), passages, text)
    assert [piece.first for piece in found[1:]] == [piece.last + 1 for piece in found[:-1]]
    for piece in found:
        costs = passages.p_cost[piece.first : piece.last + 1]
        assert len(costs) == 1 or (sum(costs) <= LONGEST and sum(costs[:-1]) < SHORT)
        assert len({passages.p_section[p] for p in range(piece.first, piece.last + 1)}) == 1
    assert [piece.last - piece.first for piece in found[-3:]] == [0, 0, 0]  # one that is long enough stands alone
    assert found[0].last > found[0].first
    assert found[-1].text.startswith("Long > Tug\n")
    assert found[-1].text.endswith("The crew.")
