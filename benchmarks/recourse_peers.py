"""Recourse beside treecf and DiCE, on the same rows with the same limits: validity, cost, breaches, share proved, time.

    UNLESS_DATA=FOLDER python benchmarks/recourse_peers.py --rows 30 heart breast-w

Needs treecf, dice-ml, xgboost and pandas. All columns are taken as numbers; rows with a blank are left out. Ours and
DiCE answer for the same program; treecf, which knows ensembles of trees only, for XGBoost (50 trees of depth 3) on the
same table, by its exact search. The first column is frozen and the second may only rise. A way is valid if its model
says so of the row that is given; a breach is a column that changed beyond the limits. The cost is ours for all: for
each changed column one, plus the share of the table's numbers that are passed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pandas as pd
from learned_models import roles_of


def numbers_of(name):
    """Return the rows of a table as numbers, and whether each is positive."""
    folder, roles = roles_of(name)
    table = pd.read_csv(folder / roles["file"], dtype=str)
    columns = [*roles["numerical"], *roles["categorical"]]
    X = table[columns].apply(pd.to_numeric, errors="coerce")
    X = X.loc[:, X.notna().mean() > 0.9]
    kept = X.notna().all(axis=1)
    return X[kept].astype(float).reset_index(drop=True), (table[roles["label"]][kept] == roles["positive"]).to_numpy()


class Outcome:
    """What one tool made of some rows."""

    def __init__(self, X):
        self.sorted = {c: np.sort(X[c].to_numpy()) for c in X.columns}
        self.names = list(X.columns)
        self.costs, self.seconds, self.valid, self.breaches, self.proved, self.found, self.n = [], [], 0, 0, 0, 0, 0

    def add(self, before, after, seconds, *, is_valid=False, is_proved=False):
        """Count one row's answer; None is no way."""
        self.n += 1
        self.seconds.append(seconds)
        self.proved += is_proved
        if after is None:
            return
        self.found += 1
        self.valid += is_valid
        self.costs.append(sum(self.cost(c, before[c], after[c]) for c in self.names if before[c] != after[c]))
        frozen, rising = self.names[:2]
        self.breaches += int(before[frozen] != after[frozen]) + int(after[rising] < before[rising])

    def cost(self, column, before, after):
        """Price one change."""
        numbers = self.sorted[column]
        low, high = sorted((before, after))
        passed = np.searchsorted(numbers, high, "left") - np.searchsorted(numbers, low, "right")
        return 1 + max(passed, 0) / len(numbers)

    def line(self, tool):
        """Return a row of the table."""
        cost = f"{statistics.mean(self.costs):.2f}" if self.costs else ""
        times = f"{1000 * statistics.median(self.seconds):.1f} | {1000 * max(self.seconds):.0f}"
        return f"{tool} | {self.n} | {self.found} | {self.valid} | {self.breaches} | {cost} | {self.proved} | {times} |"


def ours(model, X, rows):
    """Ask our own engine."""
    from unless.evaluate.recourse_rows import TableRecourse
    from unless.logic.reason.recourse import ChangeLimits

    frozen, rising = list(X.columns)[:2]
    asked = TableRecourse(model.program_, X, ChangeLimits(frozen=(frozen,), only_up=(rising,)))
    found = Outcome(X)
    for i in rows:
        begin = time.process_time()
        answer = asked.ways(i, True, 1)
        seconds = time.process_time() - begin
        after = None
        if answer.ways:
            after = X.iloc[i].to_dict() | {c.column: c.value for c in answer.ways[0].changes}
        is_valid = after is not None and bool(model.predict(pd.DataFrame([after]))[0])
        found.add(X.iloc[i], after, seconds, is_valid=is_valid, is_proved=answer.verdict != "not decided")
    return found


def by_dice(model, X, y, rows):
    """Ask DiCE about our program."""
    import dice_ml

    frozen, rising = list(X.columns)[:2]
    data = dice_ml.Data(
        dataframe=X.assign(label=y.astype(int)), continuous_features=list(X.columns), outcome_name="label"
    )
    asked = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method="random")
    found = Outcome(X)
    for i in rows:
        before, begin, after = X.iloc[i], time.process_time(), None
        limits = {rising: [float(before[rising]), float(X[rising].max())]}
        with contextlib.suppress(Exception), redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
            answer = asked.generate_counterfactuals(
                X.iloc[[i]], total_CFs=1, desired_class=1, features_to_vary=[c for c in X.columns if c != frozen],
                permitted_range=limits, random_seed=1, verbose=False,
            )  # fmt: skip
            after = answer.cf_examples_list[0].final_cfs_df[list(X.columns)].iloc[0].astype(float).to_dict()
        seconds = time.process_time() - begin
        is_valid = after is not None and bool(model.predict(pd.DataFrame([after]))[0])
        found.add(before, after, seconds, is_valid=is_valid)
    return found


def by_treecf(X, y, n_rows, limit):
    """Ask treecf about XGBoost."""
    import treecf
    import xgboost

    frozen, rising = list(X.columns)[:2]
    trees = xgboost.XGBClassifier(n_estimators=50, max_depth=3, n_jobs=1).fit(X, y)
    rows = np.flatnonzero(~trees.predict(X).astype(bool))[:n_rows]
    limits = [treecf.Freeze(frozen), treecf.Monotone(rising, "increase")]
    asked = treecf.Explainer(trees, background=X, constraints=limits)
    target = treecf.Target.probability(range=(0.5000001, 1.0))
    found = Outcome(X)
    for i in rows:
        begin = time.process_time()
        answer = asked.explain(
            X.iloc[i], target=target, backend="exact", seed=0, time_budget_s=limit, sparsity_weight=1.0
        )
        seconds, after = time.process_time() - begin, None
        if not isinstance(answer, treecf.Infeasible):
            after = X.iloc[i].to_dict() | {name: change[1] for name, change in answer.changes.items()}
        is_valid = after is not None and bool(trees.predict(pd.DataFrame([after]))[0])
        found.add(X.iloc[i], after, seconds, is_valid=is_valid, is_proved=answer.proof in ("optimal", "certified"))
    return found


def main():
    warnings.simplefilter("ignore")
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("tables", nargs="*", default=["heart", "breast-w", "ionosphere", "credit-card"])
    arguments.add_argument("--rows", type=int, default=30)
    arguments.add_argument("--limit", type=float, default=5.0, help="Seconds of treecf for a row.")
    given = arguments.parse_args()
    from unless import UnlessClassifier

    print("| table | tool | rows | way | valid | breaches | cost | proved | median CPU ms | worst |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in given.tables:
        X, y = numbers_of(name)
        model = UnlessClassifier().fit(X, y)
        rows = np.flatnonzero(~model.predict(X).astype(bool))[: given.rows]
        print(f"| {name} | {ours(model, X, rows).line('unless')}", flush=True)
        print(f"| {name} | {by_treecf(X, y, given.rows, given.limit).line('treecf on XGBoost')}", flush=True)
        print(f"| {name} | {by_dice(model, X, y, rows).line('DiCE on the program')}", flush=True)


if __name__ == "__main__":
    main()
