"""What a patch in the form of `apply_patch` does to the files that it names: Codex and others edit files with it alone.

*** Begin Patch
*** Update File: notes/deploy.md        (or Add File, Delete File; behind Update perhaps *** Move to: PATH)
@@ a line that stands before
a line that stays
-a line that goes
+a line that comes
*** End Patch
"""

from __future__ import annotations

from ladder.hook.guard.shell import guard_join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    #: (lines that stand before, lines that go or stay, lines that come or stay)
    GuardHunk = tuple[list[str], list[str], list[str]]

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "


def guard_patches(text: str) -> list[str]:
    """Return the patches in a text, a shell command for one, each from its first line to its last."""
    found = []
    at = text.find(_BEGIN)
    while at >= 0:
        end = text.find(_END, at)
        found.append(text[at : end if end >= 0 else len(text)])
        at = text.find(_BEGIN, at + 1)
    return found


def guard_patched(text: str, cwd: str) -> list[tuple[str, Callable[[str], str | None]]]:
    """Return (absolute path, what becomes of the file's text) of each file that a patch writes or takes away.

    What becomes of a text is None where the patch does not fit it: then the tool refuses.
    """
    found: list[tuple[str, Callable[[str], str | None]]] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        mark = next((mark for mark in (_ADD, _DELETE, _UPDATE) if line.startswith(mark)), "")
        if not mark:
            continue
        start = at
        while at < len(lines) and not lines[at].lstrip().startswith((_ADD, _DELETE, _UPDATE, _END)):
            at += 1
        path, body = guard_join(cwd, line.removeprefix(mark).strip()), lines[start:at]
        if mark == _DELETE:
            found.append((path, _becomes("")))
        elif mark == _ADD:
            found.append((path, _becomes("\n".join([each[1:] for each in body if each[:1] == "+"]) + "\n")))
        else:
            if body and body[0].strip().startswith(_MOVE):
                found.append((guard_join(cwd, body.pop(0).strip().removeprefix(_MOVE).strip()), _becomes("")))
            found.append((path, _edited(_hunks(body))))
    return found


def _becomes(text: str) -> Callable[[str], str | None]:
    return lambda _old: text


def _hunks(body: list[str]) -> list[GuardHunk]:
    found: list[GuardHunk] = [([], [], [])]
    for line in body:
        above, old, new = found[-1]
        if line.startswith("@@"):
            if old or new:
                above, old, new = [], [], []
                found.append((above, old, new))
            if line[2:].strip():
                above.append(line[2:].strip())
        elif line.startswith("*** "):
            continue  # the end of the file
        elif line[:1] == "-":
            old.append(line[1:])
        elif line[:1] == "+":
            new.append(line[1:])
        else:
            old.append(line[1:])
            new.append(line[1:])
    return [hunk for hunk in found if hunk[1] or hunk[2]]


def _edited(hunks: list[GuardHunk]) -> Callable[[str], str | None]:
    """The hunks one after the other; None when one of them does not fit."""

    def change(text: str) -> str | None:
        lines = text.split("\n")
        at = 0
        for above, old, new in hunks:
            for line in above:
                place = _find(lines, [line], at)
                if place is None:
                    return None
                at = place + 1
            if not old:
                # Lines that come with nothing around them go to the end.
                end = len(lines) - 1 if lines[-1:] == [""] else len(lines)
                lines[end:end] = new
                continue
            goes, comes = old, new
            place = _find(lines, goes, at)
            while place is None and goes and not goes[-1].strip():
                # The patch ends with an empty line that the file, or the patch's own end, may not have.
                goes, comes = goes[:-1], comes[:-1] if comes and not comes[-1].strip() else comes
                place = _find(lines, goes, at) if goes else None
            if place is None:
                return None
            lines[place : place + len(goes)] = comes
            at = place + len(comes)
        return "\n".join(lines)

    return change


def _find(lines: list[str], wanted: list[str], start: int) -> int | None:
    """Where the lines stand together; blanks at their ends, then at both sides, need not be the same."""
    for bare in (str, str.rstrip, str.strip):
        have, sought = [bare(line) for line in lines], [bare(line) for line in wanted]
        for at in range(start, len(have) - len(sought) + 1):
            if have[at] == sought[0] and have[at : at + len(sought)] == sought:
                return at
    return None
