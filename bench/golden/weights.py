"""Every number that weighs in routing, passages, blocks and the gate, and how to change one for a moment.

`weights()` is the one list of them. A weight is a number in capitals at the top of one of MODULES, a number in a table
there, or a number with a point in a function's code. Limits count too: each is there for something.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from bench.golden import product
from ladder.hook import on_message
from ladder.index import format as index_format
from ladder.learning import model, update
from ladder.query import conversation, parts, query
from ladder.query.dates import calendar
from ladder.ranking import candidates, dates, explain, features, granularity, learned, names, passages, session, survey
from ladder.ranking import weights as tuned
from ladder.reading import answer, excerpt, lead_in, rungs
from ladder.speaking import coverage, gate, handing, mentions
from ladder.speaking import weights as speaking
from ladder.text import spelling, stop_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Where a number lies in a constant: keys of tables.
    Path = tuple[Any, ...]

#: Where numbers weigh.
MODULES: tuple[ModuleType, ...] = (
    tuned, answer, session, candidates, index_format, query, coverage, dates, calendar, excerpt, explain, stop_words,
    gate, conversation, on_message, lead_in, update, learned, model, names, parts, passages, rungs, granularity,
    spelling, survey, speaking, handing, mentions,
)  # fmt: skip
#: Of a module that says how a file looks, what weighs.
ONLY = {index_format: ("K1", "B")}
#: Tables that another table is made of when modules are loaded; their numbers are changed there.
MADE_INTO = {"PART_WEIGHTS": "parts.PARTS"}
#: What stands in every formula and weighs nothing by itself: doubling it is another formula.
_PLAIN = (0.0, 1.0)


@dataclass(frozen=True)
class Weight:
    """One number."""

    name: str
    """`module.NAME`, `module.TABLE row column` or `module.function value`."""
    value: float
    change: Callable[[float], contextlib.AbstractContextManager[None]]
    """Puts another number in its place until the context is left."""

    @property
    def is_limit(self) -> bool:
        """Whether it is a whole number: most of these only bound the time that something takes."""
        return isinstance(self.value, int)


def weights() -> list[Weight]:
    """Every weight, in the order of MODULES."""
    return [weight for module in MODULES for weight in (*_constants(module), *_in_code(module))]


def _constants(module: ModuleType) -> Iterator[Weight]:
    short = module.__name__.rpartition(".")[2]
    for node in ast.parse(inspect.getsource(module)).body:
        if _is_made_of_others(node):
            continue
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            name = target.id if isinstance(target, ast.Name) else ""
            if name != name.upper() or (module in ONLY and name not in ONLY[module]) or not hasattr(module, name):
                continue
            if name in MADE_INTO:
                continue
            for path, value, label in _numbers(getattr(module, name), ()):
                yield Weight(f"{short}.{name}{label}", value, _Constant(module, name, path))


def _is_made_of_others(node: ast.stmt) -> bool:
    """Whether a statement adds up other constants; these are changed where they stand."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.BinOp):
        return False
    return any(isinstance(each, ast.Name) for each in ast.walk(node.value))


def _numbers(value: object, path: Path, label: str = "") -> Iterator[tuple[Path, float, str]]:
    """(path, number, label) of each number in a constant that is not 0; of a table all that are weights."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value:
            yield path, value, label
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers(each, (*path, key), f"{label} {key}")
    elif isinstance(value, tuple):
        row = f" {value[0]}" if value and isinstance(value[0], str) else ""
        for i, each in enumerate(value):
            column = f" {i}" if not row or i > 1 or not isinstance(each, tuple) else ""
            inner = isinstance(each, tuple) and bool(each) and isinstance(each[0], str)
            yield from _numbers(each, (*path, i), label + ("" if inner else row + column))


class _Constant:
    """Changes a constant, or a number in a table, wherever its value has gone when modules were loaded."""

    def __init__(self, module: ModuleType, name: str, path: Path) -> None:
        self.module, self.name, self.path = module, name, path

    @contextlib.contextmanager
    def __call__(self, number: float) -> Iterator[None]:
        old = getattr(self.module, self.name)
        new = _with(old, self.path, number)
        users = [self.module, *_importers(self.module, self.name)]
        rows = [row for user in users for row in _rows(user, self.name)]
        functions = [each for user in users for each in _with_default(user, self.name)]
        for user in users:
            setattr(user, self.name, new)
        kept = [(each, each.__defaults__, each.__kwdefaults__) for each in functions]
        for row in rows:
            row.weight = new
        for each in functions:
            each.__defaults__ = tuple([new if value is old else value for value in each.__defaults__ or ()])
            if each.__kwdefaults__:
                each.__kwdefaults__ = {
                    key: new if value is old else value for key, value in each.__kwdefaults__.items()
                }
        try:
            yield
        finally:
            for user in users:
                setattr(user, self.name, old)
            for row in rows:
                row.weight = old
            for each, defaults, keywords in kept:
                each.__defaults__, each.__kwdefaults__ = defaults, keywords


def _rows(module: ModuleType, name: str) -> list[Any]:
    """The rows of a module's table of features that weigh `name`."""
    table = {features: "FEATURES", passages: "PASSAGE_FEATURES"}.get(module)
    named = {
        node.args[0].value
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[0], ast.Constant)
        if isinstance(node.args[1], ast.Name) and node.args[1].id == name
    }
    return [row for row in getattr(module, table) if row.name in named] if table else []


def _with(value: Any, path: Path, number: float) -> Any:  # noqa: ANN401 (a number or a table)
    if not path:
        return int(number) if isinstance(value, int) else number
    changed = _with(value[path[0]], path[1:], number)
    if isinstance(value, dict):
        return value | {path[0]: changed}
    return (*value[: path[0]], changed, *value[path[0] + 1 :])


def _loaded() -> list[ModuleType]:
    """The product's modules, and the door to it."""
    own = [module for name, module in sorted(sys.modules.items()) if name.startswith("ladder.")]
    return [*own, product]


def _tree(module: ModuleType) -> ast.Module:
    if module.__name__ not in _TREES:
        _TREES[module.__name__] = ast.parse(inspect.getsource(module))
    return _TREES[module.__name__]


_TREES: dict[str, ast.Module] = {}


def _importers(module: ModuleType, name: str) -> list[ModuleType]:
    """The modules that have taken `name` from `module` when they were loaded."""
    found = []
    for user in _loaded():
        for node in _tree(user).body:
            taken = isinstance(node, ast.ImportFrom) and node.module == module.__name__
            if taken and any(alias.name == name for alias in node.names) and hasattr(user, name):  # type: ignore[attr-defined]
                found.append(user)
    return found


def _with_default(module: ModuleType, name: str) -> list[FunctionType]:
    """The functions of a module with `name` as a default value."""
    found = []
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            if any(isinstance(each, ast.Name) and each.id == name for each in defaults):
                function = getattr(module, node.name)
                if isinstance(function, FunctionType):
                    found.append(function)
    return found


def _in_code(module: ModuleType) -> Iterator[Weight]:
    """Numbers with a point in the code of a module's functions and methods."""
    if module in ONLY:
        return
    short = module.__name__.rpartition(".")[2]
    for owner, function in _functions(module):
        numbers = dict.fromkeys(_floats(function.__code__))
        for number in numbers:
            yield Weight(f"{short}.{owner}{function.__name__} {number:g}", number, _InCode(function, number))


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield "", value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for each in vars(value).values():
                function = each.fget if isinstance(each, property) else each
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    yield f"{name}.", function


def _floats(code: CodeType) -> Iterator[float]:
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _floats(value)
        else:
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, float) and each not in _PLAIN:
                    yield each


class _InCode:
    """Changes a number in a function's code."""

    def __init__(self, function: FunctionType, number: float) -> None:
        self.function, self.number = function, number

    @contextlib.contextmanager
    def __call__(self, number: float) -> Iterator[None]:
        old = self.function.__code__
        self.function.__code__ = self._replaced(old, number)
        try:
            yield
        finally:
            self.function.__code__ = old

    def _replaced(self, code: CodeType, number: float) -> CodeType:
        def new(value: Any) -> Any:  # noqa: ANN401 (whatever code holds)
            if isinstance(value, CodeType):
                return self._replaced(value, number)
            if isinstance(value, tuple):
                return tuple([new(each) for each in value])
            return number if isinstance(value, float) and value == self.number else value

        return code.replace(co_consts=tuple([new(value) for value in code.co_consts]))
