"""A set of values of a column becomes goals: literals where they can say it, else a helper, asked for or denied.

In: a program, a column, a `ValueSet`. Out: goals that hold exactly where the values pass, and the clauses of helpers
that they need. A helper that is there already and says the same is called again. Literals cannot tell a blank cell from
a word that nobody named, so a set that lets one through but not the other is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import ProgramError, unknown_column
from unless.logic.clause import Call, Clause, Goal
from unless.logic.forms.value_sets import EVERY_NUMBER, NOTHING, ValueSet
from unless.logic.names import can_have_points, helper_stem, name_predicates, word_stem
from unless.logic.rules import OPERATORS, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.logic.forms.value_sets import NumberSpan
    from unless.logic.program import Program

    Bodies = tuple[tuple[Goal, ...], ...]


class GoalWriter:
    """Writes values as goals; `clauses` are those of the helpers that had to be added."""

    def __init__(self, program: Program) -> None:
        names = name_predicates(program.target.column, program.columns)
        self.program = program
        self.clauses: list[Clause] = []
        self._predicates = names.numbers_or_words
        self._taken = {
            names.target,
            *names.numbers_or_words.values(),
            *names.words_among_numbers.values(),
            *program.helpers,
        }
        self._known: dict[Bodies, str] = {}
        for name, clauses in program.helpers.items():
            self._known.setdefault(tuple(clause.body for clause in clauses), name)

    def goals(self, column: str, values: ValueSet) -> tuple[Goal, ...]:
        """Return goals that hold where the values pass."""
        check_values(self.program, column, values)
        simple = self._literals(column, values)
        if simple:
            return simple
        if not values.missing:
            return (Call(self._helper(column, values), negated=False),)
        return (Call(self._helper(column, ~values), negated=True),)

    def case(self, column: str, values: ValueSet) -> str:
        """Return a helper that holds where the values pass and that can have points."""
        (first, *others) = self.goals(column, values)
        if isinstance(first, Call) and not others and not first.negated and can_have_points(first.name):
            return first.name
        if isinstance(first, Literal) and not others and OPERATORS[first.op].bound is None:
            stem = word_stem(self._predicates[column], str(first.value), negated=OPERATORS[first.op].is_denial)
            return self.name(stem, ((first,),), numbered=False)
        what = "case"
        if isinstance(first, Literal) and not others:
            what = "high" if OPERATORS[first.op].bound == "lower" else "low"
        return self.name(helper_stem(self._predicates[column], what), ((first, *others),))

    def exception(self, goals: tuple[Goal, ...]) -> str:
        """Return the helper of an exception that has these goals."""
        return self.name("ab", (Clause(None, None, goals).body,))

    def name(self, stem: str, bodies: Bodies, *, numbered: bool = True) -> str:
        """Return the helper that holds when one of the bodies does, a new one where there is none."""
        if bodies not in self._known:
            name = self.free(stem, numbered=numbered)
            self._known[bodies] = name
            self.clauses += [Clause(name, None, body) for body in bodies]
        return self._known[bodies]

    def free(self, stem: str, *, numbered: bool = True) -> str:
        """Take a name that nothing has yet."""
        name, n = "" if numbered else stem, 0
        while not name or name in self._taken:
            n += 1
            name = f"{stem}{n}"
        self._taken.add(name)
        return name

    def _literals(self, column: str, values: ValueSet) -> tuple[Goal, ...]:
        """Return literals that say it, if some do."""
        if values.spans == EVERY_NUMBER and values.others and values.missing and len(values.words) == 1:
            return (Literal(column, "!=", next(iter(values.words))),)
        if values.others or values.missing:
            return ()
        if not values.spans and len(values.words) == 1:
            return (Literal(column, "=", next(iter(values.words))),)
        if len(values.spans) == 1 and not values.words and values.spans != EVERY_NUMBER:
            return tuple(_bounds(column, values.spans[0]))
        return ()

    def _helper(self, column: str, values: ValueSet) -> str:
        """Name a helper with a clause for each span and each word."""
        bodies = [tuple(_bounds(column, span)) for span in values.spans]
        bodies += [(Literal(column, "=", word),) for word in sorted(values.words)]
        if len(bodies) == 1 and len(bodies[0]) == 1 and isinstance(bodies[0][0], Literal) and values.spans:
            what = "high" if values.spans[0].has_low else "low"
        else:
            what = "range" if values.spans else "set"
        return self.name(helper_stem(self._predicates[column], what), tuple(bodies))


def check_values(program: Program, column: str, values: ValueSet) -> None:
    """Refuse values that no goal can say, or that say nothing."""
    kinds = program.kinds
    if column not in kinds:
        raise ProgramError(unknown_column(column, tuple(kinds), "the program"))
    if values == NOTHING or (kinds[column] == "categorical" and not (values.words or values.others or values.missing)):
        msg = f"no value of {column!r} would pass, so this could never hold; let some through, or remove it."
        raise ProgramError(msg)
    if values == ValueSet() or (kinds[column] == "categorical" and values.others and not values.words):
        msg = f"every value of {column!r} would pass, so this would say nothing; drop the condition instead."
        raise ProgramError(msg)
    if kinds[column] == "categorical" and values.spans not in ((), EVERY_NUMBER):
        msg = f"column {column!r} is categorical and has no bounds; name its words."
        raise ProgramError(msg)
    if values.others != values.missing:
        msg = f"rules cannot tell a blank cell of {column!r} from a word that they do not name; both pass, or neither."
        raise ProgramError(msg)
    if values.missing and any(span == EVERY_NUMBER[0] for span in (~values).spans):
        msg = f"rules cannot ask for no number at all in {column!r}; name the words that pass."
        raise ProgramError(msg)
    if not values.missing and values.spans == EVERY_NUMBER:
        msg = f"rules cannot ask for any number at all in {column!r}; give a bound."
        raise ProgramError(msg)


def _bounds(column: str, span: NumberSpan) -> Iterator[Literal]:
    if span.has_low:
        yield Literal(column, ">" if span.low.after else ">=", span.low.number)
    if span.has_high:
        yield Literal(column, "=<" if span.high.after else "<", span.high.number)
