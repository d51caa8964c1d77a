"""Background knowledge becomes helper predicates of a program: clauses over columns, one row each.

In: background text, and the columns of a table. Out: `Clause`s of the program language, which is all that learning,
predicting and proving need to know. A predicate that tests a column, or calls one that does, speaks of rows: its first
argument is the row, and a second one, its value, becomes part of its name (`region(X,'south')` is `region_south(X)`).
All other predicates are facts about the world: `consequences` has them, and each answer gives one clause. Numbers of
columns are compared here and by the program, never by the engine, which has whole numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from unless.errors import did_you_mean
from unless.logic.background.clauses import AtomGoal, BackgroundClause, ComparisonGoal, read_sentences
from unless.logic.background.consequences import answers
from unless.logic.clause import Call, Clause, Goal
from unless.logic.names import claim, is_plain, name_predicates
from unless.logic.rules import NUMBER_OPS, OPERATORS, Literal, word_op
from unless.logic.terms import Term, Variable, term_text
from unless.logic.values import number_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from unless.logic.background.consequences import Answer
    from unless.logic.rules import Column, Op
    from unless.logic.terms import Atom, Predicate


def read_background(text: str, target: str, columns: Sequence[Column]) -> tuple[Clause, ...]:
    """Read background text as helper clauses over the columns of a table.

    >>> from unless.logic.rules import Column
    >>> read_background("minor(X) :- age(X,N), N < 18.", "ok", [Column("age", "numerical")])[0].body
    (Literal(column='age', op='<', value=18.0),)
    """
    sentences = read_sentences(text)
    vocabulary = Vocabulary.of(sentences, target, columns)
    _refuse_unknown(sentences, vocabulary)
    about_rows = [s for s in sentences if s.head.predicate in vocabulary.row_predicates]
    others = [s for s in sentences if s.head.predicate not in vocabulary.row_predicates]
    readers = [_RowClause(sentence, vocabulary) for sentence in about_rows]
    asked = [reader.world_goals for reader in readers]
    found = iter(answers(others, [query for query in asked if query]) if any(asked) else [])
    instances = [(reader, answer) for reader, query in zip(readers, asked, strict=True)
                 for answer in (next(found) if query else [{}]) if reader.allows(answer)]  # fmt: skip
    for reader, answer in instances:
        vocabulary.define(reader.sentence, reader.value(reader.sentence.head.terms, answer))
    clauses = [clause for reader, answer in instances for clause in reader.clauses(answer)]
    return tuple(dict.fromkeys(_that_can_hold(clauses)))


def _that_can_hold(clauses: list[Clause]) -> list[Clause]:
    """Leave out goals that ask for no clause's helper, which never holds, and the clauses that need it."""
    while True:
        defined = {clause.name for clause in clauses}
        never = {call.name for clause in clauses for call in clause.calls} - defined
        if not never:
            return clauses
        kept = [clause for clause in clauses if not any(c.name in never and not c.negated for c in clause.calls)]
        clauses = [replace(clause, body=tuple(g for g in clause.body if not _calls(g, never))) for clause in kept]


def _calls(goal: Goal, names: Collection[str]) -> bool:
    return isinstance(goal, Call) and goal.name in names


def _refuse_unknown(sentences: Sequence[BackgroundClause], vocabulary: Vocabulary) -> None:
    """Refuse a goal that nothing defines and that is nearly the name of a column: it could only ever fail."""
    tests = [*vocabulary.columns, *vocabulary.words_of]
    known = {(name, 2) for name in tests} | {sentence.head.predicate for sentence in sentences}
    for sentence in sentences:
        for goal in sentence.asked:
            hint = "" if goal.atom.predicate in known else did_you_mean(goal.atom.name, tests)
            if hint:
                msg = f"{goal.atom} is neither a column nor a fact, and no clause defines it.{hint}"
                raise sentence.error(msg)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which predicate is a column, which speaks of rows, and how the helpers are called."""

    columns: dict[str, Column]
    words_of: dict[str, Column]
    row_predicates: frozenset[Predicate]
    taken: set[str]
    helpers: dict[tuple[str, Term | None], str]

    @staticmethod
    def of(sentences: Sequence[BackgroundClause], target: str, columns: Sequence[Column]) -> Vocabulary:
        """Sort the predicates of the background."""
        names = name_predicates(target, columns)
        by_name = {names.numbers_or_words[column.name]: column for column in columns}
        words_of = {names.words_among_numbers[c.name]: c for c in columns if c.kind == "numerical"}
        taken = {names.target, *by_name, *words_of, *(column.name for column in columns)}
        for sentence in sentences:
            if sentence.head.name in taken:
                what = "the target" if sentence.head.name == names.target else "a column"
                msg = f"{sentence.head.name!r} is {what} of the table; the background must define other names."
                raise sentence.error(msg)
        tests = {(name, 2) for name in (*by_name, *words_of)}
        return Vocabulary(by_name, words_of, _about_rows(sentences, tests), taken, {})

    def define(self, sentence: BackgroundClause, value: Term | None) -> None:
        """Give a helper its name."""
        name = sentence.head.name
        if (name, value) in self.helpers:
            return
        if value is None and not is_plain(name):
            msg = f"{name!r} cannot name a predicate of a program; choose another name."
            raise sentence.error(msg)
        word = name if value is None else f"{name}_{_word(value)}"
        self.helpers[name, value] = claim(word, self.taken)


def _about_rows(sentences: Sequence[BackgroundClause], tests: set[Predicate]) -> frozenset[Predicate]:
    """Return the predicates that test a column, or call one that does."""
    found: set[Predicate] = set()
    grows = True
    while grows:
        more = {s.head.predicate for s in sentences if any(g.atom.predicate in tests | found for g in s.asked)}
        grows = not more <= found
        found |= more
    return frozenset(found)


def _word(value: Term) -> str:
    return number_word(value) if isinstance(value, float) else str(value)


class _RowClause:
    """One clause about rows, and the program clauses that it gives."""

    def __init__(self, sentence: BackgroundClause, vocabulary: Vocabulary) -> None:
        self.sentence = sentence
        self.vocabulary = vocabulary
        head = sentence.head
        if len(head.terms) not in (1, 2) or not isinstance(head.terms[0], Variable):
            msg = f"{head} speaks of rows; its first argument is the row, a variable, and it may have one value more."
            raise sentence.error(msg)
        self.row = head.terms[0]
        self.world_goals = [goal for goal in sentence.asked if not self._is_about_rows(goal)]
        self.bound = {v for goal in self.world_goals if not goal.negated for v in goal.variables}
        self.numbers: dict[Term, Column] = {}
        for goal in sentence.asked:
            column = self._number_column(goal)
            if column is not None and goal.atom.terms[1] not in self.bound:
                self._refuse_two_numbers(goal.atom, self.numbers.setdefault(goal.atom.terms[1], column), column)
        self._check()

    def allows(self, answer: Answer) -> bool:
        """Tell whether the comparisons that touch no column hold for an answer."""
        return all(self._compare(goal, answer) for goal in self._comparisons(of_columns=False))

    def value(self, terms: Sequence[Term], answer: Answer) -> Term | None:
        """Return the value of a predicate of rows, if it has one."""
        return self._filled(terms[1], answer) if len(terms) == 2 else None

    def clauses(self, answer: Answer) -> Iterator[Clause]:
        """Yield the program clause for an answer; none where a goal cannot hold."""
        name = self.vocabulary.helpers[self.sentence.head.name, self.value(self.sentence.head.terms, answer)]
        parts = [self._goals(goal, answer) for goal in self.sentence.asked if self._is_about_rows(goal)]
        parts += [self._number_goals(goal, answer) for goal in self._comparisons(of_columns=True)]
        for body in product(*parts):
            yield Clause(name, None, tuple(goal for goals in body for goal in goals), line=self.sentence.line)

    def _goals(self, goal: AtomGoal, answer: Answer) -> list[tuple[Goal, ...]]:
        """Return the ways in which a goal about the row can hold: one, or none."""
        name, value = goal.atom.name, self.value(goal.atom.terms, answer)
        column = self.vocabulary.columns.get(name)
        if goal.atom.predicate in self.vocabulary.row_predicates:
            helper = self.vocabulary.helpers.get((name, value))
            if helper is None:
                return [()] if goal.negated else []
            return [(Call(helper, goal.negated),)]
        if column is not None and column.kind == "numerical":
            return [self._number(column, goal, value)]
        column = column or self.vocabulary.words_of[name]
        assert value is not None
        return [(Literal(column.name, word_op(negated=goal.negated), _word(value)),)]

    def _number(self, column: Column, goal: AtomGoal, value: Term | None) -> tuple[Goal, ...]:
        if isinstance(value, Variable):
            return ()  # compared elsewhere in the clause
        if isinstance(value, str):
            problem = f"{goal.atom} asks a column of numbers for a word; write {goal.atom.name}_is."
            raise self.sentence.error(problem)
        assert isinstance(value, float)
        return Literal(column.name, ">=", value), Literal(column.name, "=<", value)

    def _number_goals(self, goal: ComparisonGoal, answer: Answer) -> list[tuple[Goal, ...]]:
        """Return a comparison of a column's number as literals."""
        left, op, right = goal.left, goal.op, goal.right
        if left not in self.numbers:
            left, op, right = right, OPERATORS[op].mirror, left
        limit = self._filled(right, answer)
        ops: tuple[Op, ...] = (">=", "=<") if op == "=" else (op,)
        if not isinstance(limit, float) or not NUMBER_OPS.keys() >= set(ops):
            shown = f"{term_text(goal.left)} {goal.op} {term_text(goal.right)}"
            problem = f"{shown}: the number of a column is compared by {', '.join(NUMBER_OPS)} or = with a number."
            raise self.sentence.error(problem)
        return [tuple(Literal(self.numbers[left].name, one, limit) for one in ops)]

    def _comparisons(self, *, of_columns: bool) -> list[ComparisonGoal]:
        goals = [goal for goal in self.sentence.body if isinstance(goal, ComparisonGoal)]
        return [goal for goal in goals if any(v in self.numbers for v in goal.variables) == of_columns]

    def _compare(self, goal: ComparisonGoal, answer: Answer) -> bool:
        left, right = self._filled(goal.left, answer), self._filled(goal.right, answer)
        is_comparable = goal.op not in NUMBER_OPS or (isinstance(left, float) and isinstance(right, float))
        return is_comparable and bool(OPERATORS[goal.op].compare(left, right))

    def _filled(self, term: Term, answer: Answer) -> Term:
        return answer.get(term, term) if isinstance(term, Variable) else term

    def _is_about_rows(self, goal: AtomGoal) -> bool:
        predicate = goal.atom.predicate
        is_test = predicate[1] == 2 and (
            predicate[0] in self.vocabulary.columns or predicate[0] in self.vocabulary.words_of
        )
        return is_test or predicate in self.vocabulary.row_predicates

    def _number_column(self, goal: AtomGoal) -> Column | None:
        """Return the column whose number a goal binds to a variable, if it does."""
        column = self.vocabulary.columns.get(goal.atom.name) if self._is_about_rows(goal) else None
        binds = column is not None and not goal.negated and isinstance(goal.atom.terms[1], Variable)
        return column if column is not None and column.kind == "numerical" and binds else None

    def _refuse_two_numbers(self, atom: Atom, first: Column, column: Column) -> None:
        """Refuse one variable for two numbers of the row: no program clause can ask that they are equal."""
        variable = term_text(atom.terms[1])
        if first != column or atom.terms[1] == self.row:
            what = "the row" if atom.terms[1] == self.row else f"the number of {first.name}"
            problem = f"{atom}: {variable} is {what} already, and no clause can ask whether two things are equal."
            raise self.sentence.error(problem)

    def _refuse_loose_numbers(self) -> None:
        """Refuse the number of a column that nothing compares, or that something else than a comparison speaks of."""
        compared = {v for goal in self._comparisons(of_columns=True) for v in goal.variables}
        elsewhere = [goal.atom for goal in self.sentence.asked if not self._number_column(goal)]
        for variable, column in self.numbers.items():
            name = term_text(variable)
            atom = next((a for a in (self.sentence.head, *elsewhere) if variable in a.terms), None)
            if atom is not None:
                problem = f"{atom} speaks of {name}, the number of {column.name}, which can only be compared."
                raise self.sentence.error(problem)
            if variable not in compared:
                problem = f"{name} is the number of {column.name} but never compared; write such as {name} > 0."
                raise self.sentence.error(problem)

    def _check(self) -> None:
        """Refuse what has no meaning for one row at a time."""
        sentence = self.sentence
        about_rows = [goal for goal in sentence.asked if self._is_about_rows(goal)]
        if not about_rows:
            msg = f"{sentence.head} has no condition on the row."
            raise sentence.error(msg)
        for goal in about_rows:
            if goal.atom.terms[0] != self.row:
                msg = f"{goal.atom} is not about the row of this clause, {self.row.name}."
                raise sentence.error(msg)
            column = self.vocabulary.columns.get(goal.atom.name)
            if goal.negated and column is not None and column.kind == "numerical":
                problem = f"not {goal.atom}: a negated numeric test needs a predicate of its own."
                raise sentence.error(problem)
        known = self.bound | {self.row} | set(self.numbers)
        for variable in self._variables():
            if variable not in known:
                problem = f"{variable.name} gets no value: it occurs in no fact, and in no column of numbers."
                raise sentence.error(problem)
        self._refuse_loose_numbers()
        if any(self.row in goal.variables for goal in self.world_goals):
            goal = next(goal for goal in self.world_goals if self.row in goal.variables)
            msg = f"{goal.atom} is asked of a row, but neither a column nor a clause says it of rows."
            raise sentence.error(msg)

    def _variables(self) -> Iterable[Variable]:
        for goal in self.sentence.body:
            yield from sorted(goal.variables)
        yield from (term for term in self.sentence.head.terms if isinstance(term, Variable))
