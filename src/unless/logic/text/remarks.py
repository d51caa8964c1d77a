"""What each rule says, in a sentence: the comments of a model file, written for people and skipped by every reader.

In: a program. Out: for each clause that concludes a label, by its number, one sentence with its sets, points and
exceptions said where they count. The wording belongs to the file's format and is in no language file; the exact
numbers stand in the clause below it. What would get long is cut short: a remark helps to find a rule, no more.
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from itertools import chain, count, takewhile
from math import isfinite
from operator import and_
from typing import TYPE_CHECKING

from unless.logic.clause import Call, Points
from unless.logic.column_names import shown_name
from unless.logic.forms.value_sets import EVERY_NUMBER, ValueSet, named_numbers, one_column_helpers
from unless.logic.program import label_text
from unless.logic.readings import is_calendar, say_number, shortened
from unless.logic.relations import REMARKS, TRUE, said_of_row
from unless.logic.rules import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unless.logic.clause import Clause
    from unless.logic.forms.value_sets import NumberSpan
    from unless.logic.program import Program
    from unless.logic.rules import Column

MAX_WORDS = 8
MAX_CLAUSES = 3
MAX_DEPTH = 3
BOUNDS = {"=<": "at most", ">": "above", "<": "below", ">=": "at least"}
BOUNDS_OF_DATES = {"=<": "up to", ">": "after", "<": "before", ">=": "from"}


def remarks(program: Program) -> dict[int, str]:
    """Say each rule in a sentence, by the number of its clause."""
    says, found, n = _Remark(program), dict[int, str](), count(1)
    for number in chain.from_iterable(program.label_clauses):
        clause = program.clauses[number - 1]
        cases = says.cases(clause)
        if cases:
            found[number] = (
                f"{says.label(clause)}, if one of the next {len(cases)} rules applies{says.earlier(clause)}."
            )
            found |= {case: f"{next(n)}. {says.label(clause)}, {says.case(case)}." for case in cases}
        else:
            found[number] = f"{next(n)}. {says.rule(clause)}."
    return {number: _one_line(said) for number, said in found.items()}


def old_remarks(text: str, before: Program, after: Program) -> list[int]:
    """Return the lines of a text where comments begin that say rules as they were before an edit, and no longer are."""
    gone = [" ".join(said.split()) for said in {*remarks(before).values()} - {*remarks(after).values()}]
    lines = [" ".join(line[1:].split()) if line.startswith("% ") else "" for line in text.splitlines()]
    starts = (index for index, line in enumerate(lines) if line and not (index and lines[index - 1]))
    blocks = ((index + 1, " ".join(takewhile(bool, lines[index:]))) for index in starts)
    return [number for number, block in blocks if any(said in block for said in gone)]


def fill(pieces: Iterable[str], width: int, first: str, further: str, between: str = " ") -> Iterator[str]:
    """Put pieces into lines no longer than `width`, where they can be parted; `further` begins all but the first."""
    line, is_empty = first, True
    for piece in pieces:
        if not is_empty and len(line) + len(between) + len(piece) > width:
            yield line + between.rstrip()
            line, is_empty = further, True
        line += piece if is_empty else between + piece
        is_empty = False
    yield line


class _Remark:
    """Says the clauses of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.columns = {column.name: column for column in program.columns}
        self.one_column = one_column_helpers(program)

        self.in_turn = self._in_turn()

    def _in_turn(self) -> dict[Clause, str]:
        """Return the clauses of labels that ask for one helper, and that those of the clauses before do not hold."""
        found: dict[Clause, str] = {}
        if len(self.program.target.labels) == 1:
            return found
        for number in chain.from_iterable(self.program.label_clauses):
            clause = self.program.clauses[number - 1]
            asked = [call.name for call in clause.calls if not call.negated]
            denied = [call.name for call in clause.calls if call.negated]
            is_plain = len(asked) == 1 and len(clause.body) == 1 + len(denied) and not self._words(asked[0])
            if not is_plain or {*denied} != {*found.values()}:
                return {}
            found[clause] = asked[0]
        return found

    def label(self, clause: Clause) -> str:
        assert clause.label is not None
        return self.program.target.column if clause.label is True else label_text(clause.label)

    def rule(self, clause: Clause) -> str:
        helper = self.in_turn.get(clause)
        if helper is None:
            return f"{self.label(clause)}, {self.body(self._behind(clause), 0)}"
        (only,) = self.program.helpers[helper]
        return f"{self.label(clause)}, {self.body(only, 0)}{self.earlier(clause)}"

    def _behind(self, clause: Clause) -> Clause:
        """Return the one clause of the one helper that a clause asks for, if that adds up points; else the clause."""
        calls = list(clause.calls)
        if len(clause.body) != 1 or len(calls) != 1 or calls[0].negated:
            return clause
        behind = self.program.helpers.get(calls[0].name, ())
        return behind[0] if len(behind) == 1 and list(behind[0].points) else clause

    def cases(self, clause: Clause) -> list[int]:
        """Return the numbers of the clauses that are the rules of a label, where it has several."""
        name = self.in_turn.get(clause)
        numbers = [n for n, one in enumerate(self.program.clauses, 1) if name is not None and one.name == name]
        return numbers if len(numbers) > 1 else []

    def case(self, number: int) -> str:
        return self.body(self.program.clauses[number - 1], 0)

    def earlier(self, clause: Clause) -> str:
        return ", unless an earlier rule applies" if any(call.negated for call in clause.calls) else ""

    def body(self, clause: Clause, depth: int) -> str:
        """Say what must hold, then what has points, in brackets if more is said, then what must not hold."""
        calls = list(clause.calls)
        if depth and len(calls) == len(clause.body) == 1 and calls[0].negated:
            return self._denied(calls[0], depth + 1)
        needed = list(self._literals(clause))
        denied = []
        for call in clause.calls:
            if call.negated and not self._words(call.name):
                denied.append(self._helper(call, depth + 1))
            else:
                needed.append(self._helper(call, depth + 1))
        parts = [f"{'' if depth else 'if '}{' and '.join(needed)}"] if needed else []
        sums = list(clause.points)
        parts += [f"with {self._points(points, is_last=not denied and len(sums) == 1)}" for points in sums]
        parts += [f"unless {_any_of(denied)}"] if denied else []
        return ", ".join(parts)

    def _literals(self, clause: Clause) -> Iterator[str]:
        columns: dict[str, list[Literal]] = defaultdict(list)
        for literal in clause.literals:
            columns[literal.column].append(literal)
        for column, literals in columns.items():
            if atoms := self.columns[column].atoms:
                yield said_of_row(atoms, REMARKS)
                continue
            yield f"{_name(column)} {' and '.join(self._tests(self.columns[column], literals))}"

    def _tests(self, column: Column, literals: Sequence[Literal]) -> Iterator[str]:
        numbers = [literal for literal in literals if not isinstance(literal.value, str)]
        named = named_numbers(column, reduce(and_, map(ValueSet.of, numbers))) if numbers else ()
        if named:
            yield f"is {_listed([self._number(column, number) for number in named])}"
        for literal in literals:
            if isinstance(literal.value, str):
                yield f"{'is not' if OPERATORS[literal.op].is_denial else 'is'} {literal.value}"
            elif not named:
                yield f"{_bounds(column)[literal.op]} {self._number(column, literal.value)}"

    def _helper(self, call: Call, depth: int) -> str:
        """Say a helper: a set of words in place, other clauses in place if they are few."""
        if words := self._words(call.name):
            column, *members = words
            return f"{_name(column)} {'is not' if call.negated else 'is'} {_listed(members)}"
        clauses = self.program.helpers[call.name]
        if depth > MAX_DEPTH or len(clauses) > MAX_CLAUSES:
            return call.name
        said = [self.body(clause, depth) for clause in clauses]
        is_simple = all(len(clause.body) == 1 for clause in clauses)
        return said[0] if is_simple and len(said) == 1 else _any_of([f"({one})" for one in said])

    def _denied(self, call: Call, depth: int) -> str:
        """Say what holds where a helper does not, and nothing else is asked."""
        if call.name not in self.one_column:
            return f"not {self._helper(call, depth)}"
        column, values = self.one_column[call.name]
        if atoms := self.columns[column].atoms:
            return said_of_row(atoms, REMARKS, holds=not values.has(TRUE))
        return f"{_name(column)} {self._set(self.columns[column], ~values)}"

    def _set(self, column: Column, values: ValueSet) -> str:
        """Say which values of a column pass."""
        if values.others and (column.kind == "categorical" or not values.spans or values.spans == EVERY_NUMBER):
            return f"is not {_listed(sorted(values.words))}" if values.words else "has any value"
        named = named_numbers(column, values)
        parts = [self._number(column, number) for number in named]
        parts += [self._span(column, span) for span in values.spans if not named]
        parts += sorted(values.words)
        text = " or ".join([*parts, *(["blank"] if values.missing else [])])
        return f"is {text}" if named or not values.spans else text

    def _points(self, points: Points, *, is_last: bool) -> str:
        """Say a sum of points, heaviest first; where all weigh the same they are counted, in the order of columns."""
        each = {n for n, _ in points.awards}
        parts = sorted(points.awards, key=lambda award: -award[0] if len(each) > 1 else self._rank(award[1]))
        cases = [self._helper(Call(case, negated=False), MAX_DEPTH) for _, case in parts]
        if len(each) == 1:
            needed, said = f"at least {-(-points.threshold // each.pop())} of these {len(cases)}", "; ".join(cases)
        else:
            needed = f"{points.threshold} points or more"
            said = "; ".join(f"{n} for {case}" for (n, _), case in zip(parts, cases, strict=True))
        return f"{needed}: {said}" if is_last else f"{needed} ({said})"

    def _number(self, column: Column, number: float) -> str:
        short = shortened(column, number, self.program.thresholds.get(column.name, ()))
        return say_number(column, short) if column.reading and isfinite(number) else repr(short).removesuffix(".0")

    def _span(self, column: Column, span: NumberSpan) -> str:
        low, high = (self._number(column, cut.number) for cut in span)
        said = _bounds(column)
        below = f"{said['=<' if span.high.after else '<']} {high}" if span.has_high else ""
        above = f"{said['>' if span.low.after else '>=']} {low}" if span.has_low else ""
        return " and ".join(filter(None, (above, below)))

    def _rank(self, case: str) -> int:
        return list(self.columns).index(self.one_column[case][0]) if case in self.one_column else 0

    def _words(self, name: str) -> tuple[str, ...]:
        """Return the column and the words of a helper that is a set of words, else nothing."""
        bodies = [clause.body for clause in self.program.helpers[name]]
        tests = [body[0] for body in bodies if len(body) == 1 and isinstance(body[0], Literal) and body[0].op == "="]
        columns = {test.column for test in tests}
        if len(tests) != len(bodies) or len(columns) != 1 or len(tests) < 2:
            return ()
        return (*columns, *(str(test.value) for test in tests))


def _any_of(parts: Sequence[str]) -> str:
    return " or ".join(parts)


def _listed(words: Sequence[str]) -> str:
    if len(words) > MAX_WORDS:
        return f"one of {len(words)} words: {', '.join(words[: MAX_WORDS - 1])}, ..."
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _name(column: str) -> str:
    return shown_name(column) or repr(column)


def _bounds(column: Column) -> dict[str, str]:
    return BOUNDS_OF_DATES if is_calendar(column.reading) else BOUNDS


def _one_line(sentence: str) -> str:
    """Leave nothing in a sentence that could end the comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in sentence).split())
