"""The engines that exports are replayed on: a test that needs one which is absent is skipped by its name.

Engines that `UNLESS_ENGINES` names (targets, with blanks between them) must be there: their tests fail instead.
"""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from unless.errors import EngineError
from unless.export.targets import TARGETS


def engine_of(to):
    """Return the engine of a target, or skip the test by the name of what is absent."""
    engine = import_module(f"unless.export.{TARGETS[to].replayer}")
    try:
        engine.version()
    except EngineError as absent:
        if to in os.environ.get("UNLESS_ENGINES", "").split():
            raise
        pytest.skip(str(absent))
    return engine
