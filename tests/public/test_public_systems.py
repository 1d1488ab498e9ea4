"""Each system over a few documents whose right order is plain to see."""

import pytest

from bench.public.catalogue import systems
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.run import run
from bench.public.systems.imitations import memesh
from bench.public.systems.imitations.memind_words import bigrams, proper_names, question_terms, words
from bench.public.systems.imitations.mempalace import extraction
from ladder.indexing.token_counts import count

DOCUMENTS = (
    Document("garden", (Turn("user", "The tomatoes need stakes before June."),), time="2026-01-01"),
    Document(
        "kiln",
        (Turn("user", "I bought a raku kiln from Osvaldo."), Turn("assistant", "Fire it slowly.")),
        time="2026-01-02",
    ),
    Document("boat", (Turn("user", "The boat's rudder squeaks."),), time="2026-01-03"),
)
QUESTION = Question("q", "Who sold me the raku kiln?", "one", "pool", frozenset({"kiln"}))
LOADED = "The kiln was hot when load after load of raku bowls and tiles went in at dawn, stacked by the door"
SET = QuestionSet("mini", {"pool": DOCUMENTS}, (QUESTION,), {}, "invented")
HERE = [name for name, entry in systems().items() if not entry.missing()]


@pytest.mark.parametrize("name", HERE)
def test_every_system_that_can_run_finds_the_kiln_first(name):
    outcome = run(name, systems()[name].make(), SET, SET.questions)
    assert outcome.answers[0].ranked[0] == "kiln"
    assert set(outcome.answers[0].ranked) <= {"garden", "kiln", "boat"}


@pytest.mark.parametrize("name", HERE)
def test_r33_r34_no_documents_or_no_shared_word_is_no_failure(name):
    system = systems()[name].make()
    assert list(system(())(QUESTION, 10)) == []
    strange = Question("s", "???", "one", "pool", frozenset({"kiln"}))
    assert len(list(system(DOCUMENTS)(strange, 10))) <= len(DOCUMENTS)


def test_ladder_looks_further_than_it_is_asked_for():
    # Twenty notes of one length hold the word; one more, a little longer, is of the month that is asked for. By whole
    # notes it comes last, by its date it comes first.
    rest = [Document(f"d{place}", (Turn("", LOADED),), time="2026-01-05") for place in range(20)]
    march = Document("march", (Turn("", LOADED + ", dusty"),), time="2026-03-05")
    search = systems()["ladder"].make()([*rest, march])
    asked = Question("q", "What about the kiln in March 2026?", "one", "pool", frozenset({"march"}), "2026-05-01")
    found = list(search(asked, 16))
    assert found[0] == "march"
    assert len(found) == 16


def test_text_that_is_shown_is_counted_and_whole_documents_are_where_none_is():
    told = {name: run(name, systems()[name].make(), SET, SET.questions).answers[0] for name in ("fragments", "bm25s")}
    assert told["fragments"].tokens == count("I bought a raku kiln from Osvaldo.")
    assert told["fragments"].values["text any"] == 1
    # The only document with a word of the question, read whole, with its speakers.
    assert told["bm25s"].tokens == count(DOCUMENTS[1].text)
    block = run("ladder", systems()["ladder"].make(), SET, SET.questions).answers[0]
    assert count("I bought a raku kiln from Osvaldo.") < block.tokens <= 1000


@pytest.mark.parametrize("name", [name for name in HERE if not name.startswith(("ladder", "memind"))])
def test_a_title_is_read_by_systems_that_know_no_titles(name):
    # A message that I wrote: whom I wrote to stands nowhere but in its title.
    rest = [Document(thing, (Turn("", f"The {thing} is here"),)) for thing in ("boat", "tent")]
    osvaldo = Document("osvaldo", (Turn("", "When do we meet?"),), title="Osvaldo Brandt")
    asked = Question("q", "Osvaldo Brandt?", "one", "pool", frozenset({"osvaldo"}))
    assert next(iter(systems()[name].make()([*rest, osvaldo])(asked, 3))) == "osvaldo"


def test_memesh_drops_short_tokens_quotes_and_joins_by_or():
    assert memesh.match("Is my Kiln's lid (A-7) ok?") == '"Kiln" OR "lid"'
    assert memesh.match(" ".join(f"word{n}" for n in range(30))).count(" OR ") == 19


def test_memesh_cuts_a_session_at_8000_characters():
    late = Document("late", (Turn("", "x" * 8000 + " kiln"),))
    assert list(memesh.full_text([late])(QUESTION, 5)) == []


def test_mempalace_extract_has_topic_continuation_and_resolution():
    document = Document(
        "d", (Turn("user", "First " * 100), Turn("assistant", "No."), Turn("user", "Last"), Turn("assistant", "Done."))
    )
    topic, continuation, resolution = extraction(document).split("\n")
    assert topic.startswith("First First")
    assert len(topic) <= 500 // 3
    assert (continuation, resolution) == ("Last", "Done.")


def test_memind_cuts_words_bigrams_and_names():
    assert words("JWT令牌 ok") == ["jwt", "令牌", "ok"]
    assert bigrams("a b-c") == {"ab", "bc"}
    assert proper_names("Who met Osvaldo at pier 39?") == ["osvaldo", "39"]
    assert question_terms("where did the boat meet Osvaldo", 2, names_first=True) == ["osvaldo", "boat"]
