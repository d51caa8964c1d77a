"""What is fuzzed: functions of bytes that may refuse them (by an error of ours) and may do nothing else.

A target also checks what must hold of what is accepted: a program that is read is written and read again the same.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unless.errors import UnlessError

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
PROGRAMS = ("examples/*.lp", "tests/golden/**/*.lp")
TABLES = ("examples/*.csv", "tests/ugly/*.csv")
SMALL = 8_000


@dataclass(frozen=True, slots=True)
class Target:
    """A name, what is done with bytes, and where inputs that mean something come from."""

    name: str
    what: str
    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    tries: int
    """How many inputs a full run takes: more where they are quick."""


def attempt(target: Target, data: bytes) -> bool:
    """Give bytes to a target; tell whether they were accepted. Anything but an error of ours is raised."""
    try:
        target.run(data)
    except UnlessError as refusal:
        return _is_said(str(refusal))
    return True


def _is_said(refusal: str) -> bool:
    assert refusal.strip(), "a refusal says something"
    assert "Traceback" not in refusal
    return False


def files(*patterns: str) -> list[bytes]:
    """Read the small files that patterns name."""
    found = (path for pattern in patterns for path in sorted(ROOT.glob(pattern)))
    return [path.read_bytes()[:SMALL] for path in found]


def run_program(data: bytes) -> None:
    from unless import parse

    program = parse(data.decode("utf-8", errors="surrogateescape"))
    assert parse(str(program)) == program


def run_json(data: bytes) -> None:
    from unless import parse
    from unless.logic.text.json_program import program_json, read_program_json

    program = read_program_json(data.decode("utf-8", errors="surrogateescape"))
    assert read_program_json(program_json(program)) == program
    assert parse(str(program)) == program


def run_background(data: bytes) -> None:
    from unless.logic.background.clauses import read_sentences

    read_sentences(data.decode("utf-8", errors="surrogateescape"))


def run_query(data: bytes) -> None:
    from unless.explain.proof.ask import ask

    for answer in ask(loans_program(), loans_table(), data.decode("utf-8", errors="surrogateescape")):
        assert answer.proof is not None


def run_table(data: bytes) -> None:
    """Read a file of any format, choose how its columns are read, and look at them."""
    from unless.table.look import look

    path = scratch() / "fuzzed"
    path.write_bytes(data)
    look(str(path))


def run_request(data: bytes) -> None:
    """Send a body to the server of a program, to predict or explain: any answer but a server error will do."""
    status, body = post(ROUTES[zlib.crc32(data) % len(ROUTES)], data)
    text = body.decode("utf-8")
    assert status < 500, (status, text[:500])
    if status >= 400:
        raise UnlessError(text)
    json.loads(text, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    msg = f"{name} is no JSON"
    raise AssertionError(msg)


def run_cases(data: bytes) -> None:
    from unless.logic.reason.case_files import read_case_data
    from unless.logic.reason.cases import read_checks

    path = scratch() / "fuzzed.cases.yaml"
    path.write_bytes(data)
    read_checks(read_case_data(path), loans_program(), scratch())


def programs_as_json() -> list[bytes]:
    """Return small programs as JSON."""
    from unless import parse
    from unless.logic.text.json_program import program_json

    return [program_json(parse(text.decode())).encode() for text in files(*PROGRAMS) if len(text) < 3000]


@cache
def scratch() -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix="unless-fuzz-"))


@cache
def loans_program() -> Any:
    from unless import parse
    from unless.datasets import PLANTED

    return parse(PLANTED)


@cache
def loans_table() -> Any:
    from unless.datasets import loans
    from unless.table.frames import raw_table

    return raw_table(loans(20))


@cache
def server() -> Any:
    from unless.web.serve_application import serve_app

    return serve_app(loans_program())


@cache
def loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def post(path: str, data: bytes, app: Any = None) -> tuple[int, bytes]:
    """Send a body to an application as a server would, without one; return the status and the answer."""
    sent: list[dict[str, Any]] = []
    bodies = [{"type": "http.request", "body": data, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if bodies:
            return bodies.pop()
        return await asyncio.Future()  # the client stays

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"%d" % len(data))]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
             "headers": headers, "client": ("127.0.0.1", 1), "scheme": "http", "http_version": "1.1"}  # fmt: skip
    loop().run_until_complete((app or server())(scope, receive, send))
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])


ROUTES = ("/api/predict", "/api/explain")
QUERIES = [
    b"loan(3,Y)", b"loan(X,'approved')", b"not ab1(3)", b"income(X,N), N > 30000, loan(X,L)", b"?- loan(0,'refused').",
    b"housing(X,'owner'), not loan(X,'approved')", b"years_in_job(2,N), N =< 3.5",
]  # fmt: skip
BACKGROUND = [
    b"adult(X) :- age(X,N), N >= 18.\n", b"parent(a,b). parent(b,c). old(X) :- age(X,N), N > 60, not rich(X).",
    b"pos(flies(tweety)). neg(flies(pingu)).\nbird(X) :- penguin(X). penguin(pingu). wing(tweety, 2.5).",
]  # fmt: skip
REQUESTS = [
    b'{"rows": [{"income": 30000, "housing": "owner", "debt_ratio": 0.4, "years_in_job": "retired", "history": "ok"}]}',
    b'{"rows": [{"income": 1e308, "housing": "", "debt_ratio": null, "years_in_job": 0, "history": null}, {}]}',
    b'{"rows": [{"income": 18000.5, "debt_ratio": "0,4", "years_in_job": 3, "history": "clean", "purpose": "car"}, '
    b'{"income": "99999", "housing": "tenant"}, {"debt_ratio": 0.91, "history": "late", "housing": "parents"}]}',
    b'{"rows": []}', b"[]", b'{"rows": [{"income": [1], "purpose": "\\ud800"}]}', b'{"rows": [{}], "explain": true}',
]  # fmt: skip
CASES = [
    b"""cases:
  - name: a good income is enough
    row: {income: 42000, debt_ratio: 0.2, housing: tenant, history: clean}
    expect: approved
    rule: 1
""",
    b"""properties:
  - never depends on purpose
  - approved only rises with income
  - nobody with income at most 30000 and years in job is not retired is approved
""",
]

TARGETS = {
    each.name: each
    for each in (
        Target(
            "program",
            "texts of programs are read, written and read again",
            run_program,
            lambda: files(*PROGRAMS),
            400_000,
        ),
        Target("json", "programs are read from JSON, written and read again", run_json, programs_as_json, 60_000),
        Target("background", "texts of background knowledge are read", run_background, lambda: BACKGROUND, 200_000),
        Target("query", "questions are asked of twenty rows and proved", run_query, lambda: QUERIES, 250_000),
        Target("table", "files of any format are read and looked at", run_table, lambda: files(*TABLES), 60_000),
        Target("request", "bodies are sent to the server of a program", run_request, lambda: REQUESTS, 60_000),
        Target("cases", "files of cases and properties are read", run_cases, lambda: CASES, 60_000),
    )
}
"""A new target is a function and a row here."""
