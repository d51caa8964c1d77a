"""How long a click takes: start a studio on a table, learn, and time what the page asks for.

    python benchmarks/bench_studio.py [adult rain-in-aus] [--times 5] [--write]

Each request is made `--times` times after the first; the slowest of them is given, and the first beside it, because a
first request may work something out that is then kept. What a person waits for once, before anything is kept (opening
the table, the first look at its columns, learning), stands first. The edits remove one rule each. `--write` puts the
table into benchmarks/README.md. The folder of tables is named by UNLESS_DATA.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from urllib.parse import quote

from starlette.testclient import TestClient
from workloads import machine, versions, write_between

from unless.logic.edit import remove_clause
from unless.web.applications import studio_app
from unless.web.start_session import start_session
from unless.web.warm_up_thread import warm_learner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=["adult", "rain-in-aus"])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    options = parser.parse_args()
    warm_learner("fold-r++")
    found = {name: measured(name, options.times) for name in options.datasets}
    head = " | ".join(f"{name}, {column}" for name in found for column in ("first ms", "slowest ms"))
    lines = [f"| | {head} |", "|---" * (1 + 2 * len(found)) + "|"]
    for click in next(iter(found.values())):
        cells = " | ".join(f"{figure:.0f}" for figures in found.values() for figure in figures[click])
        lines.append(f"| {click} | {cells} |")
    command = f"`python benchmarks/bench_studio.py {' '.join(sys.argv[1:])}`  "
    text = "\n".join([command, f"{machine()}; {versions('unless', 'fastapi')}", "", *lines])
    print(text)
    if options.write:
        write_between(Path(__file__).parent / "README.md", "studio", text)


def measured(name, times):
    """Time what a person does with one of the paper's tables: the first time, and the slowest of some more."""
    data = Path(os.environ["UNLESS_DATA"])
    role = tomllib.loads((data / "datasets.toml").read_text())[name]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        session = start_session(str(data / role["file"]), None, Path(folder))
        once = {"opening the table, once": (time.perf_counter() - begun) * 1000}
        client = TestClient(studio_app(session), base_url="http://localhost")
        timed(client, "GET", "/health")  # the client's own start is not the studio's
        once["the first look at its columns"] = timed(client, "GET", "/api/studio/columns")
        chosen = {"target": role["label"], "positive": role["positive"]}
        client.put("/api/studio/settings", json=chosen).raise_for_status()
        client.post("/api/studio/learning").raise_for_status()
        session.learning.wait()
        assert session.learning.stage == "done", session.learning.error
        once["learning, watched"] = 1000 * session.learning.seconds
        figures = {click: (spent, spent) for click, spent in once.items()}
        for click, requests in clicks(client, session.program, times + 1).items():
            spent = [timed(client, *request) for request in requests]
            figures[click] = (spent[0], max(spent[1:]))
        return figures


def clicks(client, program, times):
    base = "/api/studio"
    row = client.get(f"{base}/rows/4").json()["values"]
    rules = [i for i, clause in enumerate(program.clauses) if clause.name is None]
    drafts = [str(remove_clause(program, rules[i % len(rules)])) + f"% {i}\n" for i in range(times)]
    number = next(column.name for column in program.columns if column.kind == "numerical")
    label = quote(str(program.target.labels[0]))
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
        "rows of a cell of the matrix": [
            ("GET", f"{base}/rows?actual=0&predicted=1&offset={50 * i}") for i in range(times)
        ],
        "a row with its proof": [("GET", f"{base}/rows/{i}") for i in range(times)],
        "what if a value were another": [("POST", "/api/explain", {"rows": [row]})] * times,
        "an edit that removes a rule": [("PUT", f"{base}/draft", {"text": text}) for text in drafts],
        "an edit with an error": [("PUT", f"{base}/draft", {"text": wrong + f"% {i}\n"}) for i in range(times)],
        "the report": [("GET", f"{base}/report.html")] * times,
        "segments of a number, and what makes the gap": [("GET", f"{base}/segments?by={number}&label={label}")] * times,
        "rows sorted and searched": [("GET", f"{base}/rows?sort={number}&search={i}") for i in range(times)],
        "the predictions": [("GET", f"{base}/predictions")] * times,
        "the predictions with all columns, for Excel": [("GET", f"{base}/predictions?form=xlsx&columns=true")] * times,
    }


def timed(client, method, path, body=None):
    begun = time.perf_counter()
    client.request(method, path, json=body).raise_for_status()
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    main()
