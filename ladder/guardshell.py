"""Finds the files that a shell command would overwrite: `>`, `tee`, `cp`, `mv`, `rm`, `truncate`, `dd of=` and so on.

A scanner for the common case, no shell: what it cannot read (variables, globs, substitutions) it says nothing about.
"""

from __future__ import annotations

import sys

GUARDSHELL_WINDOWS = sys.platform == "win32"
#: PowerShell's commands that overwrite or remove the files they name; what else they are given is no note's path.
_GUARDSHELL_CMDLETS = ("del", "remove-item", "clear-content", "set-content")
_GUARDSHELL_ENDS = (";", "|", "&", "&&", "||", "\n", "(", ")", "{", "}", "|&", "then", "do", "else")


def guard_shell_writes(command: str, cwd: str) -> list[tuple[str, str, str]]:
    """(absolute path, the text it then has, the command) of each file that would be overwritten.

    The text is that of a here-document where `cat` writes one, else empty, as the file is at first. `>>` only adds, and
    is not listed.
    """
    found: list[tuple[str, str, str]] = []
    words: list[str] = []
    targets: list[str] = []
    bodies: list[str] = []
    for token in [*_guardshell_tokens(command), ("op", "\n")]:
        kind, value = token
        if kind == "body":
            bodies.append(value)
        elif kind == "to":
            targets.append(value)
        elif kind == "word":
            words.append(value)
        else:
            name = words[0].rpartition("/")[2].lower() if words else ""
            if name in ("sudo", "command", "env", "time", "nohup") and len(words) > 1:
                words = words[1:]
                name = words[0].rpartition("/")[2].lower()
            if name in ("cd", "set-location") and len(words) > 1:
                cwd = guard_join(cwd, words[1])
            text = bodies[-1] if bodies and name == "cat" and len(words) == 1 else ""
            found.extend((guard_join(cwd, t), text, "redirection") for t in targets)
            found.extend((guard_join(cwd, t), "", name) for t in _guardshell_named(name, words))
            words, targets, bodies = [], [], []
    return found


def _guardshell_named(name: str, words: list[str]) -> list[str]:
    """The files that a command by its own arguments overwrites or removes."""
    options = [w for w in words[1:] if w.startswith("-")]
    files = [w for w in words[1:] if not w.startswith("-")]
    if name in ("tee", "tee-object", "out-file"):
        return [] if any(o.lower() in ("-a", "--append", "-append") for o in options) else files
    if name in ("rm", "unlink", "shred", *_GUARDSHELL_CMDLETS):
        return files
    if name == "truncate":
        return files[-1:]
    if name == "dd":
        return [f[3:] for f in files if f.startswith("of=")]
    if name in ("cp", "copy", "copy-item") and len(files) > 1:
        return files[-1:]
    if name in ("mv", "move", "move-item") and len(files) > 1:
        # What is moved away keeps its entries under its new name; what it lands on loses them.
        return files[-1:]
    return []


def _guardshell_tokens(command: str) -> list[tuple[str, str]]:
    """(kind, text): word, op, to (the target of `>`), body (of a here-document)."""
    tokens: list[tuple[str, str]] = []
    waiting: list[tuple[str, bool]] = []  # here-documents whose bodies come after this line
    word, begun, plain = "", False, True
    to = ""  # "" | "to" | "skip": what the next word is for
    at, size = 0, len(command)

    def finish() -> None:
        nonlocal word, begun, plain, to
        if begun:
            if to == "here":
                waiting.append((word.lstrip("-") if word.startswith("-") and plain else word, word.startswith("-")))
            elif to == "to":
                tokens.append(("to", word if plain else ""))
            elif to != "skip":
                kind = "op" if word in _GUARDSHELL_ENDS and plain else "word"
                tokens.append((kind, word if plain else ""))
            to = ""
        word, begun, plain = "", False, True

    while at < size:
        c = command[at]
        if c == "\\" and at + 1 < size:
            if command[at + 1] != "\n":
                word, begun = word + command[at + 1], True
            at += 2
        elif c == "'":
            end = command.find("'", at + 1)
            end = size if end < 0 else end
            word, begun, at = word + command[at + 1 : end], True, end + 1
        elif c == '"':
            at += 1
            begun = True
            while at < size and command[at] != '"':
                if command[at] == "\\" and command[at + 1 : at + 2] in ('"', "\\", "$", "`"):
                    at += 1
                elif command[at] in "$`":
                    plain = False
                word += command[at : at + 1]
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
                body, at = _guardshell_body(command, at, delimiter, tabs=tabs)
                tokens.append(("body", body))
            waiting.clear()
            tokens.append(("op", "\n"))
        elif c == ">" or (c == "&" and command[at + 1 : at + 2] == ">"):
            if begun and word.isdigit():
                word, begun = "", False
            finish()
            at += 2 if c == "&" else 1
            if command[at : at + 1] in (">", "&"):
                at, to = at + 1, "skip"
            else:
                at, to = at + (command[at : at + 1] == "|"), "to"
        elif command.startswith("<<<", at):
            finish()
            at, to = at + 3, "skip"
        elif command.startswith("<<", at):
            finish()
            at, to = at + 2, "here"
            if command[at : at + 1] == "-":
                at, word, begun = at + 1, "-", True
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
            if c in "$`*?~" and not (c == "~" and begun):
                plain = False
            word, begun, at = word + c, True, at + 1
    finish()
    for delimiter, tabs in waiting:
        tokens.append(("body", _guardshell_body(command, at, delimiter, tabs=tabs)[0]))
    return [t for t in tokens if t[0] != "to" or t[1]]


def _guardshell_body(command: str, at: int, delimiter: str, *, tabs: bool) -> tuple[str, int]:
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
