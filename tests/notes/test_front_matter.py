"""Front matter is text: what YAML would turn into dates and booleans stays as it was written (R14)."""

from notes import parse
from notes.markdown.front_matter import front_fields, is_left_open


def test_r14_values_stay_text():
    text = "---\ncreated: 2026-04-05\nat: 2022-12-06T09:05:28-06:00\nok: yes\noff: no\nn: 007\n---\n"
    assert front_fields(text) == {
        "created": ("2026-04-05",),
        "at": ("2022-12-06T09:05:28-06:00",),
        "ok": ("yes",),
        "off": ("no",),
        "n": ("007",),
    }


def test_lists_in_every_form():
    text = 'aliases: [a, \'b, c\', "d"]\ntags:\n  - x # why\n  - "y: z"\nread_when:\n- doing this\n- doing that\n'
    assert front_fields(text) == {
        "aliases": ("a", "b, c", "d"),
        "tags": ("x", "y: z"),
        "read_when": ("doing this", "doing that"),
    }


def test_texts_over_several_lines():
    text = 'description: >\n  one\n  two\n\nother: |\n  a\n  b\nlong: begins\n  goes on\nread-when: "it\'s \\"so\\""\n'
    assert front_fields(text) == {
        "description": ("one two",),
        "other": ("a\nb",),
        "long": ("begins goes on",),
        "read_when": ('it\'s "so"',),
    }


def test_what_is_not_understood_is_left_out():
    assert front_fields("{bad\n: :\n- stray\nok: 1\n") == {"ok": ("1",)}


def test_a_rule_is_no_front_matter():
    note = parse(b"---\n\n# Title\n\n---\ntext\n")
    assert note.front == (0, 0)
    assert note.title == "Title"


def test_unclosed_front_matter_is_none():
    assert parse(b"---\ntitle: T\n# A\n").front == (0, 0)


def test_r11_bom_before_front_matter():
    note = parse("\ufeff---\ntitle: T\n---\n# A\n".encode())
    assert (note.bom, note.title, note.front) == (True, "T", (3, 20))
    assert note.sections[0].title == "A"


def test_fields_of_a_note():
    note = parse(
        b"---\r\ntitle: 'T'\r\naliases: one, two\r\ntags: [\"#a\", b]\r\ndescription: d\r\n"
        b"read_when:\r\n  - x\r\n---\r\nlead\r\n"
    )
    assert (note.title, note.aliases, note.tags) == ("T", ("one", "two"), ("a", "b"))
    assert (note.description, note.read_when, note.newline) == ("d", ("x",), "\r\n")
    assert note.text(note.head) == "lead"


def test_a_body_between_rules_is_no_front_matter():
    for text in (
        "---\nStatus: done\nOwner: Kim\n\nThe pump was changed in May.\n\n## Costs\n\n400\n\n---\nmore\n",
        "---\nTasks: all of these\n- a\n- b\n\n---\nmore\n",
        "---\nNote: this\n\n# Title\n\n- a\n\n---\n",
    ):
        assert parse(text.encode()).front == (0, 0), text


def test_what_people_write_between_the_fences_is_front_matter():
    for text in (
        "---\na: 1\n\nb: 2\n# a remark\nc:\n- x\n- y\n\nd:\n  - z\n---\n",
        '---\ntags: [a,\nb]\nt: "two\n\nlines"\nu: |\n  text\n\n  more\n---\n',
        "---\ndescription: begins here\nand goes on unindented\nname: x\n---\n",
        "---\na: &x\n- 1\nb: {\n}\n---\n",
        "+++\ntitle = 'x'\n\n[extra]\ny = 1\n+++\n",
    ):
        assert parse(text.encode()).front == (0, len(text)), text


def test_front_matter_that_is_never_closed_is_told_of():
    assert is_left_open(b"---\ntitle: T\n# A\n", 0)
    for text in (b"---\n\nprose: no\n---\n", b"---\n# A\n", b"---\nprose\n", b"---\na: 1\n\nprose\n\n---\n", b"text\n"):
        assert not is_left_open(text, 0), text
