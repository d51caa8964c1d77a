"""Large tables, on one machine and on a Dask cluster of local processes; every case in a process of its own.

    python benchmarks/scale.py --rows 1 3 10 30 --dask-rows 10 --workers 1 2 --write

draws tables of so many million rows (`planted.py`), learns from their files, and writes the figures into
docs/scale.md between the markers. Reading, coding and learning are all in the time; drawing the table, starting
processes and compiling kernels are not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import planted
from workloads import machine, versions, write_between

PAGE = Path(__file__).parent.parent / "docs" / "scale.md"
MILLION = 1_000_000
MEGA = 1 << 20


class Stopwatch:
    """Adds up the time that calls of some functions take, and counts them."""

    def __init__(self):
        self.seconds, self.calls = {}, {}

    def watch(self, owner, name, called):
        function = getattr(owner, name)

        def timed(*args, **kwargs):
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds[called] = self.seconds.get(called, 0.0) + time.perf_counter() - start
                self.calls[called] = self.calls.get(called, 0) + 1

        setattr(owner, name, timed)


def learn(folder, scheduler=None):
    from unless.estimators.foldrpp_classifier import FoldRPPClassifier

    model = FoldRPPClassifier(positive="yes", categorical_features=list(planted.CATEGORICAL))
    return model.fit_files(folder, planted.LABEL, scheduler=scheduler)


def run_local(folder, warm):
    from unless.learn.fold.chooser import Chooser
    from unless.learn.rows.source import LocalSource

    learn(warm)
    watch = Stopwatch()
    watch.watch(LocalSource, "survey", "survey")
    watch.watch(LocalSource, "rows", "code")
    watch.watch(Chooser, "best", "search")
    start = time.perf_counter()
    model = learn(folder)
    total = time.perf_counter() - start
    return {
        "seconds": total,
        "survey": watch.seconds["survey"],
        "code": watch.seconds["code"],
        "learn": total - watch.seconds["survey"] - watch.seconds["code"],
        "searches": watch.calls["search"],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        **about(model),
    }


def run_dask(folder, warm, n_workers):
    from dask.distributed import Client, LocalCluster

    from unless.distributed import DaskSource

    n_threads = max(1, (os.cpu_count() or 1) // n_workers)
    sources = []
    began = DaskSource.survey
    DaskSource.survey = lambda source: sources.append(source) or began(source)
    with LocalCluster(n_workers=n_workers, threads_per_worker=n_threads, dashboard_address=None) as cluster:
        learn(warm, cluster.scheduler_address)
        start = time.perf_counter()
        model = learn(folder, cluster.scheduler_address)
        total = time.perf_counter() - start
        with Client(cluster) as client:
            peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    traffic = sources[-1].cluster.traffic
    return {
        "seconds": total,
        "searches": traffic.n_searches,
        "bytes per search": traffic.n_bytes / traffic.n_searches,
        "driver": total - traffic.seconds,
        "answers": traffic.n_answers,
        "peak": sum(peaks.values()),
        **about(model),
    }


def about(model):
    return {
        "literals": model.program_.n_literals,
        "clauses": len(model.program_.clauses),
        "rules": hashlib.sha256(str(model.program_).encode()).hexdigest()[:12],
    }


def in_process(kind, folder, warm, n_workers=0):
    command = [sys.executable, __file__, "--case", kind, str(folder), str(warm), str(n_workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def measure(args, folder):
    warm = folder / "warm"
    planted.write(warm, 200_000, args.form)
    cases = []
    for n in sorted({*args.rows, *args.dask_rows}):
        table = folder / f"{n}"
        planted.write(table, n * MILLION, args.form)
        size = sum(file.stat().st_size for file in table.iterdir())
        kinds = [("local", 0)] if n in args.rows or n in args.dask_rows else []
        kinds += [("dask", k) for k in args.workers] if n in args.dask_rows else []
        for kind, n_workers in kinds:
            case = in_process(kind, table, warm, n_workers) | {"rows": n * MILLION, "file": size, "workers": n_workers}
            print(json.dumps(case), flush=True)
            cases.append(case)
        for file in table.iterdir():
            file.unlink()
    return cases


def report(args, cases):
    lines = [
        f"{machine()}; {versions('numpy', 'llvmlite', 'polars', 'dask')}; {args.form} files.",
        "",
        "| million rows | where | seconds | survey + code + learn | rows per second | peak bytes per row | searches "
        "| bytes per search to the driver | driver seconds | literals | same rules |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    local = {case["rows"]: case for case in cases if not case["workers"]}
    for case in cases:
        n, k = case["rows"], case["workers"]
        where = f"Dask, {k} worker{'s' * (k > 1)}" if k else "one process"
        phases = " + ".join(f"{case[phase]:.1f}" for phase in ("survey", "code", "learn")) if not k else "–"
        moved = f"{case['bytes per search']:,.0f}" if k else "–"
        driver = f"{case['driver']:.1f}" if k else "–"
        same = "yes" if case["rules"] == local[n]["rules"] else "NO"
        lines.append(
            f"| {n // MILLION} | {where} | {case['seconds']:.1f} | {phases} | {n / case['seconds']:,.0f} "
            f"| {case['peak'] / n:,.0f} | {case['searches']} | {moved} | {driver} | {case['literals']} | {same} |"
        )
    lines += ["", *ratios(cases, local)]
    return "\n".join(lines)


def ratios(cases, local):
    found = []
    sizes = sorted(local)
    for small, large in pairwise(sizes):
        ratio = local[large]["seconds"] / local[small]["seconds"]
        found.append(f"{large // MILLION}M / {small // MILLION}M rows: {ratio:.1f} times the time.")
    if MILLION in local and 10 * MILLION in local:
        found.append(f"10M / 1M rows: {local[10 * MILLION]['seconds'] / local[MILLION]['seconds']:.1f} times the time.")
    for case in cases:
        if case["workers"]:
            ratio = case["seconds"] / local[case["rows"]]["seconds"]
            found.append(f"{case['rows'] // MILLION}M rows, Dask {case['workers']} / one process: {ratio:.2f}.")
    return [" ".join(found)]


def billion(cases):
    """Say what the figures mean for a billion rows."""
    local = max((case for case in cases if not case["workers"]), key=lambda case: case["rows"])
    dask = max((case for case in cases if case["workers"]), key=lambda case: case["rows"], default=None)
    millions, per_row = local["rows"] // MILLION, local["peak"] / local["rows"]
    minutes = local["seconds"] / millions * 1000 / 60
    passes = (local["survey"] + local["code"]) / local["seconds"]
    searches = sorted(case["searches"] for case in cases)
    lines = [
        f"- **Memory**: {per_row:.0f} bytes a row at the peak of {millions} million rows. A billion rows: "
        f"{per_row:.0f} GB, {-(-per_row // 28):.0f} workers of 32 GB.",
        f"- **Time**: {millions} million rows took {local['seconds']:.1f} s here, so a billion take about "
        f"{minutes:.0f} minutes of such a machine, divided by their number, times what Dask costs (above). "
        f"{passes:.0%} of the time are the two passes over the files, which workers do independently.",
    ]
    if dask is not None:
        moved = dask["bytes per search"] * dask["searches"] / 1e6
        lines += [
            "- **Bytes per search**: the counts of all narrow columns and 4,096 ranges for each wide one, whatever the "
            f"rows: {dask['bytes per search']:,.0f} bytes at {dask['rows'] // MILLION} million rows, and as many at a "
            f"billion. {dask['searches']} searches move {moved:.0f} MB to the driver in all.",
            f"- **Searches per program**: {searches[0]} to {searches[-1]} in the runs above; they go with the number "
            "of literals, not with the rows. "
            f"The driver spent {dask['driver'] / dask['searches']:.2f} seconds a search.",
        ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=[1, 3], help="million rows, on one machine")
    parser.add_argument("--dask-rows", type=int, nargs="*", default=[], help="million rows, on a cluster")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2], help="worker processes")
    parser.add_argument("--form", choices=["parquet", "csv"], default="parquet")
    parser.add_argument("--folder", type=Path, help="where the tables are drawn; a temporary folder if not given")
    parser.add_argument("--write", action="store_true", help=f"write the figures into {PAGE.name}")
    parser.add_argument("--case", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.case:
        kind, folder, warm, n_workers = args.case
        case = run_local(folder, warm) if kind == "local" else run_dask(folder, warm, int(n_workers))
        print(json.dumps(case))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        cases = measure(args, Path(folder))
    written = {"scale": report(args, cases), "billion": billion(cases)}
    for mark, text in written.items():
        print(text)
        if args.write:
            write_between(PAGE, mark, text)


if __name__ == "__main__":
    main()
