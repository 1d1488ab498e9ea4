"""Cuts text into terms: the one function for notes and for questions.

    terms("unlockWithBiometrics fails")  ->  ["unlockwithbiometr", "unlock", "biometr", "fail"]

Text is cut at white space and at punctuation that no name contains; what is left (a *raw word*) becomes terms once and
is remembered, so a long text costs one dictionary look-up a word. A raw word with an inner structure (camelCase,
snake_case, kebab-case, a path, a file name, a number of three parts) gives the whole first and then its parts.
Only C modules of the standard library: this runs in the hook.
"""

from ladder.text.stemmer import stem

#: Function words; they say nothing about the topic. Contractions stand here without their apostrophe.
_CUT_FUNCTION_WORDS = """
a about above after again against all also am an and any are aren arent as at be because been before being below
between both but by can cannot cant could couldn couldnt did didn didnt do does doesn doesnt doing don dont down
during each else even ever few for from further get gets got had hadn hadnt has hasn hasnt have haven havent having he
her here hers herself hey hi him himself his how i if in into is isn isnt it its itself ive just let lets like ll may
me might more most much must mustn mustnt my myself no nor not now of off ok okay on once only or other our ours
ourselves out over own please quite rather re really same shall she should shouldn shouldnt so some still such than
thank thanks that thats the their theirs them themselves then there theres these they this those though through to too
under until up upon us ve very was wasn wasnt we well were weren werent what whats when where whether which while who
whom whose why will with won wont would wouldn wouldnt yes yet you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_CUT_FUNCTION_WORDS.split())

#: Longest Latin term, in characters; what is longer is data, not a word.
LONGEST_TERM = 64
#: Raw words of at most _LONGEST_REMEMBERED bytes are remembered, at most _REMEMBERED of them.
_LONGEST_REMEMBERED = 96
_REMEMBERED = 200_000

#: ASCII that may stand inside a raw word; all other ASCII that is no letter or digit separates.
_INNER = b"_./\\-'"
#: A table for bytes.translate that puts a space in the place of what separates.
SPACES = bytes(code if code >= 128 or chr(code).isalnum() or code in _INNER else 32 for code in range(256))
#: Languages whose names are a letter and what separates words: the sign, the name as written, the word it counts as.
_LANGUAGES = (
    (b"++", b"C++", b"cpp"), (b"++", b"c++", b"cpp"), (b"#", b"C#", b"csharp"), (b"#", b"c#", b"csharp"),
    (b"#", b"F#", b"fsharp"), (b"#", b"f#", b"fsharp"),
)  # fmt: skip
_CONTRACTIONS = frozenset(("s", "d", "m", "t", "ll", "re", "ve"))

#: Scripts written without spaces between words: first and last character of each block.
_UNSPACED = (
    ("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1100", "\u11ff"), ("\u1780", "\u17ff"), ("\u3005", "\u3007"),
    ("\u3040", "\u30ff"), ("\u3130", "\u318f"), ("\u31f0", "\u31ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"),
    ("\ua960", "\ua97f"), ("\uac00", "\ud7ff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"),
)  # fmt: skip

#: Characters that nobody sees (soft hyphen, joiners, byte order mark): a word with one is the word without it.
_UNSEEN = frozenset("\u00ad\u200c\u200d\u2060\ufeff")

#: Letters that have no marks to lose, and what is written where a keyboard lacks them; the Turkish i without a
#: dot is one, whose capital is I.
_PLAIN = {
    "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u0127": "h", "\u0167": "t", "\u0131": "i",
    "\u00e6": "ae", "\u0153": "oe", "\u00fe": "th",
}  # fmt: skip
#: Letters that German and Scandinavian people write as two where the marks are missing: Köln is Koeln as well as Koln.
_TWO = {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00e5": "aa", "\u00f8": "oe"}

_memo: dict[bytes, tuple[str, ...]] = {}
#: The same for parts of names between `_`, `-`, `.`, which are fewer than the names.
_segment_memo: dict[str, tuple[str, ...]] = {}


def terms(text: str) -> list[str]:
    """The terms of `text` in their order: lower case, stemmed, without stop words; each occurrence counts."""
    return byte_terms(text.encode("utf-8", "surrogatepass"))


def byte_terms(data: bytes) -> list[str]:
    """The terms of UTF-8 text; bytes that are no UTF-8 separate words."""
    out: list[str] = []
    known = _memo.get
    for raw in raw_words(data):
        found = known(raw)
        out += cut(raw) if found is None else found
    return out


def raw_words(data: bytes) -> list[bytes]:
    """UTF-8 text cut at white space and separating ASCII punctuation; `cut` turns each piece into terms."""
    return spelt(data).translate(SPACES).split()


def spelt(data: bytes) -> bytes:
    """The text with C++, C# and F# as words (cpp, csharp, fsharp), where they stand alone or before a version."""
    if b"#" not in data and b"++" not in data:
        return data
    for sign, written, word in _LANGUAGES:
        if written not in data:
            continue
        parts = data.split(written)
        out = parts[:1]
        for part in parts[1:]:
            version = (
                sign == b"++" and part[:1].isdigit()
            )  # C++17; what follows `#` is rather a number's or a heading's
            alone = not _joins(out[-1][-1:]) and (version or not _joins(part[:1]))
            out += (word if alone else written, part)
        data = b"".join(out)
    return data


def _joins(byte: bytes) -> bool:
    """Whether this one byte (or none) would make one word with a letter beside it."""
    return byte.isalnum() or byte == b"_" or byte >= b"\x80"


def cut(raw: bytes) -> tuple[str, ...]:
    """The terms of one raw word, the whole before its parts, each once; remembered."""
    found: tuple[str, ...]
    if raw.isalpha() and (raw.islower() or raw[1:].islower()):  # the common case: a plain word
        found = _word(raw.decode("ascii").lower())
    elif raw.isdigit():
        found = (raw.decode("ascii"),) if 1 < len(raw) <= LONGEST_TERM else ()
    elif len(inner := raw.strip(_INNER)) != len(raw):  # the end of a sentence, an option, a folder
        found = _memo.get(inner, ()) or cut(inner)
    else:
        out: dict[str, None] = {}
        if raw.isascii():
            _name(raw.decode("ascii"), out)
        else:
            _unicode(raw.decode("utf-8", "replace"), out)
        found = tuple(out)
    if len(raw) <= _LONGEST_REMEMBERED:
        if len(_memo) >= _REMEMBERED:
            _memo.clear()
        _memo[raw] = found
    return found


def _word(word: str) -> tuple[str, ...]:
    """The term of an ASCII word in lower case, if it is one."""
    return () if word in STOP_WORDS or not 1 < len(word) <= LONGEST_TERM else (stem(word),)


def _unspaced(char: str) -> bool:
    return char >= "\u0e00" and any(first <= char <= last for first, last in _UNSPACED)


def _unicode(text: str, out: dict[str, None]) -> None:
    """Terms of a raw word that is not all ASCII: normalised (NFKC), cut at foreign punctuation and between scripts.

    Latin, Greek, Cyrillic, Hebrew and Arabic letters lose their accents and points, which people leave out when they
    ask (cafe, сетевои, שלום); in scripts after these a mark is a letter of its own. A word with umlauts is also the
    word with two letters for each (koeln).
    """
    import unicodedata  # noqa: PLC0415 (a C module, needed by few raw words)

    text = unicodedata.normalize("NFKC", text)
    _pieces(_written_with(_PLAIN, text), out)
    two = _written_with(_TWO, text)
    if two != text:
        _pieces(_written_with(_PLAIN, two), out)


def _written_with(table: dict[str, str], text: str) -> str:
    """`text` with the letters of `table` replaced, in their case: Öl is Oel, ÖBB is OEBB."""
    low = text.lower()
    if not any([letter in low for letter in table]):  # noqa: C419 (a list costs the hook less)
        return text
    written = ""
    for i, char in enumerate(text):
        other = table.get(char.lower())
        if other is None:
            written += char
        elif char.islower():
            written += other
        else:
            written += other.capitalize() if text[i + 1 : i + 2].islower() else other.upper()
    return written


def _pieces(text: str, out: dict[str, None]) -> None:
    """Add the terms of normalised text, its letters without their marks."""
    import unicodedata  # noqa: PLC0415 (as in `_unicode`)

    piece = ""
    kind = False  # whether `piece` is of a script without spaces
    for char in text + " ":
        if char < "\u0900" or "\u1e00" <= char < "\u2000":
            if unicodedata.combining(char):
                continue
            char = unicodedata.normalize("NFD", char)[0]  # noqa: PLW2901 (the letter without its marks)
        if char in _UNSEEN:
            continue
        if char == "\u2019":
            char = "'"  # noqa: PLW2901 (the typographic apostrophe is an apostrophe)
        inside = char.isalnum() or (char in "_./\\-'" if char.isascii() else unicodedata.category(char)[0] == "M")
        now = _unspaced(char) if not char.isascii() else False
        if inside and (now == kind or not piece):
            piece += char
            kind = now
            continue
        if kind:
            if len(piece) == 1:
                out[piece] = None
            for i in range(len(piece) - 1):
                out[piece[i : i + 2]] = None
        elif piece:
            _name(piece, out)
        piece, kind = (char, now) if inside else ("", False)


def _add(word: str, out: dict[str, None]) -> None:
    """Add one word that stands alone, already folded."""
    if 1 < len(word) <= LONGEST_TERM:
        out[stem(word) if word.isalpha() else word] = None


def _name(text: str, out: dict[str, None]) -> None:
    """Terms of a name: the whole, the last component of a path, the parts."""
    text = text.replace("\\", "/").strip("_./-'")
    if not text:
        return
    if "'" in text:
        first, _, rest = text.partition("'")
        if rest.lower() in _CONTRACTIONS:
            text = first
            if (first + rest).lower() in STOP_WORDS:
                return
        else:
            for piece in text.split("'"):
                _name(piece, out)
            return
    components = [text]
    if "/" in text:
        components = [part for part in text.split("/") if part]
        whole = "/".join(components).casefold()
        if len(components) > 1 and len(whole) <= LONGEST_TERM:
            out[whole] = None
    last = components[-1].strip("_.-")
    folded = last.casefold()
    if last.isalnum():
        if last[-1] == "s" and last[:-1].isupper():  # PRs, URLs, APIs
            folded = folded[:-1]
        if folded not in STOP_WORDS:
            _add(folded, out)
    elif last:
        joined = folded.replace("_", "").replace("-", "")
        # A date or a range of numbers keeps its hyphens: 2026-09-02 is not the number 20260902.
        _add(folded if joined.isdigit() else joined, out)
        if folded[0] == "v" and folded[1:].replace(".", "").isdigit():  # v1.2.3 is version 1.2.3
            _add(folded[1:], out)
    memo = _segment_memo
    for component in components:
        for segment in component.replace("_", ".").replace("-", ".").split("."):
            if segment == text:
                _segment(segment, out, alone=True)
                continue
            found = memo.get(segment)
            if found is None:
                if segment.isalpha() and segment.isascii() and (segment.islower() or segment.isupper()):
                    found = _word(segment.lower())
                else:
                    parts: dict[str, None] = {}
                    _segment(segment, parts, alone=False)
                    found = tuple(parts)
                if len(memo) >= _REMEMBERED:
                    memo.clear()
                memo[segment] = found
            for part in found:
                out[part] = None


def _segment(segment: str, out: dict[str, None], *, alone: bool) -> None:
    """Add the parts of what stands between `_`, `-`, `.`; `alone`: it is the whole name."""
    for part in _humps(segment):
        if part[-1] == "s" and part[:-1].isupper():
            part = part[:-1]  # noqa: PLW2901 (PRs, URLs, APIs are plurals of PR, URL, API)
        _part(part.casefold(), out, alone=alone and len(part) == len(segment))


def _part(part: str, out: dict[str, None], *, alone: bool) -> None:
    """Add a part of a name; short numbers and function words are noise there."""
    if part.isalpha():
        if part not in STOP_WORDS:
            _add(part, out)
        return
    letters = part.rstrip("0123456789")
    if len(part) > 2:
        _add(part, out)
    if alone and len(part) > 1:
        out[part] = None
    if letters and letters != part and letters.isalpha():  # oauth2, utf8, issue123
        _part(letters, out, alone=False)
        if len(part) - len(letters) > 2:
            out[part[len(letters) :]] = None


def _humps(segment: str) -> list[str]:
    """The words of a camelCase segment: parseHTMLResponse -> parse, HTML, Response; URLs and 3D stay whole."""
    if segment[1:].islower() or segment.isupper() or not segment.isalnum():
        return [segment] if segment else []
    parts = []
    start = 0
    n = len(segment)
    for i, char in enumerate(segment):
        if not i or not char.isupper():
            continue
        lower_next = i + 1 < n and segment[i + 1].islower()
        before = segment[i - 1]
        if before.isupper():
            # The last capital of a run begins a word (HTMLResponse), except before a lone plural s (URLs, PRsOpen).
            border = lower_next and not (segment[i + 1] == "s" and (i + 2 == n or segment[i + 2].isupper()))
        else:
            border = before.islower() or lower_next
        if border:
            parts.append(segment[start:i])
            start = i
    parts.append(segment[start:])
    return parts


def name_terms(name: str) -> list[str]:
    """The distinct terms of a note's name, cut at every mark."""
    return list(dict.fromkeys(terms("".join([char if char.isalnum() else " " for char in name]))))
