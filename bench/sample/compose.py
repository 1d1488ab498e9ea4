"""Writes `logs/` from `scenario/*.txt` and `notes/` (`python -m bench.sample.compose`); the same input, the same bytes.

A scenario line begins with what it is:

    @ NAME PERSON TIME VERSION BRANCH   a session starts (UTC; `worktree:X` is a git worktree on branch X)
    was NOTE DATE | today's | older     how a piece of a note read before DATE
    > text        the user's message; `> /name args` is a slash command
    < text        the agent's text
    read NOTE [a-b]     Read of a note, as it stood on the session's day
    cat NOTE, head N NOTE, sed NOTE a-b, hist NOTE, rg ARGS     the same through a shell
    grep "pattern" FOLDER                                       the same through the Grep tool
    $ command     Bash; `| line`s under it are its output
    code PATH     Read of a source file; its text stands in `| line`s
    edit PATH     Edit; `- line`s become `+ line`s (no old text: Write)
    append NOTE   Edit that adds `| line`s to a note
    sub "prompt" NOTE…  a sub-agent that reads notes; `~ text` is its report
    queue, meta, hook, attach, memory, compact, abort, resume, broken       what else real logs hold
"""

import datetime as dt
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.sample.past_notes import History, lines_of
from bench.sample.records import Writer, project_folder

HERE = Path(__file__).parent


class Line(NamedTuple):
    """One step of a scenario."""

    verb: str
    text: str
    block: tuple[str, ...]
    """The `| `, `- `, `+ `, `~ ` lines under it, with their mark."""


class Scene(NamedTuple):
    """One session: its header and its steps."""

    name: str
    person: str
    time: dt.datetime
    version: str
    branch: str
    lines: tuple[Line, ...]


def scenes(folder: Path, history: History) -> Iterator[Scene]:
    """The sessions of all scenario files, oldest first; `was` lines go to `history`."""
    for path in sorted(folder.glob("*.txt")):
        header: list[str] = []
        steps: list[Line] = []
        for raw in path.read_text(encoding="utf-8").split("\n"):
            verb, _, text = raw.partition(" ")
            if not raw or verb == "#":
                continue
            if verb == "was":
                note, until, *rest = text.split(" ", 2)
                _, today, older = rest[0].split("| ")
                history.was(note, dt.date.fromisoformat(until), today.removesuffix(" "), older)
            elif verb == "@":
                if header:
                    yield _scene(header, steps)
                header, steps = text.split(" "), []
            elif verb in {"|", "-", "+", "~"}:
                steps[-1] = steps[-1]._replace(block=(*steps[-1].block, f"{verb} {text}"))
            else:
                steps.append(Line(verb, text, ()))
        yield _scene(header, steps)


def _scene(header: list[str], steps: list[Line]) -> Scene:
    name, person, time, version, branch = header
    when = dt.datetime.fromisoformat(time).replace(tzinfo=dt.UTC)
    return Scene(name, person, when, version, branch, tuple(steps))


def _marked(block: tuple[str, ...], mark: str) -> str:
    return "\n".join(line[2:] for line in block if line.startswith(mark))


class Composer:
    """Plays one scene into a `Writer`."""

    def __init__(self, scene: Scene, history: History, earlier: dict[str, Writer]) -> None:
        self.scene, self.history, self.earlier = scene, history, earlier
        self.out = Writer(scene.name, scene.person, scene.time, scene.version, scene.branch)
        self.writes = {line.text for line in scene.lines if line.verb == "append"}

    def text(self, note: str) -> str:
        """The note as it stood on the scene's day; what the scene itself will append is not in it yet."""
        day = self.scene.time.date()
        return self.history.text(note, day - dt.timedelta(days=1) if note in self.writes else day)

    def play(self) -> Writer:
        """All records of the session."""
        for line in self.scene.lines:
            getattr(self, f"_{_VERBS.get(line.verb, line.verb)}")(line)
        return self.out

    def _user(self, line: Line) -> None:
        if line.text.startswith("/"):
            name, _, args = line.text[1:].partition(" ")
            self.out.slash(name, args)
        else:
            self.out.user(line.text)

    def _agent(self, line: Line) -> None:
        self.out.say(line.text)

    def _read(self, line: Line) -> None:
        note, _, span = line.text.partition(" ")
        first, last = (int(n) for n in span.split("-")) if span else (1, 0)
        self.out.read(f"notes/{note}.md", self.text(note), first, last)

    def _code(self, line: Line) -> None:
        self.out.read(line.text, _marked(line.block, "|") + "\n", 1, 0)

    def _bash(self, line: Line) -> None:
        self.out.bash(line.text, _marked(line.block, "|") or self._shell(line.text))

    def _cat(self, line: Line) -> None:
        self.out.bash(f"cat notes/{line.text}.md", self.text(line.text))

    def _head(self, line: Line) -> None:
        count, note = line.text.split(" ")
        self.out.bash(f"head -n {count} notes/{note}.md", "\n".join(lines_of(self.text(note))[: int(count)]))

    def _sed(self, line: Line) -> None:
        note, span = line.text.split(" ")
        first, last = (int(n) for n in span.split("-"))
        output = "\n".join(lines_of(self.text(note))[first - 1 : last])
        self.out.bash(f"sed -n '{first},{last}p' notes/{note}.md", output)

    def _hist(self, line: Line) -> None:
        text = self.text(line.text)
        heading = re.search(r"^## (?:History|Changelog|Log)", text, re.MULTILINE)
        if heading is None:
            raise ValueError(f"{line.text} has no history")
        self.out.bash(f"sed -n '/^{heading[0]}/,$p' notes/{line.text}.md", text[heading.start() :])

    def _rg(self, line: Line) -> None:
        words = shlex.split(line.text)
        output = _marked(line.block, "|") or "\n".join(self._matches(words[-2], words[-1]))
        self.out.bash(f"rg {line.text}", output)

    def _grep(self, line: Line) -> None:
        pattern, folder = shlex.split(line.text)
        self.out.grep(pattern, folder, list(self._matches(pattern, folder)))

    def _matches(self, pattern: str, folder: str) -> Iterator[str]:
        for note in self.history.names(folder):
            for number, text in enumerate(lines_of(self.text(note)), 1):
                if re.search(pattern, text):
                    yield f"notes/{note}.md:{number}:{text}"

    def _shell(self, command: str) -> str:
        """Output of the few commands over notes that a scenario types out itself."""
        note = command.rpartition("notes/")[2].removesuffix(".md")
        if command.startswith("cat notes/"):
            return self.text(note)
        if command.startswith(("sed -n '/## H", "sed -n '/## V")):
            text = self.text(note)
            return text[text.index(command.split("/")[1]) :]
        return ""

    def _edit(self, line: Line) -> None:
        self.out.edit(line.text, _marked(line.block, "-"), _marked(line.block, "+"))

    def _append(self, line: Line) -> None:
        last = lines_of(self.text(line.text).rstrip("\n"))[-1]
        self.out.edit(f"notes/{line.text}.md", last, last + "\n" + _marked(line.block, "|"))

    def _sub(self, line: Line) -> None:
        prompt, *notes = shlex.split(line.text)
        texts = [(f"notes/{note}.md", self.text(note)) for note in notes]
        self.out.task(prompt, texts, _marked(line.block, "~"))

    def _queue(self, line: Line) -> None:
        self.out.queued(line.text)

    def _meta(self, line: Line) -> None:
        self.out.user(line.text, isMeta=True)

    def _hook(self, line: Line) -> None:
        name, _, text = line.text.partition(" ")
        self.out.attachment(
            type="hook_success", hookName=name, hookEvent=name.partition(":")[0], content=text, stdout=text, exitCode=0
        )

    def _attach(self, line: Line) -> None:
        note = line.text.removeprefix("notes/")
        self.out.attached_file(f"notes/{note}.md", self.text(note))

    def _memory(self, line: Line) -> None:
        note = line.text.removeprefix("notes/")
        self.out.nested_memory(f"notes/{note}.md", self.text(note))

    def _compact(self, line: Line) -> None:
        self.out.compact(line.text)

    def _abort(self, _line: Line) -> None:
        self.out.user("[Request interrupted by user]")

    def _resume(self, line: Line) -> None:
        self.out.repeat(self.earlier[line.text])

    def _broken(self, _line: Line) -> None:
        self.out.broken()


_VERBS = {">": "user", "<": "agent", "$": "bash"}


def compose(root: Path = HERE) -> dict[str, bytes]:
    """Every file of `logs/`: its path there and its bytes."""
    history = History(root / "notes")
    written: dict[str, Writer] = {}
    files: dict[str, bytes] = {}
    for scene in sorted(scenes(root / "scenario", history), key=lambda scene: scene.time):
        out = Composer(scene, history, written).play()
        written[scene.name] = out
        folder = project_folder(out.cwd)
        files[f"{folder}/{out.session}.jsonl"] = b"".join(out.lines)
        for agent, lines in out.agents.items():
            files[f"{folder}/{out.session}/subagents/agent-{agent}.jsonl"] = b"".join(lines)
    return files


def main(root: Path = HERE) -> None:
    """Replace the files under `logs/`."""
    logs = root / "logs"
    made = compose(root)
    for old in sorted(logs.rglob("*.jsonl")):
        if old.relative_to(logs).as_posix() not in made:
            old.unlink()
    for name, data in made.items():
        path = logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    import argparse

    argparse.ArgumentParser(description="Writes the sample's logs anew, from its scenario.").parse_args()
    main()
