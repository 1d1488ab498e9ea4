"""What a shell command shows: which files' text its output is made of, and which files it writes.

Not a shell: enough of one to know `cd docs && sed -n 1,20p a.md | head` from `git commit -m "see a.md"`.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

NOTE_SUFFIXES = (".md", ".mdx", ".markdown")
"""Endings of the files that can be notes."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


READERS = _names(
    "cat head tail sed grep egrep fgrep rg ag less more bat batcat nl awk zcat gcat ghead gtail gsed ggrep "
    "get-content gc type select-string sls"
)
"""Commands whose output is lines of the files that they name."""

_KEEPING = _names("head tail grep egrep rg sort uniq cat less more tee select-object where-object out-string")
"""Commands that, further along a pipe, let lines through unchanged."""

_SILENT = _names("cd pushd popd export set shopt true source . unset alias local mkdir test [ sleep touch")
"""Commands that print nothing of their own."""

_SHOWING = _names("read answer map suggest")
"""Ladder's commands that print notes."""
_OPEN = frozenset("*?[{$")
"""What makes a word stand for files that it does not name."""
_SEARCHERS = _names("grep egrep fgrep rg ag select-string sls")
_NAMES_NOTE = re.compile(r"\.(?:md|markdown)", re.IGNORECASE)
_WHOLE_FOLDER = re.compile(r"/\*+(?![\w.*/-])")
"""A pattern for all files of a folder, notes among them."""
_SEARCHES_FOLDER = re.compile(r"\b(?:rg|ag)\b|\b(?:[ef]?grep|select-string|sls)\b[^\n]*[\s\"']-[a-z]*r", re.IGNORECASE)
_TOKEN = re.compile(
    r"""(?:[ \t\r]|\\\n)*(?:(?P<op>&&|\|\||;;|\|&|[;|&\n])|(?P<redirect>\d?>&[\d-]|\d?>>?\|?|&>>?|<<<|<<-?|<)|"""
    r"""(?P<word>(?:\\\n|\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|[^\s;|&<>'"\\])+|["'\\]))""",
    re.DOTALL,
)
_QUOTES = re.compile(r"""\\\n|\\([^A-Za-z0-9])|'([^']*)'|"((?:\\.|[^"\\])*)\"""", re.DOTALL)


class Shown(NamedTuple):
    """What the output of one command is made of."""

    paths: tuple[str, ...]
    """Note files that it names or that its patterns may name, as written, joined to a `cd` before."""
    sure: bool
    """All output is lines of `paths[0]`; else a line is only taken where it is found in a note word for word."""
    prefixed: bool
    """Lines may begin `path:12:`, as a search over several files prints them."""
    numbered: bool
    """Lines may begin with their number."""
    anywhere: bool = False
    """Lines may be of notes that the command does not name: those of a pattern, of a loop, of `find` and `xargs`."""


class _Command(NamedTuple):
    words: list[str]
    writes: list[str]
    reads: list[str]


def shown(command: str) -> Shown | None:
    """Return what a command's output shows of note files, None when it shows none."""
    if not any(form.search(command) for form in (_NAMES_NOTE, _SEARCHES_FOLDER, _WHOLE_FOLDER)):
        return None  # it need not be cut
    folder = ""
    paths: list[str] = []
    loud = 0
    sure = prefixed = numbered = anywhere = False
    for pipe in _pipes(command):
        name = _name(pipe[0])
        if name in ("cd", "pushd", "set-location") and len(pipe[0].words) > 1:
            folder = _joined(folder, pipe[0].words[1])
            continue
        if name in _SILENT or not name or pipe[0].writes:
            continue
        loud += 1
        if name == "git":
            shows = [word.split(":", 1)[1] for word in pipe[0].words[2:] if ":" in word and _is_note(word)]
            found = shows if pipe[0].words[1:2] == ["show"] else []
        elif name in READERS and not (name in ("sed", "gsed") and _in_place(pipe[0])):
            found = [word for word in _files(name, pipe[0]) + pipe[0].reads if _is_note(word)]
            if name in _SEARCHERS:
                prefixed, numbered = True, True
                recursive = name in ("rg", "ag") or any(
                    re.fullmatch(r"-[A-Za-z]*[rR][A-Za-z]*", w) for w in pipe[0].words
                )
                if recursive and not found:
                    paths.append("")  # any note that the output itself names
            elif name in ("cat", "nl", "bat", "batcat"):
                numbered = (
                    numbered or name != "cat" or any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*", w) for w in pipe[0].words)
                )
        else:
            found = []
        anywhere = anywhere or any(map(_reads_others, pipe))
        paths.extend(_joined(folder, path) for path in found)
        keeps = all(_name(part) in _KEEPING and not part.writes for part in pipe[1:])
        single = len(found) == 1 and not _OPEN.intersection(found[0])
        sure = loud == 1 and single and keeps and name not in ("awk", "git") and not _counts(pipe[0])
    if not paths and not anywhere:
        return None
    sure = sure and loud == 1 and len(paths) == 1
    return Shown(tuple(dict.fromkeys(paths)), sure, prefixed, numbered, anywhere)


def _reads_others(part: _Command) -> bool:
    """Tell whether a command shows files that it names by a pattern or a variable, or that another one finds."""
    name, words = _name(part), part.words
    if name in READERS:
        if name in ("sed", "gsed") and _in_place(part):
            return False
        return any(
            _OPEN.intersection(word) and (_is_note(word) or "$" in word or _WHOLE_FOLDER.search(word))
            for word in _files(name, part)
        )
    given = words[1:] if name == "xargs" else words[words.index("-exec") + 1 :] if "-exec" in words else []
    return any(word.rsplit("/", 1)[-1] in READERS for word in given) and "-i" not in given


def by_ladder(command: str) -> bool:
    """Tell whether a command is one of ladder's own that print notes: its output is what ladder handed over."""
    if "ladder" not in command:
        return False
    for pipe in _pipes(command):
        for part in pipe:
            for word, following in pairwise(part.words[:6]):  # `uvx ladder read`, `python -m ladder read`
                if (
                    word.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".exe") == "ladder"
                    and following in _SHOWING
                ):
                    return True
    return False


def written(command: str) -> tuple[str, ...]:
    """Return the note files that a command writes: by `>`, `>>`, tee, `sed -i`, Set-Content, mv, cp, rm and so on."""
    if not _NAMES_NOTE.search(command):
        return ()
    folder = ""
    found: list[str] = []
    for pipe in _pipes(command):
        for part in pipe:
            name, words = _name(part), part.words
            if name in ("cd", "pushd", "set-location") and len(words) > 1:
                folder = _joined(folder, words[1])
            targets = list(part.writes)
            if (name in ("sed", "gsed", "perl") and _in_place(part)) or name in (
                "tee", "mv", "cp", "rm", "set-content", "add-content", "out-file", "truncate",
            ):  # fmt: skip
                targets += words[1:]
            elif name == "git" and words[1:2] in (["mv"], ["rm"]):
                targets += words[2:]
            found.extend(_joined(folder, word) for word in targets if _is_note(word))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=64)  # what a command shows and what it writes are asked one after the other
def _pipes(command: str) -> list[list[_Command]]:
    """Cut a command line into pipelines of simple commands; here-documents are skipped."""
    pipes: list[list[_Command]] = [[_Command([], [], [])]]
    at, redirect, heredocs = 0, "", list[str]()
    while at < len(command):
        match = _TOKEN.match(command, at)
        if match is None:
            break
        at = match.end()
        current = pipes[-1][-1]
        if operator := match["op"]:
            redirect = ""
            if operator in ("|", "|&"):
                pipes[-1].append(_Command([], [], []))
                continue
            if operator == "\n":
                for word in heredocs:
                    closing = re.compile(rf"^[^\S\n]*{re.escape(word)}[^\S\n]*$", re.MULTILINE).search(command, at)
                    at = closing.end() if closing else len(command)
                heredocs = []
            if current.words or current.writes or len(pipes[-1]) > 1:
                pipes.append([_Command([], [], [])])
        elif match["redirect"]:
            redirect = "" if match["redirect"][-2:-1] == "&" else match["redirect"]  # 2>&1 names no file
        else:
            word = _unquoted(match["word"])
            if redirect.startswith("<<"):
                if redirect != "<<<":
                    heredocs.append(word)
            elif redirect.startswith("<"):
                current.reads.append(word)
            elif redirect and word != "/dev/null" and not word.startswith("&"):
                if not redirect.startswith("2"):
                    current.writes.append(word)
            elif redirect:
                pass
            else:
                current.words.append(word)
            redirect = ""
    return [pipe for pipe in pipes if pipe[0].words or pipe[0].writes]


def _unquoted(word: str) -> str:
    def plain(match: re.Match[str]) -> str:
        return next((group for group in match.groups() if group is not None), "")

    return _QUOTES.sub(plain, word)


def _name(part: _Command) -> str:
    for word in part.words:
        if "=" in word.split("/", 1)[0] and not word.startswith("-"):
            continue  # an assignment before the command
        if word in ("sudo", "command", "time", "then", "do", "else", "{", "(", "!"):
            continue
        return word.rsplit("/", 1)[-1].lower()
    return ""


def _files(name: str, part: _Command) -> list[str]:
    """Return the words that name files: not the options, and not the pattern or script that comes first."""
    words = [word for word in part.words[1:] if not word.startswith("-")]
    if name in ("sed", "gsed", "awk", "grep", "egrep", "fgrep", "rg", "ag", "ggrep") and not any(
        word in ("-e", "-f") for word in part.words
    ):
        return words[1:]
    return words


def _in_place(part: _Command) -> bool:
    return any(re.match(r"-[A-Za-z]*i|--in-place", word) for word in part.words[1:])


def _counts(part: _Command) -> bool:
    """Tell whether a search prints counts, names or bare matches and no lines; `sed` without -n may rewrite them."""
    name = _name(part)
    if name in _SEARCHERS:
        return any(re.fullmatch(r"-[A-Za-z]*[clLo][A-Za-z]*|--count|--files-with.*", word) for word in part.words)
    if name in ("sed", "gsed"):
        return not any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*", word) for word in part.words)
    return False


def _is_note(word: str) -> bool:
    return word.lower().rstrip("}*").endswith(NOTE_SUFFIXES) and "\n" not in word


def _joined(folder: str, path: str) -> str:
    if not folder or re.match(r"/|~|[A-Za-z]:[\\/]|\\", path):
        return path
    return f"{folder.rstrip('/')}/{path}"
