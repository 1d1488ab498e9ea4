"""Globs over posix paths: `*` and `?` stay in one name, `**` spans folders, `{a,b}` is either, `[…]` a set."""

import re
from collections.abc import Callable
from functools import lru_cache


def matcher(globs: tuple[str, ...]) -> Callable[[str], bool]:
    """A function that says whether a posix path matches one of `globs`."""
    if globs == ("**/*.md",):
        return lambda path: path.endswith((".md", ".MD"))
    patterns = [_pattern(g) for g in globs]
    return lambda path: any(p.fullmatch(path) for p in patterns)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    glob = glob.replace("\\", "/").removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    out, at = "", 0
    while at < len(glob):
        c = glob[at]
        if glob.startswith("**/", at):
            out, at = out + "(?:[^/]+/)*", at + 3
        elif glob.startswith("**", at):
            out, at = out + ".*", at + 2
        elif c == "*":
            out, at = out + "[^/]*", at + 1
        elif c == "?":
            out, at = out + "[^/]", at + 1
        elif c == "[" and (end := glob.find("]", at + 2)) > 0:
            inner = glob[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out, at = out + "[" + ("^" + inner[1:] if inner[0] == "!" else inner.replace("^", "\\^", 1)) + "]", end + 1
        elif c == "{" and (end := glob.find("}", at)) > 0:
            out, at = out + "(?:" + "|".join(re.escape(p) for p in glob[at + 1 : end].split(",")) + ")", end + 1
        else:
            out, at = out + re.escape(c), at + 1
    # A glob that names a folder takes what is in it.
    return re.compile(out + r"(?:/.*)?" if not glob.endswith("*") and "." not in glob.rpartition("/")[2] else out)
