"""Function words of languages other than English, which say nothing about the topic of a question.

The tokenizer leaves out English ones everywhere. Others may be English words (die, war, fin, son), so they are left out
of messages only, and only of a message with two words that no English text has.
"""

from __future__ import annotations

from ladder.text.tokenizer import terms

#: A line for each of German, French, Spanish, Italian, Portuguese, Dutch: words that tell it, and behind `/` words that
#: are also of other languages.
_LINES = """
der das ist und nicht ein eine einen einem einer wir wie warum für von vom zu zum zur bei beim auf dem des sich \
werden wird wurde haben habe hatte sind welche welcher welches welchen wann wer wem wohin sein muss müssen kann \
können soll sollen darf noch schon oder aber auch dass wenn als nach über unser unsere uns ich ihr mein gibt gab \
heißt wieder eigentlich denn \
fuer ueber muessen koennen heisst / die was war hat man in im am an es so da bis um er sie aus mal mit den wo
le les des une est et dans avec nous vous ils elle que qui quoi pourquoi quand où quel quelle quels quelles être \
sont était ont avons faut fait cette ces ce cet pas ne du au aux leur notre nos mais donc ou / la un de il on en \
y se sa son ma ses par plus si pour sur comment
el los las una es y por qué cómo cuándo dónde cuál cuáles quién está están tiene tienen hemos debe puede esta \
este esto nuestro nuestra del pero porque como / la un de en se lo no me su si o a que para con hay fue era al \
ser
il gli della delle degli dei nel nella con perché quando dove quale quali chi è sono hanno abbiamo deve questo \
questa che alla allo dalla una / la un di in si lo da a e o i le se per era come non dal
uma é por que como quando onde qual quais quem está estão há foi tem temos deve pode nosso nossa da das ao não \
são na pelo pela / o a um de em se e ou os as para com era este esta do dos no nos nas
het een voor niet wij zijn waar waarom wanneer welke wie wordt worden heeft hebben moet kan deze dit dat naar \
ook nog ons onze bij uit maar / is in op te om er als was aan van met hoe en de
"""
#: Words of a message that are examined, from its beginning.
_LOOKED = 100
_EDGE = "()[]{}<>\"'`*,;:!?.¿¡…«»„“”"


def function_terms(message: str) -> set[str]:
    """The terms of `message` that are function words of the language that it is in; none when it is English."""
    words = {word.strip(_EDGE) for word in message.lower().split(None, _LOOKED)[:_LOOKED]}
    found: set[str] = set()
    for line in _LINES.strip().split("\n"):
        telling, _, others = line.partition("/")
        told = words.intersection(telling.split())
        if len(told) > 1:
            found |= told
            found |= words.intersection(others.split())
    return {term for word in found for term in terms(word)}
