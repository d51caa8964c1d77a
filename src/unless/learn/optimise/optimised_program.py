"""The optimised learner on training data: constraints by name become limits by number, rules become a program.

In: `TrainingData`, `UnlessSettings`, who watches. Out: `Learned`, with what inner folds said of each row; or a
`Frontier`, programs of all sizes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unless.errors import Count, DataError, Note
from unless.learn.constraints import read_constraints
from unless.learn.locked import locked_clauses, where_locked_hold
from unless.learn.optimise.fit import Options, learn, prepare
from unless.learn.optimise.one_label_at_a_time import learn_in_order
from unless.learn.optimise.path import elbow, frontier
from unless.learn.optimise.training import N_FOLDS
from unless.learn.size_path import Frontier
from unless.learn.task import Learned
from unless.logic.forms.flatten import flatten, flatten_ordered
from unless.logic.forms.nest import nest
from unless.table.identifiers import option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unless.learn.learners import UnlessSettings
    from unless.learn.optimise.fit import Run
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.growing.growth_limits import Step
    from unless.learn.optimise.layout import Bytes
    from unless.learn.optimise.training import TrainingRows
    from unless.learn.task import TrainingData, Watch
    from unless.logic.clause import Clause
    from unless.logic.program import Program, Target
    from unless.logic.rules import Label, Rule

MAX_RULES = 15
"""More are not read; with more than two labels, this many for each."""
NO_RULE_PAYS = (
    "no rule pays: of %s rows %s are %r, and no condition tells them apart well enough, so every row gets the other "
    "label; weigh both labels alike (class_weight='balanced', --balanced) or say what missing one costs "
    "(costs={%r: %s}, %s)."
)
NO_RULE_PAYS_LIGHT = (
    "no rule pays, though rows weigh differently: of %s rows %s are %r, which together still weigh less than the "
    "others, so every row gets the other label; weigh both labels alike (class_weight='balanced', --balanced) or let "
    "missing one cost more (costs={%r: %s}, %s)."
)
NO_RULE_PAYS_WEIGHED = (
    "no rule pays, though rows weigh differently: of %s rows %s are %r, and no condition tells them apart well enough, "
    "so every row gets the other label; a lower price may let one pay (size_penalty=0.5, --size-penalty 0.5)."
)
LIGHT = 0.4
"""Labels that weigh alike have half of the weight each; one that has less than this may weigh more."""
NO_LABEL_PAYS = (
    "no rule pays: no condition tells the %s labels apart well enough, so every row gets %r; a lower price may let one "
    "pay (size_penalty=0.5, --size-penalty 0.5)."
)


def learn_optimised(data: TrainingData, settings: UnlessSettings, watch: Watch) -> Learned:
    """Learn few rules that weigh errors against size."""
    if data.positive is None:
        return _many_labels(data, settings, watch)
    locked = locked_clauses(data.theory, settings.locked)
    run = _run(data, settings, locked, watch.on_progress)
    found = learn(run, data.theory.target.labels[0])
    program = _flat(data.theory, found.rules, locked)
    if not (found.rules or locked or found.stopped):
        _warn_of_nothing(data, run)
    rules = (*nest(replace(data.theory, clauses=(*locked, *data.theory.clauses))), *found.rules)
    held_out = None if found.held_out is None else _as_labels(run, found.held_out, data)
    decided = _as_labels(run, found.covers, data)
    return Learned(program, rules, data.classes, found.trace, found.stopped, held_out, run.task, decided=decided)


def _warn_of_nothing(data: TrainingData, run: Run) -> None:
    """Say that no rule pays, and what to do about it."""
    label, n_right = data.theory.target.labels[0], int(run.task.right.sum())
    if 0 < n_right < len(run.task.right):
        counted = Count(len(run.task.right)), Count(n_right), str(label)
        cost = _helpful_cost(run.task)
        costly = label, cost, option("cost-of", f"{label}={cost}", lists=True)
        if not run.task.is_weighed:
            note = Note(NO_RULE_PAYS, *counted, *costly)
        elif _weight_share(run.task) < LIGHT:
            note = Note(NO_RULE_PAYS_LIGHT, *counted, *costly)
        else:
            note = Note(NO_RULE_PAYS_WEIGHED, *counted)
        note.warn()


def _weight_share(task: TrainingRows) -> float:
    """Return the share of all weight that rows of the label have."""
    return float(task.weights[task.right == 1].sum() / task.weights.sum())


def _helpful_cost(task: TrainingRows) -> int:
    """Return what missing a row of the label might cost, for an advice that helps.

    Half way to where both labels weigh the same; where its rows cost something already, twice as much.
    """
    n_right = int(task.right.sum())
    odds, share = (len(task.right) - n_right) / n_right, _weight_share(task)
    now = odds * share / (1.0 - share)
    return max(5, round(2.0 * now if task.is_weighed else odds / 2.0))


def _many_labels(data: TrainingData, settings: UnlessSettings, watch: Watch) -> Learned:
    """Learn rules for one label after the other."""
    theory, labels = data.theory, data.labels
    run = _run(data, settings, (), watch.on_progress)
    found = learn_in_order(run, data.local.labels, labels)
    target = replace(theory.target, default=labels[found.default])
    if not (found.rules or found.stopped):
        Note(NO_LABEL_PAYS, len(labels), str(target.default)).warn()
    program = flatten_ordered(found.rules, target, theory.columns, theory.missing, theory.clauses)
    return Learned(program, found.rules, data.classes, found.trace, found.stopped, rows=run.task)


def learn_frontier(data: TrainingData, settings: UnlessSettings, watch: Watch, *, auc: bool = False) -> Frontier:
    """Return programs from one literal to the limits, each grown out of the one before it; how each ranks, if asked."""
    if data.positive is None:
        msg = f"the frontier is for two labels; there are {len(data.classes)}."
        raise DataError(msg)
    if data.n_rows < N_FOLDS:
        msg = f"the frontier needs at least {N_FOLDS} rows; there are {data.n_rows}."
        raise DataError(msg)
    locked = locked_clauses(data.theory, settings.locked)
    run = _run(data, settings, locked, None)
    rank = _rank(run, data, settings) if auc else None
    path = frontier(run, data.theory.target.labels[0], watch=watch.on_progress, rank=rank)
    if not path:
        msg = "no literal pays on this table: there is no frontier to choose from."
        raise DataError(msg)
    points = tuple(replace(point, program=_flat(data.theory, point.rules, locked)) for point in path)
    return Frontier(points, elbow(path), run.task.is_weighed, _commonest(run, data.theory.target))


def _commonest(run: Run, target: Target) -> tuple[Label, float]:
    """Return the commonest label, and the share of weight that has it."""
    weights = run.task.weights
    share = float(weights[run.task.right == 1].sum()) / float(weights.sum())
    return (target.labels[0], share) if share > 0.5 else (target.default, 1.0 - share)


def _rank(run: Run, data: TrainingData, settings: UnlessSettings) -> Callable[[HeldOutFold, Bytes], float | None]:
    """Return what grades the program of a fold, and returns its AUC on the rows kept aside."""
    from unless.learn.grading.held_out_rank import held_out_auc
    from unless.learn.grading.limits import in_sample, limits_of

    limits = in_sample(limits_of(run.task.bins, data, settings))
    return lambda fold, said: held_out_auc(fold, said, limits, data)


def _flat(theory: Program, rules: Sequence[Rule], locked: Sequence[Clause]) -> Program:
    """Write learned rules as a program, after the locked clauses and with the background they use."""
    return flatten(rules, theory.target, theory.columns, theory.missing, theory.clauses, locked)


def _as_labels(run: Run, covers: NDArray[np.bool_], data: TrainingData) -> NDArray[np.intp]:
    """Return the label that rules which cover these rows give to each, as an index; rows of no weight keep theirs."""
    assert data.positive is not None
    found: NDArray[np.intp] = data.local.labels.copy()
    found[run.task.rows] = np.where(covers, data.positive, 1 - data.positive)
    return found


def _run(
    data: TrainingData,
    settings: UnlessSettings,
    locked: Sequence[Clause],
    on_progress: Callable[[Step], None] | None,
) -> Run:
    """Bin the table for the search."""
    constraints = read_constraints(
        settings.forbidden, settings.apart, settings.monotonic_cst, data.columns.books, data.theory
    )
    options = Options(
        float(settings.size_penalty),
        _most_rules(len(data.classes)) if settings.max_rules is None else int(settings.max_rules),
        int(settings.max_literals),
        int(settings.max_depth),
        settings.points,
        constraints.forbidden,
        constraints.apart,
        bool(settings.allow_not_equal),
        {name: data.direction * direction for name, direction in constraints.directions.items()},
        settings.time_limit,
        None,
        on_progress,
        data.n_threads,
    )
    right = data.local.labels == (data.positive or 0)
    held, has_costs = where_locked_hold(data.theory, data.local, locked), data.label_factors is not None
    labels = data.local.labels if data.positive is None else None
    return prepare(data.columns, right, data.weights, held, options, have_costs=has_costs, labels=labels)


def _most_rules(n_labels: int) -> int:
    return MAX_RULES if n_labels == 2 else MAX_RULES * n_labels
