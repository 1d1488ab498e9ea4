"""How the Memind pipeline cuts text: character bigrams, words, and the terms of a question."""

from collections.abc import Iterator

#: Words that say nothing in a question.
_STOP_WORDS = """
a an and are as at be been but by can could did do does for from had has have he her his how i if in into is
it its me my not of on or our she should so than that the their them then there these they this to us was we
were what when where which who whom why will with would you your
"""
STOP = frozenset(_STOP_WORDS.split())
#: First code point of the scripts that are written without spaces (CJK radicals onwards).
UNSPACED = 0x2E80


def words(text: str) -> list[str]:
    """Return the runs of letters and digits, casefolded; scripts without spaces as bigrams."""
    found = []
    for run in _runs(text):
        folded = run.casefold()
        if ord(run[0]) >= UNSPACED:
            found += [folded[at : at + 2] for at in range(max(1, len(folded) - 1))]
        else:
            found.append(folded)
    return found


def content_words(text: str) -> set[str]:
    """Return the words that are no stop words."""
    return {word for word in words(text) if word not in STOP}


def bigrams(text: str) -> set[str]:
    """Return the character bigrams of the text without spaces and marks."""
    plain = "".join(letter for letter in text.casefold() if letter.isalnum())
    return {plain[at : at + 2] for at in range(len(plain) - 1)}


def question_terms(text: str, most: int, *, names_first: bool) -> list[str]:
    """Return at most `most` terms of a question in its order, proper names before the rest if asked."""
    runs = list(_runs(text))
    kept = list(dict.fromkeys(run for run in runs if run.casefold() not in STOP))
    if names_first:
        names = set(proper_names(text))
        kept.sort(key=lambda run: run.casefold() not in names)
    return list(dict.fromkeys(run.casefold() for run in kept))[:most]


def proper_names(text: str) -> list[str]:
    """Return the capitalised words that do not open the question, and those with digits in them, casefolded."""
    runs = list(_runs(text))
    return [
        run.casefold()
        for place, run in enumerate(runs)
        if run.casefold() not in STOP and ((place and run[0].isupper()) or any(letter.isdigit() for letter in run))
    ]


def _runs(text: str) -> Iterator[str]:
    """Yield runs of letters and digits, cut where a script with spaces meets one without."""
    run = ""
    for letter in text + " ":
        same = letter.isalnum() and (not run or (ord(letter) >= UNSPACED) == (ord(run[0]) >= UNSPACED))
        if run and not same:
            yield run
            run = ""
        if letter.isalnum():
            run += letter
