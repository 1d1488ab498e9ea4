import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.text.tokenizer import byte_terms, terms


def test_plain_words_are_folded_stemmed_and_rid_of_function_words():
    assert terms("Why did the Canary abort its deployments?") == ["canari", "abort", "deploy"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unlockWithBiometrics", ["unlockwithbiometr", "unlock", "biometr"]),
        ("biometric", ["biometr"]),
        ("atomic_write_json", ["atomicwritejson", "atom", "write", "json"]),
        ("atomicWriteJSON", ["atomicwritejson", "atom", "write", "json"]),
        ("parseHTMLResponse", ["parsehtmlrespons", "pars", "html", "respons"]),
        ("oauth2_Client", ["oauth2client", "oauth2", "oauth", "client"]),
    ],
)
def test_r31_names_give_the_whole_first_and_then_their_parts(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("认证系统使用JWT令牌", "认证"),
        ("認証システム", "認証"),
        ("しりとりをしよう", "しりとり"),
        ("끝말잇기를 하자", "끝말잇기"),
        ("ﾊﾝｶｸ文字", "ハンカク"),
        ("สวัสดีครับ", "สวัสดี"),
    ],
)
def test_r30_scripts_without_spaces_are_cut_into_pairs(note, question):
    assert terms(question)
    assert set(terms(question)) <= set(terms(note))


def test_r30_latin_inside_a_cjk_run_is_a_word():
    assert "jwt" in terms("认证系统使用JWT令牌")


def test_a_single_cjk_character_is_a_word():
    assert terms("水 と") == ["水", "と"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/ladder/foo_bar.py", ["src/ladder/foo_bar.py", "foobar.py", "src", "ladder", "foo", "bar", "py"]),
        ("back-end", ["backend", "back", "end"]),
        ("2026-09-02", ["2026-09-02", "2026"]),
        ("v1.2.3", ["v1.2.3", "1.2.3"]),
        ("PRs and URLs", ["pr", "url"]),
        ("C++ and C#, not Rust", ["cpp", "csharp", "rust"]),
        ("(C/C++) f#: c++17", ["c/cpp", "cpp", "fsharp", "cpp17", "cpp"]),
        ("abc++ C#1 .NET", ["abc", "net"]),
        ("the user's John\u2019s don't l'avion", ["user", "john", "avion"]),
        ("ISSUE123", ["issue123", "issu", "123"]),
        ("Straße STRASSE", ["strass", "strass"]),
        ("“quoted—dash”", ["quot", "dash"]),
        ("... --- / \\ '", []),
        ("and/or", ["and/or"]),
    ],
)
def test_worked_examples(text, expected):
    assert terms(text) == expected


def test_windows_and_posix_paths_are_the_same_words():
    assert terms("notes\\deploy\\rollback.md") == terms("notes/deploy/rollback.md")


@given(st.text(max_size=80))
def test_any_text_gives_terms_that_are_found_again(text):
    found = terms(text)
    assert found == terms(text) == byte_terms(text.encode("utf-8", "surrogatepass"))
    assert all(found)


@given(st.text(max_size=40), st.text(max_size=40))
def test_lines_are_cut_one_by_one_or_together(first, second):
    assert terms(first + "\n" + second) == terms(first) + terms(second)


@given(st.binary(max_size=80))
def test_any_bytes_are_cut(data):
    found = byte_terms(data)
    assert all(term and term.strip() == term for term in found)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("café", "cafe"),
        ("cafe\u0301", "CAFÉ"),
        ("naïve", "naive"),
        ("ΔΙΑΚΟΜΙΣΤΗΣ", "διακομιστής"),
        ("сетевой", "СЕТЕВОИ"),
        ("ёлка", "елка"),
        ("Tiếng", "tieng"),
        ("İstanbul", "istanbul"),
        ("שָׁלוֹם", "שלום"),
        ("العَرَبِيَّة", "العربية"),
        ("soft\u00adhyphen", "softhyphen"),
    ],
)
def test_r30_accents_and_points_that_people_leave_out_make_no_other_word(written, asked):
    assert terms(written) == terms(asked) != []


def test_r30_marks_that_are_letters_stay():
    assert terms("हिन्दी") != terms("हनद")
    assert terms("ガラス") != terms("カラス")


def test_r31_a_version_is_found_with_and_without_its_v():
    assert "1.2.3" in terms("since v1.2.3")
    assert "1.2.3" in terms("in 1.2.3 it")
    assert terms("vim.org")[0] == "vim.org"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Köln", "koeln"),
        ("KÖLN", "Koeln"),
        ("Tür", "tuer"),
        ("Türen", "TUEREN"),
        ("ÖBB", "oebb"),
        ("Rückgängig-Taste", "rueckgaengig"),
        ("Smørrebrød", "smorrebrod"),
        ("Smørrebrød", "smoerrebroed"),
        ("Ålesund", "aalesund"),
        ("ÆRØ", "aero"),
        ("Łódź", "lodz"),
        ("Þingvellir", "thingvellir"),
        ("œuvre", "oeuvre"),
        ("d\u0131ş", "DIŞ"),
        ("Straße", "STRASSE"),
    ],
)
def test_a_word_is_found_as_people_type_it_without_marks(written, asked):
    """Each way: what a keyboard without the letters gives is among the terms of the word, and finds it."""
    assert terms(asked)
    assert set(terms(asked)) <= set(terms(written))


def test_a_word_with_umlauts_is_two_spellings_and_no_more():
    assert terms("KÖLN") == ["koln", "koeln"]
    assert terms("größerÜber") == ["grosserub", "grosser", "uber", "groesserueb", "groesser", "ueber"]
    assert terms("naïve coöp") == ["naiv", "coop", "cooep"]
    assert terms("東京æble") == ["東京", "aebl"]
