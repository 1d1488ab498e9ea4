"""memvid-sdk (2.0) as a system, its lexical search, no key, no network: run this file with the Python that has it.

    ladder bench public locomo --program "PEER/bin/python bench/public/adapters/memvid.py"

Each document is put into one `.mv2` file in the working folder under a number as its title; `find` in the mode `lex`
ranks passages, and a document stands where its best passage does. It asks for all words of a query, which on whole
questions finds next to nothing, so the words are joined by its own operator OR. Its analytics are switched off before
it is imported; embeddings, which fetch a model, stay off.
"""

import json
import os
import sys
from typing import Any

#: Passages asked for per document wanted: several may come from one document.
DEEPER = 4


def main() -> None:
    """Read documents and questions from stdin, write a line with ranked ids for each question."""
    os.environ["MEMVID_TELEMETRY"] = "0"
    os.environ["HF_HUB_OFFLINE"] = "1"
    import memvid_sdk  # type: ignore[import-not-found]  # noqa: PLC0415 (reads the settings when imported)

    rows = [json.loads(line) for line in sys.stdin.buffer.read().split(b"\n") if line.strip()]
    documents = [row for row in rows if "document" in row]
    names = {f"d{place:06d}": str(row["document"]) for place, row in enumerate(documents)}
    memory = memvid_sdk.create("documents.mv2", enable_lex=True, enable_vec=False)
    memory.put_many(
        [
            {"title": name, "label": "document", "text": f"{row['title']} {row['time']}\n\n{row['text']}"}
            for name, row in zip(names, documents, strict=True)
        ]
    )
    memory.commit()
    for row in rows:
        if "question" in row:
            ids = _ranked(memory, row["text"], row["k"], names)
            sys.stdout.write(json.dumps({"question": row["question"], "ids": ids}) + "\n")
            sys.stdout.flush()  # what is answered counts when the time is up
    memory.close()


def _ranked(memory: Any, text: str, k: int, names: dict[str, str]) -> list[str]:  # noqa: ANN401 (the peer's own class)
    # And, Or and Not are operators to it, in small letters too.
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    words = [word for word in words if word not in ("and", "or", "not")]
    if not words:
        return []
    found = memory.find(" OR ".join(words), k=DEEPER * k, mode="lex", snippet_chars=1)
    # A long document is cut; its parts are called `d000004 (page 2/3)`.
    titles = [str(hit.get("title") or "").partition(" ")[0] for hit in found.get("hits", [])]
    return list(dict.fromkeys(names[title] for title in titles if title in names))[:k]


if __name__ == "__main__":
    main()
