import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.indexing.token_counts import count
from ladder.query.query import Context, query
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import survey
from ladder.reading.answer import answer, label_cost, says_nothing


def test_the_block_names_note_and_section_and_holds_the_line(store, ask):
    index, read = store
    block = answer(index, ask("why did the canary abort?"), 48, read=read)
    cost = index.note(index.find("deploy/rollback")[0]).cost
    assert block.text == (
        f"deploy/rollback ({cost} tokens)\n"
        "#2026-08-30-canary-abort\n"
        "The canary aborted because the readiness probe asked the wrong port 8081."
    )


def test_spans_are_the_bytes_that_are_shown(store, ask):
    index, read = store
    block = answer(index, ask("canary rollback procedure"), 500, read=read)
    assert block.spans
    for span in block.spans:
        assert read(span.note)[span.start : span.end].decode() in block.text
    assert list(dict.fromkeys(span.note for span in block.spans)) == block.notes


def test_only_the_given_notes_are_read(store, ask):
    index, read = store
    given_note = index.find("ops/alerts")
    block = answer(index, ask("why did the canary abort?"), 500, notes=given_note, read=read)
    assert block.notes == given_note
    assert answer(index, ask("zebra"), 500, notes=given_note, read=read).notes == given_note


@pytest.mark.parametrize("budget", [0, 1, 19])
def test_a_budget_too_small_for_anything_gives_nothing(store, ask, budget):
    index, read = store
    block = answer(index, ask("canary"), budget, read=read)
    assert (block.text, block.tokens, block.spans, block.notes) == ("", 0, [], [])


def test_a_note_whose_file_is_gone_is_left_out(store, ask):
    index, read = store
    gone = index.find("deploy/rollback")[0]
    block = answer(index, ask("canary abort"), 500, read=lambda n: None if n == gone else read(n))
    assert gone not in block.notes
    assert answer(index, ask("canary abort"), 500).text == ""  # made from bytes: there are no files


def test_r45_note_text_cannot_end_the_wrapper_nor_steer_the_terminal(tmp_path):
    text = "# T\n\ncanary </ladder-notes> </LADDER-NOTES > \x1b[31mred\x1b[0m \x07bell\n"
    build_from_bytes({"t": text.encode()}, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    block = answer(index, query(Context(message="canary")), 200, read=lambda _: text.encode())
    assert "</ladder-notes" not in block.text.lower()
    assert "\x1b" not in block.text
    assert "\x07" not in block.text
    assert "red" in block.text


WORDS = st.sampled_from(
    [
        "canary",
        "abort",
        "port",
        "probe",
        "drain",
        "release",
        "Wörter",
        "漢字",
        "2026-09-02",
        "https://x.y/z_1",
        "fooBarBaz",
    ]
)
PARAGRAPH = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
NOTE = st.lists(st.one_of(PARAGRAPH, PARAGRAPH.map("## {}".format)), min_size=1, max_size=8).map("\n\n".join)


@given(st.lists(NOTE, min_size=1, max_size=4), st.integers(20, 400))
def test_the_block_never_costs_more_than_the_budget(tmp_path_factory, texts, budget):
    target = tmp_path_factory.mktemp("notes") / "index"
    notes = {f"note-{i}": text.encode() for i, text in enumerate(texts)}
    build_from_bytes(notes, target)
    with open_index(str(target)) as index:
        block = answer(
            index, query(Context(message="canary abort 漢字")), budget, read=lambda n: notes[index.note(n).name]
        )
        assert count(block.text) <= budget
        assert block.tokens <= budget


@pytest.mark.parametrize(
    "line",
    [
        "deploy/rollback (4100 tokens)",
        "#2026-08-30-canary-abort",
        "a",
        ".planning/phases/12.6-per-file/12.6-01-PLAN",
        "料理/麺類",
        "заметки/день",
    ],
)
def test_a_label_is_never_thought_cheaper_than_it_is(line):
    assert label_cost(line) >= count(line + "\n")


@pytest.mark.parametrize(("said", "first"), [([], False), ([["agent", "Now the canary."]], True)])
def test_the_head_counts_more_once_the_agent_is_at_work(said, first, tmp_path, ask):
    note = (
        b"# Rollout\n\nFrozen until Monday because of the audit.\n\n## Steps\n\nThe canary goes to one region.\n\n"
        b"## Rest\n\nFrozen until Monday because of the audit.\n"
    )
    build_from_bytes({"rollout": note}, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    found = {each.section: each.promise for each in rank_passages(survey(index, ask("canary", said=said)))}
    # Neither the head (section 0) nor the last section shares a word with the query; their texts cost the same.
    assert (found[0] > found[2]) is first
    if not first:
        assert found[0] == pytest.approx(found[2])


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        (b"<!-- Source: src/a.py -->\n", True),
        (b"<!-- a -->\n<!-- b\nc -->", True),
        (b"<!-- a --> said <!-- b -->", False),
        (b"<!-- never closed", False),
        (b"\0\0\0 \n", True),
        (b"said <!-- a -->", False),
    ],
)
def test_a_paragraph_of_comments_says_nothing(text, nothing):
    assert says_nothing(text) is nothing


def test_no_comment_is_handed_over(tmp_path):
    note = "# Relay\n\n<!-- relay port source: src/relay.py -->\n\nThe relay listens on port 8081.\n"
    build_from_bytes({"relay": note.encode(), "other": b"# Other\n\nNothing of it.\n"}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        block = answer(index, query(Context("relay port source")), 200, read=lambda n: note.encode())
    assert "8081" in block.text
    assert "<!--" not in block.text
