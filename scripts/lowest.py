"""Install the oldest versions that pyproject.toml allows, and run a few tests of every part with them.

    python scripts/lowest.py [ENVIRONMENT]

The newest versions are what everybody installs; a lower bound that nobody has tried is a guess. Indirect dependencies
are the newest that fit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("background", "excel", "export", "reason", "remote", "serve", "studio")
TOOLS = ("hypothesis", "httpx", "pandas", "pyarrow", "pytest", "pytest-rerunfailures", "pytest-xdist", "xlsxwriter")
SMOKE = (
    "tests/learn/compiling",
    "tests/learn/test_foldrpp.py",
    "tests/logic/test_parser.py",
    "tests/logic/test_json_program.py",
    "tests/evaluate/test_predict.py",
    "tests/estimators/test_foldrpp_classifier.py",
    "tests/table/test_tables.py",
    "tests/cli/test_cli.py",
    "tests/test_light.py",
    "tests/web/test_serving.py",
    "tests/test_stable_answers.py",
)
"""Compiled kernels, a learner, texts, predictions, frames, files, commands and the server."""


def tools() -> list[str]:
    """Return what the tests need, with the bounds of pyproject.toml."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    return [each for each in extras["test"] if each.partition(">")[0] in TOOLS]


def main() -> int:
    """Make the environment and run the tests."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[1] if len(sys.argv) > 1 else str(Path(temporary, "venv"))
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "-q", "--clear", "-p", sys.executable, folder], check=True)
        wanted = f"{ROOT}[{','.join(EXTRAS)}]"
        install = [*uv, "pip", "install", "-q", "-p", folder, "--resolution", "lowest-direct", "-e", wanted, *tools()]
        subprocess.run(install, check=True)
        return subprocess.run([f"{folder}/bin/python", "-m", "pytest", "-q", *SMOKE], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
