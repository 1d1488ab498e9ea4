"""Work instead of time: how many lines of Python a call runs through, the same on a busy machine."""

import sys


def lines_run(call, *arguments):
    """Return what `call` returns, and the lines of Python that it ran."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = call(*arguments)
    finally:
        sys.settrace(before)
    return found, count
