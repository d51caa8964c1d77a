"""Ask the servers many thousand times: no server error, and memory does not grow.

    python trials/asking.py --times 20000

`unless serve` is asked to predict, to explain, for its pages, and with bodies that are broken; the studio for what its
page asks most. A quarter of the requests lets caches fill; from there to the end memory may grow by four megabytes, and
no file or connection more may be open.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from mutate import mutated
from record import next_seed, record
from servers import Server
from targets import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Callable

    Request = tuple[str, str, Any]

MEGA = 1 << 20
MOST_GROWTH = 4 * MEGA


def serve_request(rng: random.Random) -> Request:
    """Draw a request to `unless serve`."""
    if rng.random() < 0.15:
        return (
            "GET",
            rng.choice(("/health", "/metrics", "/models", "/api/program", "/openapi.json", "/docs", "/no")),
            None,
        )
    path = rng.choice(("/api/predict", "/api/predict", "/api/explain", "/models/loans/predict"))
    body = rng.choice(REQUESTS)
    if rng.random() < 0.3:
        body = mutated(body, REQUESTS, rng)
    elif rng.random() < 0.5:
        body = (
            REQUESTS[0].replace(b"30000", b"%d" % rng.randrange(10**6)).replace(b"owner", b"w%d" % rng.randrange(10**6))
        )
    return "POST", path, body


def studio_request(rng: random.Random) -> Request:
    """Draw a request to the studio, as its page sends them."""
    row = rng.randrange(2000)
    row_values = {"income": rng.randrange(10**5), "housing": f"w{row}", "debt_ratio": rng.random(), "history": "clean"}
    return rng.choice(
        (
            ("GET", "/api/studio/state", None),
            ("GET", "/api/studio/columns", None),
            ("GET", f"/api/studio/rules?split={rng.choice(('all', 'held_out'))}", None),
            ("GET", f"/api/studio/rows?limit=20&offset={row}&search={rng.choice(('', 'own', str(row)))}", None),
            ("GET", f"/api/studio/rows/{row}", None),
            ("GET", "/api/studio/picture.svg", None),
            ("GET", f"/api/studio/values?column={rng.choice(('income', 'housing', 'none'))}", None),
            ("POST", "/api/studio/what-if", {"row": row_values}),
            ("POST", "/api/predict", {"rows": [row_values]}),
            ("POST", "/api/studio/save", b"{}"),
            ("PUT", "/api/studio/settings", mutated(b'{"target": "loan", "positive": "approved"}', REQUESTS, rng)[:50]),
        )
    )


def ask(server: Server, draw: Callable[[random.Random], Request], times: int, seed: int) -> dict[str, int]:
    """Send many requests; return the counts."""
    rng = random.Random(seed)
    counts = {"tried": 0, "answered": 0, "failed": 0}
    before = files = 0
    for n in range(times):
        if n == times // 4:
            before, files = server.memory(), server.open_files()
        request = draw(rng)
        status, answer = server.ask(*request)
        counts["tried"] += 1
        counts["answered"] += status < 400
        if status >= 500:
            counts["failed"] += 1
            print(f"{request}: {status} {answer[:300]!r}", file=sys.stderr)
    grown = server.memory() - before
    print(
        f"{server.memory() / MEGA:.1f} MB at the end, {grown / MEGA:+.2f} MB since a quarter of the requests",
        flush=True,
    )
    if grown > MOST_GROWTH or server.open_files() > files:
        counts["failed"] += 1
        print(f"grown by {grown:,} bytes; {files} files open, then {server.open_files()}", file=sys.stderr)
    return {**counts, "most bytes grown": max(grown, 0)}


KINDS = {
    "serve": (serve_request, "requests are sent to `unless serve`, whose memory must not grow"),
    "studio": (studio_request, "requests are sent to the studio, whose memory must not grow"),
}


def main() -> None:
    """Read the arguments and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="which: serve, studio; both if none is given")
    parser.add_argument("--times", type=int, default=20_000)
    parser.add_argument("--seed", type=int, help="else the first that was never tried")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="unless-asking-") as folder:
        table, model = f"{folder}/loans.csv", f"{folder}/loans.lp"
        unless = [sys.executable, "-m", "unless"]
        subprocess.run([*unless, "demo", "--save", table], check=True, capture_output=True)
        learn = ["learn", table, "--target", "loan", "--no-check", "-o", model]
        subprocess.run([*unless, *learn], check=True, capture_output=True)
        start = {
            "serve": ["serve", model],
            "studio": ["studio", table, "--model", model, "--no-open", "--no-token", "--state", f"{folder}/state"],
        }
        for kind in asked.kinds or KINDS:
            draw, what = KINDS[kind]
            name = f"asking {kind}"
            seed = next_seed(name) if asked.seed is None else asked.seed
            with Server(*start[kind]) as server:
                counts = ask(server, draw, asked.times, seed)
            record(name, what, counts, command=f"python trials/asking.py {kind}", seeds=(seed, seed))
            print(kind, counts, flush=True)


if __name__ == "__main__":
    main()
