"""Function words of a message's own language are no words to look for; the same letters in English are."""

import pytest

from ladder.query.query import Context, query
from ladder.ranking.survey import route
from ladder.speaking.verdict import decide
from ladder.text.stop_words import function_terms

NOTES = {
    "keller": "# Gärkeller\n\nDer Raum ist kühl, die Tür ist der Fluchtweg im Notfall.\n".encode(),
    "kuehlung": "# Kühlung\n\nDruck im Kühlkreis: 2,1 bar.\n\nDas Ventil steht hinter dem Kompressor.\n".encode(),
    "relay": b"# Relay\n\nThe relay listens on port 7443. Processes die at night.\n",
}


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("wie hoch ist der Druck?", ["hoch", "druck"]),
        ("pourquoi le camion est coincé ?", ["camion", "coinc"]),
        ("¿por qué falla la base del puerto?", ["falla", "base", "puerto"]),
        ("why do processes die at night", ["process", "die", "night"]),  # English
        ("die Tür", ["die", "tur", "tuer"]),  # one word tells no language
        ("the war was in la jolla", ["war", "la", "jolla"]),
    ],
)
def test_what_is_left_of_a_message(message, left):
    assert list(query(Context(message)).part("message")) == left


def test_the_note_that_shares_the_topic_goes_before_the_one_that_shares_the_articles(index):
    found = route(index, query(Context("wie hoch ist der Druck im Kühlkreis?")))
    assert found[0].name == "kuehlung"
    assert "ist" not in found[0].why


def test_the_hook_answers_such_a_question(index):
    decision = decide(index, query(Context("wo steht das Ventil?")), None)
    assert decision.speaks
    assert [index.note(n).name for n in decision.search.candidates][:1] == ["kuehlung"]
    assert decide(index, query(Context("ist der Raum denn der Fluchtweg?")), None).speaks
    assert not decide(index, query(Context("was ist denn das hier wieder für eine Sache?")), None).speaks


def test_no_word_is_left_out_of_code():
    assert function_terms("def main(self): return self.el.una and self.der") == set()
