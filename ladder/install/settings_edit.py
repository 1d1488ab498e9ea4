"""Adds the hook to a client's settings file, and takes it out again, without touching anything else in the text.

The file is the user's: comments, order, spaces, byte order mark, line ends and keys that we do not know stay byte for
byte: edits are cut into the text (`jsonc.py` reads it). A text that does not parse is refused with its line.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ladder.install.jsonc import Node, SettingsError, comma_at, ends_in_comment, has_comma, json_view, read_settings

BLANK = " \t\r\n\ufeff"
"""A text of these alone says nothing, and stands for settings without a key."""


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _hooks_of(text: str, root: Node, event: str) -> tuple[Node | None, Node | None]:
    """Return the `hooks` object and the event's array, checked for their kinds."""
    hooks = root.get("hooks")
    if hooks is None:
        return None, None
    if hooks.kind != "object":
        raise SettingsError(f"line {_line_of(text, hooks.start)}: `hooks` is not an object")
    groups = hooks.get(event)
    if groups is not None and groups.kind != "array":
        raise SettingsError(f"line {_line_of(text, groups.start)}: `hooks.{event}` is not an array")
    return hooks, groups


def is_ours(handler: Node) -> bool:
    """Say whether a handler starts ladder's hook."""
    command = handler.get("command")
    arguments = handler.get("args")
    words = [node.value for _, _, node in arguments.members] if arguments is not None else []
    return starts_hook(command.value if command is not None else "", words)


def starts_hook(command: str, arguments: Sequence[str]) -> bool:
    """Say whether a command is ladder's hook: the installed one, or `ladder hook`, as somebody may have typed."""
    words = [word.strip("\"'") for word in (*command.split(), *arguments)]
    # Versions before this one named the bundle.
    if any("import ladder_hook" in text or text.endswith("hook.bundle") for text in (command, *arguments, *words)):
        return True
    if words[-2:-1] == ["--client"]:
        words = words[:-2]
    program = words[-2].replace("\\", "/").rpartition("/")[2].casefold() if len(words) > 1 else ""
    return words[-1:] == ["hook"] and program in ("ladder", "ladder.exe")


def _our_handlers(groups: Node) -> Iterator[tuple[Node, Node, Node]]:
    """Yield (group, its array of handlers, handler) for each handler of ours."""
    for _, _, group in groups.members:
        handlers = group.get("hooks") if group.kind == "object" else None
        if handlers is not None and handlers.kind == "array":
            for _, _, handler in handlers.members:
                if handler.kind == "object" and is_ours(handler):
                    yield group, handlers, handler


def present_hooks(view: object) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield (event, group, handler) for each handler of ours in settings as Python objects, whatever else is there."""
    hooks = view.get("hooks") if isinstance(view, dict) else None
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                if isinstance(handler, dict) and starts_hook(*_words(handler)):
                    yield event, group, handler


def _words(handler: dict[str, Any]) -> tuple[str, list[str]]:
    command, arguments = handler.get("command"), handler.get("args")
    words = [word for word in arguments if isinstance(word, str)] if isinstance(arguments, list) else []
    return command if isinstance(command, str) else "", words


class _Style(NamedTuple):
    newline: str
    """Line end of the text; "" when the whole text is one line."""
    unit: str
    """One step of indentation."""


def style_of(text: str, root: Node) -> _Style:
    """Return how the settings are laid out."""
    if "\n" not in text[root.start : root.end] and root.members:
        return _Style("", "")
    newline = "\r\n" if "\r\n" in text else "\n"
    if root.members:
        first = root.members[0][1]
        indent = text[text.rfind("\n", 0, first) + 1 : first]
        if indent and not indent.strip(" \t"):
            return _Style(newline, indent)
    return _Style(newline, "  ")


def render(value: Any, style: _Style, depth: int) -> str:  # noqa: ANN401 (whatever JSON can say)
    """Return a value as text, laid out as its neighbours `depth` steps deep are."""
    if not style.newline:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=style.unit).split("\n")
    return (style.newline + style.unit * depth).join(lines)


def append_member(text: str, container: Node, item: str, style: _Style, depth: int) -> str:
    """Return `text` with `item` as the last member of `container`, which stands `depth` steps deep."""
    inside_end = container.end - 1
    if container.members:
        last = container.members[-1][2].end
        rest = text[last:inside_end]
        trailing = has_comma(rest)
        kept = last + len(rest.rstrip())
        comma = "" if trailing else ","
        if style.newline and ("\n" in rest or "\n" in text[container.start : container.members[0][1]]):
            new = text[last:kept] + style.newline + style.unit * (depth + 1) + item + ("," if trailing else "")
            if "\n" in rest[len(rest.rstrip()) :]:
                return text[:last] + comma + new + text[kept:]
            return text[:last] + comma + new + style.newline + style.unit * depth + text[inside_end:]
        # Members side by side on one line: the new one joins them there.
        between = text[last:kept]
        if "//" in between:
            between += style.newline or "\n"
        return text[:last] + comma + between + " " + item + ("," if trailing else "") + text[kept:]
    inner = text[container.start + 1 : inside_end].rstrip()
    opening = text[: container.start + 1] + inner
    if not style.newline:
        return opening + item + text[inside_end:]
    inside, outside = style.newline + style.unit * (depth + 1), style.newline + style.unit * depth
    return opening + inside + item + outside + text[inside_end:]


def add_hooks(text: str, wanted: dict[str, dict[str, Any]]) -> str:
    """Return `text` with each event's group of handlers in `wanted`; one of ours that is there is renewed in place.

    Applied twice it changes nothing more. Raises SettingsError when the text cannot be edited safely.
    """
    if not text.strip(BLANK):
        text += "{}\n"
    for event, group in wanted.items():
        text = _add_event(text, event, group)
    json_view(text)
    return text


def _add_event(text: str, event: str, group: dict[str, Any]) -> str:
    root = read_settings(text)
    style = style_of(text, root)
    hooks, groups = _hooks_of(text, root, event)
    if hooks is None:
        return append_member(text, root, '"hooks": ' + render({event: [group]}, style, 1), style, 0)
    if groups is None:
        return append_member(text, hooks, f'"{event}": ' + render([group], style, 2), style, 1)
    ours = list(_our_handlers(groups))
    if len(ours) > 1:  # each would say the same
        extra, inside, handler = ours[-1]
        pair = (groups, extra) if holds_only(text, inside, handler) else (inside, handler)
        return _add_event(cut_member(text, *pair), event, group)
    if not ours:
        return append_member(text, groups, render(group, style, 3), style, 2)
    present, handlers, handler = ours[0]
    alone = len(handlers.members) == 1
    old, new, depth = (present, group, 3) if alone else (handler, group["hooks"][0], 5)
    if json_view(text, old) == new:
        return text
    return text[: old.start] + render(new, style, depth) + text[old.end :]


def remove_hooks(text: str) -> str:
    """Return `text` without our handlers, nor what only they filled. Raises SettingsError when it does not parse."""
    while text.strip(BLANK):
        root = read_settings(text)
        hooks = root.get("hooks")
        if hooks is None or hooks.kind != "object":
            return text
        cut = None
        for _, _, groups in hooks.members:
            for group, handlers, handler in _our_handlers(groups) if groups.kind == "array" else ():
                # From the outside in: the largest thing that nothing but our handler fills.
                chain = ((root, hooks), (hooks, groups), (groups, group), (handlers, handler))
                alone = [holds_only(text, *pair) for pair in ((hooks, groups), (groups, group), (handlers, handler))]
                level = next(i for i in range(4) if all(alone[i:]))
                cut = chain[level]
                break
            if cut:
                break
        if cut is None:
            return text
        text = cut_member(text, *cut)
    return text


def holds_only(text: str, container: Node, member: Node) -> bool:
    """Say whether `container` holds nothing but `member`: no other, and no comment of the user's."""
    if len(container.members) > 1:
        return False
    around = text[container.start + 1 : container.members[0][1]] + text[member.end : container.end - 1]
    return not around.strip(" \t\r\n,")


def cut_member(text: str, container: Node, member: Node) -> str:
    """Return `text` without one member of `container`, its comma and the white space before it; comments stay."""
    index = next(i for i, (_, _, node) in enumerate(container.members) if node is member)
    start, end = container.members[index][1], member.end
    inside_end = container.end - 1
    last = index == len(container.members) - 1
    after = container.members[index + 1][1] if not last else inside_end
    before = container.members[index - 1][2].end if index else container.start + 1
    gap, behind = text[before:start], ""
    if not last or has_comma(text[end:after]):
        comma = end + comma_at(text[end:after])
        behind, end = text[end:comma], comma + 1
    elif index:
        comma = comma_at(gap)
        gap = gap[:comma] + gap[comma + 1 :]
    if len(container.members) == 1 and not (gap + behind + text[end:inside_end]).strip():
        return text[: container.start + 1] + text[inside_end:]
    return text[:before] + _joined(gap, _joined(behind, text[end:]))


def _joined(gap: str, rest: str) -> str:
    """Return `gap` (white space, commas, comments) without its last white space, and `rest`, which stays outside.

    After a comment that goes to the end of its line, `rest` must begin with a line end.
    """
    kept = gap.rstrip()
    if ends_in_comment(kept) and not rest.startswith(("\n", "\r\n")):
        kept += "\r\n" if "\r\n" in gap else "\n"
    return kept + rest
