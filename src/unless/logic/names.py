"""Which predicate stands for which column, and how words are written so that s(CASP) leaves them alone.

A column's predicate is its name where that is a plain lower-case identifier, else the nearest one; the program's
header records the pair, so any name comes back. A numerical column has a second predicate, with `_is`, for the words
among its numbers: s(CASP) loses both answers when it compares a word with a number.

s(CASP) silently renames some atoms of a program (`'grp_1'` becomes `grp`, `'d_a'` becomes `a`), which confuses
different words: those that begin with `_`, `c_`, `d_` or `n_` or stand in single quotes, and those that end in `_` and
a number. `guard` puts a blank before the first kind and after the second; s(CASP) leaves these alone, and `unguard`
takes the blanks off again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.rules import Column

PLAIN = re.compile(r"[a-z][a-zA-Z0-9_]*", re.ASCII)
RENAMED_NAME = re.compile(r"[cdno]_|at_least\d+\Z")
RENAMED_START = re.compile(r" *(?:[cdn]?_|'.*' *\Z)", re.DOTALL)
RENAMED_END = re.compile(r"_[+-]?\d[^_]*$")
MAX_STEM = 40
"""So many letters of a column's or a word's name go into the name of a helper."""

RESERVED = frozenset(
    """
    is mod rem rdiv div divmod gcd xor not prolog forall inf sup nan pi e goal_origin true false null call table show
    pred include dynamic discontiguous initialization module abducible ensure_loaded fail otherwise member findall
    assert asserta assertz retract halt write builtin column target numerical categorical read missing values else
    relations related unless at_least some_rule_decides
    """.split()  # noqa: SIM905  (a list of 50 quoted words is harder to read)
)
"""Names that s(CASP) or Prolog takes for its own, the words of our header, and what is written for s(CASP) alone."""


@dataclass(frozen=True, slots=True)
class Names:
    """The predicates of a program's columns and target; `conjunctions` are columns that are written as their name."""

    target: str
    numbers_or_words: dict[str, str]
    words_among_numbers: dict[str, str]
    conjunctions: frozenset[str] = frozenset()


def name_predicates(target: str, columns: Sequence[Column]) -> Names:
    """Choose a predicate for the target and for each column, all different."""
    taken: set[str] = set()
    target_name = claim(target, taken)
    related = [column for column in columns if column.atoms]
    taken |= {atom.name for column in related for atom in column.atoms}
    first: dict[str, str] = {column.name: column.name for column in related}
    second: dict[str, str] = {}
    # Columns whose own name is a plain predicate keep it; the others choose around them.
    others = (column for column in columns if not column.atoms)
    for column in sorted(others, key=lambda column: not is_plain(column.name)):
        suffixes = ("_is",) if column.kind == "numerical" else ()
        first[column.name] = claim(column.name, taken, suffixes)
        if suffixes:
            second[column.name] = first[column.name] + "_is"
    return Names(target_name, first, second, frozenset(column.name for column in related))


def helper_stem(column: str, what: str) -> str:
    """Begin the name of a helper with the predicate of the column that it is about.

    >>> helper_stem("occupation", "set"), helper_stem("n", "high")
    ('occupation_set', 'col_n_high')
    """
    stem = f"{column[:MAX_STEM].rstrip('_')}_{what}"
    return stem if is_plain(stem) else f"col_{stem}"


def word_stem(column: str, word: str, *, negated: bool) -> str:
    """Begin the name of a helper that asks for one word, or, negated, for its absence.

    >>> word_stem("history", "No debts", negated=False), word_stem("thal", "3", negated=True)
    ('history_is_no_debts', 'thal_not3')
    """
    slug, what = _slug(word), "not" if negated else "is"
    if not slug or len(slug) > MAX_STEM:
        return helper_stem(column, f"{what}_word")
    stem = helper_stem(column, what + slug if slug[0].isdigit() else f"{what}_{slug}")
    return stem if can_have_points(stem) else helper_stem(column, f"{what}_word")


def label_stem(label: str) -> str:
    """Begin the name of a helper that holds the rules of one label."""
    return helper_stem(_identifier(label).removeprefix("col_"), "rule")


def can_have_points(name: str) -> bool:
    """Tell whether a helper can be a case of a sum: s(CASP) renames what ends in `_1` inside a term."""
    return not RENAMED_END.search(name)


def guard(word: str) -> str:
    """Write a word so that s(CASP) does not rename it.

    >>> guard("d_a"), guard("grp_1"), guard("plain")
    (' d_a', 'grp_1 ', 'plain')
    """
    before = " " if RENAMED_START.match(word) else ""
    after = " " if RENAMED_END.search(word.rstrip(" ")) else ""
    return before + word + after


def unguard(word: str) -> str:
    """Undo `guard`; a word written without the guard stays as it is."""
    if word.startswith(" ") and RENAMED_START.match(word):
        word = word[1:]
    return word[:-1] if word.endswith(" ") and RENAMED_END.search(word.rstrip(" ")) else word


def is_plain(name: str) -> bool:
    """Tell whether a name can stand as a predicate as it is."""
    return bool(PLAIN.fullmatch(name)) and not RENAMED_NAME.match(name) and name not in RESERVED


def why_not_plain(name: str) -> str:
    """Say why a name cannot stand as a predicate.

    >>> why_not_plain("at_least1")
    "'at_least1' is kept for s(CASP), Prolog or the model file itself; choose another name."
    """
    if PLAIN.fullmatch(name):
        return f"{name!r} is kept for s(CASP), Prolog or the model file itself; choose another name."
    return "a name is a lower-case letter, then letters, digits or _."


def claim(name: str, taken: set[str], suffixes: Sequence[str] = ()) -> str:
    """Take the nearest free predicate name, together with its suffixed forms."""
    base = name if is_plain(name) else _identifier(name)
    if not all(is_plain(base + suffix) for suffix in suffixes):
        base = f"col_{base}"  # `n` alone is fine, but s(CASP) would rename `n_is`
    candidate, n = base, 1
    while any(candidate + suffix in taken for suffix in ("", *suffixes)):
        n += 1
        candidate = f"{base}_{n}"
    taken.update(candidate + suffix for suffix in ("", *suffixes))
    return candidate


def _identifier(name: str) -> str:
    """Turn any text into a lower-case identifier."""
    slug = _slug(name)
    if not slug:
        return "col"
    return slug if is_plain(slug) else f"col_{slug}"


def _slug(text: str) -> str:
    """Keep the letters and digits of a text, with one _ for all that stands between them."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", ascii_only.lower()).strip("_")
