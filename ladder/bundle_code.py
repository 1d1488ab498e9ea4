"""Compiles a module for the bundle: what the hook never asks for is left out, since every byte of code costs time.

Left out are docstrings and assertions (a third of what would be read), annotations, what is for type checkers alone,
and the columns in the table of lines; the lines themselves stay, so that a failure can still be found.
"""

import ast
from types import CodeType

#: Kinds of entries in a code object's table of lines (CPython, Objects/locations.md): a line alone, and nothing.
_LINE_ALONE = 13
_NO_LINE = 15
#: Code units that one entry can stand for.
_UNITS = 8


def compile_lean(source: str, name: str) -> CodeType:
    """Return the code of a module whose source is `source`; tracebacks call its file `name`."""
    tree = _Lean().visit(ast.parse(source))
    code: CodeType = compile(ast.fix_missing_locations(tree), name, "exec", optimize=2, dont_inherit=True)
    return without_columns(code)


class _Lean(ast.NodeTransformer):
    """Removes annotations and what type checkers alone read."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        for rest in (node.args.vararg, node.args.kwarg):
            if rest is not None:
                rest.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if node.module == "__future__" else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return list(node.orelse) or ast.copy_location(ast.Pass(), node)
        return node


def without_columns(code: CodeType) -> CodeType:
    """Return the code, and the code in it, with a table of lines that holds no columns: half as long."""
    table = bytearray()
    line = code.co_firstlineno
    for start, end, there in code.co_lines():
        units = (end - start) // 2
        while units:
            length = min(units, _UNITS)
            units -= length
            if there is None:
                table.append(0x80 | _NO_LINE << 3 | length - 1)
                continue
            table.append(0x80 | _LINE_ALONE << 3 | length - 1)
            table += _signed(there - line)
            line = there
    inner = tuple([without_columns(each) if isinstance(each, CodeType) else each for each in code.co_consts])
    return code.replace(co_linetable=bytes(table), co_consts=inner)


def _signed(number: int) -> bytes:
    """Return a number as the table has it: the sign in the lowest bit, six bits a byte, 64 where more follow."""
    value = -number << 1 | 1 if number < 0 else number << 1
    out = bytearray()
    while value >= 64:
        out.append(0x40 | value & 63)
        value >>= 6
    out.append(value)
    return bytes(out)
