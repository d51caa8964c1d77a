"""Requests made up from the schemas of the studio and the server never get a server error, whatever they hold."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from studio import BIRDS, TABLE, server, studio

schemathesis = pytest.importorskip("schemathesis", reason="Schemathesis is not installed")

FOLDER = tempfile.TemporaryDirectory(prefix="unless-fuzz-")
CLIENT, SESSION = studio(Path(FOLDER.name), TABLE, BIRDS)
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", CLIENT.app, headers={"host": "localhost"})
SERVED = schemathesis.openapi.from_asgi("/openapi.json", server().app, headers={"host": "localhost"})
# A busy machine may take its time: only what is answered is judged.
ASKED = {"headers": {"host": "localhost"}, "timeout": 120}
GENERATED = {"deadline": None, "phases": [Phase.generate], "suppress_health_check": list(HealthCheck)}


@SCHEMA.parametrize()
@settings(max_examples=8, **GENERATED)
def test_no_request_makes_a_server_error(case) -> None:
    answer = case.call(**ASKED)
    assert answer.status_code < 500, answer.text


@SERVED.parametrize()
@settings(max_examples=8, **GENERATED)
def test_the_server_keeps_to_its_schema(case) -> None:
    answer = case.call(**ASKED)
    assert answer.status_code < 500, answer.text
    case.validate_response(answer, checks=(schemathesis.checks.CHECKS.get_one("response_schema_conformance"),))
