"""Conditions for an exception or a rule, proposed by the learner from rows at hand that are predicted wrongly.

In: rows, of a rule or exception, of `else`, or of any filter; then it is the rule that decides most of the wrong ones.
Out: a few proposals, each with what it would cover: the wrong rows that it mends and the right ones that it spoils,
among the rows learned from and, beside them, among those kept apart. Only rows learned from are looked at to find
conditions; wrong rows that are not at hand are left alone. Proposals keep to the constraints of the program.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unless.errors import DataError
from unless.evaluate.coverage import covered_rows
from unless.evaluate.region_rows import deciding_rules, passing
from unless.explain.words.conditions import Conditions
from unless.explain.words.language import language
from unless.learn.front import learn, table_task
from unless.learn.learners import UnlessSettings
from unless.logic.check.broken_constraints import way_of
from unless.logic.edits.found_parts import entry_of
from unless.logic.forms.entries import ColumnTest
from unless.logic.forms.value_sets import ValueSet
from unless.logic.program import same_label
from unless.logic.rules import Literal, Negated, OneOf
from unless.table.kinds import KindRule
from unless.web.explained_row import LANGUAGE
from unless.web.studio.row_lists import is_wanted
from unless.web.studio.value_forms import form_of_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unless.evaluate.view import View
    from unless.logic.program import Program
    from unless.logic.rules import Rule
    from unless.table.cells import Cells
    from unless.web.session import Session
    from unless.web.studio.row_lists import RowFilter

    Rows = NDArray[np.bool_]

MOST = 3
FEWEST = 2
"""Of fewer wrong rows nothing is learned."""
SIZES = (1, 2, 3)
WRONG, RIGHT = "wrong", "right"


def propose(session: Session, at_hand: RowFilter, step: Callable[[], object] = bool) -> dict[str, Any]:
    """Propose exceptions to a rule or exception, or, for `else`, rules for what no rule covers.

    `step` is called now and then, and may raise.
    """
    program = session.need_current()
    view = session.on_table(program).view
    if view.actual is None:
        msg = "the table has no labels, so nobody knows which rows are wrong."
        raise DataError(msg)
    listed = is_wanted(session, view, replace(at_hand, split="all"))
    number = at_hand.rule or _deciding(view, listed)
    among, wrong, label = _rows(view, program, number, listed)
    among &= listed | ~wrong
    training = session.rows("training")
    n_wrong = int((among & wrong & training).sum())
    answer: dict[str, Any] = {"rule": number, "n_wrong": n_wrong, "n_rows": int((among & training).sum())}
    answer |= {"label": label, "proposals": []}
    if n_wrong < FEWEST or n_wrong == answer["n_rows"]:
        return answer
    found: dict[str, dict[str, Any]] = {}
    asked = _asked(view, number, label, among & training)
    for tests in _learned(session, program, among & training, wrong, asked, step):
        shown = _proposal(session, view, program, tests, among, wrong)
        if shown["training"]["mended"] > shown["training"]["spoiled"]:
            found.setdefault(shown["text"], shown)
    best = sorted(found.values(), key=lambda each: each["training"]["spoiled"] - each["training"]["mended"])
    answer["proposals"] = best[:MOST]
    return answer


def _deciding(view: View, listed: Rows) -> str:
    """Return the rule that decides most of the rows that are predicted wrongly, or `else`."""
    rules, counts = np.unique(deciding_rules(view)[listed & (view.predicted != view.actual)], return_counts=True)
    return str(rules[np.argmax(counts)] or "else") if len(rules) else "else"


def _rows(view: View, program: Program, number: str, listed: Rows) -> tuple[Rows, Rows, int | None]:
    """Return the rows that something covers, where it is wrong, and for `else` the label that rules should conclude."""
    assert view.actual is not None
    covered = covered_rows(view, number)
    if number != "else":
        entry = entry_of(program, number)
        index = next(i for i, label in enumerate(program.target.labels) if same_label(label, entry.label))
        return covered, (view.actual == index) != entry.supports, None
    missed = [int(((view.actual == i) & covered & listed).sum()) for i in range(len(program.target.labels))]
    label = int(np.argmax(missed))
    return covered, view.actual == label, label


def _asked(view: View, number: str, label: int | None, rows: Rows) -> dict[str, Any]:
    """Return what an exception to a rule, or for `else` a rule, must keep to: columns, pairs and directions.

    Columns that are kept apart from those of the rule are forbidden in its exceptions. Where a column has no number in
    the rows, there is nothing that a direction could be about.
    """
    program, asked = view.program, view.program.constraints.among(view.cells)
    way, barred = 1 if label == 0 else -1, {*asked.forbidden}
    if label is None:
        entry, rule = entry_of(program, number), entry_of(program, number.partition(".")[0])
        way = -way_of(program, entry)
        tested = {literal.column for literal in rule.clause.literals}
        tested = tested.union(*(program.helper_columns[name] for name in rule.clause.called))
        barred |= {one for pair in asked.apart for one, other in (pair, pair[::-1]) if other in tested}
    ways = {name: way * direction for name, direction in asked.directions if _has_number(view.cells[name], rows)}
    return {"forbidden": tuple(sorted(barred)), "apart": asked.apart, "monotonic_cst": ways or None}


def _has_number(cells: Cells, rows: Rows) -> bool:
    return cells.numbers is not None and not np.isnan(cells.numbers[rows]).all()


def _learned(
    session: Session, program: Program, rows: Rows, wrong: Rows, asked: dict[str, Any], step: Callable[[], object]
) -> list[dict[str, ValueSet]]:
    """Learn single rules that tell wrong rows from right ones, of several sizes."""
    opened = session.need_table()
    names = [column.name for column in program.columns if column.name in opened.table.columns]
    readings = {column.name: column.reading for column in program.columns if column.reading}
    kinds = KindRule("dtype", {c.name: c.kind for c in program.columns}, program.missing, readings)
    at = np.flatnonzero(rows)
    table = opened.table.without(name for name in opened.table.names if name not in names).take(at)
    labels = np.where(wrong[at], WRONG, RIGHT).astype(object)
    found = []

    def watch(_: object) -> None:
        step()

    for weight in (None, "balanced"):
        for size in SIZES:
            task = table_task(table, labels, kinds=kinds, positive=WRONG, missing=program.missing)
            limits: dict[str, Any] = {"max_rules": 1, "max_literals": size, "max_depth": 0, "points": False}
            settings = UnlessSettings(**limits, **asked, class_weight=weight, size_penalty=0.25)
            with warnings.catch_warnings():  # that no rule pays is said on the page
                warnings.simplefilter("ignore")
                rules = learn(task, settings, on_progress=watch).rules
            found += [tests for rule in rules if (tests := _tests(rule))]
    return found


def _tests(rule: Rule) -> dict[str, ValueSet]:
    """Return the conditions of a rule by column; nothing where one is no test of a column."""
    tests: dict[str, ValueSet] = {}
    for condition in rule.body:
        if isinstance(condition, Literal):
            values = ValueSet.of(condition)
        elif isinstance(condition, Negated):
            values = ~ValueSet.of(condition.literal)
        elif isinstance(condition, OneOf):
            values = ValueSet((), frozenset(condition.words), others=False, missing=False)
            values = ~values if condition.negated else values
        else:
            return {}
        column = condition.literal.column if isinstance(condition, Negated) else condition.column
        tests[column] = tests.get(column, ValueSet()) & values
    return {} if rule.exceptions else tests


def _proposal(
    session: Session, view: View, program: Program, tests: dict[str, ValueSet], among: Rows, wrong: Rows
) -> dict[str, Any]:
    columns = {column.name: column for column in program.columns}
    said = Conditions(language(LANGUAGE))
    holds = among.copy()
    for name, values in tests.items():
        holds &= passing(values, view.cells[name])
    text = said.words.listed([said.test(ColumnTest(columns[name], values)) for name, values in tests.items()])
    forms = {name: form_of_values(values, columns[name]) for name, values in tests.items()}
    counted = {
        split: {"mended": int((holds & wrong & rows).sum()), "spoiled": int((holds & ~wrong & rows).sum())}
        for split in ("held_out", "training")
        for rows in [session.rows(split)]
    }
    return {"text": text, "tests": forms, **counted}
