"""Downloads one set: resumes what was broken off, checks a published SHA-256, replaces nothing before it is whole."""

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from notes.atomic import rename_over

CHUNK = 1 << 16
#: Seconds without an answer after which the attempt ends.
PATIENCE = 30.0
RANGE_NOT_SATISFIABLE = 416
PARTIAL = 206

#: Told how many bytes there are so far, and how many there will be (0 when the server does not say).
Progress = Callable[[int, int], None]


class FetchError(RuntimeError):
    """A download that did not end well; the message says which address and what to do."""


def fetch(url: str, target: Path, *, sha256: str = "", progress: Progress = lambda _done, _all: None) -> Path:
    """Download `url` to `target` and return it; a part that an earlier attempt left is gone on with.

    Nothing is asked for when `target` is there with the right checksum.

    Raises:
        FetchError: no answer, an error status, a file that ends early, or a wrong checksum (then the part is deleted).
    """
    if not url.startswith(("https://", "http://")):
        raise FetchError(f"{url}: not a web address")
    if sha256 and target.is_file() and digest(target) == sha256:
        return target
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    _download(url, part, progress)
    if sha256 and (found := digest(part)) != sha256:
        part.unlink()
        raise FetchError(
            f"{url}: SHA-256 is {found}, published is {sha256}; what came is not the set, nothing was kept"
        )
    rename_over(part, target)
    return target


def _download(url: str, part: Path, progress: Progress) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url)  # noqa: S310 (checked above)
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 (the same)
            resumed = answer.status == PARTIAL
            have = have if resumed else 0
            whole = have + int(answer.headers.get("Content-Length") or 0)
            with part.open("ab" if resumed else "wb") as file:
                while chunk := answer.read(CHUNK):
                    file.write(chunk)
                    have += len(chunk)
                    progress(have, whole)
    except urllib.error.HTTPError as error:
        with error:
            # The server has no byte beyond what is there: the part was whole already, or is of another file.
            if error.code == RANGE_NOT_SATISFIABLE and have:
                whole_size = (error.headers.get("Content-Range") or "").rpartition("/")[2]
                if whole_size in ("", "*", str(have)):
                    return
                part.unlink()
                _download(url, part, progress)
                return
        raise FetchError(f"{url}: the server answers {error.code}; give another address with --url") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FetchError(f"{url}: {getattr(error, 'reason', error)}; run the command again to go on") from error
    if whole and have < whole:
        raise FetchError(f"{url}: ended after {have} of {whole} bytes; run the command again to go on")


def digest(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
