"""A program becomes text: the paper's form, legal for s(CASP), nothing rounded, with what each rule says above it.

The header is in comments (`%@`), which s(CASP) ignores and the parser reads: the target with its labels, and the
columns with their kinds and, where predicate and column name differ, the name. A number is written as Python's
`repr`, which reads back exactly; operators have blanks around them (`N=<-3` is a syntax error in Prolog). A clause that
is longer than a line goes on below, further in. At the end stand, where they are needed, the default as a clause, and
how s(CASP) adds up points.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from unless.logic.clause import Call, Clause, Points
from unless.logic.names import Names, guard, name_predicates
from unless.logic.program import label_text
from unless.logic.relations import relations_of
from unless.logic.rules import NUMBER_OPS, OPERATORS, Literal
from unless.logic.terms import Variable
from unless.logic.text.constants import label_constant, number_text, quote
from unless.logic.text.default_clauses import default_clauses
from unless.logic.text.remarks import fill, remarks
from unless.logic.text.sums import sum_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from unless.logic.kept_constraints import Constraints
    from unless.logic.program import Program
    from unless.logic.templates import Argument, Template

FORMAT = 1
WIDTH = 110


def header_lines(program: Program) -> Iterator[str]:
    """Write the header."""
    names = name_predicates(program.target.column, program.columns)
    yield f"%@ unless {FORMAT}"
    target = program.target
    concluded = ", ".join(map(label_constant, target.labels))
    named = _named(names.target, target.column)
    yield f"%@ target {named}: {concluded} else {label_constant(target.default)}"
    for kind in ("categorical", "numerical"):
        columns = [c.name for c in program.columns if c.kind == kind and not c.atoms]
        yield from _wrap(f"%@ {kind} ", (_named(names.numbers_or_words[c], c) for c in columns))
    for column in program.columns:
        if column.reading:
            yield f"%@ read {names.numbers_or_words[column.name]}: {quote(column.reading)}"
    yield from _wrap("%@ relations ", relations_of(program.columns))
    for table in program.related:
        yield f"%@ related {table.name}: {quote(table.key)} = {quote(table.column)}"
    if program.missing:
        yield from _wrap("%@ missing ", map(quote, program.missing))
    for column in program.columns:
        if column.values:
            yield f"%@ values {names.numbers_or_words[column.name]}: {', '.join(map(str, column.values))}"
    yield from constraint_lines(program.constraints, names.numbers_or_words)


def constraint_lines(constraints: Constraints, names: Mapping[str, str]) -> Iterator[str]:
    """Write the constraints, each column by its predicate; the module `constraint_lines` reads them."""
    yield from _wrap("%@ forbid ", (names[name] for name in constraints.forbidden))
    for one, other in constraints.apart:
        yield f"%@ apart {names[one]}, {names[other]}"
    yield from _wrap("%@ monotonic ", (f"{names[name]}={way:+d}" for name, way in constraints.directions))


def template_lines(program: Program) -> Iterator[str]:
    """Write the templates, one a line."""
    names = name_predicates(program.target.column, program.columns)
    for template in program.templates:
        said = "html([])" if template.text is None else quote(template.text, mark='"')
        yield f"#pred {'not ' if template.negated else ''}{_claim(template, names)} :: {said}."


def clause_lines(program: Program) -> Iterator[str]:
    """Write the clauses, one a line."""
    spelling = spelling_of(program)
    for clause in program.clauses:
        yield clause_text(clause, spelling)


def laid_out(program: Program, width: int = WIDTH) -> Iterator[str]:
    """Write the clauses to be read: each rule below what it says, in lines that end; then how points are added up."""
    said, spelling = remarks(program), spelling_of(program)
    for number, clause in enumerate(program.clauses, 1):
        if number in said:
            yield ""
            yield from fill(said[number].split(" "), width, "% ", "%    ")
        head, goals = clause_pieces(clause, spelling)
        yield from fill([*goals[:-1], f"{goals[-1]}."], width, f"{head} :- ", "    ", between=", ")
    if defaults := default_clauses(program):
        yield "\n% No rule decides:"
        yield from (clause_text(clause, spelling) for clause in defaults)
    if sums := sum_lines(program):
        yield "\n% Points are added up so:"
        for line in chain.from_iterable(each.split("\n") for each in sums):
            yield from fill(line.split(" "), width, "", "    ")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the clauses of a program are written: its predicates, and the variable of each column's number."""

    names: Names
    variables: dict[str, str]


def spelling_of(program: Program) -> Spelling:
    """Choose how the clauses of a program are written."""
    names = name_predicates(program.target.column, program.columns)
    # In a clause that also speaks of things, a number called as one of them would be said to equal it.
    things = {term for column in program.columns for atom in column.atoms for term in atom.terms}
    mark = ""
    while things and any(Variable(f"N{i}{mark}") in things for i in range(len(program.columns))):
        mark += "_"
    return Spelling(names, {column.name: f"N{i}{mark}" for i, column in enumerate(program.columns)})


def clause_text(clause: Clause, spelling: Spelling) -> str:
    """Write one clause."""
    head, goals = clause_pieces(clause, spelling)
    return f"{head} :- {', '.join(goals)}."


def clause_pieces(clause: Clause, spelling: Spelling) -> tuple[str, list[str]]:
    """Write the head of a clause, and its goals in pieces that commas hold together."""
    names = spelling.names
    if clause.label is True:
        head = f"{names.target}(X)"
    elif clause.name is None:
        assert clause.label is not None
        head = f"{names.target}(X,{quote(guard(label_text(clause.label)))})"
    else:
        head = f"{clause.name}(X)"
    return head, list(_goals(clause, spelling))


def _goals(clause: Clause, spelling: Spelling) -> Iterator[str]:
    bound: set[str] = set()
    for goal in clause.body:
        if isinstance(goal, Call):
            yield f"{'not ' if goal.negated else ''}{goal.name}(X)"
        elif isinstance(goal, Points):
            first, *more = (f"{points}*{case}(X)" for points, case in goal.awards)
            yield from (f"at_least({goal.threshold}, [{first}", *more[:-1], f"{more[-1]}])")
        else:
            yield from literal_goals(goal, spelling.names, spelling.variables[goal.column], bound)


def literal_goals(literal: Literal, names: Names, variable: str, bound: set[str]) -> Iterator[str]:
    """Write the goals of a test; `bound` are the columns whose number already has its variable."""
    if literal.column in names.conjunctions:
        yield literal.column
        return
    name = names.numbers_or_words[literal.column]
    if literal.op in NUMBER_OPS:
        if literal.column not in bound:
            bound.add(literal.column)
            yield f"{name}(X,{variable})"
        yield f"{variable} {literal.op} {number_text(literal.value)}"  # type: ignore[arg-type]
    else:
        name = names.words_among_numbers.get(literal.column, name)
        yield f"{'not ' if OPERATORS[literal.op].is_denial else ''}{name}(X,{quote(guard(str(literal.value)))})"


def _claim(template: Template, names: Names) -> str:
    arguments = [_argument(argument) for argument in template.arguments]
    if template.subject == "compared":
        return f" {template.name} ".join(arguments)
    predicates = {
        "target": {template.name: names.target},
        "column": names.numbers_or_words,
        "words": names.words_among_numbers,
        "helper": {template.name: template.name},
    }
    return f"{predicates[template.subject][template.name]}({','.join(arguments)})"


def _argument(argument: Argument) -> str:
    if isinstance(argument, Variable):
        return argument.name
    return quote(guard(argument)) if isinstance(argument, str) else number_text(argument)


def _named(predicate_name: str, name: str) -> str:
    return predicate_name if predicate_name == name else f"{predicate_name} = {quote(name)}"


def _wrap(start: str, items: Iterable[str]) -> Iterator[str]:
    """Write items separated by commas, starting a new line of the same directive where one gets long."""
    line = ""
    for item in items:
        if line and len(start) + len(line) + len(item) > WIDTH:
            yield start + line
            line = ""
        line += f", {item}" if line else item
    if line:
        yield start + line
