"""Examples and background as a logic program become a table: `exs.pl` and `bk.pl`, as Popper users know them.

Each individual is a row, labelled by `pos(fly(tweety))` or `neg(fly(kitty))`. Its first column is its name. Facts that
give individuals a value, `age(tweety,3)` or `lives_in(tweety,forest)`, are columns, of numbers, words or both, where
nobody has two values and some two have numbers or share a word. The rest of the background is rewritten to speak of
rows: a fact `bird(tweety)` becomes `bird(X) :- name(X,'tweety')`, a clause with one variable and one-place goals stays
as it is, and all else (relations, recursion) is worked out by `logic.background.consequences` and given as facts.
Where somebody has several values, `likes(tweety,fish)` is a literal of its own for each value that two share.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unless.errors import DataError, listing, meant
from unless.learn.aleph_files import aleph_texts, is_aleph
from unless.learn.front import table_task
from unless.logic.background.clauses import AtomGoal, BackgroundClause, path, read_sentences
from unless.logic.background.consequences import answers
from unless.logic.background.predicates import read_background
from unless.logic.names import claim
from unless.logic.rules import Column
from unless.logic.terms import Atom, Variable, term_text
from unless.logic.text.constants import quote
from unless.logic.text.files import read_text
from unless.table.beside_rows import RowsBeside
from unless.table.facts import Facts
from unless.table.frames import raw_table
from unless.table.kinds import KindRule
from unless.table.labels import read_labels
from unless.table.related_tables import ExtendedRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from unless.learn.task import Task
    from unless.logic.clause import Clause
    from unless.logic.program import Program
    from unless.logic.terms import Predicate, Term
    from unless.table.frames import RawTable
    from unless.table.labels import Labels

log = logging.getLogger("unless")

Text = str | os.PathLike[str]
"""A text itself, or the path of a file."""

Columns = dict["Predicate", "list[Term | None]"]
"""The cells of each predicate that is a column."""

DTYPES: dict[type, type[pl.DataType]] = {float: pl.Float64, str: pl.String}


@dataclass(frozen=True, slots=True, eq=False)
class Examples(RowsBeside):
    """Rows (names and values), labels (named after the target), and the background about them.

    `facts` are those about other things than rows too, if there are any, `individuals` what they call the rows, and
    `about_rows` is the background without the literals that stand for relations with several values.
    """

    rows: pl.DataFrame
    labels: pl.Series
    background: str
    about_rows: str = ""
    facts: Facts | None = None
    individuals: tuple[Term, ...] = ()
    bias: str = ""

    @property
    def name_column(self) -> str:
        """Return the name of the column of names: only the background may test it."""
        return self.rows.columns[0]

    @property
    def main(self) -> RawTable:
        """Return the rows alone."""
        return raw_table(self.rows)

    def task(self) -> Task:
        """Make a task of them: conjunctions over relations are searched, and are conditions like any other."""
        labels = read_labels(self.labels)
        made = self.training(labels)
        names = KindRule("dtype", {self.name_column: "categorical"})  # names, though they may be numbers
        return table_task(made.table, labels, kinds=names, positive=True, **made.options)

    def training(self, labels: Labels) -> ExtendedRows:
        """Return the rows with the conjunctions that tell the labels apart, and the background about them."""
        if self.labels.n_unique() == 1:
            sign, other = ("positive", "neg") if self.labels[0] else ("negative", "pos")
            example = f"{other}({self.labels.name}(...))."
            msg = f"all {len(self.labels)} examples are {sign}; learning needs some of the other kind too: {example}"
            raise DataError(msg)
        hidden = [self.name_column]
        if self.facts is None:
            return ExtendedRows(self.main, options={"background": self.background, "background_columns": hidden})
        from unless.learn.relations.candidates import candidates

        is_positive = np.array([bool(label) for label in self.labels])
        own = self.rows.columns[1:]
        columns = candidates(self.facts, self.individuals, is_positive, self.bias, self.labels.name, own)
        rows = self.facts.with_conjunctions(self.rows, self.individuals, columns)
        hidden += [column.name for column in columns]
        options = {"background": self.about_rows, "background_columns": hidden, "related": columns}
        return ExtendedRows(raw_table(rows), options=options)

    def table_for(self, program: Program, main: RawTable) -> RawTable:
        """Return the rows with what the conjunctions of a program say of them; it must know the other facts."""
        if self.informed(program) is not program:
            msg = (
                "the background has facts of one argument about individuals that the model was not fitted on, and it "
                "knows such facts by name. Hint: type(model).from_program(X.informed(model.program_)) knows them too."
            )
            raise DataError(msg)
        return raw_table(self.table(program))

    def witnesses(self, program: Program, row: int) -> dict[str, dict[str, str]]:
        """Return the things that make conjunctions hold of an individual."""
        facts = self.facts or Facts.of(())
        return {c.name: facts.said(c, self.individuals[row]) for c in program.columns if c.atoms}

    def informed(self, program: Program) -> Program:
        """Return a program that also knows what the background says of individuals it was not learned from.

        A program holds facts of one argument by name, `bird(X) :- name(X,'tweety')`; those of others are added.
        """
        known, name = program.helpers, self.name_column
        if program.kinds.get(name) != "categorical":
            return program
        text = self.background if self.facts is None else self.about_rows
        said: dict[str | None, list[Clause]] = {}
        for clause in read_background(text, self.labels.name, [Column(name, "categorical")]):
            said.setdefault(clause.name, []).append(clause)
        asked = [helper for helper in said if helper in known]
        for helper in asked:  # grows by what their clauses call
            called = [call.name for clause in said[helper] for call in clause.calls]
            asked += [other for other in called if other in said and other not in asked]
        new = [clause for helper in asked for clause in said[helper] if clause not in known.get(str(helper), ())]
        if not new:
            return program
        informed = replace(program, clauses=(*program.clauses, *new))
        if program.grade is None or program.grade.mark != program.mark:
            return informed
        return replace(informed, grade=replace(program.grade, mark=informed.mark))  # facts are no edit of the rules

    def table(self, *programs: Program) -> pl.DataFrame:
        """Return the rows with their labels, and with what the conjunctions of programs say of them."""
        related = {column.name: column for each in programs for column in each.columns if column.atoms}.values()
        facts = self.facts or Facts.of(())
        return facts.with_conjunctions(self.rows.with_columns(self.labels), self.individuals, related)


def read_examples(examples: Text, background: Text = "", bias: Text = "") -> Examples:
    """Read examples and the background about them, as text or from files; `bias` says what may be combined.

    A path that ends in `.f`, `.n` or `.b` is one of Aleph's three files; the other two are read beside it.

    >>> read_examples("pos(fly(tweety)). neg(fly(kitty)).", "bird(tweety). cat(kitty).").labels.to_list()
    [True, False]
    """
    if is_aleph(examples):
        examples, own_background, own_bias = aleph_texts(Path(examples))
        background, bias = background or own_background, bias or own_bias
    target, labelled = _labelled(read_sentences(_text(examples), "examples"))
    labels = {_name(individual): label for individual, label in labelled.items()}
    theory = read_sentences(_text(background))
    _note_undefined(theory)
    for sentence in theory:
        if sentence.head.name == target:
            msg = f"{target!r} is what the examples are about; the background must not define it."
            raise sentence.error(msg)
    plain = _plain_predicates(theory)
    others = dict.fromkeys(s.head.predicate for s in theory if s.head.predicate not in plain)
    known = _facts(theory, list(others))
    columns = _columns(known, labels)
    name = claim("name", {target, *(s.head.name for s in theory)})
    rows = [pl.Series(name, list(labels)), *(_series(of[0], cells) for of, cells in columns.items())]
    rest = {predicate: atoms for predicate, atoms in known.items() if predicate not in columns}
    text, about_rows = (
        "\n".join(_rewrite(theory, plain, some, name, labels)) for some in (rest, _of_one_argument(rest))
    )
    facts = None
    if any(predicate[1] > 1 for predicate in others):
        facts = Facts.of(atom for atoms in (*known.values(), *_facts(theory, list(plain)).values()) for atom in atoms)
    series = pl.Series(target, list(labels.values()))
    return Examples(pl.DataFrame(rows), series, text, about_rows, facts, tuple(labelled), _text(bias))


def _of_one_argument(known: Mapping[Predicate, list[Atom]]) -> dict[Predicate, list[Atom]]:
    return {predicate: atoms for predicate, atoms in known.items() if predicate[1] == 1}


def _text(given: Text) -> str:
    return given if isinstance(given, str) else read_text(given)


def _labelled(sentences: Sequence[BackgroundClause]) -> tuple[str, dict[Term, bool]]:
    """Return the target and the label of each individual."""
    labels: dict[Term, bool] = {}
    targets: dict[str, None] = {}
    for sentence in sentences:
        example = sentence.head.inner
        if sentence.head.name not in ("pos", "neg") or sentence.body or example is None:
            msg = f"{sentence.head} is not an example; write pos(fly(tweety)). or neg(fly(kitty))."
            raise _error(sentence, msg)
        if len(example.terms) != 1:
            msg = f"{example} is about {len(example.terms)} things; an example is about one, such as fly(tweety)."
            raise _error(sentence, msg)
        if isinstance(example.terms[0], Variable):
            msg = f"{example} is about a variable; an example is about one thing, such as fly(tweety)."
            raise _error(sentence, msg)
        individual, label = example.terms[0], sentence.head.name == "pos"
        if labels.setdefault(individual, label) != label:
            msg = f"{_name(individual)!r} is both a positive and a negative example."
            raise _error(sentence, msg)
        targets[example.name] = None
    if len(targets) != 1:
        found = f"they are about {listing(targets)}" if targets else "there are none"
        msg = f"examples must be of one predicate; {found}."
        raise DataError(msg)
    return next(iter(targets)), labels


def _note_undefined(theory: Sequence[BackgroundClause]) -> None:
    """Say which goals of the background nothing defines: they never hold."""
    defined = {sentence.head.predicate for sentence in theory}
    asked = dict.fromkeys(goal.atom.predicate for sentence in theory for goal in sentence.asked)
    for name, n in (predicate for predicate in asked if predicate not in defined):
        hint = meant(name, (other for other, _ in defined))
        log.warning("the background asks for %s/%d, which nothing defines: it never holds.%s", name, n, hint)


def _error(sentence: BackgroundClause, problem: str) -> DataError:
    return DataError(f"examples, line {sentence.line}: {problem}")


def _name(term: object) -> str:
    return term if isinstance(term, str) else term_text(term)  # type: ignore[arg-type]


def _columns(known: Mapping[Predicate, Sequence[Atom]], individuals: Collection[str]) -> Columns:
    """Return the cells of the predicates that give individuals one value each: numbers, or words that two share."""
    found: Columns = {}
    for predicate, atoms in known.items():
        cells = {_name(atom.terms[0]): atom.terms[1] for atom in atoms if len(atom.terms) == 2}
        own = [atom for atom in atoms if _name(atom.terms[0]) in individuals] if predicate[1] == 2 else []
        if not own or len({atom.terms[0] for atom in own}) < len(own):
            continue
        words = Counter(atom.terms[1] for atom in own if isinstance(atom.terms[1], str))
        has_numbers = len(own) - words.total() > 1
        if has_numbers or max(words.values(), default=2) > 1:
            found[predicate] = [cells.get(name) for name in individuals]
    return found


def _series(name: str, cells: Sequence[Term | None]) -> pl.Series:
    """Return cells as a column: numbers, words, or both."""
    types = {type(cell) for cell in cells if cell is not None}
    return pl.Series(name, cells, dtype=DTYPES[types.pop()] if len(types) == 1 else pl.Object)


def _rewrite(
    theory: Sequence[BackgroundClause], plain: Collection[Predicate], known: Mapping[Predicate, Sequence[Atom]],
    column: str, individuals: Collection[str],
) -> Iterator[str]:  # fmt: skip
    """Write what the background says of individuals as clauses about rows."""
    pairs = Counter((a.name, a.terms[1]) for facts in known.values() for a in facts if len(a.terms) == 2)
    called = {goal.atom.predicate for s in theory if s.head.predicate in plain for goal in s.asked}
    sentences: dict[Predicate, list[BackgroundClause]] = {}
    for sentence in theory:
        sentences.setdefault(sentence.head.predicate, []).append(sentence)
    for predicate, own in sentences.items():
        for sentence in own if predicate in plain else ():
            if sentence.body:
                yield _clause_text(sentence)
            elif _name(sentence.head.terms[0]) in individuals or (predicate in called and sentence is own[0]):
                yield _fact_text(sentence.head, column)  # one at least of what a clause asks for, so that it is known
        for atom in known.get(predicate, ()):
            is_shared = len(atom.terms) == 2 and pairs[atom.name, atom.terms[1]] > 1
            if (len(atom.terms) == 1 or is_shared) and _name(atom.terms[0]) in individuals:
                yield _fact_text(atom, column)


def _plain_predicates(theory: Sequence[BackgroundClause]) -> frozenset[Predicate]:
    """Return the one-place predicates all of whose clauses can stay as they are."""
    defined = {s.head.predicate for s in theory}
    calls = {p: [g.atom.predicate for s in theory if s.head.predicate == p for g in s.asked] for p in defined}
    return frozenset(
        predicate
        for predicate in defined
        if all(_is_plain(s, defined) for s in theory if s.head.predicate == predicate)
        and not any(path(calls, other, predicate) for other in calls[predicate])
    )


def _is_plain(sentence: BackgroundClause, defined: set[Predicate]) -> bool:
    """Tell whether a sentence is a one-place fact, or a clause of defined one-place goals about one variable."""
    if len(sentence.head.terms) != 1:
        return False
    if not sentence.body:
        return not isinstance(sentence.head.terms[0], Variable)
    return isinstance(sentence.head.terms[0], Variable) and all(
        isinstance(goal, AtomGoal) and goal.atom.terms == sentence.head.terms and goal.atom.predicate in defined
        for goal in sentence.body
    )


def _facts(theory: Sequence[BackgroundClause], predicates: Sequence[Predicate]) -> dict[Predicate, list[Atom]]:
    """Return all that the background says of each of these predicates; what is no mere fact is worked out."""
    derives = {s.head.predicate for s in theory if s.body or any(isinstance(t, Variable) for t in s.head.terms)}
    known: dict[Predicate, list[Atom]] = {predicate: [] for predicate in predicates}
    for sentence in theory:
        if sentence.head.predicate in known and sentence.head.predicate not in derives:
            known[sentence.head.predicate].append(sentence.head)
    derived = [predicate for predicate in predicates if predicate in derives]
    goals = [Atom(name, tuple(Variable(f"V{i:03}") for i in range(n))) for name, n in derived]
    found = answers(theory, [[AtomGoal(goal)] for goal in goals]) if goals else []
    for goal, rows in zip(goals, found, strict=True):
        known[goal.predicate] = [Atom(goal.name, tuple(answer.values())) for answer in rows]
    return {predicate: list(dict.fromkeys(atoms)) for predicate, atoms in known.items()}


def _fact_text(atom: Atom, column: str) -> str:
    first, *value = atom.terms
    head = ",".join(["X", *(quote(_name(term)) for term in value)])
    return f"{atom.name}({head}) :- {column}(X,{quote(_name(first))})."


def _clause_text(sentence: BackgroundClause) -> str:
    goals = [f"{'not ' if goal.negated else ''}{goal.atom.name}(X)" for goal in sentence.asked]
    return f"{sentence.head.name}(X) :- {', '.join(goals)}."
