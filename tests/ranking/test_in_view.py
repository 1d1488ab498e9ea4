import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.in_view import InView
from ladder.ranking.survey import begin

NOTES = {
    "deploy/rollback": "# Taken back\n\nBack.\n",
    "ops/rollback": "# Back again\n\nBack.\n",
    "ops/alerts": "---\naliases: [pages/night shift]\n---\n# Alerts\n\nPages.\n",
    "readme": "# Read me\n\nFirst.\n",
    "commands/plan": "# Plan\n\nPlan it.\n",
    "wörter/über": "# Über\n\nWörter.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    target = tmp_path_factory.mktemp("view") / "index"
    build_from_bytes({name: text.encode() for name, text in NOTES.items()}, target)
    with open_index(str(target)) as found:
        yield found


def seen(index, opened, message="what now"):
    view = InView(begin(index, query(Context(message, opened=opened))))
    return {index.note(n).name for n in range(index.count) if n in view}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/home/ada/notes/deploy/rollback.md", {"deploy/rollback"}),
        ("C:\\work\\notes\\OPS\\Rollback.md", {"ops/rollback"}),
        ("/other/checkout/ops/alerts.md", {"ops/alerts"}),
        ("/somewhere/rollback.md", set()),  # two notes end so
        ("rollback.md", set()),
        ("alerts.md", {"ops/alerts"}),
        ("/home/ada/pages/Night Shift", {"ops/alerts"}),
        ("/home/ada/readme.md", {"readme"}),
        ("/tmp/wo\u0308rter/u\u0308ber.md", {"wörter/über"}),
        ("/home/ada/elsewhere.md", set()),
        ("", set()),
        ("/", set()),
    ],
)
def test_the_longest_end_that_is_one_note_is_in_view(index, path, names):
    assert seen(index, [path]) == names


def test_a_slash_command_s_own_text_is_in_view(index):
    assert seen(index, [], "/plan the week") == {"commands/plan"}
    assert seen(index, ["x/deploy/rollback.md"], "/plan the week") == {"commands/plan", "deploy/rollback"}


PARTS = st.sampled_from(["deploy", "ops", "rollback", "alerts", "readme", "Rollback", "night shift", "pages", "x"])
PATHS = st.lists(st.lists(PARTS, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts) + ".md"), max_size=6)


@given(PATHS)
def test_many_paths_are_those_of_each_alone(index, paths):
    assert seen(index, paths) == set().union(*[seen(index, [path]) for path in paths])
