"""Which note a typed name means."""

import pytest

from ladder.reading.rungs import Ambiguous, one_note

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
