import math
import os
import random
import stat
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from ladder.index.format import term_hash
from ladder.index.overlay import FreshIndex, open_fresh
from ladder.indexing import parallel, pipeline
from ladder.indexing.pipeline import PreparedNotes
from ladder.indexing.update import fresh_index, update_index
from ladder.lean.paths import index_file
from ladder.text.tokenizer import terms


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project" / "notes"
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text("# Deploy\n\nthe canary aborts\n\n## Rollback\n\nrun it back\n", encoding="utf-8")
    (folder / "alerts.md").write_text("# Alerts\n\npager rotation\n", encoding="utf-8")
    (folder / "old.md").write_text("# Old\n\nforgotten lore\n", encoding="utf-8")
    for file in folder.iterdir():
        age(file)
    return folder.parent


def age(file: Path, seconds: float = 60) -> None:
    """Make a file look as if it had been written a while ago."""
    then = time.time() - seconds
    os.utime(file, (then, then))


def names(index) -> list[str]:
    return [index.note(n).name for n in range(index.count) if index.alive(n)]


def hits(index, text: str) -> list[str]:
    scores = index.score_notes(dict.fromkeys(terms(text), 1.0))
    return [index.note(n).name for n, score in enumerate(scores) if score > 0]


def hook(project) -> FreshIndex:
    return open_fresh(index_file(str(project)))


READERS = [pytest.param(fresh_index, id="command"), pytest.param(hook, id="hook")]


@pytest.mark.parametrize("read", READERS)
def test_r36_edit_new_and_deleted_notes_show_at_the_next_question(project, read):
    fresh_index(project).close()
    index = read(project)
    assert names(index) == ["notes/alerts", "notes/deploy", "notes/old"]
    (project / "notes" / "deploy.md").write_text("# Deploy\n\nthe zeppelin lands\n", encoding="utf-8")
    (project / "notes" / "old.md").unlink()
    (project / "notes" / "new").mkdir()
    (project / "notes" / "new" / "kraken.md").write_text("# Kraken\n\ntentacles\n", encoding="utf-8")
    index = read(project)
    assert sorted(names(index)) == ["notes/alerts", "notes/deploy", "notes/new/kraken"]
    assert hits(index, "canary") == []
    assert hits(index, "zeppelin") == ["notes/deploy"]
    assert hits(index, "forgotten lore") == []
    assert hits(index, "tentacles") == ["notes/new/kraken"]
    assert [index.note(n).title for n in index.find("kraken")] == ["Kraken"]
    assert index.find("old") == []


@pytest.mark.parametrize("read", READERS)
def test_r36_an_edit_of_the_same_size_in_the_same_clock_tick_shows(project, read):
    file = project / "notes" / "alerts.md"
    now = time.time_ns()
    os.utime(file, ns=(now, now))
    fresh_index(project).close()
    text = file.read_text(encoding="utf-8").replace("pager", "sirex")
    with file.open("r+", encoding="utf-8") as same:  # the same inode
        same.write(text)
    os.utime(file, ns=(now, now))
    index = read(project)
    assert hits(index, "sirex") == ["notes/alerts"]
    assert hits(index, "pager") == []


def edit_in_place(file: Path, old: str, new: str, mtime_ns: int) -> None:
    """Write the same number of bytes into the same inode, and set the file's time."""
    assert len(old) == len(new)
    text = file.read_text(encoding="utf-8").replace(old, new)
    with file.open("r+", encoding="utf-8") as same:
        same.write(text)
    os.utime(file, ns=(mtime_ns, mtime_ns))


@pytest.mark.parametrize("read", READERS)
def test_r36_an_edit_of_the_same_size_shows_though_the_file_s_time_was_put_back(project, read):
    file = project / "notes" / "alerts.md"
    fresh_index(project).close()
    edit_in_place(file, "pager", "sirex", file.stat().st_mtime_ns)
    index = read(project)
    assert hits(index, "sirex") == ["notes/alerts"]
    assert hits(index, "pager") == []


@pytest.mark.parametrize("later_ns", [0, 300_000_000], ids=["the same tick", "the same second"])
def test_r36_what_is_named_of_a_large_store_is_looked_at_closer_than_by_the_second(project, monkeypatch, later_ns):
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    file = project / "notes" / "alerts.md"
    then = (int(time.time()) - 60) * 1_000_000_000 + 100_000_000
    os.utime(file, ns=(then, then))
    fresh_index(project).close()
    edit_in_place(file, "pager", "sirex", then + later_ns)
    index = hook(project)
    n = index.find("alerts")[0]
    assert index.check(n)
    assert index.stale
    assert hits(index, "sirex") == ["notes/alerts"]
    assert hits(index, "pager") == []


@pytest.mark.parametrize("later_ns", [0, 300_000_000], ids=["the same tick", "the same second"])
def test_r36_where_a_file_keeps_no_time_of_change_the_table_of_files_decides(project, monkeypatch, later_ns):
    """As on Windows, whose `st_ctime` is when the file was made; a time that was put back to the tick is believed."""
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    monkeypatch.setattr("ladder.index.checked.CHANGE_TIMES", False)
    real = os.stat

    def without_ctime(path, **more):
        found = real(path, **more)
        fields = {name: getattr(found, name) for name in dir(found) if name.startswith("st_")}
        return SimpleNamespace(
            **fields | {"st_ctime": found.st_mtime - 60, "st_ctime_ns": found.st_mtime_ns - 60 * 10**9}
        )

    file = project / "notes" / "alerts.md"
    then = (int(time.time()) - 60) * 1_000_000_000 + 100_000_000
    os.utime(file, ns=(then, then))
    fresh_index(project).close()
    edit_in_place(file, "pager", "sirex", then + later_ns)
    monkeypatch.setattr(os, "stat", without_ctime)
    index = hook(project)
    index.check(index.find("alerts")[0])
    assert hits(index, "sirex") == (["notes/alerts"] if later_ns else [])


@pytest.mark.parametrize("read", READERS)
def test_a_file_replaced_by_an_older_one_of_the_same_size_and_time_shows(project, read):
    fresh_index(project).close()
    file = project / "notes" / "alerts.md"
    status = file.stat()
    other = project / "other"
    other.write_text(file.read_text(encoding="utf-8").replace("pager", "sirex"), encoding="utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)
    assert hits(read(project), "sirex") == ["notes/alerts"]


def test_an_edit_after_contents_were_checked_shows(project):
    file = project / "notes" / "alerts.md"
    now = time.time_ns()
    os.utime(file, ns=(now, now))
    fresh_index(project).close()
    hook(project).close()  # reads the contents, since the file is young, and notes that
    assert Path(index_file(str(project)) + ".seen").exists()
    file.write_text("# Alerts\n\nsirex rotation\n", encoding="utf-8")
    assert hits(hook(project), "sirex") == ["notes/alerts"]


def test_nothing_changed_nothing_is_written(project):
    fresh_index(project).close()
    before = Path(index_file(str(project))).stat()
    index, change = update_index(project)
    index.close()
    assert not change
    after = Path(index_file(str(project))).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_an_update_takes_over_what_did_not_change_and_equals_a_full_build(project, monkeypatch):
    for i in range(20):
        (project / "notes" / f"n{i}.md").write_text(f"# N{i}\n\n{'canary ' * i} pager w{i}x\n", encoding="utf-8")
        age(project / "notes" / f"n{i}.md")
    fresh_index(project).close()
    (project / "notes" / "n3.md").write_text("# N3\n\nzeppelin canary\n", encoding="utf-8")
    prepared = []
    original = PreparedNotes.get
    monkeypatch.setattr(PreparedNotes, "get", lambda *a: prepared.extend(s.name for s in a[1]) or original(*a))
    index, change = update_index(project)
    assert change.changed == ("notes/n3",)
    assert prepared == ["notes/n3"]
    merged = [index.score_notes({w: 1.0}) for w in ("canari", "pager", "zeppelin", "w4x", "deploy")]
    labels = index.score_labels({"n4": 1.0, "deploy": 1.0})
    dfs = [index.df(w) for w in ("canari", "w3x", "w4x")]
    index.close()
    full, change = update_index(project, force=True)
    assert change.rebuilt == "asked for"
    assert [full.score_notes({w: 1.0}) for w in ("canari", "pager", "zeppelin", "w4x", "deploy")] == merged
    assert full.score_labels({"n4": 1.0, "deploy": 1.0}) == labels
    assert [full.df(w) for w in ("canari", "w3x", "w4x")] == dfs
    assert dfs[1] == (0, 0)


def test_answers_with_changes_on_top_name_the_same_first_note_as_a_full_build(project):
    dice = random.Random(11)
    words = [a + b + c for a in ("ka", "to", "mi", "ru") for b in ("lo", "ne", "vi", "do") for c in ("xu", "ri", "ka")]
    weights = [1 / (i + 1) for i in range(len(words))]

    def text(i: int) -> str:
        body = "\n\n".join(" ".join(dice.choices(words, weights, k=30)) for _ in range(6))
        return f"# Note {i}\n\n{body}\n\n## More\n\n{' '.join(dice.choices(words, k=20))}\n"

    for i in range(100):
        file = project / "notes" / f"n{i:03}.md"
        file.write_text(text(i), encoding="utf-8")
        age(file)
    fresh_index(project).close()
    for i in range(0, 100, 20):
        (project / "notes" / f"n{i:03}.md").write_text(text(i), encoding="utf-8")
    quick = hook(project)
    assert len(quick.cut) == 5
    assert quick.stale
    full = fresh_index(project)
    same = 0
    asked = 300
    for _ in range(asked):
        question = dict.fromkeys((t for w in dice.choices(words, k=dice.choice((3, 8, 20))) for t in terms(w)), 1.0)
        a, b = quick.score_notes(question), full.score_notes(question)
        best = max(range(len(b)), key=b.__getitem__)
        same += quick.note(max(range(len(a)), key=a.__getitem__)).name == full.note(best).name
    assert same >= 0.99 * asked


def test_what_terms_weigh_and_whose_name_holds_one_counts_what_changed(project):
    fresh_index(project).close()
    (project / "notes" / "old.md").write_text("# Old\n\nkraken\n", encoding="utf-8")
    (project / "notes" / "kraken-sightings.md").write_text("# Deep\n\nthe canary sank\n", encoding="utf-8")
    index = hook(project)
    # `lore` is gone, `kraken` came, and `canari` is now in two notes of four.
    held = index.idfs(["lore", "kraken", "canari", "pager"])
    assert held == {term: index.idf(term) for term in ("kraken", "canari", "pager")}
    assert held["canari"] == pytest.approx(math.log(1 + (4 - 2 + 0.5) / (2 + 0.5)))
    alerts, deploy, came = (index.find(name)[0] for name in ("notes/alerts", "notes/deploy", "notes/kraken-sightings"))
    assert index.named_among([deploy, came, alerts], {term_hash("alert"): 1.0}) == [alerts, came]  # the new one unasked


def test_a_changed_note_has_sections_paragraphs_and_estimated_costs_at_once(project):
    fresh_index(project).close()
    text = "# Deploy\n\nlead canary\n\n```\n# no heading\n```\n\n## Rollback\n\nback\n\nagain\n"
    (project / "notes" / "deploy.md").write_text(text, encoding="utf-8")
    index = hook(project)
    n = index.find("deploy")[0]
    row, passages = index.note(n), index.passages(n)
    assert row.estimated
    assert row.cost == sum(s.cost for s in passages.sections) == pytest.approx(len(text) / 4, abs=6)
    assert [(s.title, s.slug, s.level) for s in passages.sections] == [
        ("Deploy", "deploy", 1), ("Rollback", "rollback", 2),
    ]  # fmt: skip
    assert [text[p.start : p.end].strip() for p in passages.paragraphs] == [
        "lead canary", "```\n# no heading\n```", "back", "again",
    ]  # fmt: skip
    assert passages.sections[-1].end == len(text)
    assert passages.counts("canari") == [(0, 1)]
    assert passages.heading_counts("rollback") == [(1, 1)]


def test_large_stores_are_not_scanned_and_what_is_named_is_looked_at(project, monkeypatch):
    fresh_index(project).close()
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    (project / "notes" / "old.md").unlink()
    (project / "notes" / "deploy.md").write_text("# Deploy\n\nzeppelin\n", encoding="utf-8")
    index = hook(project)
    by_name = {index.note(n).name: n for n in range(index.count)}
    assert index.check(by_name["notes/alerts"])
    assert not index.stale
    assert not index.check(by_name["notes/old"])
    assert index.check(by_name["notes/deploy"])
    assert index.stale
    assert hits(index, "zeppelin") == ["notes/deploy"]


def test_settings_that_changed_make_it_anew(project):
    fresh_index(project).close()
    (project / "ladder.toml").write_text('folders = ["notes"]\nexcludes = ["old.md"]\n', encoding="utf-8")
    assert hook(project).stale
    index, change = update_index(project)
    assert change.rebuilt == "the settings changed"
    assert names(index) == ["alerts", "deploy"]
    assert not hook(project).stale


def test_files_are_private_and_the_command_that_updates_is_kept(project):
    fresh_index(project).close()
    file = Path(index_file(str(project)))
    if os.name != "nt":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE((file.parent / "costs.ladder").stat().st_mode) == 0o600
    command = hook(project).files()["surroundings"]["command"]
    assert command[-3:] == ["index", "--background", str(project)]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that its owner cannot write to")
def test_a_cache_folder_that_cannot_be_written_still_gives_an_index(project):
    cache = Path(os.environ["XDG_CACHE_HOME"])
    cache.mkdir(parents=True, exist_ok=True)
    cache.chmod(0o500)
    try:
        assert names(fresh_index(project)) == ["notes/alerts", "notes/deploy", "notes/old"]
    finally:
        cache.chmod(0o700)


def test_a_full_disk_leaves_the_old_index(project, monkeypatch):
    fresh_index(project).close()
    (project / "notes" / "old.md").unlink()
    place = Path(index_file(str(project)))
    before = place.read_bytes()
    real = pipeline.build_index

    def full(files, target, **more):
        if target == place:
            raise OSError(28, "No space left on device")
        return real(files, target, **more)

    monkeypatch.setattr(pipeline, "build_index", full)
    assert names(fresh_index(project)) == ["notes/alerts", "notes/deploy"]
    assert place.read_bytes() == before


def test_a_folder_without_notes_gives_an_empty_index(tmp_path):
    index = fresh_index(tmp_path)
    assert index.count == 0
    assert index.score_notes({"x": 1.0}) == []


def test_several_processes_build_what_one_builds(project, monkeypatch):
    for i in range(30):
        (project / "notes" / f"n{i:02}.md").write_text(f"# N{i}\n\n{'canary ' * i} pager w{i}x\n", encoding="utf-8")
    one = fresh_index(project)
    asked = ("canari", "pager", "w4x", "deploy", "nowhere")
    alone = [[one.score_notes({w: 1.0}), one.score_labels({w: 1.0}), one.df(w)] for w in asked]
    costs = [one.note(n).cost for n in range(one.count)]
    one.close()
    monkeypatch.setattr(parallel, "WORTH_IT", 1)
    monkeypatch.setattr(parallel, "workers", lambda: 2)
    monkeypatch.setattr("ladder.indexing.parallel.PORTION", 7)
    Path(index_file(str(project))).with_name("costs.ladder").unlink()
    two, _ = update_index(project, force=True)
    assert [[two.score_notes({w: 1.0}), two.score_labels({w: 1.0}), two.df(w)] for w in asked] == alone
    assert [two.note(n).cost for n in range(two.count)] == costs
    assert Path(index_file(str(project))).with_name("costs.ladder").exists()


def test_large_stores_show_what_the_background_found_before_the_new_index_is_made(project, monkeypatch):
    fresh_index(project).close()
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    monkeypatch.setattr("ladder.indexing.update.SCANNED", 1)
    (project / "notes" / "old.md").unlink()
    (project / "notes" / "deploy.md").write_text("# Deploy\n\nzeppelin\n", encoding="utf-8")
    (project / "notes" / "kraken.md").write_text("# Kraken\n\ntentacles\n", encoding="utf-8")
    seen = []

    def building(*_, **__):
        index = hook(project)  # another process, meanwhile
        seen.append((names(index), hits(index, "zeppelin"), hits(index, "tentacles"), hits(index, "canary")))
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "build_index", building)
    with pytest.raises(KeyboardInterrupt):
        update_index(project)
    assert seen == [(["notes/alerts", "notes/deploy", "notes/kraken"], ["notes/deploy"], ["notes/kraken"], [])]
    monkeypatch.undo()


@pytest.mark.parametrize("content", [b"", b"x" * 40, b"\0" * 64])
def test_damaged_announcements_are_no_announcements(project, monkeypatch, content):
    fresh_index(project).close()
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    Path(index_file(str(project)) + ".changes").write_bytes(content)
    assert names(hook(project)) == ["notes/alerts", "notes/deploy", "notes/old"]


def test_r20_a_note_that_is_not_utf8_is_indexed_and_named_until_it_is_mended(project):
    bad = project / "notes" / "bad.md"
    bad.write_bytes(b"# Bad \xa2\n\nquokka\n")
    with fresh_index(project) as index:
        assert index.not_utf8 == [str(bad)]
        assert index.df("quokka")[0] == 1
    (project / "notes" / "other.md").write_text("# Other\n\nx\n", encoding="utf-8")
    with fresh_index(project) as index:  # built from the old one
        assert index.not_utf8 == [str(bad)]
    bad.write_text("# Bad\n\nquokka\n", encoding="utf-8")
    with fresh_index(project) as index:
        assert index.not_utf8 == []


def test_r65_a_file_in_the_place_of_the_cache_folder_still_gives_an_index(project, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr("ladder.indexing.update.index_file", lambda *_: str(tmp_path / "file" / "index.ladder"))
    monkeypatch.setattr("ladder.indexing.update.costs_file", lambda *_: str(tmp_path / "file" / "costs.ladder"))
    with fresh_index(project) as index:
        assert index.count > 0
