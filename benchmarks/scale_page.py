"""What the figures of scale.py say, as parts of docs/scale.md."""

from __future__ import annotations

from workloads import machine, versions

MILLION = 1_000_000
HEAD = [
    "| million rows | learner | where | files | seconds | CPU seconds | peak GB | bytes per row | literals "
    "| held-out accuracy | same program |",
    "|---:|---|---|---|---:|---:|---:|---:|---:|---:|---|",
]


def report(cases, arguments):
    """Write the table of all cases."""
    about = f"{machine()}; {versions('numpy', 'polars', 'dask', 'xgboost', 'lightgbm')}."
    command = f"`python benchmarks/scale.py {' '.join(arguments)}`"
    return "\n".join([command + "  ", about, "", *HEAD, *(_line(case, cases) for case in cases), "", *_said(cases)])


def _line(case, cases):
    n, k = case["rows"], case["workers"]
    where = f"Dask, {k} worker{'s' * (k > 1)}" if k else "one process"
    begin = f"| {n:g} | {case['learner']} | {where} | {case['form']}, {case['file'] / 1e9:.2f} GB "
    peak = f"{case['peak'] / 1e9:.1f} | {case['peak'] / n / MILLION:,.0f}"
    if "stopped" in case:
        return f"{begin}| stopped: {case['stopped']} | – | {peak} | – | – | – |"
    exact = f"{case['accuracy']:.4f}" if "accuracy" in case else "–"
    clock = "–" if case.get("busy") else f"{case['seconds']:.1f}"
    figures = f"{clock} | {case['cpu']:.1f}" if "cpu" in case else f"{clock} | –"
    return f"{begin}| {figures} | {peak} | {case.get('literals', '–')} | {exact} | {_same(case, cases)} |"


def _same(case, cases):
    """Tell whether the program is that of one process on the same rows, from Parquet files."""
    if "rules" not in case:
        return "–"
    twin = _find(cases, case["rows"], case["learner"])
    return "–" if twin is None or "rules" not in twin else "yes" if twin["rules"] == case["rules"] else "NO"


def _find(cases, rows, learner, workers=0, form="parquet"):
    wanted = (rows, learner, workers, form)
    found = [case for case in cases if (case["rows"], case["learner"], case["workers"], case["form"]) == wanted]
    return found[0] if found else None


def _said(cases):
    """Say what is compared, and how times compare."""
    found = [
        "The same program: of UnlessClassifier to the letter; of FOLD-R++ the rules; its grade on workers is not full."
    ]
    for n in sorted({case["rows"] for case in cases}):
        ours = _find(cases, n, "UnlessClassifier")
        for peer in ("LightGBM", "XGBoost"):
            other = _find(cases, n, peer)
            if ours and other and "stopped" not in ours and "stopped" not in other:
                what = "cpu" if "cpu" in ours and "cpu" in other else "seconds"
                named = "CPU seconds" if what == "cpu" else what
                share = ours[what] / other[what]
                found.append(f"{n:g} million rows, {named} of UnlessClassifier / {peer}: {share:.2f}.")
    return [" ".join(found)]


def billion(cases):
    """Say what the figures of FOLD-R++ mean for a billion rows; nothing where they are too few."""
    done = [case for case in cases if case["learner"] == "FoldRPPClassifier" and "seconds" in case]
    local = max((case for case in done if not case["workers"]), key=lambda case: case["rows"], default=None)
    dask = max((case for case in done if case["workers"]), key=lambda case: case["rows"], default=None)
    if local is None or dask is None or local["rows"] < 10:
        return ""
    millions, per_row = local["rows"], local["peak"] / local["rows"] / MILLION
    seconds, unit = local.get("cpu", local["seconds"]), "CPU seconds" if "cpu" in local else "seconds"
    searches = sorted(case["searches"] for case in done)
    per_search = dask["bytes"] / dask["searches"]
    return "\n".join(
        [
            f"- **Memory**: {per_row:.0f} bytes a row at the peak of {millions:g} million rows. A billion rows: "
            f"{per_row:.0f} GB, {-(-per_row // 28):.0f} workers of 32 GB.",
            f"- **Time**: {millions:g} million rows took {seconds:.1f} {unit} here, so a billion take about "
            f"{seconds / millions * 1000 / 3600:.1f} hours of it, divided by the number of machines, times what Dask "
            "costs (above).",
            "- **Bytes per search**: the counts of all narrow columns and 4,096 ranges for each wide one, whatever the "
            f"rows: {per_search:,.0f} bytes at {dask['rows']:g} million rows, and as many at a billion. "
            f"{dask['searches']} searches move {dask['bytes'] / 1e6:.0f} MB to the driver in all.",
            f"- **Searches per program**: {searches[0]} to {searches[-1]} in the runs above; they go with the number "
            f"of literals, not with the rows. "
            f"The driver spent {dask['driver'] / dask['searches']:.2f} seconds a search.",
        ]
    )


def ends(cases, gigabytes=24):
    """Say how many rows of such a table one machine holds, by the bytes a row of the largest case that ended."""
    lines = []
    for learner in dict.fromkeys(case["learner"] for case in cases):
        done = [case for case in cases if case["learner"] == learner and not case["workers"] and "seconds" in case]
        if done:
            largest = max(done, key=lambda case: case["rows"])
            per_row = largest["peak"] / largest["rows"] / MILLION
            lines.append(
                f"- {learner}: {per_row:,.0f} bytes a row at {largest['rows']:g} million rows, so {gigabytes} GB hold "
                f"about {gigabytes * 1e9 / per_row / MILLION:,.0f} million."
            )
    return "\n".join(lines)
