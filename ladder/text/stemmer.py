"""English stemming: the Snowball "english" algorithm (Porter 2) as of Snowball 3.1, written for speed in plain Python.

The generated code of snowballstemmer takes about twelve times as long a word and builds some hundred objects when it
is loaded; the hook has no time for either. Index and hook both stem with this module, so query and document cannot
drift apart whatever PyStemmer is installed; a property test holds it equal to PyStemmer and to snowballstemmer.

Source: https://snowballstem.org/algorithms/english/stemmer.html
"""

_STEM_VOWELS = "aeiouy"
_STEM_NOT_SHORT = "aeiouywxY"

#: Words with a stem of their own.
_STEM_WORDS = {
    "andes": "andes", "atlas": "atlas", "bias": "bias", "cosmos": "cosmos", "early": "earli", "gently": "gentl",
    "howe": "howe", "idly": "idl", "news": "news", "only": "onli", "singly": "singl", "skies": "sky", "skis": "ski",
    "sky": "sky", "ugly": "ugli",
}  # fmt: skip
#: Beginnings after which the first region starts, whatever the vowels say.
_STEM_PREFIXES = ("arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers")
#: Steps 2 and 3: an ending's last two letters -> endings and what replaces them, longest first.
_STEM_2 = {
    "al": (("ational", "ate"), ("tional", "tion")), "ss": (("fulness", "ful"), ("iveness", "ive"), ("ousness", "ous")),
    "on": (("ization", "ize"), ("ation", "ate")), "ti": (("biliti", "ble"), ("aliti", "al"), ("iviti", "ive")),
    "li": (
        ("lessli", "less"), ("entli", "ent"), ("fulli", "ful"), ("ousli", "ous"), ("abli", "able"), ("alli", "al"),
        ("bli", "ble"), ("li", ""),
    ),
    "sm": (("alism", "al"),), "st": (("ogist", "og"),), "ci": (("anci", "ance"), ("enci", "ence")),
    "or": (("ator", "ate"),), "er": (("izer", "ize"),), "gi": (("ogi", "og"),),
}  # fmt: skip
_STEM_3 = {
    "al": (("ational", "ate"), ("tional", "tion"), ("ical", "ic")), "ze": (("alize", "al"),),
    "te": (("icate", "ic"),), "ti": (("iciti", "ic"),), "ve": (("ative", ""),), "ss": (("ness", ""),),
    "ul": (("ful", ""),),
}  # fmt: skip
#: Step 4: endings that fall off in the second region, by their last two letters, longest first.
_STEM_4 = {
    "nt": ("ement", "ment", "ant", "ent"), "ce": ("ance", "ence"), "le": ("able", "ible"), "sm": ("ism",),
    "te": ("ate",), "ti": ("iti",), "us": ("ous",), "ve": ("ive",), "ze": ("ize",), "on": ("ion",), "al": ("al",),
    "er": ("er",), "ic": ("ic",),
}  # fmt: skip
#: A word that ends in neither of these is its own stem: what a step changes ends in s, y, e, or so.
_STEM_ENDS = frozenset(
    ("ed", "ng", "al", "ll", "ul", "sm", "er", "or", "on", "nt", "st", "ic", "ti", "li", "ci", "gi"),
)  # fmt: skip
#: A table for bytes.translate: v for a vowel, c for all else.
_STEM_SHAPE = bytes([118 if code in b"aeiouy" else 99 for code in range(256)])
_STEM_VALID_LI = "cdeghkmnrt"

_STEM_REMEMBERED = 200_000
_stem_memo: dict[str, str] = dict(_STEM_WORDS)


def _stem_short(word: str) -> bool:
    """True when `word` ends in a short syllable."""
    n = len(word)
    if n > 2:
        return (
            word[-1] not in _STEM_NOT_SHORT and word[-2] in _STEM_VOWELS and word[-3] not in _STEM_VOWELS
        ) or word.endswith("past")
    return n == 2 and word[1] not in _STEM_VOWELS and word[0] in _STEM_VOWELS


def _stem_1b(word: str, p1: int, shape: bytes) -> str:
    """Step 1b: -eed, -ed, -ing and their -ly."""
    tail = word.removesuffix("ly")
    if tail.endswith("eed"):
        at = len(tail) - 3
        return word[:at] + "ee" if at >= p1 and word[:at] not in ("succ", "proc", "exc") else word
    if tail.endswith("ed"):
        base = tail[:-2]
    elif tail.endswith("ing"):
        base = tail[:-3]
        if len(tail) == len(word):
            if len(base) == 2 and base[1] == "y" and base[0] not in _STEM_VOWELS:
                return base[0] + "ie"
            if base in ("even", "cann", "inn", "earr", "herr", "out"):
                return word
    else:
        return word
    if shape.find(b"v", 0, len(base)) < 0:
        return word
    end = base[-2:]
    if end in ("at", "bl", "iz"):
        return base + "e"
    if end in ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"):
        return base if len(base) == 3 and base[0] in "aeo" else base[:-1]
    return base + "e" if len(base) == p1 and _stem_short(base) else base


def _stem_endings(word: str, p1: int, p2: int) -> str:
    """Steps 2, 3 and 4."""
    for end, instead in _STEM_2.get(word[-2:], ()):
        if word.endswith(end):
            at = len(word) - len(end)
            before = word[at - 1 : at]
            if at >= p1 and (before == "l" if end == "ogi" else end != "li" or (before and before in _STEM_VALID_LI)):
                word = word[:at] + instead
            break
    for end, instead in _STEM_3.get(word[-2:], ()):
        if word.endswith(end):
            at = len(word) - len(end)
            if at >= p1 and (end != "ative" or at >= p2):
                word = word[:at] + instead
            break
    for end in _STEM_4.get(word[-2:], ()):
        if word.endswith(end):
            at = len(word) - len(end)
            if at >= p2 and (end != "ion" or word[at - 1 : at] in ("s", "t")):
                word = word[:at]
            break
    return word


def stem(word: str) -> str:
    """The stem of a lower-case word without apostrophes; words of one or two letters stay as they are."""
    found = _stem_memo.get(word)
    if found is None:
        if len(_stem_memo) >= _STEM_REMEMBERED:
            _stem_memo.clear()
            _stem_memo.update(_STEM_WORDS)
        found = _stem_memo[word] = _stem_new(word)
    return found


def _stem_new(word: str) -> str:
    if len(word) < 3 or (word[-1] not in "sye" and word[-2:] not in _STEM_ENDS):
        return word
    if "y" in word:  # a y that is a consonant is written Y until the end
        letters = list(word)
        before = "a"
        for i, letter in enumerate(letters):
            if letter == "y" and before in _STEM_VOWELS:
                letters[i] = "Y"
            before = letters[i]
        word = "".join(letters)
    n = len(word)
    shape = word.encode("ascii", "replace").translate(_STEM_SHAPE)
    # A region begins after the first non-vowel that follows a vowel.
    p1 = shape.find(b"vc") + 2
    if word.startswith(_STEM_PREFIXES):
        p1 = max([len(prefix) for prefix in _STEM_PREFIXES if word.startswith(prefix)])
    p2 = shape.find(b"vc", p1) + 2 if p1 > 1 else 1
    p1, p2 = (p1 if p1 > 1 else n), (p2 if p2 > 1 else n)
    if word[-1] == "s" or word.endswith("ied"):  # step 1a
        if word.endswith("sses"):
            word = word[:-2]
        elif word.endswith(("ied", "ies")):
            word = word[:-2] if n > 4 else word[:-1]
        elif word[-2] not in "su" and shape.find(b"v", 0, n - 2) >= 0:
            word = word[:-1]
    if word[-1] in "dgy":
        word = _stem_1b(word, p1, shape)
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in _STEM_VOWELS:  # step 1c
        word = word[:-1] + "i"
    word = _stem_endings(word, p1, p2)
    last = word[-1:]  # step 5
    if last == "e":
        at = len(word) - 1
        if at >= p2 or (at >= p1 and not _stem_short(word[:-1])):
            word = word[:-1]
    elif last == "l" and len(word) > p2 and word[-2:-1] == "l":
        word = word[:-1]
    return word.replace("Y", "y")
