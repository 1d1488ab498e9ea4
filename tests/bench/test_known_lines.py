"""Questions made of a folder's own lines."""

import pytest
from typer.testing import CliRunner

from bench.tasks.known_lines import made, words_of
from ladder.cli.app import app
from ladder.cli.terminal import Failure

TEXT = """# Kiln

The upper shelf bends when porcelain stays above cone nine for longer.

short line

- Brände, 42 Grad zu heiß, springen: Öffnen verhindert weitere Schäden danach immer
"""


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_a_question_holds_words_of_its_line_and_of_others():
    found = made({"kiln": TEXT.encode()}, questions=9, words=3, others=2, seed=4)
    assert len(found.questions) == 2
    assert found.left_out == {"lines too short": 2}
    for question in found.questions:
        (line,) = question.evidence
        text = TEXT.encode()[line.start : line.end].decode()
        assert text in TEXT.split("\n")
        words = question.text.split()
        assert len(words) == 5
        assert len(set(words_of(text)) & set(words)) >= 3


def test_the_same_seed_asks_the_same_and_another_one_does_not():
    notes = {"kiln": TEXT.encode()}
    asked = [made(notes, questions=2, words=4, others=0, seed=seed).questions for seed in (1, 1, 2)]
    assert asked[0] == asked[1] != asked[2]


def test_words_are_letters_alone_of_four_and_more():
    assert words_of("The v2api, Öffnen ÖFFNEN `deploy_step` 2026 kiln-shelf ab") == [
        "öffnen", "deploy", "step", "kiln", "shelf",
    ]  # fmt: skip


def test_the_command_says_how_well_lines_are_found(tmp_path):
    (tmp_path / "kiln.md").write_text(TEXT, encoding="utf-8")
    done = run("bench", "notes", "--notes", tmp_path, "--words", 4, "--others", 0)
    assert done.exit_code == 0
    assert "lines, all: 2 questions, 1 notes" in done.stdout
    assert "| 250 | 100.0" in done.stdout


def test_notes_without_such_lines_are_an_error_that_names_them(tmp_path):
    (tmp_path / "kiln.md").write_text("# Kiln\n\nshort\n", encoding="utf-8")
    with pytest.raises(Failure, match="no line of a note there has 4 words") as failure:
        run("bench", "notes", "--notes", tmp_path)
    assert str(tmp_path) in str(failure.value)
