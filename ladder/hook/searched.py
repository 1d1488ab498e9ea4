"""What a tool's call searches files for: the words of a pattern, as they can be looked for in notes.

rg -n "commit_files|gist_url" src   ->  commit_files gist_url
"""

from __future__ import annotations

from ladder.client.contract import SEARCH_TOOLS, SHELL_TOOLS
from ladder.speaking.mentions import without_documents

#: Programs that search files, and those of their options that take a word of their own; `-e` takes the pattern.
_PROGRAMS = frozenset(("grep", "egrep", "fgrep", "rg", "ag"))
_WITH_WORD = frozenset(
    (
        *("-A", "-B", "-C", "-m", "-g", "-t", "-T", "-f", "-d", "--include", "--exclude", "--exclude-dir", "--glob"),
        *("--type", "--iglob", "--max-count", "--context", "--after-context", "--before-context"),
    )
)
_PATTERN = frozenset(("-e", "--regexp"))
#: What ends a command, of the shell's words.
_ENDS = frozenset(("|", "||", "&&", ";", "&", "\n"))
#: Signs of regular expressions that part words; a letter behind a backslash is a class.
_SIGNS = "^$*+?()[]{}|.\\\"'"
_CLASSES = "bBsSwWdDnt"
#: Characters of a command or pattern that are looked at.
_LONGEST = 4_000


def searched(tool: str, given: dict[str, object]) -> str:
    """Return the words that a call searches files for, "" when it searches for none."""
    if tool in SEARCH_TOOLS:
        pattern = given.get("pattern")
        return plain_words(pattern[:_LONGEST]) if isinstance(pattern, str) else ""
    command = given.get("command")
    if tool not in SHELL_TOOLS or not isinstance(command, str):
        return ""
    return " ".join([plain_words(pattern) for pattern in patterns(without_documents(command[:_LONGEST]))]).strip()


def patterns(command: str) -> list[str]:
    """Return what a shell command searches files for: not what it filters another program's output by."""
    words = shell_words(command)
    found: list[str] = []
    at = 0
    while at < len(words):
        word = words[at].rpartition("/")[2]
        filters = words[max(0, at - 2) : at][-1:] == ["|"] and words[at - 2 : at] != ["|", "|"]
        at += 1
        if word not in _PROGRAMS:
            continue
        while at < len(words) and words[at] not in _ENDS:
            word = words[at]
            at += 1
            if word in _PATTERN and at < len(words):
                word = words[at]
            elif word.startswith("-"):
                at += word in _WITH_WORD
                continue
            if not filters:
                found.append(word)
            break
    return found


def shell_words(command: str) -> list[str]:
    """Cut a command into words as a shell does, quotes taken off; `|`, `;` and `&` outside of them part words."""
    words: list[str] = []
    word = quote = ""
    inside = False
    n = len(command)
    at = 0
    while at < n:
        char = command[at]
        at += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and command[at : at + 1] in ('"', "\\", "$", "`"):
                word += command[at]
                at += 1
            else:
                word += char
        elif char in "'\"":
            quote, inside = char, True
        elif char == "\\" and at < n:
            word, inside = word + command[at], True
            at += 1
        elif char in " \t\n|;&":
            if inside or word:
                words.append(word)
            word, inside = "", False
            if char not in " \t":
                words.append(char)
        else:
            word += char
    if inside or word:
        words.append(word)
    return words


def plain_words(pattern: str) -> str:
    """Return a regular expression without its signs, words parted by spaces."""
    kept: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "\\" and pattern[at : at + 1] and pattern[at] in _CLASSES:
            at += 1
            kept.append(" ")
        else:
            kept.append(" " if char in _SIGNS else char)
    return " ".join("".join(kept).split())
