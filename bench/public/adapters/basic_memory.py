"""basic-memory (0.24) as a system, keyword search, no network: run this file with the Python that has it installed.

    ladder bench public locomo --program "PEER/bin/python bench/public/adapters/basic_memory.py"

Each document becomes a Markdown file of a project, `basic-memory reindex --search` indexes them, and every question
goes through the function behind its command `tool search-notes` with `search_type="text"`: vectors need a model
download. It asks for all words of a question first and, when that finds nothing, for any of them, but not when
the question holds a number or a quotation: such questions are answered with nothing, which counts as a miss.
All state lies in the working folder, which the caller gives and removes.
"""

import asyncio
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

#: Said before basic-memory is imported: where its state lies, and that nothing is fetched or reported.
SETTINGS = {
    "BASIC_MEMORY_CONFIG_DIR": "state",
    "BASIC_MEMORY_HOME": "notes",
    "BASIC_MEMORY_AUTO_UPDATE": "false",
    "BASIC_MEMORY_NO_PROMOS": "1",
    "BASIC_MEMORY_LOG_LEVEL": "ERROR",
    "BASIC_MEMORY_DEFAULT_SEARCH_TYPE": "text",
    # Several writers at once wait for one another at its database, and give up after ten seconds on a busy machine.
    "BASIC_MEMORY_INDEX_ENTITY_MAX_CONCURRENT": "1",
    "BASIC_MEMORY_INDEX_METADATA_UPDATE_MAX_CONCURRENT": "1",
    "HF_HUB_OFFLINE": "1",
    "LOGFIRE_IGNORE_NO_CONFIG": "1",
    "DO_NOT_TRACK": "1",
}
#: Runs of its indexing: where its database was busy it leaves out files, or all of them, and the next run takes these.
TRIES = 5


def main() -> None:
    """Read documents and questions from stdin, write a line with ranked ids for each question."""
    here = Path.cwd()
    for name, value in SETTINGS.items():
        os.environ[name] = str(here / value) if value in ("state", "notes") else value
    rows = [json.loads(line) for line in sys.stdin.buffer.read().split(b"\n") if line.strip()]
    documents = [row for row in rows if "document" in row]
    names = _write(documents, here / "notes")
    index = [sys.executable, "-c", "from basic_memory.cli.main import app; app()", "reindex", "--search"]
    for _ in range(TRIES):
        subprocess.run(index, check=False, stdout=sys.stderr)
        if (there := _indexed(here / "state" / "memory.db")) == len(names):
            break
        if not there:  # a database whose making was broken off stays so
            shutil.rmtree(here / "state", ignore_errors=True)
    else:
        sys.exit(f"basic-memory: {there} of {len(names)} files are in its index after {TRIES} runs of its indexing")
    asyncio.run(_ask([row for row in rows if "question" in row], names))


def _write(documents: list[dict[str, Any]], folder: Path) -> dict[str, str]:
    """Write a note a document, named by number; return number -> id."""
    folder.mkdir()
    names = {f"d{place:06d}": str(row["document"]) for place, row in enumerate(documents)}
    for name, row in zip(names, documents, strict=True):
        text = f"# {name}\n\n{row['title']} {row['time']}\n\n{row['text']}\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")
    return names


def _indexed(database: Path) -> int:
    """Return how many files its search knows; its own exit code is 0 too when it found no project to index."""
    try:
        with contextlib.closing(sqlite3.connect(database, timeout=60)) as base:
            return int(base.execute("SELECT count(DISTINCT file_path) FROM search_index").fetchone()[0])
    except sqlite3.Error:
        return 0


async def _ask(questions: list[dict[str, Any]], names: dict[str, str]) -> None:
    from loguru import logger  # type: ignore[import-not-found]  # noqa: PLC0415 (comes with basic-memory)

    logger.remove()  # its log of every step goes to stderr and takes longer than the search
    from basic_memory import db  # type: ignore[import-not-found]  # noqa: PLC0415 (reads the settings when imported)
    from basic_memory.mcp.tools import search_notes  # type: ignore[import-not-found]  # noqa: PLC0415 (the same)

    try:
        for row in questions:
            found = await search_notes(
                query=row["text"], search_type="text", output_format="json", page_size=row["k"], compact=True
            )
            if not isinstance(found, dict):
                sys.exit(f"basic-memory: {str(found).strip()[:300]}")
            hits = found["results"]
            ids = [names[stem] for hit in hits if (stem := Path(str(hit.get("file_path"))).stem) in names]
            sys.stdout.write(json.dumps({"question": row["question"], "ids": list(dict.fromkeys(ids))}) + "\n")
            sys.stdout.flush()  # what is answered counts when the time is up
    finally:
        await db.shutdown_db()


if __name__ == "__main__":
    main()
