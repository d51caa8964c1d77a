"""The search from its front: rows in bins and options in, rules out.

In: coded columns, which rows are right, options. Out: `OptimisedRules`. The price of a literal is
size_penalty * max(0.3, sqrt(e (1 - e)) * n ** 0.25), with e the error that the method itself reaches in inner folds,
which also say whether scorecards help, and whether another price does (choosing.py). Time limit, callable and Ctrl-C
return the best program so far, one of an inner fold included; choosing gets half of the time.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.learn.optimise.choosing import FIRST_ERROR, Choices, choose
from unless.learn.optimise.growing.grow import Grower
from unless.learn.optimise.growing.growth_limits import Limits, Step, ignore
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE
from unless.learn.optimise.logistic_scorecard import scorecard_limits, scorecard_state
from unless.learn.optimise.merge_conditions import merge_conditions
from unless.learn.optimise.side_by_side import threads
from unless.learn.optimise.thresholds import refit, write_rules
from unless.learn.optimise.training import make_training_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unless.learn.learners import PointsChoice
    from unless.learn.logistic.condition_limits import ConditionLimits
    from unless.learn.optimise.bins import Bins
    from unless.learn.optimise.folds import HeldOutFold
    from unless.learn.optimise.growing.growing_program import PlainProgram
    from unless.learn.optimise.layout import Bytes, Ints
    from unless.learn.optimise.training import TrainingRows
    from unless.learn.rows.codes import Codebook, Columns
    from unless.logic.rules import Label, Rule

FEW_CELLS = 10_000
"""A table of fewer cells is learned in less time than threads take to begin and to wait for each other."""
MANY_RULES = 4
"""From here on a program grows out of that of an inner fold."""


@dataclass(frozen=True, slots=True)
class Options:
    """What rules may be, by column name.

    `apart` are pairs of columns that no rule may combine, with its exceptions; `monotonic` says +1 or -1 by column:
    more of it must only speak for (against) the class. `on_progress` hears of tries in other threads too, and of some
    that turn out not to be wanted.
    """

    size_penalty: float = 1.0
    max_rules: int = 15
    max_literals: int = 5
    max_depth: int = 2
    points: PointsChoice = "auto"
    forbidden: Collection[str] = ()
    apart: Collection[tuple[str, str]] = ()
    allow_not_equal: bool = True
    monotonic: Mapping[str, int] | None = None
    time_limit: float | None = None
    should_stop: Callable[[], bool] | None = None
    on_progress: Callable[[Step], None] | None = None
    n_threads: int = 1


@dataclass(frozen=True, slots=True)
class OptimisedRules:
    """The rules, with their exceptions `n_rules`, and the rows of the task that they cover, locked rules included.

    Also the price of a literal, whether scorecards were allowed, the trace, and if it was cut short. `held_out` says of
    each row of the task whether rules learned without it cover it; None where there were no inner folds.
    """

    rules: tuple[Rule, ...]
    n_rules: int
    covers: NDArray[np.bool_]
    price: float
    points: bool
    trace: tuple[Step, ...]
    stopped: bool
    held_out: NDArray[np.bool_] | None = None


class Clock:
    """Says when to stop, and remembers having said so."""

    def __init__(self, options: Options) -> None:
        limit = math.inf if options.time_limit is None else options.time_limit
        now = time.monotonic()
        self._half, self._end = now + limit / 2, now + limit
        self._ask = options.should_stop
        self.stopped = False

    def should_stop(self) -> bool:
        """Tell whether the time is over or the user has enough."""
        if not self.stopped:
            asked = self._ask is not None and self._ask()
            self.stopped = asked or (self._end < math.inf and time.monotonic() > self._end)
        return self.stopped

    def is_half_over(self) -> bool:
        """Tell whether choosing has had its half of the time."""
        return self.should_stop() or (self._half < math.inf and time.monotonic() > self._half)


@contextmanager
def interrupted(clock: Clock) -> Iterator[None]:
    """Let Ctrl-C end the work, not the program: what is grown so far stays."""
    try:
        yield
    except KeyboardInterrupt:
        clock.stopped = True


@dataclass(frozen=True, eq=False)
class Run:
    """A task with its limits, ready to grow."""

    task: TrainingRows
    limits: Limits
    clock: Clock
    options: Options

    def price(self, error: float) -> float:
        """Return the price of a literal at an error."""
        return self.options.size_penalty * self.task.price(error)


def prepare(
    columns: Columns,
    right: NDArray[np.bool_],
    weight: NDArray[Any] | None = None,
    locked: Sequence[Bytes] = (),
    options: Options | None = None,
    *,
    have_costs: bool = False,
    labels: NDArray[np.intp] | None = None,
) -> Run:
    """Bin the table and turn options by name into limits by number; weights may have the costs of labels in them.

    `labels` are the indices of the rows' labels, where there are more than two.
    """
    options = options or Options()
    clock = Clock(options)
    task = make_training_rows(
        columns, right, weight, tuple(locked), have_costs=have_costs, labels=labels, n_threads=options.n_threads
    )
    limits = Limits(
        options.max_rules,
        options.max_literals,
        options.max_depth,
        _allowed_kinds(task.bins, options),
        _rivals(columns.books, options.apart),
        options.points is True,
        clock.should_stop,
        options.on_progress or ignore,
    )
    return Run(task, limits, clock, options)


def learn(run: Run, head: Label) -> OptimisedRules:
    """Learn rules for the right rows; `head` is the label they conclude."""
    task, clock = run.task, run.clock
    tried: list[HeldOutFold] = []
    chosen = Choices(run.limits.points, run.price(FIRST_ERROR))
    scorecards = None
    if run.options.points is not False:
        scorecards = scorecard_limits(task, run.limits, run.options.size_penalty)
    grower = Grower(task.state(), run.limits, chosen.price)
    with interrupted(clock):
        choosing = replace(run.limits, should_stop=clock.is_half_over)
        n_threads = run.options.n_threads if task.bins.cells.size >= FEW_CELLS else 1
        # Threads are waited for, so they hear of Ctrl-C before.
        with threads(n_threads) as side_by_side, interrupted(clock):
            chosen = choose(task, choosing, run.price, run.options.points, tried, side_by_side, scorecards)
        if scorecards is not None and chosen.is_weighed:
            return _weighed(run, head, scorecards, chosen)
        grower = Grower(task.state(), replace(run.limits, points=chosen.points), chosen.price)
        grower = begin(grower, chosen.grown, task)
        grower.run()
    if clock.stopped:
        others = (_planted(fold.grower.program.plain(), task, fold.limits, grower.price) for fold in tried)
        grower = min([grower, *others], key=Grower.objective)
        if grower.n_rules == 0 and run.options.max_rules > 0:
            with interrupted(clock):
                grower.grow()  # the one rule that pays most is better than none, however short the time
    try:
        rules, n_rules, covers = _written(grower, head)
    except KeyboardInterrupt:
        # The program is whole, and to write it takes a fraction of its time: who wants no more of it asks once more.
        clock.stopped = True
        rules, n_rules, covers = _written(grower, head)
    return OptimisedRules(
        rules, n_rules, covers, grower.price, grower.limits.points, tuple(grower.trace), clock.stopped,
        None if clock.stopped or chosen.out_of_fold is None else chosen.out_of_fold > 0,
    )  # fmt: skip


def _weighed(run: Run, head: Label, limits: ConditionLimits, chosen: Choices) -> OptimisedRules:
    """Return a scorecard weighed by regression: nothing in it is moved to where errors are fewest."""
    state = scorecard_state(run.task, run.limits.kinds[0], limits)
    merge_conditions(state, run.limits.kinds)
    errors, n_rules, size = float(state.errors()), state.n_rules, state.size
    step = Step("weigh", errors + chosen.price * size, errors, n_rules, size - n_rules, chosen.price)
    run.limits.on_progress(step)
    rules, covers = write_rules(state, head), state.predicted().view(np.bool_)
    held_out = None if chosen.out_of_fold is None else chosen.out_of_fold > 0
    return OptimisedRules(rules, n_rules, covers, chosen.price, True, (step,), False, held_out)


def _written(grower: Grower, head: Label) -> tuple[tuple[Rule, ...], int, NDArray[np.bool_]]:
    """Write the rules of a program with exact numbers; return also how many there are, and the rows they cover."""
    state = grower.program.state()  # its own, which is changed here
    merge_conditions(state, grower.limits.kinds)
    refit(state, grower.price)
    return write_rules(state, head), state.n_rules, state.predicted().view(np.bool_)


def begin(grower: Grower, grown: Sequence[PlainProgram], task: TrainingRows) -> Grower:
    """Return what to grow on from: the best program of an inner fold if it has many rules, which takes less time.

    Few rules are quickly found again, and then on all rows. A program of as many rules as there may be has no room left
    for better ones.
    """
    able = [program for program in grown if MANY_RULES <= program.n_rules < grower.limits.max_rules]
    if not able:
        return grower
    best = min((_planted(program, task, grower.limits, grower.price) for program in able), key=Grower.objective)
    best.polish()
    return best


def _planted(program: PlainProgram, task: TrainingRows, limits: Limits, price: float) -> Grower:
    """Return what an inner fold has grown, as a program of all rows."""
    grower = Grower(task.state(), limits, price)
    grower.program.plant(program)
    return grower


def _allowed_kinds(bins: Bins, options: Options) -> tuple[Ints, Ints]:
    """Return the kinds of test per column, for rules of the class and for rules against it."""
    directions = options.monotonic or {}
    both = (bins.kinds.copy(), bins.kinds.copy())
    for sign, kinds in enumerate(both):
        for j, book in enumerate(bins.books):
            if book.name in options.forbidden:
                kinds[j] = 0
            if not options.allow_not_equal:
                kinds[j] &= ~(1 << NONE_OF)
            direction = directions.get(book.name, 0) * (1 if sign == 0 else -1)
            if direction:
                falling = 1 << LE | 1 << NOT_GT
                rising = 1 << GT | 1 << NOT_LE
                kinds[j] &= ~(falling if direction > 0 else rising)
    return both


def _rivals(books: Sequence[Codebook], apart: Collection[tuple[str, str]]) -> dict[int, frozenset[int]]:
    number = {book.name: j for j, book in enumerate(books)}
    rivals: dict[int, frozenset[int]] = {}
    for a, b in apart:
        for left, right in ((number[a], number[b]), (number[b], number[a])):
            rivals[left] = rivals.get(left, frozenset()) | {right}
    return rivals
