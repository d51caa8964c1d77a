r"""Learning, from the front: a task and a learner's settings in, a program out. The only orchestration there is.

The command, the page, the bench and the estimators all come through here, with rows from memory, files or a cluster.

>>> from unless.learn.learners import FoldRPPSettings
>>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
>>> task = table_task(rows, ["flies", "walks", "walks"], positive="flies")
>>> print(*learn(task, FoldRPPSettings()).rules, sep="\\n")
Rule(head='flies', body=(Literal(column='name', op='=', value='robin'),), exceptions=())
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from unless.errors import DataError
from unless.learn.few_values import with_values
from unless.learn.rows.source import LocalSource, read_part
from unless.learn.rows.survey import Part
from unless.learn.task import Learned, Task, Watch, read_task
from unless.table.frames import raw_table
from unless.table.kinds import KindRule
from unless.table.labels import Labels, read_labels

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from unless.learn.learners import UnlessSettings
    from unless.learn.settings import LearnerSettings
    from unless.learn.size_path import Frontier, FrontierPoint
    from unless.learn.task import TrainingData
    from unless.logic.rules import Kind
    from unless.table.pieces import Files


def learn(
    task: Task,
    settings: LearnerSettings,
    *,
    on_progress: Callable[[Any], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Learned:
    """Learn a program; `on_progress` hears of each step, `checkpoint` is a file to resume from."""
    watch = Watch(on_progress, checkpoint)
    if checkpoint is not None and not settings.keeps_checkpoints:
        msg = f"checkpoint is not for {settings.title}, which optimises a whole program in memory."
        raise DataError(msg)
    data = read_task(task, settings, watch)
    module, name = settings.home
    learned: Learned = getattr(import_module(module), name)(data, settings, watch)
    program = with_values(learned.program, data.columns.books)
    return replace(learned, program=program, label_counts=tuple(data.counts.tolist()))


def frontier(task: Task, settings: UnlessSettings) -> Frontier:
    """Return programs from one literal to the limits, each with its cross-validated accuracy."""
    from unless.learn.optimise.optimised_program import learn_frontier

    data = read_task(task, settings, Watch())
    path = learn_frontier(data, settings)
    return replace(path, points=tuple(_point_with_values(point, data) for point in path.points))


def _point_with_values(point: FrontierPoint, data: TrainingData) -> FrontierPoint:
    return point if point.program is None else replace(point, program=with_values(point.program, data.columns.books))


def table_task(table: Any, labels: Any, *, kinds: KindRule | None = None, n_threads: int = 1, **options: Any) -> Task:
    """Make a task of a table in memory, of any make, and its labels."""
    rows = raw_table(table)
    read = labels if isinstance(labels, Labels) else read_labels(labels)
    if len(read) != rows.n_rows:
        msg = f"the table has {rows.n_rows} rows and there are {len(read)} labels; each row needs one label."
        raise DataError(msg)
    missing = tuple(options.get("missing", ()))
    rule = kinds or KindRule("dtype", missing=missing)
    source = LocalSource([lambda: Part(rows, read)], rule, missing, n_threads)
    return Task(source, rows.names, **options)


def files_task(
    files: Files,
    target: str,
    *,
    drop: Sequence[str] = (),
    kinds: Mapping[str, Kind] | None = None,
    n_threads: int = 1,
    **options: Any,
) -> Task:
    """Make a task of files, of which `target` names the column of labels, and `drop` columns to leave out."""
    names, rule, parts = parts_of_files(files, target, drop, kinds or {}, options.get("missing", ()))
    return Task(LocalSource(parts, rule, tuple(options.get("missing", ())), n_threads), names, **options)


def parts_of_files(
    files: Files, target: str, drop: Sequence[str], kinds: Mapping[str, Kind], missing: Sequence[str]
) -> tuple[list[str], KindRule, list[Callable[[], Part]]]:
    """Return the columns to learn from, how their kinds are decided, and how each piece is read."""
    names = files.names_without([target, *drop])
    rule = KindRule("content" if files.is_text else "dtype", kinds, tuple(missing))
    return names, rule, [partial(read_part, piece, target, tuple(drop)) for piece in files.pieces]
