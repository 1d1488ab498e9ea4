"""Run by the fault tests in a process of its own: writes a note and dies at the N-th system call that matters.

    python killed_writer.py ROOT NOTE WHAT N

Dies before the N-th call when N is even-numbered by `2 k`, after it when it is `2 k + 1`; exits 0 when it got through.
"""

import os
import sys
from pathlib import Path

CALLS = ("open", "write", "fsync", "close", "replace", "rename", "link", "unlink", "fchmod", "ftruncate", "mkdir")


def main() -> None:
    root, name, what, fatal = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    from notes.writing.store import (  # the modules load before calls are counted
        Place,
        append_entry,
        create,
        replace_head,
    )

    append_entry_ready = Place(root, root / name)
    passed = 0

    def wrap(call):
        def wrapped(*args, **kwargs):
            nonlocal passed
            mine = passed
            passed += 1
            if fatal == 2 * mine:
                os._exit(9)
            if call is real_write and fatal == 2 * mine + 1 and len(args[1]) > 1:
                call(args[0], args[1][: len(args[1]) // 2])  # a kill in the middle of a write
                os._exit(9)
            try:
                return call(*args, **kwargs)
            finally:
                if fatal == 2 * mine + 1:
                    os._exit(9)

        return wrapped

    real_write = os.write
    for call in CALLS:
        if hasattr(os, call):
            setattr(os, call, wrap(getattr(os, call)))
    if what == "head":
        replace_head(append_entry_ready, "the new head\n\nof two paragraphs")
    elif what == "append":
        append_entry(append_entry_ready, "the new entry " * 50)
    else:
        create(root, "Fresh note", head="its head")
    os._exit(0)


main()
