"""Allow rules in a client's settings for the commands that only read notes: by default it asks the person each time.

They are written where the person wants them, and taken out again on uninstalling: only those that the installer wrote.
"""

from collections.abc import Sequence

from ladder.install.jsonc import Node, SettingsError, read_settings
from ladder.install.settings_edit import BLANK, append_member, cut_member, holds_only, render, style_of

#: Commands that print notes, and never write one.
_READING = ("suggest", "map", "read", "answer", "note show", "note log", "note asof")
_TOOLS = ("suggest", "map", "read", "answer")

#: What is added to `permissions.allow`: the commands in a shell, and the same as tools of `ladder mcp`.
RULES = (*(f"Bash(ladder {name}:*)" for name in _READING), *(f"mcp__ladder__{name}" for name in _TOOLS))


def missing_rules(text: str) -> list[str]:
    """Return the rules that settings do not hold yet. Raises SettingsError when the text cannot be edited safely."""
    allowed = _allowed(text, read_settings(text)) if text.strip(BLANK) else None
    held = {node.value for _, _, node in allowed.members} if allowed else set()
    return [rule for rule in RULES if rule not in held]


def add_rules(text: str, rules: Sequence[str]) -> str:
    """Return `text` with `rules` behind those that are allowed already. Raises SettingsError."""
    if not text.strip(BLANK):
        text += "{}\n"
    for at, rule in enumerate(rules):
        root = read_settings(text)
        style = style_of(text, root)
        permissions, allowed = root.get("permissions"), _allowed(text, root)
        if permissions is None:
            whole = render({"allow": list(rules[at:])}, style, 1)
            return append_member(text, root, f'"permissions": {whole}', style, 0)
        if allowed is None:
            return append_member(text, permissions, f'"allow": {render(list(rules[at:]), style, 2)}', style, 1)
        text = append_member(text, allowed, render(rule, style, 3), style, 2)
    return text


def remove_rules(text: str, rules: Sequence[str]) -> str:
    """Return `text` without `rules`, nor what only they filled. Raises SettingsError when it does not parse."""
    while text.strip(BLANK):
        root = read_settings(text)
        permissions, allowed = root.get("permissions"), _allowed(text, root)
        ours = [node for _, _, node in allowed.members if node.value in rules] if allowed else []
        if permissions is None or allowed is None or not ours:
            return text
        # From the outside in: the largest thing that nothing but our rule fills.
        if not holds_only(text, allowed, ours[0]):
            text = cut_member(text, allowed, ours[0])
        elif not holds_only(text, permissions, allowed):
            text = cut_member(text, permissions, allowed)
        else:
            text = cut_member(text, root, permissions)
    return text


def _allowed(text: str, root: Node) -> Node | None:
    permissions = root.get("permissions")
    allowed = permissions.get("allow") if permissions is not None else None
    for name, node, kind in (("permissions", permissions, "object"), ("permissions.allow", allowed, "array")):
        if node is not None and node.kind != kind:
            line = text.count("\n", 0, node.start) + 1
            raise SettingsError(f"line {line}: `{name}` is no {kind}")
    return allowed
