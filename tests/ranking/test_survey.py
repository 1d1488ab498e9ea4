import subprocess
import sys
from math import log1p
from pathlib import Path

import pytest

import ladder
from ladder.index.format import term_hash
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.explain import written_terms
from ladder.ranking.survey import route, survey
from ladder.reading.answer import answer
from ladder.reading.rungs import suggest


def names(found):
    return [each.name for each in found]


def test_the_note_that_says_it_comes_first(store, ask):
    index, _ = store
    found = route(index, ask("why did the canary abort?"))
    assert names(found) == ["deploy/rollback", "ops/alerts"]
    assert found[0].why == ("abort", "canary")
    assert found[0].cost == index.note(found[0].note).cost
    assert found[0].score == pytest.approx(sum(found[0].signals.values()))


def test_r33_more_notes_are_asked_for_than_there_are(store, ask):
    index, _ = store
    assert len(route(index, ask("canary"), k=1000)) == 2


@pytest.mark.parametrize("notes", [{}, {"a": b""}, {"a": b"the and of\n"}, {"a": b"---\nx: 1\n---\n"}])
def test_r34_nothing_to_search(notes, tmp_path, ask):
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    assert route(index, ask("why did the canary abort?")) == []


@pytest.mark.parametrize("message", ["zebra quagga", "", "the of and", "?!", "\x00\ud800"])
def test_r35_no_term_in_common_suggests_nothing(store, ask, message):
    index, _ = store
    assert route(index, ask(message)) == []


def test_r35_a_sentence_with_one_exact_id_still_hits(store, ask):
    index, _ = store
    sentence = "could you perhaps have a closer look at what everybody was writing there concerning BILL-4711 lately"
    assert names(route(index, ask(sentence)))[0] == "people/who"


def test_a_named_note_comes_first(store, ask):
    index, _ = store
    assert names(route(index, ask("canary abort, see ops/alerts.md")))[0] == "ops/alerts"


@pytest.mark.parametrize("mention", ["@ops/alerts.md", "(@ops/alerts.md)", "@ops/alerts.md."])
def test_a_file_that_the_user_points_at_is_a_named_note(store, ask, mention):
    index, _ = store
    assert names(route(index, ask(f"canary abort, see {mention}")))[0] == "ops/alerts"


@pytest.mark.parametrize(
    ("folder", "within"),
    [
        ("@docs/adr/", ["docs/adr/0001-git", "docs/adr/0002-sqlite"]),
        ("docs/adr", ["docs/adr/0001-git", "docs/adr/0002-sqlite"]),
        ("adr/", ["docs/adr/0001-git", "docs/adr/0002-sqlite"]),
        ("/docs", []),  # looks like a slash command
        ("https://example.org/docs/adr/", []),
        ("either/or", []),
    ],
)
def test_the_notes_of_a_folder_that_the_message_names_come_before_others(folder, within, tmp_path, ask):
    notes = {
        "docs/adr/0001-git": b"# Git\n\nCommits.\n",
        "docs/adr/0002-sqlite": b"# SQLite\n\nTables.\n",
        "guide": b"# Structure\n\nThe structure of records.\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    found = route(index, ask(f"structure of the records in {folder}"))
    assert sorted(each.name for each in found if "within" in each.signals) == within
    if within:
        assert sorted(names(found)[: len(within)]) == within
        assert found[0].signals["within"] == pytest.approx(5.5 / 2**0.5)


def test_a_note_read_in_this_session_is_not_suggested_again(store, ask):
    index, _ = store
    opened = ["/home/dev/other/checkout/deploy/rollback.md"]
    assert "deploy/rollback" not in names(route(index, ask("why did the canary abort?", opened=opened)))


def test_the_text_of_the_slash_command_itself_is_not_suggested(tmp_path, ask):
    notes = {
        ".claude/commands/plan/go": b"# Go\n\nCarry out the plan step by step.\n",
        "plan": b"# P\n\nThe plan go.\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    assert names(route(index, ask("/plan:go"))) == ["plan"]


def test_an_entry_of_the_day_that_is_asked_for_lifts_its_note(store, ask):
    index, _ = store
    scene = survey(index, ask("what happened to the canary on 30 August?", now="2026-09-02"))
    assert scene.dates == [(20260830, 20260830)]
    assert scene.totals[index.find("deploy/rollback")[0]]["dated"] > 0


def test_equal_notes_come_in_the_order_of_their_names(tmp_path, ask):
    build_from_bytes(dict.fromkeys(("c", "a", "b"), b"same words here\n"), tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    assert names(route(index, ask("same words"))) == ["a", "b", "c"]


def test_words_are_shown_as_they_were_written():
    assert written_terms("数据库迁移什么时候进行") == {}
    assert written_terms("部署 uses öl") == {"部署": "部署", "use": "uses", "ol": "öl", "oel": "öl"}
    assert written_terms("Entity-revision merges!") == {
        "entityrevis": "entity-revision",
        "entiti": "entity",
        "revis": "revision",
        "merg": "merges",
    }


def test_the_hooks_path_imports_c_modules_alone():
    # Promise 3: the hook starts with -I -S, and each module of the library it would load costs milliseconds.
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        # As in the bundle: the package without what its own `__init__` imports.
        "notes = sys.modules['notes'] = type(sys)('notes'); notes.__path__ = [sys.argv[1] + '/notes']\n"
        "import ladder.reading.answer\n"
        "new = [m for m in set(sys.modules) - before if not m.startswith(('ladder', 'notes'))]\n"
        "print(*sorted(m for m in new if getattr(sys.modules[m], '__file__', None) and "
        "not sys.modules[m].__file__.endswith(('.so', '.pyd'))))"
    )
    root = str(Path(ladder.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, root], capture_output=True, text=True, check=True)
    allowed = {"__future__", "_collections_abc", "genericpath", "ntpath", "os", "os.path", "posixpath", "stat"}
    assert set(done.stdout.split()) <= allowed


def test_a_note_of_many_subjects_is_found_by_the_one_paragraph_that_holds_the_question(tmp_path, ask):
    # Forty notes hold both words often, always apart; as a whole each of them fits better than the long one.
    apart = "# Work {}\n\n" + "glaze glaze of the week\n\n" + "filler\n\n" * 6 + "kiln kiln of the week\n"
    many = "\n\n".join(f"subject {i} is told here in some words" for i in range(60))
    notes = {f"w{i:02}": apart.format(i).encode() for i in range(40)}
    notes["log"] = f"# Log\n\n{many}\n\nThe kiln cracked the glaze.\n\n{many}\n".encode()
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    asked = ask("kiln glaze")
    whole = index.score_notes(asked.weigh()[0])
    log = index.find("log")[0]
    assert whole[log] < min(score for n, score in enumerate(whole) if n != log)
    block = answer(index, asked, 60, read=lambda n: notes[index.note(n).name])
    assert "The kiln cracked the glaze." in block.text


@pytest.mark.parametrize("word", ["furnace", "ceramics", "kiln", "firing", "overheated", "pottery"])
def test_a_word_that_stands_only_in_title_alias_tag_name_heading_or_description_finds_its_note(word, tmp_path, ask):
    # Nothing else in the store holds the word, no paragraph at all.
    notes = {
        "workshop/pottery": b"---\naliases: [furnace]\ntags: [ceramics]\ndescription: When it overheated\n---\n"
        b"# Kiln\n\nIt is hot.\n\n## Firing\n\nSlowly.\n",
        "other": b"# Other\n\nsomething else\n",
        "third": b"# Third\n\nmore of it\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    assert names(route(index, ask(word)))[:1] == ["workshop/pottery"]


@pytest.mark.parametrize("message", ["AM", "am?", "see [[AM]]", "and [[People/Anna Müller|her]] again"])
def test_a_message_of_stop_words_or_a_wiki_link_that_is_a_name_names_the_note(message, tmp_path, ask):
    notes = {
        "People/Anna Müller": b"---\naliases: [AM]\n---\nPrefers phone.\n",
        "her": b"# Her\n\nI am here, see it again and again, Anna.\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    found = route(index, ask(message))
    assert names(found)[:1] == ["People/Anna Müller"]
    assert "named" in found[0].signals
    assert "named" not in {name for each in route(index, ask("/her")) for name in each.signals}


@pytest.mark.parametrize(
    "message", ["what happened on November 22?", "was war letzte Woche?", "qu'est-ce qui s'est passé le 22 novembre ?"]
)
def test_a_question_with_nothing_but_a_day_finds_the_note_with_an_entry_of_that_day(message, tmp_path):
    notes = {
        "oncall": b"# Pager\n\n## History\n\n### 2026-11-27\n\nlatency\n\n### 2026-11-22\n\ncertificate\n",
        "other": b"# Other\n\nsomething else\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    asked = query(Context(message=message, now="2026-11-30T09:00:00Z"))
    assert names(route(index, asked))[:1] == ["oncall"]
    shown = answer(index, asked, 24, read=lambda n: notes[index.note(n).name]).text
    assert "certificate" in shown or "letzte" in message


def test_last_week_is_a_time_and_no_words_to_look_for(tmp_path):
    notes = {
        "oncall": b"# Pager\n\n## History\n\n### 2026-11-27\n\nlatency\n\n### 2026-11-22\n\ncertificate\n",
        "order": b"# Order\n\nThe newest comes last, every week.\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    found = route(index, query(Context(message="what happened last week?", now="2026-11-30T09:00:00Z")))
    assert names(found) == ["oncall"]
    assert found[0].why == ("2026-11-27",)
    assert names(route(index, query(Context(message="the last week", now=""))))[0] == "order"  # without a day, words


def test_the_reason_is_the_days_that_the_note_itself_holds(tmp_path):
    notes = {f"n{day}": f"# N\n\n## History\n\n### 2026-11-{day}\n\nx\n".encode() for day in (24, 26)}
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    found = route(index, query(Context(message="what happened last week?", now="2026-11-30T09:00:00Z")))
    assert {each.name: each.why for each in found} == {"n24": ("2026-11-24",), "n26": ("2026-11-26",)}


DATED = {
    "pager": b"# Pager\n\n26 calls in all of 2026.\n\n## History\n\n### 2026-11-22\n\nA certificate ran out.\n",
    "letter": b"# Letter\n\nIt came on 26 October 2026.\n\n## History\n\n### 3 November 2026\n\nNobody had read it.\n",
    "plan": b"# Plan\n\nThe cut is on 26 October 2026, we did it before.\n",
    "daily/2026-11-20": b"# 2026-11-20\n\nWalked.\n",
    "daily/29.11.2026": b"## Tasks\n\n- call Bob\n",
}


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("26 November 2026", []),
        ("2026-11-26", []),
        ("what did we do on 26 November 2026?", []),
        ("what happened last month?", []),
        ("what happened this month?", ["letter", "pager", "daily/2026-11-20", "daily/29.11.2026"]),
        ("2026-11-20", ["daily/2026-11-20"]),
        ("2026-11-03", ["letter"]),  # whose entry writes its day in another way
        ("was haben wir gestern gemacht?", ["daily/29.11.2026"]),
        ("and the day before yesterday?", []),
        ("22 November 2026", ["pager"]),
        ("2026-11-22", ["pager"]),
        ("what happened last week?", ["daily/29.11.2026"]),
        ("what happened in the last week of October?", ["letter", "plan"]),
        ("26 October 2026", ["plan", "letter"]),
        ("what happened on 26 October 2026?", ["plan", "letter"]),
        ("26", ["pager", "plan", "letter"]),
        ("letter of 26 November 2026", ["letter"]),  # a word to look for: words lead
    ],
)
def test_a_time_and_nothing_else_finds_what_is_of_that_time(message, found, tmp_path):
    build_from_bytes(DATED, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    asked = query(Context(message=message, now="2026-11-30T09:00:00Z"))
    assert sorted(names(suggest(index, asked))) == sorted(found)
    shown = answer(index, asked, 400, read=lambda n: DATED[index.note(n).name])
    assert sorted({index.note(n).name for n in shown.notes} & set(found)) == sorted(found)
    assert found or not shown.notes


def test_of_a_time_and_nothing_else_only_what_is_of_that_time_is_shown(tmp_path):
    items = b"- 2026-03-14: the 11 and 22 of 2026\n- 2026-11-22: a certificate\n"
    notes = {"pager": b"# Pager\n\nhead\n\n## History\n\n" + items}
    build_from_bytes(notes, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    for message in ("2026-11-22", "22 November 2026", "was war letzte Woche?"):
        asked = query(Context(message=message, now="2026-11-25T09:00:00Z"))
        shown = answer(index, asked, 400, read=lambda n: notes[index.note(n).name]).text
        assert ("certificate" in shown, "2026-03-14" in shown) == (True, False)


def test_a_word_of_a_name_that_no_text_holds_counts_as_the_word_of_one_note(tmp_path, ask):
    notes = {"ops/zephyr-relay": b"# Box 7\n\nIt hums.\n", "ops/relay": b"# Relay\n\nrelay\n", "x": b"# X\n\nhums\n"}
    build_from_bytes(notes, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        weights = dict(index.name_terms(index.find("ops/zephyr-relay")[0]))
        assert weights[term_hash("zephyr")] == weights[term_hash("op")] == log1p(2.5 / 1.5)  # neither is in a text
        (found,) = route(index, ask("zephyr"))
        assert found.name == "ops/zephyr-relay"
        assert found.signals["name"] > 0
