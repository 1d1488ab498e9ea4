"""What a shell command does to the files it names: the table of commands, and how each one's arguments are read.

A command that is not in the table touches nothing, as far as the guard knows.
"""

from __future__ import annotations

#: A deed: the command as a denial calls it, the word that names the file, whether all below it goes too if it is a
#: folder, and where it is moved to ("" if it is not moved).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    GuardDeed = tuple[str, str, bool, str]

#: Unquoted `*`, `?` and `[`, as a word holds them; a quoted one stands for itself.
GUARDDEEDS_GLOBS = {"*": "\ue000", "?": "\ue001", "[": "\ue002"}
_GUARDDEEDS_STAR, _GUARDDEEDS_ONE, _GUARDDEEDS_SET = GUARDDEEDS_GLOBS.values()

#: Command -> what it does to its arguments.
_GUARDDEEDS = {
    **dict.fromkeys(("rm", "unlink", "shred", "truncate", "del", "remove-item"), "remove"),
    **dict.fromkeys(("clear-content", "set-content"), "remove"),
    **dict.fromkeys(("tee", "tee-object", "out-file", "sponge"), "fill"),
    **dict.fromkeys(("cp", "copy", "copy-item"), "copy"),
    **dict.fromkeys(("mv", "move", "move-item"), "move"),
    **dict.fromkeys(("sed", "gsed", "perl", "ruby"), "in place"),
    **dict.fromkeys(("python", "pypy", "node", "bun"), "code"),
    "dd": "of",
    "git": "git",
}
#: Letters after which the rest of a cluster of options is an argument.
_REST = {"sed": "efl", "gsed": "efl", "perl": "eEIMmFxVdDC", "ruby": "eIrFEKxCW"}
#: What stands before the name of a file in a program that empties or removes it; `open(` with a mode comes on top.
_CALLS = (
    "os.remove(",
    "os.unlink(",
    "writeFileSync(",
    "unlinkSync(",
    "rmSync(",
    "File.write(",
    "File.delete(",
    "Bun.write(",
    "os.rename(",
    "os.replace(",
    "os.truncate(",
    "shutil.move(",
)
_METHODS = (").write_text(", ").write_bytes(", ").unlink(", ").rename(", ").replace(")

#: Verbs whose deed only adds to a file: a history may grow, but nothing is written through a link out of the notes.
GUARDDEEDS_ADDING = (">>", "tee -a")


def guard_deeds(words: list[str], bodies: Sequence[str] = ()) -> list[GuardDeed]:
    """Return the deeds of one command, its name first; a word that cannot be read is "".

    `bodies` are its here-documents. An operand that begins with `:` stands for a whole tree, `:/` for that of git:
    there only what git does not keep is lost.
    """
    name = words[0].rpartition("/")[2].lower()
    bare = name.rstrip("0123456789.")
    name = bare if bare in ("python", "pypy") else name  # python3.12
    kind = _GUARDDEEDS.get(name)
    if kind is None:
        return []
    if kind == "git":
        return _git(words)
    options, files = _split(words)
    if kind == "remove":
        return [(name, f, _whole(options), "") for f in files]
    if kind == "fill":
        adds = any(o.lower() in ("-a", "--append", "-append") for o in options)
        return [("tee -a" if adds else name, f, False, "") for f in files]
    if kind == "of":
        return [(name, f[3:], False, "") for f in files if f.startswith("of=")]
    if kind in ("copy", "move"):
        return _moved(name, options, files, away=kind == "move")
    found = []
    if kind == "in place" and any(_in_place(name, o) for o in options):
        found = [(name + " -i", f, False, "") for f in files]
    if name in ("sed", "gsed"):
        return found
    programs = [
        (f"{name} {flag}", code)
        for flag, code in zip(words, words[1:])  # noqa: B905, RUF007 (itertools is one import more)
        if flag in ("-c", "-e")
    ]
    if not files or files[0] == "-":
        programs += [(f"{name} - <<", body) for body in bodies]
    return found + [(verb, path, whole, "") for verb, code in programs for path, whole in _code(code)]


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Options and other arguments of a command; behind `--` there are no options."""
    end = words.index("--") if "--" in words else len(words)
    options = [w for w in words[1:end] if w.startswith("-")]
    return options, [w for w in words[1:end] if not w.startswith("-")] + words[end + 1 :]


def _whole(options: list[str]) -> bool:
    """Whether `rm` or `Remove-Item` takes folders."""
    return any(
        o.lower() in ("--recursive", "-recurse") or ("r" in o.lower() and not o.lower().strip("-rfvid"))
        for o in options
    )


def _in_place(name: str, option: str) -> bool:
    """Whether an option of sed, perl or ruby, maybe one of a cluster, has the files themselves edited."""
    if option.startswith("--"):
        return option.partition("=")[0] == "--in-place"
    for letter in option[1:]:
        if letter == "i" or (letter == "I" and name in ("sed", "gsed")):
            return True
        if letter in _REST[name]:
            return False
    return False


def _moved(name: str, options: list[str], files: list[str], *, away: bool) -> list[GuardDeed]:
    """What `mv` and `cp` land on, and what `mv` takes away."""
    folders = [o.partition("=")[2] for o in options if o.startswith("--target-directory=")]
    if "-t" in options:
        folders, files = files[:1], files[1:]  # only where -t comes before the files, as it does
    if not folders:
        folders, files = files[-1:], files[:-1]
    if not folders or not folders[0] or not files:
        return []
    goal = folders[0]
    found = [(name, goal, False, "")]
    for file in files:
        # The goal may be a folder or not; of the two only the one that exists is looked at.
        base = file.rstrip("/").rpartition("/")[2]
        if base and not any(mark in base for mark in GUARDDEEDS_GLOBS.values()):
            found.append((name, goal.rstrip("/") + "/" + base, False, ""))
        if away:
            found.append((name, file, True, goal))
    return found


def _git(words: list[str]) -> list[GuardDeed]:
    """The deeds of `git rm`, `mv`, `checkout`, `restore`, `clean`, `reset --hard` and `switch --discard-changes`.

    All but the first two may drop what is not committed. `git stash` keeps what it takes away.
    """
    at, folder = 1, ""
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-C":
            folder = words[at + 1] if at + 1 < len(words) else ""
            if not folder:
                return []
            folder = folder.rstrip("/") + "/"
        at += 2 if words[at] in ("-C", "-c") else 1
    rest = words[at:]
    if not rest:
        return []
    verb = rest[0]
    options, files = _split(rest)
    # A bare `.` is most often the whole project: it names no note.
    trees = [":/" if f == ":/" else ":" + (folder or ".") for f in files if f in (".", "./", ":/")]
    files = [f if f.startswith("/") else folder + f for f in files if f and f not in (".", "./", ":/")]
    short = "".join(o for o in options if not o.startswith("--"))
    if verb == "mv":
        return _moved("git mv", options, files, away=True)
    if verb == "rm":
        skipped = "--cached" in options or "n" in short or "--dry-run" in options
        whole = "r" in short
    elif verb == "checkout":
        skipped = any(letter in short for letter in "bBtp") or "--orphan" in options or "--detach" in options
        whole = True
        if ("f" in short or "--force" in options) and not trees and not files[1:]:
            files, trees = [], [":/"]  # of another branch: what it names is no path
    elif verb in ("reset", "switch"):
        drops = ("--hard", "--merge") if verb == "reset" else ("--discard-changes", "--force", "-f")
        skipped = not any(o in drops for o in options)
        files, trees, whole = [], [":/"], True
    elif verb == "restore":
        skipped = ("--staged" in options or "S" in short) and "--worktree" not in options and "W" not in short
        whole = True
    elif verb == "clean":
        skipped = "n" in short or "--dry-run" in options or not ("f" in short or "--force" in options)
        whole = True
        # Without a path it takes what git does not know; what git passes over, as most private notes, only with -x.
        trees = [":" + (folder or ".")] if not files and ("x" in short.lower() or trees) else []
    else:
        return []
    return [] if skipped else [(f"git {verb}", f, whole, "") for f in [*files, *trees]]


def _code(code: str) -> list[tuple[str, bool]]:
    """The files that a program empties or removes, by a name spelled out in the call or given to a variable before."""
    found: list[tuple[str, bool]] = []
    plain = code.replace(" ", "").replace('"', "'")
    at = 0
    while at < len(code):
        quote = code[at]
        at += 1
        if quote not in "'\"":
            continue
        end = code.find(quote, at)
        if end < 0:
            break
        text, after = code[at:end], code[end + 1 : end + 40].replace(" ", "")
        before = code[max(0, at - 40) : at - 1].rstrip()
        at = end + 1
        mode = after.removeprefix(",").removeprefix("mode=")
        named = before.removesuffix("Path(").rstrip().removesuffix("pathlib.").rstrip()
        if named.endswith("=") and "." in text:
            variable = named[:-1].rstrip().rpartition(" ")[2].rpartition("\n")[2].rpartition(";")[2]
            if variable.isidentifier() and _written(plain, variable):
                found.append((text, False))
        if before.endswith("rmtree("):
            found.append((text, True))
        elif before.endswith("open("):
            if after.startswith(",") and mode[:1] in ("'", '"') and mode[1:2] == "w":
                found.append((text, False))
        elif before.endswith(_CALLS) or (before.endswith("Path(") and after.startswith(_METHODS)):
            found.append((text, False))
    return found


def _written(code: str, variable: str) -> bool:
    """Whether a program (no blanks, one kind of quotes) writes or removes the file that a variable names."""
    calls = (f"open({variable},'w", f"open({variable},mode='w", f"rmtree({variable})")
    methods = [f"{variable}{method[1:]}" for method in _METHODS] + [f"{variable}.open('w"]
    taken = [f"{call}{variable}{end}" for call in _CALLS for end in (",", ")")]
    return any(text in code for text in (*calls, *taken)) or any(
        at >= 0 and not (code[at - 1 : at].isalnum() or code[at - 1 : at] in ("_", "."))
        for at in (code.find(text) for text in methods)
    )


def guard_glob_base(pattern: str) -> str | None:
    """The folder above the first part of a path that holds a glob; None when none does."""
    cuts = [at for at in (pattern.find(mark) for mark in GUARDDEEDS_GLOBS.values()) if at >= 0]
    return (pattern[: min(cuts)].rpartition("/")[0] or "/") if cuts else None


def guard_glob_fits(pattern: str, path: str, *, whole: bool) -> bool:
    """Whether a path, or when `whole` a folder above it, is one that the shell makes of a pattern."""
    wanted, parts = pattern.split("/"), path.split("/")
    if len(wanted) != len(parts) and not (whole and len(wanted) < len(parts)):
        return False
    return all(
        _part(w, p) and (p[:1] != "." or w[:1] == ".")
        for w, p in zip(wanted, parts)  # noqa: B905 (the path may be longer)
    )


def _part(wanted: str, part: str) -> bool:
    """Whether one part of a path fits one part of a pattern; all places in it that the pattern can reach are kept."""
    places = {0}
    at = 0
    while at < len(wanted) and places:
        mark = wanted[at]
        at += 1
        if mark == _GUARDDEEDS_STAR:
            places = set(range(min(places), len(part) + 1))
            continue
        chosen = mark
        other = mark == _GUARDDEEDS_ONE  # any character is one that is not among none
        if other:
            chosen = ""
        elif mark == _GUARDDEEDS_SET:
            chosen = "["
            end = wanted.find("]", at + 1)
            if end > 0:
                chosen, at = wanted[at:end], end + 1
                other = chosen[0] in "!^"
                chosen = chosen[1:] if other else chosen
        places = {p + 1 for p in places if p < len(part) and _among(chosen, part[p]) != other}
    return len(part) in places


def _among(chosen: str, letter: str) -> bool:
    """Whether a letter is one of a set, in which `a-d` is a range."""
    return letter in chosen or any(
        chosen[at + 1] == "-" and chosen[at] <= letter <= chosen[at + 2] for at in range(len(chosen) - 2)
    )
