"""Whatever is refused before it is parsed changes nothing: over records of every type that logs were seen to hold."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notes import find_notes, folder_settings
from transcripts import mine, session_turns, sessions
from transcripts.logs.records import matters, records
from transcripts.turns.reader import TurnReader

CWD, OTHER = "/home/u/app", "/home/u/app/docs"
PATH = f"{CWD}/docs/deploy.md"
LINE = "Run `shipctl revert --wave violet` and wait for the tangerine dashboard."
ECHO = "Run shipctl revert with the violet wave, then watch the tangerine dashboard."
# What the quick look goes by, as text that a record may hold anywhere.
SIGNS = [
    '"type":"progress"',
    '{"type":"file-history-snapshot"',
    '"message":',
    '"attachment":',
    '"operation":',
    "x" * 1300,
]

ids = st.sampled_from(["t0", "t1", "t2"])
words = st.sampled_from([*SIGNS, "progress", LINE, ECHO, "go on", "é\u2028", ""])
values = st.recursive(
    words | st.none() | st.integers(0, 9),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "message", "attachment", "operation", "a"]), inner, max_size=3)
    ),
    max_leaves=5,
)
uses = st.builds(
    lambda i, name, more: {
        "type": "tool_use",
        "id": i,
        "name": name,
        "input": more | {"file_path": PATH, "command": "cat " + PATH},
    },
    ids,
    st.sampled_from(["Read", "Bash", "Edit", "mcp"]),
    st.dictionaries(st.sampled_from(["type", "message", "new_string", "operation"]), values, max_size=2),
)
results = st.builds(
    lambda i, text: {"type": "tool_result", "tool_use_id": i, "content": text}, ids, words | st.just(f"     1→{LINE}")
)
texts = st.builds(lambda text: {"type": "text", "text": text}, words)
thoughts = st.builds(lambda text: {"type": "thinking", "thinking": text, "signature": "s"}, words)


def messages(role, *blocks):
    content = st.lists(st.one_of(*blocks), max_size=2) | (words if role == "user" else st.nothing())
    return st.builds(lambda content: {"id": "m", "role": role, "content": content}, content)


bodies = st.one_of(
    st.fixed_dictionaries({"type": st.just("user"), "message": messages("user", texts, results)}),
    st.fixed_dictionaries({"type": st.just("assistant"), "message": messages("assistant", texts, uses, thoughts)}),
    st.fixed_dictionaries(
        {
            "type": st.just("progress"),
            "parentToolUseID": ids,
            "data": st.one_of(
                st.fixed_dictionaries({"type": st.sampled_from(["bash_progress", "hook_progress"]), "output": values}),
                st.builds(
                    lambda kind, message: {"type": "agent_progress", "message": {"type": kind, "message": message}},
                    st.sampled_from(["user", "assistant"]),
                    messages("assistant", uses, results) | values,
                ),
                values,
            ),
        }
    ),
    st.fixed_dictionaries(
        {"type": st.just("attachment"), "attachment": st.just({"type": "queued_command", "prompt": "and?"}) | values}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("queue-operation"),
            "operation": st.sampled_from(["enqueue", "dequeue", "remove", "popAll"]),
            "content": words,
        }
    ),
    st.fixed_dictionaries({"type": st.just("file-history-snapshot"), "messageId": ids, "snapshot": values}),
    st.fixed_dictionaries({"type": st.just("file-history-delta"), "messageId": ids, "delta": values}),
    st.fixed_dictionaries({"type": st.sampled_from(["system", "summary", "mode", "new"]), "content": values}),
)


@st.composite
def lines(draw):
    """A record as some client might write it: its keys in any order, with or without blanks, other keys among them."""
    number = draw(st.integers(0, 40))
    frame = {
        "uuid": f"u{number}",
        "cwd": draw(st.sampled_from([CWD, OTHER])),
        "gitBranch": draw(st.sampled_from(["main", "topic"])),
        "timestamp": f"2026-03-01T00:{number:02d}:00Z",
        "isSidechain": draw(st.booleans()),
        "padding": draw(st.just({"type": "progress"}) | values),
    }
    kept = {key: value for key, value in frame.items() if draw(st.booleans())}
    pairs = draw(st.permutations([*draw(bodies).items(), *kept.items()]))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    return json.dumps(dict(pairs), separators=separators, ensure_ascii=draw(st.booleans())).encode()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=st.lists(lines(), min_size=1, max_size=14))
def test_turns_and_pairs_are_the_same_whatever_is_skipped(found, project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("skip")
    path = folder / "s1.jsonl"
    path.write_bytes(b"\n".join(found) + b"\n")
    reader = TurnReader("s1", str(path))
    everything = [turn for record in records(path) for turn in reader.feed(record)] + reader.close()
    [session] = sessions(path)
    assert list(session_turns(session)) == everything
    notes = find_notes(folder_settings(project))
    quick = mine([session], notes, project, share=1.0, floor=99)
    with_all = _with_everything(lambda: mine([session], notes, project, share=1.0, floor=99))
    assert quick == with_all


def _with_everything(run):
    import importlib

    modules = [importlib.import_module("transcripts.clients.claude_code")]
    before = [module.matters for module in modules]
    for module in modules:
        module.matters = lambda raw: True
    try:
        return run()
    finally:
        for module, its in zip(modules, before, strict=True):
            module.matters = its


@settings(max_examples=300, deadline=None)
@given(raw=lines())
def test_a_refused_line_moves_nothing_in_the_reader(raw, tmp_path_factory):
    if matters(raw):
        return
    path = tmp_path_factory.mktemp("one") / "s1.jsonl"
    path.write_bytes(raw + b"\n")
    reader = TurnReader("s1", str(path))
    before = dict(vars(reader))
    assert [turn for record in records(path) for turn in reader.feed(record)] == []
    assert vars(reader) == before
