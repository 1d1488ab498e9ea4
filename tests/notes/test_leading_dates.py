"""Dates as people write them; each expected value was worked out by hand."""

import datetime as dt

import pytest

from notes.markdown.leading_dates import leading_date, trailing_date

SECOND = dt.date(2026, 9, 2)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2026-09-02", ""),
        ("2026-09-02: canary abort", "canary abort"),
        ("2026/09/02 x", "x"),
        ("2026.09.02 — x", "x"),
        ("20260902 x", "x"),
        ("2 Sep 2026", ""),
        ("2nd of September 2026: x", "x"),
        ("Sep 2, 2026 - x", "x"),
        ("September 2nd, 2026 x", "x"),
        ("2. September 2026", ""),
        ("02.09.2026 x", "x"),
        ("2-Sep-2026 x", "x"),
        ("2 septembre 2026 : x", "x"),
        ("2 de septiembre de 2026: x", "x"),
        ("2 settembre 2026 x", "x"),
        ("2 de setembro de 2026 x", "x"),
        ("2 september 2026 x", "x"),
        ("2 сентября 2026 x", "x"),
        ("2026年9月2日 修正", "修正"),
        ("2026년 9월 2일 x", "x"),
        ("Wed, 2 Sep 2026: x", "x"),
        ("Mittwoch, 2. September 2026: x", "x"),
        ("[2026-09-02] x", "x"),
        ("**2026-09-02**: x", "x"),
        ("[1.2.0] - 2026-09-02", "1.2.0"),
        ("v1.2.0 (2026-09-02)", "v1.2.0"),
        ("Version 1.2 — 2026-09-02", "Version 1.2"),
        ("2026-09-02 14:05 x", "x"),
        ("2026-09-02T14:05:09.120+02:00 x", "x"),
        ("2026-09-02 08:14 PT", ""),
        ("2026-09-02 retry (second one)", "retry (second one)"),
        ("📅 2026-09-02 x", "x"),
    ],
)
def test_leading_date(text, title):
    found = leading_date(text)
    assert found is not None
    assert (found.date, found.title, found.whole_day) == (SECOND, title, True)


@pytest.mark.parametrize("text", ["September 2026", "2026-09", "Sept. 2026", "2026年9月", "septiembre de 2026"])
def test_month_alone_is_no_whole_day(text):
    found = leading_date(text)
    assert found is not None
    assert (found.date, found.whole_day) == (dt.date(2026, 9, 1), False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no date",
        "2026",
        "02/09/2026",
        "2026-13-02",
        "2026-02-30",
        "12345678901",
        "1.2.0",
        "on 2026-09-02",
        "2026-09-02-web-worker.md",
        "3 May",
        "May 2026-ish things 2",
        "0000-00-00",
    ],
)
def test_no_leading_date(text):
    found = leading_date(text)
    assert found is None or not found.whole_day


def test_trailing_date():
    found = trailing_date("Canary abort (2026-09-02)")
    assert found is not None
    assert (found.date, found.title) == (SECOND, "Canary abort")
    assert trailing_date("Canary abort") is None
    assert trailing_date("file-2026-09-02") is None


def test_r64_what_a_title_opens_itself_stays():
    assert leading_date("2026-01-02: [/items] done").title == "[/items] done"
    assert leading_date("[2026-01-02] (soft) launch").title == "(soft) launch"
    assert leading_date("[2026-01-02] launch").title == "launch"
    assert leading_date("2026-01-02 (launch)").title == "launch"
