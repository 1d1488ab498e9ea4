# ruff: noqa: E501 (tables of inputs)
"""What of the shell the guard understands: which commands are denied, and which are not."""

import shutil
import subprocess
from pathlib import Path

import pytest
from counted import lines_run

from ladder.hook.guard.judge import guard_denial

CLAY = b"# Clay\n\nLoses 31 %.\n\n## History\n\n### 2026-09-01 first\n\nwas 30 %\n\n### 2026-09-02 second\n\nis 31 %\n"
FILES = {
    "/p/notes/clay.md": CLAY,
    "/p/notes/kiln/cone.md": CLAY,
    "/p/notes/plain.md": b"# Plain\n\ntext\n",
    "/p/notes/plain2/only.md": b"# Only\n\ntext\n",
    "/p/notes/.old/hidden.md": CLAY,
}


def _ask(command, cwd="/p", tool="Bash"):
    event = {"tool_name": tool, "tool_input": {"command": command}, "cwd": cwd}
    return guard_denial(event, FILES.get, ("/p/notes",), lambda: list(FILES))


DENIED = [
    "sed -i 's/31 %/33 %/' notes/clay.md",
    "sed -i.bak 's/31 %/33 %/' notes/clay.md",
    "sed -i '' 's/31 %/33 %/' notes/clay.md",
    "sed --in-place 's/31 %/33 %/' notes/clay.md",
    "sed --in-place=.bak -e 's/31 %/33 %/' notes/clay.md",
    "sed -Ei 's/(31) %/33 %/' notes/clay.md",
    "sed -i '/31/d' /p/notes/clay.md",
    "sed -i s/31/33/ notes/*.md",
    "sed -i s/31/33/ notes/cl?y.md",
    "sed -i s/31/33/ notes/[a-d]lay.md",
    "sed -i s/31/33/ notes/[!x]lay.md",
    "sed -n p x | tee y && gsed -i s/31/33/ notes/plain.md notes/clay.md",
    "perl -pi -e s/31/33/ notes/clay.md",
    "perl -i -pe s/31/33/ notes/clay.md",
    "perl -i.bak -pe s/31/33/ notes/*.md",
    "perl -0pi -e s/31/33/ notes/clay.md",
    "ruby -pi -e 'gsub(/31/, \"33\")' notes/clay.md",
    "rm -rf notes",
    "rm -rf ./notes/",
    "rm -r notes/*",
    "rm -r notes/k*",
    "rm --recursive notes",
    "rm -rf *",
    "rm -rf /p",
    "rm -r -- notes",
    "rm notes/*.md",
    "rm notes/.old/*.md",
    "/bin/rm -fr notes",
    "sudo rm -rf notes",
    "env A=1 rm -rf notes",
    "A=1 rm -rf notes",
    "if rm -rf notes; then echo gone; fi",
    "cd notes && rm clay.md",
    "cd notes && rm *.md",
    "cd notes/kiln; rm -rf ../../notes",
    "cd $X && rm -rf /p/notes",
    "(cd /tmp && ls); rm -rf notes",
    "make clean || rm -rf notes",
    "true & rm -rf notes",
    "ls |\nrm -rf notes",
    "truncate -s 0 notes/plain.md notes/clay.md",
    "echo x | sponge notes/clay.md",
    "cp /tmp/clay.md notes/",
    "cp -t notes /tmp/clay.md",
    "mv /tmp/clay.md notes",
    "mv notes/clay.md /tmp/x.md",
    "mv notes/clay.md .",
    "mv notes/*.md /tmp",
    "mv notes /tmp/old",
    "mv -t /tmp notes/clay.md",
    "mv notes/plain.md notes/clay.md",
    "git mv notes/clay.md docs/clay.md",
    "git rm notes/clay.md",
    "git rm -r notes",
    "git checkout notes/clay.md",
    "git checkout -- notes/clay.md",
    "git checkout HEAD~2 -- notes",
    "git checkout main notes/clay.md",
    "git -C notes checkout -- clay.md",
    "git restore notes/clay.md",
    "git restore --staged --worktree notes",
    "git restore -s HEAD notes/*.md",
    "git clean -fd notes",
    "git clean -f -d -- notes",
    "cd notes && git clean -fdx kiln",
    "python3 -c \"open('notes/clay.md','w').write('x')\"",
    'python -c \'open("notes/clay.md", mode="wb")\'',
    "python3 -c \"from pathlib import Path; Path('notes/clay.md').write_text('x')\"",
    "python3 -c \"import os; os.remove('notes/clay.md')\"",
    "python3 -c \"import shutil; shutil.rmtree('notes')\"",
    "node -e \"fs.writeFileSync('notes/clay.md', '')\"",
    "timeout 5 rm notes/clay.md",
    "timeout -k 1 5s rm -rf notes",
    "nice -n 5 rm -rf notes",
    "sudo -u root rm -rf notes",
    "env -u X A=1 rm -rf notes",
    "bash -c 'rm notes/clay.md'",
    "bash -lc 'cd notes && rm clay.md'",
    'sh -c "sed -i s/31/33/ notes/clay.md"',
    "timeout 9 bash -c 'bash -c \"rm -rf notes\"'",
    "eval rm notes/clay.md",
    "eval 'rm notes/clay.md'",
    "bash <<'EOF'\nrm notes/clay.md\nEOF",
    "python3 - <<'EOF'\nopen('notes/clay.md', 'w').write('x')\nEOF",
    "python3 <<EOF\nfrom pathlib import Path\nPath('notes/clay.md').write_text('x')\nEOF",
    "python3.12 - <<'EOF'\nnote = 'notes/clay.md'\ntext = open(note).read()\nwith open(note, 'w') as f:\n  f.write(text)\nEOF",
    "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('notes/clay.md')\np.write_text(p.read_text().replace('31', '33'))\nEOF",
    "python3 -c \"p='notes/clay.md'; import os; os.remove(p)\"",
    "python3 -c \"import shutil; shutil.move('notes/clay.md', '/tmp')\"",
    "node - <<'EOF'\nconst p = 'notes/clay.md'; fs.writeFileSync(p, '')\nEOF",
]
ALLOWED = [
    "sed -n 1,5p notes/clay.md",
    "sed 's/31/33/' notes/clay.md",
    "sed -e 's/i/j/' -n notes/clay.md",
    "sed -i 's/31/33/' notes/plain.md",
    "sed -i 's/31/33/' src/a.py README.md",
    "sed -i s/31/33/ notes/p*.md",
    "sed -i s/31/33/ 'notes/*.md'",
    "perl -ne 'print if /i/' notes/clay.md",
    "perl -Ilib -e 1 notes/clay.md",
    "grep -r 31 notes",
    "grep -ri rm notes/*.md",
    "rm -rf node_modules",
    "rm -rf notes2 note",
    "rm -rf notes/plain2",
    "rm other.txt",
    "rm notes",
    "rm notes/*.txt",
    "rm notes/p*.md",
    "rm -rf src/*",
    "rm -rf $NOTES",
    "rm -rf $NOTES/*",
    "cd $X && rm -rf notes",
    'cd "$(mktemp -d)" && rm -rf *',
    "cd build && rm -rf *",
    "(cd build && rm -rf *)",
    "cd /tmp; rm -rf notes",
    "pushd /tmp && rm -rf notes",
    "echo rm -rf notes",
    "git commit -m 'rm -rf notes'",
    "git commit -F - <<'EOF'\nrm -rf notes\nEOF",
    "ssh host rm -rf notes",
    "docker exec box rm -rf /p/notes",
    "cp notes/clay.md /tmp",
    "cp -r notes /tmp/copy",
    "cp /tmp/new.md notes/",
    "mv notes/clay.md notes/loam.md",
    "mv notes/clay.md notes/kiln/",
    "mv notes/kiln notes/oven",
    "git mv notes/clay.md notes/loam.md",
    "mv notes/clay.md $THERE",
    "mv notes/plain.md /tmp",
    "mv src/a.py src/b.py",
    "git rm --cached notes/clay.md",
    "git checkout main",
    "git checkout -b x",
    "git checkout -b notes",
    "git checkout .",
    "git checkout -- src/a.py",
    "git restore src/",
    "git restore --staged notes/clay.md",
    "git clean -nd notes",
    "git clean -fd",
    "git clean -fd build",
    "git status notes",
    "git diff -- notes/clay.md",
    "git add notes && git commit -m checkout",
    "python3 -c \"print(open('notes/clay.md').read())\"",
    "python3 -c \"open('notes/clay.md','a').write('x')\"",
    "python3 -c \"open('notes/new.md','w').write('x')\"",
    "python3 -c \"open('out.txt','w').write(open('notes/clay.md').read())\"",
    "python3 -c \"from pathlib import Path; Path('notes/clay.md').read_text()\"",
    "node -e \"fs.readFileSync('notes/clay.md')\"",
    "timeout 5 cat notes/clay.md",
    "bash -c 'cat notes/clay.md'",
    "bash script.sh <<'EOF'\nrm notes/clay.md\nEOF",
    "bash -c 'echo rm notes/clay.md'",
    "python3 - <<'EOF'\np = 'notes/clay.md'\nopen('out.txt', 'w').write(open(p).read())\nEOF",
    "python3 tool.py <<'EOF'\nopen('notes/clay.md', 'w')\nEOF",
    "cat <<'EOF'\nopen('notes/clay.md', 'w')\nEOF",
    "git stash",
    "git stash -u && git pull && git stash pop",
    "git reset HEAD~1",
    "git switch main",
]


@pytest.mark.parametrize("command", DENIED)
def test_commands_that_rewrite_or_remove_dated_entries_are_denied(command):
    assert "2026-09-01 first" in _ask(command)


@pytest.mark.parametrize("command", ALLOWED)
def test_other_commands_pass(command):
    assert _ask(command) is None


@pytest.mark.parametrize(
    "command",
    ["Remove-Item notes -Recurse -Force", "Remove-Item notes\\*.md", "Move-Item notes\\clay.md C:\\old\\clay.md"],
)
def test_folders_and_globs_in_powershell(command):
    assert _ask(command, tool="PowerShell") is not None


def test_the_reason_says_how_sure_it_is_and_what_to_do_instead():
    assert _ask("sed -i s/31/33/ notes/clay.md") == (
        'clay.md: this sed -i may change or remove the dated entry "2026-09-01 first". A history only grows: a new dated '
        'entry may be appended, with the Edit tool or `ladder note append clay "…"`; a correction is such an entry. Head '
        "and body can be edited."
    )
    assert "this rm would change or remove" in _ask("rm -rf notes/kiln")


@pytest.mark.parametrize("command", ["rm -rf node_modules", "rm -rf build/*", "git checkout main", "rm -rf $X/*"])
def test_notes_are_not_listed_for_a_command_that_cannot_reach_them(command):
    def listed():
        raise AssertionError("listed")

    asked = []
    event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/p"}
    assert guard_denial(event, asked.append, ("/p/notes",), lambda: asked.append("listed") or []) is None
    assert "listed" not in asked


def test_a_glob_of_many_stars_takes_few_steps():
    name = "/p/notes/" + "a" * 200 + ".md"
    event = {"tool_name": "Bash", "tool_input": {"command": "rm notes/" + "*a" * 50 + "*b.md"}, "cwd": "/p"}
    found, lines = lines_run(guard_denial, event, {name: CLAY}.get, ("/p/notes",), lambda: [name])
    assert (found, lines < 100_000) == (None, True)


LONGEST = 131_072  # bytes of one argument on Linux
LONG = {
    "the same note": "rm " + "notes/plain.md " * 9000,
    "the same glob": "rm " + "notes/p* " * 14000,
    "the same folder": "rm -r " + "notes/plain2 " * 10000,
    "words before the command": "sudo " * 26000,
    "assignments before the command": "a=b " * 32000,
    "one word": "rm " + "a" * LONGEST,
    "one quoted word": 'rm "' + "a" * LONGEST,
    "quotes in code": 'python -c "' + "'a' " * 32000 + '"',
    "folder after folder": "cd a;" * 26000,
}


@pytest.mark.parametrize("command", LONG.values(), ids=LONG)
def test_the_work_for_a_command_of_128_kb_grows_with_its_length(command):
    files = {f"/p/notes/p{i}.md": b"# Plain\n\n" + b"word " * 4000 for i in range(220)} | FILES
    counts = []
    for length in (LONGEST // 4, LONGEST):
        event = {"tool_name": "Bash", "tool_input": {"command": command[:length]}, "cwd": "/p"}
        found, lines = lines_run(guard_denial, event, files.get, ("/p/notes",), lambda: list(files))
        assert found is None
        counts.append(lines)
    assert counts[1] < 5 * counts[0] + 1000


@pytest.mark.parametrize("command", ["rm notes/plain.md notes/plain.md notes/clay.md", "cd a; cd ..; rm notes/clay.md"])
def test_what_stands_twice_hides_nothing_that_follows(command):
    assert "2026-09-01 first" in _ask(command)


@pytest.fixture
def work(tmp_path):
    """A work tree with two committed notes."""
    for name in ("clay", "loam"):
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / f"{name}.md").write_bytes(CLAY)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@x", "-c", "core.autocrlf=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    return tmp_path


WHOLE = [
    "git checkout .",
    "git checkout -- .",
    "git restore .",
    "git restore :/",
    "cd notes && git restore .",
    "git -C notes checkout .",
    "git reset --hard",
    "git reset --hard HEAD~1",
    "cd notes && git reset --hard origin/main",
    "git checkout -f",
    "git checkout -f main",
    "git switch --discard-changes main",
]


@pytest.mark.skipif(shutil.which("git") is None, reason="makes a real work tree")
@pytest.mark.parametrize("command", WHOLE)
def test_of_a_whole_tree_only_what_git_does_not_keep_is_guarded(work, command):
    def ask():
        event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": work.as_posix()}
        files = [path.as_posix() for path in sorted(work.glob("notes/*.md"))]
        return guard_denial(event, lambda path: Path(path).read_bytes(), ((work / "notes").as_posix(),), lambda: files)

    assert ask() is None
    (work / "notes" / "loam.md").touch()
    assert ask() is None, "touched, not changed"
    (work / "notes" / "loam.md").write_bytes(CLAY + b"\n### 2026-09-03 third\n\nnew\n")
    assert ask().startswith("loam.md: this git ")


@pytest.mark.skipif(shutil.which("git") is None, reason="makes a real work tree")
def test_clean_takes_notes_that_git_does_not_know(work):
    def ask(command):
        event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": work.as_posix()}
        files = [path.as_posix() for path in sorted(work.glob("notes/*.md"))]
        return guard_denial(event, lambda path: Path(path).read_bytes(), ((work / "notes").as_posix(),), lambda: files)

    assert ask("git clean -fdx") is None
    (work / "notes" / "new.md").write_bytes(CLAY)
    assert ask("git clean -fdx").startswith("new.md: this git clean may")
    assert ask("git clean -ndx") is None
