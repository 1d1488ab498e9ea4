r"""Builds the one file that the installed hook runs: its modules' compiled code, and their source to fall back on.

The hook must go on working when ladder's package, its environment or the Python that installed it changes or goes. So
`ladder install` copies everything the hook imports into one file in the user's data folder, and the client runs a bare
interpreter with a bootstrap of a few lines (`BOOTSTRAP`) on it. Layout of the file, in this order:

    line            b"ladder-bundle 1 VERSION STAMP\n"
    4 bytes         magic number of the Python whose compiled code follows (another Python runs the source)
    8 bytes         hash of the compiled code: a damaged copy is not run
    4 bytes         length of the compiled code, little endian
    compiled code   marshalled code object of the program below with the modules that every event needs, compiled (see
                    `bundle_code`), and behind it, marshalled too, parcels of modules that some events need
    source          the same program as text, its modules as text
"""

import _imp
import ast
import hashlib
import importlib.util
import marshal
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.hook.bundle.compile import compile_lean, with_value

if TYPE_CHECKING:
    from types import CodeType

#: What `MODULES` is built from: the hook and, through its imports, all that it needs.
ENTRY = "ladder.hook.main"

#: Packages that may be copied into the bundle; anything else that the hook imports must come with every Python.
OURS = ("ladder", "notes")

_FIRST = b"ladder-bundle 1 "
#: Stands for the parcels in the program's text: text cannot hold compiled code.
_HERE = "the parcels"

#: Module -> its code, and which modules it imports at its top. The code is its source, or the number of a parcel of
#: compiled modules and its place in there.
Table = dict[str, tuple[str | tuple[int, int], tuple[str, ...]]]

# Exit code 2 would erase the user's message. `python FILE` exits 2 when the file is missing, so no file is named to
# the interpreter: the bootstrap opens it itself, and whatever happens then ends with 0. The alarm comes first, so
# that a pipe in the file's place holds nobody up. Single quotes and no line breaks: it stands in JSON, and on Windows
# in a command line.
_BOOT_SOURCE = """
import sys
try:
 import posix,_signal
 _signal.signal(14,lambda *a:posix._exit(0))
 _signal.setitimer(0,1.9)
except ImportError: pass
try:
 import _imp,marshal
 from _frozen_importlib_external import MAGIC_NUMBER as m
 f=open(sys.argv[1],'rb')
 d=f.readline()and f.read(16)
 c=f.read(int.from_bytes(d[12:],'little'))
 s=d[:4]==m and d[4:12]==_imp.source_hash(0,c)
 exec(marshal.loads(c) if s else f.read(),{'__name__':'ladder_bundle'})
except BaseException: pass
"""

#: What stands after `python -I -S -c`; the bundle's path follows as the only argument.
BOOTSTRAP = "exec('{}')".format(
    _BOOT_SOURCE.strip().replace("'", "\\'").replace("\n", "\\n"),
)


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


def foreign_modules(modules: dict[str, Path]) -> set[str]:
    """Return the names of the modules that `modules` import from elsewhere: they must come with every Python."""
    return {
        name
        for file in modules.values()
        for name, _ in _import_statements(ast.parse(file.read_bytes()))
        if name.partition(".")[0] not in OURS and name != "__future__"
    }


def stamp(modules: dict[str, Path]) -> str:
    """Return a short mark of the sources' content: two bundles with the same mark run the same code."""
    digest = hashlib.sha256()
    for name, file in modules.items():
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(BOOTSTRAP.encode())
    return digest.hexdigest()[:16]


def build_bundle(entry: str = ENTRY) -> bytes:
    """Return the bundle's bytes for the Python that runs this, with the sources for any other."""
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
    sources: Table = {name: (text, needs[name]) for name, text in texts.items()}
    head = _FIRST + f"{version('ladder-notes')} {stamp(modules)}\n".encode("ascii")
    return b"".join(
        (
            head,
            importlib.util.MAGIC_NUMBER,
            _imp.source_hash(0, code),
            len(code).to_bytes(4, "little"),
            code,
            _program(loader, sources).encode("utf-8"),
        ),
    )


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
    """Return version, stamp and whether the compiled code is for the Python that runs this; None: not a bundle."""
    try:
        with path.open("rb") as file:
            head = file.read(256)
    except OSError:
        return None
    line, newline, rest = head.partition(b"\n")
    words = line.split(b" ")
    if not newline or not line.startswith(_FIRST) or len(words) != 4:
        return None
    version_said, stamp_said = (word.decode("ascii", "replace") for word in words[2:])
    return version_said, stamp_said, rest[:4] == importlib.util.MAGIC_NUMBER
