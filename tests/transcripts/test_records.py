from transcripts.logs.records import matters, records


def read(path, **keys):
    skipped = []
    return [record.data for record in records(path, skipped=skipped, **keys)], skipped


def test_r49_only_a_line_feed_ends_a_record(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"text":"a\u2028b\u2029c\x85d"}\n{"text":"e\\ff"}\n'.encode())
    found, skipped = read(path)
    assert [record["text"] for record in found] == ["a\u2028b\u2029c\x85d", "e\ff"]
    assert skipped == []


def test_r50_damage_costs_its_own_line_and_is_reported(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"n":1}\n'
        + b"\0" * 512
        + b"\n"
        + b'{"n":2}'
        + b"\0" * 8
        + b"\n"
        + b"[]\n1\n"
        + b'{"n":\n'
        + b"\n"
        + b'{"n":3}\n'
    )
    found, skipped = read(path)
    assert found == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert [(item.line, item.reason) for item in skipped] == [
        (2, "NUL bytes"),
        (4, "not an object"),
        (5, "not an object"),
        (6, "not JSON"),
    ]
    assert {item.file for item in skipped} == {str(path)}


def test_r50_two_objects_on_a_line_are_two_records(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n":1}{"n":2}\n{"n":3}\n')
    assert read(path) == ([{"n": 1}, {"n": 2}, {"n": 3}], [])


def test_r50_a_raw_nul_or_a_lone_surrogate_inside_a_string_is_no_damage(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"t":"a\0b"}\n{"t":"x\\ud83dy"}\n{"t":"\\ud83d\\ude00"}\n')
    found, skipped = read(path)
    assert [record["t"] for record in found] == ["a\0b", "x\ufffdy", "\U0001f600"]
    assert skipped == []


def test_r50_a_line_of_two_megabytes_and_an_empty_file(tmp_path):
    long, empty = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    long.write_bytes(b'{"t":"' + b"x" * 2_100_000 + b'"}\n{"n":1}')
    empty.write_bytes(b"")
    assert [len(str(record)) > 2_000_000 for record in read(long)[0]] == [True, False]
    assert read(empty) == ([], [])


def test_a_last_line_that_is_still_being_written_is_not_called_damage(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n":1}\n{"n":2,"t":"ha')
    found, skipped = read(path)
    assert found == [{"n": 1}]
    assert [(item.line, item.reason) for item in skipped] == [(2, "unfinished last line")]


def test_deep_nesting_is_skipped_and_not_a_crash(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":' * 200_000 + b"\n" + b'{"n":1}\n')
    found, skipped = read(path)
    assert found == [{"n": 1}]
    assert [item.line for item in skipped] == [1]


def test_reading_from_an_offset_counts_on(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"n":1}\n{"n":2}\n[]\n')
    skipped = []
    found = list(records(path, start=8, line=2, skipped=skipped))
    assert [(record.offset, record.end, record.line, record.data["n"]) for record in found] == [(8, 16, 2, 2)]
    assert [item.line for item in skipped] == [3]


def test_what_is_refused_before_parsing_can_never_be_part_of_a_conversation():
    assert not matters(b'{"type":"progress","data":{"type":"bash_progress","output":"x"}}\n')
    assert not matters(b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n')
    assert matters(b'{"type":"progress","data":{"type":"agent_progress","message":{"type":"user"}}}\n')
    # A tool's input may hold any key; the record around it has `message`.
    assert matters(b'{"type":"assistant","message":{"content":[{"input":{"type":"progress"}}]}}\n')
    assert matters(b'{"type":"queue-operation","operation":"enqueue","content":"x","extra":{"type":"progress"}}\n')


def test_a_whole_record_behind_a_torn_one_on_the_same_line_is_recovered(tmp_path):
    path = tmp_path / "a.jsonl"
    torn = b'{"parentUuid":"1","type":"assistant","message":{"content":[{"type":"text","text":"so the her'
    whole = b'{"parentUuid":"2","type":"user","uuid":"u","message":{"content":[{"type":"text","text":"a \\"{\\" b"}]}}'
    path.write_bytes(torn + whole + b"\n" + torn + whole + b"\0" + whole + b"\n" + torn + torn + b'{"n":1}\n{"n":2}\n')
    found, skipped = read(path)
    assert [record.get("uuid", record.get("n")) for record in found] == ["u", "u", "u", 2]
    assert [(item.line, item.reason) for item in skipped] == [(1, "not JSON"), (2, "not JSON"), (3, "not JSON")]


def test_many_torn_records_on_a_line_cost_no_long_time(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"type":"user","message":{"content":"' * 20_000 + b"\n" + b'{"n":1}\n')
    assert read(path)[0] == [{"n": 1}]
