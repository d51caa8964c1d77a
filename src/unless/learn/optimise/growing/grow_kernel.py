"""The steps of growing, in one kernel: the best new rule searched anywhere, and all rules polished until none changes.

In: a program with the rows that it grows on, and a memory of what was searched and polished. Out: the program changed;
where its rules hold and fire agrees with it whenever the kernel returns. It returns now and then with work left: who
calls it may want to stop. In one kernel, because Python between subproblems of a tenth of a millisecond took as long
as these, and kept other threads waiting.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.growing.kept_bodies import (
    copy_body,
    keep_body,
    lay_out_body,
    size_of_body,
)
from unless.learn.optimise.growing.program_board import (
    BEST,
    CELLS_LEFT,
    DEPTH,
    EVER_CHANGED,
    HAS_CHANGED,
    IS_LOCKED,
    IS_PATIENT,
    IS_THERE,
    MOST_DEPTH,
    N_LISTED,
    N_LOOKED,
    N_RULES,
    NOBODY,
    PARENT,
    POSITION,
    ROUND,
    SIGN,
    STAGE,
)
from unless.learn.optimise.growing.rule_problem import allow_kinds, solve, value_on
from unless.learn.optimise.growing.rule_rows import (
    add_rule,
    body_has_changed,
    count_errors,
    list_marked,
    mark_new_rule_decides,
    mark_rule_decides,
    position_of,
    remove_rule,
    size_below,
)

if TYPE_CHECKING:
    from unless.learn.optimise.body.desk import Desk
    from unless.learn.optimise.growing.program_board import Growing, GrownOn, Memory, Rules
    from unless.learn.optimise.layout import Bytes, Ints

SEARCH, GROW, POLISH = range(3)
"""What may be asked for: the best new rule, that it is added and the program polished, or that it is polished."""
MORE, NOTHING, DONE = range(3)
"""What may come of it: there is more to do, nothing paid, or it is done."""
NOT_BEGUN, SEARCHING, POLISHING = range(3)

MAX_ROUNDS = 4
PATIENCE = 0.05
"""While a program grows, a rule is polished again once more than this share of the rows that hang on it has changed;
a rough one searches again as seldom."""
TOLERANCE = 1e-6
"""A share of the price of a literal: less is rounding, not a gain."""
AT_ONCE = 2_000_000
"""Once subproblems were given so many cells, the kernel returns for whoever wants to stop."""


@kernel
def advance(
    command: int,
    price: float,
    skew: float,
    patience: float,
    is_stopping: bool,
    grown_on: GrownOn,
    growing: Growing,
    desk: Desk,
) -> int:
    """Begin what is asked for, or go on with it; returns whether there is more to do, and what came of it.

    A search has `patience` to begin with, if it has any, and none once that finds nothing. Who is stopping gets what
    pays so far, and no more polishing.
    """
    work, best, rules, memory = growing.memory.work, growing.memory.best, growing.rules, growing.memory
    work[CELLS_LEFT] = AT_ONCE
    if work[STAGE] == NOT_BEGUN and command == POLISH:
        _begin_polishing(rules, memory)
    elif work[STAGE] == NOT_BEGUN:
        work[IS_PATIENT] = patience > 0.0
        _begin_searching(grown_on, rules, memory)
    if work[STAGE] == SEARCHING:
        if _search_on(price, skew, patience, is_stopping, grown_on, growing, desk) == MORE:
            return MORE
        work[STAGE] = NOT_BEGUN
        if best[0] <= 0.0:
            return NOTHING
        if command == SEARCH:
            return DONE
        _add_best(grown_on, growing)
        _begin_polishing(rules, memory)
    if _polish_on(price, skew, PATIENCE if command == GROW else 0.0, is_stopping, grown_on, growing, desk) == MORE:
        return MORE
    work[STAGE] = NOT_BEGUN
    return DONE if command == GROW or work[EVER_CHANGED] else NOTHING


@kernel
def measure(grown_on: GrownOn, growing: Growing) -> tuple[int, int, int]:
    """Return the weight of the errors, how many rules there are, and literals with rules; not those that stay."""
    rules, bodies, scratch, n_rules, size = growing.rules, growing.bodies, growing.scratch, 0, 0
    for i in range(rules.counters[N_RULES]):
        slot = rules.order[i]
        if not rules.facts[slot, IS_LOCKED]:
            n_rules += 1
            size += 1 + size_of_body(bodies, slot)
    return count_errors(grown_on, rules, scratch.marks), n_rules, size


@helper
def _has_cells_left(grown_on: GrownOn, work: Ints) -> bool:
    """Tell whether one more subproblem may be looked at for now, and note it."""
    has_some = bool(work[CELLS_LEFT] > 0)
    work[CELLS_LEFT] -= len(grown_on.rows) * len(grown_on.spans)
    return has_some


@helper
def _begin_searching(grown_on: GrownOn, rules: Rules, memory: Memory) -> None:
    """List where a new rule may stand, first where the last search promised most.

    Rows have changed since, but seldom for the better.
    """
    work, listed, n = memory.work, memory.listed, 1
    listed[0] = NOBODY
    for i in range(rules.counters[N_RULES]):
        slot = rules.order[i]
        if not rules.facts[slot, IS_LOCKED] and rules.facts[slot, DEPTH] < grown_on.limits[MOST_DEPTH]:
            at = n
            while at > 0 and _hope(memory, listed[at - 1]) < _hope(memory, slot):
                listed[at] = listed[at - 1]
                at -= 1
            listed[at] = slot
            n += 1
    work[STAGE], work[POSITION], work[N_LISTED], work[BEST], memory.best[0] = SEARCHING, 0, n, NOBODY, 0.0


@helper
def _hope(memory: Memory, parent: int) -> float:
    """Return what the last search under a rule found."""
    return float(memory.values[parent + 1]) if memory.is_searched[parent + 1] else math.inf


@helper
def _search_on(
    price: float, skew: float, patience: float, is_stopping: bool, grown_on: GrownOn, growing: Growing, desk: Desk
) -> int:
    """Look for the best new rule under those that are listed; returns whether there is more to do."""
    memory, work, best = growing.memory, growing.memory.work, growing.memory.best
    while True:
        if _is_search_over(memory, is_stopping):
            if best[0] > 0.0 or not work[IS_PATIENT]:
                return DONE
            work[IS_PATIENT] = 0
            _begin_searching(grown_on, growing.rules, memory)
        if not _has_cells_left(grown_on, work):
            return MORE
        parent = memory.listed[work[POSITION]]
        work[POSITION] += 1
        value = _look_under(parent, price, skew, patience if work[IS_PATIENT] else 0.0, grown_on, growing, desk)
        if value > best[0] + TOLERANCE * price:
            work[BEST], best[0] = parent, value


@helper
def _is_search_over(memory: Memory, is_stopping: bool) -> bool:
    """Tell whether no rule left promises more than the best found; who is stopping takes that."""
    work, best = memory.work, memory.best[0]
    if work[POSITION] == work[N_LISTED]:
        return True
    return bool(best > 0.0) and (is_stopping or best >= _hope(memory, memory.listed[work[POSITION]]))


@helper
def _look_under(
    parent: int, price: float, skew: float, patience: float, grown_on: GrownOn, growing: Growing, desk: Desk
) -> float:
    """Return what the best new rule under another saves, or what was last found if few enough rows have changed."""
    rules, memory, scratch, found = growing.rules, growing.memory, growing.scratch, growing.found
    mark_new_rule_decides(rules, parent, scratch.marks)
    is_known, n_changed = memory.is_searched[parent + 1], 0
    if is_known:
        n_changed = _n_unlike(memory.searched_on[parent + 1], scratch.marks)
        if n_changed == 0:
            return float(memory.values[parent + 1])
    n, sign = list_marked(scratch.marks, scratch.rows), 0
    if parent != NOBODY:
        sign = 1 - rules.facts[parent, SIGN]
    if is_known and n_changed <= patience * n:
        return value_on(found, parent + 1, price, grown_on, sign, scratch.rows[:n], scratch)
    allow_kinds(grown_on, rules, growing.bodies, parent, NOBODY, sign, scratch)
    rules.counters[N_LOOKED] += n
    length, value = solve(0, n, sign, price, skew, grown_on, scratch, desk)
    keep_body(length, desk.board, desk.cards, found, parent + 1)
    memory.is_searched[parent + 1], memory.values[parent + 1] = 1, value
    _copy_marks(scratch.marks, memory.searched_on[parent + 1])
    return value


@helper
def _add_best(grown_on: GrownOn, growing: Growing) -> None:
    """Add the best rule found.

    It is searched until no single move pays, on the very rows that hang on it: to be polished when they change.
    """
    rules, memory, parent = growing.rules, growing.memory, growing.memory.work[BEST]
    slot = add_rule(rules, parent)
    copy_body(growing.found, parent + 1, growing.bodies, slot)
    body_has_changed(grown_on, rules, growing.bodies, slot, growing.scratch)
    memory.is_searched[slot + 1], memory.is_polished[slot] = 0, 1
    _copy_marks(memory.searched_on[parent + 1], memory.polished_on[slot])


@helper
def _begin_polishing(rules: Rules, memory: Memory) -> None:
    """List all rules, to be polished; none has changed yet."""
    memory.work[STAGE], memory.work[ROUND], memory.work[EVER_CHANGED] = POLISHING, 0, 0
    _list_rules(rules, memory)


@helper
def _list_rules(rules: Rules, memory: Memory) -> None:
    """List all rules for a round of polishing."""
    for i in range(rules.counters[N_RULES]):
        memory.listed[i] = rules.order[i]
    memory.work[POSITION], memory.work[N_LISTED], memory.work[HAS_CHANGED] = 0, rules.counters[N_RULES], 0


@helper
def _polish_on(
    price: float, skew: float, patience: float, is_stopping: bool, grown_on: GrownOn, growing: Growing, desk: Desk
) -> int:
    """Polish the rules that are listed, round by round until none changes; returns whether there is more to do."""
    rules, memory, work = growing.rules, growing.memory, growing.memory.work
    while work[ROUND] < MAX_ROUNDS and not is_stopping:
        if work[POSITION] == work[N_LISTED]:
            if not work[HAS_CHANGED]:
                return DONE
            work[ROUND] += 1
            _list_rules(rules, memory)
            continue
        if not _has_cells_left(grown_on, work):
            return MORE
        slot = memory.listed[work[POSITION]]
        work[POSITION] += 1
        if rules.facts[slot, IS_THERE] and not rules.facts[slot, IS_LOCKED]:
            has_changed = _polish_rule(slot, price, skew, patience, grown_on, growing, desk)
            work[HAS_CHANGED] |= has_changed
            work[EVER_CHANGED] |= has_changed
    return DONE


@helper
def _polish_rule(
    slot: int, price: float, skew: float, patience: float, grown_on: GrownOn, growing: Growing, desk: Desk
) -> bool:
    """Delete a rule that does not pay, or improve it; False if it stays as it is.

    It waits while no more than a share of the rows that hang on it has changed.
    """
    rules, bodies, memory, scratch = growing.rules, growing.bodies, growing.memory, growing.scratch
    mark_rule_decides(rules, slot, scratch.marks)
    n = list_marked(scratch.marks, scratch.rows)
    if memory.is_polished[slot]:
        n_changed = _n_unlike(memory.polished_on[slot], scratch.marks)
        if n_changed == 0 or n_changed <= patience * n:
            return False
    sign = rules.facts[slot, SIGN]
    allow_kinds(grown_on, rules, bodies, rules.facts[slot, PARENT], slot, sign, scratch)
    rules.counters[N_LOOKED] += n
    lay_out_body(bodies, slot, desk.board, desk.cards)
    length, value = solve(bodies.lengths[slot], n, sign, price, skew, grown_on, scratch, desk)
    if value - price * size_below(rules, bodies, position_of(rules, slot)) <= TOLERANCE * price:
        remove_rule(rules, slot)
        return True
    memory.is_polished[slot] = 1
    _copy_marks(scratch.marks, memory.polished_on[slot])
    if not keep_body(length, desk.board, desk.cards, bodies, slot):
        return False
    body_has_changed(grown_on, rules, bodies, slot, scratch)
    return True


@helper
def _n_unlike(before: Bytes, now: Bytes) -> int:
    """Count the rows that one of two lists of marks has."""
    n = 0
    for r in range(len(now)):
        n += before[r] != now[r]
    return n


@helper
def _copy_marks(marks: Bytes, to: Bytes) -> None:
    """Copy marks of rows (out)."""
    for r in range(len(marks)):
        to[r] = marks[r]
