"""Finds the files that a shell command would overwrite or take away: by `>`, and by the commands of `guarddeeds`.

A scanner for the common case, no shell: what it cannot read (variables, substitutions) it says nothing about. Globs and
folders stand for the notes that are known.
"""

from __future__ import annotations

import sys

from ladder.hook.guard.commands import GUARDDEEDS_GLOBS, guard_deeds, guard_glob_base, guard_glob_fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class GuardNotes(Protocol):
        """The notes that are known."""

        def below(self, folder: str) -> Sequence[str]:
            """Return the absolute paths of the notes in a folder and the folders in it."""

        def holds(self, path: str) -> bool:
            """Say whether a path lies in a folder of notes."""

        def unkept(self, folder: str, *, tracked: bool, top: bool) -> Sequence[str]:
            """Return the notes in a folder (with `top`: in its git work tree) that git does not keep as they are.

            With `tracked` those that it knows in another state, else those that it does not know.
            """


GUARDSHELL_WINDOWS = sys.platform == "win32"
#: Words that may stand before the name of a command, with the letters of their options that take an argument.
_BEFORE = {
    **dict.fromkeys(("command", "nohup", "setsid", "if", "elif", "while", "until", "!", "busybox"), ""),
    "sudo": "ugpCDhRrtT",
    "doas": "uC",
    "env": "uC",
    "time": "fo",
    "exec": "a",
    "nice": "n",
    "ionice": "cnp",
    "timeout": "sk",
    "stdbuf": "ioe",
}
#: Shells whose `-c` is a command, and how many of them are looked into, one in another.
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "ash", "fish")
_NESTED = 4
#: Characters of a folder that `cd` leads to; where a command goes deeper, it cannot be told where that is.
_DEEPEST = 4096
_ENDS = (";", "|", "&", "&&", "||", "\n", "(", ")", "{", "}", "|&", "then", "do", "else")


def guard_shell_writes(
    command: str, cwd: str, notes: GuardNotes | None = None, nested: int = 0
) -> list[tuple[str, str, str]]:
    """(absolute path, the text it then has, the command) of each file that would be written or taken away.

    The text is that of a here-document where `cat` writes one, else empty, as the file is at first; of what only adds
    (`>>`, `tee -a`) it says nothing. `notes` are asked what a glob or a folder stands for; without them neither is
    looked into.
    """
    found: dict[tuple[str, str, str], None] = {}  # a command may name the same file ten thousand times
    looked_at: set[tuple[str | None, str, str, bool, str]] = set()
    words: list[str] = []
    targets: list[tuple[str, str]] = []
    bodies: list[str] = []
    here: str | None = cwd  # None: a folder that cannot be told
    above: list[str | None] = []  # of the subshells around
    for kind, value in [*_tokens(command), ("op", "\n")]:
        if kind == "body":
            bodies.append(value)
        elif kind in ("to", "add"):
            targets.append((value, "redirection" if kind == "to" else ">>"))
        elif kind == "word":
            words.append(value)
        else:
            words = _bare(words)
            name = words[0].rpartition("/")[2].lower() if words else ""
            text = bodies[-1] if bodies and name == "cat" and len(words) == 1 else ""
            for target, how in targets:
                for path in _reached(here, target, notes, whole=False):
                    found[path, text, how] = None
            if nested < _NESTED:
                for inner in _commands_in(name, words, bodies):
                    found.update(dict.fromkeys(guard_shell_writes(inner, here or "", notes, nested + 1)))
            for verb, operand, whole, goal in guard_deeds(words, bodies) if name else ():
                deed = (here, verb, operand, whole, goal)
                if deed in looked_at:
                    continue
                looked_at.add(deed)
                if goal and notes is not None and any(map(notes.holds, _reached(here, goal, None, whole=False))):
                    continue  # what moves within the notes keeps its entries under its new name
                if goal and not _reached(here, goal, None, whole=False):
                    continue
                if operand[:1] == ":":
                    folder = guard_join(here or "", "." if operand == ":/" else operand[1:])
                    if here is not None and notes is not None:
                        tracked = verb != "git clean"
                        for path in notes.unkept(folder, tracked=tracked, top=operand == ":/"):
                            found[path, "", verb] = None
                    continue
                for path in _reached(here, operand, notes, whole=whole):
                    found[path, "", verb] = None
            if name in ("cd", "set-location", "pushd", "popd"):
                folders = [w for w in words[1:] if w not in ("--", "-P", "-L", "-Path")]
                here = (
                    guard_join(here or "", folders[0])
                    if folders and folders[0] not in ("", "-") and (here is not None or _absolute(folders[0]))
                    else None
                )
                if here is not None and len(here) > _DEEPEST:
                    here = None
            if value == "(":
                above.append(here)
            elif value == ")" and above:
                here = above.pop()
            words, targets, bodies = [], [], []
    return list(found)


def _bare(words: list[str]) -> list[str]:
    """A command without what may stand before it: assignments, `sudo -u x`, `timeout -k 1 5`."""
    first = 0
    while first + 1 < len(words):
        name = words[first].rpartition("/")[2]
        if _assigns(words[first]):
            first += 1
            continue
        takes = _BEFORE.get(name)
        if takes is None:
            break
        first += 1
        while first + 1 < len(words) and words[first][:1] == "-":
            first += 2 if len(words[first]) == 2 and words[first][1] in takes else 1
        if name == "timeout" and first + 1 < len(words):
            first += 1  # how long
    return words[first:]


def _commands_in(name: str, words: list[str], bodies: list[str]) -> list[str]:
    """The commands that a shell or `eval` is handed as a text."""
    if name == "eval":
        return [" ".join(words[1:])]
    if name not in _SHELLS:
        return []
    found = [
        code
        for flag, code in zip(words, words[1:])  # noqa: B905, RUF007 (itertools is one import more)
        if flag[:1] == "-" and flag[1:2] != "-" and flag.endswith("c")
    ]
    return found or ([] if [w for w in words[1:] if w[:1] != "-"] else bodies)


def _reached(cwd: str | None, operand: str, notes: GuardNotes | None, *, whole: bool) -> list[str]:
    """The absolute paths that an argument stands for; none where that cannot be told."""
    if not operand or (cwd is None and not _absolute(operand)):
        return []
    path = guard_join(cwd or "", operand)
    base = guard_glob_base(path)
    if base is not None:
        known = notes.below(base) if notes is not None else ()
        return [note for note in known if guard_glob_fits(path, note, whole=whole)]
    if whole and notes is not None and not path.lower().endswith(".md"):
        return list(notes.below(path))
    return [path]


def _absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:2] == ":"


def _assigns(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.isidentifier()


def _tokens(command: str) -> list[tuple[str, str]]:
    """(kind, text): word, op, to (the target of `>`), add (that of `>>`), body (of a here-document)."""
    tokens: list[tuple[str, str]] = []
    waiting: list[tuple[str, bool]] = []  # here-documents whose bodies come after this line
    parts: list[str] = []  # of the word: adding to a text of 128 kB copies it
    begun, plain = False, True
    to = ""  # "" | "to" | "add" | "skip": what the next word is for
    at, size = 0, len(command)

    def finish() -> None:
        nonlocal begun, plain, to
        if begun:
            word = "".join(parts)
            if to == "here":
                waiting.append((word.lstrip("-") if word.startswith("-") and plain else word, word.startswith("-")))
            elif to in ("to", "add"):
                tokens.append((to, word if plain else ""))
            elif to != "skip":
                kind = "op" if word in _ENDS and plain else "word"
                tokens.append((kind, word if plain else ""))
            to = ""
        parts.clear()
        begun, plain = False, True

    while at < size:
        c = command[at]
        if c == "\\" and at + 1 < size:
            if command[at + 1] != "\n":
                parts.append(command[at + 1])
                begun = True
            at += 2
        elif c == "'":
            end = command.find("'", at + 1)
            end = size if end < 0 else end
            parts.append(command[at + 1 : end])
            begun, at = True, end + 1
        elif c == '"':
            at += 1
            begun = True
            while at < size and command[at] != '"':
                if command[at] == "\\" and command[at + 1 : at + 2] in ('"', "\\", "$", "`"):
                    at += 1
                elif command[at] in "$`":
                    plain = False
                parts.append(command[at : at + 1])
                at += 1
            at += 1
        elif c in " \t":
            finish()
            at += 1
        elif c == "#" and not begun:
            end = command.find("\n", at)
            at = size if end < 0 else end
        elif c == "\n":
            finish()
            at += 1
            for delimiter, tabs in waiting:
                body, at = _body(command, at, delimiter, tabs=tabs)
                tokens.append(("body", body))
            waiting.clear()
            tokens.append(("op", "\n"))
        elif c == ">" or (c == "&" and command[at + 1 : at + 2] == ">"):
            if begun and "".join(parts).isdigit():
                parts.clear()
                begun = False
            finish()
            at += 2 if c == "&" else 1
            if command[at : at + 1] in (">", "&"):
                at, to = at + 1, "add" if command[at] == ">" else "skip"
            else:
                at, to = at + (command[at : at + 1] == "|"), "to"
        elif command.startswith("<<<", at):
            finish()
            at, to = at + 3, "skip"
        elif command.startswith("<<", at):
            finish()
            at, to = at + 2, "here"
            if command[at : at + 1] == "-":
                parts.append("-")
                at, begun = at + 1, True
                while command[at : at + 1] in (" ", "\t"):
                    at += 1
        elif c == "<":
            finish()
            at, to = at + 1, "skip"
        elif c in ";|&()":
            finish()
            tokens.append(("op", c))
            at += 1
        else:
            if c in "$`" or (c == "~" and not begun):
                plain = False
            parts.append(GUARDDEEDS_GLOBS.get(c, c))
            begun, at = True, at + 1
    finish()
    for delimiter, tabs in waiting:
        tokens.append(("body", _body(command, at, delimiter, tabs=tabs)[0]))
    return [t for t in tokens if t[0] not in ("to", "add") or t[1]]


def _body(command: str, at: int, delimiter: str, *, tabs: bool) -> tuple[str, int]:
    """A here-document's text, and the offset behind it."""
    lines: list[str] = []
    while at < len(command):
        end = command.find("\n", at)
        end = len(command) if end < 0 else end
        line = command[at:end].lstrip("\t") if tabs else command[at:end]
        at = end + 1
        if line == delimiter:
            break
        lines.append(line)
    return "".join(line + "\n" for line in lines), at


def guard_join(folder: str, path: str) -> str:
    """`path` seen from `folder`, absolute, with `/`, `.` and `..` taken out. Links are not looked at."""
    if GUARDSHELL_WINDOWS:
        path, folder = path.replace("\\", "/"), folder.replace("\\", "/")
        if path[:1] == "/" and path[1:2].isalpha() and path[2:3] == "/":  # Git Bash calls C:/x /c/x
            path = path[1].upper() + ":" + path[2:]
    if not path.startswith("/") and path[1:3] != ":/":
        path = folder.rstrip("/") + "/" + path if folder else path
    lead = "/" if path.startswith("/") else ""
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not lead:
            parts.append(part)
    return lead + "/".join(parts)
