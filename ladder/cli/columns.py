"""Tables on a terminal: columns that line up whatever the script, costs in tokens, text on one line."""

import sys


def cost_shown(tokens: int, estimated: bool) -> str:
    """180, 4.1k, ~4.1k."""
    return ("~" if estimated else "") + (str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k")


def on_one_line(text: str) -> str:
    """`text` on one line, without control characters."""
    from ladder.hook.block import one_line

    return one_line(text, 200)


def table(head: tuple[str, ...], rows: list[tuple[str, ...]], *, right: tuple[int, ...]) -> None:
    """Print columns apart by two spaces; those numbered in `right` stand to the right."""
    wide = [max(_width(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [
            " " * (wide[i] - _width(cell)) + cell if i in right else cell + " " * (wide[i] - _width(cell))
            for i, cell in enumerate(row)
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _width(text: str) -> int:
    """Columns of a terminal that `text` takes."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
