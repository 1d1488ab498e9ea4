import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.query.dates import absolute as dated
from ladder.query.dates import relative as ago
from ladder.query.dates.absolute import dates_in, words_ago
from ladder.query.dates.calendar import day_number, day_ordinal, day_words, may_name_day
from ladder.query.dates.relative import month_end, ordinal_day
from ladder.ranking.dates import date_fit

NOW = "2026-09-02"  # a Wednesday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what broke on 2026-08-30?", (20260830, 20260830)),
        ("siehe 30.08.2026", (20260830, 20260830)),
        ("what broke on 14 March?", (20260314, 20260314)),
        ("on the 3rd of May 2024", (20240503, 20240503)),
        ("on December 24", (20251224, 20251224)),
        ("In mid-March, during", (20260311, 20260320)),
        ("early June 2025", (20250601, 20250610)),
        ("since October 2025", (20251001, 20251031)),
        ("yesterday", (20260901, 20260901)),
        ("vorgestern", (20260831, 20260831)),
        ("was haben wir letzte Woche gemacht?", (20260824, 20260830)),
        ("la semaine dernière", (20260824, 20260830)),
        ("last month", (20260801, 20260831)),
        ("vor drei Tagen", (20260830, 20260830)),
        ("hace 2 semanas", (20260818, 20260820)),
        ("last Friday", (20260828, 20260828)),
        ("2026年8月30日", (20260830, 20260830)),
        ("昨日", (20260901, 20260901)),
        ("in February 2026", (20260201, 20260228)),
        ("late February 2024", (20240221, 20240229)),
        ("2026年6月", (20260601, 20260630)),
        # the last so many, up to today
        ("in the last two weeks", (20260819, 20260902)),
        ("in the last 14 days", (20260819, 20260902)),
        ("over the past 3 months", (20260602, 20260902)),
        ("the last couple of days", (20260830, 20260902)),
        ("the past week", (20260826, 20260902)),
        ("the last few weeks", (20260812, 20260902)),
        ("recent work of the last days", (20260830, 20260902)),
        ("in den letzten 14 Tagen", (20260819, 20260902)),
        ("in den vergangenen drei Monaten", (20260602, 20260902)),
        ("seit zwei Wochen", (20260819, 20260902)),
        ("les deux dernières semaines", (20260819, 20260902)),
        ("ces derniers jours", (20260830, 20260902)),
        ("depuis 3 jours", (20260830, 20260902)),
        ("las últimas dos semanas", (20260819, 20260902)),
        ("en los ultimos 14 dias", (20260819, 20260902)),
        ("desde hace dos semanas", (20260819, 20260902)),
        ("negli ultimi due mesi", (20260702, 20260902)),
        ("nas últimas duas semanas", (20260819, 20260902)),
        ("de afgelopen twee weken", (20260819, 20260902)),
        ("过去两周做了什么", (20260819, 20260902)),
        ("最近3天的变更", (20260830, 20260902)),
        ("この2週間の変更", (20260819, 20260902)),
        # a calendar's week, month or year before this one
        ("in der letzten Woche", (20260824, 20260830)),
        ("vergangene Woche", (20260824, 20260830)),
        ("last week's decision", (20260824, 20260830)),
        ("letzten Monat", (20260801, 20260831)),
        ("la semana pasada", (20260824, 20260830)),
        ("le mois dernier", (20260801, 20260831)),
        ("l'année dernière", (20250101, 20251231)),
        ("last year", (20250101, 20251231)),
        ("la settimana scorsa", (20260824, 20260830)),
        ("no mês passado", (20260801, 20260831)),
        ("vorige maand", (20260801, 20260831)),
        ("last weekend", (20260829, 20260830)),
        ("上周", (20260824, 20260830)),
        ("先月の障害", (20260801, 20260831)),
        ("去年", (20250101, 20251231)),
        # this one, up to today
        ("this week", (20260831, 20260902)),
        ("this month", (20260901, 20260902)),
        ("diese Woche", (20260831, 20260902)),
        ("ce mois-ci", (20260901, 20260902)),
        ("este mes", (20260901, 20260902)),
        ("quest'anno", (20260101, 20260902)),
        ("deze week", (20260831, 20260902)),
        ("这个月", (20260901, 20260902)),
        ("今週", (20260831, 20260902)),
        ("this morning", (20260902, 20260902)),
        # so long ago
        ("il y a 3 jours", (20260830, 20260830)),
        ("hace dos semanas", (20260818, 20260820)),
        ("vor ein paar Tagen", (20260830, 20260830)),
        ("a couple of days ago", (20260830, 20260830)),
        ("two months ago", (20260625, 20260709)),
        ("due settimane fa", (20260818, 20260820)),
        ("há três dias", (20260830, 20260830)),
        ("twee weken geleden", (20260818, 20260820)),
        ("三天前", (20260830, 20260830)),
        ("2週間前", (20260818, 20260820)),
        # days
        ("the day before yesterday", (20260831, 20260831)),
        ("yesterday's deploy", (20260901, 20260901)),
        ("last night", (20260901, 20260901)),
        ("antes de ayer", (20260831, 20260831)),
        ("l'altro ieri", (20260831, 20260831)),
        ("avant-hier", (20260831, 20260831)),
        ("qu'avons-nous fait hier ?  on a fini", (20260901, 20260901)),
        ("一昨日", (20260831, 20260831)),
        ("vendredi dernier", (20260828, 20260828)),
        ("el viernes pasado", (20260828, 20260828)),
        ("lunedì scorso", (20260831, 20260831)),
        ("vorige vrijdag", (20260828, 20260828)),
        ("on Wednesday", (20260826, 20260826)),
        # from then on
        ("since yesterday", (20260901, 20260902)),
        ("seit letzter Woche", (20260824, 20260902)),
        ("desde la semana pasada", (20260824, 20260902)),
        ("since Monday", (20260831, 20260902)),
    ],
)
def test_a_date_is_read(text, expected):
    assert dates_in(text, NOW) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "you may try", "this may be wrong", "march on", "mai", "version 1.2.3", "port 8080", "", "a 14 b",
        "was steht hier, und wie ist das?", "hier", "montre mes dernières notes", "over a 2 week period",
        "the last day of the month", "le dernier jour du mois", "show a week view", "two weeks of logs", "every year",
        "due dates", "2026-02-30", "time=2026-08-30T10:15:04 level=info", "Friday", "one day", "segunda", "前", "周",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text):
    assert dates_in(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what changed in the last two weeks in the week view?", ["last", "two", "weeks"]),
        ("in den letzten 14 Tagen", ["letzten", "14", "tagen"]),
        ("decided a couple of days ago", ["a", "couple", "of", "days", "ago"]),
        ("il y a 3 jours", ["a", "3", "jours"]),
        ("yesterday evening's plan", ["yesterday", "evening"]),
        ("since last Monday", ["last", "monday"]),
        ("过去两周的变更", ["过去两周"]),
        ("in March", []),
        ("cache of the day", []),
    ],
)
def test_words_that_tell_a_time_are_no_words_to_look_for(text, words):
    assert words_ago(text) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in September and October 2025", [(20250901, 20250930), (20251001, 20251031)]),
        ("vom 3. März bis 5. April 2024", [(20240303, 20240303), (20240405, 20240405)]),
        ("entre mars et mai 2024", [(20240301, 20240331), (20240501, 20240531)]),
        ("in June and 2024 was dry", [(20260601, 20260630)]),
        ("in June and October", [(20260601, 20260630), (20251001, 20251031)]),
    ],
)
def test_two_months_share_a_year(text, expected):
    assert dates_in(text, NOW) == expected


def test_a_month_without_a_year_and_a_day_is_of_any_year():
    assert dates_in("in March") == [(301, 331)]
    assert date_fit(20210314, [(301, 331)]) == 1.0
    assert date_fit(20210401, [(301, 331)]) == 0.0


def test_what_was_written_down_shortly_after_counts_less():
    assert date_fit(20260831, [(20260830, 20260830)]) == 0.4
    assert date_fit(20260903, [(20260830, 20260830)]) == 0.0
    assert date_fit(20260829, [(20260830, 20260830)]) == 0.0
    assert date_fit(20260902, [(20260801, 20260831)]) == 0.4  # two days after the month's last
    assert date_fit(20260302, dates_in("in February 2026")) == 0.4


@given(st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)), st.integers(-400, 400))
def test_days_count_as_the_calendar_does(day, step):
    number = day_number(day.isoformat())
    later = day + dt.timedelta(step)
    assert ordinal_day(day_ordinal(number) + step) == day_number(later.isoformat())
    assert (day_ordinal(number) + 2) % 7 == day.weekday()


@given(st.text(max_size=200), st.sampled_from(["", NOW]))
def test_no_text_breaks_it(text, now):
    for first, last in dates_in(text, now):
        assert first <= last


WORDS = sorted({*dated._MONTHS, *ago._AGO_UNITS, *ago._AGO_PARTS, *ago._AGO_WEEKDAYS, *ago._AGO_NAMED})
OTHERS = ["the", "last", "of", "ago", "on", "in", "vor", "letzte", "pasado", "two", "14", "2026-09-02", "9月2日"]


@given(st.lists(st.sampled_from(WORDS + OTHERS), max_size=8), st.sampled_from(["", "2026-09-02"]))
def test_what_names_a_day_is_never_passed_over(words, now):
    text = " ".join(words)
    assert not dates_in(text, now) or may_name_day(text)
    assert all(may_name_day(word) for word in WORDS)


@given(st.dates(dt.date(1990, 1, 1), dt.date(2060, 1, 1)))
def test_a_month_ends_as_the_calendar_says(day):
    number = day.year * 10000 + day.month * 100 + day.day
    end = (day.replace(day=28) + dt.timedelta(4)).replace(day=1) - dt.timedelta(1)
    assert month_end(number) == day_number(end.isoformat())
    assert month_end(201) == 229  # of any year


def test_most_messages_need_no_look_for_days():
    assert not may_name_day("why does the canary abort, and what did we do about it?")


def test_the_days_of_a_range_are_words_as_notes_write_them():
    assert day_words([(20261230, 20270102)]) == ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"]
    assert len(day_words([(20260301, 20260331)])) == 31
    assert day_words([(20260101, 20260601)]) == []  # half a year is too many words
    assert day_words([(301, 331)]) == []  # of any year


@given(st.dates(dt.date(1990, 1, 1), dt.date(2060, 1, 1)), st.integers(0, 31))
def test_every_day_of_a_range_is_among_its_words(first, days):
    every = [first + dt.timedelta(days=i) for i in range(days + 1)]
    number = [day.year * 10000 + day.month * 100 + day.day for day in every]
    words = day_words([(number[0], number[-1])])
    assert {day.isoformat() for day in every} <= set(words)
    assert len(words) == len(set(words)) <= days + 1 + 4  # 30 February and the like name nothing
