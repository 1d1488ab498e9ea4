"""The hook of ladder, as a coding agent's client starts it: reads one event on stdin, answers with JSON or not at all.

The client's settings hold two lines that import this file. What it runs is the source in the folder `source` beside it;
`hook.bundle` holds the same modules compiled, since reading them one by one would take longer than the answer does.
`ladder doctor` tries it out and says whether all of it belongs together, `ladder uninstall` takes it away.

It needs nothing but a bare Python, has its own deadline, and whatever goes wrong ends with exit code 0: 2 would erase
the message that the person has just sent.
"""

import sys

try:
    import _signal  # type: ignore[import-not-found, unused-ignore]
    import posix

    _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))  # noqa: SLF001 (its name in posix)
    _signal.setitimer(_signal.ITIMER_REAL, 1.9)
except (ImportError, AttributeError):  # Windows: there the hook's own deadline is the first
    pass

FOLDER = __file__.removesuffix("ladder_hook.py")


def compiled() -> bytes:
    """Return the compiled modules; nothing when they are missing, damaged or of another Python."""
    import _imp  # noqa: PLC0415 (built in)
    from _frozen_importlib_external import MAGIC_NUMBER  # noqa: PLC0415 (as above)

    try:
        with open(FOLDER + "hook.bundle", "rb") as file:  # noqa: PTH123 (pathlib takes longer than the answer)
            file.readline()  # for people: which version this is
            magic, mark, size = file.read(4), file.read(8), int.from_bytes(file.read(4), "little")
            code = file.read(size)
    except OSError:
        return b""
    return code if magic == MAGIC_NUMBER and mark == _imp.source_hash(0, code) else b""


if __name__ == "ladder_hook":
    if CODE := compiled():
        from marshal import loads  # as Python reads its own compiled files

        exec(loads(CODE), {"__name__": "ladder_bundle", "CODE": CODE})  # noqa: S102, S302 (our own, checked above)
    else:
        sys.path.insert(0, FOLDER + "source")
        from ladder.hook.main import main

        main()
