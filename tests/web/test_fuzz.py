"""Requests made up from the studio's own schema never get a server error, whatever they hold."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from studio import BIRDS, TABLE, studio

schemathesis = pytest.importorskip("schemathesis", reason="Schemathesis is not installed")

FOLDER = tempfile.TemporaryDirectory(prefix="unless-fuzz-")
CLIENT, SESSION = studio(Path(FOLDER.name), TABLE, BIRDS)
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", CLIENT.app, headers={"host": "localhost"})


@SCHEMA.parametrize()
@settings(max_examples=8, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_no_request_makes_a_server_error(case) -> None:
    answer = case.call(headers={"host": "localhost"})
    assert answer.status_code < 500, answer.text
