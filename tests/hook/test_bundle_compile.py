"""Code in the bundle: less of it, and a failure can still be found."""

import marshal
from types import CodeType

import pytest

from ladder.hook.bundle.build import bundled_modules
from ladder.hook.bundle.compile import compile_lean

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


def test_a_failure_can_be_found_by_function_first_line_and_instruction():
    names: dict = {}
    exec(compile_lean(SOURCE, "lean"), names)
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"](1)
    trace = caught.value.__traceback__.tb_next
    assert (trace.tb_frame.f_code.co_name, trace.tb_frame.f_code.co_firstlineno) == ("f", 10)
    plain: dict = {}
    exec(compile(SOURCE, "plain", "exec", optimize=2, dont_inherit=True), plain)
    positions = list(plain["f"].__code__.co_positions())
    assert positions[trace.tb_lasti // 2][0] in (13, 14, 15)


def test_the_hooks_code_has_no_tables_of_lines():
    for name, file in bundled_modules().items():
        assert all(code.co_linetable == b"" for code in _codes(compile_lean(file.read_text(encoding="utf-8"), name)))
