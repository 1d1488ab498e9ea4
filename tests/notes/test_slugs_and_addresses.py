"""Slugs are unique; addresses find one section, several, or none."""

import datetime as dt

from notes import address_parts, parse, resolve
from notes.markdown.slugs import Slugs, entry_slug, slug_of


def test_slug_of():
    assert slug_of("Rollback procedure!") == "rollback-procedure"
    assert slug_of("日本語 の題") == "日本語-の題"
    assert slug_of("🔥") == "section"
    assert slug_of("`_private` & co.") == "_private-co"
    assert slug_of("é") == slug_of("é") == "é"


def test_entry_slug():
    assert entry_slug(dt.date(2026, 9, 2), "") == "2026-09-02"
    assert entry_slug(dt.date(2026, 8, 30), "Canary abort") == "2026-08-30-canary-abort"
    assert entry_slug(dt.date(2026, 8, 30), "🔥") == "2026-08-30"
    assert entry_slug(None, "one two three four five six seven") == "one-two-three-four-five-six"


def test_slugs_do_not_collide_with_numbered_ones():
    slugs = Slugs()
    assert [slugs.take(s) for s in ("foo", "foo-1", "foo", "foo", "foo-1")] == [
        "foo",
        "foo-1",
        "foo-2",
        "foo-3",
        "foo-1-1",
    ]


def test_r7_both_sections_of_one_title_are_addressable():
    data = b"# Foo\n1\n# Foo\n2\n"
    note = parse(data)
    assert [note.text(s.span) for s in resolve(note.sections, "foo-1")] == ["# Foo\n2\n"]
    assert len(resolve(note.sections, "foo")) == 2


def test_r8_qualified_path_resolves_and_bare_title_is_ambiguous():
    note = parse(b"# C\n## 14.0\n### Breaking\na\n## 13.0\n### Breaking\nb\n")
    assert [note.text(s.span) for s in resolve(note.sections, "14.0 > Breaking")] == ["### Breaking\na\n"]
    assert [note.text(s.span) for s in resolve(note.sections, "C > 13.0 > breaking")] == ["### Breaking\nb\n"]
    assert len(resolve(note.sections, "Breaking")) == 2
    assert len(resolve(note.sections, "breaking")) == 2
    assert [s.number for s in resolve(note.sections, "breaking-1")] == [5]
    assert [s.number for s in resolve(note.sections, "#13-0")] == [4]
    assert resolve(note.sections, "15.0 > Breaking") == []


def test_r4_setext_sections_by_name():
    note = parse(b"Title\n=====\nSub\n---\n")
    assert [s.level for s in resolve(note.sections, "Title")] == [1]
    assert [s.level for s in resolve(note.sections, "sub")] == [2]


def test_head_is_the_first_section():
    note = parse(b"# A\nx\n## B\n")
    assert [s.number for s in resolve(note.sections, "head")] == [1]
    assert resolve(note.sections, "") == []


def test_r8_a_title_may_hold_the_sign_of_paths():
    note = parse(b"# T\n\n## 14.0 > Breaking\nliteral\n\n## from A -> B\narrow\n")
    assert [s.number for s in resolve(note.sections, "14.0 > Breaking")] == [2]
    assert [s.number for s in resolve(note.sections, "T > 14.0 > Breaking")] == [2]
    assert [s.number for s in resolve(note.sections, "from A -> B")] == [3]


def test_r17_the_name_of_a_note_may_hold_the_sign_of_sections():
    names = {"c#", "#ideas", "plain"}
    assert address_parts("plain#a", names.__contains__) == ("plain", "a")
    assert address_parts("c#", names.__contains__) == ("c#", "")
    assert address_parts("c##a", names.__contains__) == ("c#", "a")
    assert address_parts("#ideas#L3", names.__contains__) == ("#ideas", "L3")
    assert address_parts("nosuch#a", names.__contains__) == ("nosuch", "a")
    assert address_parts("#nosuch", names.__contains__) == ("#nosuch", "")


DATED = b"""# Log

## 2026-11-24: a customer was charged twice because of a retry

a

## 2026-11-09: queue stuck

b

## 2026-10-09: queue stuck

c

## 2026-10-02: disk full

d
"""


def test_an_address_without_its_day_is_enough_where_one_section_answers_to_it():
    note = parse(DATED)
    assert [s.slug for s in resolve(note.sections, "disk-full")] == ["2026-10-02-disk-full"]
    assert [s.slug[:10] for s in resolve(note.sections, "queue-stuck")] == ["2026-11-09", "2026-10-09"]
    assert resolve(note.sections, "full") == []


def test_an_address_as_a_map_cuts_it_leads_to_its_section():
    note = parse(DATED)
    (found,) = resolve(note.sections, "2026-11-24-a-customer-was…")
    assert found.title.endswith("because of a retry")
    assert len(resolve(note.sections, "2026-1…")) == 4
    assert resolve(note.sections, "2027…") == []


def test_a_printed_slug_leads_to_its_section_whatever_others_are_called():
    note = parse(b"# C\n## 1.0\n### Added\na\n## 0.9\n### Added\nb\n## added\nc\n## Head\nd\n")
    for section in note.sections:
        assert resolve(note.sections, "#" + section.slug) == [section]
    assert [s.slug for s in resolve(note.sections, "Added")] == ["added", "added-1"]
    assert [s.slug for s in resolve(note.sections, "added")] == ["added-2"]
    assert note.sections[-1].slug == "head-1"


def test_an_exact_title_goes_before_the_slug_of_another_heading():
    note = parse(b"# L\n## C#\nsharp\n## C\nc\n## C++ & C\npp\n")
    assert [s.title for s in resolve(note.sections, "C")] == ["C"]
    assert [s.title for s in resolve(note.sections, "C#")] == ["C#"]
    assert [s.title for s in resolve(note.sections, "#c")] == ["C#"]


def test_anchors_of_others_lead_where_they_lead_there():
    note = parse("# T\n## 🎯 Goals\n1\n## C++ & C\n2\n## What's new?\n3\n## Über uns\n4\n## A / B\n## A / B\n".encode())
    for anchor, title in (
        ("#-goals", "🎯 Goals"), ("#c--c", "C++ & C"), ("#whats-new", "What's new?"), ("#%C3%BCber-uns", "Über uns"),
        ("#Über uns", "Über uns"), ("#what's-new?", "What's new?"),
    ):  # fmt: skip
        assert [s.title for s in resolve(note.sections, anchor)] == [title], anchor
    assert [s.slug for s in resolve(note.sections, "#a--b-1")] == ["a-b-1"]
    assert resolve(note.sections, "#-nothing") == []
