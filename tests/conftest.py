"""What all tests share: how hypothesis searches, and where the data sets of the paper are.

`UNLESS_DATA` names a folder with the data sets; without it the tests that need them are skipped by name. Searches are
the same on every run; HYPOTHESIS_PROFILE=wild looks elsewhere each time, and longer; HYPOTHESIS_PROFILE=brief does not
make failures small; HYPOTHESIS_PROFILE=few looks at ten examples, for runs that watch every line.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=60, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile("wild", deadline=None, max_examples=1000, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("brief", parent=settings.get_profile("steady"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("few", parent=settings.get_profile("brief"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Return the folder of the paper's data sets, or skip."""
    folder = os.environ.get("UNLESS_DATA")
    if not folder:
        pytest.skip("UNLESS_DATA is not set: the paper's data sets are elsewhere")
    return Path(folder)
