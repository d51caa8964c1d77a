"""What the learners' estimators share: scikit-learn's manners on the outside, a task for `learn` on the inside.

Hyper-parameters are only stored by `__init__` and checked by `fit`, as scikit-learn expects. What they accept stands in
the learner's settings (`unless.learn.learners`), nowhere else.
"""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self
from typing import Literal as OneOf

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from unless.errors import DataError
from unless.estimators.accepted import OF_FILES, SHARED, refuse_others
from unless.estimators.column_matching import has_names
from unless.estimators.program_classifier import ProgramClassifier
from unless.estimators.sklearn_inputs import Warns, directions, read_training_labels
from unless.learn.front import files_task, learn, table_task
from unless.learn.screening import Screening
from unless.learn.task import Task
from unless.logic.column_names import resolved_keys
from unless.table.beside_rows import RowsBeside
from unless.table.frames import RawTable, is_dask
from unless.table.kind_choice import rule_from_choice
from unless.table.parts import add_parts, parts_of_dates
from unless.table.pieces import Files, open_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sklearn.utils import Tags

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import Learned
    from unless.logic.rules import Kind, Label
    from unless.table.kinds import KindRule
    from unless.table.labels import Labels

IdentifierChoice = OneOf["warn", "drop", "keep"]


class RuleClassifier(ProgramClassifier):
    """What every learner of rules shares: reading tables, and learning from them wherever they are.

    A learner has the parameters below beside those of its settings.
    """

    learner: ClassVar[type[LearnerSettings]]

    positive: Label | None
    categorical_features: Any
    missing_values: Sequence[str]
    identifiers: IdentifierChoice
    readings: Mapping[str, str] | None
    date_parts: Mapping[str, Sequence[str]] | None
    background: str | os.PathLike[str] | None
    background_columns: Sequence[str]
    n_jobs: int | None
    class_weight: Any

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        on_progress: Callable[[Any], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn a program. Dask data frames are learned from where they are, by the current Dask client.

        Parameters
        ----------
        X : table
            A pandas, polars or pyarrow table, an array, a sparse matrix, a dict of columns, a list of dicts, or a Dask
            data frame. Words, numbers and missing values need no preparation. With tables beside it: `RelatedRows`;
            with facts: what `unless.learn.examples.read_examples` gives (docs/background.md).
        y : labels
            A series, array or list, with one for each row.
        sample_weight : array of shape (n_rows,), default=None
            How much each row counts. A row of weight 2 counts as two rows, one of weight 0 not at all.
        on_progress : callable, default=None
            Hears of each rule when it is learned.
        checkpoint : str or path, default=None
            A file that finished rules are kept in, to resume from.

        Returns
        -------
        self : the fitted classifier.

        Examples
        --------
        >>> from unless import FoldRPPClassifier
        >>> rows = [{"age": 20, "paid": "yes"}, {"age": 40, "paid": "no"}, {"age": 60, "paid": "yes"}]
        >>> FoldRPPClassifier().fit(rows, ["good", "bad", "good"]).predict([{"paid": "no"}]).tolist()
        ['bad']

        """
        self._settings()
        with Warns():
            task = self._weighed_task(X, y, sample_weight)
            settings = self._settings(task.names)
            return self._keep(learn(task, settings, on_progress=on_progress, checkpoint=checkpoint))

    def _weighed_task(self, X: Any, y: Any, sample_weight: Any) -> Task:
        if sample_weight is None:
            return self._task(X, y)
        if is_dask(X):
            msg = "sample_weight is for a table on one machine, not on a cluster."
            raise DataError(msg)
        weights = _check_sample_weight(sample_weight, np.empty(len(read_training_labels(y))), ensure_non_negative=True)
        return self._task(X, y, weights=weights)

    def fit_files(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Files,
        target: str,
        *,
        drop: Sequence[str] = (),
        kinds: Mapping[str, Kind] | None = None,
        scheduler: str | None = None,
        on_progress: Callable[[Any], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn a program from files that may be larger than memory: paths, folders, globs, or remote paths.

        `target` names the column of labels, `drop` columns to leave out. `kinds` sets the kind of the columns it names;
        the others go by `categorical_features`, where 'from_dtype' means by content for CSV, which has no dtypes. With
        `scheduler`, the address of a Dask scheduler, its workers read the files.

        Parameters
        ----------
        paths : str, path or a list of them
            CSV, Parquet, Excel and what else docs/files.md names.
        target : str
            The column of labels.
        drop : sequence of str, default=()
            Columns to leave out.
        kinds : dict, default=None
            'numerical' or 'categorical', by column.
        scheduler : str, default=None
            The address of a Dask scheduler.
        on_progress, checkpoint :
            As in `fit`.

        Returns
        -------
        self : the fitted classifier.

        """
        self._settings()
        refuse_others(OF_FILES, {"paths": paths, "target": target, "drop": drop, "kinds": kinds})
        with Warns():
            paths = [paths] if isinstance(paths, str | os.PathLike) else paths
            files = paths if isinstance(paths, Files) else open_files(paths)
            names = files.names_without([target, *drop])
            self._remember_names(names)
            settings = self._settings(names)
            self._forget_rows()
            asked = {
                "drop": drop,
                "kinds": {**rule_from_choice(names, self.categorical_features).fixed, **(kinds or {})},
                "readings": self.readings,
                "date_parts": self.date_parts,
                **self._asked(),
            }
            if scheduler is None:
                task = files_task(files, target, n_threads=self._threads(), **asked)
                return self._keep(learn(task, settings, on_progress=on_progress, checkpoint=checkpoint))
            from unless.distributed import cluster_task, connected

            with connected(scheduler) as client:
                task = cluster_task(client, files, target, **asked)
                return self._keep(learn(task, settings, on_progress=on_progress, checkpoint=checkpoint))

    def _settings(self, names: Sequence[str] | None = None) -> LearnerSettings:
        """Return the settings of the learner, checked; `names` are the columns, once they are known."""
        refuse_others(SHARED, {name: getattr(self, name) for name in SHARED})
        values = {each.name: getattr(self, each.name) for each in fields(self.learner)}
        if "monotonic_cst" in values:
            values["monotonic_cst"] = directions(values["monotonic_cst"], names)
        return self.learner(**values)

    def _asked(self) -> dict[str, Any]:
        """Return what a task is asked for, beside its rows."""
        return {
            "positive": self.positive,
            "missing": tuple(self.missing_values),
            "background": self.background,
            "background_columns": tuple(map(str, self.background_columns)),
            "screening": self._screening(),
        }

    def _screening(self) -> Screening | None:
        if self.identifiers == "keep":
            return None
        return Screening(leaves_out=self.identifiers == "drop", keep="identifiers='keep'", remarks=False)

    def _task(self, X: Any, y: Any, **options: Any) -> Task:
        """Make a task of a table in memory, or of a Dask data frame."""
        if is_dask(X):
            from unless.distributed import frame_source

            names = [str(name) for name in X.columns]
            self._remember_names(names)
            self._forget_rows()
            if self.date_parts:
                msg = "date_parts is for a table on one machine, or for files, not for a Dask data frame."
                raise DataError(msg)
            rule = self._rule(names, self.readings or {})
            return Task(frame_source(X, y, rule, tuple(self.missing_values)), names, **self._asked())
        table, labels = self._read_training(X, y)
        if isinstance(X, RowsBeside):
            return self._task_beside(X, labels, **options)
        self._training = table
        readings = self.readings or {}
        dated = {p.column: p for p in parts_of_dates(table, self.date_parts or {}, readings, self.missing_values)}
        rule = self._rule(table.names, {**readings, **{name: part.text for name, part in dated.items()}})
        table = add_parts(table, dated, self.missing_values)
        return table_task(table, labels, kinds=rule, n_threads=self._threads(), **self._asked(), **options)

    def _task_beside(self, X: RowsBeside, labels: Labels, **options: Any) -> Task:
        """Make a task of rows with tables or facts beside them."""
        made = X.training(labels)
        if self.date_parts or (self.background is not None and "background" in made.options):
            msg = f"{'date_parts' if self.date_parts else 'background'} is for rows with nothing beside them."
            raise DataError(msg)
        self._training = made.table
        own = self._asked()
        asked = {**own, **made.options}
        asked["background_columns"] = (*own["background_columns"], *made.options["background_columns"])
        rule = self._rule(made.table.names, self.readings or {})
        rule = replace(rule, fixed={**rule.fixed, **made.kinds})
        return table_task(made.table, labels, kinds=rule, n_threads=self._threads(), **asked, **options)

    def _rule(self, names: Sequence[str], readings: Mapping[str, str]) -> KindRule:
        """Return how kinds are decided, and how the cells of some columns are read."""
        rule = rule_from_choice(names, self.categorical_features)
        return replace(rule, readings=resolved_keys(readings, names)) if readings else rule

    def _keep(self, learned: Learned) -> Self:
        """Keep what was learned, under scikit-learn's names."""
        self.program_, self.rules_, self.classes_ = learned.program, learned.rules, learned.classes
        if (table := self.__dict__.pop("_training", None)) is not None:
            self._keep_sample(table)
        return self

    def _read_training(self, X: Any, y: Any) -> tuple[RawTable, Labels]:
        if y is None:
            msg = "requires y to be passed, but the target y is None."
            raise ValueError(msg)
        table = self._read_rows(X)
        self._remember_names(table.names, named=has_names(X))
        labels = read_training_labels(y)
        if len(labels) != table.n_rows:
            msg = f"the table has {table.n_rows} rows and there are {len(labels)} labels; each row needs one label."
            raise DataError(msg)
        return table, labels

    def _remember_names(self, names: Sequence[str], *, named: bool = True) -> None:
        self.n_features_in_, self._names = len(names), tuple(names)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _threads(self) -> int:
        return os.cpu_count() or 1 if self.n_jobs == -1 else int(self.n_jobs or 1)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self.learner.takes_many_labels
        return tags
