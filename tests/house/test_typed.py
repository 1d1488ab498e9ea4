"""What the README shows as typed is what the commands print, and what it tells a newcomer to type runs."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from bench.sample import ROOT
from bench.sample.shown import typed

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "README.md").read_text(encoding="utf-8")


def test_the_three_rungs_of_the_readme_print_what_it_shows():
    assert all(f"$ ladder {rung} " in PAGE for rung in ("suggest", "map", "read"))
    assert typed(PAGE) == PAGE, "run: python -m bench.sample.shown"


def test_what_the_readme_tells_to_type_runs(tmp_path):
    """In the order of the page, in a project with the sample's notes and a home without a single session."""
    shutil.copytree(ROOT / "notes", tmp_path / "docs")
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.split("\n")]
    words = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("ladder ")]
    assert {each[0] for each in words} >= {"init", "install", "doctor", "mine", "bench", "suggest", "note"}
    codes = {}
    for each in words:
        command = [sys.executable, "-m", "ladder", *each]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False)
        codes[" ".join(each)] = (done.returncode, done.stderr.count("\n"))
        assert "Traceback" not in done.stderr
        if each[0] != "doctor":  # what it finds depends on the machine
            assert done.returncode == 0, (each, done.stderr)
    assert codes["mine"] == codes["bench"] == (0, 1), "no sessions: one line says so"
