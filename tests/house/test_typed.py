"""What the README shows as typed is what the commands print, on the bundled sample."""

from pathlib import Path

from bench.sample.shown import typed

HOUSE = Path(__file__).parents[2]


def test_the_three_rungs_of_the_readme_print_what_it_shows():
    page = (HOUSE / "README.md").read_text(encoding="utf-8")
    assert all(f"$ ladder {rung} " in page for rung in ("suggest", "map", "read"))
    assert page == typed(page), "run: python -m bench.sample.shown"
