"""Finds the hook's modules inside the bundle: the first code that runs in the installed hook.

`ladder.hook.bundle.build` puts this file in front of the table `MODULES`; `start.py` executes both. Compiled modules
lie in parcels: one is unpacked when one of its modules is first imported, so an event pays only for what it needs. In
the bundle `ladder` and `notes` hold nothing else, whatever lies in the folder where the client runs.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    CODE = b""  # what `start.py` read; it hands it on under this name

#: Filled by the bundle: name -> number of its parcel and place in there, and the modules that it imports at its top.
MODULES: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {}
#: Code of modules that are needed together. Until one of them is, its place in CODE, counted from the end: to copy it
#: from there would take new memory, a microsecond a page.
PARCELS: list[object] = []


class BundleFinder:
    """An importer over `MODULES`, as `sys.meta_path` wants it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:  # noqa: ARG004 (the protocol's arguments)
        """Return how to load module `name`, or None when it is not in the bundle."""
        if name not in MODULES:
            return None
        from _frozen_importlib import ModuleSpec  # noqa: PLC0415 (this is its source)

        return ModuleSpec(name, BundleFinder, origin="ladder bundle")  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: object) -> None:
        """Leave the making of the module to Python."""

    @staticmethod
    def exec_module(module: object) -> None:
        """Run the module's code, after that of the modules it needs."""
        run(module.__name__, module.__dict__)  # type: ignore[attr-defined]


def run(name: str, names: dict[str, object]) -> None:
    """Run a module's code in `names`. What it needs is brought first, without Python's own ceremony for each module."""
    (number, place), needs = MODULES[name]
    for needed in needs:
        if needed not in sys.modules:
            module = sys.modules[needed] = type(sys)(needed)
            run(needed, module.__dict__)
    parcel = PARCELS[number]
    if isinstance(parcel, int):
        from marshal import loads  # noqa: PLC0415 (many events need no second parcel)

        parcel = loads(memoryview(CODE)[len(CODE) - parcel :])  # noqa: S302 (our own code, checked when it was read)
        PARCELS[number] = parcel
    exec(parcel[place], names)  # type: ignore[index]  # noqa: S102 (as above)


def light_os() -> None:
    """Put in `os`'s place what the hook uses of it: loading all of it is a tenth of the hook's whole time.

    It is the interpreter's own `posix` and the real `posixpath`; what else somebody asks for comes from the real `os`.
    """
    import posix  # noqa: PLC0415 (POSIX only)

    light = type(sys)("os")
    light.__dict__.update(posix.__dict__)
    light.__name__ = "os"
    light.name, light.sep, light.curdir, light.pardir, light.extsep = "posix", "/", ".", "..", "."  # type: ignore[attr-defined]
    light.altsep, light.pathsep, light.devnull, light.linesep = None, ":", "/dev/null", "\n"  # type: ignore[attr-defined]
    coding = sys.getfilesystemencoding()
    light.environ = {  # type: ignore[attr-defined]
        name.decode(coding, "surrogateescape"): value.decode(coding, "surrogateescape")
        for name, value in posix.environ.items()
    }

    def missing(name: str) -> object:
        if name.startswith(("O_", "_")):  # a flag that this system does not have
            raise AttributeError(name)
        del sys.modules["os"]
        try:
            import os  # noqa: PLC0415 (the rest of it is seldom needed)

            return getattr(os, name)
        finally:
            sys.modules["os"] = light

    light.__getattr__ = missing  # type: ignore[method-assign]
    sys.modules["os"] = light
    import posixpath  # noqa: PLC0415 (it imports `os`, which is now there)

    light.path = posixpath  # type: ignore[attr-defined]


def start(packages: tuple[str, ...]) -> None:
    """Answer one event of the client with the bundled hook; `packages` have no code of their own."""
    import gc  # noqa: PLC0415 (as above)

    gc.disable()  # the process ends before there is anything worth collecting
    sys.meta_path.insert(0, BundleFinder)  # type: ignore[arg-type]
    if sys.platform != "win32" and "os" not in sys.modules:
        light_os()
    for name in packages:
        package = sys.modules[name] = type(sys)(name)
        package.__path__ = []
    main = type(sys)("ladder.hook.main")
    sys.modules["ladder.hook.main"] = main
    run("ladder.hook.main", main.__dict__)
    main.main()
