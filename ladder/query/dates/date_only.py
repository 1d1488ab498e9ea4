"""Messages that name a time and nothing else: only text of that time answers them.

`26 November 2026` leads by its words to every note with a 26 in it; a date that no note knows should find none.
"""

from __future__ import annotations

from ladder.query.dates.calendar import days_shown, may_name_day
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.query.query import Query

#: Words by which a message asks what was in that time.
_ASKED = """
happen happened happens anything everything gemacht getan passiert geschehen war wurde haben hat wir was los fait passé
passe qu est avons nous pasó paso hicimos hizo hemos hecho qué que fatto successo abbiamo cosa fizemos aconteceu feito
gedaan gebeurd hebben wat
"""


def only_a_time(query: Query) -> bool:
    """Whether a message that names days names nothing to look for beside them, and no conversation stands round it."""
    if query.later or query.at_work:
        return False
    from ladder.query.dates.absolute import is_date_word, words_ago  # noqa: PLC0415 (most messages name no day)
    from ladder.query.dates.relative import cut_words  # noqa: PLC0415 (as above)

    message = query.message
    times = {*words_ago(message), *_ASKED.split()}
    return all(word in times or is_date_word(word) or not terms(word) for word in cut_words(message.lower()))


def only_days(query: Query) -> str:
    """The days of a message that names a time and nothing else, 2026-02-01 to 2026-02-28; "" of any other."""
    if not may_name_day(query.message):
        return ""
    from ladder.query.dates.absolute import dates_in  # noqa: PLC0415 (as above)

    ranges = dates_in(query.message, query.now)
    return ", ".join([days_shown(first, last) for first, last in ranges]) if ranges and only_a_time(query) else ""
