"""The report holds its text as text, and in a browser it draws, asks nothing of the network and logs no error."""

import datetime as dt
import html
import html.parser
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.corpus.cache import Keep
from bench.corpus.snapshot import World
from bench.questions import Question
from bench.replay import replay
from bench.report import curve as plot
from bench.report.page import data, text
from bench.report.report import render
from bench.scores import Rate
from bench.strategies import strategies
from bench.table import Row, rows
from bench.trend import runs
from bench.trend.misses import costly, misses, note_uses, unread, worth_promoting
from bench.trend.story import Side, Story
from bench.trend.survival import Life, curve

sys.path.insert(0, str(Path(__file__).parent))
import standin

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

HOSTILE = "</script><script>alert(1)</script> {{x}} \u202eabc\u202c שלום 🔥 <!-- \x1b[31m & \"q\" 'a'"
FILES = {
    "a": f"# A\n\n{HOSTILE} stands here\n\n## History\n\n### 2026-01-02 one\n\nthe canary aborted once\n".encode(),
    "b</script>": b"# B\n\nnothing of interest about canaries\n",
}
CONTEXT = {
    "message": HOSTILE,
    "said": [],
    "touched": [],
    "commands": [],
    "results": [],
    "opened": [],
    "cwd": "",
    "branch": "",
    "now": "",
}


def question(key, line, zone, words=HOSTILE):
    context = {**CONTEXT, "message": words}
    return Question(
        key, key, "2026-09-01T10:00:00Z", words, dict.fromkeys(("message", "turn", "read"), context), "a", (line,), zone
    )


QUESTIONS = [
    question("1", f"{HOSTILE} stands here", "body", "unrelated"),
    question("2", "the canary aborted once", "history", "unrelated too"),
    question("3", "the canary aborted once", "history", "unrelated again"),
    question("4", "the canary aborted once", "history", "why has the canary aborted"),
]


@pytest.fixture
def story(tmp_path, monkeypatch):
    standin.install(monkeypatch)
    world = World(FILES, Keep(tmp_path / "keep"))
    done = replay(QUESTIONS, lambda _: world, strategies())
    uses = note_uses(done, world, "ladder@2000", "read", reads={"a": 2}, changed={"a": "2026-09-01"})
    now = dt.datetime(2026, 9, 2, tzinfo=dt.UTC)
    run = runs.of(
        done,
        budget=2000,
        moment="read",
        counts={"pairs": 4, "alive": 4},
        notes=uses,
        now=now,
        until="2026-09-01T10:00:00Z",
    )
    side = Side("ladder@2000", Rate(0.5, 0.1, 0.9, 4), Rate(0.5, 0.1, 0.9, 4), Rate(0.4, 0.1, 0.9, 5))
    return Story(
        title=HOSTILE,
        made="today",
        command=f"ladder {HOSTILE}",
        replay=done,
        budget=2000,
        moment="read",
        notes=uses,
        misses=misses(done, lambda _: world, "ladder@2000", "read"),
        counts={"pairs": 4, "alive": 4},
        runs=[run, run],
        compared=runs.change(run, run, runs.headline(run)),
        survival=curve([Life("1", (1, 2, 3), (True, True, False)), Life("2", (2, 2, 2), (False, False, False))]),
        last_day=3,
        sides=[side],
    )


class Reader(html.parser.HTMLParser):
    """Collects the text outside of scripts and styles, and every address."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.tags, self.addresses, self.quiet = [], [], [], ""
        self.scripts = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.quiet = tag if tag in ("script", "style") else self.quiet
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action")]

    def handle_endtag(self, tag):
        self.quiet = "" if tag == self.quiet else self.quiet

    def handle_data(self, value):
        (self.scripts if self.quiet else self.texts).append(value)


def test_hostile_text_stays_text(story):
    read = Reader(render(story))
    shown = HOSTILE.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    assert any(value == shown for value in read.texts)
    assert not any("alert(1)" in value for value in read.scripts if "window" in value)
    assert read.tags.count("h1") == 1
    # The library, the page's own script, and a specification a chart: nothing that a note put there.
    plain = [value for value in read.scripts if not value.lstrip().startswith("{")]
    assert not any("alert(1)</script>" in value for value in plain)


def test_every_address_stays_in_the_file(story):
    read = Reader(render(story))
    assert read.addresses
    assert all(value.startswith(("#", "data:")) for value in read.addresses)


def test_a_chart_is_data_that_no_text_can_end(story):
    chart = plot.curve([row for row in rows(story.replay) if row.moment == "read"], HOSTILE, "x")
    found = data("spec", chart)
    assert found.count("<") == 2
    inner = re.search(r">(.*)<", found, re.DOTALL)
    assert json.loads(inner.group(1))["title"]["text"] == HOSTILE


def test_text_shows_control_characters_and_lone_surrogates():
    assert text("a\x00b") == "a\N{REPLACEMENT CHARACTER}b"
    assert text("\ud800") == "?"
    assert text("a\n\tb") == "a\n\tb"


def test_the_figures_are_there_without_a_drawing(story):
    page = render(story)
    assert "<details><summary>All strategies as a table" in page
    assert page.count('role="img" aria-label="') >= 5
    assert 'scope="col"' in page
    assert 'class="skip" href="#main"' in page


def test_misses_say_where_the_answer_stood_and_what_was_read(story):
    assert {miss.asked for miss in story.misses} == {"unrelated", "unrelated too", "unrelated again"}
    assert {miss.section for miss in story.misses} == {"A", "A > History > 2026-01-02 one"}


def test_what_notes_cost_and_give(story):
    assert story.notes["a"].evidence == 4
    assert story.notes["a"].answered == 1
    assert [name for name, _ in unread(story.notes)] == ["b</script>"]
    assert costly(story.notes, 3) == [("b</script>", story.notes["b</script>"])]


def test_history_that_keeps_being_the_answer_is_named(tmp_path):
    world = World(FILES, Keep(tmp_path))
    assert worth_promoting(QUESTIONS, world) == [("a", "A > History > 2026-01-02 one", 3)]


def row(name, tokens, hit, fair="yes"):
    return Row("read", name, "ladder@N", 1, fair, Rate(hit, hit, hit, 10), tokens, tokens, 1, 0)


def test_a_curve_has_at_most_six_families_and_its_budgets_at_the_points(story):
    assert len(plot.FAMILIES) <= 6
    found = plot.points([row for row in rows(story.replay) if row.moment == "read"])
    assert {each["family"] for each in found} <= {name for name, _, _ in plot.FAMILIES.values()}
    assert {each["budget"] for each in found if each["family"] == "ladder"} == {"500", "1k", "2k", "4k", "8k"}
    assert {each["budget"] for each in found if each["family"] == "grep"} <= {""}


@pytest.mark.parametrize("kind", [".svg", ".png", ".html"])
def test_one_chart_in_every_format(kind, tmp_path):
    target = tmp_path / f"curve{kind}"
    plot.write(plot.curve([row("a", 100, 0.1), row("c", 300, 0.4)], "t", "s"), target)
    assert target.stat().st_size > 1000


def test_another_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="svg"):
        plot.write(plot.curve([row("a", 100, 0.1)], "t", "s"), tmp_path / "curve.bmp")


ACTS = """<script>window.setTimeout(() => {
  const said = [];
  const shown = (where) => [...document.querySelectorAll(where)].filter((each) => !each.hidden).length;
  const form = document.getElementById("miss-filter");
  const type = (field, value) => { field.value = value; field.dispatchEvent(new Event("input", {bubbles: true})); };
  said.push(shown(".misses > li"));
  type(form.elements.words, "too");
  said.push(shown(".misses > li"), document.getElementById("miss-count").textContent);
  type(form.elements.words, "");
  type(form.elements.zone, "body");
  said.push(shown(".misses > li"));
  type(document.getElementById("find-note"), "script");
  said.push(shown("#notes-table tbody tr"));
  type(document.getElementById("find-note"), "");
  document.querySelector("#notes-table th button").click();
  said.push(document.querySelector("#notes-table th").getAttribute("aria-sort"));
  said.push(document.querySelector("#notes-table tbody tr").cells[0].textContent);
  const radio = document.querySelector("input[name=moment][value=message]");
  radio.click();
  said.push(document.getElementById("curve").dataset.spec);
  const theme = document.getElementById("theme");
  theme.value = "dark";
  theme.dispatchEvent(new Event("change"));
  said.push(document.documentElement.dataset.theme);
  said.push(document.documentElement.scrollWidth <= window.innerWidth);
  const out = document.createElement("pre");
  out.id = "said";
  out.textContent = JSON.stringify(said);
  document.body.append(out);
}, 3000);</script>"""


def browsed(page, tmp_path, *flags):
    """What chromium makes of a page: its document, what it logged, and what it asked the network for."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no chromium on PATH")
    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    net = tmp_path / "net.json"
    words = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--virtual-time-budget=10000",
        "--enable-logging=stderr",
        "--v=0",
        "--dump-dom",
    ]
    done = subprocess.run(
        [browser, *words, *flags, f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={net}", file.as_uri()],
        capture_output=True,
        check=False,
        timeout=100,
        text=True,
        encoding="utf-8",
    )
    # What the browser asks of its maker for itself is not the page's doing.
    asked = re.findall(r'"url":"(https?://[^"]*)"', net.read_text(encoding="utf-8", errors="replace"))
    return done.stdout, done.stderr, [address for address in asked if "google" not in address]


def test_in_a_browser_it_draws_asks_for_nothing_and_logs_no_error(story, tmp_path):
    document, logged, asked = browsed(render(story), tmp_path)
    assert "CONSOLE" not in logged
    assert asked == []
    assert 'data-ready="yes"' in document
    assert document.count("<svg") >= 5


def test_in_a_browser_it_filters_sorts_and_fits_a_phone(story, tmp_path):
    before, _, after = render(story).rpartition("</body>")
    page = f"{before}{ACTS}</body>{after}"
    document, logged, _ = browsed(page, tmp_path, "--window-size=500,900")
    assert "CONSOLE" not in logged
    said = json.loads(html.unescape(re.search(r'<pre id="said">(.*?)</pre>', document).group(1)))
    assert said == [3, 1, "1 of 3 misses shown", 1, 1, "descending", "b</script>", "spec-curve-message", "dark", True]
