import random

import Stemmer
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from ladder.text.stemmer import stem

ENDINGS = """
s ied ies sses us ed eed ing edly eedly ingly y anci enci ogi li bli abli alli fulli lessli ousli entli aliti
biliti iviti tional ational alism ation ization izer ator iveness fulness ousness ogist icate ative alize
iciti ical ful ness ic ance ence able ible ate ive ize iti al ism ion er ous ant ent ment ement e l ll
"""
BEGINNINGS = """
arsen commun emerg gener inter later organ past univers succ proc exc even cann inn earr herr out andes atlas
bias cosmos early gently howe idly news only singly skies skis sky ugly
"""
fast = Stemmer.Stemmer("english", 0)


def test_words_whose_stems_the_algorithm_page_gives():
    known = {
        "consistency": "consist", "knightly": "knight", "generations": "generat", "dying": "die", "hopping": "hop",
        "hoped": "hope", "skies": "sky", "proceed": "proceed", "agreed": "agre", "egged": "egg", "at": "at",
        "biometrics": "biometr", "rollback": "rollback", "deployments": "deploy", "yearly": "year",
    }  # fmt: skip
    assert {word: stem(word) for word in known} == known


def test_equal_to_pystemmer_on_half_a_hundred_thousand_invented_words():
    dice = random.Random(7)
    for _ in range(50_000):
        word = dice.choice(BEGINNINGS.split()) if dice.random() < 0.2 else ""
        word += "".join(dice.choice("aeiouybcdglmnrstvwxz") for _ in range(dice.randint(0, 5)))
        word += "".join(dice.choice(ENDINGS.split()) for _ in range(dice.randint(0, 3)))
        assert stem(word) == fast.stemWord(word), word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzéß", max_size=20))
def test_equal_to_both_stemmers_on_any_letters(word):
    assert stem(word) == EnglishStemmer().stemWord(word) == fast.stemWord(word)
