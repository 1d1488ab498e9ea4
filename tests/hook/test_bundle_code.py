"""Code in the bundle: less of it, and the same lines in a traceback."""

import marshal
import sys
import traceback
from types import CodeType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.bundle import bundled_modules
from ladder.bundle_code import compile_lean

SOURCE = '''"""Doc."""
from __future__ import annotations
TYPE_CHECKING = False
if TYPE_CHECKING:
    import nothing.of_the.kind
class A:
    """Doc."""
    x: int
    y: int = 3
def f(a: int, *rest: str, b: bool = False, **more: float) -> A:
    """Doc."""
    n: int = 1

    return (
        a
        / (n - 1)
    )
'''


def _codes(code: CodeType):
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def test_annotations_docstrings_and_what_is_for_type_checkers_are_left_out():
    names: dict = {}
    exec(compile_lean(SOURCE, "lean"), names)
    assert names.get("__doc__") is None
    assert names["f"].__doc__ is None
    assert names["f"].__annotations__ == {}
    assert "__annotations__" not in vars(names["A"])
    assert names["A"].y == 3
    assert b"nothing" not in marshal.dumps(compile_lean(SOURCE, "lean"))


def test_a_traceback_names_file_function_and_line():
    names: dict = {}
    exec(compile_lean(SOURCE, "lean"), names)
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"](1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.name, last.lineno) == ("lean", "f", 15)


def test_every_instruction_of_the_hook_keeps_its_line():
    for name, file in bundled_modules().items():
        text = file.read_text(encoding="utf-8")
        for code in _codes(compile_lean(text, name)):
            for instruction, (line, _, column, _) in enumerate(code.co_positions()):
                assert column is None, (name, code.co_name, instruction)
                assert line is None or 0 <= line <= text.count("\n") + 1


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12))
def test_lines_however_far_apart(gaps):
    source = "def f(a):\n" + "".join("\n" * gap + f"    a = a + {i}\n" for i, gap in enumerate(gaps)) + "    return a\n"
    plain = compile(source, "x", "exec", optimize=2, dont_inherit=True)
    for mine, theirs in zip(_codes(compile_lean(source, "x")), _codes(plain), strict=True):
        assert list(mine.co_lines()) == list(theirs.co_lines()), sys.version
