"""Days as numbers, as notes write them, and as times; whether a text can name a day at all.

day_number("2026-09-02T10:00")  ->  20260902
"""

from __future__ import annotations

import time

from ladder.index.note_view import iso_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]

#: Days of a range that are looked for by name.
_MOST = 32
_DIGITS = frozenset("0123456789")
#: Every byte but small letters becomes a space.
_LETTERS = b" " * 97 + b"abcdefghijklmnopqrstuvwxyz" + b" " * 133
#: The plain words by which absolute.py and relative.py know a day (a test holds them equal): without one they need not
#: be loaded.
_WORDS = """
abend abril afternoon agosto anni anno ano anoche anos ans anteayer anteontem antier aout apr april aprile aug august
augustus aujourd avond avril ayer dag dagen day days dec december decembre dez dezember dezembro dia dias dicembre
diciembre dienstag dimanche dinsdag domenica domingo donderdag donnerstag eergisteren enero ereyesterday evening feb
febbraio febrero februar februari february feira fevereiro fevrier finde freitag friday gennaio gestern giorni giorno
gisteren giugno heute hier hoje hoy ieri jaar jahr jahre jahren jahres jan janeiro januar januari january janvier
jaren jeudi jour jours jueves juillet juin jul julho juli julio july jun june junho juni junio luglio lundi lunes
maand maandag maanden maart maerz maggio mai maio mar march marco mardi mars martes marzo matin mattina mattino may
mayo mei mercredi mes mese meses mesi middag midi miercoles mittag mittwoch mois monat monate monaten monats monday
montag month months morgen morning mrz nachmittag nacht night noche noite notte nov november novembre novembro
noviembre nuit ochtend oct october octobre octubre oggi okt oktober ontem ottobre outubro pomeriggio sabado sabato
samedi samstag saturday semaine semaines semana semanas sep sept september septembre septiembre sera setembro
settembre settimana settimane soir sonnabend sonntag stamattina stasera sunday tag tage tagen tarde thursday today
tonight tuesday vandaag vendredi viernes vorgestern vormittag vrijdag wednesday week weekend weeks weken woche wochen
wochenende woensdag year years yesterday zaterdag zondag
"""


def may_name_day(text: str) -> bool:
    """Whether `dated.dates_in` can find anything in `text`: it has a digit, one of the words, or other scripts."""
    if not text.isascii() or not _DIGITS.isdisjoint(text):
        return True
    words = text.lower().encode("ascii").translate(_LETTERS).decode("ascii").split()
    return not frozenset(_WORDS.split()).isdisjoint(words)


def day_ordinal(day: int) -> int:
    """Days since 0000-03-01 of the day YYYYMMDD (Fliegel and Van Flandern's calendar arithmetic)."""
    y, m, d = day // 10000, day // 100 % 100, day % 100
    y -= m <= 2
    m = (m + 9) % 12
    return 365 * y + y // 4 - y // 100 + y // 400 + (m * 306 + 5) // 10 + d - 1


def day_number(iso: str) -> int:
    """2026-09-02… -> 20260902; 0 when it is no such date."""
    digits = iso[:10].replace("-", "")
    return int(digits) if len(digits) == 8 and digits.isdigit() else 0


def now_here() -> str:
    """Return the time now on this machine's clock, ISO, without a zone: "today" is the person's day."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime())


def day_begins(iso: str) -> float:
    """Return when the day of an ISO time began, in seconds since 1970; 0.0 when it is no such date.

    In this machine's zone; in UTC where the time says `Z`, as session logs do.
    """
    day = day_number(iso)
    if not day:
        return 0.0
    if not iso.endswith("Z"):
        try:
            return time.mktime((day // 10000, day // 100 % 100, day % 100, 0, 0, 0, 0, 0, -1))
        except (OverflowError, ValueError):
            pass  # a year that the system's clock does not know
    return (day_ordinal(day) - day_ordinal(19700101)) * 86400.0


def day_words(ranges: list[Range]) -> list[str]:
    """The days of the ranges as notes write them, 2026-09-02; none of a range without a year or longer than a month."""
    found: list[str] = []
    for first, last in ranges:
        if first >= 10000 and day_ordinal(last) - day_ordinal(first) < _MOST:
            day = first
            while day <= last:
                found.append(iso_day(day))
                day += 1
                if day % 100 > 31:
                    day += 69 if day // 100 % 100 < 12 else 8869  # the first of the next month
    return found


def days_shown(first: int, last: int) -> str:
    """20260201, 20260228 as 2026-02-01 to 2026-02-28."""
    return " to ".join(dict.fromkeys([iso_day(first), iso_day(last)]))
