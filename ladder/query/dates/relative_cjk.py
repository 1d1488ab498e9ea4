"""Times from today in Chinese and Japanese: 昨日, 上周, 这个月, 三天前, 過去2週間."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.query.dates.relative import Told

#: Word, what is told, the unit in days, how many of it; a word that holds another stands before it.
_NAMED = (
    ("大前天", "day", 1, 3), ("一昨日", "day", 1, 2), ("おととい", "day", 1, 2), ("前天", "day", 1, 2),
    ("昨天", "day", 1, 1), ("昨日", "day", 1, 1), ("昨晚", "day", 1, 1), ("昨夜", "day", 1, 1), ("きのう", "day", 1, 1),
    ("今天", "day", 1, 0), ("今日", "day", 1, 0), ("本日", "day", 1, 0), ("今朝", "day", 1, 0),
    ("上上周", "whole", 7, 2), ("上上週", "whole", 7, 2), ("先々週", "whole", 7, 2),
    ("上周", "whole", 7, 1), ("上週", "whole", 7, 1), ("上星期", "whole", 7, 1), ("上个星期", "whole", 7, 1),
    ("上個星期", "whole", 7, 1), ("先週", "whole", 7, 1),
    ("这周", "whole", 7, 0), ("這週", "whole", 7, 0), ("本周", "whole", 7, 0), ("本週", "whole", 7, 0),
    ("这个星期", "whole", 7, 0), ("這個星期", "whole", 7, 0), ("今週", "whole", 7, 0),
    ("上个月", "whole", 30, 1), ("上個月", "whole", 30, 1), ("上月", "whole", 30, 1), ("先月", "whole", 30, 1),
    ("这个月", "whole", 30, 0), ("這個月", "whole", 30, 0), ("本月", "whole", 30, 0), ("今月", "whole", 30, 0),
    ("去年", "whole", 365, 1), ("昨年", "whole", 365, 1), ("今年", "whole", 365, 0),
)  # fmt: skip
#: Units, a longer one before one that ends it.
_UNITS = (
    ("个月", 30), ("個月", 30), ("か月", 30), ("ヶ月", 30), ("カ月", 30), ("ヵ月", 30), ("箇月", 30), ("个星期", 7),
    ("個星期", 7), ("星期", 7), ("週間", 7), ("周", 7), ("週", 7), ("天", 1), ("日", 1), ("年", 365),
)  # fmt: skip
_NUMBERS = {
    "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "几": 3, "幾": 3, "数": 3, "數": 3,
}  # fmt: skip
#: What stands behind how long ago, and before a time up to now.
_AGO = ("前", "以前", "之前")
_OVER = ("最近的", "最近", "过去的", "过去", "過去", "直近", "近", "この", "ここ")


def wide_times(text: str) -> list[Told]:
    """Return the phrases of `text` that name a time relative to today; a phrase's place is that of its characters."""
    found: list[Told] = []
    taken = text
    for word, how, unit, count in _NAMED:
        at = taken.find(word)
        while at >= 0:
            found.append((at, at + len(word), how, unit, count, how == "whole" and not count))
            taken = taken[:at] + "\0" * len(word) + taken[at + len(word) :]
            at = taken.find(word)
    for word, unit in _UNITS:
        at = taken.find(word)
        while at >= 0:
            told = _counted(taken, at, at + len(word), unit)
            if told:
                found.append(told)
                taken = taken[: told[0]] + "\0" * (told[1] - told[0]) + taken[told[1] :]
            at = taken.find(word, at + 1)
    return sorted(found)


def _counted(text: str, at: int, end: int, unit: int) -> Told | None:
    """What the unit between `at` and `end` is with the number before it and the words round both."""
    space = at - (text[at - 1 : at] == " ")
    first = space
    while first and "0" <= text[first - 1] <= "9" and space - first < 3:
        first -= 1
    if first < space:
        count = int(text[first:space])
    else:
        count = _NUMBERS.get(text[space - 1 : space], 0)
        first -= 1
    if not count:
        return None
    for word in _AGO:
        if text.startswith(word, end):
            return first, end + len(word), "ago", unit, count, False
    before = text[:first].rstrip(" ")
    for word in _OVER:
        if before.endswith(word):
            return len(before) - len(word), end, "run", unit, count, True
    return None
