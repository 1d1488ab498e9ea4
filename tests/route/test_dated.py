import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import dated
from ladder.dated import _dated_day, dates_in
from ladder.days import date_fit, day_number, day_ordinal, day_words, may_name_day

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
    ],
)
def test_a_date_is_read(text, expected):
    assert dates_in(text, NOW) == [expected]


@pytest.mark.parametrize("text", ["you may try", "march on", "mai", "version 1.2.3", "port 8080", "", "a 14 b"])
def test_what_is_no_date_is_none(text):
    assert dates_in(text, NOW) == []


def test_a_month_without_a_year_and_a_day_is_of_any_year():
    assert dates_in("in March") == [(301, 331)]
    assert date_fit(20210314, [(301, 331)]) == 1.0
    assert date_fit(20210401, [(301, 331)]) == 0.0


def test_what_was_written_down_shortly_after_counts_less():
    assert date_fit(20260831, [(20260830, 20260830)]) == 0.4
    assert date_fit(20260903, [(20260830, 20260830)]) == 0.0
    assert date_fit(20260829, [(20260830, 20260830)]) == 0.0


@given(st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31)), st.integers(-400, 400))
def test_days_count_as_the_calendar_does(day, step):
    number = day_number(day.isoformat())
    later = day + dt.timedelta(step)
    assert _dated_day(day_ordinal(number) + step) == day_number(later.isoformat())
    assert (day_ordinal(number) + 2) % 7 == day.weekday()


@given(st.text(max_size=200), st.sampled_from(["", NOW]))
def test_no_text_breaks_it(text, now):
    for first, last in dates_in(text, now):
        assert first <= last


WORDS = sorted({*dated._DATED_MONTHS, *dated._DATED_DAYS, *dated._DATED_UNITS, *dated._DATED_WEEKDAYS})
OTHERS = ["the", "last", "of", "ago", "on", "in", "vor", "letzte", "pasado", "two", "14", "2026-09-02", "9月2日"]


@given(st.lists(st.sampled_from(WORDS + OTHERS), max_size=8), st.sampled_from(["", "2026-09-02"]))
def test_what_names_a_day_is_never_passed_over(words, now):
    text = " ".join(words)
    assert not dates_in(text, now) or may_name_day(text)
    assert all(may_name_day(word) for word in WORDS)


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
