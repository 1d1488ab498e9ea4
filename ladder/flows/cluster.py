"""Workers of a Dask cluster for `--on`: those of a running scheduler, or some started here (extra `cluster`)."""

import asyncio
import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ladder.extra import missing_extra
from transcripts.mining.machines import Machines, MachinesError

LOCAL = "local"
"""The address that starts a process for each core here."""
_PATIENCE = 10
"""Seconds that a scheduler may take to answer."""


@contextmanager
def machines_at(address: str) -> Iterator[Machines]:
    """Join the scheduler at `address` (as in `tcp://HOST:8786`), or start workers here for `local`.

    Raises:
        MachinesError: the extra is missing, nobody answers, no worker is there, or workers died again and again.
    """
    try:
        import distributed
    except ImportError as error:
        raise MachinesError(missing_extra("--on", "cluster")) from error
    # What the engine tells of lost connections and dead workers is told as one line, or mended and not told.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        place: object = address
        if address == LOCAL:
            place = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=os.cpu_count() or 1,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # None would open port 8787 to everybody
                )
            )
        else:
            _look(address)
        try:
            client = stack.enter_context(distributed.Client(place, timeout=_PATIENCE, set_as_default=False))
        except OSError as error:
            raise MachinesError(f"no Dask scheduler answers at {address}") from error
        threads = sum(client.nthreads().values())
        executor = client.get_executor(pure=False)

        def hold(data: bytes) -> object:
            # The result of a task, not scattered data: it is made again when the worker that holds it dies.
            return client.submit(_same, data, pure=False)

        try:
            yield Machines(executor, threads, hold, code_mark)
        except distributed.KilledWorker as error:
            raise MachinesError("workers died again and again over one log: have they enough memory?") from error
        except (distributed.CancelledError, distributed.comm.CommClosedError) as error:
            raise MachinesError(f"the Dask scheduler at {address} went away; what was read so far is kept") from error


def _look(address: str) -> None:
    """Ask whoever answers at an address for what it is: a client may wait for ever for one that is no scheduler."""
    import distributed

    async def identity() -> dict[str, Any]:
        keys = distributed.security.Security().get_connection_args("client")
        async with distributed.rpc(address, timeout=_PATIENCE, connection_args=keys) as scheduler:
            told: dict[str, Any] = await scheduler.identity()
            return told

    try:
        told = asyncio.run(asyncio.wait_for(identity(), _PATIENCE + 1))
    except ValueError as error:
        raise MachinesError(f"{address!r} is no address of a scheduler: tcp://HOST:PORT, or `{LOCAL}`") from error
    except OSError as error:  # TimeoutError too, and what is said where another protocol is spoken
        raise MachinesError(f"no Dask scheduler answers at {address}") from error
    if told.get("type") != "Scheduler":
        raise MachinesError(f"what answers at {address} is no Dask scheduler")
    if not told.get("workers"):
        raise MachinesError(f"the Dask scheduler at {address} has no workers")


def _same(data: bytes) -> bytes:
    return data


@cache
def code_mark() -> str:
    """Return a hash of ladder's own code: workers of other code might find something else."""
    home = Path(__file__).parent.parent.parent
    hashed = hashlib.blake2b(digest_size=16)
    for folder in ("ladder", "notes", "transcripts"):
        for file in sorted((home / folder).rglob("*.py"), key=lambda file: file.relative_to(home).parts):
            hashed.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return hashed.hexdigest()
