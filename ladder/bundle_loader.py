"""Finds the hook's modules inside the bundle: the first code that runs in the installed hook.

`ladder.bundle` puts this file in front of the table `MODULES` (module name -> whether it is a package, and its
compiled code or its source) and has both executed by the bootstrap in the client's settings. A module is unpacked when
it is first imported, so an event pays only for what it needs. In the bundle `ladder` and `notes` hold nothing else,
whatever lies in the folder where the client runs.
"""

from __future__ import annotations

import sys

#: Filled by the bundle: name -> whether it is a package, its code, and the modules that it imports at its top.
MODULES: dict[str, tuple[bool, bytes | str, tuple[str, ...]]] = {}


class BundleFinder:
    """An importer over `MODULES`, as `sys.meta_path` wants it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:  # noqa: ARG004 (the protocol's arguments)
        """Return how to load module `name`, or None when it is not in the bundle."""
        found = MODULES.get(name)
        if found is None:
            return None
        from _frozen_importlib import ModuleSpec  # noqa: PLC0415 (this is its source)

        spec = ModuleSpec(name, BundleFinder, origin="ladder bundle", is_package=found[0])  # type: ignore[arg-type]
        if found[0]:
            spec.submodule_search_locations = []
        return spec

    @staticmethod
    def create_module(spec: object) -> None:
        """Leave the making of the module to Python."""

    @staticmethod
    def exec_module(module: object) -> None:
        """Run the module's code, after that of the modules it needs."""
        run(module.__name__, module.__dict__)  # type: ignore[attr-defined]


def run(name: str, names: dict[str, object]) -> None:
    """Run a module's code in `names`. What it needs is brought first, without Python's own ceremony for each module."""
    _, code, needs = MODULES[name]
    for needed in needs:
        if needed not in sys.modules:
            module = sys.modules[needed] = type(sys)(needed)
            run(needed, module.__dict__)
    if isinstance(code, bytes):
        from marshal import loads  # noqa: PLC0415 (not needed when the source is run)

        exec(loads(code), names)  # noqa: S102, S302 (our own code, checked against its hash by the bootstrap)
    elif code:
        exec(compile(code, f"<ladder bundle {name}>", "exec"), names)  # noqa: S102 (our own code)


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


def start() -> None:
    """Answer one event of the client with the bundled hook."""
    import gc  # noqa: PLC0415 (as above)

    gc.disable()  # the process ends before there is anything worth collecting
    sys.meta_path.insert(0, BundleFinder)  # type: ignore[arg-type]
    if sys.platform != "win32" and "os" not in sys.modules:
        light_os()
    from ladder.hook import main  # noqa: PLC0415 (found in the bundle, now that there is a finder)

    main()
