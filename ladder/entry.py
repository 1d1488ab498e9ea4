"""The command's first code: makes the import path safe, then hands over to the command line.

`notes`, `transcripts` and `bench` are ordinary names, and a user's folder may hold files called so. Nothing of ours
beyond this module is imported before what the user's folder added to `sys.path` is gone.
"""

import os
import sys


def _real(path: str) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except OSError:  # the working folder is gone
        return path


def clean_path() -> None:
    """Remove from `sys.path` the empty entry, the working folder and what came from PYTHONPATH.

    The folder that ladder itself was loaded from stays: in a checkout it may well be the working folder.
    """
    home = _real(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120 (pathlib is not imported yet)
    foreign = {_real(part or os.curdir) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep)}
    foreign.add(_real(os.curdir))
    kept = [(entry, _real(entry or os.curdir)) for entry in sys.path]
    sys.path[:] = [entry or home for entry, real in kept if real == home or real not in foreign]


def _hook() -> None:
    """Answer one event; the plugin's hook leaves that to an installed one, or each note would be shown twice."""
    if os.environ.get("CLAUDE_PLUGIN_ROOT"):
        from pathlib import Path  # noqa: PLC0415 (the path must be clean first)

        from ladder.install.record import is_covered  # noqa: PLC0415 (as above)

        try:
            here = Path(os.path.abspath(os.curdir))  # noqa: PTH100 (links stay as the user named them)
        except OSError:  # the working folder is gone
            here = Path()
        if is_covered(here):
            return
    from ladder.hook.main import main as answer  # noqa: PLC0415 (as above)

    answer((sys.executable, "-P", "-m", "ladder"))


def _find_home() -> None:
    """Give a process without a home folder (a user without an entry, HOME empty) a temporary one, and say so."""
    home = os.path.expanduser("~")  # noqa: PTH111 (pathlib raises where there is none)
    if os.path.isabs(home) and os.environ.get("HOME", home):  # noqa: PTH117 (as above)
        return
    import tempfile  # noqa: PLC0415 (seldom needed)

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    folder = os.path.join(tempfile.gettempdir(), f"ladder-home-{user}")  # noqa: PTH118 (as above)
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102 (as above)
    except FileExistsError:
        pass  # of a command before, or of somebody else
    except OSError:
        folder = ""
    # What another user has put there, or may look into, is no home.
    if folder and hasattr(os, "getuid"):
        status = os.lstat(folder)
        folder = folder if (status.st_mode, status.st_uid) == (0o040700, user) else ""
    if not folder:
        sys.stderr.write("ladder: there is no home folder; set HOME to one\n")
        sys.exit(2)
    os.environ["HOME"] = folder
    os.environ.setdefault("USERPROFILE", folder)
    sys.stderr.write(f"ladder: there is no home folder; {folder} is used, and may go at any time\n")


def main() -> None:
    """Run the `ladder` command."""
    clean_path()
    # numpy's threads wait for one another: on a machine that is busy, what one does in a second takes two eight.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["hook"] and (len(sys.argv) == 2 or (sys.argv[2] == "--client" and len(sys.argv) == 4)):
        # The hook without the command line, which would take twenty times as long to load.
        _hook()
        return
    if sys.argv[1:2] == ["merge"] and not {"-h", "--help"} & set(sys.argv[2:]):
        # The same: git runs it once for every file that both sides changed.
        from notes.merging.driver import main as merge  # noqa: PLC0415 (the path must be clean first)

        sys.exit(merge(sys.argv[2:]))
    _find_home()
    if sys.argv[1:2] == ["mcp"] and set(sys.argv[2:]) <= {"--append"}:
        # The same: a client waits for it at each of its starts.
        from ladder.serving.mcp import main as serve  # noqa: PLC0415 (the path must be clean first)

        serve(sys.argv[2:])
        return
    try:
        from ladder.cli import run  # noqa: PLC0415 (the path must be clean first)
    except KeyboardInterrupt:  # while it is still loading; `run` has its own way to end
        sys.exit(130)
    run()
