"""One self-contained HTML file: what it means, misses, notes, curves. Needs the extra `report`.

Nothing of it comes from the network, and text stays text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.report import figures, first
from bench.report.page import text
from bench.table import rows

if TYPE_CHECKING:
    from bench.trend.story import Story

#: vega compiles its expressions, hence unsafe-eval; nothing may be fetched from anywhere.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

#: What of the bundle the page's own script uses.
SHOWN = "window.vegaEmbed = vegaEmbed;"


def render(story: Story) -> str:
    """The report as one HTML document."""
    import vl_convert  # noqa: PLC0415 (an extra: the bench runs without it)

    here = Path(__file__).parent
    # In a script element only `</script` and `<!--` change how it is read; in JavaScript strings `<\` is `<`.
    library = vl_convert.javascript_bundle(SHOWN).replace("</script", "<\\/script").replace("<!--", "<\\!--")
    table = rows(story.replay)
    parts = [
        first.misses(story),
        first.notes(story),
        figures.curves(story, table),
        figures.routing(story),
        figures.zones(story),
        figures.trend(story),
        figures.survival(story),
    ]
    present = [part for part in parts if part]
    menu = "".join(f'<li><a href="#{part.key}">{part.title}</a></li>' for part in present)
    body = "".join(
        f'<section id="{part.key}" aria-labelledby="h-{part.key}">'
        f'<h2 id="h-{part.key}">{part.title}</h2>{part.body}</section>'
        for part in present
    )
    return (
        '<!doctype html>\n<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{text(story.title)}</title>\n"
        # An empty icon: without one the browser asks the folder for favicon.ico.
        '<link rel="icon" href="data:,">\n'
        f"<style>\n{(here / 'report.css').read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the figures</a>\n'
        f"<header><h1>{text(story.title)}</h1>{first.opening(story)}"
        f'<nav aria-label="Parts of this report"><ul>{menu}</ul></nav>'
        '<p class="theme"><label>Colours <select id="theme"><option value="auto">as the system</option>'
        '<option value="light">light</option><option value="dark">dark</option></select></label></p></header>\n'
        f'<main id="main">{body}</main>\n'
        f"<footer><p>Made {text(story.made)} by <code>{text(story.command)}</code>. "
        "Everything is in this file: it loads nothing.</p></footer>\n"
        f"<script>{library}</script>\n"
        f"<script>\n{(here / 'report.js').read_text(encoding='utf-8')}</script>\n</body>\n</html>\n"
    )
