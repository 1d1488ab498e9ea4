"""What is kept of a case: one line of JSON with the decisions and the first of each ranking, digests of the rest.

Numbers are rounded to DIGITS significant digits: Python 3.12 sums floats otherwise than 3.11 in the last bits, and C
libraries differ in the last bit of a power. Rounded so, one in a million million of them falls on a border. A full
record keeps every number as `repr` gives it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Significant digits of a number in a line.
DIGITS = 7
#: Rows of a ranking that a line shows, and significant digits of numbers that are read by people.
SHOWN = 4
SHOWN_DIGITS = 5
#: What a line shows of a question besides its first notes, as it is. The rest of its parts stand there as digests.
PLAIN = ("conversation", "dates", "mended", "may speak", "worth saying", "likelihood", "held", "log")
#: Hex digits of a digest.
_DIGEST = 10

Parts = dict[str, Any]


def rounded(value: Any, digits: int = DIGITS) -> Any:  # noqa: ANN401 (any value of JSON)
    """The value with every float in it rounded to significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {key: rounded(each, digits) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each, digits) for each in value]
    return value


def written(value: Any) -> str:  # noqa: ANN401 (any value of JSON)
    """The value as JSON, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(value: Any) -> str:  # noqa: ANN401 (any value of JSON)
    """A short digest of the value, its floats rounded."""
    return hashlib.sha256(written(rounded(value)).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def full(case: str, parts: Mapping[str, Any]) -> Parts:
    """The full record of a case, as JSON gives it back."""
    found: Parts = json.loads(written({"id": case, **parts}))
    return found


def line_of(record: Parts) -> Parts:
    """The line of a full record."""
    line: Parts = {"id": record["id"]}
    digests: dict[str, str] = {}
    for part, value in record.items():
        if part == "notes":
            line["notes"] = rounded([[name, score] for name, score, _ in value[:SHOWN]], SHOWN_DIGITS)
            digests[part] = digest(value)
        elif part in PLAIN:
            if value not in ([], False, None):  # what is not said is nothing
                line[part] = rounded(value[:SHOWN] if isinstance(value, list) else value, SHOWN_DIGITS)
            if isinstance(value, float) or (isinstance(value, list) and len(value) > SHOWN):
                digests[part] = digest(value)
        elif part != "id":
            digests[part] = digest(value)
    return line | {"digests": digests}
