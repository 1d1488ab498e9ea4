"""Which notes the hook names at a tool call: what is a command's own word, and what says something about it."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.speaking.mentions import mentions_of_command, mentions_of_file, says_something, without_documents


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("git push --force", "git push --force"),
        ("git commit -F - <<'EOF' && git push\nwe no longer push\nEOF\nls", "git commit -F -  && git push\nls"),
        ('git commit -m "$(cat <<EOF\nFix it\n\nBy: me\nEOF\n)" && ls', 'git commit -m "$(cat \n)" && ls'),
        ("cat <<-\\END > x\n\ttext\n\tEND\nmake", "cat  > x\nmake"),
        ("echo $((1 << 3))\nmake", "echo $((1 << 3))\nmake"),
        ("grep x <<< 'one two'\nmake", "grep x <<< 'one two'\nmake"),
        ("cat <<EOF\nnever closed", "cat "),
        ("cat <<\nmake", "cat <<\nmake"),
    ],
)
def test_a_here_document_is_no_part_of_the_command(command, kept):
    assert without_documents(command) == kept


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```bash\nerk exec upload --session x\n```", "exec upload"),
        ("**Usage:** `erk exec upload`", "exec upload"),
        ("<!-- Source: src/a.py, the function that loads every plan -->", "src/a.py"),
        ("**Location:** `packages/src/a.py:61-140`", "src/a.py"),
        ("- `mise run test` - default suite", "mise run"),
    ],
)
def test_what_only_lists_a_command_or_a_file_says_nothing(text, words):
    assert not says_something(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Any panic in `src/prompt.go` kills the whole process, the user sees a blank prompt.", "src/prompt.go"),
        ("部署之前必须先运行 `make drain`, 否则队列会丢失消息。", "make drain"),
        ("<!-- Source: a.py --> Never call `paint all` while the shop is open to guests.", "paint all"),
    ],
)
def test_a_sentence_says_something(text, words):
    assert says_something(text, words)


NOTES = {
    "usage": "# Usage\n\n```\npaintctl stripe --all\n```\n",
    "warning": (
        "# Warning\n\n- `paintctl stripe`\n\nNever let `paintctl stripe` run while guests are in the shop: it sprays.\n"
    ),
    "files": "# Files\n\n<!-- Source: src/spool.py -->\n",
    "one": "# One\n\n`src/brush.py` and `src/roller.py`\n",
    "two": "# Two\n\nThe bristles of `src/brush.py` are kept apart from those of the other tools.\n",
    "more": "# More\n\n`src/spray.py`\n\nThe nozzle in `src/spray.py` is opened twice by mistake, so close it first.\n",
}


@pytest.fixture
def index(tmp_path):
    build_from_bytes({name: text.encode() for name, text in NOTES.items()}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as found:
        yield found


def told(index, mentions):
    found = {}
    for each in mentions:
        row = index.passages(each.note).paragraph(each.paragraph)
        found[index.note(each.note).name] = NOTES[index.note(each.note).name][row.start : row.end]
    return found


def read(row, start, end):
    return NOTES[row.name].encode()[start:end]


def test_a_command_s_note_must_say_more_than_the_command(index):
    assert told(index, mentions_of_command(index, "paintctl stripe --all", "/p", read)) == {
        "warning": "Never let `paintctl stripe` run while guests are in the shop: it sprays."
    }


def test_a_file_s_note_is_named_by_what_says_something_where_it_can(index):
    assert told(index, mentions_of_file(index, "/p/src/spray.py", "/p", read)) == {
        "more": "The nozzle in `src/spray.py` is opened twice by mistake, so close it first.",
    }
    assert told(index, mentions_of_file(index, "/p/src/spool.py", "/p", read)) == {
        "files": "<!-- Source: src/spool.py -->",
    }


def test_a_file_that_several_notes_mention_is_no_particular_note_s_business(index):
    assert mentions_of_file(index, "/p/src/brush.py", "/p", read) == []
    assert list(told(index, mentions_of_file(index, "/p/src/roller.py", "/p", read))) == ["one"]


def test_words_of_a_commit_s_message_name_no_note(index):
    assert mentions_of_command(index, "git commit -F - <<'EOF'\npaintctl stripe is gone\nEOF", "/p", read) == []
