"""How long a click takes: start a studio on a table, learn, and time what the page asks for.

    python benchmarks/bench_studio.py DATA --target COLUMN [--positive LABEL]

Each request is made `--times` times after the first; the slowest of them is told, and the first beside it, because a
first request may work something out that is then kept. What a person waits for once, before anything is kept (opening
the table, the first look at its columns), is timed apart. The edits remove one rule each.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from starlette.testclient import TestClient

from unless.logic.edit import remove_clause
from unless.web.app import studio_app
from unless.web.start import start_session, warm_up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--target", required=True)
    parser.add_argument("--positive")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        session = start_session(options.data, None, Path(folder))
        opened = (time.perf_counter() - begun) * 1000
        client = TestClient(studio_app(session), base_url="http://localhost")
        timed(client, "GET", "/health")  # the client's own start is not the studio's
        looked = timed(client, "GET", "/api/studio/columns")
        print(f"once: opening the table {opened:.0f} ms, the first look at its columns {looked:.0f} ms")
        chosen = {"target": options.target, **({"positive": options.positive} if options.positive else {})}
        client.put("/api/studio/settings", json=chosen).raise_for_status()
        client.post("/api/studio/learning").raise_for_status()
        session.learning.wait()
        assert session.learning.stage == "done", session.learning.error
        print(f"{session.opened.table.n_rows:,} rows, learned in {session.learning.seconds:.2f} s")
        print(f"{'':34} first ms  slowest of {options.times} more")
        for name, requests in clicks(client, session.program, options.times + 1).items():
            spent = [timed(client, *request) for request in requests]
            print(f"{name:34} {spent[0]:8.0f}  {max(spent[1:]):8.0f}")


def clicks(client, program, times):
    base = "/api/studio"
    row = client.get(f"{base}/rows/4").json()["values"]
    rules = [i for i, clause in enumerate(program.clauses) if clause.name is None]
    drafts = [str(remove_clause(program, rules[i % len(rules)])) + f"% {i}\n" for i in range(times)]
    number = next(column.name for column in program.columns if column.kind == "numerical")
    kinds, see = ["categorical", "numerical"] * times, ("GET", f"{base}/columns")
    wrong = str(program).replace(" :- ", " : - ", 1)
    return {
        "columns, again": [("GET", f"{base}/columns")] * times,
        "change a kind, see the columns": [
            request for kind in kinds for request in (("PUT", f"{base}/settings", {"kinds": {number: kind}}), see)
        ],
        "rules and scores, all rows": [("GET", f"{base}/rules?split=all")] * times,
        "rules and scores, held-out rows": [("GET", f"{base}/rules?split=held_out")] * times,
        "picture": [("GET", f"{base}/picture.svg")] * times,
        "rows of a rule": [("GET", f"{base}/rows?rule=1&offset={50 * i}") for i in range(times)],
        "rows of a cell of the matrix": [("GET", f"{base}/rows?true=0&told=1&offset={50 * i}") for i in range(times)],
        "a row with its proof": [("GET", f"{base}/rows/{i}") for i in range(times)],
        "what if a value were another": [("POST", "/api/explain", {"rows": [row]})] * times,
        "an edit that removes a rule": [("PUT", f"{base}/draft", {"text": text}) for text in drafts],
        "an edit with an error": [("PUT", f"{base}/draft", {"text": wrong + f"% {i}\n"}) for i in range(times)],
        "the report": [("GET", f"{base}/report.html")] * times,
        "the predictions": [("GET", f"{base}/predictions.csv")] * times,
    }


def timed(client, method, path, body=None):
    begun = time.perf_counter()
    client.request(method, path, json=body).raise_for_status()
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    main()
