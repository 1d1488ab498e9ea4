"""One module opens note files for writing; the guard and the readers open none."""

import ast
from pathlib import Path

import notes

HOUSE = Path(notes.__file__).parent
WRITES = {"write_bytes", "write_text", "unlink", "replace", "rename", "link", "ftruncate", "mkdir", "rmdir", "touch"}


def _writing_calls(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if name == "open" and (path.stem == "disk" or any(set(t) & set("wax+") and len(t) < 4 for t in texts)):
            found.add("open")
        # `replace` of a text or of a dataclass has two arguments; of a path, one.
        if name in WRITES and isinstance(node.func, ast.Attribute) and not (name == "replace" and len(node.args) != 1):
            found.add(name)
    return found


def test_only_the_disk_module_writes_files():
    writers = {p.stem: calls for p in sorted(HOUSE.rglob("*.py")) if (calls := _writing_calls(p))}
    # place makes `.ladder/` with its .gitignore, store the folder of a new note; neither opens a note.
    assert writers.pop("place") == {"mkdir", "write_text"}
    assert writers.pop("store") == {"mkdir"}
    # atomic puts a file that its callers write in another's place, or takes it away where that failed; notes themselves
    # are written by disk alone, ladder's own files through this.
    assert writers.pop("atomic") == {"mkdir", "replace", "unlink"}
    # git's merge driver writes where git says: its own temporary file. A text merge hands git three of its own.
    assert writers.pop("driver") == {"write_bytes"}
    assert writers.pop("text") == {"write_bytes"}
    assert set(writers) == {"disk"}
