"""The bench's door to the product: what it takes apart for speed is what the product's own functions give."""

import sys
from pathlib import Path

from bench import product
from bench.corpus.cache import Keep
from bench.corpus.snapshot import World
from bench.questions import Question
from bench.rivals.fragments import weights_of
from bench.strategies import Ask
from ladder.index.reader import open_index
from ladder.ranking.survey import route
from ladder.reading.answer import answer

sys.path.insert(0, str(Path(__file__).parent))
from test_replay import FILES, QUESTIONS


def asked(question: Question) -> Ask:
    query, error = product.query_of(question.contexts["turn"])
    assert error == ""
    return Ask(question, "turn", query, weights_of(question.text))


def test_a_survey_gives_what_route_and_answer_give(tmp_path):
    world = World(FILES, Keep(tmp_path))
    for question in QUESTIONS:
        ask = asked(question)
        names = [found.name for found in route(world.index, ask.query, k=4)]
        assert product.ranked(world, ask, 4) == names

        def read(number):
            return world.files[world.index.note(number).name]

        for budget in (40, 500):
            whole = answer(world.index, ask.query, budget, read=read)
            assert product.answered(world, ask, budget, None).parts == ((whole.text,) if whole.text else ())
            only = answer(world.index, ask.query, budget, notes=world.index.find(question.note), read=read)
            assert product.answered(world, ask, budget, question.note).parts == ((only.text,) if only.text else ())


def test_the_right_note_is_found_by_its_words(tmp_path):
    world = World(FILES, Keep(tmp_path))
    assert product.ranked(world, asked(QUESTIONS[0]), 1) == ["deploy/rollback"]


def test_an_index_belongs_to_the_code_that_built_it(tmp_path):
    first, second = Keep(tmp_path), Keep(tmp_path)
    second.product = b"another version"
    assert first.index(FILES) != second.index(FILES)
    assert open_index(str(first.index(FILES))).count == len(FILES)


def test_a_second_keep_finds_what_the_first_built(tmp_path):
    target = Keep(tmp_path).index(FILES)
    before = target.stat().st_mtime_ns
    assert Keep(tmp_path).index(FILES) == target
    assert target.stat().st_mtime_ns == before


def test_a_read_costs_map_head_and_section(tmp_path):
    world = World(FILES, Keep(tmp_path))
    view = product.read_notes(world, asked(QUESTIONS[0]), ["deploy/rollback", "nowhere"])
    shown = "\n".join(view.parts)
    assert "The canary waits ninety seconds, then aborts." in shown
    assert "2026-08-30 canary abort" in view.parts[0]
    assert view.calls == 3
