"""File names of new notes (R17, R27)."""

import unicodedata

import pytest

from notes.files.naming import BadNameError, file_name, folder_parts
from notes.writing.store import StoreError, create


def test_r17_titles_of_every_script_get_distinct_names_or_a_clear_error(tmp_path):
    names = {create(tmp_path, title).path.name for title in ("日本語", "인증", "🔥")}
    assert names == {"日本語.md", "인증.md", "fire.md"}
    for title in ("", "---"):
        with pytest.raises(StoreError, match="no file name"):
            create(tmp_path, title)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Deploy: rollback?", "deploy-rollback.md"),
        ("CON", "con-note.md"),
        ("nul.txt", "nul-txt.md"),
        ("LPT1", "lpt1-note.md"),
        ("..hidden", "hidden.md"),
        ("/compact", "compact.md"),
        ("a/b\\c", "a-b-c.md"),
        ("Section", "section.md"),
        ("trailing. ", "trailing.md"),
    ],
)
def test_file_name(title, name):
    assert file_name(title) == name


def test_three_hundred_characters_make_a_name_that_file_systems_take():
    for letter in ("a", "語", "🔥", "é"):
        name = file_name(letter * 300)
        assert 3 < len(name.encode("utf-8")) < 200


def test_names_that_differ_only_by_case_or_composition_are_one(tmp_path):
    create(tmp_path, "Straße É")
    for title in ("straße é", "STRASSE É", unicodedata.normalize("NFD", "Straße É")):
        with pytest.raises(StoreError, match="exists already"):
            create(tmp_path, title)
    (tmp_path / "Upper.md").write_bytes(b"mine")
    with pytest.raises(StoreError, match="exists already"):
        create(tmp_path, "upper")
    assert (tmp_path / "Upper.md").read_bytes() == b"mine"


@pytest.mark.parametrize("title", ["../../x", "/etc/passwd", "a\\..\\b", "C:\\x\\y", "a\0b"])
def test_r27_a_path_is_no_title(tmp_path, title):
    with pytest.raises(StoreError):
        create(tmp_path / "notes", title)
    assert not (tmp_path / "notes").exists()


@pytest.mark.parametrize(
    "folder", ["../x", "/etc", "a/../../b", "a\\..\\b", "C:\\x", "~/x", "a\0b", ".hidden", "con", "a. /b"]
)
def test_r27_folders_that_lead_out_are_refused(tmp_path, folder):
    with pytest.raises(BadNameError):
        folder_parts(folder)
    with pytest.raises(StoreError):
        create(tmp_path / "notes", "t", folder=folder)
    assert not (tmp_path / "notes").exists()


def test_a_title_with_nul_is_refused(tmp_path):
    with pytest.raises(StoreError, match="NUL"):
        create(tmp_path, "a\0b")


def test_a_new_note_has_title_and_head(tmp_path):
    place = create(tmp_path, "Deploy rollback", folder="ops/deploy", head="It works.")
    assert place.relative == "ops/deploy/deploy-rollback.md"
    assert place.path.read_bytes() == b"# Deploy rollback\n\nIt works.\n"
