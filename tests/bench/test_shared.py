"""What `ladder share` hands over holds no word of anybody, and says of the notes what the pool needs."""

import json
from pathlib import Path

import pytest

from bench.shared.pool import pool
from bench.shared.record import SharedError, hashed, kept, key_in, read_shared, write_shared
from transcripts import Evidence, Pair

KEY = bytes(range(32))
NOTE = b"# Deploy\n\nThe canary stops at p95 over 900 ms.\n\n<private>\nThe vault code is seven.\n</private>\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def line(text: str, state: str = "alive") -> Evidence:
    return Evidence(
        text, (("canary", 1),), 1, 1, state, "body", "", "deploy.md", only_here=True, close=True, how="Read", number=3
    )


def pair(note: str = "deploy.md", lines=("The canary stops at p95 over 900 ms.",), **more) -> Pair:
    value = {
        "id": "x", "session": "s1", "turn": 1, "key": "k", "time": "2026-09-02T10:11:12Z",
        "question": f"Why did my zebra deploy stop? {TOKEN}", "kind": "typed",
        "contexts": {"message": {"message": "m"}, "turn": {"message": "t"}, "read": {"message": "r"}},
        "note": note, "level": "reply", "lines": tuple(line(text) for text in lines), "state": "alive", "zone": "body",
        "rarest": 1, "rarest_in_all": 1, "only_here": True, "close": True, "named": False, "own": False,
        "how": "Read", "offset": 0,
    }  # fmt: skip
    return Pair(**{**value, **more})


def made(*pairs: Pair, who: str = "me"):
    return kept(pairs, KEY, who, {"deploy": (NOTE, 40)}, lambda context, _: {"m": 0, "t": 2}[context["message"]])


def test_no_word_and_no_secret_is_handed_over(tmp_path):
    path = write_shared(made(pair()).records, tmp_path, "me")
    text = path.read_text(encoding="utf-8")
    for word in ("zebra", "deploy stop", "canary", "900", TOKEN, "s1", "10:11", '"me"'):
        assert word not in text
    value = json.loads(text)
    assert (value["note"], value["day"], value["found"]) == ("deploy", "2026-09-02", {"message": 0, "turn": 2})
    assert hashed(KEY, "term", "zebra") in value["terms"]
    assert value["terms"] == sorted(value["terms"])
    assert value["lines"] == [
        {"hash": hashed(KEY, "line", "The canary stops at p95 over 900 ms."), "zone": "body", "state": "alive"}
    ]
    assert read_shared(tmp_path) == list(made(pair()).records)


def test_private_lines_and_notes_of_others_stay_at_home():
    found = made(pair("diary.md"), pair(lines=("The vault code is seven.",)))
    assert (found.records, found.foreign, found.private) == ((), 1, 1)
    both = made(pair(lines=("The vault code is seven.", "The canary stops at p95 over 900 ms.")))
    assert len(both.records[0].lines) == 1
    assert made(pair(by="ladder")).records == ()


def test_the_pool_says_which_notes_answer_and_what_is_gone():
    gone = pair(lines=("What stood there once.",), session="s2")
    records = [*made(pair(), gone).records, *made(pair(), who="you").records]
    today = {"deploy": {hashed(KEY, "line", "The canary stops at p95 over 900 ms.")}, "silent": set()}
    said = pool(records, today)
    row = said.rows[0]
    assert (said.people, said.questions, said.silent, said.other_key) == (2, 3, ("silent",), False)
    assert (row.note, row.people, row.answers, row.found, row.asked) == (
        "deploy", 2, 3, {"message": 0, "turn": 3}, {"message": 3, "turn": 3},
    )  # fmt: skip
    assert (row.one_line, row.tokens, row.gone, row.gone_asked) == (3, 40, 1, 1)
    assert pool(records, {"deploy": {"another key"}}).other_key


def test_a_key_is_made_once_and_read_back(tmp_path):
    path = tmp_path / "key"
    with pytest.raises(SharedError):
        key_in(path, make=False)
    key = key_in(path, make=True)
    assert (key_in(path, make=True), len(key)) == (key, 32)
    Path(tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(SharedError, match="no record"):
        read_shared(tmp_path)
