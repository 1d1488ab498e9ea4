"""What the loaders of question sets share: finding a set's files in somebody's copy, reading JSON, times as ISO."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

T = TypeVar("T")

#: What a question, a session, a turn or another record that a loader cannot read is counted under, and left out.
ODD = "records of another shape"
#: What reading such a record raises.
ODD_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError)

#: Numbers of this size are milliseconds since 1970 and not seconds: as seconds they would be of the year 5138.
MILLISECONDS = 1e11
FORMATS = ("%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d", "%Y%m%d")


def found(place: Path, patterns: Sequence[str]) -> list[Path]:
    """Return `place` if it is a file; else the files in it by the first pattern that any has, or below it.

    Files in folders below are taken only where the folder itself has none, and of these the ones nearest to it. A set
    that was cloned with all around it is found so. Hidden files and folders are left out, and a pattern without a dot
    is of names without one.
    """
    if not place.is_dir():
        return [place]
    for pattern in patterns:
        dotted = "." in pattern
        held = [
            path
            for path in place.rglob(pattern)
            if path.is_file() and ("." in path.name) == dotted and not _is_hidden(path, place)
        ]
        if held:
            nearest = min(len(path.parts) for path in held)
            return sorted(path for path in held if len(path.parts) == nearest)
    raise FileNotFoundError(f"{place}: holds no {' or '.join(patterns)}")


def one_of(place: Path, patterns: Sequence[str]) -> Path:
    """Return the only file that `found` finds; ValueError naming them when there are several."""
    files = found(place, patterns)
    if len(files) > 1:
        names = ", ".join(path.relative_to(place).as_posix() for path in files)
        raise ValueError(f"{place}: holds {names}; name one of them with --data")
    return files[0]


def _is_hidden(path: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(below).parts)


def read_json(path: Path) -> Any:  # noqa: ANN401 (whatever JSON holds)
    """Return the JSON value in `path`; ValueError naming the file when it is none."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{path}: not JSON ({error})") from error


def json_lines(path: Path) -> Iterator[Any]:
    """Yield the JSON value of each line of `path` that holds one; ValueError naming file and line when one is none."""
    for number, raw in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if raw.strip():
            try:
                yield orjson.loads(raw)
            except orjson.JSONDecodeError as error:
                raise ValueError(f"{path}:{number}: not JSON ({error})") from error


def moment(value: object) -> str:
    """Return `2023/05/30 (Tue) 23:40`, an ISO time, or seconds or milliseconds since 1970, as `2023-05-30T23:40`.

    A day stays a day (`2023-05-30`) and a zone is dropped, as the sets give local times; anything else is an empty
    string.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        seconds = value / 1000 if abs(value) >= MILLISECONDS else value
        if not 0 < seconds < MILLISECONDS:
            return ""
        return (dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)).isoformat(timespec="minutes")  # noqa: DTZ001 (the sets give local times)
    text = str(value or "").strip()
    if "(" in text:  # the weekday
        text = f"{text.partition('(')[0].strip()} {text.partition(')')[2].strip()}".strip()
    for form in ("", *FORMATS):
        try:
            when = dt.datetime.strptime(text, form) if form else dt.datetime.fromisoformat(text)  # noqa: DTZ007 (as said)
        except ValueError:
            continue
        return (
            when.date().isoformat()
            if len(text) <= len("2023-05-30")
            else when.replace(tzinfo=None).isoformat(timespec="minutes")
        )
    return ""


class LeftOut(dict[str, int]):
    """Reason -> how many records of a set were left out for it; `hint` says what the first odd one lacked."""

    hint = ""

    def odd(self, error: Exception) -> None:
        """Count a record of another shape."""
        self[ODD] = self.get(ODD, 0) + 1
        self.hint = self.hint or f"{type(error).__name__}: {error}"


def each(rows: object, read: Callable[[int, Any], T | None], left_out: LeftOut) -> Iterator[T]:
    """Yield what `read` makes of each object of a list and its place there, from 0; None is left out.

    What it cannot read is counted as ODD: sets are published in copies whose records differ, and one of them must not
    cost the whole set. What is no list at all is one such record; null is an empty list.
    """
    if rows is not None and not isinstance(rows, (list, tuple)):
        left_out.odd(TypeError(f"{type(rows).__name__} is no list"))
        return
    for number, row in enumerate(rows or ()):
        if not isinstance(row, dict):
            left_out.odd(TypeError(f"{type(row).__name__} is no object"))
            continue
        try:
            made = read(number, row)
        except ODD_ERRORS as error:
            left_out.odd(error)
            continue
        if made is not None:
            yield made


def text(value: object) -> str:
    """Return a record's text or number as text; TypeError when it is neither: null, true, a list, an object."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"{type(value).__name__} is no text")
    return str(value)


def unique(names: Iterable[str]) -> list[str]:
    """Return the names, one that came before with a number behind it: whoever asks by name asks for one thing."""
    seen: dict[str, int] = {}
    told = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        told.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return told
