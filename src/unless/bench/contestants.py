"""The learners that are measured: each a row of `CONTESTANTS`, all with the same face, one thread each.

A learner gets a `BenchTable` and answers yes or no for the rows of another. What it needs beyond words and floats
(codes, one-hot columns, lists of dicts) it prepares in `fit`, inside the measured time; `predict` is not measured. A
learner whose package is not installed is skipped by name. To add one: a class with `fit`, `predict`, `size`, and a row
below.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from unless.evaluate.predict import predict
from unless.learn.front import learn, table_task
from unless.learn.learners import LEARNERS, FoldRSettings, UnlessSettings
from unless.logic.values import read_number
from unless.table.kinds import KindRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.bench.bench_tables import BenchTable
    from unless.learn.settings import LearnerSettings
    from unless.logic.program import Program
    from unless.logic.rules import Kind

SEED = 0


class Size(NamedTuple):
    """How much there is to read: rules (clauses, leaves), and literals in them."""

    rules: int
    literals: int


class Contestant(Protocol):
    """What is measured."""

    def fit(self, table: BenchTable) -> None:
        """Learn from a table."""

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Answer for each row."""

    def size(self) -> Size | None:
        """Count what there is to read; None where reading is hopeless."""


@dataclass(frozen=True, slots=True)
class ContestantEntry:
    """A learner of the registry: how it is called on the page, its package, and how to make one."""

    title: str
    package: str
    make: Callable[[], Contestant]

    @property
    def is_there(self) -> bool:
        """Tell whether its package is installed."""
        return find_spec(self.package) is not None


class OwnLearner:
    """A learner of this package; FOLD concludes the label that the paper asks for, ours chooses it itself."""

    def __init__(self, settings: LearnerSettings) -> None:
        self._settings = settings
        self._program: Program

    def fit(self, table: BenchTable) -> None:
        """Learn a program."""
        kinds: dict[str, Kind] = dict.fromkeys(table.numerical, "numerical")
        kinds |= dict.fromkeys(table.categorical, "categorical")
        positive = None if isinstance(self._settings, UnlessSettings) else True
        task = table_task(table.frame, table.y, kinds=KindRule("dtype", kinds), positive=positive)
        self._program = learn(task, self._settings).program

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Predict by the program."""
        return np.array(predict(self._program, table.frame), dtype=bool)

    def size(self) -> Size:
        """Count clauses and literals."""
        return Size(len(self._program.clauses), self._program.n_literals)


class Authors:
    """The authors' own package, given what its loader gives: a dict for each row, without its blank cells."""

    def fit(self, table: BenchTable) -> None:
        """Learn with ratio 0.5."""
        from foldrpp.foldrpp import Foldrpp

        names = {name: f"c{i}" for i, name in enumerate(table.frame.columns)}
        self._names = names
        words, numbers = [names[c] for c in table.categorical], [names[c] for c in table.numerical]
        self._model = Foldrpp(words, numbers, "label", "yes")
        self._model.fit(self._rows(table), ratio=0.5)

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Classify row by row."""
        return np.array(self._model.predict(self._rows(table)), dtype=bool)

    def size(self) -> Size:
        """Count flat rules and their conditions."""
        self._model.asp()
        return Size(len(self._model.flat_rules), sum(len(rule[1]) for rule in self._model.flat_rules))

    def _rows(self, table: BenchTable) -> list[dict[str, Any]]:
        mixed = [name for name in table.numerical if table.frame[name].dtype == pl.String]
        rows = []
        for row, label in zip(table.frame.to_dicts(), table.y.tolist(), strict=True):
            for name in mixed:
                number = None if row[name] is None else read_number(row[name])
                row[name] = row[name] if number is None else number
            rows.append({self._names[k]: v for k, v in row.items() if v is not None} | {"label": int(label)})
        return rows


class Ripper:
    """RIPPER, as `wittgenstein` has it: missing words are a word of their own, missing numbers the median."""

    def fit(self, table: BenchTable) -> None:
        """Learn with the package's defaults."""
        import wittgenstein

        numbers = _numbers(table)
        self._middle = {name: float(np.nanmedian(column)) for name, column in numbers.items()}
        self._model = wittgenstein.RIPPER(random_state=SEED)
        self._model.fit(self._frame(table), y=table.y.tolist(), pos_class=True)

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Predict by the rule set."""
        return np.array(self._model.predict(self._frame(table)), dtype=bool)

    def size(self) -> Size:
        """Count rules and conditions."""
        rules = self._model.ruleset_.rules
        return Size(len(rules), sum(len(rule.conds) for rule in rules))

    def _frame(self, table: BenchTable) -> Any:
        import pandas as pd

        numbers = {n: np.nan_to_num(column, nan=self._middle[n]) for n, column in _numbers(table).items()}
        words = {n: table.frame[n].fill_null("(missing)").to_list() for n in table.categorical}
        return pd.DataFrame({**words, **numbers})


class OneHot:
    """One-hot columns for a model of matrices: of the words only, or of every value of every column."""

    def __init__(self, make: Callable[[], Any], *, numbers_too: bool) -> None:
        self._model = make()
        self._numbers_too = numbers_too

    def fit(self, table: BenchTable) -> None:
        """Encode, then fit the model."""
        from sklearn.preprocessing import OneHotEncoder

        words = self._words(table)
        self._encoder = OneHotEncoder(handle_unknown="ignore", dtype=np.float32)
        if words.shape[1]:
            self._encoder.fit(words)
        self._model.fit(self._matrix(table), table.y)

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Encode, then ask the model."""
        predicted: NDArray[np.bool_] = np.asarray(self._model.predict(self._matrix(table))).astype(bool)
        return predicted

    def size(self) -> Size | None:
        """Count the leaves of a single tree and the tests above them."""
        tree = getattr(self._model, "tree_", None)
        if tree is None:
            return None
        tests = np.zeros(tree.node_count, dtype=int)
        for node in range(tree.node_count):
            for child in (tree.children_left[node], tree.children_right[node]):
                if child >= 0:
                    tests[child] = tests[node] + 1
        return Size(int(tree.n_leaves), int(tests[tree.children_left < 0].sum()))

    def _words(self, table: BenchTable) -> NDArray[Any]:
        """Return the cells to be encoded, as text; missing is a word of its own."""
        names = table.frame.columns if self._numbers_too else list(table.categorical)
        columns = [table.frame[name].cast(pl.String).fill_null("").to_numpy() for name in names]
        return np.column_stack(columns) if columns else np.empty((table.frame.height, 0), dtype=object)

    def _matrix(self, table: BenchTable) -> Any:
        from scipy.sparse import csr_matrix

        words = self._words(table)
        hot = self._encoder.transform(words) if words.shape[1] else csr_matrix((len(words), 0), dtype=np.float32)
        if self._numbers_too:
            return hot
        numbers = list(_numbers(table).values())
        return np.hstack([hot.toarray(), *(column.reshape(-1, 1) for column in numbers)])


class Coded:
    """A booster that knows categories: words become codes, numbers stay; a word never seen is missing."""

    def __init__(self, make: Callable[[NDArray[np.bool_]], tuple[Any, dict[str, Any]]]) -> None:
        self._make = make

    def fit(self, table: BenchTable) -> None:
        """Encode, then fit the model."""
        self._codes = {n: _code_words(table.frame[n]) for n in table.categorical}
        is_word = np.array([name in self._codes for name in table.frame.columns])
        self._model, options = self._make(is_word)
        self._model.fit(self._matrix(table), table.y, **options)

    def predict(self, table: BenchTable) -> NDArray[np.bool_]:
        """Encode, then ask the model."""
        predicted: NDArray[np.bool_] = np.asarray(self._model.predict(self._matrix(table))).astype(bool)
        return predicted

    def size(self) -> None:
        """Say nothing: a hundred trees are not for reading."""

    def _matrix(self, table: BenchTable) -> NDArray[np.float64]:
        numbers = _numbers(table)
        columns = []
        for name in table.frame.columns:
            codes = self._codes.get(name)
            if codes is None:
                columns.append(numbers[name])
            else:
                coded = table.frame[name].replace_strict(codes, default=None, return_dtype=pl.Float64)
                columns.append(coded.to_numpy())
        return np.column_stack(columns).astype(np.float64)


def _code_words(words: pl.Series) -> dict[str, float]:
    return {word: float(i) for i, word in enumerate(words.drop_nulls().unique().sort().to_list())}


def _numbers(table: BenchTable) -> dict[str, NDArray[np.float64]]:
    """Return the numerical columns as floats; words among them, which these learners cannot take, are missing."""
    return {
        name: table.frame[name].cast(pl.Float64, strict=False).to_numpy().astype(np.float64) for name in table.numerical
    }


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=SEED)


def _xgboost() -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_jobs=1, random_state=SEED)


def _xgboost_native(is_word: NDArray[np.bool_]) -> tuple[Any, dict[str, Any]]:
    from xgboost import XGBClassifier

    kinds = ["c" if word else "q" for word in is_word]
    return XGBClassifier(n_jobs=1, random_state=SEED, enable_categorical=True, feature_types=kinds), {}


def _lightgbm(is_word: NDArray[np.bool_]) -> tuple[Any, dict[str, Any]]:
    from lightgbm import LGBMClassifier

    columns = [f"c{i}" for i in range(len(is_word))]
    words = [name for name, word in zip(columns, is_word, strict=True) if word]
    model = LGBMClassifier(n_jobs=1, random_state=SEED, verbosity=-1)
    return model, {"feature_name": columns, "categorical_feature": words}


def _own(settings: type[LearnerSettings]) -> ContestantEntry:
    return ContestantEntry(settings.title, "unless", lambda: OwnLearner(settings()))


def _foldr_information() -> OwnLearner:
    return OwnLearner(FoldRSettings(heuristic="information"))


CONTESTANTS: dict[str, ContestantEntry] = {
    FoldRSettings.name: _own(FoldRSettings),
    "fold-r-information": ContestantEntry("FOLD-R, information", "unless", _foldr_information),
    **{name: _own(settings) for name, settings in reversed(LEARNERS.items()) if name != FoldRSettings.name},
    "authors": ContestantEntry("authors' foldrpp", "foldrpp", Authors),
    "ripper": ContestantEntry("RIPPER", "wittgenstein", Ripper),
    "tree": ContestantEntry("decision tree", "sklearn", lambda: OneHot(_tree, numbers_too=False)),
    "xgboost-onehot": ContestantEntry("XGBoost, one-hot", "xgboost", lambda: OneHot(_xgboost, numbers_too=True)),
    "xgboost": ContestantEntry("XGBoost, native", "xgboost", lambda: Coded(_xgboost_native)),
    "lightgbm": ContestantEntry("LightGBM", "lightgbm", lambda: Coded(_lightgbm)),
}
