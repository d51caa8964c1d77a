"""`unless serve` beside a FastAPI server with XGBoost: requests of one row each, on 1, 16 and 64 kept connections.

    python benchmarks/serving.py [--connections 1 16 64] [--requests 2000] [--rounds 3] [--write]

Both learn from the first 20,000 rows of adult and are asked about the others, on this machine alone. Both run under
uvicorn, one process each, with whatever event loop and HTTP parser are installed. The other server is written as one
would who cares: rows checked by pydantic, categories coded by dicts made at the start, one thread, `inplace_predict` on
an array. It answers a label and a probability; ours also the rule and the reason. They take turns, round by round; the
middle round's requests a second are given, and latencies of all rounds. The processor's time that a server took for a
request does not depend on what else the machine does. The folder of tables is named by UNLESS_DATA.
"""

import argparse
import asyncio
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from workloads import load, machine, versions, write_between

TRAINING = 20_000
SERVERS = ("unless serve", "FastAPI + XGBoost")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--requests", type=int, default=2000, help="requests of a round, over all connections")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    parser.add_argument("--peer", metavar="MODEL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(Path(options.peer))
        return
    with tempfile.TemporaryDirectory() as folder:
        learn_both(Path(folder))
        lines = measured(Path(folder), options)
    command = f"`python benchmarks/serving.py {' '.join(sys.argv[1:])}`  "
    found = versions("unless", "fastapi", "xgboost", "uvicorn", "uvloop", "httptools")
    text = "\n".join([command, f"{machine()}; {found}", "", *lines])
    print(text)
    if options.write:
        write_between(Path(__file__).parent / "README.md", "serving", text)


def learn_both(folder):
    """Learn both models from the same rows, and keep the other rows as requests."""
    import xgboost as xgb

    from unless import UnlessClassifier, save

    table = load("adult")
    frame, labels = table.frame.iloc[:TRAINING], table.labels.iloc[:TRAINING]
    save(UnlessClassifier().fit(frame, labels), folder / "adult.lp")
    codes = {name: {word: i for i, word in enumerate(frame[name].cat.categories)} for name in table.categorical}
    coded = frame.copy()
    for name in table.categorical:
        coded[name] = coded[name].map(codes[name]).astype(float)
    booster = xgb.train({"objective": "binary:logistic", "nthread": 1}, xgb.DMatrix(coded, labels), 100)
    booster.save_model(folder / "adult.ubj")
    columns = [[name, name in table.numerical] for name in frame.columns]
    (folder / "adult.json").write_text(json.dumps({"columns": columns, "codes": codes}))
    rows = table.frame.iloc[TRAINING : TRAINING + 5000].astype(object)
    cells = rows.where(rows.notna(), None).to_dict("records")
    (folder / "rows.json").write_text(json.dumps(cells))


def run_peer(folder):
    """Serve XGBoost."""
    import numpy as np
    import uvicorn
    import xgboost as xgb
    from fastapi import FastAPI
    from pydantic import BaseModel, create_model

    about = json.loads((folder / "adult.json").read_text())
    booster = xgb.Booster(model_file=folder / "adult.ubj")
    booster.set_param({"nthread": 1})
    fields = {name: ((float if number else str) | None, ...) for name, number in about["columns"]}
    Row = create_model("Row", **fields)
    getters = [(name, None if number else about["codes"][name]) for name, number in about["columns"]]

    class Rows(BaseModel):
        rows: list[Row]  # type: ignore[valid-type]

    class Answers(BaseModel):
        labels: list[bool]
        probabilities: list[float]

    app = FastAPI()

    @app.post("/api/predict")
    async def predict(request: Rows) -> Answers:
        nan = float("nan")
        lines = []
        for row in request.rows:
            cells = row.__dict__
            lines.append([
                nan if cells[name] is None else cells[name] if codes is None else codes.get(cells[name], nan)
                for name, codes in getters
            ])  # fmt: skip
        found = booster.inplace_predict(np.array(lines, dtype=np.float32), validate_features=False)
        return Answers(labels=(found > 0.5).tolist(), probabilities=found.tolist())

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(f"listening on http://127.0.0.1:{listening.getsockname()[1]}/", file=sys.stderr, flush=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def running(server, folder):
    """Start one of the servers, and give its process and port."""
    command = {
        SERVERS[0]: [sys.executable, "-m", "unless", "serve", str(folder / "adult.lp"), "--port", "0"],
        SERVERS[1]: [sys.executable, __file__, "--peer", str(folder)],
    }[server]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        for line in process.stderr:
            if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
                yield process, int(found[1])
                break
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


def measured(folder, options):
    bodies = [json.dumps({"rows": [row]}).encode() for row in json.loads((folder / "rows.json").read_text())]
    random.Random(0).shuffle(bodies)
    spent = {(server, n): [] for n in options.connections for server in SERVERS}
    cpu = {key: [] for key in spent}
    rates = {key: [] for key in spent}
    for server in SERVERS:  # the first requests pay for what is loaded and compiled
        with running(server, folder) as (_, port):
            asyncio.run(ask(port, bodies, 1, 50))
    for _ in range(options.rounds):
        for n in options.connections:
            for server in SERVERS:
                with running(server, folder) as (process, port):
                    asyncio.run(ask(port, bodies, 1, 100))
                    before, begun = cpu_seconds(process.pid), time.perf_counter()
                    latencies = asyncio.run(ask(port, bodies, n, options.requests))
                    seconds = time.perf_counter() - begun
                    cpu[server, n].append((cpu_seconds(process.pid) - before) / len(latencies))
                    rates[server, n].append(len(latencies) / seconds)
                    spent[server, n] += latencies
    head = "connections | server | requests a second | median ms | 99th percentile ms | CPU µs a request"
    lines = [f"| {head} |", "|---" * 6 + "|"]
    for (server, n), latencies in spent.items():
        ordered = sorted(latencies)
        cells = (
            n, server, f"{statistics.median(rates[server, n]):,.0f}", f"{1000 * statistics.median(ordered):.2f}",
            f"{1000 * ordered[int(0.99 * len(ordered))]:.2f}", f"{1e6 * statistics.median(cpu[server, n]):,.0f}",
        )  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


async def ask(port, bodies, n_connections, n_requests):
    """Ask on some connections side by side, each its next request when it has its answer; return seconds of each."""
    latencies = []
    each = n_requests // n_connections

    async def client(first):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for i in range(each):
            body = bodies[(first * each + i) % len(bodies)]
            begun = time.perf_counter()
            writer.write(
                b"POST /api/predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                b"content-length: %d\r\n\r\n" % len(body) + body
            )
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
            await reader.readexactly(length)
            latencies.append(time.perf_counter() - begun)
        writer.close()

    await asyncio.gather(*(client(i) for i in range(n_connections)))
    return latencies


def cpu_seconds(pid):
    """Return the processor's time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
