# ruff: noqa: E501 (texts as they are)
"""Former heads, days gone by, advice and repairs, worked out by hand on small notes."""

import datetime as dt
import json

from notes import find_notes, folder_settings, parse, project_root
from notes.files.lookup import first_folder, notes_called, place_of
from notes.review.adopt import survey
from notes.review.check import Checked, check_note
from notes.review.links import Targets, dead_links
from notes.review.live_secrets import live_secrets
from notes.review.repair import repair
from notes.writing.edit import parse_whole
from notes.writing.ledger import read_ledger
from notes.writing.past import as_of, committed, heads
from notes.writing.store import Place, append_entry, create, observe, read_notes_ledger, replace_head


def _at(day: str) -> dt.datetime:
    return dt.datetime.fromisoformat(day + "T12:00:00+00:00")


def test_as_of_puts_the_head_of_then_and_leaves_later_entries_out(tmp_path):
    place = create(tmp_path, "A", head="first", now=_at("2026-09-01"))
    append_entry(place, "one", date=dt.date(2026, 9, 2), now=_at("2026-09-02"))
    replace_head(place, "second", now=_at("2026-09-03"))
    append_entry(place, "two", date=dt.date(2026, 9, 4), now=_at("2026-09-04"))
    replace_head(place, "third", now=_at("2026-09-05"))
    data = place.path.read_bytes()
    old = as_of(place, data, dt.date(2026, 9, 3))
    assert old is not None
    assert old.data == b"# A\n\nsecond\n\n## History\n\n### 2026-09-02\n\none\n\n"
    assert old.source == "head as of 2026-09-03 from the ledger; 1 later entry left out; body of today"
    new = as_of(place, data, dt.date(2026, 9, 6))
    assert new is not None
    assert new.data == data
    assert as_of(place, data, dt.date(2026, 8, 31)) is None
    assert [(h.number, h.text) for h in heads(read_notes_ledger(place))] == [(1, "first"), (3, "second"), (5, "third")]


def test_a_head_changed_by_hand_is_kept_when_it_is_seen(tmp_path):
    place = create(tmp_path, "A", head="first")
    place.path.write_bytes(place.path.read_bytes().replace(b"first", b"by hand"))
    replace_head(place, "third")
    assert [h.text for h in heads(read_notes_ledger(place))] == ["first", "by hand", "third"]


def test_the_ledger_keeps_little_of_what_it_knows_already(tmp_path):
    place = create(tmp_path, "A", head="h")
    for n in range(40):
        append_entry(place, f"entry {n}")
    lines = place.ledger.read_bytes().rstrip(b"\n").split(b"\n")
    assert len(lines) == 41
    assert max(len(line) for line in lines) < 600
    assert json.loads(lines[-1])["keep"] == [39, 0]
    assert len(read_ledger(place.ledger.read_bytes()).last.entries) == 40


def test_half_a_line_of_a_killed_writer_is_passed_over_and_cut_off(tmp_path):
    place = create(tmp_path, "A", head="h")
    whole = place.ledger.read_bytes()
    place.ledger.write_bytes(whole + whole[:30])
    assert read_ledger(place.ledger.read_bytes()).faults == ()
    append_entry(place, "x")
    assert place.ledger.read_bytes().startswith(whole + b"{")
    assert read_notes_ledger(place).faults == ()
    place.ledger.write_bytes(whole.rstrip(b"\n"))
    observe(place, parse_whole(place.path.read_bytes()))
    assert [r.number for r in read_notes_ledger(place).records] == [1, 2]


def test_nothing_is_committed_outside_git(tmp_path):
    assert committed(tmp_path, ["a"]) == {}
    assert committed(tmp_path, []) == {}


def _dead(root, path):
    targets = Targets(find_notes(folder_settings(root)), root)
    return [link.target for link in dead_links(parse(path.read_bytes()), path, targets)]


def test_dead_links(tmp_path):
    (tmp_path / "b.md").write_text("# B\n", encoding="utf-8")
    (tmp_path / "with space.md").write_text("# S\n", encoding="utf-8")
    text = "[a](b.md) [b](gone.md#x) [c](with%20space.md) [[B]] [[b|shown]] [[nowhere]] [d](https://x.md) [e](#f) [g](/abs.md)\n"
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    assert _dead(tmp_path, path) == ["gone.md#x", "nowhere"]


def test_links_that_lead_somewhere_in_some_way_are_not_dead(tmp_path):
    for name in ("ops/gamma.md", "beta.md", "assets/diagram.png", "board.canvas", "sub/deep/own.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# The title\n", encoding="utf-8")
    (tmp_path / "beta.md").write_text("---\naliases: [Bee]\n---\n# B\n", encoding="utf-8")
    path = tmp_path / "sub" / "a.md"
    path.write_text(
        "| a | b |\n|---|---|\n| [[beta\\|x]] | [[gone\\|y]] |\n\n"
        "![[diagram.png]] [[board.canvas]] [[ops/gamma]] [[beta#^block|b]] [[The Title]] [[bee]] [[deep/own]] ![[lost.png]]\n"
        "[root](ops/gamma.md) [up](../beta.md) [no](gamma.md) [[{{name}}]] [t](<name>.md) [[../beta]]\n",
        encoding="utf-8",
    )
    assert _dead(tmp_path, path) == ["gone\\", "lost.png", "gamma.md"]


def test_where_no_wiki_link_leads_to_a_note_brackets_are_another_thing(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("The model links with [[brackets]], or [[wikilinks]].\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\n", encoding="utf-8")
    assert _dead(tmp_path, path) == []
    (tmp_path / "b.md").write_text("# B\n\n[[a]]\n", encoding="utf-8")
    assert _dead(tmp_path, path) == ["brackets"]


def test_a_dead_link_is_told_at_its_own_line_and_of_thousands_too(tmp_path):
    found = _checked(tmp_path, "gone.md stands here in words\n\n[x](gone.md)\n")
    assert found == [("link", 3, "link to gone.md leads nowhere")]
    found = _checked(tmp_path, "# T\n\n## B\n" + "".join(f"[{n}](gone-{n}.md) and more text\n" for n in range(20_000)))
    assert len(found) == 20_000
    assert found[19_999] == ("link", 20_003, "link to gone-19999.md leads nowhere")


CONFLICT = "# T\n\nlead\n\n<<<<<<< HEAD\nport 80\n=======\nport 90\n>>>>>>> other\n\nend\n"


def test_a_conflict_is_found_and_neither_side_is_a_paragraph(tmp_path):
    (found,) = _checked(tmp_path, CONFLICT)
    assert found[:2] == ("conflict", 5)
    note = parse(CONFLICT.encode())
    assert [note.text(p.span) for p in note.paragraphs] == ["lead", "end"]
    assert [s.title for s in note.sections] == ["T"]
    base = CONFLICT.replace("=======", "||||||| 1a2b\nport 70\n=======")
    assert [f[:2] for f in _checked(tmp_path, base)] == [("conflict", 5)]
    front = "---\ntitle: T\n<<<<<<< HEAD\nday: 1\n=======\nday: 2\n>>>>>>> b\n---\nlead\n"
    assert [f[:2] for f in _checked(tmp_path, front)] == [("conflict", 3)]


def test_what_only_looks_like_a_conflict_is_none(tmp_path):
    for text in (
        "# T\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n```\n",
        "Title\n=======\n\ntext\n",
        "# T\n\n<<<<<<< HEAD is where it begins\n\nand no more\n",
        "# T\n\n> > > > > > > deep\n",
    ):
        assert _checked(tmp_path, text) == []


def test_a_link_in_a_dated_entry_is_not_repaired(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.md").write_text("# B\n", encoding="utf-8")
    path = tmp_path / "a.md"
    path.write_text("# A\n\n## History\n\n### 2026-09-01\n\n[b](b.md)\n", encoding="utf-8")
    files = find_notes(folder_settings(tmp_path))
    assert repair(parse_whole(path.read_bytes()), path, Targets(files, tmp_path)) is None


def test_secrets_are_pointed_at_and_placeholders_passed_over():
    made = "".join(chr(97 + n * 7 % 26) for n in range(40))
    text = f"a\nghp_{made}\nAKIAIOSFODNN7EXAMPLE\nhttps://user:s3cr3tpw@host.x/\n-----BEGIN RSA PRIVATE KEY-----\n{made}\nsk-...\n"
    found = [(s.line, s.kind) for s in live_secrets(text)]
    assert found == [(2, "github-token"), (4, "url-password"), (5, "private-key")]


def test_what_stands_in_the_place_of_a_secret_is_none():
    """All ten that were found in five real repositories were of these kinds."""
    none = [
        "postgresql://vpn:${DB_PASSWORD}@db.vpn.net/vpn", "postgres://user:password@db.host.io/x", "redis://:{{ secret }}@h.io",
        "https://user:{{secret}}@host.io/", "mysql://app:$DB_PASS@db.host.io/app", "amqp://guest:guest@localhost:5672",
        "postgresql://postgres:postgres@127.0.0.1:5432/dev", "postgres://app:devpass1@db:5432/app", "ftp://u:%PASS%@host.io",
        "mongodb://root:hunter2x@mongo.local/", "postgres://app:app@db.host.io/", "https://user:secret123@api.example.com/",
        "https://x:<password>@host.io", "postgres://admin:mypassword@db.host.io", "https://u:$(cat pw)@host.io/",
        "sk-this-is-a-very-long-name-of-a-cli-option-in-words", "`-----BEGIN PRIVATE KEY-----` begins a key",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "sk-rotated-on-2026-01-02-by-somebody-of-the-team",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    ]  # fmt: skip
    assert [text for text in none if live_secrets(text)] == []
    made = "".join(chr(97 + n * 7 % 26) + str(n % 10) for n in range(24))
    some = [
        "postgres://app:k7Gq2LxW@db.host.io/app", f"postgres://app:Q7{made[:18]}@db:5432/app", f"sk-proj-{made}",
        f"    -----BEGIN OPENSSH PRIVATE KEY-----\n    {made}\n", f"key: '-----BEGIN PRIVATE KEY-----\\n{made}'",
    ]  # fmt: skip
    assert [text for text in some if not live_secrets(text)] == []


def test_a_survey_says_what_is_doubtful():
    note = parse(b"# A\n\nlead\n\n## 2026-09-01\n\nx\n\n## Deploy log\n\nno dates\n\n## History\n", "a.md")
    found = survey(note, len)
    assert (found.head, found.entries, found.change) == (4, 0, None)
    assert found.doubts == (
        '"2026-09-01" begins with a date but has no dated sibling: it counts as body',
        '"Deploy log" is named as a history but holds no date: it counts as body',
        '"History" is a history by its name and holds no entry',
    )


def test_names_find_notes_and_nothing_else(tmp_path):
    for name in ("deploy/rollback.md", "ops/rollback.md", "alerts.md"):
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# x\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("# x\n", encoding="utf-8")
    settings = folder_settings(tmp_path / "notes")

    def called(name):
        return [f.name for f in notes_called(settings, name)]

    assert called("deploy/rollback") == called("Deploy/Rollback.MD") == ["deploy/rollback"]
    assert called("rollback") == ["deploy/rollback", "ops/rollback"]
    assert called(str(tmp_path / "notes" / "alerts.md")) == ["alerts"]
    for name in ("guide.md", "GUIDE.md", "deep/Read.md", "deep/read.md"):
        (tmp_path / "notes" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "notes" / name).write_text(f"# {name}\n", encoding="utf-8")
    if len(find_notes(settings)) > 6:  # a file system that tells case apart
        for name in ("guide", "GUIDE", "deep/Read", "deep/read"):
            assert called(name) == called(name + ".md") == [name]
        assert called("Read") == ["deep/Read"]
        assert called("Guide") == ["GUIDE", "guide"]
    for name in ("../secret", str(tmp_path / "secret.md"), "", "\0", "lerts", "deploy/../../secret"):
        assert called(name) == []
    place = place_of(settings, notes_called(settings, "alerts")[0])
    assert place == Place(tmp_path / "notes", tmp_path / "notes" / "alerts.md")
    assert first_folder(settings) == tmp_path / "notes"


def _checked(tmp_path, text, **more):
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    (file,) = find_notes(folder_settings(tmp_path))
    given = {
        "file": file, "note": parse_whole(path.read_bytes()), "ledger": read_ledger(b""), "anchored": None,
        "ledger_bytes": b"", "targets": Targets([file], tmp_path), "head_budget": 400, "count": len, "last_read": None, "unread_days": 0,
        "today": dt.date(2026, 9, 30),
    }  # fmt: skip
    return [(f.kind, f.line, f.message) for f in check_note(Checked(**given | more))]


def test_notes_that_nobody_reads_are_named(tmp_path):
    read = {"a": dt.date(2026, 8, 1)}
    assert _checked(tmp_path, "# A\n\nx\n", last_read=read, unread_days=30) == [
        ("unread", 0, "was last read on 2026-08-01, more than 30 days ago")
    ]
    assert _checked(tmp_path, "# A\n\nx\n", last_read=read, unread_days=90) == []
    assert _checked(tmp_path, "# A\n\nx\n", last_read={}, unread_days=30)[0][2].startswith("was never read")
    assert _checked(tmp_path, "# A\n\nx\n", last_read=None, unread_days=30) == []


def test_dates_to_come_and_out_of_order_are_named(tmp_path):
    text = "# A\n\nx\n\n## Log\n\n- 2026-09-02: b\n- 2026-09-01: a\n- 2026-09-03: c\n- 2027-01-01: d\n"
    assert _checked(tmp_path, text) == [
        ("order", 8, "entry 2026-09-01-a stands behind 2026-09-02-b, out of order"),
        ("order", 10, "entry 2027-01-01-d bears a date to come"),
    ]
    newest_first = "# A\n\nx\n\n## Log\n\n- 2026-09-03: c\n- 2026-09-02: b\n- 2026-09-02: a\n"
    assert _checked(tmp_path, newest_first) == []


def test_a_submodule_is_a_project_of_its_own(tmp_path):
    (tmp_path / "main" / ".git" / "modules" / "sub").mkdir(parents=True)
    sub = tmp_path / "main" / "sub"
    sub.mkdir()
    (sub / ".git").write_text("gitdir: ../.git/modules/sub\n", encoding="utf-8")
    assert project_root(sub) == sub
    (sub / ".git").write_text("nonsense", encoding="utf-8")
    assert project_root(sub) == sub
