r"""Builds what the installed hook runs: the file that a client's settings import, its modules, and these compiled.

The hook must go on working when ladder's package, its environment or the Python that installed it changes or goes. So
`ladder install` copies everything the hook imports into a folder of the user's data, and the client runs a bare
interpreter with two lines (`BOOTSTRAP`) on it:

    ladder_hook.py  `start.py`: reads hook.bundle, or the source where that is of no use
    source/         the modules as they are in this package; to read what runs, read these
    hook.bundle     the same modules compiled, in this order:

    line            b"ladder-bundle 2 VERSION STAMP\n"
    4 bytes         magic number of the Python whose compiled code follows (another Python runs the source)
    8 bytes         hash of the compiled code: a damaged copy is not run
    4 bytes         length of the compiled code, little endian
    compiled code   marshalled code object of the program below with the modules that every event needs, compiled (see
                    `bundle_code`), and behind it, marshalled too, parcels of modules that some events need
"""

import _imp
import ast
import hashlib
import importlib.util
import marshal
import py_compile
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.hook.bundle.compile import compile_lean, with_value
from ladder.lean.paths import make_folder
from notes.atomic import write_private

if TYPE_CHECKING:
    from types import CodeType

#: What `MODULES` is built from: the hook and, through its imports, all that it needs.
ENTRY = "ladder.hook.main"

#: Packages that may be copied into the bundle; anything else that the hook imports must come with every Python.
OURS = ("ladder", "notes")

_FIRST = b"ladder-bundle 2 "
#: Stands for the parcels in the program's text: text cannot hold compiled code.
_HERE = "the parcels"

#: Module -> number of its parcel and place in there, and which modules it imports at its top.
Table = dict[str, tuple[tuple[int, int], tuple[str, ...]]]

#: What stands after `python -I -S -c`; the hook's folder follows, and for another client than Claude Code
#: `--client NAME`. `python FILE` would end with 2 when the file is missing, which erases the user's message: so the
#: file is imported, and whatever happens then ends with 0. No quotes, `$` or backticks: it may pass through a shell.
BOOTSTRAP = "try: import sys; sys.path[:0] = sys.argv[1:2]; import ladder_hook\nexcept BaseException: pass"

#: Under this name the client's settings import `start.py`.
START = "ladder_hook.py"


def bundled_modules(entry: str = ENTRY) -> dict[str, Path]:
    """Return the modules of ours that `entry` imports, directly or not, at the top or inside functions, by name."""
    found: dict[str, Path] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        file = _source_file(name)
        if file is None:
            continue
        found[name] = file
        waiting += _imports(ast.parse(file.read_bytes()))
    return dict(sorted(found.items()))


def _source_file(name: str) -> Path | None:
    package, _, rest = name.partition(".")
    if package not in OURS or not rest:
        return None
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).parent.joinpath(*rest.split(".")).with_suffix(".py")
    return file if file.is_file() else None


def _imports(tree: ast.AST) -> list[str]:
    """Names that may be modules and are imported somewhere in `tree`, except for type checkers."""
    return [name for module, parts in _import_statements(tree) for name in (module, *(f"{module}.{p}" for p in parts))]


def _import_statements(tree: ast.AST) -> list[tuple[str, list[str]]]:
    """Return (module, names taken from it) of each import that is carried out."""
    found: list[tuple[str, list[str]]] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, []) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module, [alias.name for alias in node.names]))
        waiting += ast.iter_child_nodes(node)
    return found


def _needs(file: Path, modules: dict[str, Path]) -> list[str]:
    """Return the bundled modules that a module imports whenever it is loaded, not only inside functions."""
    tree = ast.parse(file.read_bytes())
    tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [name for name in dict.fromkeys(_imports(tree)) if name in modules]


def hook_sources() -> dict[str, Path]:
    """Return all that the installed hook is made of: the bundled modules, and the two that bring them, by name."""
    own = [Path(__file__).with_name(name) for name in ("start.py", "loader.py")]
    return bundled_modules() | {f"{__package__}.{file.stem}": file for file in own}


def foreign_modules(modules: dict[str, Path]) -> set[str]:
    """Return the names of the modules that `modules` import from elsewhere: they must come with every Python."""
    return {
        name
        for file in modules.values()
        for name, _ in _import_statements(ast.parse(file.read_bytes()))
        if name.partition(".")[0] not in OURS and name != "__future__"
    }


def stamp() -> str:
    """Return a short mark of the sources' content: two bundles with the same mark run the same code."""
    digest = hashlib.sha256()
    for name, file in hook_sources().items():
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def build_bundle(entry: str = ENTRY) -> bytes:
    """Return the bundle's bytes, for the Python that runs this."""
    modules = bundled_modules(entry)
    texts = {name: file.read_text(encoding="utf-8") for name, file in modules.items()}
    needs = {name: tuple(_needs(file, modules)) for name, file in modules.items()}
    loader = Path(__file__).with_name("loader.py").read_text(encoding="utf-8")
    compiled: Table = {}
    together: list[tuple[CodeType, ...]] = []
    for number, names in enumerate(_parcels(needs, texts)):
        together.append(tuple([compile_lean(texts[name], f"<ladder {name}>") for name in names]))
        compiled |= {name: ((number, place), needs[name]) for place, name in enumerate(names)}
    first, later = together[0], [marshal.dumps(codes) for codes in together[1:]]
    ends = [sum(map(len, later[place:])) for place in range(len(later))]
    program = compile_lean(_program(loader, compiled), "<ladder bundle>")
    code = b"".join([marshal.dumps(with_value(program, _HERE, (first, *ends))), *later])
    head = _FIRST + f"{version('ladder-notes')} {stamp()}\n".encode("ascii")
    return b"".join(
        (
            head,
            importlib.util.MAGIC_NUMBER,
            _imp.source_hash(0, code),
            len(code).to_bytes(4, "little"),
            code,
        ),
    )


def write_hook(folder: Path) -> None:
    """Write what the installed hook runs into `folder`; what is left there of a former version's source goes.

    Raises:
        OSError: something could not be written.
    """
    source = folder / "source"
    wanted = {Path(*name.split(".")).with_suffix(".py"): file.read_bytes() for name, file in bundled_modules().items()}
    packages = {above for module in wanted for above in module.parents if above.name}
    wanted |= {package / "__init__.py": b"" for package in packages}
    for module, text in wanted.items():
        write_private(source / module, text, durable=False)
    for former in [path for path in source.rglob("*.py") if path.relative_to(source) not in wanted]:
        former.unlink(missing_ok=True)
    write_private(folder / "hook.bundle", build_bundle())
    write_private(folder / START, Path(__file__).with_name("start.py").read_bytes())
    make_folder(folder / "__pycache__")
    py_compile.compile(str(folder / START), doraise=True)


def remove_hook(folder: Path) -> None:
    """Delete what `write_hook` wrote, and what Python compiled beside it."""
    for name in (START, "hook.bundle"):
        (folder / name).unlink(missing_ok=True)
    for name in ("source", "__pycache__"):
        shutil.rmtree(folder / name, ignore_errors=True)


def _parcels(needs: dict[str, tuple[str, ...]], texts: dict[str, str]) -> list[list[str]]:
    """Return the modules in parcels: what every event runs, then together what the same events need, then the rest.

    An event begins where the entry imports a module inside a function. What else is imported inside functions, not
    every such event needs: the rest, together what the same of these need.
    """
    inside = {name: [found for found in _imports(ast.parse(text)) if found in needs] for name, text in texts.items()}
    lazy = {name: [found for found in inside[name] if found not in needs[name]] for name in needs}
    users: dict[str, set[str]] = {name: set() for name in needs}
    for begin in {ENTRY, *[found for each in lazy.values() for found in each]}:
        waiting = [begin]
        while waiting:
            name = waiting.pop()
            if begin not in users[name]:
                users[name].add(begin)
                waiting += needs[name]
    events = {*lazy[ENTRY]}
    together: dict[frozenset[str], list[str]] = {frozenset({ENTRY}): []}
    for name in needs:
        of_events = {ENTRY} & users[name] or events & users[name] or users[name]
        together.setdefault(frozenset(of_events), []).append(name)
    return list(together.values())


def _program(loader: str, modules: Table) -> str:
    table = "".join(f"MODULES[{name!r}] = {value!r}\n" for name, value in modules.items())
    return f"{loader}\n{table}PARCELS.extend({_HERE!r})\nstart({_packages(modules)!r})\n"


def _packages(modules: Table) -> tuple[str, ...]:
    """Return every package that holds a module, parents first."""
    parts = [name.split(".") for name in modules]
    return tuple(sorted({".".join(names[:depth]) for names in parts for depth in range(1, len(names))}))


def bundle_mark(path: Path) -> tuple[str, str, bool] | None:
    """Return version, stamp and whether this Python would run the code: its own, and whole. None: not a bundle."""
    try:
        line, newline, rest = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    words = line.split(b" ")
    if not newline or not line.startswith(_FIRST) or len(words) != 4:
        return None
    version_said, stamp_said = (word.decode("ascii", "replace") for word in words[2:])
    fits = rest[:4] == importlib.util.MAGIC_NUMBER and rest[4:12] == _imp.source_hash(0, rest[16:])
    return version_said, stamp_said, fits
