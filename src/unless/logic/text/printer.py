"""A program becomes text: the paper's form, legal for s(CASP), one clause a line, nothing rounded.

The header is in comments (`%@`), which s(CASP) ignores and the parser reads: the target with its labels, and the
columns with their kinds and, where predicate and column name differ, the name. A number is written as Python's
`repr`, which reads back exactly; operators have blanks around them (`N=<-3` is a syntax error in Prolog). Points need
predicates that s(CASP) can add up: `worth1` and so on, two clauses each, after all others; the parser takes them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from unless.logic.names import Names, guard, name_predicates
from unless.logic.program import Call, Clause, Points, label_text
from unless.logic.rules import NUMBER_OPS, OPERATORS, Label, Literal
from unless.logic.templates import Argument, Template, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unless.logic.program import Program

FORMAT = 1
WIDTH = 110
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def header_lines(program: Program) -> Iterator[str]:
    """Write the header."""
    names = name_predicates(program.target.column, program.columns)
    yield f"%@ unless {FORMAT}"
    target = program.target
    concluded = ", ".join(map(label_constant, target.labels))
    named = _named(names.target, target.column)
    yield f"%@ target {named}: {concluded} else {label_constant(target.default)}"
    for kind in ("categorical", "numerical"):
        columns = [c.name for c in program.columns if c.kind == kind]
        yield from _wrap(f"%@ {kind} ", (_named(names.numbers_or_words[c], c) for c in columns))
    if program.missing:
        yield from _wrap("%@ missing ", map(quote, program.missing))


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
    for (points, case), name in spelling.award_names.items():
        yield f"{name}(X,{points}) :- {case}(X)."
        yield f"{name}(X,0) :- not {case}(X)."


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the clauses of a program are written: its predicates, the index of each column, the name of each award."""

    names: Names
    indices: dict[str, int]
    award_names: dict[tuple[int, str], str]


def spelling_of(program: Program, *more: Clause) -> Spelling:
    """Choose how the clauses of a program, and `more` of them, are written; awards are named in order of use."""
    names = name_predicates(program.target.column, program.columns)
    indices = {column.name: i for i, column in enumerate(program.columns)}
    taken = {names.target, *program.helpers, *names.numbers_or_words.values(), *names.words_among_numbers.values()}
    free = (name for n in count(1) if (name := f"worth{n}") not in taken)
    awards = (award for c in (*program.clauses, *more) for points in c.points for award in points.awards)
    return Spelling(names, indices, {award: next(free) for award in dict.fromkeys(awards)})


def clause_text(clause: Clause, spelling: Spelling) -> str:
    """Write one clause."""
    names = spelling.names
    if clause.label is True:
        head = f"{names.target}(X)"
    elif clause.name is None:
        assert clause.label is not None
        head = f"{names.target}(X,{quote(guard(label_text(clause.label)))})"
    else:
        head = f"{clause.name}(X)"
    return f"{head} :- {', '.join(_goals(clause, spelling))}."


def quote(text: str, mark: str = "'") -> str:
    r"""Write text as a quoted atom, or with another mark as a text in double quotes.

    >>> print(quote("it's"))
    'it\'s'
    """
    return mark + "".join(f"\\{mark}" if c == mark else _escape(c) for c in text) + mark


def number_text(number: float) -> str:
    """Write a number so that it reads back exactly.

    >>> number_text(-3.5), number_text(1e22)
    ('-3.5', '1e+22')
    """
    return repr(float(number))


def label_constant(label: Label) -> str:
    """Write a label so that its type comes back: quoted text, a number, or true and false."""
    if isinstance(label, str):
        return quote(label)
    return repr(label).lower() if isinstance(label, bool) else repr(label)


def _escape(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character < " " or character in "\x7f\x85\u2028\u2029":
        return f"\\x{ord(character):x}\\"
    return character


def _goals(clause: Clause, spelling: Spelling) -> Iterator[str]:
    bound: set[str] = set()
    numbers = count(1)
    for goal in clause.body:
        if isinstance(goal, Call):
            yield f"{'not ' if goal.negated else ''}{goal.name}(X)"
        elif isinstance(goal, Points):
            variables = [f"P{next(numbers)}" for _ in goal.awards]
            for award, variable in zip(goal.awards, variables, strict=True):
                yield f"{spelling.award_names[award]}(X,{variable})"
            yield f"{' + '.join(variables)} >= {goal.threshold}"
        else:
            yield from literal_goals(goal, spelling.names, f"N{spelling.indices[goal.column]}", bound)


def literal_goals(literal: Literal, names: Names, variable: str, bound: set[str]) -> Iterator[str]:
    """Write the goals of a test; `bound` are the columns whose number already has its variable."""
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
