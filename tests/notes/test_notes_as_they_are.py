"""The promises over real notes: every file, and with LADDER_FAULTS=1 every version that git holds of it."""

import datetime as dt
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from notes import find_notes, folder_settings, parse
from notes.markdown.blocks import blocks
from notes.markdown.parse import is_binary
from notes.writing.changes import changes
from notes.writing.edit import EditError, parse_whole, with_entry, with_head
from notes.writing.ledger import dated
from notes.writing.store import Place, StoreError, append_entry, read_notes_ledger, replace_head

pytestmark = pytest.mark.data
DAY = dt.date(2026, 9, 2)


def _files(data: Path):
    for path in sorted(data.glob("sessions/*/notes/**/*.md")):
        yield path.name, path.read_bytes()


def _versions(data: Path):
    """Every version of every Markdown file in the repositories."""
    for repository in sorted(data.glob("sessions/*/notes/.git")):
        git = ["git", "-C", str(repository.parent)]
        listed = subprocess.run([*git, "rev-list", "--all", "--objects"], capture_output=True, check=True).stdout
        wanted = {line.split(b" ")[0] for line in listed.split(b"\n") if line.endswith((b".md", b".MD"))}
        asked = b"\n".join(sorted(wanted)) + b"\n"
        with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            # Asked for in one go, answered into a file: a pipe filled on both ends would stand still.
            out, _ = process.communicate(asked)
        at = 0
        while at < len(out):
            end = out.index(b"\n", at)
            size = int(out[at:end].split(b" ")[2])
            yield "blob", out[end + 1 : end + 1 + size]
            at = end + 2 + size


def test_real_notes_are_divided_edited_and_given_back_without_a_changed_byte(data):
    count = entries = with_history = refused_heads = refused_entries = changed = size = 0
    for name, raw in _versions(data) if os.environ.get("LADDER_FAULTS") else _files(data):
        count += 1
        size += len(raw)
        note = parse(raw, name)
        entries += len(note.entries)
        with_history += bool(note.history)
        changed += b"".join(raw[s.span.start : s.span.end] for s in note.sections) != raw
        whole = parse_whole(raw, name)
        try:
            other = with_head(whole, "another head")
            back = with_head(other, whole.text(whole.head)) if whole.head.start < whole.head.end else whole
            changed += back.data != raw
        except EditError:
            refused_heads += 1
        try:
            made = with_entry(whole, "# what happened\n\n```\nx\n", DAY, "a title")
        except EditError:
            refused_entries += 1
            continue
        added = len(made.note.data) - len(raw)
        at = next((n for n in range(len(raw)) if made.note.data[n] != raw[n]), len(raw))
        changed += not any(
            made.note.data[:k] + made.note.data[k + added :] == raw for k in range(max(0, at - added), at + 1)
        )
        changed += [made.note.text(e.span) for e in dated(made.note) if e.slug != made.entry.slug] != [
            whole.text(e.span) for e in dated(whole)
        ]
        if note.history and not made.newest_first:
            old = max((h.end for h in note.history), default=0)
            changed += not made.note.data.startswith(raw[:old])
    print(
        f"{count} notes, {size / 1e6:.1f} MB, {with_history} with a history, {entries} entries; changed: {changed}; "
        f"refused: {refused_heads} heads, {refused_entries} entries"
    )
    assert changed == 0
    assert refused_heads <= 0.02 * count
    assert refused_entries <= 0.02 * count


@pytest.mark.skipif(not os.environ.get("LADDER_FAULTS"), reason="writes 1,400 notes three times; LADDER_FAULTS=1 does")
def test_copies_of_real_notes_through_the_store(data, tmp_path):
    count = refused = changed = 0
    for name in ("erk", "cipher-box"):
        root = tmp_path / name
        shutil.copytree(data / "sessions" / name / "notes", root, ignore=shutil.ignore_patterns(".git"))
        for file in find_notes(folder_settings(root)):
            count += 1
            place = Place(root, Path(file.path))
            raw = place.path.read_bytes()
            note = parse_whole(raw, file.path)
            try:
                append_entry(place, "what happened", title="a title", date=DAY)
            except StoreError:
                refused += 1
                changed += place.path.read_bytes() != raw
                continue
            longer = place.path.read_bytes()
            changed += longer != with_entry(note, "what happened", DAY, "a title").note.data
            replace_head(place, "another head")
            if note.head.start < note.head.end:
                replace_head(place, note.text(note.head))
                changed += place.path.read_bytes() != longer
            ledger = read_notes_ledger(place)
            now = parse_whole(place.path.read_bytes(), file.path)
            changed += bool(ledger.faults or changes(ledger, now))
    print(f"{count} notes written: changed where they must not be: {changed}; appends refused: {refused}")
    assert changed == 0
    assert refused <= 0.02 * count


def test_tabs_and_raw_html_as_commonmark_has_them():
    for text, found in (
        (b"```\ncode\n```\t\n## A\n", [("code", ""), ("heading", "A")]),
        (b"~~~\r\ncode\r\n~~~ \t\r\n## A\r\n", [("code", ""), ("heading", "A")]),
        (b"## Foo ###\t\n", [("heading", "Foo")]),
        (b"## Foo\t##\n", [("heading", "Foo")]),
        (b"## Foo \t## \t\n", [("heading", "Foo")]),
        (b"<pre>\nx\n</script>\n## A\n", [("html", ""), ("heading", "A")]),
        (b"<SCRIPT src='x'>\nx</pre>\n## A\n", [("html", ""), ("heading", "A")]),
        (b"<pre>\n\nx\n</PRE>\n## A\n", [("html", ""), ("heading", "A")]),
        (b"```\n<pre>\n```\n\n<style>\n\n</style>\n## A\n", [("code", ""), ("html", ""), ("heading", "A")]),
    ):
        assert [(b.kind, b.opening) for b in blocks(text, 0)[0]] == found, text


def test_a_head_is_cut_whatever_it_is_made_of():
    comment = b"<!-- " + b"words of a comment " * 200 + b"-->\n\n"
    definitions = b"".join(b"[ref-%d]: https://example.net/%d\n" % (n, n) for n in range(400))
    for between in (comment, definitions + b"\n"):
        note = parse(b"# T\n\nfirst\n\n" + between + b"second\n\n## B\n")
        assert note.text(note.head) == "first"
        assert [s.title for s in note.sections] == ["T", "(lead)", "B"]
    note = parse(b"# T\n\nfirst\n\n" + definitions)
    assert note.text(note.head) == "first"
    short = parse(b"# T\n\nfirst\n\n<!-- short -->\n\nsecond\n\n[a]: b\n")
    assert short.text(short.head) == "first\n\n<!-- short -->\n\nsecond\n\n[a]: b"


def test_binary_is_told_from_text_in_any_encoding():
    assert is_binary(bytes(range(256)) * 4)
    assert is_binary("a text in UTF-16, which no note can be".encode("utf-16") * 4)
    for text in (
        b"",
        b"\x00",
        b"text with one \x00 in it" * 9,
        "日本語の文".encode("shift-jis") * 40,
        b"\x1b[0m\t\n" * 40,
    ):
        assert not is_binary(text)
