"""What the README shows as typed is what the commands print, on the bundled sample."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from bench.sample import ROOT

HOUSE = Path(__file__).parents[2]


def test_the_three_rungs_of_the_readme_print_what_it_shows(tmp_path):
    shutil.copytree(ROOT / "notes", tmp_path / "notes")
    (block,) = re.findall(
        r"^```console\n(.*?)^```", (HOUSE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    for shown in block.removeprefix("$ ").split("\n$ "):
        typed, _, expected = shown.partition("\n")
        _, *words = shlex.split(typed)
        done = subprocess.run(
            [sys.executable, "-m", "ladder", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.rstrip("\n") == expected.rstrip("\n"), typed
