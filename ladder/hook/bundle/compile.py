"""Compiles a module for the bundle: what the hook never asks for is left out, since every byte of code costs time.

Left out are docstrings and assertions (a third of what would be read), annotations, what is for type checkers alone,
the names of local variables, and the tables of lines: a failure is named by its function, the line where that begins,
and the instruction.
"""

import ast
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType


def compile_lean(source: str, name: str) -> CodeType:
    """Return the code of a module whose source is `source`; tracebacks call its file `name`."""
    tree = _Lean().visit(ast.parse(source))
    code: CodeType = compile(ast.fix_missing_locations(tree), name, "exec", optimize=2, dont_inherit=True)
    return _bare(code)


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


def _bare(code: CodeType) -> CodeType:
    """Return the code, and the code in it, without tables of lines (a fifth of what is read) and with few names.

    Each distinct name is made and filed when the code is unpacked. Local variables are told by number (`v0`, `v1`);
    parameters keep their names, since calls may give them.
    """
    inner = tuple([_bare(each) if isinstance(each, CodeType) else each for each in code.co_consts])
    variadic = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    given = code.co_argcount + code.co_kwonlyargcount + variadic
    names = tuple([name if at < given else f"v{at}" for at, name in enumerate(code.co_varnames)])
    return code.replace(co_linetable=b"", co_consts=inner, co_varnames=names, co_qualname=code.co_name)


def with_value(code: CodeType, stands: str, value: object) -> CodeType:
    """Return the code with `value` in the place of the constant `stands`."""
    return code.replace(co_consts=tuple([value if each == stands else each for each in code.co_consts]))
