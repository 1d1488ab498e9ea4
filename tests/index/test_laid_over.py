"""In a large store what changed is laid over the index: what a command then says is what a new index would say."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ladder.index.overlay import open_fresh
from ladder.index.reader import Index
from ladder.indexing import laid_over, pipeline
from ladder.indexing.laid_over import LaidOver, update_command
from ladder.indexing.update import fresh_index, update_index
from ladder.lean.paths import index_file
from ladder.query.query import Context, query
from ladder.reading.rungs import map_note, suggest
from ladder.text.tokenizer import terms
from notes import find_notes, folder_settings, load_settings

WORDS = [a + b + c for a in ("ka", "to", "mi", "ru") for b in ("lo", "ne", "vi", "do") for c in ("xu", "ri", "pag")]
WEIGHTS = [1 / (i + 1) for i in range(len(WORDS))]


def text(dice: random.Random, number: int) -> str:
    def words(n: int) -> str:
        return " ".join(dice.choices(WORDS, WEIGHTS, k=n))

    parts = []
    if dice.random() < 0.5:
        parts += [f"---\naliases: [other {number} {words(1)}]\ndescription: {words(4)}\ntags: [{words(1)}]\n---"]
    parts += [f"# {words(2)} {number}", words(dice.randint(3, 20))]
    for _ in range(dice.randint(0, 4)):
        parts += [f"## {words(2)}", words(dice.randint(5, 60)), f"```\n# {words(3)}\n```", words(dice.randint(5, 30))]
    if dice.random() < 0.5:
        parts += ["## History", f"### 2026-09-0{number % 9 + 1} {words(1)}", words(12), "### 2026-08-01", words(9)]
    return "\n\n".join(parts) + "\n"


def write(file: Path, content: str, age: float = 0) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8", newline="")
    then = time.time() - age
    os.utime(file, (then, then))


@pytest.fixture
def asked(monkeypatch):
    """The commands that were started in the background: none is, in tests."""
    commands = []
    monkeypatch.setattr(laid_over, "ask_update", lambda _, command: commands.append(command))
    return commands


@pytest.fixture
def project(tmp_path, monkeypatch, asked):
    """A store of eighty notes that counts as a large one, indexed."""
    root = tmp_path / "project"
    dice = random.Random(1)
    for i in range(80):
        write(root / "notes" / f"area{i % 4}" / f"n{i:02}.md", text(dice, i), age=60)
    (root / "notes" / "area9").mkdir()
    monkeypatch.setattr("ladder.indexing.update.LAID_FROM", 1)
    for module in ("checked", "overlay"):  # else all eighty would be files of the last two seconds, which are read
        monkeypatch.setattr(f"ladder.index.{module}.TICK", 0.0)
    fresh_index(root).close()
    return root


def change(root: Path, dice: random.Random, count: int) -> None:
    files = sorted((root / "notes").rglob("*.md"))
    for number in range(count):
        file = files.pop(dice.randrange(len(files)))
        kind = dice.choice(("append", "append", "anew", "gone", "moved", "came"))
        if kind == "append":
            write(file, file.read_text(encoding="utf-8") + f"\n## 2026-09-20\n\n{' '.join(dice.choices(WORDS, k=9))}\n")
        elif kind == "anew":
            write(file, text(dice, number))
        elif kind == "gone":
            file.unlink()
        elif kind == "moved":
            (root / "notes" / "new" / "deep").mkdir(parents=True, exist_ok=True)
            file.rename(root / "notes" / "new" / "deep" / file.name)
        else:
            write(root / "notes" / "area9" / f"came{number}.md", text(dice, number))


def told(index: Index) -> dict[str, object]:
    """All that an index says of its notes, costs and places in the index apart."""
    found = {}
    for n in range(index.count):
        if index.alive(n):
            row, passages = index.note(n), index.passages(n)
            sections = [(s.title, s.slug, s.path, s.zone, s.date, s.start, s.end, s.level) for s in passages.sections]
            paragraphs = [
                (p.section, p.zone, p.date, p.start, p.end, p.length, p.entry_slug) for p in passages.paragraphs
            ]
            found[row.name] = (row.path, row.title, row.changed, row.description, row.aliases, sections, paragraphs)
    return found


def names(index: Index, numbers: list[int]) -> list[str]:
    return sorted(index.note(n).name for n in numbers)


def best(index: Index, scores: list[float], most: int) -> list[str]:
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], index.note(n).name))
    return [index.note(n).name for n in order[:most] if scores[n] > 0]


@pytest.mark.parametrize("seed", range(6))
def test_what_lies_on_top_reads_as_a_new_index_does(project, seed):
    dice = random.Random(seed)
    change(project, dice, 6)
    (project / "notes" / "area9" / "empty.md").write_text("", encoding="utf-8")
    questions = [" ".join(dice.choices(WORDS, k=dice.choice((2, 5, 12)))) for _ in range(40)]
    hits = dict.fromkeys(terms(questions[0]), 1.0)
    with fresh_index(project) as laid:
        assert isinstance(laid, LaidOver)
        assert laid.taken
        laid_told = told(laid)
        asked_names = ["n07", "area1/n09", "came3", "empty", *[a for row in laid_told.values() for a in row[4]][:8]]
        found = [names(laid, laid.find(name)) for name in asked_names]
        alike = [names(laid, laid.named_like(part)) for part in ("/area9/", "\0notes/new", "n1")]
        dfs = [laid.df(word) for word in WORDS]
        idfs = laid.idfs(terms(" ".join(WORDS)))
        rankings = [best(laid, laid.score_notes(dict.fromkeys(terms(q), 1.0)), 3) for q in questions]
        labels = [best(laid, laid.score_labels(dict.fromkeys(terms(q), 1.0)), 1) for q in questions]
        suggested = [[each.name for each in suggest(laid, query(Context(message=q)))] for q in questions]
        numbers = {laid.note(n).name: n for n in range(laid.count) if laid.alive(n)}
        maps = {
            name: [(r.title, r.zone, r.hits) for r in map_note(laid, numbers[name], hits)]
            for name in sorted(numbers)[::7]
        }
        counts = laid.paragraph_count, laid.section_count
        mean = laid.mean_paragraph
    with fresh_index(project, force=True) as new:
        assert laid_told == told(new)
        assert found == [names(new, new.find(name)) for name in asked_names]
        assert alike == [names(new, new.named_like(part)) for part in ("/area9/", "\0notes/new", "n1")]
        assert dfs == [new.df(word) for word in WORDS]
        assert idfs == pytest.approx(new.idfs(terms(" ".join(WORDS))))
        assert counts == (new.paragraph_count, new.section_count)
        assert mean == pytest.approx(new.mean_paragraph)
        numbers = {new.note(n).name: n for n in range(new.count)}
        for name, rows in maps.items():
            assert rows == [(r.title, r.zone, r.hits) for r in map_note(new, numbers[name], hits)]
        # Frequencies are exact; the mean length of a note is the old one, which moves scores by some thousandths.
        again = [best(new, new.score_notes(dict.fromkeys(terms(q), 1.0)), 3) for q in questions]
        assert sum(a[:1] == b[:1] for a, b in zip(rankings, again, strict=True)) >= 38
        again = [best(new, new.score_labels(dict.fromkeys(terms(q), 1.0)), 1) for q in questions]
        assert sum(a == b for a, b in zip(labels, again, strict=True)) >= 38
        again = [[each.name for each in suggest(new, query(Context(message=q)))] for q in questions]
        assert sum(a[:1] == b[:1] for a, b in zip(suggested, again, strict=True)) >= 38
        assert sum(set(a) == set(b) for a, b in zip(suggested, again, strict=True)) >= 32


def test_one_changed_note_is_read_and_nothing_is_built(project, monkeypatch, asked):
    read, prepared = [], []
    real_read, real_prepare = laid_over.read_file, pipeline.prepare
    monkeypatch.setattr(laid_over, "read_file", lambda path: read.append(Path(path).name) or real_read(path))
    monkeypatch.setattr(
        "ladder.indexing.parsed_note.prepare",
        lambda texts, *rest, **more: prepared.extend(name for name, _ in texts) or real_prepare(texts, *rest, **more),
    )
    monkeypatch.setattr(pipeline, "build_index", lambda *_, **__: pytest.fail("built"))
    monkeypatch.setattr("ladder.indexing.update.find_notes", lambda *_: pytest.fail("searched every folder"))
    with fresh_index(project) as index:
        assert not index.stale
    assert [name for name in read if name.endswith(".md")] == []
    file = project / "notes" / "area1" / "n05.md"
    write(file, file.read_text(encoding="utf-8") + "\nquokkas\n")
    index, change = update_index(project)
    with index:
        assert (change.added, change.changed, change.gone, change.rebuilt) == ((), ("notes/area1/n05",), (), "")
        assert best(index, index.score_notes({terms("quokkas")[0]: 1.0}), 3) == ["notes/area1/n05"]
        assert index.note(index.find("n05")[0]).estimated
    assert [name for name in read if name.endswith(".md")] == ["n05.md"]
    assert prepared == ["notes/area1/n05"]
    assert asked == []  # one note may wait


def test_the_hook_is_told_what_a_command_found(project, monkeypatch):
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    write(project / "notes" / "area9" / "came.md", "# Came\n\nquokkas\n")
    (project / "notes" / "area0" / "n00.md").unlink()
    fresh_index(project).close()

    def hook():
        index = open_fresh(index_file(str(project)))
        scores = index.score_notes({terms("quokkas")[0]: 1.0})
        return best(index, scores, 3), [index.note(n).name for n in index.gone], index.stale

    assert hook() == (["notes/area9/came"], ["notes/area0/n00"], False)
    monkeypatch.setattr("ladder.index.overlay.LOOK_AGAIN", -1.0)
    assert hook()[2]  # it is time to look whether more has changed
    (project / "notes" / "area9" / "came.md").unlink()
    fresh_index(project).close()
    assert hook()[0] == []


@pytest.mark.parametrize("limit", [("DUE_FILES", 2), ("DUE_BYTES", 10), ("DUE_AFTER", 0.0)])
def test_the_background_merges_what_is_due(project, monkeypatch, asked, limit):
    for i in range(3):
        write(project / "notes" / "area1" / f"n0{1 + 4 * i}.md", "# Quokkas\n\nlanding\n")
        assert isinstance(update_index(project, background=True)[0], LaidOver)
    fresh_index(project).close()
    assert asked == []
    monkeypatch.setattr(laid_over, *limit)
    with fresh_index(project) as index:
        assert isinstance(index, LaidOver)
    assert asked == [update_command(load_settings(project))]
    merged, change = update_index(project, background=True)
    with merged:
        assert type(merged) is Index
        assert len(change.changed) == 3
    with fresh_index(project) as index:
        assert not index.stale
    assert len(asked) == 1


def test_new_settings_of_the_same_meaning_are_merged_and_others_make_the_index_anew(project, asked):
    (project / "ladder.toml").write_text("# nothing is set\n", encoding="utf-8")
    index, change = update_index(project)
    index.close()
    assert change.rebuilt == "the settings changed"  # it is configured now
    (project / "ladder.toml").write_text("# nothing is set here\n", encoding="utf-8")
    with fresh_index(project) as index:
        assert isinstance(index, LaidOver)
    assert len(asked) == 1


@pytest.mark.parametrize("limit", [("MOST_FILES", 2), ("MOST_BYTES", 100)])
def test_more_than_is_laid_on_top_is_built_at_once(project, monkeypatch, limit):
    monkeypatch.setattr(laid_over, *limit)
    for i in range(3):
        write(project / "notes" / "area1" / f"n0{1 + 4 * i}.md", "# Quokkas\n\n" + "landing " * 20)
    index, change = update_index(project)
    with index:
        assert type(index) is Index
        assert len(change.changed) == 3
        assert len(index.find("notes/area1/n01")) == 1


def test_many_files_that_were_only_touched_are_not_read_at_each_command(project, monkeypatch):
    monkeypatch.setattr(laid_over, "MOST_FILES", 5)
    then = time.time() - 30
    for i in range(8):
        os.utime(project / "notes" / f"area{i % 4}" / f"n{i:02}.md", (then, then))
    with fresh_index(project) as index:
        assert type(index) is Index
    with fresh_index(project) as index:
        assert isinstance(index, LaidOver)
        assert not index.stale


@pytest.mark.parametrize("few", [True, False])
def test_where_not_all_files_are_notes_or_folders_are_many_the_settings_decide_what_came(project, monkeypatch, few):
    if few:
        (project / "ladder.toml").write_text('excludes = ["**/draft*"]\n', encoding="utf-8")
    else:
        monkeypatch.setattr(laid_over, "MOST_FOLDERS", 2)
        monkeypatch.setattr("ladder.indexing.update.MOST_FOLDERS", 2)
    fresh_index(project, force=True).close()
    write(project / "notes" / "area9" / "draft1.md", "# Draft\n\nquokkas\n")
    write(project / "notes" / "area9" / "came.md", "# Came\n\nquokkas\n")
    with fresh_index(project) as index:
        assert isinstance(index, LaidOver)
        found = best(index, index.score_notes({terms("quokkas")[0]: 1.0}), 5)
    assert found == ["notes/area9/came"] if few else ["notes/area9/came", "notes/area9/draft1"]


def test_a_note_that_is_no_utf_8_any_more_is_told(project):
    file = project / "notes" / "area1" / "n05.md"
    file.write_bytes(b"# Caf\xe9\n")
    with fresh_index(project) as index:
        assert index.not_utf8 == [str(file)]
    write(file, "# Caf\u00e9\n")
    with fresh_index(project) as index:
        assert index.not_utf8 == []


def test_the_command_of_the_background_names_the_settings(project, tmp_path):
    own = load_settings(project)
    assert update_command(own)[-1] == own.root
    other = folder_settings(tmp_path / "notes", ("*.md", "x/*.md"))
    assert update_command(other, own=False)[-6:] == ["--notes", other.root, "--glob", "*.md", "--glob", "x/*.md"]
    assert update_command(own, own=False) == []  # no command says these


def test_a_small_store_is_brought_up_to_date_at_once(project, monkeypatch):
    monkeypatch.undo()
    write(project / "notes" / "area9" / "came.md", "# Came\n\nquokkas\n")
    with fresh_index(project) as index:
        assert type(index) is Index


def test_numpy_is_not_loaded_where_nothing_changed(project):
    program = (
        "import sys; from pathlib import Path; from ladder.indexing import update\n"
        "update.LAID_FROM = int(sys.argv[2])\n"
        "update.fresh_index(Path(sys.argv[1])).close(); print('numpy' in sys.modules)"
    )
    for large in ("1", "1000"):
        done = subprocess.run(
            [sys.executable, "-c", program, str(project), large], capture_output=True, text=True, check=True
        )
        assert done.stdout == "False\n"


def test_links_are_followed_as_a_search_of_the_folders_follows_them(project, tmp_path):
    area = project / "notes" / "area1"
    outside = tmp_path / "outside"
    write(outside / "secret.md", "# Secret\n\nquokkas\n")
    (project / "notes" / "text.txt").write_text("# Text\n\nquokkas\n", encoding="utf-8")
    try:
        (area / "out.md").symlink_to(outside / "secret.md")
    except OSError:
        pytest.skip("links may not be made here")
    (area / "in.md").symlink_to(project / "notes" / "text.txt")
    (area / "twice.md").symlink_to(area / "n05.md")
    (area / "n01.md").unlink()
    (area / "n01.md").symlink_to(outside / "secret.md")
    (area / "new").mkdir()
    (area / "new" / "deep.md").symlink_to(outside / "secret.md")
    (project / "notes" / "area2").rename(tmp_path / "area2")
    (project / "notes" / "area2").symlink_to(tmp_path / "area2")
    with fresh_index(project) as laid:
        assert isinstance(laid, LaidOver)
        found = {laid.note(n).path for n in range(laid.count) if laid.alive(n)}
        assert laid.living == len(found)
    assert found == {file.path for file in find_notes(load_settings(project))}
    assert str(area / "in.md") in found
    assert str(area / "n01.md") not in found
