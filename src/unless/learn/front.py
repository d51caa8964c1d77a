r"""Learning, from the front: a task and a learner's settings in, a program out. The only orchestration there is.

The command, the page, the bench and the estimators all come through here, with rows from memory, files or a cluster.

>>> from unless.learn.learners import FoldRPPSettings
>>> rows = [{"bird": "yes", "name": "robin"}, {"bird": "yes", "name": "penguin"}, {"bird": "no", "name": "cat"}]
>>> task = table_task(rows, ["flies", "walks", "walks"], positive="flies")
>>> print(*learn(task, FoldRPPSettings()).rules, sep="\\n")
Rule(head='flies', body=(Literal(column='name', op='=', value='robin'),), exceptions=())
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from unless.errors import DataError, MisfitError, Note
from unless.learn.constraints import kept_constraints
from unless.learn.few_values import with_values
from unless.learn.rows.source import LocalSource, LocalTable, read_part
from unless.learn.rows.survey import Part
from unless.learn.task import Learned, Task, Watch, read_task
from unless.logic.column_names import found_keys, resolved_keys
from unless.table.frames import raw_table
from unless.table.kinds import KindRule
from unless.table.labels import Labels, read_labels
from unless.table.parts import parts_of_dates

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Mapping, Sequence

    from unless.learn.learners import UnlessSettings
    from unless.learn.settings import LearnerSettings
    from unless.learn.size_path import Frontier, FrontierPoint
    from unless.learn.task import TrainingData
    from unless.logic.date_parts import DatePart
    from unless.logic.program import Program
    from unless.logic.rules import Kind
    from unless.table.pieces import Files
    from unless.table.related_tables import RelatedTables

KEPT_RULE_BREAKS = "a rule to keep breaks a constraint of this learning; %s says which."


def learn(
    task: Task,
    settings: LearnerSettings,
    *,
    on_progress: Callable[[Any], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Learned:
    """Learn a program; `on_progress` hears of each step, `checkpoint` is a file to resume from."""
    watch = Watch(on_progress, checkpoint)
    return learn_data(read_data(task, settings, watch), settings, watch)


def read_data(task: Task, settings: LearnerSettings, watch: Watch) -> TrainingData:
    """Read the rows of a task, for a learner to learn from."""
    if watch.checkpoint is not None and not settings.keeps_checkpoints:
        problem = f"is not for {settings.title}, which optimises a whole program in memory."
        raise MisfitError(name="checkpoint", problem=problem)
    return read_task(task, settings, watch)


def learn_data(data: TrainingData, settings: LearnerSettings, watch: Watch | None = None) -> Learned:
    """Learn a program from rows that are read, and grade it."""
    module, name = settings.home
    learned: Learned = getattr(import_module(module), name)(data, settings, watch or Watch())
    if watch is not None and watch.on_grading is not None:
        watch.on_grading()
    try:
        program = _graded(learned, data, settings)
    except KeyboardInterrupt:
        # The rules are whole, and a grade takes a fraction of their time: who wants no more of them asks once more.
        program, learned = _graded(learned, data, settings), replace(learned, stopped=True)
    program = replace(_as_kept(program, data, settings), related=data.theory.related)
    if getattr(settings, "locked", None) is not None:
        _warn_of_kept_rules(program)
    return replace(learned, program=program, label_counts=tuple(data.counts.tolist()))


def _graded(learned: Learned, data: TrainingData, settings: LearnerSettings) -> Program:
    """Return a learned program with its grade."""
    from unless.learn.grading.grader import grade_decisions, grade_program

    if isinstance(data.table, LocalTable):
        known = learned.held_out, learned.rows, learned.decided if data.weights is None else None
        return grade_program(learned.program, data, settings, *known)
    # Grading looks at rows, and these are elsewhere: only the decision gets points. `unless grade` does the rest.
    assert learned.covered is not None
    return grade_decisions(learned.program, *learned.covered)


def _warn_of_kept_rules(program: Program) -> None:
    """Warn where a rule that was to be kept breaks a constraint, which the file will say all the same."""
    from unless.logic.check.broken_constraints import broken_constraints

    if any(broken_constraints(program)):
        Note(KEPT_RULE_BREAKS, "unless rules MODEL.lp --check").warn()


def frontier(task: Task, settings: UnlessSettings, watch: Watch | None = None, *, auc: bool = False) -> Frontier:
    """Return programs from one literal to the limits, each with its cross-validated accuracy, and AUC if asked.

    Who watches hears of `PathStep`s, and ends it by raising: there is no path cut short.
    """
    from unless.learn.optimise.optimised_program import learn_frontier

    data = read_task(task, settings, watch or Watch())
    path = learn_frontier(data, settings, watch or Watch(), auc=auc)
    return replace(path, points=tuple(_kept_point(point, data, settings) for point in path.points))


def _kept_point(point: FrontierPoint, data: TrainingData, settings: UnlessSettings) -> FrontierPoint:
    return point if point.program is None else replace(point, program=_as_kept(point.program, data, settings))


def _as_kept(program: Program, data: TrainingData, settings: LearnerSettings) -> Program:
    """Return a program with what is known of its columns, and what was asked of it."""
    constraints = kept_constraints(settings, program, data.direction)
    return replace(with_values(program, data.columns, data.weights), constraints=constraints)


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
    readings: Mapping[str, str] | None = None,
    date_parts: Mapping[str, Sequence[str]] | None = None,
    n_threads: int = 1,
    related: RelatedTables | None = None,
    **options: Any,
) -> Task:
    """Make a task of files, of which `target` names the column of labels, and `drop` columns to leave out.

    `readings` are the ways to read the columns that it names, such as `1.234,56` or `dd.mm.yyyy`; `date_parts` asks for
    parts of dates as columns of their own, such as `{"start": ["weekday"]}`. `related` are tables beside them.
    """
    missing = options.get("missing", ())
    how = FileReading(kinds or {}, tuple(missing), readings or {}, date_parts or {})
    names, rule, parts = parts_of_files(files, target, drop, how)
    if related is not None:
        if len(parts) > 1:
            msg = f"--related is for a table that is read at once, and this one comes in {len(parts)} pieces."
            raise DataError(msg)
        first = parts[0]()
        made = related.training(first.table)
        extended = replace(first, table=made.table)
        rule = replace(rule, fixed={**rule.fixed, **made.kinds})
        names, parts = list(extended.table.names), [lambda: extended]
        options |= made.options
    return Task(LocalSource(parts, rule, tuple(options.get("missing", ())), n_threads), names, **options)


@dataclass(frozen=True, slots=True)
class FileReading:
    """How the columns of files are read, where somebody says so: kinds, missing words, formats, parts of dates."""

    kinds: Mapping[str, Kind]
    missing: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    date_parts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def called_as(self, names: Collection[str]) -> FileReading:
        """Return the same, by what the columns are called in the files; what is said of parts of dates stays."""
        parts = found_keys(self.date_parts, names)
        return FileReading(resolved_keys(self.kinds, names), self.missing, resolved_keys(self.readings, names), parts)


def parts_of_files(
    files: Files, target: str, drop: Sequence[str], how: FileReading
) -> tuple[list[str], KindRule, list[Callable[[], Part]]]:
    """Return the columns to learn from, how their kinds are decided, and how each piece is read."""
    target, drop = files.name_of(target), [files.name_of(name) for name in drop]
    if target in drop:
        msg = f"column {target!r} is to be predicted, and cannot be left out."
        raise DataError(msg)
    names = files.names_without([target, *drop])
    how = how.called_as(files.names)
    dated: dict[str, DatePart] = {}
    if how.date_parts:
        first = files.pieces[0].read()
        dated = {p.column: p for p in parts_of_dates(first, how.date_parts, how.readings, how.missing)}
    readings = {**how.readings, **{name: part.text for name, part in dated.items()}}
    rule = KindRule("content" if files.is_text else "dtype", how.kinds, how.missing, readings)
    read = partial(read_part, target=target, drop=tuple(drop), dated=dated, missing=how.missing)
    return [*names, *dated], rule, [partial(read, piece) for piece in files.pieces]
