"""Tests and decisions as statements of a programming language: what Python and JavaScript have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.two_valued import And, Named, Negation, Or, Reaches
from unless.logic.graded import JUST, moved
from unless.logic.program import same_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.export.two_valued import DecisionForm, PointsCard, Test
    from unless.logic.rules import Label


class CodeWords:
    """How a language writes tests; `c1` is the first column's cell, `t1` the first named test."""

    and_ = or_ = not_ = true = false = null = ""
    declare = ""
    end = ""
    largest = "max"

    def __init__(self, form: DecisionForm) -> None:
        self.cells = {column.name: f"c{n}" for n, column in enumerate(form.columns, 1)}
        self.names = {name: f"t{n}" for n, name in enumerate(form.named, 1)}

    def cell_test(self, test: Test, cell: str) -> str:
        """Write a test of one cell."""
        raise NotImplementedError

    def constant(self, value: object) -> str:
        """Write a constant: a label, a list of them, a map from numbers."""
        raise NotImplementedError

    def choice(self, test: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        raise NotImplementedError

    def test(self, test: Test) -> str:
        """Write a test."""
        match test:
            case And(tests):
                return f"({self.and_.join(map(self.test, tests))})" if tests else self.true
            case Or(tests):
                return f"({self.or_.join(map(self.test, tests))})" if tests else self.false
            case Negation(inner):
                return f"{self.not_}({self.test(inner)})"
            case Named(name):
                return self.names[name]
            case Reaches(awards, threshold):
                return f"({self.points(awards)}) >= {threshold}"
            case _:
                return self.cell_test(test, self.cells[test.column])

    def points(self, awards: Iterable[tuple[int, Test]]) -> str:
        """Write a sum of points."""
        return " + ".join(self.choice(self.test(test), str(points), "0") for points, test in awards) or "0"

    def set_to(self, name: str, value: str) -> str:
        """Write a statement that names a value."""
        return f"{self.declare}{name} = {value}{self.end}"


def code_lines(form: DecisionForm, words: CodeWords) -> Iterator[str]:
    """Yield statements that decide, given the cells: `decision`, `labels`, `rules`, and where graded `probability`.

    Where rows weighed differently in learning by a known ratio there is also `as_they_are`.
    """
    for name, test in form.named.items():
        yield words.set_to(words.names[name], words.test(test))
    yield words.set_to("labels", words.constant([form.default, *(rule.label for rule in form.rules)]))
    yield words.set_to("rules", words.constant([None, *(rule.number for rule in form.rules)]))
    decision = "0"
    named = []
    for n, rule in enumerate(form.rules, 1):
        named.append(f"r{n}")
        yield words.set_to(f"r{n}", words.test(rule.test))
    for n in range(len(form.rules), 0, -1):
        # A chain of names keeps the nesting of parentheses flat: parsers have a limit.
        yield words.set_to(f"d{n}", words.choice(f"r{n}", str(n), decision))
        decision = f"d{n}"
    yield words.set_to("decision", decision)
    if form.cards:
        yield from _graded(form, words)


def _graded(form: DecisionForm, words: CodeWords) -> Iterator[str]:
    for i, card in enumerate(form.cards):
        more = f" + {words.choice(_decides(form, card.label, words), str(card.decided), '0')}" if card.decided else ""
        yield words.set_to(f"p{i}", words.points(card.awards) + more)
    if form.plain_card:
        yield words.set_to("as_they_are", f"{words.constant(dict(form.plain_card.as_they_are or {}))}[p0]")
    if len(form.cards) == 1:
        yield from _of_two(form, form.cards[0], words)
        return
    curves = [f"{words.constant(dict(card.probabilities))}[p{i}]" for i, card in enumerate(form.cards)]
    for i, curve in enumerate(curves):
        yield words.set_to(f"q{i}", curve)
    yield words.set_to("whole", " + ".join(f"q{i}" for i in range(len(curves))))
    equal = words.constant(1.0 / len(curves))
    for i in range(len(curves)):
        yield words.set_to(f"s{i}", words.choice("whole > 0", f"q{i} / whole", equal))
    said = words.null
    for i, card in enumerate(form.cards):
        others = [f"s{j}" for j in range(len(curves)) if j != i]
        largest = f"{words.largest}({', '.join(others)})" if len(others) > 1 else others[0]
        yield words.set_to(f"m{i}", f"{words.largest}(s{i}, {largest} + {words.constant(JUST)})")
        shares = " + ".join(f"m{i}" if j == i else f"s{j}" for j in range(len(curves)))
        yield words.set_to(f"g{i}", words.choice(_decides(form, card.label, words), f"m{i} / ({shares})", said))
        said = f"g{i}"
    yield words.set_to("probability", said)


def _of_two(form: DecisionForm, card: PointsCard, words: CodeWords) -> Iterator[str]:
    sides = [{n: moved(p, side) for n, p in card.probabilities.items()} for side in (True, False)]
    yes, no = (f"{words.constant(side)}[p0]" for side in sides)
    yield words.set_to("probability", words.choice(_decides(form, card.label, words), yes, no))


def _decides(form: DecisionForm, label: Label, words: CodeWords) -> str:
    labels = [form.default, *(rule.label for rule in form.rules)]
    numbers = [n for n, each in enumerate(labels) if same_label(each, label)]
    return words.or_.join(f"decision == {n}" for n in numbers) or words.false
