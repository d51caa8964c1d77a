"""Install built distributions into fresh environments and use them as a newcomer would.

    python scripts/try_installed.py dist [ENVIRONMENT]

`unless` (with its studio) learns, predicts, explains, scores, exports with a replay, and starts the studio and the
server; `unless-light` predicts, explains and serves from the model file that the other one learned, and must answer the
same. The environment of `unless` alone is left in the second folder, if it is named: the bill of materials is made from
it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WAIT = 60
"""Seconds in which a server must answer."""


class Environment:
    """A fresh virtual environment with one wheel in it."""

    def __init__(self, folder: Path, wheel: str) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        self.install(wheel)

    def install(self, wheel: str) -> None:
        """Install a wheel, with the versions of the lock."""
        command = [self.program("pip"), "install", "-q", "-c", str(ROOT / "constraints.txt"), wheel]
        subprocess.run(command, check=True, env=self.environment)

    def program(self, name: str) -> str:
        """Return the path of a command."""
        return str(self.folder / ("Scripts" if os.name == "nt" else "bin") / name)

    def unless(self, command: str, folder: Path) -> str:
        """Run a command of ours; return what it prints."""
        said = subprocess.run(
            [self.program("unless"), *command.split()],
            cwd=folder, env=self.environment, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        if said.returncode:
            msg = f"unless {command} ended with {said.returncode}: {said.stderr}"
            raise SystemExit(msg)
        print(f"  unless {command}")
        return said.stdout

    def serves(self, command: str, folder: Path, port: int, path: str, expected: str) -> None:
        """Start a server, ask for a page, and end it by Ctrl-C."""
        server = subprocess.Popen([self.program("unless"), *command.split()], cwd=folder, env=self.environment)
        try:
            page = _asked(f"http://127.0.0.1:{port}{path}", server)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(WAIT)
        if expected not in page:
            msg = f"unless {command} answered {page[:200]!r}"
            raise SystemExit(msg)
        print(f"  unless {command}")


def _asked(address: str, server: subprocess.Popen[bytes]) -> str:
    """Ask until there is an answer."""
    end = time.monotonic() + WAIT
    while server.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.2)
    msg = f"{address} does not answer"
    raise SystemExit(msg)


def try_whole(place: Environment, folder: Path) -> str:
    """Learn, predict, explain, score, export; return the predictions."""
    place.unless("demo --save loans.csv", folder)
    place.unless("learn loans.csv --target loan -o loans.lp", folder)
    place.unless("rules loans.lp --english", folder)
    place.unless("score loans.lp loans.csv", folder)
    if "Probability of approved" not in place.unless("explain loans.lp loans.csv --row 6", folder):
        msg = "unless explain gives no probability"
        raise SystemExit(msg)
    place.unless("rules loans.lp --english --language de", folder)
    place.unless("report loans.lp loans.csv -o report.html", folder)
    place.unless("export loans.lp --to sql:sqlite --verify -o loans.sql", folder)
    place.unless("export loans.lp --to python --verify -o loans_rules.py", folder)
    return place.unless("predict loans.lp loans.csv", folder)


def main() -> int:
    """Try both distributions."""
    built = Path(sys.argv[1]).resolve()
    (whole,) = built.glob("unless-*.whl")
    (light,) = built.glob("unless_light-*.whl")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "work")
        folder.mkdir()
        first = Environment(Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else Path(temporary, "whole"), str(whole))
        print(f"{whole.name}:")
        predicted = try_whole(first, folder)
        second = Environment(Path(temporary, "studio"), f"{whole}[studio,serve]")
        second.serves("studio loans.csv --port 8791 --no-open --no-token --state state", folder, 8791, "/", "<title>")
        second.serves("serve loans.lp --port 8792", folder, 8792, "/health", "ok")
        print(f"{light.name}:")
        third = Environment(Path(temporary, "light"), str(light))
        if third.unless("predict loans.lp loans.csv", folder) != predicted:
            msg = "unless-light predicts otherwise than unless"
            raise SystemExit(msg)
        third.unless("explain loans.lp loans.csv --row 6", folder)
        third.serves("serve loans.lp --port 8793", folder, 8793, "/health", "ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
