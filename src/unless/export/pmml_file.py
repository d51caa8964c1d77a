"""PMML 4.4: a set of rules of which the first that holds decides, over derived fields that are 1 or 0.

A predicate of PMML is unknown where a value is missing; here every test is an `if` that asks for the value first, so
none is. A field of PMML has one type: the words among a column's numbers are a field of their own, named like the
column with ` (word)` behind it. Cells are given as values: numbers as numbers, words without blanks around them, and
nothing where a cell is missing or one of the program's missing words. The rule that decides is the entity's id; the
probability of a graded program is an output field.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from unless.errors import DataError
from unless.export.from_program import decision_form, probability_note
from unless.export.pmml_grade import graded_fields
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
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.program import Program

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FUNCTIONS = {"<=": "lessOrEqual", ">": "greaterThan", "<": "lessThan", ">=": "greaterOrEqual", "==": "equal"}
MOST_NESTED = 50
"""So many tests stand within one another; more are divided, since engines go only so deep."""
YES, NO = '<Constant dataType="integer">1</Constant>', '<Constant dataType="integer">0</Constant>'


def word_fields(form: DecisionForm) -> dict[str, str]:
    """Map each column of numbers to the field of the words among them, which is called as no column is."""
    taken = {column.name for column in form.columns}
    found = {}
    for column in form.columns:
        if column.kind == "numerical":
            name = f"{column.name} (word)"
            while name in taken:
                name += "_"
            found[column.name] = name
            taken.add(name)
    return found


def _attribute(text: str) -> str:
    return quoteattr(_checked(text))


def _checked(text: str) -> str:
    if NO_XML.search(text):
        msg = f"{text!r} holds a character that XML cannot."
        raise DataError(msg)
    return text


class PmmlPrinter:
    """Writes tests as expressions that are 1 or 0, and never missing."""

    def __init__(self, form: DecisionForm) -> None:
        self.form = form
        prefix = "unless_"
        while any(name.startswith(prefix) for name in (*form.taken, *form.answers)):
            prefix += "_"
        self.prefix = prefix
        self.names = {name: f"{prefix}test{n}" for n, name in enumerate(form.named, 1)}
        self.kinds = {column.name: column.kind for column in form.columns}
        self.words = word_fields(form)

    def value(self, test: Test) -> str:
        """Write a test as 1 or 0."""
        match test:
            case And(tests):
                return self._all(tests)
            case Or(tests):
                return self._any(tests)
            case Negation(inner):
                return _apply("if", self.truth(inner), NO, YES)
            case Named(name):
                return f"<FieldRef field={_attribute(self.names[name])}/>"
            case _:
                return _apply("if", self.truth(test), YES, NO)

    def truth(self, test: Test) -> str:  # noqa: PLR0911  (a case for each kind of test)
        """Write a test as a truth value."""
        match test:
            case IsNumber(column):
                return self._there(column, "numerical")
            case IsWord(column):
                return _apply("isNotMissing", self._words(column))
            case IsBlank(column):
                missing = _apply("isMissing", _field(column))
                words = _apply("isMissing", self._words(column))
                return missing if self.kinds[column] == "categorical" else _apply("and", missing, words)
            case Compared(column, op, number):
                return _apply(FUNCTIONS[op], _field(column), f'<Constant dataType="double">{number!r}</Constant>')
            case Equal(column, word):
                text = f'<Constant dataType="string">{_text(word)}</Constant>'
                return _apply("equal", self._words(column), text)
            case Reaches(awards, threshold):
                return _apply(
                    "greaterOrEqual", self._sum(awards), f'<Constant dataType="integer">{threshold}</Constant>'
                )
            case _:
                return _apply("equal", self.value(test), YES)

    def _there(self, column: str, kind: str) -> str:
        """Ask for a number; a column of words holds none, whatever it was in a database."""
        return _apply("isNotMissing", _field(column)) if self.kinds[column] == kind else _apply("equal", YES, NO)

    def _words(self, column: str) -> str:
        return _field(self.words.get(column, column))

    def _all(self, tests: tuple[Test, ...]) -> str:
        if not tests:
            return YES
        if len(tests) > MOST_NESTED:
            tests = tuple(And(half) for half in _halves(tests))
        rest = self._all(tests[1:]) if len(tests) > 1 else YES
        return _apply("if", self.truth(tests[0]), rest, NO)

    def _any(self, tests: tuple[Test, ...]) -> str:
        if not tests:
            return NO
        if len(tests) > MOST_NESTED:
            tests = tuple(Or(half) for half in _halves(tests))
        rest = self._any(tests[1:]) if len(tests) > 1 else NO
        return _apply("if", self.truth(tests[0]), YES, rest)

    def _sum(self, awards: tuple[tuple[int, Test], ...]) -> str:
        whole = ""
        for points, test in awards:
            part = _apply("*", f'<Constant dataType="integer">{points}</Constant>', self.value(test))
            whole = _apply("+", whole, part) if whole else part
        return whole


def _halves(tests: tuple[Test, ...]) -> tuple[tuple[Test, ...], tuple[Test, ...]]:
    half = len(tests) // 2
    return tests[:half], tests[half:]


def _apply(function: str, *arguments: str) -> str:
    return f'<Apply function="{escape(function)}">{"".join(arguments)}</Apply>'


def _field(name: str) -> str:
    return f"<FieldRef field={_attribute(name)}/>"


def _text(word: str) -> str:
    return escape(_checked(word), {"\r": "&#13;"})


def pmml_fields(form: DecisionForm) -> dict[str, str]:
    """Return the fields of the export, in order, with their types."""
    found, words = {}, word_fields(form)
    for column in form.columns:
        found[column.name] = "double" if column.kind == "numerical" else "string"
        if column.kind == "numerical" and {IsWord, IsBlank} & form.asked[column.name]:
            found[words[column.name]] = "string"
    return found


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program as PMML."""
    form = decision_form(program)
    fields = pmml_fields(form)
    names = {name.lower() for name in fields}
    target = form.target
    while target.lower() in names:
        target += "_"
    note = probability_note(program)
    said = f" description={_attribute(note)}" if note else ""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
             f'<Header{said}><Application name="unless"/></Header>', "<DataDictionary>"]  # fmt: skip
    for name, kind in fields.items():
        lines.append(f'<DataField name={_attribute(name)} optype="{_optype(kind)}" dataType="{kind}"/>')
    lines.append(f'<DataField name={_attribute(target)} optype="categorical" dataType="string">')
    lines += [f"<Value value={_attribute(label_text(label))}/>" for label in form.labels]
    lines += ["</DataField>", "</DataDictionary>", *_model(form, fields, target), "</PMML>"]
    return "\n".join(lines) + "\n"


def _optype(kind: str) -> str:
    return "continuous" if kind == "double" else "categorical"


def _model(form: DecisionForm, fields: dict[str, str], target: str) -> Iterator[str]:
    printer = PmmlPrinter(form)
    yield '<RuleSetModel functionName="classification" algorithmName="unless">'
    yield "<MiningSchema>"
    yield from (f'<MiningField name={_attribute(name)} invalidValueTreatment="asMissing"/>' for name in fields)
    yield f'<MiningField name={_attribute(target)} usageType="target"/>'
    yield "</MiningSchema>"
    predicted, rule_name, *probabilities = form.answers
    yield f'<Output><OutputField name="{predicted}" optype="categorical" dataType="string" feature="predictedValue"/>'
    yield f'<OutputField name="{rule_name}" optype="categorical" dataType="string" feature="entityId"/>'
    for name, field in zip(probabilities, ("probability", "plain"), strict=False):
        yield f'<OutputField name="{name}" optype="continuous" dataType="double" feature="transformedValue">'
        yield f'<FieldRef field="{printer.prefix}{field}"/></OutputField>'
    yield "</Output>"
    yield "<LocalTransformations>"
    rules = {f"{printer.prefix}rule{n}": rule for n, rule in enumerate(form.rules, 1)}
    tests = {printer.names[name]: test for name, test in form.named.items()} | {n: r.test for n, r in rules.items()}
    for name, test in tests.items():
        head = f'<DerivedField name={_attribute(name)} optype="categorical" dataType="integer">'
        yield f"{head}{printer.value(test)}</DerivedField>"
    for name, kind, expression in graded_fields(form, printer.prefix, printer.value) if form.cards else ():
        yield f'<DerivedField name="{name}" optype="{_optype(kind)}" dataType="{kind}">{expression}</DerivedField>'
    yield "</LocalTransformations>"
    yield f'<RuleSet defaultScore={_attribute(label_text(form.default))} defaultConfidence="1">'
    yield '<RuleSelectionMethod criterion="firstHit"/>'
    for name, rule in rules.items():
        yield f'<SimpleRule id="{rule.number}" score={_attribute(label_text(rule.label))} confidence="1">'
        yield f'<SimplePredicate field={_attribute(name)} operator="equal" value="1"/></SimpleRule>'
    yield "</RuleSet>"
    yield "</RuleSetModel>"
