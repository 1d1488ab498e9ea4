import os
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

import ladder
from ladder.cli import app as cli
from ladder.reading.rungs import Ambiguous, _find
from notes import parse

ROLLBACK = """# Rollback

How a release is taken back.

## Rollback procedure

Switch the traffic.

## 14.0

### Breaking

Ports moved. Use `[slug]` and [/items] and [bold]as they are[/bold].

## 13.0

### Breaking

Nothing else.

## History

- 2026-08-30: the canary aborted on port 8081
- 2026-07-01: first drill took eleven minutes
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    (root / "docs" / "deploy").mkdir(parents=True)
    (root / "docs" / "deploy" / "rollback.md").write_text(ROLLBACK, encoding="utf-8")
    (root / "docs" / "alerts.md").write_text("# Alerts\n\nA canary alert pages.\n", encoding="utf-8")
    (root / "ladder.toml").write_text('folders = ["docs"]\n', encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(project, monkeypatch, capfd):
    def ran(*words):
        monkeypatch.setattr(sys, "argv", ["ladder", *words])
        with pytest.raises(SystemExit) as left:
            cli.run()
        out, err = capfd.readouterr()
        return left.value.code, out, err

    return ran


def test_suggest_prints_costs_and_reasons(run):
    code, out, err = run("suggest", "why did the canary abort on the port?")
    lines = out.split("\n")
    assert (code, err) == (0, "")
    assert lines[0].split() == ["NOTE", "HEAD", "SECTIONS", "ALL", "WHY"]
    assert lines[1].split()[0].endswith("rollback")
    assert "canary" in lines[1]


@pytest.mark.parametrize(
    "words",
    [
        ("suggest",),
        ("sugest", "x"),
        ("suggest", "x", "--mots", "3"),
        ("suggest", "x", "--most", "none"),
        ("note", "nw"),
        ("read", "no\nsuch\x1b[31m note"),
        ("map", "a" * 5000),
        ("suggest", "x", "--log", "no\r\nfile"),
        ("suggest", "x", "--notes", "nowhere\nat all"),
    ],
)
def test_whatever_is_wrong_is_one_plain_line(run, words):
    code, out, err = run(*words)
    assert code in (1, 2)
    assert out == ""
    assert err.startswith("ladder: ")
    assert err.count("\n") == 1
    assert err.rstrip("\n").isprintable()
    assert len(err) < 2100


def test_r35_suggest_says_nothing_when_nothing_fits(run):
    assert run("suggest", "zebra quagga") == (1, "", "ladder: none of the 2 notes has to do with it\n")
    code, out, err = run("suggest", "zebra quagga", "--json")
    assert (code, orjson.loads(out), err) == (1, {"schema": 1, "notes": []}, "")


def test_map_lists_every_section_and_marks_what_was_asked(run):
    run("suggest", "why did the canary abort?")
    assert "<- " not in run("map", "rollback")[1], "what was asked before is no part of this question"
    code, out, _ = run("map", "rollback", "why", "did", "the", "canary", "abort?")
    assert code == 0
    rows = out.split("\n")
    assert rows[0].split() == ["#", "SECTION", "ZONE", "COST"]
    assert any("(head)" in row and "head" in row for row in rows)
    assert any("<- " in row and "canary" in row for row in rows)
    assert "history" in out


def test_map_takes_the_question_as_an_argument_and_prints_json(run):
    code, out, _ = run("map", "rollback", "eleven minutes", "--json")
    rows = orjson.loads(out)["sections"]
    assert code == 0
    assert {row["zone"] for row in rows} == {"head", "body", "history"}
    assert sum("eleven" in row["hits"] for row in rows) == 2  # the section and the entry in it
    whole = [row for row in rows if row["section"]]
    assert [row["section"] for row in whole] == list(range(1, len(whole) + 1))
    assert whole[0]["start"] == 0
    assert all(before["end"] == after["start"] for before, after in pairwise(whole))


def test_a_map_of_hundreds_of_sections_lists_those_with_words_of_the_question(run, project):
    sections = "".join(f"## Run {n}\n\n{'glaze' if n in (7, 400) else 'it'} took {n} minutes\n\n" for n in range(500))
    (project / "docs" / "kiln.md").write_text(f"# Kiln\n\nHot.\n\n{sections}", encoding="utf-8")
    code, out, err = run("map", "kiln", "glaze")
    assert [row.split()[:3] for row in out.splitlines()[2:]] == [["9", "Run", "7"], ["402", "Run", "400"]]
    assert (code, err) == (0, "ladder: 3 of 501 rows: those with words of the question; --all lists all\n")
    assert [row.split()[2] for row in run("map", "kiln", "the minutes of run 400")[1].splitlines()[2:]] == ["400"]
    assert len(run("map", "kiln", "minutes")[1].splitlines()) == 201
    code, out, err = run("map", "kiln", "")
    assert (len(out.splitlines()), err) == (201, "ladder: 200 of 501 rows: the first ones; --all lists all\n")
    assert len(run("map", "kiln", "--all")[1].splitlines()) == 502
    assert len(orjson.loads(run("map", "kiln", "glaze", "--json")[1])["sections"]) == 501


def test_read_by_slug_number_path_and_line(run):
    section = "## Rollback procedure\n\nSwitch the traffic.\n\n"
    assert run("read", "rollback#rollback-procedure") == (0, section, "")
    assert run("read", "rollback", "Rollback procedure") == (0, section, "")
    assert run("read", "rollback#2") == (0, section, "")
    assert run("read", "rollback#L7") == (0, section, "")
    assert run("read", "rollback#13.0 > Breaking")[1] == "### Breaking\n\nNothing else.\n\n"


@pytest.mark.parametrize("endings", [["\r\n", "\n"], ["\n", "\r\n"], ["\r\n", "\r\n", "\n"], ["\n"], ["\r\n"], ["\r"]])
def test_a_line_is_the_one_that_grep_counts_whatever_ends_the_others(run, project, endings):
    lines = ["# Kiln", "", "Lead.", "", "## Glaze", "blue", "", "## Run", "red", ""]
    ends = [endings[i % len(endings)] for i in range(len(lines))]
    whole = "".join([line + end for line, end in zip(lines, ends, strict=True)])
    (project / "docs" / "kiln.md").write_bytes(whole.encode())
    for number, title in ((5, "Glaze"), (6, "Glaze"), (7, "Glaze"), (8, "Run"), (9, "Run")):
        assert title in run("read", f"kiln#L{number}")[1].splitlines()[0], number
    assert run("read", "kiln#L99")[0] == 1


def test_read_a_dated_entry_and_the_head(run, project):
    assert run("read", "rollback#2026-07-01-first-drill-took-eleven-minutes")[1] == (
        "- 2026-07-01: first drill took eleven minutes\n"
    )
    assert run("read", "rollback#2026-07-01")[1] == "- 2026-07-01: first drill took eleven minutes\n"
    run("note", "append", "rollback", "second drill", "--date", "2026-07-01")
    code, out, err = run("read", "rollback#2026-07-01")
    assert (code, out) == (2, "")
    found = ("second-drill", "first-drill-took-eleven-minutes")
    assert err.endswith(" may be any of: " + ", ".join(f"deploy/rollback#2026-07-01-{name}" for name in found) + "\n")
    (project / "docs" / "deploy" / "rollback.md").write_text(ROLLBACK, encoding="utf-8")
    assert run("read", "rollback#head")[1].strip() == "How a release is taken back."
    assert run("read", "rollback")[1] == run("read", "rollback", "--all")[1] == ROLLBACK


def test_a_head_costs_the_same_on_every_rung(run, project):
    front = "---\ntags: [pottery, kiln, glaze, oven]\nread_when: the kiln is too hot\n---\n\n"
    head = "The kiln fires at 1240 degrees.\n\n## Status\n\nIt waits for a new fuse."
    (project / "docs" / "kiln.md").write_text(f"{front}# Kiln\n\n{head}\n\n## Parts\n\nFuse.\n", encoding="utf-8")
    (project / "docs" / "bare.md").write_text("# Bare kiln\n\n## Parts\n\nFuse.\n", encoding="utf-8")
    suggested = orjson.loads(run("suggest", "kiln", "--json")[1])["notes"]
    (cost,) = [row["head"] for row in suggested if row["note"] == "kiln"]
    first, second, *_ = orjson.loads(run("map", "kiln", "--json")[1])["sections"]
    assert (first["title"], first["cost"]) == ("(head)", cost)
    assert (second["title"], second["zone"]) == ("Status", "head")
    assert run("read", "kiln#head")[1] == run("read", "kiln#1")[1] == head + "\n"
    assert run("read", "kiln#kiln")[1].startswith("---\n")
    assert orjson.loads(run("map", "bare", "--json")[1])["sections"][0]["title"] == "Bare kiln"  # it has no head
    assert run("read", "bare#1")[1] == "# Bare kiln\n\n"


def test_r8_an_ambiguous_heading_lists_both_and_reads_nothing(run):
    code, out, err = run("read", "rollback#Breaking")
    assert (code, out) == (2, "")
    assert "14.0 > Breaking" in err
    assert "13.0 > Breaking" in err


def test_an_unknown_name_gives_names_like_it(run):
    code, out, err = run("read", "rolback#x")
    assert (code, out) == (1, "")
    assert "rollback" in err
    code, out, err = run("read", "rollback#rollback-proc")
    assert (code, out) == (1, "")
    assert "#rollback-procedure" in err
    assert run("map", "")[0] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_note_that_only_its_name_leads_to_says_so(run, project):
    (project / "docs" / "anna.md").write_text("---\naliases: [AM]\n---\nPrefers phone.\n", encoding="utf-8")
    assert run("suggest", "AM")[1].splitlines()[1].split()[-2:] == ["its", "name"]
    assert run("read", "[[AM]]")[1] == run("read", "anna")[1] == "---\naliases: [AM]\n---\nPrefers phone.\n"


def test_a_link_that_leads_nowhere_is_told_of(run, project):
    link = project / "docs" / "gone.md"
    link.symlink_to(project / "nothing.md")
    said = f"ladder: passed over: {link} is a link that leads nowhere\n"
    assert run("suggest", "canary abort")[2] == said
    assert run("suggest", "canary abort")[2] == run("answer", "canary abort")[2] == ""  # once a day is enough
    assert run("index")[2] == run("index")[2] == said
    (project / "docs" / "latin.md").write_bytes(b"# Latin\n\n\xe9\n")
    assert len(run("suggest", "canary abort")[2].splitlines()) == 2  # it is another
    assert run("read", "rollback")[2] == ""
    for command in (("read", "gone"), ("map", "docs/gone.md"), ("note", "append", "gone", "text")):
        assert run(*command) == (1, "", f"ladder: {link} is a link that leads nowhere\n")


def test_r64_note_text_is_printed_verbatim(run):
    text = "Use `[slug]` and [/items] and [bold]as they are[/bold]."
    assert text in run("read", "rollback#3")[1] + run("read", "rollback#4")[1]
    assert text in run("answer", "ports moved slug items", "--budget", "300")[1]


def test_answer_stays_within_its_budget(run):
    code, out, _ = run("answer", "why did the canary abort?", "--budget", "60", "--json")
    block = orjson.loads(out)
    assert code == 0
    assert block["tokens"] <= 60
    assert "8081" in block["text"]
    assert run("answer", "zebra", "--budget", "60") == (1, "", "ladder: none of the 2 notes has to do with it\n")
    assert run("answer", "canary", "--note", "alerts")[1].split(" ")[0].endswith("alerts")


def test_a_damaged_index_is_made_anew(run):
    assert run("map", "rollback")[0] == 0
    (file,) = Path(os.environ["XDG_CACHE_HOME"]).glob("ladder/*/index*.ladder")
    whole = bytearray(file.read_bytes())
    whole[80:400] = bytes(byte ^ 0x5A for byte in whole[80:400])  # behind the header, inside the notes
    file.write_bytes(whole)
    assert run("suggest", "why did the canary abort?")[0] == 0
    assert run("map", "rollback")[0] == 0
    assert run("suggest", "--why", "canary")[0] == 0


def test_why_names_signals_and_terms(run):
    code, out, _ = run("suggest", "--why", "why did the canary abort yesterday?")
    assert code == 0
    assert "WORDS" in out
    assert "Terms: " in out
    assert "Dates: " in out
    assert run("suggest", "--why", "zebra")[0] == 1


@pytest.mark.parametrize(
    ("message", "days"),
    [
        ("canary in February 2026", "2026-02-01 to 2026-02-28"),
        ("canary in June 2025", "2025-06-01 to 2025-06-30"),
        ("canary on 30 August 2026", "2026-08-30"),
    ],
)
def test_why_names_days_as_the_calendar_has_them(run, message, days):
    assert f"Dates: {days}\n" in run("suggest", "--why", message)[1]


#: What the gate says of a first message that names no note: 1 / (1 + e^1.9), see below.
LIKELY = "that a note will be opened is 0.13 likely, that the notes answer it 0."


@pytest.mark.parametrize(
    ("message", "speaks", "said"),
    [
        ("why did the canary abort on port 8081?", True, LIKELY),
        # Log odds of the gate: -2.9, +1.3 for the first message, 0.2 * -1.5: 1 / (1 + e^1.9) = 0.13.
        ("write a parser for canary columns", False, LIKELY),
        ("canary", False, LIKELY),
        ("zebra", False, "no note has to do with it"),
        ("<system-reminder>canary</system-reminder>", False, "no person wrote it"),
    ],
)
def test_why_ends_with_what_the_hook_would_do(run, message, speaks, said):
    _, out, _ = run("suggest", "--why", message)
    does = "show deploy/rollback" if speaks else "be silent"
    assert out.rstrip("\n").split("\n")[-1].startswith(f"the hook would {does}: ")
    assert said in out
    hook = orjson.loads(run("suggest", "--why", message, "--json")[1])["hook"]
    assert hook["speaks"] is speaks
    assert hook["why"].startswith(said)
    assert bool(hook["notes"]) is speaks


def test_r65_a_closed_pipe_is_silent(project):
    big = "\n\n".join(f"## Section {i}\n\ncanary {i} " + "word " * 200 for i in range(400))
    (project / "docs" / "big.md").write_text("# Big\n\n" + big + "\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(Path(ladder.__file__).parent.parent)}
    started = subprocess.Popen(
        [sys.executable, "-m", "ladder", "read", "big", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert started.stdout.readline() == b"# Big\n"
    started.stdout.close()
    err = started.stderr.read()
    assert started.wait(timeout=60) == 0
    assert err == b""
    started.stderr.close()


def test_r20_search_names_the_note_that_is_not_utf8_in_one_line_and_finds_the_rest(run, project):
    (project / "docs" / "bad.md").write_bytes(b"# Bad \xa2\n\ncanary\n")
    code, out, err = run("suggest", "canary alert")
    assert (code, err.count("\n")) == (0, 1)
    assert "bad.md" in err
    assert "alerts" in out
    assert run("index")[2].count("bad.md") == 1
    assert run("read", "alerts")[2] == ""


def test_r17_a_note_whose_name_holds_the_sign_of_sections_can_be_read(run, project):
    (project / "docs" / "c#.md").write_text("# See\n\nsharp\n\n## Part\n\nflat\n", encoding="utf-8")
    assert run("read", "c#")[1] == "# See\n\nsharp\n\n## Part\n\nflat\n"
    assert "flat" in run("read", "c##part")[1]
    assert "flat" in run("note", "show", "c##part")[1]


def test_r65_what_the_system_refuses_is_one_line(run, project):
    code, out, err = run("suggest", "x", "--notes", "a" * 5000)
    assert (code, out, err.count("\n")) == (2, "", 1)
    (project / "ladder.toml").write_text("folders = [\n", encoding="utf-8")
    for command in ("suggest x", "mine", "bench", "weekly", "report", "note promote", "index"):
        code, out, err = run(*command.split())
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "ladder.toml, line 1" in err


def test_r65_index_of_what_is_no_folder_is_wrong_use(run, project):
    for words in (("index", "nosuch"), ("index", "--notes", "ladder.toml")):
        assert run(*words)[0] == 2


@pytest.mark.skipif(os.name == "nt", reason="sh closes the streams")
def test_r65_closed_streams_and_a_full_disk_give_no_traceback(project):
    command = f"{shlex.quote(sys.executable)} -m ladder"
    for words, code in (("suggest canary >&-", 0), ("note append alerts <&-", 2), ("guard <&-", 2), ("index 2>&-", 0)):
        done = subprocess.run(["sh", "-c", f"{command} {words}"], capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), words
    if os.path.exists("/dev/full"):  # noqa: PTH110 (a device)
        done = subprocess.run(
            ["sh", "-c", f"{command} suggest canary >/dev/full"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_r62_answers_say_whether_their_costs_are_estimates(run):
    assert orjson.loads(run("answer", "canary", "--json")[1])["estimated"] is False


def test_a_loop_of_links_is_one_line(capsys):
    assert cli._wrong_use(RuntimeError("Symlink loop from '/home/mara/.cache'")) == 2
    assert capsys.readouterr().err == "ladder: Symlink loop from '/home/mara/.cache'\n"
    with pytest.raises(RuntimeError, match="ours"):
        cli._wrong_use(RuntimeError("ours to mend"))


def test_a_large_note_is_read_as_its_head_its_map_and_how_to_go_on(run, project):
    parts = "".join(f"## Part {n}\n\n{'glaze ' * 80}\n\n" for n in range(12))
    (project / "docs" / "kiln.md").write_text(f"# Kiln\n\n**Date:** 2026-02-08\n\n{parts}", encoding="utf-8")
    code, out, err = run("read", "kiln")
    lines = out.splitlines()
    assert (code, err, lines[0], lines[2].split()) == (0, "", "**Date:** 2026-02-08", ["#", "SECTION", "ZONE", "COST"])
    assert [line.split()[:3] for line in lines[3:-1]] == [[str(n + 2), "Part", str(n)] for n in range(12)]
    assert lines[-1].startswith("Go on with `ladder read kiln#NUMBER`; --all prints all ")
    assert run("read", "kiln#13")[1].startswith("## Part 11\n")
    assert len(orjson.loads(run("read", "kiln", "--json")[1])["sections"]) == 12


def test_answer_says_best_first_each_with_an_address_that_can_be_read(run, project):
    (project / "docs" / "kiln.md").write_text(
        "# Kiln\n\nIt is hot.\n\n## Glaze temperature\n\nThe celadon glaze melts at 1240 degrees.\n\n"
        "## Storage\n\nGlaze is kept in buckets.\n",
        encoding="utf-8",
    )
    out = run("answer", "at", "how", "many", "degrees", "does", "the", "celadon", "glaze", "melt?")[1]
    first = out.splitlines()[0].removeprefix("best: ")
    assert first.startswith("kiln#glaze-temperature (")
    assert first.partition(" <- ")[2].split(", ")[0] in {"celadon", "degrees", "melt"}
    found = orjson.loads(run("answer", "celadon glaze degrees", "--json")[1])
    assert found["sections"][0]["note"] in [
        each["note"] for each in orjson.loads(run("suggest", "celadon glaze degrees", "--json")[1])["notes"]
    ]
    for each in found["sections"]:
        assert each["text"].strip() in run("read", each["address"])[1]
        assert each["shown"] <= each["cost"]
        assert found["tokens"] >= each["shown"]


def test_a_section_called_like_anothers_number_is_asked_about_and_each_answer_can_be_read():
    note = parse(b"# T\n\nlead\n\n## 3\n\nthree\n\n## B\n\nb\n")
    with pytest.raises(Ambiguous) as raised:
        _find(note, "n", "#3")
    assert raised.value.found == ["n#L5 (T > 3)", "n#L9 (T > B)"]
    assert [_find(note, "n", a).text.strip() for a in ("#L5", "#L9", "#2", "#1")] == [
        "## 3\n\nthree", "## B\n\nb", "## 3\n\nthree", "lead",
    ]  # fmt: skip
    twice = parse(b"# T\n## A\n### Added\na\n## B\n### Added\nb\n")
    with pytest.raises(Ambiguous) as raised:
        _find(twice, "n", "Added")
    assert [_find(twice, "n", "#" + told.partition(" ")[0].partition("#")[2]).text for told in raised.value.found] == [
        "### Added\na\n", "### Added\nb\n",
    ]  # fmt: skip


def test_a_text_that_begins_with_a_dash_is_a_text(run):
    """With white space in it it is no option; without, the line says what to type."""
    assert "rollback" in run("suggest", "-v2026.4.10 of the canary")[1]
    assert "canary" in run("map", "rollback", "--why the canary")[1]
    code, _, said = run("suggest", "-v2026.4.10", "canary")
    assert code == 2
    assert "if it is a text: ladder suggest -- -v2026.4.10 canary; see ladder suggest --help" in said
    assert "if it is a text" not in run("suggest", "canary", "--jsn")[2]
    assert "if it is a text" not in run("index", "-q")[2]
