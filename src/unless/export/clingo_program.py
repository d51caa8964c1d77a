"""An answer-set program for clingo: `predicted(X, Label)` and `rule(X, Number)` for each `row(X)`; one stable model.

clingo has neither decimals nor numbers beyond 32 bits, and takes a text for larger than any number. So a number is
given as its step among the thresholds of its column, which is exact for every number: `step(X, "age", 2*i)` at the i-th
threshold, `2*i+1` between it and the next one. A word is `word(X, "city", "Rome")`; missing is no fact. `row_facts`
writes the facts of rows. The steps of each column are listed in the program. The probability of a graded program of
two labels is a text, `probability(X, "0.25")`, from a table; of more labels it is a share of decimals, and is not said.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.export.from_program import decision_form, probability_note
from unless.export.raw_cells import form_cell
from unless.export.two_valued import (
    And,
    Compared,
    Equal,
    IsBlank,
    IsNumber,
    IsWord,
    Named,
    Negation,
    Or,
    Reaches,
)
from unless.logic.graded import moved
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.program import Program

OPS = {"<=": "<=", ">": ">", "<": "<", ">=": ">=", "==": "="}


def quoted(text: str) -> str:
    """Write a text; clingo has double quotes alone."""
    if "\0" in text:
        msg = f"{text!r} holds a NUL, which a text in clingo cannot."
        raise DataError(msg)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def step_of(number: float, thresholds: tuple[float, ...]) -> int:
    """Return the step of a number: even at a threshold, odd between two.

    >>> [step_of(x, (10.0, 20.0)) for x in (5.0, 10.0, 15.0, 20.0, 25.0)]
    [1, 2, 3, 4, 5]
    """
    n = bisect_left(thresholds, number)
    return 2 * n + 2 if n < len(thresholds) and thresholds[n] == number else 2 * n + 1


class ClingoPrinter:
    """Writes tests as bodies; what a body cannot hold gets a rule of its own."""

    def __init__(self, form: DecisionForm) -> None:
        self.form = form
        self.names = {name: f"test{n}" for n, name in enumerate(form.named, 1)}
        self.lines: list[str] = []
        self.n_parts = 0

    def body(self, test: Test) -> str:
        """Write a test as the body of a rule."""
        if isinstance(test, And):
            return ", ".join(map(self.body, test.tests)) or "row(X)"
        return self._literal(test)

    def _literal(self, test: Test) -> str:  # noqa: PLR0911  (a case for each kind of test)
        match test:
            case IsNumber(column):
                return f"step(X, {quoted(column)}, _)"
            case IsWord(column):
                return f"word(X, {quoted(column)}, _)"
            case IsBlank(column):
                return f"not step(X, {quoted(column)}, _), not word(X, {quoted(column)}, _)"
            case Compared(column, op, number):
                self.n_parts += 1
                step = step_of(number, self.form.thresholds[column])
                return f"step(X, {quoted(column)}, S{self.n_parts}), S{self.n_parts} {OPS[op]} {step}"
            case Equal(column, word):
                return f"word(X, {quoted(column)}, {quoted(word)})"
            case Named(name):
                return f"{self.names[name]}(X)"
            case Negation(inner):
                return f"not {self._named(inner)}(X)"
            case Reaches(awards, threshold):
                cases = "; ".join(f"{points},{n} : {self._literal(case)}" for n, (points, case) in enumerate(awards))
                return f"#sum {{ {cases} }} >= {threshold}"
            case _:
                return f"{self._named(test)}(X)"

    def _named(self, test: Test) -> str:
        """Give a test a rule of its own, one for each of its cases."""
        if isinstance(test, Named):
            return self.names[test.name]
        self.n_parts += 1
        name = f"part{self.n_parts}"
        self.define(f"{name}(X)", test)
        return name

    def define(self, head: str, test: Test) -> None:
        """Write the rules of a test."""
        cases = test.tests if isinstance(test, Or) else (test,)
        bodies = [self.body(case) for case in cases]
        self.lines += [f"{head} :- row(X), {body}." for body in bodies]
        if not bodies:
            self.lines.append(f"{head} :- row(X), #false.")


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program for clingo."""
    form = decision_form(program)
    printer = ClingoPrinter(form)
    for name, test in form.named.items():
        printer.define(f"{printer.names[name]}(X)", test)
    for n, rule in enumerate(form.rules, 1):
        printer.define(f"holds(X, {n})", rule.test)
    target = form.target.replace("\n", " ")
    lines = [f"% Decides {target}: predicted(X, Label) and rule(X, Number) for each row(X)."]
    note = probability_note(program) if len(form.cards) == 1 else ""
    lines += [f"% {note}"] if note else []
    lines += [*_steps(form), *printer.lines, "decided(X, N) :- row(X), holds(X, _), N = #min { M : holds(X, M) }."]
    decided = {0: (form.default, "")} | {n: (r.label, r.number) for n, r in enumerate(form.rules, 1)}
    lines.append("decided(X, 0) :- row(X), not holds(X, _).")
    for n, (label, number) in decided.items():
        lines.append(f"predicted(X, {quoted(label_text(label))}) :- decided(X, {n}).")
        lines += [f"rule(X, {quoted(number)}) :- decided(X, {n})."] if n else []
    if len(form.cards) == 1:
        lines += _graded(form, printer)
    return "\n".join([*lines, "#show predicted/2.", "#show rule/2.", "#defined step/3.", "#defined word/3.",
                      "#defined holds/2.", "#defined row/1."]) + "\n"  # fmt: skip


def _graded(form: DecisionForm, printer: ClingoPrinter) -> Iterator[str]:
    """Yield the points of the only card, and what they amount to."""
    card = form.cards[0]
    label = quoted(label_text(card.label))
    printer.lines = []
    for n, (points, test) in enumerate(card.awards, 1):
        printer.define(f"award(X, {n}, {points})", test)
    yield from printer.lines
    yield f"award(X, 0, {card.decided}) :- predicted(X, {label})."
    yield "points(X, N) :- row(X), N = #sum { P,K : award(X, K, P) }."
    for side, by_side in ((True, f"predicted(X, {label})"), (False, f"not predicted(X, {label})")):
        yield from (f"chance({int(side)}, {n}, {quoted(repr(moved(p, side)))})." for n, p in card.probabilities.items())
        yield f"probability(X, P) :- points(X, N), {by_side}, chance({int(side)}, N, P)."
    yield "#show probability/2."
    if card.as_they_are is not None:
        yield from (f"plain({n}, {quoted(repr(p))})." for n, p in card.as_they_are.items())
        yield "probability_as_they_are(X, P) :- points(X, N), plain(N, P)."
        yield "#show probability_as_they_are/2."


def _steps(form: DecisionForm) -> Iterator[str]:
    yield "% A number is given as its step among the thresholds of its column: even at one, odd between two."
    for column, numbers in form.thresholds.items():
        listed = ", ".join(f"{step_of(number, numbers)} at {number!r}" for number in numbers)
        yield f"% {quoted(column)}: {listed}"


def row_facts(program: Program, rows: Iterable[Mapping[str, object]], first: int = 1) -> str:
    """Write rows of raw cells as facts, numbered from `first` on."""
    form = decision_form(program)
    return "".join(f"{fact}\n" for n, row in enumerate(rows, first) for fact in facts_of(form, n, row))


def facts_of(form: DecisionForm, n: int, row: Mapping[str, object]) -> Iterator[str]:
    """Yield the facts of a row of raw cells."""
    yield f"row({n})."
    for column in form.columns:
        value = form_cell(column, row, form.missing)
        if isinstance(value, str):
            yield f"word({n}, {quoted(column.name)}, {quoted(value)})."
        elif value is not None:
            steps = form.thresholds.get(column.name, ())
            yield f"step({n}, {quoted(column.name)}, {step_of(value, steps)})."
