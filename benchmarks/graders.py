"""How well probabilities rank and how true they are: our grades beside learners of the field, on the same folds.

    python benchmarks/graders.py [--set more,paper,held-out] [--datasets telco,heart] [--learners unless,EBM]
        [--folds 5] [--kept 1] [--slow-rows 2000] [--cost 10] [--means] [--log FILE.jsonl]
        [--into graders] [--write]

For each table the means over `--kept` of `--folds` stratified folds: accuracy, AUC, log-loss, Brier score, conditions
of what decides, lines of what grades, and the CPU seconds of `fit`, one thread each, smaller tables first. All have
their defaults, but: the tree and FIGS get as many splits as our grade has lines, the stumps are LightGBM's, 20 trees of
one condition at a learning rate of 0.3, EBM has no interactions, for time, and FasterRisk ten conditions
among quartiles and words. EBM, FIGS, RIPPER and FasterRisk, which are slow, are left out on tables of more than
`--slow-rows` rows; one that is not installed (pip install interpret imodels wittgenstein fasterrisk; the last wants an
old NumPy, so not beside ours) is left out everywhere, and said so. A cell that is in the log is not measured again.
With `--cost` an error on the rarer label costs so many times as much, in learning and in all figures but the AUC; this
is for ours and for XGBoost, LightGBM and the stumps. The figures of each table go to a CSV file beside the page, called
as `--into` says; `--means` leaves them out. Tables: `more` are those that `more/index.json` of the folder named by
UNLESS_DATA describes, `paper` the paper's, `held-out` those of held_out.py. Grading was chosen on `more`; later trials
looked at the others too.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import sys
import time
import warnings
from pathlib import Path

import held_out
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from workloads import PAPER, Table, load, machine, versions, write_between

from unless import FoldRPPClassifier, UnlessClassifier

HERE = Path(__file__).parent
MEASURES = ("accuracy", "AUC", "log-loss", "Brier", "conditions", "lines", "CPU s")
PACKAGES = ("unless", "xgboost", "lightgbm", "scikit-learn", "interpret-core", "imodels", "wittgenstein", "fasterrisk")
CHOSEN_ON = "more"


def folder():
    return Path(os.environ["UNLESS_DATA"]) / "more"


def more():
    """Describe the tables that are neither the paper's nor held out, by name."""
    return {each["name"]: each for each in json.loads((folder() / "index.json").read_text())}


def load_more(name):
    """Read one of those tables."""
    roles = more()[name]
    text = pd.read_csv(folder() / f"{name}.csv.gz", dtype=str, keep_default_na=False)
    labels = (text[roles["label"]] == roles["positive"]).rename("label")
    text = text[roles["categorical"] + roles["numerical"]]
    frame = text.copy()
    frame[roles["categorical"]] = frame[roles["categorical"]].astype("category")
    frame[roles["numerical"]] = frame[roles["numerical"]].apply(pd.to_numeric, errors="coerce")
    return Table(frame, text, labels, tuple(roles["categorical"]), tuple(roles["numerical"]))


def sets():
    """Return the names of the tables of each set, and how one is read."""
    held = [*held_out.OURS, "breast_cancer", *(held_out.KEEL if "UNLESS_KEEL" in os.environ else ())]
    return {"more": (list(more()), load_more), "paper": (PAPER, load), "held-out": (held, held_out.load)}


def numbers_of(table, cuts=None):
    """Return what turns a frame into numbers: words by one-hot columns, blanks by medians; perhaps cut at quantiles."""
    words = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=5, sparse_output=False)
    steps = [SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()]
    if cuts is not None:
        steps[-1] = KBinsDiscretizer(cuts, encode="onehot-dense", quantile_method="averaged_inverted_cdf")
    return ColumnTransformer(
        [("words", words, list(table.categorical)), ("numbers", make_pipeline(*steps), list(table.numerical))]
    )


class OnNumbers:
    """A learner that wants a matrix of numbers."""

    def __init__(self, table, model, cuts=None):
        self.prepare, self.model = numbers_of(table, cuts), model

    def fit(self, frame, labels):
        self.model.fit(np.asarray(self.prepare.fit_transform(frame), dtype=float), labels.astype(int))
        return self

    def predict_proba(self, frame):
        return self.model.predict_proba(np.asarray(self.prepare.transform(frame), dtype=float))


class Ripper:
    """RIPPER of wittgenstein."""

    def fit(self, frame, labels):
        from wittgenstein import RIPPER

        self.model = RIPPER(random_state=0)
        self.model.fit(_plain(frame).assign(label=labels), class_feat="label", pos_class=True)
        return self

    def predict_proba(self, frame):
        return np.asarray(self.model.predict_proba(_plain(frame)))


class FasterRisk:
    """FasterRisk's first scorecard, which wants labels of -1 and 1."""

    def fit(self, matrix, labels):
        from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer

        found = RiskScoreOptimizer(X=matrix, y=np.where(labels, 1.0, -1.0), k=10)
        found.optimize()
        multiplier, constant, points = found.get_models(model_index=0)
        self.points = points
        self.model = RiskScoreClassifier(multiplier, constant, points)
        return self

    def predict_proba(self, matrix):
        chance = np.asarray(self.model.predict_prob(matrix)).ravel()
        return np.column_stack((1.0 - chance, chance))


def _plain(frame):
    return frame.astype(dict.fromkeys(frame.select_dtypes("category"), object))


def _lgbm(**options):
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, verbose=-1, **options)


def _xgb():
    from xgboost import XGBClassifier

    return XGBClassifier(enable_categorical=True, n_jobs=1)


def _ebm():
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1, interactions=0)


def _figs(n_lines):
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=n_lines)


def _words(table, learner):
    return learner(categorical_features=list(table.categorical), n_jobs=1)


LEARNERS = {
    "unless": lambda t, n: (_words(t, UnlessClassifier), "text"),
    "FOLD-R++": lambda t, n: (_words(t, FoldRPPClassifier), "text"),
    "XGBoost": lambda t, n: (_xgb(), "frame"),
    "LightGBM": lambda t, n: (_lgbm(), "frame"),
    "20 stumps": lambda t, n: (_lgbm(n_estimators=20, num_leaves=2, learning_rate=0.3), "frame"),
    "tree": lambda t, n: (OnNumbers(t, DecisionTreeClassifier(max_leaf_nodes=n + 1, random_state=0)), "frame"),
    "logistic": lambda t, n: (OnNumbers(t, LogisticRegression(max_iter=2000)), "frame"),
    "EBM": lambda t, n: (_ebm(), "frame"),
    "FIGS": lambda t, n: (OnNumbers(t, _figs(n)), "frame"),
    "RIPPER": lambda t, n: (Ripper(), "frame"),
    "FasterRisk": lambda t, n: (OnNumbers(t, FasterRisk(), cuts=4), "frame"),
}
SLOW = ("EBM", "FIGS", "RIPPER", "FasterRisk")


def sizes(model):
    """Count the conditions of what decides, and the lines of what grades, where there are such."""
    program = getattr(model, "program_", None)
    if program is not None:
        return sum(len(clause.body) for clause in program.clauses), len(program.grade.cards[0].awards)
    inner = getattr(model, "model", model)
    if isinstance(inner, DecisionTreeClassifier):
        return inner.get_n_leaves() - 1, None
    if hasattr(inner, "get_booster"):
        return int((inner.get_booster().trees_to_dataframe()["Feature"] != "Leaf").sum()), None
    if hasattr(inner, "booster_"):
        return int(inner.booster_.trees_to_dataframe()["split_feature"].notna().sum()), None
    if isinstance(inner, LogisticRegression):
        return None, inner.coef_.size
    if isinstance(inner, FasterRisk):
        return None, int(np.count_nonzero(np.asarray(inner.points)))
    if hasattr(inner, "term_scores_"):
        return None, sum(np.asarray(scores).size for scores in inner.term_scores_)
    if hasattr(inner, "ruleset_"):
        return sum(len(rule.conds) for rule in inner.ruleset_.rules), None
    return getattr(inner, "complexity_", None), None


def measured(model, frame, labels, train, test, cost=1.0):
    """Fit on some rows and measure on others."""
    weights = {"sample_weight": np.where(labels[train], cost, 1.0)} if cost != 1.0 else {}
    if weights and isinstance(model, (UnlessClassifier, FoldRPPClassifier)):
        model.set_params(class_weight={True: cost})  # ours tell what a label costs from how often a row is there
        weights = {}
    began = time.process_time()
    model.fit(frame.iloc[train], labels[train], **weights)
    seconds = time.process_time() - began
    chance = np.clip(np.asarray(model.predict_proba(frame.iloc[test]))[:, 1], 0.0, 1.0)
    seen, costs = labels[test], np.where(labels[test], cost, 1.0)
    return {
        "accuracy": float(np.average((chance > 0.5) == seen, weights=costs)),
        "AUC": float(roc_auc_score(seen, chance)),
        "log-loss": float(log_loss(seen, chance, labels=[False, True], sample_weight=costs)),
        "Brier": float(brier_score_loss(seen, chance, sample_weight=costs)),
        **dict(zip(MEASURES[4:6], sizes(model), strict=True)),
        "CPU s": seconds,
    }


class Log:
    """The cells measured so far, in a file of JSON lines."""

    def __init__(self, path):
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        self.cells = {self.key(cell): cell for cell in map(json.loads, lines)}

    @staticmethod
    def key(cell):
        return cell["set"], cell["table"], cell["fold"], cell["of"], cell["learner"], cell.get("cost", 1.0)

    def add(self, cell):
        self.cells[self.key(cell)] = cell
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(cell, default=float) + "\n")


def measure_table(log, where, name, read, chosen, absent):
    """Measure what is missing of a table."""
    table = read(name)
    labels = table.labels.to_numpy().astype(bool)
    labels = labels if labels.mean() <= 0.5 else ~labels  # the rarer label is the one to grade
    folds = StratifiedKFold(chosen.folds, shuffle=True, random_state=0).split(labels, labels)
    for fold, (train, test) in list(enumerate(folds))[: chosen.kept]:
        n_lines = 16
        for learner in chosen.learners.split(","):
            key = {"set": where, "table": name, "fold": fold, "of": chosen.folds, "learner": learner}
            key |= {"cost": chosen.cost} if chosen.cost != 1.0 else {}
            is_slow = learner in SLOW and len(labels) > chosen.slow_rows
            if is_slow or learner in absent or Log.key(key) in log.cells:
                n_lines = (
                    (log.cells.get(Log.key(key)) or {}).get("lines") or n_lines if learner == "unless" else n_lines
                )
                continue
            model, kind = LEARNERS[learner](table, n_lines)
            try:
                found = measured(model, getattr(table, kind), labels, train, test, chosen.cost)
            except ImportError as error:
                absent[learner] = str(error)
                continue
            except Exception as error:  # a peer that fails on a table is a result
                found = {"failed": f"{type(error).__name__}: {error}"[:200]}
            if learner == "unless":
                n_lines = found.get("lines") or n_lines
            log.add({**key, "rows": len(labels), **found})


def main():
    """Measure table after table, and print all of them and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="more,paper,held-out")
    parser.add_argument("--datasets")
    parser.add_argument("--learners", default=",".join(LEARNERS))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--kept", type=int, default=1)
    parser.add_argument("--slow-rows", type=int, default=2000)
    parser.add_argument("--most-rows", type=int, default=60_000)
    parser.add_argument("--cost", type=float, default=1.0, help="what an error on the rarer label costs")
    parser.add_argument("--means", action="store_true", help="write no figures of each table")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--into", default="graders", help="the marker between which to write, and the name of the CSV")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    warnings.filterwarnings("ignore")
    log, absent = Log(chosen.log), {}
    named = chosen.datasets.split(",") if chosen.datasets else None
    tables = []
    for where in chosen.set.split(","):
        names, read = sets()[where]
        tables += [(len(read(name).labels), where, name, read) for name in names if named is None or name in named]
    for n_rows, where, name, read in sorted(tables, key=lambda each: each[:3]):
        if n_rows <= chosen.most_rows:
            measure_table(log, where, name, read, chosen, absent)
    text = "\n".join(page(log, chosen, absent))
    print(text)
    if not chosen.means:
        write_tables(log, chosen, sys.stdout)
    if chosen.write:
        write_between(HERE / "README.md", chosen.into, text)
        if not chosen.means:
            with (HERE / f"{chosen.into}.csv").open("w", encoding="utf-8", newline="") as file:
                write_tables(log, chosen, file)


def cells_of(log, chosen):
    """Return the cells that were asked for."""
    cells = [c for c in log.cells.values() if c["of"] == chosen.folds and c["fold"] < chosen.kept]
    return [c for c in cells if c.get("cost", 1.0) == chosen.cost]


def page(log, chosen, absent):
    """Write the means of each learner in each set beside ours on the same tables."""
    cells, learners = cells_of(log, chosen), chosen.learners.split(",")
    asked = "" if chosen.learners == ",".join(LEARNERS) else f" --learners '{chosen.learners}'"
    asked = f"{'' if chosen.cost == 1.0 else f' --cost {chosen.cost:g}'}{' --means' if chosen.means else ''}{asked}"
    yield (
        f"`python benchmarks/graders.py --folds {chosen.folds} --kept {chosen.kept} "
        f"--slow-rows {chosen.slow_rows}{asked}`  "
    )
    yield f"{machine()}; {versions(*PACKAGES)}"
    yield from (f"{name} is left out: {why}" for name, why in absent.items())
    for where in chosen.set.split(","):
        mine = [c for c in cells if c["set"] == where]
        if not mine:
            continue
        used = "used for choosing" if where == CHOSEN_ON else "looked at in choosing, too"
        yield f"\nMeans over the tables of `{where}` ({used}); in brackets those of unless on the same tables.\n"
        yield f"| learner | tables | {' | '.join(MEASURES)} |\n|{'---|' * (2 + len(MEASURES))}"
        by = {(c["learner"], c["table"], c["fold"]): c for c in mine if "failed" not in c}
        for learner in learners:
            yield from mean_line(learner, by)
    if not chosen.means:
        yield f"\nTable by table: [{chosen.into}.csv]({chosen.into}.csv)."


def write_tables(log, chosen, file):
    """Write a line of CSV for each table and learner, smaller tables first."""
    writer, cells = csv.writer(file, lineterminator="\n"), cells_of(log, chosen)
    writer.writerow(("set", "table", "rows", "learner", *MEASURES, "failed"))
    tables = {(c["rows"], c["table"], c["set"]) for c in cells}
    for (n_rows, name, where), learner in itertools.product(sorted(tables), chosen.learners.split(",")):
        found = [c for c in cells if (c["set"], c["table"], c["learner"]) == (where, name, learner)]
        failed = next((c["failed"].splitlines()[0] for c in found if "failed" in c), "")
        if found:
            figures = [""] * len(MEASURES) if failed else [text.replace(",", "") for text in written(found, none="")]
            writer.writerow((where, name, n_rows, learner, *figures, failed))


def mean_line(learner, by):
    """Write the means of a learner over the tables it has, and ours there."""
    keys = [key for key in by if key[0] == learner and ("unless", *key[1:]) in by]
    if not keys:
        return
    theirs, ours = written([by[key] for key in keys]), written([by["unless", *key[1:]] for key in keys])
    shown = [a if learner == "unless" else f"{a} ({b})" for a, b in zip(theirs, ours, strict=True)]
    yield f"| {learner} | {len({key[1] for key in keys})} | {' | '.join(shown)} |"


def written(cells, none="–"):
    """Return the means of some cells as text."""
    texts = []
    for i, name in enumerate(MEASURES):
        values = [cell[name] for cell in cells if cell.get(name) is not None]
        digits = 4 if i < 4 else 2 if name == "CPU s" else 1
        texts.append(f"{np.mean(values):,.{digits}f}" if len(values) == len(cells) else none)
    return texts


if __name__ == "__main__":
    main()
