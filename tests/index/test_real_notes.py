import random

import bm25s
import pytest

from ladder.index.reader import open_index
from ladder.index.scoring import best
from ladder.indexing.pipeline import build_from_bytes
from ladder.indexing.token_counts import Costs
from ladder.text.tokenizer import byte_terms, terms


@pytest.mark.data
@pytest.mark.parametrize("corpus", ["erk", "oh-my-posh"])
def test_the_first_note_is_bm25s_on_real_notes(data, tmp_path, corpus):
    base = data / "sessions" / corpus / "notes"
    files = sorted(base.rglob("*.md"))[:300]
    notes = {file.relative_to(base).as_posix()[:-3]: file.read_bytes() for file in files}
    names = sorted(notes)
    build_from_bytes(notes, tmp_path / "index", costs=Costs())
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(term, len(numbers)) for term in byte_terms(notes[name])] for name in names]
    oracle = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    oracle.index((ids, numbers), show_progress=False)
    dice = random.Random(2)
    asked = []
    for _ in range(300):
        words = notes[dice.choice(names)].decode("utf-8", "replace").split()
        asked.append(dict.fromkeys(terms(" ".join(dice.choices(words or ["x"], k=dice.choice((5, 10, 21, 84))))), 1.0))
    with open_index(str(tmp_path / "index")) as index:
        same = counted = 0
        for question in asked:
            known = [numbers[term] for term in question if term in numbers]
            if not known:
                continue
            expected = oracle.get_scores_from_ids(known)
            top = expected.max()
            found = best(index.score_notes(question), 1)
            counted += 1
            same += expected[found[0]] >= top * (1 - 1e-4)
        assert same >= 0.99 * counted
        for n in range(index.count):
            passages = index.passages(n)
            assert index.note(n).cost == sum(section.cost for section in passages.sections)
            assert passages.sections[-1].end == len(notes[index.note(n).name])
