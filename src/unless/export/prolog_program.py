"""Plain Prolog, run by SWI-Prolog: `predict(Row, Label)`, `decide(Row, Label, Rule)`, a row being a list of pairs.

A graded program has `decide(Row, Label, Rule, Probability)` too and, where rows weighed differently in learning by a
known ratio, `probability_as_they_are(Row, Probability)`.

A row is `[age-27, city-'Rome']`: numbers, atoms or strings; a column that is absent is missing. Prolog stops where a
word meets `=<`, so every comparison stands behind `number(C)`; its own reader knows neither `.5` nor `5.` nor `+5`, so
texts are taken apart letter by letter. A row with an infinite number throws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.from_program import decision_form, probability_note
from unless.export.prolog_constants import number_text, quoted
from unless.export.prolog_grade import graded_clauses
from unless.export.sql.statements import check_readings
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
from unless.logic.values import BLANKS

if TYPE_CHECKING:
    from unless.export.options import ExportOptions
    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.program import Program

OPS = {"<=": "=<", ">": ">", "<": "<", ">=": ">=", "==": "=:="}
READING = r"""
:- set_prolog_flag(double_quotes, codes).

% A cell is a number, an atom, or missing(1), which is neither.
read_cells([], _, []).
read_cells([Name-Kind|Columns], Row, [Cell|Cells]) :-
    (   memberchk(Name-Raw, Row)
    ->  read_cell(Kind, Raw, Cell)
    ;   Cell = missing(1)
    ),
    read_cells(Columns, Row, Cells).

read_cell(_, Raw, missing(1)) :- float(Raw), float_class(Raw, nan), !.
read_cell(Kind, Raw, Cell) :- number(Raw), !, Number is float(Raw), finite(Kind, Number, Cell).
read_cell(Kind, Raw, Cell) :-
    atom_string(Written, Raw),
    atom_codes(Written, All),
    blanks(Blanks),
    strip(All, Blanks, Codes),
    atom_codes(Word, Codes),
    (   ( Codes == [] ; missing_word(Word) ; missing_word(Written) )
    ->  Cell = missing(1)
    ;   Kind == numerical, text_number(Codes, Number)
    ->  finite(Kind, Number, Cell)
    ;   Cell = Word
    ).

finite(categorical, Number, Number) :- !.
finite(numerical, Number, Number) :- abs(Number) < inf, !.
finite(_, Number, _) :- throw(error(infinite_number(Number), _)).

strip(Codes, Blanks, Stripped) :-
    strip_left(Codes, Blanks, Half),
    reverse(Half, Back),
    strip_left(Back, Blanks, Rest),
    reverse(Rest, Stripped).

strip_left([Code|Codes], Blanks, Stripped) :- memberchk(Code, Blanks), !, strip_left(Codes, Blanks, Stripped).
strip_left(Codes, _, Codes).

text_number(Codes, Number) :-
    phrase(number_text(Sign, Whole, Part, Power), Codes), !,
    append([Sign, Whole, ".", Part, "e", Power], Written),
    catch(number_codes(Number, Written), error(_, _), Number is inf).

number_text(Sign, Whole, Part, Power) --> sign(Sign), mantissa(Whole, Part), power(Power).

sign("-") --> "-", !.
sign("") --> "+", !.
sign("") --> [].

mantissa(Whole, Part) -->
    digits(Whole), { Whole = [_|_] }, ( "." -> digits(Found) ; { Found = [] } ), { filled(Found, Part) }.
mantissa("0", Part) --> ".", digits(Part), { Part = [_|_] }.

power(Power) --> ( "e" ; "E" ), !, sign(Sign), digits(Digits), { Digits = [_|_], append(Sign, Digits, Power) }.
power("0") --> [].

digits([Digit|Digits]) --> [Digit], { Digit >= 0'0, Digit =< 0'9 }, !, digits(Digits).
digits([]) --> [].

filled([], "0") :- !.
filled(Digits, Digits).

points([], _, 0).
points([Points-Test|Awards], Cells, Total) :-
    points(Awards, Cells, Rest),
    (   call(Test, Cells)
    ->  Total is Rest + Points
    ;   Total = Rest
    ).

reaches(Awards, Cells, Threshold) :- points(Awards, Cells, Total), Total >= Threshold.
"""


class PrologPrinter:
    """Writes tests as goals; `C1` is the cell of the first column."""

    def __init__(self, form: DecisionForm) -> None:
        self.cells = {column.name: f"C{n}" for n, column in enumerate(form.columns, 1)}
        self.names = {name: f"test{n}" for n, name in enumerate(form.named, 1)}
        self.all_cells = f"[{', '.join(self.cells.values())}]"

    def goal(self, test: Test) -> str:  # noqa: PLR0911  (a case for each kind of test)
        """Write a test."""
        match test:
            case IsNumber(column):
                return f"number({self.cells[column]})"
            case IsWord(column):
                return f"atom({self.cells[column]})"
            case IsBlank(column):
                return f"{self.cells[column]} = missing(_)"
            case Compared(column, op, number):
                return f"{self.cells[column]} {OPS[op]} {number_text(number)}"
            case Equal(column, word):
                return f"{self.cells[column]} == {quoted(word)}"
            case Named(name):
                return f"{self.names[name]}({self.all_cells})"
            case _:
                return self._joined(test)

    def _joined(self, test: Test) -> str:
        match test:
            case And(tests):
                return f"( {', '.join(map(self.goal, tests))} )" if tests else "true"
            case Or(tests):
                return f"( {' ; '.join(map(self.goal, tests))} )" if tests else "fail"
            case Negation(inner):
                return f"\\+ ( {self.goal(inner)} )"
            case Reaches(awards, threshold):
                cases = ", ".join(f"{points}-{self.names[case.name]}" for points, case in awards)  # type: ignore[union-attr]
                return f"reaches([{cases}], {self.all_cells}, {threshold})"
            case _:
                raise AssertionError(test)


def write(program: Program, _options: ExportOptions) -> str:
    """Write a program for SWI-Prolog."""
    form = decision_form(program)
    check_readings(form, "Prolog")
    printer = PrologPrinter(form)
    target = form.target.replace("\n", " ")
    lines = [f"% Decides {target}: predict(Row, Label), Row is a list such as [age-27, city-'Rome'].",
             "% Written by unless from a program; a change belongs there."]  # fmt: skip
    note = probability_note(program)
    lines += [f"% {note}"] if note else []
    exported = "predict/2, decide/3" + (", decide/4" if form.cards else "")
    exported += ", probability_as_they_are/2" if form.plain_card else ""
    lines += [f":- module(decisions, [{exported}]).", ":- style_check(-singleton).", READING.strip()]
    lines += ["", f"blanks([{', '.join(str(ord(blank)) for blank in BLANKS)}])."]
    lines += [f"missing_word({quoted(word)})." for word in form.missing] or ["missing_word(_) :- fail."]
    columns = ", ".join(f"{quoted(column.name)}-{column.kind}" for column in form.columns)
    lines += ["", f"columns([{columns}]).", ""]
    for name, test in form.named.items():
        tests = test.tests if isinstance(test, Or) else (test,)
        lines += [f"{printer.names[name]}({printer.all_cells}) :- {printer.goal(body)}." for body in tests]
    for n, rule in enumerate(form.rules, 1):
        label, number = quoted(label_text(rule.label)), quoted(rule.number)
        lines += [f"rule({n}, {printer.all_cells}, {label}, {number}) :- {printer.goal(rule.test)}, !."]
    default = quoted(label_text(form.default))
    lines += [f"rule(0, _, {default}, '').", "", *_deciding(len(form.rules))]
    if form.cards:
        lines += ["", *graded_clauses(form, printer.all_cells, printer.goal)]
    return "\n".join(lines) + "\n"


def _deciding(n_rules: int) -> list[str]:
    return [
        "decide(Row, Label, Rule) :- columns(Columns), read_cells(Columns, Row, Cells), decided(Cells, Label, Rule).",
        "",
        "decided(Cells, Label, Rule) :-",
        "    % What decides is found first: a label that is asked for must not pass over rules for another.",
        f"    (   between(1, {n_rules}, N), rule(N, Cells, Found, Number)" if n_rules else "    (   fail",
        "    ->  true",
        "    ;   rule(0, Cells, Found, Number)",
        "    ),",
        "    Label = Found, Rule = Number.",
        "",
        "predict(Row, Label) :- decide(Row, Label, _).",
    ]
