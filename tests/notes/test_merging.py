"""Two and three writers of one note: nothing lost, by date, byte for byte what was, and a ledger that verifies."""

import datetime as dt
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notes.merging.ledgers import merge_ledgers
from notes.merging.notes import merge_notes
from notes.merging.text import Marks
from notes.writing.changes import changes
from notes.writing.edit import parse_whole, with_entry, with_head
from notes.writing.ledger import digest, next_line, read_ledger

START = dt.datetime(2026, 9, 1, 8, tzinfo=dt.UTC)
FORMS = {
    "headings": "# N\n\nhead\n\n## Body\n\nb\n\n## History\n\n### 2026-08-01 one\n\nx\n\n### 2026-08-03 two\n\ny\n",
    "items": "# N\n\nhead\n\n## History\n\n- 2026-08-01: one\n- 2026-08-03: two\n\n## Links\n\n- a\n",
    "newest": "# N\n\nhead\n\n## History\n\n- 2026-08-03: two\n- 2026-08-01: one\n",
    "newest headings": "# N\n\nhead\n\n## Log\n\n### 2026-08-03 two\n\ny\n\n### 2026-08-01 one\n\nx\n\n## End\n\ne\n",
    "undated": "# N\n\nhead\n\n## History\n\n- 2026-08-01: one\n- and more\n- 2026-08-03: two\n",
    "none": "# N\n\nhead\n",
    "bare": "# N\n\nhead\n\n## 2026-08-01\n\nx\n\n## 2026-08-03\n\ny\n",
    "front": "---\ntags: [a]\ntitle: N\n---\n# N\n\nhead\n\n## History\n\n- 2026-08-01: one\n- 2026-08-03: two",
}


class Copy(NamedTuple):
    """A note with its ledger, as one writer has them."""

    data: bytes
    ledger: bytes

    def write(self, data: bytes, why: str, minutes: int) -> "Copy":
        line = next_line(read_ledger(self.ledger), parse_whole(data), why, START + dt.timedelta(minutes=minutes))
        return Copy(data, self.ledger + line)


def keys(data: bytes) -> list[str]:
    note = parse_whole(data)
    return [digest(note.text(e.span)) for e in note.entries]


def clean(copy: Copy) -> bool:
    ledger = read_ledger(copy.ledger)
    return not ledger.faults and not changes(ledger, parse_whole(copy.data))


def join(base: Copy, ours: Copy, theirs: Copy) -> Copy:
    done = merge_notes(base.data, ours.data, theirs.data)
    assert not done.conflicts, done.data.decode()
    return Copy(done.data, merge_ledgers(base.ledger, ours.ledger, theirs.ledger))


appends = st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=4)


def appended(copy: Copy, what: list[tuple[int, bool]], name: str, at: int) -> Copy:
    for n, (day, dated) in enumerate(what):
        note = parse_whole(copy.data)
        date = dt.date(2026, 8, 1) + dt.timedelta(days=day * 2)
        new = with_entry(note, f"by {name} {n} at {at}", date, in_order=dated).note.data
        copy = copy.write(new, "append", at + n)
    return copy


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FORMS)), st.booleans(), st.booleans(), appends, appends)
def test_two_writers_lose_nothing(form, crlf, head, one, other):
    data = FORMS[form].replace("\n", "\r\n" if crlf else "\n").encode()
    base = Copy(data, b"").write(data, "seen", 0)
    a, b = appended(base, one, "a", 10), appended(base, other, "b", 15)
    if head:
        a = a.write(with_head(parse_whole(a.data), "another head").data, "head", 14)
    done = join(base, a, b)
    assert (b"another head" in done.data) == head
    assert sorted(keys(done.data)) == sorted({*keys(a.data), *keys(b.data)})
    assert clean(done)
    # Byte for byte what was, outside of what came.
    again = join(base, b, a)
    assert keys(again.data) == keys(done.data)
    assert again.ledger == done.ledger
    if crlf:
        assert b"\n" not in done.data.replace(b"\r\n", b"")
    for side in (a, b):
        note = parse_whole(side.data)
        texts = [side.data[e.span.start : e.span.end].strip() for e in note.entries]
        assert all(text in done.data for text in texts)
        inside = iter(keys(done.data))
        assert all(key in inside for key in keys(side.data))  # the order of each side stays
    days = [e.date for e in parse_whole(done.data).entries if e.date]
    if all(dated for _, dated in (*one, *other)):
        assert days == sorted(days, reverse=form.startswith("newest"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FORMS)), st.data())
def test_three_writers_that_merge_as_they_like_end_alike(form, data):
    start = FORMS[form].encode()
    base = Copy(start, b"").write(start, "seen", 0)
    shared = base
    copies = dict.fromkeys("abc", (base, base))  # (what was last taken over, what it has)
    written: set[str] = set(keys(start))
    for step in range(data.draw(st.integers(1, 7))):
        name = data.draw(st.sampled_from("abc"))
        seen, own = copies[name]
        own = appended(own, data.draw(appends), name, 10 * step + 10)
        written |= set(keys(own.data))
        if data.draw(st.booleans()):
            own = join(seen, own, shared)
            shared = own
            seen = own
        copies[name] = (seen, own)
    for name in "abc":
        seen, own = copies[name]
        shared = join(seen, own, shared)
    assert set(keys(shared.data)) == written
    assert len(keys(shared.data)) == len(written)
    assert clean(shared)


@pytest.mark.parametrize("nl", ["\n", "\r\n"])
def test_only_the_entries_of_the_other_side_come_in(nl):
    base = FORMS["headings"].replace("\n", nl).encode()
    ours = with_entry(parse_whole(base), "mine", dt.date(2026, 8, 5)).note.data
    theirs = with_entry(parse_whole(base), "yours", dt.date(2026, 8, 2), in_order=True).note.data
    done = merge_notes(base, ours, theirs)
    wanted = FORMS["headings"].replace("### 2026-08-03", "### 2026-08-02\n\nyours\n\n### 2026-08-03")
    assert done.data == (wanted + "\n### 2026-08-05\n\nmine\n").replace("\n", nl).encode()


def test_heads_are_merged_as_text_and_a_conflict_is_left_as_git_leaves_it():
    base = FORMS["items"].encode()
    ours = with_entry(with_head(parse_whole(base), "head of mine"), "mine", dt.date(2026, 8, 5)).note.data
    theirs = with_entry(with_head(parse_whole(base), "head of yours"), "yours", dt.date(2026, 8, 6)).note.data
    done = merge_notes(base, ours, theirs, Marks("HEAD (older)", "base", "other (newer)"))
    assert done.conflicts == 1
    assert b"<<<<<<< HEAD (older)\nhead of mine\n=======\nhead of yours\n>>>>>>> other (newer)\n" in done.data
    assert b"- 2026-08-03: two\n- 2026-08-05: mine\n- 2026-08-06: yours\n" in done.data


def test_front_matter_is_merged_by_key():
    base = FORMS["front"].encode()
    ours = base.replace(b"tags: [a]\n", b"tags: [a, b]\n")
    theirs = base.replace(b"title: N\n", b"title: M\nread_when: now\n")
    assert merge_notes(base, ours, theirs).data == base.replace(
        b"tags: [a]\ntitle: N\n", b"tags: [a, b]\ntitle: M\nread_when: now\n"
    )
    clash = merge_notes(base, ours, base.replace(b"[a]", b"[c]"))
    assert clash.conflicts == 1
    assert b"<<<<<<< ours\ntags: [a, b]\n=======\ntags: [c]\n>>>>>>> theirs\ntitle: N\n" in clash.data


def test_a_note_that_one_side_split_takes_what_the_other_appended():
    base = FORMS["headings"].encode()
    ours = base.replace(b"### 2026-08-01 one\n\nx\n\n", b"")  # moved into another note
    theirs = with_entry(parse_whole(base), "yours", dt.date(2026, 8, 5)).note.data
    for one, other in ((ours, theirs), (theirs, ours)):
        done = merge_notes(base, one, other)
        assert (done.conflicts, done.data) == (0, ours + b"\n### 2026-08-05\n\nyours\n")


def test_what_both_appended_stands_once():
    base = FORMS["items"].encode()
    ours = with_entry(parse_whole(base), "same", dt.date(2026, 8, 5)).note.data
    theirs = with_entry(parse_whole(ours), "more", dt.date(2026, 8, 5)).note.data
    assert merge_notes(base, ours, theirs).data.count(b"same") == 1
