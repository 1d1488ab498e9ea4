"""What the documentation says is there, is there: commands, settings, fields, links."""

import ast
import operator
import re
from dataclasses import fields
from pathlib import Path

import pytest

from ladder.cli.commands import TOP
from notes import Settings
from transcripts import Evidence, Pair, Said

HOUSE = Path(__file__).parents[2]
DOCS = [*sorted(HOUSE.glob("*.md")), *sorted((HOUSE / "docs").rglob("*.md"))]
PACKAGES = ("notes", "transcripts", "ladder", "bench")
KNOWN = set(TOP)


def text(name: str) -> str:
    return (HOUSE / name).read_text(encoding="utf-8")


def fences(page: str):
    return re.findall(r"^```(?:sh|text|console)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", [path for path in DOCS if path.name != "commands.md"], ids=lambda path: path.name)
def test_every_command_that_is_named_exists(path):
    page = path.read_text(encoding="utf-8")
    named = {word for block in fences(page) for word in re.findall(r"^(?:\$ )?ladder ([a-z]+)", block, re.MULTILINE)}
    named |= set(re.findall(r"`ladder ([a-z]+)[ `]", page))
    assert named - KNOWN == set()


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_between_files_lead_somewhere(path):
    page = path.read_text(encoding="utf-8")
    targets = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", page) if "://" not in target}
    assert [target for target in targets if target and not (path.parent / target).exists()] == []


def test_every_setting_is_documented():
    page = text("docs/configuration.md")
    inside = {"root", "configured", "other"}
    assert [f.name for f in fields(Settings) if f.name not in inside and f"\n{f.name} = " not in page] == []


def test_every_field_of_a_pair_is_documented():
    page = text("docs/evidence.md")
    names = [*Pair._fields, *Evidence._fields, *Said.__annotations__]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_the_readme_says_what_each_command_of_a_users_day_is_for():
    page = text("README.md")
    wanted = ["note adopt", "note promote", "suggest --why", "init", "install", "uninstall", "doctor", "mine", "bench"]
    wanted += ["stats", "answer", "weekly", "report", "forget", "mcp"]
    assert [name for name in wanted if f"ladder {name}" not in page] == []
    assert "`ladder note show deploy-rollback --former 1`" in page
    assert "`--project`" in page
    assert "not both" in page


def test_the_map_of_the_readme_names_files_that_exist():
    rows = re.findall(r"^\| `([a-z_/.]+)` \|", text("README.md"), re.MULTILINE)
    assert [row for row in rows if not (HOUSE / row).exists()] == []
    assert {row.partition("/")[0] for row in rows} >= {"notes", "transcripts", "ladder", "bench"}


#: A quoted constant, with its module's name where several modules have one of that name: `on_message.NAMED = 2`.
QUOTED = re.compile(r"`(?:([a-z_]+)\.)?(_?[A-Z][A-Z0-9_]*) = ([^`]+)`")
FOLDED = {
    ast.Mult: operator.mul, ast.Add: operator.add, ast.Sub: operator.sub, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.LShift: operator.lshift,
}  # fmt: skip


def value(node):
    """What a literal, or a sum, product or power of literals is."""
    if isinstance(node, ast.BinOp):
        return FOLDED[type(node.op)](value(node.left), value(node.right))
    return ast.literal_eval(node)


def constants() -> dict[str, dict[str, object]]:
    """Name -> module -> value, over all modules; what is no literal is left out."""
    found: dict[str, dict[str, object]] = {}
    for path in (path for package in PACKAGES for path in (HOUSE / package).rglob("*.py")):
        for node in ast.parse(path.read_bytes()).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                names, given = [target], [getattr(node, "value", None)]
                if isinstance(target, ast.Tuple) and isinstance(given[0], ast.Tuple):
                    names, given = target.elts, given[0].elts
                for name, each in zip(names, given, strict=False):
                    if isinstance(name, ast.Name) and name.id.isupper() and each is not None:
                        try:
                            found.setdefault(name.id, {})[path.stem] = value(each)
                        except (ValueError, TypeError, KeyError, SyntaxError):
                            continue
    return found


CONSTANTS = constants()


def wrong(page: str) -> list[str]:
    """The quoted constants of a page that the code does not hold, each with what it holds."""
    faults = []
    for module, name, quoted in QUOTED.findall(page):
        held = {where: what for where, what in CONSTANTS.get(name, {}).items() if module in {"", where}}
        if not held or any(what != value(ast.parse(quoted, mode="eval").body) for what in held.values()):
            faults.append(f"{name} = {quoted}, but the code: {held}")
    return faults


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.relative_to(HOUSE).as_posix())
def test_every_constant_that_is_quoted_is_the_codes(path):
    assert wrong(path.read_text(encoding="utf-8")) == []


def test_a_wrong_an_unknown_and_an_ambiguous_constant_are_noticed():
    assert wrong("`TICK = 2.0`, `checked.TICK = 2.0`, `log_tail.WINDOW = 512 * 1024`") == []
    assert wrong("`TICK = 3.0`") == ["TICK = 3.0, but the code: {'checked': 2.0}"]
    assert wrong("`NO_SUCH_NAME = 1`") == ["NO_SUCH_NAME = 1, but the code: {}"]
    assert len(wrong("`RESULTS = 9`")) == 1
    assert len(wrong("`NAMED = 2`")) == 1  # on_session has another


def test_the_decisions_quote_constants():
    pages = [path.read_text(encoding="utf-8") for path in DOCS if path.parent.name == "decisions"]
    assert sum(len(QUOTED.findall(page)) for page in pages) > 50
