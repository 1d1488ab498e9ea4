"""A small store of notes, built once a test, and queries of bare messages."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query

NOTES = {
    "deploy/rollback": """# Rollback

How a release is taken back.

## Rollback procedure

Switch the traffic to the old release, then drain the pods.

## History

### 2026-08-30 canary abort

The canary aborted because the readiness probe asked the wrong port 8081.

### 2026-07-01 first drill

The drill took eleven minutes.
""",
    "ops/alerts": """# Alerts

Pages go to the person on call.

## Canary alerts

A canary alert pages after two minutes.

## Tags

Use `[slug]` and [/items] as they are.
""",
    "ops/empty": "",
    "people/who": "# Who\n\nAda owns the billing service, ticket BILL-4711.\n",
}


@pytest.fixture
def store(tmp_path):
    """Return an open index and a reader of the notes' bytes."""
    target = tmp_path / "index"
    build_from_bytes({name: text.encode() for name, text in NOTES.items()}, target)
    index = open_index(str(target))
    yield index, lambda n: NOTES[index.note(n).name].encode()
    index.close()


@pytest.fixture
def ask():
    """Return a function that makes the product's query of a message."""

    def made(message: str, **rest):
        return query(Context(message=message, **rest))

    return made
