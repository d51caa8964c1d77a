"""Rule learners side by side, and what each does with gaps, words and words that it has never seen.

    python benchmarks/compare.py --write

measures accuracy, AUC, conditions and CPU seconds of `fit` by cross-validation on small tables, all learners with
their defaults and one thread, each table and learner in a process of its own; then tries every learner on raw cells
and on what else it can do (`compare_abilities.py`).
Writes docs/compare.md between the markers. Needs imodels, six, interpret-core, wittgenstein, rulekit (which is
Java), Orange3 and foldrpp, in an environment of their own, and the tables that UNLESS_DATA names.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

from compare_abilities import abilities, page

PAGE = Path(__file__).parent.parent / "docs" / "compare.md"
TABLES = ("heart", "voting", "kidney", "credit-a")
TRIALS = ("probe", "abilities")
"""What is tried on small tables that are made here."""
FOLDS = 3
PACKAGES = (
    "imodels", "interpret-core", "wittgenstein", "rulekit", "Orange3", "foldrpp", "numpy", "pandas", "scikit-learn",
)  # fmt: skip


class Unless:
    title = "unless"

    def fit(self, X, y, words):
        from unless import UnlessClassifier

        self.model = UnlessClassifier(categorical_features=list(words)).fit(X, y)

    def predict(self, X):
        return self.model.predict(X)

    def probability(self, X):
        return self.model.predict_proba(X)[:, list(self.model.classes_).index("yes")]

    def size(self):
        program = self.model.program_
        points = sum(line.startswith("%@ grade") and " points " in line for line in str(program).splitlines())
        return program.n_literals, f"and {points} lines of points"


class OurFold(Unless):
    title = "FOLD-R++, ours"

    def fit(self, X, y, words):
        from unless import FoldRPPClassifier

        self.model = FoldRPPClassifier(categorical_features=list(words), positive="yes").fit(X, y)


class Authors:
    title = "foldrpp"

    def fit(self, X, y, words):
        from foldrpp.foldrpp import Foldrpp

        self.names = {name: f"c{i}" for i, name in enumerate(X.columns)}
        numbers = [self.names[c] for c in X.columns if c not in words]
        self.model = Foldrpp([self.names[c] for c in words], numbers, "label", "yes")
        self.model.fit([{**row, "label": int(label == "yes")} for row, label in zip(self.rows(X), y, strict=True)])

    def rows(self, X):
        return [{self.names[k]: v for k, v in row.items() if v == v and v is not None} for row in X.to_dict("records")]

    def predict(self, X):
        return ["yes" if one else "no" for one in self.model.predict(self.rows(X))]

    def size(self):
        self.model.asp()
        return sum(len(rule[1]) for rule in self.model.flat_rules), ""


class Wittgenstein:
    title = "wittgenstein RIPPER"

    def fit(self, X, y, words):
        import wittgenstein

        self.model = wittgenstein.RIPPER(random_state=0)
        self.model.fit(X, y=list(y), pos_class="yes")

    def predict(self, X):
        return ["yes" if one else "no" for one in self.model.predict(X)]

    def probability(self, X):
        return self.model.predict_proba(X)[:, -1]

    def size(self):
        return sum(len(rule.conds) for rule in self.model.ruleset_.rules), ""


class Figs:
    title = "imodels FIGS"

    def make(self):
        from imodels import FIGSClassifier

        return FIGSClassifier()

    def fit(self, X, y, words):
        self.model = self.make()
        self.model.fit(X, [int(label == "yes") for label in y])

    def predict(self, X):
        return ["yes" if one else "no" for one in self.model.predict(X)]

    def probability(self, X):
        return self.model.predict_proba(X)[:, 1]

    def size(self):
        return int(self.model.complexity_), ""


class RuleFit(Figs):
    title = "imodels RuleFit"

    def make(self):
        from imodels import RuleFitClassifier

        return RuleFitClassifier(random_state=0)

    def size(self):
        rules = self.model._get_rules(exclude_zero_coef=True)
        return sum(str(rule).count(" and ") + 1 for rule in rules["rule"]), ""


class Ebm(Figs):
    title = "interpret EBM"

    def make(self):
        from interpret.glassbox import ExplainableBoostingClassifier

        return ExplainableBoostingClassifier(n_jobs=1, random_state=0)

    def size(self):
        scores = sum(int(each.size) for each in self.model.term_scores_)
        return scores, f"scores in {len(self.model.term_scores_)} curves"


class RuleKit:
    title = "RuleKit"

    def fit(self, X, y, words):
        from rulekit.classification import RuleClassifier

        self.model = RuleClassifier()
        self.model.fit(X, list(y))

    def predict(self, X):
        return self.model.predict(X)

    def probability(self, X):
        labels = [str(label) for label in self.model.label_unique_values]
        return self.model.predict_proba(X)[:, labels.index("yes")]

    def size(self):
        return int(sum(len(rule.conditions) if hasattr(rule, "conditions") else str(rule).count(" AND ") + 1
                       for rule in self.model.model.rules)), ""  # fmt: skip


class Cn2:
    title = "Orange CN2"

    def fit(self, X, y, words):
        from Orange.classification.rules import CN2UnorderedLearner
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain

        columns = [
            DiscreteVariable(name, sorted({str(v) for v in X[name].dropna()})) if name in words
            else ContinuousVariable(name) for name in X.columns
        ]  # fmt: skip
        self.domain = Domain(columns, DiscreteVariable("label", ["no", "yes"]))
        self.model = CN2UnorderedLearner()(self.table(X, y))

    def table(self, X, y):
        from Orange.data import Table

        rows = [
            [*(None if v != v or v is None else str(v) if isinstance(v, str) else v for v in row), label]
            for row, label in zip(X.itertuples(index=False), y, strict=True)
        ]
        return Table.from_list(self.domain, rows)

    def probability(self, X):
        return self.model(self.table(X, ["no"] * len(X)), self.model.Probs)[:, 1]

    def predict(self, X):
        return ["yes" if p > 0.5 else "no" for p in self.probability(X)]

    def size(self):
        return sum(len(rule.selectors) for rule in self.model.rule_list), ""


LEARNERS = {each.title: each for each in (Unless, OurFold, Authors, Wittgenstein, Figs, RuleFit, Ebm, RuleKit, Cn2)}
SLOW = {"interpret EBM", "Orange CN2"}  # they come last
ENCODED = {"imodels FIGS", "imodels RuleFit"}
FILLED = {"wittgenstein RIPPER"}
CLOSED = {"Orange CN2"}  # words that training had not are refused: they are blanks


def load(name):
    import pandas as pd

    folder = Path(os.environ["UNLESS_DATA"])
    more = folder / "more" / f"{name}.csv.gz"
    if more.exists():
        roles = next(each for each in json.loads((folder / "more" / "index.json").read_text()) if each["name"] == name)
        path = more
    else:
        import tomllib

        roles = tomllib.loads((folder / "datasets.toml").read_text())[name]
        path = folder / roles["file"]
    text = pd.read_csv(path, dtype=str)
    X = text[[*roles["categorical"], *roles["numerical"]]].copy()
    for column in roles["numerical"]:
        X[column] = pd.to_numeric(X[column], errors="coerce")
    y = (text[roles["label"]] == roles["positive"]).map({True: "yes", False: "no"}).to_numpy()
    return X, y, tuple(roles["categorical"])


def prepared(title, train, test, words):
    """Give a learner what it can take: as it is, with gaps filled, or one column of 0 and 1 for each word."""
    if title in CLOSED:
        return train, test.assign(**{name: test[name].where(test[name].isin(train[name])) for name in words})
    if title not in ENCODED | FILLED:
        return train, test
    import pandas as pd

    numbers = [name for name in train if name not in words]
    middle = train[numbers].median()
    train, test = (part.assign(**part[numbers].fillna(middle)).fillna("(missing)") for part in (train, test))
    if title in FILLED:
        return train, test
    train = pd.get_dummies(train, columns=list(words), dtype=float)
    test = pd.get_dummies(test, columns=list(words), dtype=float).reindex(columns=train.columns, fill_value=0.0)
    return train, test


def measure(title, name):
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    X, y, words = load(name)
    found = []
    for i, (train, test) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y)):
        learner = LEARNERS[title]()
        if i == 0 and title not in SLOW:  # what is compiled or started once is not counted
            few = train[:: len(train) // 60]
            learner.fit(*with_words(title, X.iloc[few], y[few], words))
            learner = LEARNERS[title]()
        begun = cpu()
        seen, unseen = prepared(title, X.iloc[train], X.iloc[test], words)
        learner.fit(seen, y[train], words)
        seconds = cpu() - begun
        right = sum(str(a) == b for a, b in zip(learner.predict(unseen), y[test], strict=True)) / len(test)
        area = roc_auc_score(y[test] == "yes", learner.probability(unseen)) if hasattr(learner, "probability") else None
        size, more = learner.size()
        found.append((right, area, size, seconds, more))
    mean = [None if None in column else statistics.fmean(column) for column in list(zip(*found, strict=True))[:4]]
    return {"accuracy": mean[0], "auc": mean[1], "size": mean[2], "seconds": mean[3], "more": found[-1][4]}


def with_words(title, X, y, words):
    return prepared(title, X, X, words)[0], y, words


def cpu():
    """Return the CPU seconds of this process and of what it started and waited for (RuleKit's Java runs inside)."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def probes():
    """Return small tables: what is in the cells of training, and in those of one row to predict."""
    import pandas as pd

    number = [float(i % 20) for i in range(80)]
    word = ["a", "b", "c", "d"] * 20
    y = ["yes" if n > 9 and w != "b" else "no" for n, w in zip(number, word, strict=True)]
    words = pd.DataFrame({"n": number, "w": word})
    numbers = pd.DataFrame({"n": number, "w": [float("abcd".index(w)) for w in word]})
    gap = numbers.copy()
    gap.loc[[3, 15], "n"] = float("nan")
    mixed = numbers.assign(n=[*number[:-2], "retired", "student"])
    return {
        "a column of words": (words, y, words.iloc[[12]]),
        "a word that training had not": (words, y, words.iloc[[12]].assign(w="zebra")),
        "blank numbers in training": (gap, y, numbers.iloc[[12]]),
        "a blank number in the row to predict": (numbers, y, numbers.iloc[[12]].assign(n=float("nan"))),
        "words among the numbers of a column": (mixed, y, numbers.iloc[[12]]),
    }


def probe(title):
    said = {}
    for what, (X, y, row) in probes().items():
        learner = LEARNERS[title]()
        try:
            import numpy as np
            from pandas.api.types import is_numeric_dtype

            learner.fit(X, np.array(y), () if is_numeric_dtype(X["w"]) else ("w",))
            said[what] = f"{next(iter(learner.predict(row)))}"
        except Exception as error:  # whatever a peer raises is the finding
            first = str(error).strip().splitlines() or [""]
            said[what] = f"{type(error).__name__}: {first[0][:90]}"
    return said


def cell(title, name):
    warnings.filterwarnings("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        found = {"probe": probe, "abilities": abilities}[name](title) if name in TRIALS else measure(title, name)
    sys.stdout.write("\n\036" + json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # a Java machine would keep the process


def run(title, name, limit):
    one = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    begun = time.time()
    command = ["bash", "-c", f'ulimit -t {limit}; exec "$@"', "-", sys.executable, __file__, "--cell", title, name]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **one})
    if ran.returncode < 0:
        return {"error": f"more than {limit} s of CPU"}
    sys.stderr.write(f"{title} on {name}: {time.time() - begun:.0f} s\n")
    if "\036" not in ran.stdout:
        return {"error": (ran.stderr.strip().splitlines() or ["no answer"])[-1][:160]}
    return json.loads(ran.stdout.split("\036")[1])


def shown(found, key, digits):
    return "–" if found.get(key) is None else f"{found[key]:.{digits}f}"


def means_of(done):
    keys = ("accuracy", "auc", "size", "seconds")
    return {key: statistics.fmean(f[key] for f in done) if None not in [f[key] for f in done] else None for key in keys}


def more_of(done):
    """Return what there is to read beside the conditions, with the mean of its number."""
    numbers = [int(n) for found in done for n in re.findall(r"\d+", found["more"])]
    return re.sub(r"\d+", f"{statistics.fmean(numbers):.0f}", done[0]["more"]) if numbers else ""


def figures(cells):
    """Write a line for each learner that finished all tables, means over them; then accuracy table by table."""
    lines = ["| learner | accuracy | AUC | conditions | CPU seconds | not finished |", "|---|---|---|---|---|---|"]
    for title in LEARNERS:
        done = [cells[title, name] for name in TABLES if "error" not in cells.get((title, name), {"error": ""})]
        each = {name: cells.get((title, name), {"error": "not measured"}) for name in TABLES}
        failed = [f"{name}: {found['error']}" for name, found in each.items() if "error" in found]
        means = means_of(done) if not failed else {}
        more = f" {more_of(done)}" if means else ""
        size = f"{shown(means, 'size', 0)}{more}"
        lines.append(f"| {title} | {shown(means, 'accuracy', 3)} | {shown(means, 'auc', 3)} | {size} "
                     f"| {shown(means, 'seconds', 2)} | {', '.join(failed)} |")  # fmt: skip
    lines += ["", f"| accuracy (AUC) | {' | '.join(TABLES)} |", "|---" * (len(TABLES) + 1) + "|"]
    for title in LEARNERS:
        each = [cells.get((title, name), {"error": ""}) for name in TABLES]
        texts = [f"{shown(f, 'accuracy', 3)} ({shown(f, 'auc', 3)})" if "error" not in f else "–" for f in each]
        lines.append(f"| {title} | {' | '.join(texts)} |")
    return "\n".join(lines)


def tried(cells):
    titles = [title for title in LEARNERS if "error" not in cells.get((title, "probe"), {"error": ""})]
    lines = [f"| raw cells | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
    notes = []
    for what in probes():
        texts = []
        for title in titles:
            answer = cells[title, "probe"][what]
            if answer in {"yes", "no", "True", "False"}:
                texts.append("answers")
            else:
                notes.append(f"{title}, {what}: `{answer}`")
                texts.append(f"refused ({len(notes)})")
        lines.append(f"| {what} | {' | '.join(texts)} |")
    return "\n".join([*lines, "", *(f"{i}. {note}" for i, note in enumerate(notes, 1))])


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("--cell", nargs=2)
    ask.add_argument("--limit", type=int, default=180, help="CPU seconds for a learner on a table")
    ask.add_argument("--log", default="compare.jsonl", help="finished cells, so that a run can go on")
    ask.add_argument("--finished", action="store_true", help="show the cells of the log, measure no further ones")
    ask.add_argument("--write", action="store_true")
    options = ask.parse_args()
    if options.cell:
        cell(*options.cell)
    log = Path(options.log)
    cells = {(a, b): c for a, b, c in map(json.loads, log.read_text().splitlines())} if log.exists() else {}
    for title in sorted(LEARNERS, key=SLOW.__contains__):
        for name in (*TRIALS, *TABLES):
            if (title, name) not in cells and not options.finished:
                cells[title, name] = run(title, name, options.limit)
                with log.open("a") as file:
                    file.write(json.dumps([title, name, cells[title, name]]) + "\n")
    from workloads import machine, versions, write_between

    limit = f" --limit {options.limit}" if options.limit != ask.get_default("limit") else ""
    head = f"`python benchmarks/compare.py{limit} --write`  \n{machine()}; {versions('unless', *PACKAGES)}\n\n"
    answers = {title: cells[title, "abilities"] for title in LEARNERS if (title, "abilities") in cells}
    texts = {"figures": head + figures(cells), "tried": tried(cells), "abilities": page(answers)}
    for name, text in texts.items():
        if options.write:
            write_between(PAGE, name, text)
        else:
            print(text)


if __name__ == "__main__":
    main()
