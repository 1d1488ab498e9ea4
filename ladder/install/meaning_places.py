"""Where the bare interpreter that runs the hook finds numpy, the tokenizer and `ladder.meaning`, if it can use them."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ladder.meaning.use import NEEDED, missing

_PACKAGE = Path(__file__).parents[1]
#: Run by the hook's interpreter as the hook runs: whatever does not work there, nor a crash, reaches a session.
_TRIAL = "import sys; sys.path += sys.argv[1:]; import numpy, tokenizers; numpy.ones((8, 8)) @ numpy.ones((8, 8))"


def meaning_places() -> dict[str, Any]:
    """Return what the hook needs to know: `python`, `package` and `paths`; empty without the extra `meaning`."""
    if missing():
        return {}
    found = [find_spec(name) for name in NEEDED]
    origins = [Path(spec.origin) for spec in found if spec is not None and spec.origin]
    if len(origins) != len(NEEDED):
        return {}
    paths = list(dict.fromkeys(str(origin.parents[1]) for origin in origins))
    # The package with the weights may lie in a third place.
    paths += [path for path in sys.path if path.endswith(("site-packages", "dist-packages")) and path not in paths]
    return {"python": sys.implementation.cache_tag, "package": str(_PACKAGE), "paths": paths}


def trouble(python: Path, places: dict[str, Any]) -> str:
    """Return why `python` cannot use what lies at these places; empty when it can. Takes a second."""
    import subprocess  # noqa: PLC0415 (only who installs pays for it)

    command = [str(python), "-I", "-S", "-c", _TRIAL, *places.get("paths", ())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{python} does not start: {type(error).__name__}"
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return last or f"exit code {done.returncode}"
    return ""
