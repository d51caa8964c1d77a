"""The twin of the kernel that grows programs: the same steps one by one, on a state of Python's objects."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace

import numpy as np

from subproblems import Problem, polish_body, search_body
from unless.learn.optimise.growing.grow_kernel import MAX_ROUNDS, PATIENCE
from unless.learn.optimise.growing.growth_limits import Step
from unless.learn.optimise.state import State, rows_where


class GrowableState(State):
    """A state that can be copied, and says where a new rule would decide."""

    def copy(self):
        """Return the same program in nodes of its own; arrays are replaced, never written to, so they are shared."""
        other = copy(self)
        other.tops = [_copied(node, None) for node in self.tops]
        return other

    def where_new_rule_decides(self, parent):
        """Mark the rows that a new child of `parent` would decide."""
        where = self.predicted() == 0 if parent is None else self._settled(parent) < parent.fires
        return np.asarray(where, dtype=np.bool_)


def _copied(node, parent):
    twin = replace(node, parent=parent, children=[])
    twin.children = [_copied(child, twin) for child in node.children]
    return twin


class StepwiseGrower:
    """Grows and polishes one state at a price; searches whose rows did not change are not repeated."""

    def __init__(self, state, limits, price):
        self.state = state
        self.limits = limits
        self.price = price
        self.trace = []
        self._searched = {}
        self._polished = {}

    def run(self, price=None, goes_on=lambda: True):
        """Grow from the present program until nothing pays, a limit is met, or somebody has seen enough steps."""
        if price is not None and price != self.price:
            self.price = price
            self._searched.clear()
            self._polished.clear()
            self.polish()
            self._record("polish")
            if not goes_on():
                return
        while not self.limits.should_stop() and self.state.n_rules < self.limits.max_rules:
            if not self.grow() and not self._finish():
                return
            if not goes_on():
                return
        self._finish()

    def _finish(self):
        """Polish the rules that were let wait while the program grew; False if nothing changes."""
        changed = self.polish()
        if changed:
            self._record("polish")
        return changed

    def grow(self):
        """Add the rule that pays most, and polish the program; False if none pays."""
        parent, body, value = self.best_new_rule()
        if value <= 0:
            return False
        # It is searched until no single move pays, on the very rows that hang on it: to be polished when they change.
        self._polished[self.state.add(parent, body)] = (self._searched[parent][0], body)
        self.polish(PATIENCE)
        self._record("grow")
        return True

    def best_new_rule(self):
        """Return where a rule pays most, its body, and what it saves.

        A parent is searched again only if what it last promised beats the best found; once nothing pays, all are.
        """
        best = self._best_new_rule(PATIENCE if self.limits.is_rough else 0.0)
        return best if best[2] > 0 or not self.limits.is_rough else self._best_new_rule(0.0)

    def _best_new_rule(self, patience):
        best = (None, (), 0.0)
        for parent in sorted(self._parents(), key=self._hope, reverse=True):
            if best[2] > 0 and (best[2] >= self._hope(parent) or self.limits.should_stop()):
                break
            body, value = self._search(parent, patience)
            if value > best[2] + 1e-6 * self.price:
                best = (parent, body, value)
        return best

    def _hope(self, parent):
        """Return what the last search under a parent found: its rows have changed since, but seldom for the better."""
        known = self._searched.get(parent)
        return math.inf if known is None else known[2]

    def _parents(self):
        able = [n for n in self.state.nodes() if not n.is_locked and n.depth < self.limits.max_depth]
        return [None, *able]

    def _search(self, parent, patience):
        """Return the best rule under a parent, what was last found if few enough rows have changed since."""
        decided = self.state.where_new_rule_decides(parent)
        known = self._searched.get(parent)
        n_changed = decided.size if known is None else _n_unlike(known[0], decided)
        if known is not None and n_changed == 0:
            return known[1], known[2]
        rows = rows_where(decided)
        problem = self._problem(rows, 0 if parent is None else 1 - parent.sign, parent, None)
        if known is not None and n_changed <= patience * len(rows):
            return known[1], problem.value(known[1])
        body, value = search_body(problem)
        self._searched[parent] = (decided, body, value)
        return body, value

    def _problem(self, rows, sign, parent, node):
        limits, state = self.limits, self.state
        outside = _columns_around(parent, node) if limits.rivals else frozenset()
        return Problem(
            state.bins, rows, state.gains[sign], limits.kinds[sign], self.price, limits.max_literals,
            limits.rivals, outside, limits.points, state.skew,
        )  # fmt: skip

    def polish(self, patience=0.0):
        """Visit every rule until none changes: delete what does not pay, improve the rest; False if nothing changes.

        A rule waits while no more than such a share of the rows that hang on it has changed.
        """
        ever_changed = False
        for _ in range(MAX_ROUNDS):
            changed = False
            for node in list(self.state.nodes()):
                if self.limits.should_stop():
                    return ever_changed
                if not node.is_locked and self._is_there(node):
                    changed |= self._polish_rule(node, patience)
            ever_changed |= changed
            if not changed:
                break
        return ever_changed

    def _is_there(self, node):
        """Tell whether a rule is still part of the program: an ancestor may have been deleted in this round."""
        while node.parent is not None:
            if node not in node.parent.children:
                return False
            node = node.parent
        return node in self.state.tops

    def _polish_rule(self, node, patience):
        decided = self.state.where_rule_decides(node)
        known = self._polished.get(node)
        if known is not None and known[1] == node.body:
            n_changed = _n_unlike(known[0], decided)
            if n_changed == 0 or n_changed <= patience * np.count_nonzero(decided):
                return False
        problem = self._problem(rows_where(decided), node.sign, node.parent, node)
        body, value = polish_body(problem, node.body)
        below = sum(child.size for child in node.children)
        if value - self.price * below <= problem.tolerance:
            self.state.remove(node)
            return True
        self._polished[node] = (decided, body)
        if body == node.body:
            return False
        self.state.change(node, body)
        return True

    def objective(self, price=None):
        """Return J of the present program."""
        return self.state.errors() + (self.price if price is None else price) * self.state.size

    def _record(self, action):
        state = self.state
        errors, n_rules, size = state.errors(), state.n_rules, state.size
        step = Step(action, errors + self.price * size, errors, n_rules, size - n_rules, self.price)
        self.trace.append(step)
        self.limits.on_progress(step)


def _n_unlike(before, now):
    """Count the rows that one of two masks marks."""
    return int(np.count_nonzero(before ^ now))


def _columns_around(parent, node):
    """Return the columns used by the top rule that a rule stands under, and by all its exceptions but the rule."""
    top = node if parent is None else parent
    while top is not None and top.parent is not None:
        top = top.parent
    used = set()
    stack = [] if top is None else [top]
    while stack:
        one = stack.pop()
        if one is not node:
            used.update(*(literal.columns for literal in one.body))
        stack.extend(one.children)
    return frozenset(used)
