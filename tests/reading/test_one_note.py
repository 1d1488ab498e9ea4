"""Which note a typed name means, and which part of it an address of its map."""

import pytest

from ladder.indexing.update import fresh_index
from ladder.reading.rungs import Ambiguous, map_note, one_note, read_section

NOTES = {
    "agents": b"# How agents work here\n",
    "docs/agents": b"# agents\n",
    "docs/readme": b"# Docs\n",
    "api/readme": b"# Api\n",
    "ops": b"---\naliases: [Agents]\n---\n# Ops\n",
}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("agents", "agents"), ("AGENTS.md", "agents"), ("docs/agents", "docs/agents"), ("docs", "docs/readme"),
     ("ops", "ops")],
)  # fmt: skip
def test_its_own_name_leads_to_a_note_whatever_others_are_titled(index, typed, name):
    assert index.note(one_note(index, typed)).name == name


def test_a_file_name_that_two_notes_have_is_ambiguous(index):
    with pytest.raises(Ambiguous, match="'readme' may be any of: api/readme, docs/readme"):
        one_note(index, "readme")


def test_an_entry_with_a_heading_is_one_row_and_each_row_of_a_map_is_what_its_address_reads(tmp_path):
    text = (
        "# Changelog\n\nAll of it.\n\n## [0.2.0] - 2026-07-30\n\nShort.\n\n### Fixes\n\n- one\n\n### Docs\n\n- two\n\n"
        "## [0.1.0] - 2026-07-28\n\n### Fixes\n\n- three\n\n## Log\n\n- 2026-01-02: a\n- 2026-01-03: b\n"
    )
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "c.md").write_text(text, encoding="utf-8", newline="")
    with fresh_index(tmp_path) as index:
        rows = map_note(index, 0)
        assert [row.slug for row in rows[1:]] == [
            "2026-07-30-0-2-0", "fixes", "docs", "2026-07-28-0-1-0", "fixes-1", "log", "2026-01-02-a", "2026-01-03-b",
        ]  # fmt: skip
        for row in rows[1:]:
            part = read_section(index, 0, f"#{row.slug}")
            assert part.text.rstrip() == text[row.start : row.end].rstrip(), row.slug
