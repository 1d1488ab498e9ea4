"""`--on ADDRESS`: a command's work on the workers of a Dask cluster."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ladder.cli.terminal import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transcripts.mining.machines import Machines


@contextmanager
def machines_of(address: str) -> "Iterator[Machines | None]":
    """The workers at `address`, None for "".

    Raises:
        Failure: what they cannot do, in one line.
    """
    if not address:
        yield None
        return
    from ladder.flows.cluster import machines_at
    from transcripts.mining.machines import MachinesError

    try:
        with machines_at(address) as machines:
            yield machines
    except MachinesError as error:
        raise Failure(str(error)) from error
