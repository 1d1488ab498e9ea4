"""Twins of library code that costs the hook too much to import.

What is written a second time for the hook, wherever it lies, and the test that holds the two equal (tests/lean checks
that each row is there). Where a twin differs by design, the last column says how.

    lean                          twin                                test
    ladder/lean/json.py           json                                tests/lean/test_lean_json.py
    ladder/lean/math.py           math                                tests/lean/test_lean_math.py
    ladder/lean/paths.py          platformdirs                        tests/lean/test_lean_paths.py
    ladder/lean/project.py        notes.files.project                 tests/lean/test_lean_project.py
    ladder/lean/files.py          notes.atomic                        tests/lean/test_files.py
    ladder/text/stemmer.py        snowballstemmer                     tests/text/test_stemmer.py
    ladder/query/speaker.py       transcripts.logs.speech             tests/transcripts/test_speech.py
    ladder/query/log_tail.py      transcripts.turns.contexts          tests/query/test_log_tail.py
    ladder/query/tail.py          transcripts.turns.reader            tests/query/test_log_tail.py
    ladder/hook/guard/entries.py  notes.markdown.parse                tests/hook/test_guard.py
    ladder/index/provisional_note.py  ladder.indexing.prepare         tests/index/test_update.py   sections alone
    ladder/query/dates/calendar.py    ladder.query.dates.absolute     tests/query/test_dates.py    may say yes too often
"""
