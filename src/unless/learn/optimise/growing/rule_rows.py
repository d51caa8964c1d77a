"""Which rows a program's rules hold on, fire on and decide, in kernels.

Key fact: whether a rule fires matters exactly where no sibling of it or of an ancestor fires and all ancestors' bodies
hold; there, one more or fewer firing rule flips the output. Invariant: where rules hold and fire agrees with their
bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.learn.compiled import helper, kernel
from unless.learn.optimise.growing.kept_bodies import hold_body, size_of_body
from unless.learn.optimise.growing.program_board import (
    DEPTH,
    IS_LOCKED,
    IS_THERE,
    N_RULES,
    N_VERSIONS,
    NOBODY,
    PARENT,
    SIGN,
    VERSION,
    Rules,
)

if TYPE_CHECKING:
    from unless.learn.optimise.body.boards import Scratch
    from unless.learn.optimise.growing.program_board import Bodies, Growing, GrownOn, HeldOut
    from unless.learn.optimise.layout import Bytes, Ints


@helper
def mark_predicted(rules: Rules, marks: Bytes) -> None:
    """Mark the rows (out) that the program gives to its class."""
    _mark_nothing(marks)
    _mark_children(rules, NOBODY, NOBODY, marks)


@helper
def mark_new_rule_decides(rules: Rules, parent: int, marks: Bytes) -> None:
    """Mark the rows (out) that a new exception to a rule, or a new rule at the top, would decide."""
    if parent == NOBODY:
        mark_predicted(rules, marks)
        for r in range(len(marks)):
            marks[r] = 1 - marks[r]
    else:
        _mark_settled(rules, parent, marks)
        for r in range(len(marks)):
            marks[r] = (1 - marks[r]) & rules.fires[parent, r]


@helper
def mark_rule_decides(rules: Rules, slot: int, marks: Bytes) -> None:
    """Mark the rows (out) where the output hangs on the body of a rule."""
    _mark_settled(rules, slot, marks)
    _mark_children(rules, slot, NOBODY, marks)
    for r in range(len(marks)):
        marks[r] = 1 - marks[r]


@helper
def _mark_nothing(marks: Bytes) -> None:
    """Take away all marks (out)."""
    for r in range(len(marks)):
        marks[r] = 0


@helper
def _mark_children(rules: Rules, parent: int, but: int, marks: Bytes) -> None:
    """Mark the rows on which an exception to a rule fires, one left out; at the top, a rule."""
    for i in range(rules.counters[N_RULES]):
        slot = rules.order[i]
        if rules.facts[slot, PARENT] == parent and slot != but:
            for r in range(len(marks)):
                marks[r] |= rules.fires[slot, r]


@helper
def _mark_settled(rules: Rules, slot: int, marks: Bytes) -> None:
    """Mark the rows where it does not matter whether a rule fires."""
    _mark_nothing(marks)
    while slot != NOBODY:
        parent = rules.facts[slot, PARENT]
        _mark_children(rules, parent, slot, marks)
        if parent != NOBODY:
            for r in range(len(marks)):
                marks[r] |= 1 - rules.holds[parent, r]
        slot = parent


@helper
def list_marked(marks: Bytes, rows: Ints) -> int:
    """List the rows that are marked (out); returns how many."""
    n = 0
    for r in range(len(marks)):
        rows[n] = r  # written always: a branch would cost more
        n += marks[r]
    return n


@helper
def count_errors(grown_on: GrownOn, rules: Rules, marks: Bytes) -> int:
    """Return the weight of the rows predicted wrongly; marks are scratch."""
    mark_predicted(rules, marks)
    errors = 0
    for r in range(len(marks)):
        errors += grown_on.weights[r] * (marks[r] != grown_on.right[r])
    return errors


@helper
def end_of(rules: Rules, at: int) -> int:
    """Return where in the order all that is below the rule at a position ends."""
    depth, end = rules.facts[rules.order[at], DEPTH], at + 1
    while end < rules.counters[N_RULES] and rules.facts[rules.order[end], DEPTH] > depth:
        end += 1
    return end


@helper
def position_of(rules: Rules, slot: int) -> int:
    """Return where in the order a rule stands."""
    at = 0
    while rules.order[at] != slot:
        at += 1
    return at


@helper
def size_below(rules: Rules, bodies: Bodies, at: int) -> int:
    """Count literals and rules of all that is below the rule at a position."""
    size = 0
    for i in range(at + 1, end_of(rules, at)):
        size += 1 + size_of_body(bodies, rules.order[i])
    return size


@helper
def add_rule(rules: Rules, parent: int) -> int:
    """Add a rule, or an exception behind the others of a rule; returns its slot. It has no body yet."""
    slot, at = 0, rules.counters[N_RULES]
    while rules.facts[slot, IS_THERE]:
        slot += 1
    rules.facts[slot, SIGN], rules.facts[slot, DEPTH] = 0, 0
    if parent != NOBODY:
        at = end_of(rules, position_of(rules, parent))
        rules.facts[slot, SIGN] = 1 - rules.facts[parent, SIGN]
        rules.facts[slot, DEPTH] = rules.facts[parent, DEPTH] + 1
    rules.facts[slot, PARENT], rules.facts[slot, IS_LOCKED], rules.facts[slot, IS_THERE] = parent, 0, 1
    for back in range(rules.counters[N_RULES] - at):
        i = rules.counters[N_RULES] - back
        rules.order[i] = rules.order[i - 1]
    rules.order[at] = slot
    rules.counters[N_RULES] += 1
    return slot


@helper
def remove_rule(rules: Rules, slot: int) -> None:
    """Take a rule out, with all that is below it."""
    at, parent = position_of(rules, slot), rules.facts[slot, PARENT]
    end = end_of(rules, at)
    for i in range(at, end):
        rules.facts[rules.order[i], IS_THERE] = 0
    for i in range(end, rules.counters[N_RULES]):
        rules.order[at + i - end] = rules.order[i]
    rules.counters[N_RULES] -= end - at
    _refresh(rules, parent)


@helper
def body_has_changed(grown_on: GrownOn, rules: Rules, bodies: Bodies, slot: int, scratch: Scratch) -> None:
    """Write anew where a rule holds, and where it and those above it fire."""
    rules.counters[N_VERSIONS] += 1
    rules.facts[slot, VERSION] = rules.counters[N_VERSIONS]
    hold_body(bodies, slot, grown_on.by_column, grown_on.rows, scratch.points, rules.holds[slot])
    _refresh(rules, slot)


@helper
def _refresh(rules: Rules, slot: int) -> None:
    """Write anew where rules fire, from one upwards."""
    while slot != NOBODY:
        _write_fires(rules, slot)
        slot = rules.facts[slot, PARENT]


@helper
def _write_fires(rules: Rules, slot: int) -> None:
    """Write where a rule fires: where its body holds and no exception fires."""
    fires = rules.fires[slot]
    _mark_nothing(fires)
    _mark_children(rules, slot, NOBODY, fires)
    for r in range(len(fires)):
        fires[r] = rules.holds[slot, r] & (1 - fires[r])


@kernel
def write_rows(grown_on: GrownOn, growing: Growing) -> None:
    """Write where all rules hold and fire (out); of those that stay as they are it is written already."""
    rules = growing.rules
    for back in range(rules.counters[N_RULES]):
        slot = rules.order[rules.counters[N_RULES] - 1 - back]
        if not rules.facts[slot, IS_LOCKED]:
            body_has_changed(grown_on, rules, growing.bodies, slot, growing.scratch)


@kernel
def predict_held_out(
    rules: Rules, bodies: Bodies, by_column: Bytes, rows: Ints, given: Bytes, held_out: HeldOut
) -> None:
    """Write which held-out rows (out) a program gives to its class; `given` is where rules that stay fire."""
    aside = Rules(rules.facts, rules.order, rules.counters, held_out.holds, held_out.fires)
    for back in range(rules.counters[N_RULES]):
        slot = rules.order[rules.counters[N_RULES] - 1 - back]
        if rules.facts[slot, IS_LOCKED]:
            _mark_nothing(held_out.fires[slot])
            continue
        if held_out.versions[slot] != rules.facts[slot, VERSION]:
            held_out.versions[slot] = rules.facts[slot, VERSION]
            hold_body(bodies, slot, by_column, rows, held_out.points, held_out.holds[slot])
        _write_fires(aside, slot)
    mark_predicted(aside, held_out.marks)
    for r in range(len(given)):
        held_out.marks[r] |= given[r]
