"""What the learners share: reading tables wherever they are, and keeping what is learned as a program.

Hyper-parameters are only stored by `__init__` and checked by `fit`, as scikit-learn expects.
"""

from __future__ import annotations

import os
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, Options
from sklearn.utils.multiclass import check_classification_targets

from unless.errors import DataError, listing
from unless.estimators.program_classifier import ProgramClassifier
from unless.estimators.sklearn_inputs import (
    has_names,
    is_ordered,
    no_cells,
    positive_place,
    read_training_labels,
)
from unless.evaluate.shares import smoothed_shares
from unless.learn.checkpoint import Checkpoint, fingerprint
from unless.learn.rows.codes import Columns, encode
from unless.learn.rows.row_set import all_rows
from unless.learn.rows.source import LocalSource, read_part
from unless.learn.rows.survey import Part
from unless.learn.rows.testable import Candidates
from unless.logic.background.predicates import read_background
from unless.logic.forms.flatten import flatten
from unless.logic.program import Clause, Program, Target
from unless.logic.rules import Column, Label, Rule
from unless.logic.text.files import read_text
from unless.table.frames import RawTable, is_dask
from unless.table.kinds import KindRule, kinds_from_choice, rule_from_choice
from unless.table.labels import plain
from unless.table.pieces import Files, open_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from unless.learn.fold.foldrpp import Progress
    from unless.learn.rows.source import Source
    from unless.logic.rules import Kind
    from unless.table.cells import Cells
    from unless.table.kinds import Evidence
    from unless.table.labels import Labels

    Watcher = Callable[[Progress], None] | None


class RuleClassifier(ProgramClassifier):
    """What every learner of rules shares: reading tables, and learning from them wherever they are.

    A learner has the parameters below beside its own, and says in `_rules` how its rules are learned.
    """

    positive: Label | None
    categorical_features: Any
    missing_values: Sequence[str]
    background: str | os.PathLike[str] | None
    background_columns: Sequence[str]
    n_jobs: int | None

    _takes_many: ClassVar[bool] = True
    """Whether it learns from more than two labels."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "positive": [object],
        "categorical_features": ["array-like", str, None],
        "missing_values": ["array-like", tuple],
        "background": [str, os.PathLike, None],
        "background_columns": ["array-like", tuple],
        "n_jobs": [Interval(Integral, 1, None, closed="left"), Options(Integral, {-1}), None],
    }

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(
        self,
        X: Any,
        y: Any,
        *,
        on_rule: Callable[[Progress], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn a program; `on_rule` is told after each rule, `checkpoint` is a file to resume from.

        Dask data frames are learned from where they are, by the current Dask client.
        """
        if is_dask(X):
            from unless.distributed import frame_source

            names = [str(name) for name in X.columns]
            rule = rule_from_choice(names, self.categorical_features)
            source = frame_source(X, y, rule, tuple(self.missing_values))
            return self._learn_from(source, names, on_rule, checkpoint)
        table, labels = self._read_training(X, y)
        kinds = kinds_from_choice(table, self.categorical_features)
        return self._learn(table, kinds, labels, on_rule, checkpoint)

    def fit_files(
        self,
        places: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Files,
        target: str,
        *,
        drop: Sequence[str] = (),
        kinds: Mapping[str, Kind] | None = None,
        scheduler: str | None = None,
        on_rule: Callable[[Progress], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn a program from files that may be larger than memory: paths, folders, globs, or remote paths.

        `target` names the column of labels, `drop` columns to leave out. `kinds` sets the kind of the columns it names;
        the others go by `categorical_features`, where 'from_dtype' means by content for CSV, which has no dtypes. With
        `scheduler`, the address of a Dask scheduler, its workers read the files.
        """
        self._validate_params()
        places = [places] if isinstance(places, str | os.PathLike) else places
        files = places if isinstance(places, Files) else open_files(places)
        names = files.names_without([target, *drop])
        by: Evidence = "content" if files.is_text else "dtype"
        rule = rule_from_choice(names, self.categorical_features, by)
        rule = KindRule(by, {**rule.fixed, **(kinds or {})}, tuple(self.missing_values))
        parts = [partial(read_part, piece, target, tuple(drop)) for piece in files.pieces]
        if scheduler is None:
            source = LocalSource(parts, rule, tuple(self.missing_values), self._threads())
            return self._learn_from(source, names, on_rule, checkpoint)
        from unless.distributed import connected, files_source

        with connected(scheduler) as client:
            cluster = files_source(client, files, parts, rule, tuple(self.missing_values))
            return self._learn_from(cluster, names, on_rule, checkpoint)

    def _rules(
        self,
        columns: Columns,
        rows: Any,
        label: Label,
        on_rule: Watcher,
        finished: Sequence[Rule],
    ) -> tuple[tuple[Rule, ...], Any]:
        """Learn rules for the positive rows, after those that are finished; return also the rows that none covers."""
        raise NotImplementedError

    def _learn_from(
        self,
        source: Source,
        names: Sequence[str],
        on_rule: Watcher,
        checkpoint: str | os.PathLike[str] | None,
    ) -> Self:
        """Learn from rows that are surveyed and coded where they are."""
        survey, kinds = source.survey()
        if survey.n_rows == 0:
            msg = f"the table names its columns ({listing(names)} and the label) and has no rows to learn from."
            raise DataError(msg)
        if not names:
            raise DataError(no_cells(survey.n_rows, len(names)))
        check_classification_targets(survey.classes)
        self.n_features_in_, self._names = len(names), tuple(names)
        self.feature_names_in_ = np.array(names, dtype=object)
        self.classes_ = survey.classes
        ordered = isinstance(source, LocalSource) and self._is_ordered(survey.classes, checkpoint)
        positive = 0 if ordered else positive_place(survey.classes, survey.counts, self.positive)
        theory = self._theory({name: kinds[name] for name in names}, survey.label, positive)
        candidates = Candidates.of(theory, self.background_columns)
        columns = Columns(tuple(candidates.books(survey.books).values()), (), survey.n_rows)
        if ordered:
            by_class = [source.rows(survey, kinds, label, candidates) for label in survey.classes]
            return self._ordered(theory, columns, by_class, on_rule)
        rows = source.rows(survey, kinds, survey.classes[positive], candidates)
        return self._finish(theory, columns, rows, positive, on_rule, checkpoint)

    def _learn(
        self,
        table: RawTable,
        kinds: Mapping[str, Kind],
        labels: Labels,
        on_rule: Watcher,
        checkpoint: str | os.PathLike[str] | None,
    ) -> Self:
        """Learn from a table in memory."""
        self.classes_ = labels.classes
        ordered = self._is_ordered(labels.classes, checkpoint)
        positive = 0 if ordered else positive_place(labels.classes, labels.counts(), self.positive)
        theory = self._theory(kinds, labels.name, positive)
        _, columns = self._code(theory, table, kinds, labels)
        if ordered:
            by_class = [all_rows(columns, labels.codes == place) for place in range(len(labels.classes))]
            return self._ordered(theory, columns, by_class, on_rule)
        rows = all_rows(columns, labels.codes == positive)
        return self._finish(theory, columns, rows, positive, on_rule, checkpoint)

    def _code(
        self, theory: Program, table: RawTable, kinds: Mapping[str, Kind], labels: Labels
    ) -> tuple[dict[str, Cells], Columns]:
        """Return the cells of a table in memory, and the codes of all that rules may test."""
        read = Part(table, labels).cells(kinds, self.missing_values, self._threads())
        candidates = Candidates.of(theory, self.background_columns)
        return read, encode(candidates.cells(read, table.n_rows), self._threads())

    def _is_ordered(self, classes: NDArray[Any], checkpoint: object) -> bool:
        """Tell whether there are more than two labels and the learner takes them."""
        return self._takes_many and is_ordered(classes, {"positive": self.positive, "checkpoint": checkpoint})

    def _ordered(self, theory: Program, columns: Columns, by_class: Sequence[Any], on_rule: Watcher) -> Self:
        """Learn rules in an order; `by_class` are the same rows once for each label, those of the label positive."""
        raise NotImplementedError

    def _theory(self, kinds: Mapping[str, Kind], label: str, positive: int) -> Program:
        """Return the program before learning: the target, the columns, and the clauses of the background."""
        name = label if label not in kinds else f"{label} (target)"
        told, other = plain(self.classes_[positive]), plain(self.classes_[1 - positive])
        described = tuple(Column(column, kind) for column, kind in kinds.items())
        clauses = self._background(name, described)
        return Program(Target(name, (told,), other), described, clauses, tuple(self.missing_values))

    def _finish(
        self,
        theory: Program,
        columns: Columns,
        rows: Any,
        positive: int,
        on_rule: Watcher,
        checkpoint: str | os.PathLike[str] | None,
    ) -> Self:
        """Learn rules from rows in codes, and keep them as a program."""
        told = theory.target.labels[0]
        finished: tuple[Rule, ...] = ()
        if checkpoint is not None:
            keeper = Checkpoint.open(checkpoint, fingerprint(columns, rows, theory, self._settings()), on_rule)
            on_rule, finished = keeper.add, keeper.rules
        rules, uncovered = self._rules(columns, rows, told, on_rule, finished)
        self.rules_ = rules
        self.program_ = flatten(rules, theory.target, theory.columns, theory.missing, theory.clauses)
        covered = [rows.n_pos - uncovered.n_pos, rows.n_neg - uncovered.n_neg]
        counts = np.array([covered, [uncovered.n_pos, uncovered.n_neg]])
        shares = smoothed_shares(counts, np.arange(2))
        self.shares_ = shares if positive == 0 else shares[:, ::-1]
        return self

    def _settings(self) -> dict[str, str]:
        """Return what the learner has of its own and its rules depend on."""
        own = {name: repr(value) for name, value in self.get_params().items() if name not in _SHARED}
        return {"learner": type(self).__name__, **own}

    def _background(self, target: str, columns: Sequence[Column]) -> tuple[Clause, ...]:
        if self.background is None:
            return ()
        text = self.background if isinstance(self.background, str) else read_text(self.background)
        return read_background(text, target, columns)

    def _read_training(self, X: Any, y: Any) -> tuple[RawTable, Labels]:
        if y is None:
            msg = "requires y to be passed, but the target y is None."
            raise ValueError(msg)
        table = self._read_rows(X)
        self._remember_features(X, table)
        labels = read_training_labels(y)
        if len(labels) != table.n_rows:
            msg = f"the table has {table.n_rows} rows and there are {len(labels)} labels; each row needs one label."
            raise DataError(msg)
        return table, labels

    def _remember_features(self, X: Any, table: RawTable) -> None:
        self.n_features_in_ = len(table.columns)
        self._names = table.names
        if has_names(X):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _threads(self) -> int:
        return os.cpu_count() or 1 if self.n_jobs in (None, -1) else int(self.n_jobs)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self._takes_many
        return tags


_SHARED = frozenset(RuleClassifier._parameter_constraints)
