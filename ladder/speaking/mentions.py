"""Which notes mention the very file or command at hand, and say something about it.

A note counts only when it mentions the file by a path that fits, or two neighbouring words of the command word for
word, and when so few notes do that the mention means something. What a note says of a command must be more than the
command: agents run the commands that their notes list a hundred times, and learn nothing from being shown them.
"""

from __future__ import annotations

from ladder.lean.files import note_bytes
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.index.reader import Index, NoteRow

    Reader = Callable[[NoteRow, int, int], bytes]

#: Words of a command that more notes than MOST_NOTES hold, and a file that more than MOST_FOR_FILE mention, are no
#: particular note's business. The figures stand in decision 038.
MOST_NOTES = 3
MOST_FOR_FILE = 1
#: Mentions of one command that are returned.
MOST_MENTIONS = 4
#: Words of a command that are looked at, and characters in which they are looked for.
COMMAND_WORDS = 24
COMMAND_LONGEST = 20_000
#: A paragraph says something when it has SAID_LEAST words of SAID_WORD letters beside what it mentions.
SAID_LEAST = 6
SAID_WORD = 3
_EDGE = ".,:;!?()[]{}*_|#>-=\"'/"


class Mention:
    """A paragraph that mentions what is at hand: note and paragraph numbers, and the words it was found by."""

    __slots__ = ("note", "paragraph", "words")

    def __init__(self, note: int, paragraph: int, words: str) -> None:
        self.note = note
        self.paragraph = paragraph
        self.words = words


def mentions_of_file(index: Index, path: str, root: str, read: Reader = note_bytes) -> list[Mention]:
    """Return the paragraphs that mention a file, by the longest end of its path that any note holds.

    `read` gives bytes of a note, by default from its file.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    inside = [part for part in root.replace("\\", "/").split("/") if part]
    if parts[: len(inside)] == inside:
        parts = parts[len(inside) :]
    for first in range(max(0, len(parts) - 6), len(parts)):
        tail = "/".join(parts[first:])
        found = terms(tail)
        if not found:
            continue
        notes, _ = index.df(found[0])
        if notes > MOST_FOR_FILE:
            return []
        if notes:
            return _each(index, found[0], tail, parts[:first], read)
    return []


def mentions_of_command(index: Index, command: str, root: str, read: Reader = note_bytes) -> list[Mention]:
    """Return the paragraphs that hold two neighbouring words of a command, one of them rare, or a file it names."""
    words = [word.strip("\"'();&|") for word in without_documents(command).split(None, COMMAND_WORDS)[:COMMAND_WORDS]]
    found: list[Mention] = []
    for first, second in zip(words, words[1:]):  # noqa: B905, RUF007 (itertools is one import more)
        if "/" in first or not first or not second or first.startswith(("-", "$", ">", "<")):
            continue
        rare = [term for term in terms(f"{first} {second}") if 0 < index.df(term)[0] <= MOST_NOTES]
        if rare and len(second) > 2:
            found += _each(index, rare[0], f"{first} {second}", [], read, telling=True)
    for word in words:
        if "/" in word and "." in word.rpartition("/")[2] and "://" not in word:
            found += mentions_of_file(index, word, root, read)
    return found[:MOST_MENTIONS]


def without_documents(command: str) -> str:
    """Return a shell command without its here-documents: a commit's message is not what the call is about."""
    if "<<" not in command:
        return command
    kept = []
    tag = ""
    for line in command[:COMMAND_LONGEST].split("\n"):
        if tag:
            tag = "" if line.strip() == tag else tag
            continue
        before, _, behind = line.partition("<<")
        word = behind.lstrip("-~ ").partition(" ")[0]
        name = word.strip("'\"\\;)&|")
        if name[:1].isalpha():
            tag = name
            line = before + behind.partition(word)[2]  # noqa: PLW2901 (the rest of the line is the command's)
        kept.append(line)
    return "\n".join(kept)


def says_something(text: str, words: str) -> bool:
    """Whether a paragraph says anything beside `words`: comments, code, and a usage line do not."""
    text = text.strip()
    if text[:3] in ("```", "~~~"):
        return False
    while (begin := text.find("<!--")) >= 0:
        end = text.find("-->", begin)
        text = text[:begin] + (text[end + 3 :] if end >= 0 else "")
    prose = " ".join(text.replace(words, " ").split("`")[::2])  # every second piece stands in backticks
    count = 0
    for word in prose.split():
        word = word.strip(_EDGE)  # noqa: PLW2901 (the word without its marks)
        count += len(word) >= SAID_WORD if word.isascii() else len(word) // 2  # not all scripts part their words
        if count >= SAID_LEAST:
            return True
    return False


def _each(
    index: Index, term: str, words: str, above: list[str], read: Reader, *, telling: bool = False
) -> list[Mention]:
    """Return the paragraphs that hold `term` and, word for word, `words`; not as part of another path than `above`.

    One a note: the first that says something; with `telling` none that says nothing.
    """
    scores = index.score_notes({term: 1.0})
    ranked = sorted([n for n, score in enumerate(scores) if score > 0 and index.alive(n)], key=lambda n: -scores[n])
    found: list[Mention] = []
    for n in ranked[:MOST_NOTES]:
        if not index.check(n):
            continue
        passages = index.passages(n)
        silent = -1
        for paragraph, _ in passages.counts(term):
            row = passages.paragraph(paragraph)
            text = read(index.note(n), row.start, row.end).decode("utf-8", "replace")
            if _fits(text, words, above):
                if says_something(text, words):
                    found.append(Mention(n, paragraph, words))
                    break
                silent = paragraph if silent < 0 else silent
        else:
            if silent >= 0 and not telling:
                found.append(Mention(n, silent, words))
    return found


def _fits(text: str, words: str, above: list[str]) -> bool:
    """Say whether `words` stand in `text` as a whole, and what stands before them in a path agrees with `above`."""
    folded, wanted = text.casefold(), words.casefold()
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        after = folded[end : end + 1]
        before = folded[at - 1 : at] if at else ""
        if not after.isalnum() and after not in ("_", "-") and not before.isalnum() and before not in ("_", "-", "."):
            if before != "/":
                return True
            folder = folded[:at].rstrip("/").rpartition("/")[2].split()[-1:]
            if not above or (folder and folder[0].strip("`\"'(") in ("", ".", "..", "…", "...", above[-1].casefold())):
                return True
        at = folded.find(wanted, at + 1)
    return False
