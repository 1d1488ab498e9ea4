"""Reads a client's settings file, JSON with comments and trailing commas, into nodes with their positions.

With the positions an editor can cut its change into the text and leave all else to the byte; nothing is parsed into
objects and written anew.
"""

import json
from typing import Any, NamedTuple


class SettingsError(ValueError):
    """The settings cannot be edited safely; the message says where and why."""


class Node(NamedTuple):
    """A value in the text: what it is, from where to where, and what it holds."""

    kind: str
    """`object`, `array`, `string` or `plain` (number, true, false, null)."""
    start: int
    end: int
    """One past the last character."""
    members: tuple[tuple[str, int, "Node"], ...]
    """Of an object: key, position of the key, value. Of an array: "", position of the item, item."""
    value: str
    """Of a string: what it says."""

    def get(self, key: str) -> "Node | None":
        """Return the value under `key`; of several the last, as JSON readers do."""
        found = [node for name, _, node in self.members if name == key]
        return found[-1] if found else None


class _Reader:
    """Reads JSON with comments and trailing commas."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> SettingsError:
        line = self.text.count("\n", 0, self.at) + 1
        return SettingsError(f"line {line}: {what}")

    def skip(self) -> None:
        """Go past white space and comments."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in " \t\r\n\ufeff":
                self.at += 1
            elif text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at)
                if end < 0:
                    raise self.fail("a comment that does not end")
                self.at = end + 2
            else:
                return

    def value(self, depth: int = 0) -> Node:
        self.skip()
        if depth > 200:
            raise self.fail("too deeply nested")
        start = self.at
        char = self.text[start : start + 1]
        if char in ("{", "["):
            return self.container(depth)
        if char == '"':
            said = self.string()
            return Node("string", start, self.at, (), said)
        while self.at < len(self.text) and self.text[self.at] not in ' \t\r\n,:]}{["/':
            self.at += 1
        word = self.text[start : self.at]
        try:
            json.loads(word)
        except ValueError:
            raise self.fail(f"not JSON: {word[:40] or char or 'the end of the file'}") from None
        return Node("plain", start, self.at, (), "")

    def string(self) -> str:
        start = self.at
        self.at += 1
        while True:
            end = self.text.find('"', self.at)
            if end < 0 or "\n" in self.text[self.at : end]:
                raise self.fail("a string that does not end")
            slashes = end
            while self.text[slashes - 1] == "\\" and slashes - 1 > start:
                slashes -= 1
            self.at = end + 1
            if (end - slashes) % 2 == 0:
                break
        try:
            said = json.loads(self.text[start : self.at], strict=False)
        except ValueError:
            raise self.fail("a string with an escape that JSON does not have") from None
        assert isinstance(said, str)
        return said

    def container(self, depth: int) -> Node:
        start = self.at
        is_object = self.text[start] == "{"
        close = "}" if is_object else "]"
        self.at += 1
        members: list[tuple[str, int, Node]] = []
        self.skip()
        while not self.text.startswith(close, self.at):
            if members and not self.comma():
                raise self.fail(f"a comma or {close} is missing")
            self.skip()
            if self.text.startswith(close, self.at) and members:
                break  # a trailing comma
            where = self.at
            key = ""
            if is_object:
                if not self.text.startswith('"', self.at):
                    raise self.fail("a key in double quotes is missing")
                key = self.string()
                self.skip()
                if not self.text.startswith(":", self.at):
                    raise self.fail("a colon is missing")
                self.at += 1
            members.append((key, where, self.value(depth + 1)))
            self.skip()
        self.at += 1
        return Node("object" if is_object else "array", start, self.at, tuple(members), "")

    def comma(self) -> bool:
        self.skip()
        if self.text.startswith(",", self.at):
            self.at += 1
            return True
        return False


def read_settings(text: str) -> Node:
    """Return the root object of a settings text. Raises SettingsError with the line where it is none."""
    reader = _Reader(text)
    root = reader.value()
    if root.kind != "object":
        reader.at = root.start
        raise reader.fail("the settings are not an object")
    reader.skip()
    if reader.at < len(text):
        raise reader.fail("something stands after the end of the settings")
    return root


def refused_by_json(text: str) -> str:
    """Return where a text is no plain JSON, "" when it is: Claude Code ignores all of a file that holds a comment."""
    try:
        json.loads(text or "{}")
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: a comment or a spare comma, for which the client ignores the whole file"
    return ""


def json_view(text: str, node: Node | None = None) -> Any:  # noqa: ANN401 (whatever JSON can say)
    """Return what the text, or one value in it, says as Python objects."""
    node = node or read_settings(text)
    if node.kind == "object":
        return {key: json_view(text, value) for key, _, value in node.members}
    if node.kind == "array":
        return [json_view(text, value) for _, _, value in node.members]
    if node.kind == "string":
        return node.value
    return json.loads(text[node.start : node.end])


def has_comma(rest: str) -> bool:
    """Say whether a comma comes next in `rest`, after white space and comments."""
    reader = _Reader(rest)
    reader.skip()
    return rest.startswith(",", reader.at)


def comma_at(gap: str) -> int:
    """Return where the next comma stands in `gap`; there must be one."""
    reader = _Reader(gap)
    reader.skip()
    assert gap.startswith(",", reader.at)
    return reader.at


def ends_in_comment(gap: str) -> bool:
    """Say whether what follows `gap` (white space, commas, comments) would still be in a comment of its last line."""
    reader = _Reader(gap + "x")
    while reader.at < len(gap):
        at = reader.at
        reader.skip()
        if reader.at == at:
            reader.at += 1  # a comma
    return reader.at > len(gap)
