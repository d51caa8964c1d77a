"""Large tables from files, on one machine and on a Dask cluster of local processes, beside XGBoost and LightGBM.

    python benchmarks/scale.py --rows 1 10 30 --dask-rows 1 10 --csv-rows 10 --write

draws tables of so many million rows and 23 columns (`planted.py`), learns from their files, each case in a process of
its own, and writes the figures into docs/scale.md between the markers. Reading, coding and learning are in the time;
drawing the table, starting processes and compiling kernels (a small table is learned first) are not. CPU seconds are
those of the process with all its workers, and say more than the clock where others use the machine. Memory is the peak
of them all, looked at ten times a second. What takes longer than `--seconds` or more than
`--gigabytes` is stopped, and that is what the table says. Finished cases are kept in docs/results/scale.json: the same
command goes on where it was stopped, `--again` begins anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import planted
from scale_page import billion, ends, report
from workloads import write_between

DOCS = Path(__file__).parent.parent / "docs"
KEPT = DOCS / "results" / "scale.json"
MILLION = 1_000_000
GIGA = 1 << 30
HELD_OUT = 100_000
OURS = ("UnlessClassifier", "FoldRPPClassifier")
PEERS = ("LightGBM", "XGBoost")


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


def learn(learner, folder, scheduler=None):
    """Learn from files by one of ours, or read them and fit a peer."""
    if learner in PEERS:
        return fit_peer(learner, folder)
    import unless

    chosen = getattr(unless, learner)
    model = chosen(positive="yes", categorical_features=list(planted.CATEGORICAL))
    return model.fit_files(str(folder), planted.LABEL, scheduler=scheduler)


def peer_frame(table):
    """Return a table as peers take it: words, and numbers with words among them, as categories of pandas."""
    import polars as pl

    words = [*planted.CATEGORICAL, "years_in_job"]
    return table.drop(planted.LABEL).with_columns(pl.col(words).cast(pl.Categorical)).to_pandas()


def fit_peer(learner, folder):
    """Read files and fit; categories are the peer's own business."""
    import polars as pl

    table = pl.read_parquet(f"{folder}/*.parquet")
    labels = (table[planted.LABEL] == "yes").to_numpy()
    frame = peer_frame(table)
    del table
    if learner == "XGBoost":
        from xgboost import XGBClassifier

        return XGBClassifier(tree_method="hist", enable_categorical=True).fit(frame, labels)
    from lightgbm import LGBMClassifier

    return LGBMClassifier(verbose=-1).fit(frame, labels)


def accuracy(learner, model):
    """Return the share of held-out rows that are decided rightly."""
    table = planted.chunk(0, HELD_OUT, seed=1)
    is_yes = (table[planted.LABEL] == "yes").to_numpy()
    if learner not in PEERS:
        # Years with words among them are text in the files, and text is what they are learned from.
        return float(((model.predict(table.drop(planted.LABEL)) == "yes") == is_yes).mean())
    return float((model.predict(peer_frame(table)).astype(bool) == is_yes).mean())


def run_local(learner, folder, warm):
    watch = Stopwatch()
    learn(learner, warm)
    if learner in OURS:
        from unless.learn.fold.chooser import Chooser
        from unless.learn.rows.source import LocalSource

        watch.watch(LocalSource, "survey", "survey")
        watch.watch(Chooser, "best", "search")
    begun, start = tree_seconds(os.getpid()), time.perf_counter()
    model = learn(learner, folder)
    case = {"seconds": time.perf_counter() - start, "cpu": tree_seconds(os.getpid()) - begun}
    case["survey"] = watch.seconds.get("survey", 0.0)
    return case | {"searches": watch.calls.get("search", 0)} | about(learner, model, folder)


def run_dask(learner, folder, warm, n_workers):
    from dask.distributed import LocalCluster

    from unless.distributed import DaskSource

    n_threads = max(1, (os.cpu_count() or 1) // n_workers)
    sources = []
    began = DaskSource.survey
    DaskSource.survey = lambda source: sources.append(source) or began(source)
    with LocalCluster(n_workers=n_workers, threads_per_worker=n_threads, dashboard_address=None) as cluster:
        learn(learner, warm, cluster.scheduler_address)
        begun, start = tree_seconds(os.getpid()), time.perf_counter()
        model = learn(learner, folder, cluster.scheduler_address)
        total, cpu = time.perf_counter() - start, tree_seconds(os.getpid()) - begun
    traffic = sources[-1].cluster.traffic
    case = {"seconds": total, "cpu": cpu, "searches": traffic.n_searches, "driver": total - traffic.seconds}
    return case | {"bytes": traffic.n_bytes, "answers": traffic.n_answers} | about(learner, model, folder)


def about(learner, model, folder):
    found = {"accuracy": accuracy(learner, model)} if list(Path(folder).glob("*.parquet")) else {}
    if learner in PEERS:
        return found
    # Rows on workers give FOLD-R++ a grade of its decisions only (docs/scale.md): its rules are compared.
    is_ruled = learner == "FoldRPPClassifier"
    lines = [line for line in str(model.program_).splitlines() if not (is_ruled and line.startswith("%@ grade"))]
    rules = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
    return found | {"literals": model.program_.n_literals, "rules": rules}


def tree(pid):
    """Return the numbers of a process and of all that it started."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:  # it has just ended
            continue
        found.append(one)
    return found


def tree_memory(pid):
    """Return the bytes in memory of a process and of all that it started."""
    return sum(of_process(one, "statm", 1) * os.sysconf("SC_PAGE_SIZE") for one in tree(pid))


def tree_seconds(pid):
    """Return the CPU seconds of a process and of all that it started and that still run."""
    ticks = sum(of_process(one, "stat", 13) + of_process(one, "stat", 14) for one in tree(pid))
    return ticks / os.sysconf("SC_CLK_TCK")


def of_process(pid, file, index):
    """Return a number that the system keeps about a process; none about one that has just ended."""
    try:
        words = Path(f"/proc/{pid}/{file}").read_text()
    except OSError:
        return 0
    name_ends = words.rfind(")")  # a name may hold blanks
    return int((["", ""] * (name_ends > 0) + words[name_ends + 1 :].split())[index])


def in_process(case, folder, warm, limits):
    """Run a case; stop it at a limit, with all its workers."""
    learner, n_workers = case["learner"], case["workers"]
    command = [sys.executable, __file__, "--case", learner, str(folder), str(warm), str(n_workers)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    start, peak, stopped = time.perf_counter(), 0, ""
    while process.poll() is None:
        time.sleep(0.1)
        peak = max(peak, tree_memory(process.pid))
        if time.perf_counter() - start > limits["seconds"]:
            stopped = f"over {limits['seconds'] / 60:.0f} minutes"
        elif peak > limits["gigabytes"] * GIGA:
            stopped = f"over {limits['gigabytes']:g} GB"
        if stopped:
            os.killpg(process.pid, 9)
            process.wait()
    said = process.stdout.read().splitlines()
    if stopped or process.returncode:
        return {"stopped": stopped or f"it failed (exit code {process.returncode})", "peak": peak}
    return json.loads(said[-1]) | {"peak": peak}


def cases_of(args):
    """List the cases, table by table."""
    for n in sorted({*args.rows, *args.dask_rows}):
        for learner in [*OURS, *args.peers]:
            if n in args.rows:
                yield {"rows": n, "form": "parquet", "learner": learner, "workers": 0}
        for learner in OURS:
            for n_workers in args.workers if n in args.dask_rows else ():
                yield {"rows": n, "form": "parquet", "learner": learner, "workers": n_workers}
    for n in sorted(args.csv_rows):
        for learner in OURS:
            yield {"rows": n, "form": "csv", "learner": learner, "workers": 0}


def name_of(case):
    return f"{case['rows']:g} million, {case['form']}, {case['learner']}, {case['workers']} workers"


def measure(args, folder):
    """Run what is not yet kept; a table is drawn when its first case comes and goes after its last."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() and not args.again else {}
    limits = {"seconds": args.seconds, "gigabytes": args.gigabytes}
    drawn = None
    for case in cases_of(args):
        name = name_of(case)
        if name in kept:
            continue
        table = folder / f"{case['rows']:g}-{case['form']}"
        if drawn != table:
            empty(drawn)
            drawn = table
            planted.write(folder / f"warm-{case['form']}", 100_000, case["form"])
            planted.write(table, int(case["rows"] * MILLION), case["form"])
        size = sum(file.stat().st_size for file in table.iterdir())
        done = in_process(case, table, folder / f"warm-{case['form']}", limits)
        kept[name] = case | {"file": size} | done | ({"busy": True} if args.busy else {})
        print(json.dumps(kept[name]), flush=True)
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    empty(drawn)
    return [kept[name_of(case)] for case in cases_of(args)]


def empty(folder):
    for file in [] if folder is None else list(folder.iterdir()):
        file.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, nargs="*", default=[1], help="million rows, on one machine")
    parser.add_argument("--dask-rows", type=float, nargs="*", default=[], help="million rows, on a cluster")
    parser.add_argument("--csv-rows", type=float, nargs="*", default=[], help="million rows, from CSV files")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2], help="worker processes")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    parser.add_argument("--seconds", type=float, default=600, help="a case that takes longer is stopped")
    parser.add_argument("--gigabytes", type=float, default=20, help="a case that needs more is stopped")
    parser.add_argument("--busy", action="store_true", help="others use the machine: show no seconds but the CPU's")
    parser.add_argument("--again", action="store_true", help="measure what is already kept, too")
    parser.add_argument("--folder", type=Path, help="where the tables are drawn; a temporary folder if not given")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/scale.md")
    parser.add_argument("--case", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.case:
        learner, folder, warm, n_workers = args.case
        is_dask = int(n_workers) > 0
        case = run_dask(learner, folder, warm, int(n_workers)) if is_dask else run_local(learner, folder, warm)
        print(json.dumps(case))
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        cases = measure(args, Path(folder))
    for mark, text in {"scale": report(cases, sys.argv[1:]), "ends": ends(cases), "billion": billion(cases)}.items():
        print(text)
        if args.write and text:
            write_between(DOCS / "scale.md", mark, text)


if __name__ == "__main__":
    main()
