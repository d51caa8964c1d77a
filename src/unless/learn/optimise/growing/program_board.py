"""The program being grown, as its kernels know it: rules in order, their bodies, and on which rows they hold.

A rule has a slot, which it keeps while it lives. The order lists slots, parents before their exceptions, so a rule with
all that is below it is one run of the list: those behind it that stand deeper. A body is a line of facts and a table a
literal; its scorecard, of which there is at most one, stands apart. Everything is made here: kernels make no array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unless.learn.optimise.body.boards import Scratch, make_scratch
from unless.learn.optimise.body.scorecard_board import MAX_CONDITIONS
from unless.learn.optimise.layout import FACTS, MAX_BINS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unless.learn.optimise.layout import Bytes, Floats, Ints

PARENT, SIGN, DEPTH, IS_LOCKED, IS_THERE, VERSION, RULE_FACTS = range(7)
"""What is known of a rule: the slot of the one that it is an exception to, for (0) or against (1) the class, how deep,
whether it stays as it is, whether the slot is taken, and a number that changes with the body."""
NOBODY = -1
"""No rule: the parent of those at the top."""
N_RULES, N_VERSIONS, N_LOOKED = range(3)
"""Counters of a program: its rules, bodies written so far, and rows looked at, which tests ask for."""
STAGE, CELLS_LEFT, POSITION, N_LISTED, ROUND, BEST, IS_PATIENT, HAS_CHANGED, EVER_CHANGED, WORK_FACTS = range(10)
"""What is known of work that goes on: what it is doing, how many cells it may still look at for now, to which of the
rules listed it is done, in which round, under which rule the best new one stands, whether few changed rows matter, and
whether rules have changed, in this round and ever."""


class GrownOnArrays(NamedTuple):
    """The rows that a program grows on, and what is allowed; `kinds` and `gains` have a line for and one against.

    `hashes` put rows in an order of their own, to draft scorecards on some of them; it is empty where there may be
    none. `limits` are the literals of a body and the depth at most. `rivals[i, j]` says that columns i and j must not
    stand in one rule with its exceptions; without any it has no lines.
    """

    bin_index: NDArray[Any]
    by_column: Bytes
    rows: Ints
    hashes: Ints
    spans: Ints
    known_kinds: Ints
    kinds: Ints
    rivals: Bytes
    gains: Ints
    right: Bytes
    weights: Ints
    limits: Ints


class GrownOn(GrownOnArrays):
    """What programs are grown on; no kernel changes it."""


MOST_LITERALS, MOST_DEPTH = range(2)
"""The fields of `limits`."""


class BodyArrays(NamedTuple):
    """Bodies, each with so many literals; of the scorecards `parts` says how many there are, and the threshold."""

    lengths: Ints
    facts: Ints
    tables: Bytes
    parts: Ints
    points: Ints
    part_facts: Ints
    part_tables: Bytes


class Bodies(BodyArrays):
    """Bodies kept by number."""


class RuleArrays(NamedTuple):
    """Rules by slot, the order, counters, and for each rule where its body holds and where it fires."""

    facts: Ints
    order: Ints
    counters: Ints
    holds: Bytes
    fires: Bytes


class Rules(RuleArrays):
    """The rules of a program."""


class MemoryArrays(NamedTuple):
    """What was last searched, under every rule and, first, at the top, and last polished: on which rows, what it saves.

    `work` and `listed` say where work stands that goes on, and what the best new rule saves stands in `best`.
    """

    is_searched: Bytes
    searched_on: Bytes
    values: Floats
    is_polished: Bytes
    polished_on: Bytes
    work: Ints
    listed: Ints
    best: Floats


class Memory(MemoryArrays):
    """What is known from work that is done."""


class HeldOutArrays(NamedTuple):
    """Held-out rows: where bodies hold, of which version, where rules fire, scratch, and marks of what is predicted."""

    versions: Ints
    holds: Bytes
    fires: Bytes
    points: Bytes
    marks: Bytes


class HeldOut(HeldOutArrays):
    """Held-out rows, and what a program predicts of them."""


def make_held_out(n: int, n_rows: int) -> HeldOut:
    """Return room for what so many rules predict of so many rows."""
    return HeldOut(
        np.full(n, -1, dtype=np.int64),
        np.empty((n, n_rows), dtype=np.uint8),
        np.empty((n, n_rows), dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
        np.empty(n_rows, dtype=np.uint8),
    )


class GrowingArrays(NamedTuple):
    """A program, what is known from work done, the bodies last found under every rule and, first, at the top."""

    rules: Rules
    bodies: Bodies
    memory: Memory
    found: Bodies
    scratch: Scratch


class Growing(GrowingArrays):
    """A program while it grows."""


def make_bodies(n: int, limit: int) -> Bodies:
    """Return room for so many bodies of at most so many literals."""
    n_parts = MAX_CONDITIONS + 1
    return Bodies(
        np.zeros(n, dtype=np.int64),
        np.zeros((n, limit, FACTS), dtype=np.int64),
        np.zeros((n, limit, MAX_BINS), dtype=np.uint8),
        np.zeros((n, 2), dtype=np.int64),
        np.zeros((n, n_parts), dtype=np.int64),
        np.zeros((n, n_parts, FACTS), dtype=np.int64),
        np.zeros((n, n_parts, MAX_BINS), dtype=np.uint8),
    )


def make_rules(n: int, n_rows: int) -> Rules:
    """Return room for so many rules."""
    return Rules(
        np.zeros((n, RULE_FACTS), dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.empty((n, n_rows), dtype=np.uint8),
        np.empty((n, n_rows), dtype=np.uint8),
    )


def make_memory(n: int, n_rows: int) -> Memory:
    """Return a memory for so many rules, of nothing."""
    return Memory(
        np.zeros(n + 1, dtype=np.uint8),
        np.empty((n + 1, n_rows), dtype=np.uint8),
        np.zeros(n + 1),
        np.zeros(n, dtype=np.uint8),
        np.empty((n, n_rows), dtype=np.uint8),
        np.zeros(WORK_FACTS, dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(1),
    )


def make_growing(n: int, width: int, n_rows: int, n_columns: int) -> Growing:
    """Return room for a program of so many rules, each of so many literals, on so many rows and columns."""
    return Growing(
        make_rules(n, n_rows),
        make_bodies(n, width),
        make_memory(n, n_rows),
        make_bodies(n + 1, width),
        make_scratch(n_rows, n_columns),
    )
