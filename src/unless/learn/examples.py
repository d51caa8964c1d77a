"""Examples and background as a logic program become a table: `exs.pl` and `bk.pl`, as Popper users know them.

Each individual is a row whose one column is its name, labelled by `pos(fly(tweety))` or `neg(fly(kitty))`. The
background is rewritten to speak of rows: a fact `bird(tweety)` becomes `bird(X) :- name(X,'tweety')`, a clause with
one variable and one-place goals stays as it is, and everything else (relations, recursion) is worked out by
`logic.background.consequences` and given as facts. A relation with a value, `lives_in(tweety, forest)`, is kept where
two individuals share the value.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from unless.errors import DataError, listing
from unless.logic.background.clauses import Atom, AtomGoal, BackgroundClause, path, read_sentences, term_text
from unless.logic.background.consequences import answers
from unless.logic.names import claim
from unless.logic.templates import Variable
from unless.logic.text.files import read_text
from unless.logic.text.printer import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unless.logic.background.clauses import Predicate

Text = str | os.PathLike[str]
"""A text itself, or the path of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows (the column of names), labels (named after the target), and the background about them."""

    rows: pl.DataFrame
    labels: pl.Series
    background: str

    @property
    def name_column(self) -> str:
        """Return the name of the one column: only the background may test it."""
        return self.rows.columns[0]


def read_examples(examples: Text, background: Text = "") -> Examples:
    """Read examples and the background about them, as text or from files.

    >>> read_examples("pos(fly(tweety)). neg(fly(kitty)).", "bird(tweety). cat(kitty).").labels.to_list()
    [True, False]
    """
    target, labels = _labelled(read_sentences(_text(examples)))
    theory = read_sentences(_text(background))
    for sentence in theory:
        if sentence.head.name == target:
            msg = f"{target!r} is what the examples are about; the background must not define it."
            raise sentence.error(msg)
    column = claim("name", {target, *(s.head.name for s in theory)})
    rows = pl.DataFrame({column: list(labels)}, schema={column: pl.String})
    return Examples(rows, pl.Series(target, list(labels.values())), "\n".join(_rewrite(theory, column)) + "\n")


def _text(given: Text) -> str:
    return given if isinstance(given, str) else read_text(given)


def _labelled(sentences: Sequence[BackgroundClause]) -> tuple[str, dict[str, bool]]:
    """Return the target and the label of each individual."""
    labels: dict[str, bool] = {}
    targets: dict[str, None] = {}
    for sentence in sentences:
        example = sentence.head.inner
        if sentence.head.name not in ("pos", "neg") or sentence.body or example is None:
            msg = f"{sentence.head} is not an example; write pos(fly(tweety)). or neg(fly(kitty))."
            raise _error(sentence, msg)
        if len(example.terms) != 1 or isinstance(example.terms[0], Variable):
            msg = f"{example} is about {len(example.terms)} things; an example is about one, such as fly(tweety)."
            raise _error(sentence, msg)
        individual, label = _name(example.terms[0]), sentence.head.name == "pos"
        if labels.setdefault(individual, label) != label:
            msg = f"{individual!r} is both a positive and a negative example."
            raise _error(sentence, msg)
        targets[example.name] = None
    if len(targets) != 1:
        found = f"they are about {listing(targets)}" if targets else "there are none"
        msg = f"examples must be of one predicate; {found}."
        raise DataError(msg)
    return next(iter(targets)), labels


def _error(sentence: BackgroundClause, problem: str) -> DataError:
    return DataError(f"examples, line {sentence.line}: {problem}")


def _name(term: object) -> str:
    return term if isinstance(term, str) else term_text(term)  # type: ignore[arg-type]


def _rewrite(theory: Sequence[BackgroundClause], column: str) -> Iterator[str]:
    """Write the background as clauses about rows."""
    plain = _plain_predicates(theory)
    others = dict.fromkeys(s.head.predicate for s in theory if s.head.predicate not in plain)
    known = dict(zip(others, _facts(theory, list(others)), strict=True))
    shared = {key for key, n in Counter((a.name, a.terms[1]) for facts in known.values() for a in facts
                                        if len(a.terms) == 2).items() if n > 1}  # fmt: skip
    for predicate in dict.fromkeys(s.head.predicate for s in theory):
        for sentence in theory:
            if sentence.head.predicate == predicate and predicate in plain:
                yield _clause_text(sentence) if sentence.body else _fact_text(sentence.head, column)
        for atom in known.get(predicate, ()):
            if len(atom.terms) == 1 or (len(atom.terms) == 2 and (atom.name, atom.terms[1]) in shared):
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


def _facts(theory: Sequence[BackgroundClause], predicates: Sequence[Predicate]) -> list[list[Atom]]:
    """Return all that the background says of each of these predicates."""
    if not predicates:
        return []
    goals = [Atom(name, tuple(Variable(f"V{i:03}") for i in range(n))) for name, n in predicates]
    found = answers(theory, [[AtomGoal(goal)] for goal in goals])
    return [
        [Atom(goal.name, tuple(answer.values())) for answer in rows] for goal, rows in zip(goals, found, strict=True)
    ]


def _fact_text(atom: Atom, column: str) -> str:
    first, *value = atom.terms
    head = ",".join(["X", *(quote(_name(term)) for term in value)])
    return f"{atom.name}({head}) :- {column}(X,{quote(_name(first))})."


def _clause_text(sentence: BackgroundClause) -> str:
    goals = [f"{'not ' if goal.negated else ''}{goal.atom.name}(X)" for goal in sentence.asked]
    return f"{sentence.head.name}(X) :- {', '.join(goals)}."
