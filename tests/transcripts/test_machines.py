"""What other machines read is what this one reads, byte for byte; what they cannot do is said in one line."""

import os
import pickle
import signal
import socket
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from ladder.flows.cluster import code_mark, machines_at
from ladder.flows.learning import Learner, learn_from
from notes import find_notes, folder_settings
from transcripts import Store, paired, redact, sessions, write_pairs
from transcripts.mining import machines as far
from transcripts.mining.machines import Machines, MachinesError

WORDS = ("canary", "ledger", "heron", "mistral", "quorum")


def write_log(log, project, name, words):
    a = log(name)
    for word in words:
        a.user(f"{name} {word}: how do we go back?")
        a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
        a.say("Run shipctl revert with the violet wave; the tangerine dashboard tells, the heron alarm fires.")
    return a.save()


def mined(tmp_path, project, name, machines=None):
    """The bytes of all that mining into the store `name` leaves, by file."""
    notes = find_notes(folder_settings(project))
    store, found = Store(tmp_path / name / "mined"), sessions(tmp_path / "logs")
    learner = Learner(found, notes, project, tmp_path / name / "learned", redact)
    with store.lock():
        done = list(store.update(found, redact, None if machines else 1, learner, machines))
        result = paired(store, notes, project, floor=1000, clean=redact)
    write_pairs([*result.pairs, *result.delivered], tmp_path / name / "pairs.jsonl")
    seen = {each.session.file: each.found for each in done if each.found is not None}
    learn_from(learner, tmp_path / name / "learned", seen=seen)
    files = (path for path in (tmp_path / name).rglob("*") if path.is_file() and path.name != "lock")
    return {path.relative_to(tmp_path / name).as_posix(): path.read_bytes() for path in files}


class LastFirst(ThreadPoolExecutor):
    """Gives work through pickle, as a cluster does, and does the newest of what waits first."""

    def submit(self, fn, *args):
        return super().submit(lambda: fn(*pickle.loads(pickle.dumps(args))))


def with_threads(executor, mark=code_mark):
    return Machines(executor, 3, lambda data: data, mark)


def test_machines_leave_the_same_bytes_also_when_logs_were_gone_on_with(log, project, tmp_path):
    for n in range(9):
        write_log(log, project, f"s{n}", WORDS[: 1 + n % 3])
    with LastFirst(3) as executor:
        one, two = mined(tmp_path, project, "one"), mined(tmp_path, project, "two", with_threads(executor))
        assert one == two
        assert sum(name.startswith("mined/s") for name in one) == 9
        assert one["pairs.jsonl"]
        assert one["learned"]
        for n in range(4):
            write_log(log, project, f"s{n}", WORDS)
        again = mined(tmp_path, project, "two", with_threads(executor))
        assert mined(tmp_path, project, "one") == again != one


def test_no_more_jobs_are_asked_for_than_the_workers_can_begin(log, project, tmp_path):
    for n in range(9):
        write_log(log, project, f"s{n}", WORDS[:1])
    open_now, most = [], [0]

    class Lazy(ThreadPoolExecutor):
        def submit(self, fn, *args):
            future = Future()
            future.result = lambda timeout=None: open_now.remove(future) or fn(*args)
            open_now.append(future)
            most[0] = max(most[0], len(open_now))
            return future

    mined(tmp_path, project, "two", Machines(Lazy(1), 1, lambda data: data, code_mark))
    assert most == [4]


@pytest.mark.parametrize("how", ["gone", "shorter"])
@pytest.mark.parametrize("which", ["log", "agent"])
def test_a_log_that_a_worker_cannot_see_is_named(log, project, tmp_path, monkeypatch, how, which):
    path = write_log(log, project, "s1", WORDS)
    if which == "agent":
        path = write_log(
            lambda name: log(name, folder=tmp_path / "logs" / "s1" / "subagents"), project, "agent-a", WORDS
        )
    real = far.read_far

    def elsewhere(job, held):
        whole = path.read_bytes()
        path.unlink() if how == "gone" else path.write_bytes(whole[:100])
        try:
            return real(job, held)
        finally:
            path.write_bytes(whole)

    monkeypatch.setattr(far, "read_far", elsewhere)
    with ThreadPoolExecutor(1) as executor, pytest.raises(MachinesError) as caught:
        mined(tmp_path, project, "two", with_threads(executor))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "two" / "mined").glob("s1*"))


def test_a_log_that_is_swept_here_too_is_no_fault(log, project, tmp_path):
    write_log(log, project, "s1", WORDS)
    store, found = Store(tmp_path / "mined"), sessions(tmp_path / "logs")

    def sweep(data):
        found[0].file.unlink()
        return data

    with ThreadPoolExecutor(1) as executor, store.lock():
        done = list(store.update(found, machines=Machines(executor, 1, sweep, code_mark)))
    assert [each.found for each in done] == [None]
    assert store.files() == []


def other_code():
    """Another hash each time."""
    return os.urandom(8).hex()


def test_workers_of_other_code_are_refused(log, project, tmp_path):
    write_log(log, project, "s1", WORDS)
    with ThreadPoolExecutor(1) as executor, pytest.raises(MachinesError, match="another version of ladder"):
        mined(tmp_path, project, "two", with_threads(executor, other_code))


def test_without_the_extra_one_line_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MachinesError, match=r"^--on needs the extra `cluster`.*$"), machines_at("local"):
        pass


# --- with Dask ------------------------------------------------------------------------------------------------------


@pytest.fixture
def dask():
    return pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


@pytest.mark.filterwarnings("default")
def test_a_local_cluster_leaves_the_same_bytes_also_when_a_worker_is_killed(dask, log, project, tmp_path):
    for n in range(12):
        write_log(log, project, f"s{n}", WORDS[: 1 + n % 5])
    one = mined(tmp_path, project, "one")
    kwargs = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with dask.LocalCluster(**kwargs) as cluster:
        with machines_at(cluster.scheduler_address) as machines:
            assert machines.workers == 2
            assert mined(tmp_path, project, "two", machines) == one
        with machines_at(cluster.scheduler_address) as machines:
            victims = [worker.pid for worker in cluster.workers.values()]
            real, submitted = machines.executor.submit, []

            def submit(*args):
                submitted.append(1)
                if len(submitted) == 9:  # eight wait or are done
                    os.kill(victims[0], getattr(signal, "SIGKILL", signal.SIGTERM))
                return real(*args)

            machines.executor.submit = submit
            assert mined(tmp_path, project, "three", machines) == one
            assert len(submitted) == 12


def test_one_line_says_that_no_scheduler_answers(dask):
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    said = f"^no Dask scheduler answers at tcp://127.0.0.1:{port}$"
    with pytest.raises(MachinesError, match=said), machines_at(f"tcp://127.0.0.1:{port}"):
        pass


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1", "tcp://x:"])
def test_one_line_says_what_an_address_is(dask, address):
    with pytest.raises(MachinesError, match="is no address of a scheduler"), machines_at(address):
        pass


def test_the_command_says_one_line(dask, log, project, tmp_path):
    write_log(log, project, "s1", WORDS)
    command = [sys.executable, "-P", "-m", "ladder", "mine", "--on", "nonsense"]
    places = ["--logs", str(tmp_path / "logs"), "--notes", str(project), "--out", str(tmp_path / "pairs.jsonl")]
    done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "ladder: 'nonsense' is no address of a scheduler: tcp://HOST:PORT, or `local`\n"
    assert not Path(tmp_path / "pairs.jsonl").exists()
