"""The rival's ranking is bm25s', and grep's lines are those of a plain look at every line."""

import bm25s
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.rivals.fragments import Ranking, weights_of
from bench.rivals.grep import Lines, words_of
from bench.rivals.pieces import cut_notes, order_of
from ladder.indexing.vocabulary import Vocabulary
from ladder.text.tokenizer import terms
from notes import parse

WORDS = "canary rollback probe proxy timeout C# café naïve deploy_step v1.2.3 PRs 東京都 the of".split()  # noqa: SIM905
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=8)
NOTES = st.lists(TEXTS.map(lambda found: "# " + "\n\n".join(found) + "\n"), min_size=1, max_size=5)


def ranking(texts):
    files = {f"n{i}": text.encode() for i, text in enumerate(texts)}
    vocabulary = Vocabulary()
    return Ranking(files, [cut.paragraphs for cut in cut_notes(files.items(), vocabulary)], vocabulary)


def plain(texts):
    """(note, text) of each paragraph, as the parser gives them."""
    notes = [(f"n{i}", parse(text.encode(), f"n{i}.md")) for i, text in enumerate(texts)]
    return [(name, note.text(paragraph.span)) for name, note in notes for paragraph in note.paragraphs]


@given(NOTES, st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), st.integers(1, 9))
def test_scores_and_order_are_those_of_bm25s(texts, asked, k):
    found, pieces = ranking(texts), plain(texts)
    assert [(piece.note, piece.text) for piece in found.pieces(range(found.count))] == pieces
    cut = [terms(text) for _, text in pieces]
    numbers = {term: n for n, term in enumerate(sorted({term for each in cut for term in each}))}
    weights = {term: weight * 0.3 for term, weight in weights_of(" ".join(asked)).items()}
    total = np.zeros(len(pieces), np.float32)
    if numbers:
        engine = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        engine.index(([[numbers[t] for t in each] for each in cut], numbers), show_progress=False)
        for term, weight in weights.items():
            if term in numbers:
                begin, end = engine.scores["indptr"][numbers[term] : numbers[term] + 2]
                total[engine.scores["indices"][begin:end]] += weight * engine.scores["data"][begin:end]
    assert found.scores(weights, range(found.count)).tolist() == total.tolist()
    order = np.argsort(-total, kind="stable")
    assert found.best(weights, k) == [n for n in order.tolist() if total[n] > 0][:k]


def test_of_many_equal_pieces_the_first_come_first():
    words = ["canary", "canary", "proxy probe", "canary probe"] * 400
    found = ranking(["# A\n\n" + "\n\n".join(words) + "\n"])
    assert found.count == 1600
    # Two words beat one; of the short ones the rarer word's.
    assert found.best({"canari": 1.0, "probe": 1.0}, 500) == [*range(3, 1600, 4), *range(2, 400, 4)]
    assert found.best({"canari": 1.0, "probe": 1.0}, 3) == [3, 7, 11]
    assert found.best({"nowher": 1.0}, 3) == []


def test_front_matter_is_a_piece_and_blank_ones_are_none():
    found = ranking(["---\ndescription: why the canary aborts\n---\n\n\u00a0\n\n# A\n\nProxy.\n"])
    assert found.pieces([0])[0].text.startswith("---\ndescription")
    assert all(piece.text.strip() for piece in found.pieces(range(found.count)))
    assert [piece.text for piece in found.pieces(found.best({"proxi": 1.0}, 5))] == ["Proxy."]


def test_words_that_came_with_a_later_note_are_unknown_to_an_earlier_ranking():
    found = ranking(["# A\n\nCanary.\n"])
    cut_notes([("b", b"# B\n\nProxy.\n")], found._vocabulary)
    assert found.best({"proxi": 1.0}, 5) == []
    assert found.frequency("proxi") == 0
    assert found.frequency("canari") == 1


@given(st.lists(st.integers(0, 0xFFFFFFFF), max_size=50))
def test_numbers_of_32_bits_are_sorted_as_they_lie(numbers):
    order = order_of(np.array(numbers, np.uint32)).tolist()
    assert order == sorted(range(len(numbers)), key=numbers.__getitem__)


LINES = st.lists(
    st.text(st.sampled_from("abAB_9é東 .-\r\u2028\u0130"), max_size=20), min_size=1, max_size=6
).map(lambda found: "\n".join(found).encode())  # fmt: skip


@given(st.lists(LINES, max_size=4), st.text(st.sampled_from("abAB_9é東 "), max_size=20))
def test_lines_hold_what_a_look_at_each_tells(notes, question):
    files = {f"n{i}": data for i, data in enumerate(notes)}
    rows = [
        (f"{name}.md:{number}:{line.rstrip(chr(13))}", name, set(words_of(line)))
        for name, data in files.items()
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1)
    ]
    lines, words = Lines(files), words_of(question)
    counts = sorted((sum(word in held for _, _, held in rows), word) for word in set(words))
    assert lines.rarest(words, 2) == [word for count, word in counts if count][:2]
    printed = [(row, name) for row, name, held in rows if held & set(words)]
    assert lines.grep(words, 10_000) == (
        "\n".join(row for row, _ in printed),
        list(dict.fromkeys(n for _, n in printed)),
    )
    short: list[str] = []
    for row, _ in printed:
        if sum(len(each) + 1 for each in (*short, row)) > 30:
            break
        short.append(row)
    assert lines.grep(words, 30)[0] == "\n".join(short)
