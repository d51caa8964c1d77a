"""`unless serve` on real sockets and files: several models, files that change, clients slow, silent or gone."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress

import pytest
import uvicorn
from starlette.testclient import TestClient

from export_programs import graded_two
from studio import BIRDS, LABELS, ROWS
from unless.cli.progress import speaking
from unless.cli.server import config_of, listen
from unless.errors import DataError
from unless.logic.text.parser import parse
from unless.web import attention, comparison_process, connections, served_models
from unless.web.security import RequestLimits
from unless.web.serve_application import serve_app
from unless.web.served_models import read_models
from unless.web.served_program import ServedProgram, version_of

OTHER = BIRDS.replace("'penguin'", "'robin'")
PREDICT = {"rows": ROWS}


@pytest.fixture
def two(tmp_path):
    for name in ("birds", "other birds"):
        (tmp_path / f"{name}.lp").write_text(BIRDS)
    return [tmp_path / "birds.lp", tmp_path / "other birds.lp"]


def labels(answer):
    return [each["label"] for each in answer.json()["answers"]]


# Several models.


def test_a_grade_of_before_an_edit_is_said(tmp_path, caplog):
    """Probabilities were answered from it without a word."""
    text = str(graded_two()).replace("%@ grade", "%@ grade of 9c0dcf2d018a\n%@ grade", 1)
    (tmp_path / "risk.lp").write_text(text, encoding="utf-8")
    read_models([tmp_path / "risk.lp"])
    assert "the grade is of the program before it was edited" in caplog.text


def test_each_model_answers_by_its_name(two):
    two[1].write_text(OTHER)
    client = TestClient(serve_app(read_models(two)), base_url="http://localhost")
    assert labels(client.post("/models/birds/predict", json=PREDICT)) == LABELS
    answer = client.post("/models/other%20birds/predict", json=PREDICT)
    assert answer.json()["model"] == "other birds"
    assert answer.json()["version"] == version_of(parse(OTHER))
    assert labels(answer) != LABELS
    assert [each["model"] for each in client.get("/models").json()["models"]] == ["birds", "other birds"]
    for path in ("/api/predict", "/models/brids/predict"):
        refused = client.post(path, json=PREDICT)
        assert refused.status_code == 404
        assert "birds, other birds" in refused.json()["error"]["message"]
    assert "Did you mean 'birds'?" in refused.json()["error"]["message"]


def test_two_files_of_one_name_are_refused(two, tmp_path):
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "birds.lp").write_text(BIRDS)
    with pytest.raises(DataError, match="two model files are named 'birds'"):
        read_models([*two, tmp_path / "again" / "birds.lp"])


def test_schema_and_page_are_made_from_the_columns(two):
    client = TestClient(serve_app(read_models(two)), base_url="http://localhost")
    schema = client.get("/openapi.json").json()
    paths = {f"/models/{name}/{what}" for name in ("birds", "other%20birds") for what in
             ("predict", "explain", "program", "compare")}  # fmt: skip
    assert set(schema["paths"]) == paths | {"/models", "/health", "/metrics"}
    row = schema["components"]["schemas"]["Row-birds"]
    assert row["required"] == ["bird", "name", "age"]
    assert row["properties"]["name"]["x-words"] == ["penguin"]
    assert row["properties"]["age"]["x-thresholds"] == [100.0]
    example = {"rows": row["examples"]}
    answers = client.post("/models/birds/predict", json=example).json()["answers"]
    assert "warnings" not in answers[0]
    page = client.get("/docs")
    for text in ("bird is yes", "penguin", "version " + version_of(parse(BIRDS))):
        assert text in page.text
    outside = [text for text in page.text.split('"') if text.startswith(("http:", "https:", "//"))]
    assert outside == []
    for path in ("/docs.css", "/docs.js"):
        assert path in page.text
        assert client.get(path).status_code == 200
    assert client.get("/", follow_redirects=False).headers["location"] == "/docs"


def test_one_model_answers_at_the_short_path_too(two):
    client = TestClient(serve_app(read_models(two[:1])), base_url="http://localhost")
    assert {"/api/predict", "/models/birds/predict"} <= set(client.get("/openapi.json").json()["paths"])
    assert labels(client.post("/api/predict", json=PREDICT)) == LABELS


def test_names_that_html_would_take_for_its_own_are_harmless(tmp_path):
    text = BIRDS.replace("'penguin'", "'<script>alert(1)</script>'").replace("flies", "fl\"'<b>")
    program = parse(text.replace("fl\"'<b>(", "flies(").replace("target fl\"'<b>:", "target flies:"))
    page = TestClient(serve_app(program), base_url="http://localhost").get("/docs").text
    assert "<script>alert" not in page


# Files that change.


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def put(path, text):
    """Put a file in the place of another at once: a server that looks all the time never meets half of it."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.replace(path)


def test_a_file_that_changes_is_read_again_and_a_broken_one_is_not_taken(two, monkeypatch, caplog):
    monkeypatch.setattr(served_models, "LOOK_EVERY", 0.02)
    with TestClient(serve_app(read_models(two)), base_url="http://localhost") as client:

        def now():
            return {
                each["model"]: (each["version"], each["problem"]) for each in client.get("/models").json()["models"]
            }

        old, new = version_of(parse(BIRDS)), version_of(parse(OTHER))
        assert now()["birds"] == (old, None)
        client.post("/models/birds/predict", json=PREDICT)
        put(two[0], OTHER)
        assert until(lambda: now()["birds"] == (new, None))
        assert now()["other birds"] == (old, None)
        put(two[0], "flies(X :- ")
        assert until(lambda: now()["birds"][1] is not None)
        version, problem = now()["birds"]
        assert version == new
        assert problem.startswith("the program of before goes on, because its file cannot be read: ")
        assert "birds.lp, line 1" in problem
        assert labels(client.post("/models/birds/predict", json=PREDICT)) != LABELS
        two[0].unlink()
        assert until(lambda: "cannot read" in now()["birds"][1])
        put(two[0], BIRDS)
        assert until(lambda: now()["birds"] == (old, None))
        assert labels(client.post("/models/birds/predict", json=PREDICT)) == LABELS
        metrics = client.get("/metrics").text
    assert 'unless_reloads_total{model="birds",result="new"} 2' in metrics
    assert 'unless_reloads_total{model="birds",result="refused"} 2' in metrics
    assert f'version="{new}",label' not in metrics  # counts of versions that are gone are forgotten
    said = [record.getMessage() for record in caplog.records if record.name == "unless.serve"]
    assert sum("goes on" in each for each in said) == 2


def test_what_happens_again_is_said_again(capsys):
    """A server's second change to a version, or a file that broke again, was in no log: remarks are said once."""
    with speaking("en"):
        for name in ("unless.serve", "unless.serve", "unless", "unless"):
            logging.getLogger(name).warning("%s: version 2, before it 1.", name)
    said = capsys.readouterr().err.splitlines()
    assert said == ["unless: unless.serve: version 2, before it 1."] * 2 + ["unless: unless: version 2, before it 1."]


# Work that nobody waits for.


def asked(app, path, body, leaving_after=1):
    """Call an application whose client sends a body and leaves; return what was sent."""
    sent, pieces = [], [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]

    async def receive():
        if pieces:
            return pieces.pop()
        for _ in range(leaving_after):
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": [(b"host", b"localhost")], "query_string": b""}
    asyncio.run(app(scope, receive, send))
    return sent


def test_rows_are_no_longer_answered_once_the_client_has_left(monkeypatch):
    monkeypatch.setattr(attention, "PIECE", 0.0)
    answered = []
    real = ServedProgram.answer
    monkeypatch.setattr(ServedProgram, "answer", lambda *a, **k: answered.append(1) or real(*a, **k))
    for path in ("/api/predict", "/api/explain"):
        answered.clear()
        assert asked(serve_app(parse(BIRDS)), path, {"rows": ROWS * 40}) == []
        assert 1 <= len(answered) < 20


def test_a_comparison_that_is_given_up_ends_its_process(monkeypatch):
    """Comparisons ran on in a thread after the answer 503."""
    started = []
    real = asyncio.create_subprocess_exec

    async def noted(*arguments, **options):
        started.append(await real(sys.executable, "-c", "import time; time.sleep(600)", **options))
        return started[-1]

    monkeypatch.setattr(comparison_process.asyncio, "create_subprocess_exec", noted)
    body = {"program": OTHER, "rows": ROWS}
    assert asked(serve_app(parse(BIRDS)), "/api/compare", body, leaving_after=2000) == []
    sent = asked(serve_app(parse(BIRDS), limits=RequestLimits(seconds=0.5)), "/api/compare", body, 10**9)
    assert sent[0]["status"] == 503
    assert len(started) == 2
    assert all(process.returncode == -signal.SIGKILL for process in started)


# Real sockets.


@contextmanager
def running(app):
    """Serve as `unless serve` does, in a thread, and give the address."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(config_of(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        thread.join(20)


def get(address, path="/health", timeout=20):
    with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}{path}", timeout=timeout) as answer:
        return answer.status


def half_open(address, n, text=b"POST /api/predict HTTP/1.1\r\nhost: localhost\r\n"):
    opened = []
    for _ in range(n):
        connection = socket.create_connection(address, timeout=20)
        connection.sendall(text)
        opened.append(connection)
    return opened


SLOW_BODY = b"POST /api/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"


@pytest.mark.parametrize("text", [b"", b"GET /health HT", SLOW_BODY], ids=["silent", "half a head", "half a body"])
def test_half_open_connections_lock_nobody_out(text, monkeypatch):
    """135 of them were enough to lock everyone out, for ever."""
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 150)
    with running(serve_app(parse(BIRDS))) as address:
        opened = half_open(address, 200, text)
        try:
            assert [get(address) for _ in range(3)] == [200, 200, 200]
            assert _is_closed(opened[0])  # the one that had waited longest
        finally:
            for connection in opened:
                connection.close()


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with running(serve_app(parse(BIRDS))) as address:
        fresh, kept = half_open(address, 1)[0], socket.create_connection(address, timeout=20)
        kept.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b'"ok"}'):
            answer += kept.recv(4096)
        kept.sendall(b"GET /hea")
        for connection in (fresh, kept):
            with suppress(ConnectionResetError):
                assert connection.recv(4096) == b""
            connection.close()


def test_answers_are_sent_at_once():
    """The listening socket had protocol 0, so nobody set TCP_NODELAY, and each kept connection lost 40 ms a request."""
    listening = listen("127.0.0.1", 0)
    with listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def command(*arguments, code=None):
    head = ["-m", "unless", *arguments] if code is None else ["-c", code]
    process = subprocess.Popen([sys.executable, *head], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "listening on" in line:
            port = int(line.split("listening on http://127.0.0.1:")[1].split("/")[0])
            return process, ("127.0.0.1", port)
    raise AssertionError(process.wait(20))


def test_the_command_serves_reads_again_on_sighup_and_ends_on_ctrl_c(two):
    process, address = command("serve", *map(str, two), "--port", "0", "--strict")
    try:
        assert until(lambda: _is_up(address))
        before = two[0].stat()
        time.sleep(0.1)
        two[0].write_text(OTHER.replace("'robin'", "'puffins'"[:9]))
        os.utime(two[0], ns=(before.st_atime_ns, before.st_mtime_ns))
        process.send_signal(signal.SIGHUP)
        wanted = version_of(parse(two[0].read_text()))
        assert until(lambda: wanted in _read(address, "/models"))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert "nothing was written" not in process.stderr.read()
        process.stderr.close()


BUSY = """
import asyncio, time
from unless.cli.server import run

async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await asyncio.to_thread(time.sleep, 600)

run(app, "127.0.0.1", 0)
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_server_whose_threads_compute(sign):
    """The process waited for the thread, however long that took."""
    process, address = command(code=BUSY)
    connection = socket.create_connection(address, timeout=20)
    connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert b"200" in connection.recv(100)
    process.send_signal(sign)
    process.wait(30)
    process.stderr.close()
    connection.close()


def _is_closed(connection):
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _is_up(address):
    try:
        return get(address) == 200
    except (urllib.error.URLError, OSError):
        return False


def _read(address, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}{path}", timeout=20) as answer:
        return answer.read().decode()


def test_nothing_heavy_is_loaded_to_serve(tmp_path):
    (tmp_path / "birds.lp").write_text(BIRDS)
    heavy = ("numpy", "polars", "fastapi", "pydantic", "llvmlite", "sklearn", "narwhals")
    code = (
        "import sys\n"
        "from unless.web.serve_application import serve_app\n"
        "from unless.web.served_models import read_models\n"
        f"serve_app(read_models([{str(tmp_path / 'birds.lp')!r}]))\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == "[]"
