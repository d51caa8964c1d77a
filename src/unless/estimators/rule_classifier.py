"""What the learners' estimators share: scikit-learn's manners on the outside, a task for `learn` on the inside.

Hyper-parameters are only stored by `__init__` and checked by `fit`, as scikit-learn expects. What they accept stands in
the learner's settings (`unless.learn.learners`), nowhere else.
"""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from unless.errors import DataError, SettingError
from unless.estimators.program_classifier import ProgramClassifier
from unless.estimators.sklearn_inputs import has_names, read_training_labels
from unless.learn.front import files_task, learn, table_task
from unless.learn.screening import Screening
from unless.learn.settings import Accepts, either, listed, number
from unless.learn.task import Task
from unless.table.frames import RawTable, is_dask
from unless.table.kinds import rule_from_choice
from unless.table.pieces import Files, open_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sklearn.utils import Tags

    from unless.learn.settings import LearnerSettings
    from unless.learn.task import Learned
    from unless.logic.rules import Kind, Label
    from unless.table.labels import Labels

    Heard = Callable[[Any], None] | None

SHARED = {
    "missing_values": listed("a list of words"),
    "background_columns": listed("a list of columns"),
    "n_jobs": either(number(1, whole=True), Accepts("-1 for all cores", lambda value: value == -1), None),
}
"""What the parameters that all learners share accept, where `fit` does not say it when it uses them."""


class RuleClassifier(ProgramClassifier):
    """What every learner of rules shares: reading tables, and learning from them wherever they are.

    A learner has the parameters below beside those of its settings.
    """

    learner: ClassVar[type[LearnerSettings]]

    positive: Label | None
    categorical_features: Any
    missing_values: Sequence[str]
    background: str | os.PathLike[str] | None
    background_columns: Sequence[str]
    n_jobs: int | None

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        on_progress: Callable[[Any], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn a program; `on_progress` hears of each rule, `checkpoint` is a file to resume from.

        Dask data frames are learned from where they are, by the current Dask client.
        """
        settings = self._settings()
        return self._keep(learn(self._task(X, y), settings, on_progress=on_progress, checkpoint=checkpoint))

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
        """
        settings = self._settings()
        paths = [paths] if isinstance(paths, str | os.PathLike) else paths
        files = paths if isinstance(paths, Files) else open_files(paths)
        names = files.names_without([target, *drop])
        self._remember_names(names)
        asked = {
            "drop": drop,
            "kinds": {**rule_from_choice(names, self.categorical_features).fixed, **(kinds or {})},
            **self._asked(),
        }
        if scheduler is None:
            task = files_task(files, target, n_threads=self._threads(), **asked)
            return self._keep(learn(task, settings, on_progress=on_progress, checkpoint=checkpoint))
        from unless.distributed import cluster_task, connected

        with connected(scheduler) as client:
            task = cluster_task(client, files, target, **asked)
            return self._keep(learn(task, settings, on_progress=on_progress, checkpoint=checkpoint))

    def _settings(self) -> LearnerSettings:
        """Return the settings of the learner, checked."""
        for name, accepts in SHARED.items():
            if not accepts.test(getattr(self, name)):
                raise SettingError(name, getattr(self, name), accepts.words)
        return self.learner(**{each.name: getattr(self, each.name) for each in fields(self.learner)})

    def _asked(self) -> dict[str, Any]:
        """Return what a task is asked for, beside its rows."""
        return {
            "positive": self.positive,
            "missing": tuple(self.missing_values),
            "background": self.background,
            "background_columns": tuple(self.background_columns),
            "screening": Screening(),
        }

    def _task(self, X: Any, y: Any, **options: Any) -> Task:
        """Make a task of a table in memory, or of a Dask data frame."""
        if is_dask(X):
            from unless.distributed import frame_source

            names = [str(name) for name in X.columns]
            self._remember_names(names)
            rule = rule_from_choice(names, self.categorical_features)
            return Task(frame_source(X, y, rule, tuple(self.missing_values)), names, **self._asked())
        table, labels = self._read_training(X, y)
        rule = rule_from_choice(table.names, self.categorical_features)
        return table_task(table, labels, kinds=rule, n_threads=self._threads(), **self._asked(), **options)

    def _keep(self, learned: Learned) -> Self:
        """Keep what was learned, under scikit-learn's names."""
        self.program_, self.rules_, self.classes_ = learned.program, learned.rules, learned.classes
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
        self.n_features_in_ = len(names)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _threads(self) -> int:
        return os.cpu_count() or 1 if self.n_jobs in (None, -1) else int(self.n_jobs)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self.learner.takes_many_labels
        return tags
