"""Times relative to today: yesterday, last week, the past three months, two days ago, since Monday.

    times_told("was war in den letzten zwei Wochen?")  ->  [(4, 6, "run", 7, 2, False)]

A table of each language's words; a phrase takes all of its words from one language, so that the German `hier` and the
French `mes` are neither days nor months. What scripts without spaces write stands in `wideago`.
"""

from __future__ import annotations

from ladder.query.dates.calendar import day_ordinal

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]
    #: A phrase: its first word and the one after its last, its kind, unit in days, how many, whether until today.
    Told = tuple[int, int, str, int, int, bool]

DAY, WEEK, MONTH, YEAR = 1, 7, 30, 365
_WEEKEND = 2
_FEW = 3
#: One language each. Its columns: days / weeks / months / years / weekends / parts of a day / the last / those up to
#: now / this / ago, behind / ago, before / for so long / from a time on / numbers from 1 / a few / before a weekday /
#: weekdays from Monday / today / yesterday / the day before. `=` stands between words for one thing; of a unit, the
#: singular stands first.
_TONGUES = (
    """
    day days / week weeks / month months / year years / weekend / morning afternoon evening night
    / last previous / past / this / ago back / / since / since / a=an=one two three four five six seven eight nine ten
    / few couple several some / on
    / monday tuesday wednesday thursday friday saturday sunday / today tonight / yesterday / ereyesterday
    """,
    """
    tag tage tagen / woche wochen / monat=monats monate monaten / jahr=jahres jahre jahren / wochenende
    / morgen früh vormittag mittag nachmittag abend nacht
    / letzte letzten letzter letztes letztem vorige vorigen voriger voriges vergangene vergangenen vergangener
    vergangenes / / diese diesen dieser dieses diesem / her / vor / seit / seit ab
    / ein=eine=einem=einer=einen zwei=beiden drei vier fünf sechs sieben acht neun zehn / paar einigen wenigen mehreren
    / am / montag dienstag mittwoch donnerstag freitag samstag=sonnabend sonntag / heute / gestern / vorgestern
    """,
    """
    jour jours / semaine semaines / mois / année ans années / week-end weekend / matin midi après-midi soir nuit
    / dernier dernière derniers dernières derniere dernieres passé passée passés passées / / ce cet cette ces / / a
    / depuis / depuis / un=une deux trois quatre cinq six sept huit neuf dix / quelques plusieurs / le
    / lundi mardi mercredi jeudi vendredi samedi dimanche / aujourd'hui / hier / avant-hier
    """,
    """
    día=dia días dias / semana semanas / mes meses / año años / finde / mañana tarde noche
    / pasado pasada pasados pasadas / último última últimos últimas ultimo ultima ultimos ultimas / este esta
    / atrás / hace / / desde / un=una dos tres cuatro cinco seis siete ocho nueve diez / unos unas algunos / el
    / lunes martes miércoles=miercoles jueves viernes sábado=sabado domingo / hoy / ayer anoche / anteayer antier
    """,
    """
    giorno giorni / settimana settimane / mese mesi / anno anni / weekend / mattina mattino pomeriggio sera notte
    / scorso scorsa scorsi scorse passato passata / ultimo ultima ultimi ultime / questo questa questi queste quest
    / fa / / / da dal dalla dall / un=una due tre quattro cinque sei sette otto nove dieci / qualche alcuni alcune / il
    / lunedì martedì mercoledì giovedì venerdì sabato domenica / oggi stamattina stasera / ieri /
    """,
    """
    dia dias / semana semanas / mês=mes meses / ano anos / fim-de-semana / manhã tarde noite
    / passado passada passados passadas / último última últimos últimas ultimo ultima ultimos ultimas
    / este esta neste nesta deste desta / atrás / há faz / / desde
    / um=uma dois=duas três quatro cinco seis sete oito nove dez / alguns algumas poucos / na no
    / segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo / hoje / ontem / anteontem
    """,
    """
    dag dagen / week weken / maand maanden / jaar jaren / weekend / ochtend middag avond nacht / vorige vorig
    / afgelopen laatste / deze dit / geleden / / sinds / sinds
    / een twee drie vier vijf zes zeven acht negen tien / paar enkele / op
    / maandag dinsdag woensdag donderdag vrijdag zaterdag zondag / vandaag / gisteren / eergisteren
    """,
)
#: For each kind of word: word -> (its value, the languages in which it is such a word, a bit each).
_TABLES: tuple[dict[str, tuple[int, int]], ...] = tuple([{} for _ in range(13)])
(
    _AGO_UNITS, _AGO_PARTS, _AGO_LAST, _AGO_OVER, _AGO_THIS, _AGO_BEHIND, _AGO_BEFORE, _AGO_DURING, _AGO_SINCE,
    _AGO_NUMBERS, _AGO_ON, _AGO_WEEKDAYS, _AGO_NAMED,
) = _TABLES  # fmt: skip
#: Column -> the table that it goes to, and the value of its words; None: the word's place in the column.
_COLUMNS = (
    (_AGO_UNITS, DAY), (_AGO_UNITS, WEEK), (_AGO_UNITS, MONTH), (_AGO_UNITS, YEAR), (_AGO_UNITS, _WEEKEND),
    (_AGO_PARTS, 0), (_AGO_LAST, 0), (_AGO_OVER, 0), (_AGO_THIS, 0), (_AGO_BEHIND, 0), (_AGO_BEFORE, 0),
    (_AGO_DURING, 0), (_AGO_SINCE, 0), (_AGO_NUMBERS, None), (_AGO_NUMBERS, _FEW), (_AGO_ON, 0),
    (_AGO_WEEKDAYS, None), (_AGO_NAMED, 0), (_AGO_NAMED, 1), (_AGO_NAMED, 2),
)  # fmt: skip
#: The units' plurals.
_SEVERAL: set[str] = set()
for _ago_at, _ago_row in enumerate(_TONGUES):
    for (_ago_table, _ago_value), _ago_cell in zip(_COLUMNS, _ago_row.split("/"), strict=True):
        for _ago_place, _ago_words in enumerate(_ago_cell.split(), 1):
            for _ago_word in _ago_words.split("="):
                _ago_table[_ago_word] = (
                    _ago_place if _ago_value is None else _ago_value,
                    _ago_table.get(_ago_word, (0, 0))[1] | 1 << _ago_at,
                )
                if _ago_table is _AGO_UNITS and _ago_place > 1:
                    _SEVERAL.add(_ago_word)
#: Words after which a period's last part means something else: the last day *of* the month.
_OF = frozenset(("of", "des", "du", "del", "della", "do"))
_LINKS = frozenset(("of", "de", "di"))
_ARTICLES = frozenset(("the", "der", "dem", "den", "la", "el", "le", "il", "l", "a", "o"))
#: Days by more than one word, whose last is the name of a day.
_BEFORE_YESTERDAY = (("day", "before"), ("antes", "de"), ("altro",))
#: Words by which a text with `hier` in it is French, or German.
_FRENCH = frozenset(("le", "la", "les", "on", "nous", "je", "avons", "est", "fait", "qui", "que", "dans", "depuis"))
_GERMAN = frozenset(("der", "die", "das", "ist", "und", "ich", "wir", "was", "wie", "nicht", "ein", "es", "den"))


def cut_words(text: str) -> list[str]:
    """The words of `text`, which is lower case, as `times_told` takes them; dates and hyphenated words stay whole."""
    found = []
    for raw in "".join([c if c.isalnum() or c in "/-.'\u2019" else " " for c in text]).split():
        word = raw.strip("'\u2019.-/").replace("\u2019", "'").removesuffix("-ci")
        first, _, rest = word.partition("'")
        if not rest or word == "aujourd'hui":
            found.append(word)
        elif rest == "s":  # last week's
            found.append(first)
        else:  # l'année, quest'anno
            found += (first, rest)
    return found


def times_told(words: list[str]) -> list[Told]:
    """Return the phrases among `words` that name a time relative to today, in their order."""
    found = []
    for i, word in enumerate(words):
        if word in _AGO_NAMED:
            told = _named(words, i)
        elif word in _AGO_UNITS:
            told = _unit(words, i)
        elif word in _AGO_WEEKDAYS:
            told = _weekday(words, i)
        elif word in _AGO_PARTS and i:
            told = _part(words, i)
        else:
            continue
        if told:
            found.append(told)
    return found


def days_told(told: Told, today: int) -> Range:
    """The days YYYYMMDD that a phrase means on the day `today`."""
    _, _, how, unit, count, until = told
    now = day_ordinal(today)
    monday = now - (now + 2) % 7
    if how == "ago":
        middle = _back(today, unit, count)
        first, last = ordinal_day(middle - unit // 4), min(today, ordinal_day(middle + unit // 4))
    elif how == "run":
        first, last = ordinal_day(_back(today, unit, count)), today
    elif how == "weekday":
        first = last = ordinal_day(now - ((now + 2) % 7 - count) % 7 - 7 * ((now + 2) % 7 == count))
    elif unit == WEEK:  # Monday to Sunday
        first, last = ordinal_day(monday - 7 * count), ordinal_day(monday - 7 * count + 6)
    elif unit == _WEEKEND:
        first, last = ordinal_day(monday - 2), ordinal_day(monday - 1)
    elif unit == MONTH:
        first = ordinal_day(_back(today // 100 * 100 + 1, MONTH, count))
        last = month_end(first)
    elif unit == YEAR:
        first = (today // 10000 - count) * 10000 + 101
        last = first + 1130
    else:
        first = last = ordinal_day(now - count)
    return first, today if until else min(last, today)


def ordinal_day(ordinal: int) -> int:
    """The day YYYYMMDD of a number that `day_ordinal` gave."""
    y = (10000 * ordinal + 14780) // 3652425
    rest = ordinal - (365 * y + y // 4 - y // 100 + y // 400)
    if rest < 0:
        y -= 1
        rest = ordinal - (365 * y + y // 4 - y // 100 + y // 400)
    m = (100 * rest + 52) // 3060
    return (y + (m + 2) // 12) * 10000 + ((m + 2) % 12 + 1) * 100 + rest - (m * 306 + 5) // 10 + 1


def month_end(day: int) -> int:
    """The last day of the month of the day YYYYMMDD; 29 February in the year 0, which is any year."""
    first = day // 100 * 100 + 1
    return ordinal_day(day_ordinal(first + (8900 if first // 100 % 100 == 12 else 100)) - 1)


def _back(day: int, unit: int, count: int) -> int:
    """The ordinal of the day `count` units before `day`."""
    if unit < MONTH:
        return day_ordinal(day) - unit * count
    months = day // 10000 * 12 + day // 100 % 100 - 1 - count * (12 if unit == YEAR else 1)
    first = months // 12 * 10000 + (months % 12 + 1) * 100
    return day_ordinal(min(first + day % 100, month_end(first + 1)))


def _spoken(table: dict[str, tuple[int, int]], words: list[str], i: int, tongues: int = -1) -> int:
    """The languages, of `tongues`, in which word `i` is one of the table."""
    return table[words[i]][1] & tongues if 0 <= i < len(words) and words[i] in table else 0


def _since(words: list[str], first: int, tongues: int) -> bool:
    """Whether what begins at word `first` is when something began that lasts until today."""
    if first and words[first - 1] in _ARTICLES:
        first -= 1
    return bool(_spoken(_AGO_SINCE, words, first - 1, tongues))


def _named(words: list[str], i: int) -> Told | None:
    days, tongues = _AGO_NAMED[words[i]]
    first, after = i, i + 1
    if words[i] == "hier" and not _french(words):
        return None
    for before in _BEFORE_YESTERDAY:
        if days == 1 and tuple(words[max(0, i - len(before)) : i]) == before:
            first, days = i - len(before), 2
    if _spoken(_AGO_PARTS, words, after, tongues):
        after += 1
    return first, after, "day", DAY, days, _since(words, first, tongues)


def _french(words: list[str]) -> bool:
    return sum([word in _FRENCH for word in words]) > sum([word in _GERMAN for word in words])


def _part(words: list[str], i: int) -> Told | None:
    """This morning, last night."""
    tongues = _AGO_PARTS[words[i]][1]
    if _spoken(_AGO_THIS, words, i - 1, tongues):
        return i - 1, i + 1, "day", DAY, 0, False
    if _spoken(_AGO_LAST, words, i - 1, tongues):
        return i - 1, i + 1, "day", DAY, 1, False
    return None


def _weekday(words: list[str], i: int) -> Told | None:
    weekday, tongues = _AGO_WEEKDAYS[words[i]]
    first, after = i, i + 1
    if _spoken(_AGO_LAST, words, i + 1, tongues):
        after += 1
    since = _since(words, first, tongues)
    before = [_spoken(table, words, i - 1, tongues) for table in (_AGO_LAST, _AGO_OVER, _AGO_ON)]
    if any(before):
        first -= 1
        since = since or _since(words, first, tongues)
    if first == i and after == i + 1 and not since:
        return None
    return first, after, "weekday", DAY, weekday - 1, since


def _unit(words: list[str], i: int) -> Told | None:
    """What the words round the unit `words[i]` make of it; `j` goes back over them."""
    unit, tongues = _AGO_UNITS[words[i]]
    j = i - 1
    if j > 0 and words[j] in _LINKS and _number(words, j - 1, tongues):
        j -= 1
    count = _number(words, j, tongues)
    if count:
        j -= 1
        if count == _FEW and _number(words, j, tongues) == 1:  # a few, ein paar
            j -= 1
    last = _spoken(_AGO_LAST, words, j, tongues)
    over = _spoken(_AGO_OVER, words, j, tongues)
    if last or over:
        j -= 1
        if not count:
            count = _number(words, j, last | over)  # les deux dernières semaines
            j -= count > 0
    behind = _spoken(_AGO_LAST, words, i + 1, tongues)
    after = i + 1 + (behind > 0)
    first = j + 1
    if count and unit != _WEEKEND:
        if last or over or behind or _spoken(_AGO_DURING, words, j, tongues):
            return first - (not (last or over or behind)), after, "run", unit, count, True
        if _spoken(_AGO_BEHIND, words, i + 1, tongues):
            return first, i + 2, "ago", unit, count, False
        if _spoken(_AGO_BEFORE, words, j, tongues) and (words[j] != "a" or words[j - 1 : j] == ["y"]):
            since = _since(words, j, tongues)  # desde hace dos semanas
            return j, i + 1, "run" if since else "ago", unit, count, since
        return None
    if (last or over) and not behind and i + 1 < len(words) and words[i + 1] in _OF:
        return None
    several = words[i] in _SEVERAL
    if (last or over or behind) and unit != _WEEKEND and (several or over or unit == DAY):
        return first, after, "run", unit, _FEW if several else 1, True
    if last or behind:
        return first, after, "whole", unit, 1, _since(words, first, tongues)
    if unit in (WEEK, MONTH, YEAR) and not several and _spoken(_AGO_THIS, words, j, tongues):
        return j, i + 1, "whole", unit, 0, True
    return None


def _number(words: list[str], i: int, tongues: int) -> int:
    """How many word `i` says, in figures or in words of these languages; 0 when it is no number up to 999."""
    if i < 0:
        return 0
    word = words[i]
    if word.isascii() and word.isdigit():
        return int(word) if len(word) < 4 else 0
    return _AGO_NUMBERS[word][0] if _spoken(_AGO_NUMBERS, words, i, tongues) else 0
