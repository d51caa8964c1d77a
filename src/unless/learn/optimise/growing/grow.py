"""The loop: grow the best rule anywhere, polish the whole program, stop when nothing pays.

In: a state, limits, the price of a literal. Out: the state, grown, and a trace of the objective

    J = weight of training errors + price * (literals + rules).

Every accepted step lowers J. Limits are hard. Stopping early leaves the program of that moment, which is always whole.
The steps themselves are one kernel (grow_kernel.py). Knows neither tables nor text: fit.py makes the state and the
price, thresholds.py writes the rules.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from unless.learn.optimise.body.desk import make_desk
from unless.learn.optimise.growing.grow_kernel import (
    DONE,
    GROW,
    MORE,
    NOT_BEGUN,
    NOTHING,
    PATIENCE,
    POLISH,
    SEARCH,
    advance,
    measure,
)
from unless.learn.optimise.growing.growing_program import GrowingProgram
from unless.learn.optimise.growing.growth_limits import Step
from unless.learn.optimise.growing.program_board import STAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.growing.growing_program import PlainProgram
    from unless.learn.optimise.growing.growth_limits import Limits
    from unless.learn.optimise.state import State


class Grower:
    """Grows and polishes one program at a price; searches whose rows did not change are not repeated."""

    def __init__(self, state: State, limits: Limits, price: float) -> None:
        self.limits = limits
        self.price = price
        self.trace: list[Step] = []
        self.program = GrowingProgram(state, limits)
        self._bins, self._skew = state.bins, state.skew
        self._state: State | None = None

    @property
    def state(self) -> State:
        """Return the program of the moment as a state; who changes that does not change the program."""
        if self._state is None:
            self._state = self.program.state()
        return self._state

    @cached_property
    def _desk(self) -> Desk:
        """Return what subproblems are solved on."""
        limits, program = self.limits, self.program
        return make_desk(
            self._bins, limits.max_literals, program.width, has_drafts=limits.points, has_scores=program.has_scores
        )

    def _work(self, command: int, patience: float = 0.0) -> int:
        """Do what a command asks for; returns what came of it."""
        program, self._state, outcome = self.program, None, MORE
        program.make_room()
        program.boards.memory.work[STAGE] = NOT_BEGUN  # whatever an interrupt has left
        while outcome == MORE:
            is_stopping = bool(self.limits.should_stop())
            outcome = advance(
                command, float(self.price), self._skew, patience, is_stopping, program.grown_on, program.boards,
                self._desk,
            )  # fmt: skip
        return outcome

    def run(self, price: float | None = None, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Grow from the present program until nothing pays, a limit is met, or somebody has seen enough steps."""
        if price is not None and price != self.price:
            self.price = price
            self.program.forget()
            self.polish()
            self._record("polish")
            if not goes_on():
                return
        while not self.limits.should_stop() and self.n_rules < self.limits.max_rules:
            if not self.grow() and not self._finish():
                return
            if not goes_on():
                return
        self._finish()

    def _finish(self) -> bool:
        """Polish the rules that were let wait while the program grew; False if nothing changes."""
        changed = self.polish()
        if changed:
            self._record("polish")
        return changed

    def grow(self) -> bool:
        """Add the rule that pays most, and polish the program; False if none pays."""
        if self._work(GROW, self._search_patience) == NOTHING:
            return False
        self._record("grow")
        return True

    def polish(self) -> bool:
        """Visit every rule until none changes: delete what does not pay, improve the rest; False if nothing changes."""
        return self._work(POLISH) == DONE

    def best_new_rule(self) -> float:
        """Return what the rule saves that pays most.

        A parent is searched again only if what it last promised beats the best found; once nothing pays, all are.
        """
        self._work(SEARCH, self._search_patience)
        return float(self.program.boards.memory.best[0])

    def go_back(self, program: PlainProgram, price: float) -> None:
        """Become a program of before, at its price."""
        self.program.plant(program)
        self.price, self._state = price, None

    @property
    def _search_patience(self) -> float:
        return PATIENCE if self.limits.is_rough else 0.0

    @property
    def n_rules(self) -> int:
        """Count the rules, exceptions included; locked ones do not count."""
        return self.program.n_rules

    @property
    def errors(self) -> int:
        """Return the weight of the rows that the present program gets wrong."""
        return self._measured()[0]

    @property
    def size(self) -> int:
        """Count literals and rules; locked ones do not count."""
        return self._measured()[2]

    def objective(self) -> float:
        """Return J of the present program."""
        errors, _, size = self._measured()
        return errors + self.price * size

    def _measured(self) -> tuple[int, int, int]:
        """Return the weight of the errors, how many rules there are, and literals with rules."""
        return measure(self.program.grown_on, self.program.boards)

    def _record(self, action: str) -> None:
        errors, n_rules, size = self._measured()
        step = Step(action, errors + self.price * size, errors, n_rules, size - n_rules, self.price)
        self.trace.append(step)
        self.limits.on_progress(step)
