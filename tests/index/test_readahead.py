"""What is about to be read is announced to the system, and reading finds the same with and without it."""

import os

import pytest

import ladder.index.file
import ladder.index.postings
import ladder.index.readahead
import ladder.index.reader
from ladder.index.format import term_hash
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.survey import survey
from ladder.speaking.coverage import answerable, parts

WORDS = ["canary", "drain", "probe", "zebra", "stripe", "nozzle", "glaze", "kiln", "billing", "ticket", "port", "rail"]
NOTES = {
    f"shop/note-{i}": f"# Note {i}\n\n" + " ".join(WORDS[(i + j * j) % 12] for j in range(9)) + f" number{i}\n"
    for i in range(40)
}


@pytest.fixture
def target(tmp_path):
    build_from_bytes({name: text.encode() for name, text in NOTES.items()}, tmp_path / "index")
    return str(tmp_path / "index")


def asked(target):
    with open_index(target) as index:
        question = query(Context("canary zebra kiln billing port number7"))
        assert answerable(index, question, 0.1, parts(index, question))  # what the hook asks first
        scene = survey(index, question, depth=10)
        return [(n, scene.score(n)) for n in scene.candidates]


def test_all_that_a_question_reads_of_notes_and_terms_was_announced(target, monkeypatch):
    told: list[tuple[int, int]] = []
    read: list[tuple[int, int, bool]] = []

    def expect(_descriptor, places):
        told.extend(places)

    true_pread = ladder.index.file.pread

    def pread(descriptor, length, offset):
        read.append((offset, length, any(at <= offset and offset + length <= at + size for at, size in told)))
        return true_pread(descriptor, length, offset)

    plain = asked(target)
    monkeypatch.setattr(ladder.index.file, "_READ", -1.0)
    monkeypatch.setattr(ladder.index.file, "expect", expect)
    monkeypatch.setattr(ladder.index.file, "pread", pread)
    monkeypatch.setattr(ladder.index.postings, "pread", pread)
    assert asked(target) == plain
    assert len(told) > 10
    # Header, meta block and the table of buckets tell where the rest is; all else is announced.
    assert [announced for _, _, announced in read].index(True) <= 4
    assert sum(not announced for _, _, announced in read) <= 4


def test_from_memory_nothing_is_announced(target, monkeypatch):
    monkeypatch.setattr(ladder.index.file, "_READ", 9.0)
    monkeypatch.setattr(ladder.index.file, "expect", lambda *_: pytest.fail("announced"))
    assert asked(target)


def test_of_a_large_store_those_pages_are_announced_that_hold_the_names(target, monkeypatch):
    monkeypatch.setattr(ladder.index.file, "_READ", -1.0)
    monkeypatch.setattr(ladder.index.reader, "_PAGES", 1)  # of the two there are
    told: list[tuple[int, int]] = []
    with open_index(target) as index:
        pages = [tuple(place) for place in index._meta["pages"]]
        monkeypatch.setattr(ladder.index.file, "expect", lambda _, places: told.extend(map(tuple, places)))
        first, other, last = (index.find(f"shop/note-{i}")[0] for i in (12, 13, 39))
        assert index.named_among([other, last, first], {term_hash("12"): 1.0, term_hash("39"): 0.0}) == [last, first]
    assert told == [pages[0], pages[1], pages[0]]  # `note-39` is the 35th name, in the second page


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="the system takes no advice")
def test_advice_is_given_and_a_file_that_takes_none_is_no_error(target, monkeypatch):
    monkeypatch.setattr(ladder.index.file, "_READ", -1.0)
    assert asked(target)
    reading, writing = os.pipe()
    ladder.index.readahead.expect(reading, [(0, 10)])
    ladder.index.readahead.expect(-1, [(0, 10), (0, 0)])
    os.close(reading)
    os.close(writing)


def test_where_there_is_no_such_call_nothing_happens(target, monkeypatch):
    monkeypatch.setattr(ladder.index.file, "_READ", -1.0)
    monkeypatch.setattr(ladder.index.readahead, "_advise", None)
    assert asked(target)
