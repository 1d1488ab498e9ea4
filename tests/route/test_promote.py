import pytest

from ladder.promote import Use, head_with, lifted_text, promotions
from notes import parse

FILLER = "\n\n".join(f"## Chapter {i}\n\n" + f"canary canary port port word{i} " * 12 for i in range(12))
NOTE = f"""# Deploy

How releases go out.

{FILLER}

## History

### 2026-08-30 canary abort

The readiness probe asked the wrong 8081.

### 2026-07-01 drill

Eleven minutes.
"""


def use(session, turn, line, message="why did it stop, canary port?"):
    day = f"2026-09-0{session}T10:00:00Z"
    return Use(f"s{session}", turn, day, "deploy", (line,), {"message": message})


PROBE = "The readiness probe asked the wrong 8081."


def test_what_earlier_sessions_kept_using_is_proposed_and_replayed_on_later_ones():
    uses = [
        use(1, "a", PROBE),
        use(2, "b", PROBE),
        use(3, "c", PROBE),
        use(4, "d", PROBE),
        use(4, "e", "Eleven minutes."),
    ]
    (found,) = promotions(uses, {"deploy": NOTE.encode()})
    assert (found.note, found.slug) == ("deploy", "2026-08-30-canary-abort")
    assert (found.earlier, found.later) == (2, 2)
    assert found.text == f"2026-08-30 canary abort:\n{PROBE}"
    assert found.cost > 0
    assert found.gained is not None
    assert -2 <= found.gained <= 2


def test_what_only_later_sessions_used_is_proposed_without_a_replay():
    uses = [use(1, "a", "Eleven minutes."), use(2, "z", "nowhere"), use(3, "b", PROBE), use(4, "c", PROBE)]
    (found,) = promotions(uses, {"deploy": NOTE.encode()})
    assert (found.earlier, found.later, found.gained) == (0, 2, None)


def test_two_lines_of_one_turn_are_one_use():
    assert promotions([use(1, "a", PROBE), use(1, "a", PROBE)], {"deploy": NOTE.encode()}) == []


@pytest.mark.parametrize("line", ["How releases go out.", "nowhere"])
def test_lines_outside_the_history_and_notes_that_are_gone_propose_nothing(line):
    uses = [use(1, "a", line), use(2, "b", line)]
    assert promotions(uses, {"deploy": NOTE.encode()}) == []
    assert promotions(uses, {}) == []


def test_a_list_entry_loses_its_marker_and_the_head_keeps_what_it_had():
    note = parse(b"# T\n\nOld head.\n\n## Log\n\n- 2026-01-02: ports moved\n  to 8081\n- 2026-01-03: x\n")
    text = lifted_text(note, note.entries[0])
    assert text == "2026-01-02: ports moved\nto 8081"
    assert head_with(note, text) == "Old head.\n\n2026-01-02: ports moved\nto 8081\n"
