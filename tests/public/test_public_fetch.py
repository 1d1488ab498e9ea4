"""Downloads against a server on this machine: whole, resumed, broken off, wrong."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from bench.public.fetch import FetchError, fetch
from ladder.cli.app import app

BODY = bytes(range(256)) * 700


class Server(BaseHTTPRequestHandler):
    asked: list[str | None] = []  # noqa: RUF012 (emptied by the fixture)

    def do_GET(self):
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        if self.path == "/gone":
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.path != "/whole" else 0
        if start >= len(BODY):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(BODY)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/chunks":
            self.protocol_version = "HTTP/1.1"
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"3e8\r\n" + BODY[:1000] + b"\r\n3e8\r\n" + BODY[:10])
            self.close_connection = True
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(BODY) - start))
        self.end_headers()
        self.wfile.write(BODY[start : 1000 if self.path == "/short" else None])

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    Server.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_comes_whole_with_progress(address, tmp_path):
    seen = []
    target = fetch(
        f"{address}/set",
        tmp_path / "new" / "set.json",
        sha256=hashlib.sha256(BODY).hexdigest(),
        progress=lambda done, whole: seen.append((done, whole)),
    )
    assert target.read_bytes() == BODY
    assert seen[-1] == (len(BODY), len(BODY))
    assert [path.name for path in target.parent.iterdir()] == ["set.json"]


def test_a_part_is_gone_on_with(address, tmp_path):
    (tmp_path / "set.json.part").write_bytes(BODY[:5000])
    assert fetch(f"{address}/set", tmp_path / "set.json").read_bytes() == BODY
    assert Server.asked == ["bytes=5000-"]


def test_a_server_without_ranges_sends_it_anew(address, tmp_path):
    (tmp_path / "set.json.part").write_bytes(b"old" * 2000)
    assert fetch(f"{address}/whole", tmp_path / "set.json").read_bytes() == BODY


def test_a_part_that_was_whole_is_taken(address, tmp_path):
    (tmp_path / "set.json.part").write_bytes(BODY)
    assert fetch(f"{address}/set", tmp_path / "set.json").read_bytes() == BODY


def test_a_part_of_another_larger_file_is_no_part_of_this_one(address, tmp_path):
    (tmp_path / "set.json.part").write_bytes(BODY + b"more")
    assert fetch(f"{address}/set", tmp_path / "set.json").read_bytes() == BODY
    assert Server.asked == [f"bytes={len(BODY) + 4}-", None]


def test_what_is_there_with_the_right_checksum_is_not_asked_for(address, tmp_path):
    (tmp_path / "set.json").write_bytes(BODY)
    fetch(f"{address}/set", tmp_path / "set.json", sha256=hashlib.sha256(BODY).hexdigest())
    assert Server.asked == []
    fetch(f"{address}/set", tmp_path / "set.json")
    assert Server.asked == [None]


def test_an_answer_in_pieces_that_ends_early_is_told(address, tmp_path):
    with pytest.raises(FetchError, match="run the command again"):
        fetch(f"{address}/chunks", tmp_path / "set.json")
    assert not (tmp_path / "set.json").exists()
    with pytest.raises(FetchError, match="run the command again"):
        fetch("http://localhost:port/x", tmp_path / "set.json")


def test_what_is_broken_off_stays_for_the_next_attempt(address, tmp_path):
    with pytest.raises(FetchError, match="ended after 1000 of"):
        fetch(f"{address}/short", tmp_path / "set.json")
    assert (tmp_path / "set.json.part").read_bytes() == BODY[:1000]
    assert not (tmp_path / "set.json").exists()
    assert fetch(f"{address}/set", tmp_path / "set.json").read_bytes() == BODY


def test_a_wrong_checksum_keeps_nothing(address, tmp_path):
    (tmp_path / "set.json").write_bytes(b"mine")
    with pytest.raises(FetchError, match="SHA-256"):
        fetch(f"{address}/set", tmp_path / "set.json", sha256="0" * 64)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"mine"]


def test_no_answer_and_an_error_name_the_address(address, tmp_path):
    with pytest.raises(FetchError, match="/gone: the server answers 404"):
        fetch(f"{address}/gone", tmp_path / "x")
    with pytest.raises(FetchError, match="not a web address"):
        fetch("file:///etc/passwd", tmp_path / "x")


def test_the_command_says_where_it_lies_and_when_another_address_gave_another_file(address, tmp_path):
    words = ["bench", "fetch", "longmemeval", "--data", str(tmp_path), "--url", f"{address}/set"]
    done = CliRunner().invoke(app, words, catch_exceptions=False, standalone_mode=False)
    target = tmp_path / "longmemeval" / "longmemeval_s.json"
    assert done.stdout == f"{target}\n"
    assert hashlib.sha256(BODY).hexdigest() in done.stderr
    assert target.read_bytes() == BODY
