"""`ladder doctor`: looks at everything that has to work together, and says what to do about what does not.

Each check is one function that returns findings; CHECKS is their order. The installed hook is run end to end, exactly
as the settings say, and its answer is judged as the client would.
"""

from collections.abc import Callable
from pathlib import Path

from ladder.doctor.finding import Finding, wrong
from ladder.doctor.hook import end_to_end, errors, installed
from ladder.doctor.meaning import meaning
from ladder.doctor.notes import index, settings
from ladder.doctor.place import on_path, packages, permissions, retention
from ladder.doctor.team import merging

CHECKS: tuple[Callable[[Path], list[Finding]], ...] = (
    packages,
    on_path,
    settings,
    index,
    meaning,
    installed,
    end_to_end,
    errors,
    permissions,
    retention,
    merging,
)


def examine(root: Path) -> list[Finding]:
    """Return the findings of all checks, in their order; a check that itself fails is a finding."""
    found: list[Finding] = []
    for check in CHECKS:
        try:
            found += check(root)
        except OSError as error:
            found.append(wrong(f"{check.__name__}: {error}"))
    return found
