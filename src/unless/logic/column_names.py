"""Names of columns, matched as people mean them: the one place where a name is looked up among those that there are.

In: the names that a program, an option or a row of a request has, and those of a table or a program. Out: what each is
called there. A name that is there as it is written wins; then one that differs only in blanks, invisible characters or
Unicode's normal form; then one that differs in case too. Names that are as near as each other match nothing, since
either could be meant: the refusal names them. What is matched otherwise than as written is said.
"""

from __future__ import annotations

import logging
import unicodedata
from typing import TYPE_CHECKING, TypeVar

from unless.errors import DataError, listing, unknown_column
from unless.logic.readings import source_column

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from unless.logic.program import Program

log = logging.getLogger("unless")

T = TypeVar("T")

INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200e\u200f\u2060"))
"""A byte-order mark, and what else is copied along unseen; joiners are spelling in some scripts, and stay."""
OTHERWISE = "column %r of the program is called %r here."
SEVERAL_OTHERWISE = "columns of the program are called otherwise here: %s."
TAKEN = "there is no column %r; %r is taken for it."


def tidy(name: str) -> str:
    r"""Return a name without what nobody sees: blanks at its ends, several in a row, line breaks, invisible marks.

    >>> tidy("\ufeffincome\u00a0 per\nyear ")
    'income per year'
    """
    return " ".join(unicodedata.normalize("NFC", name.translate(INVISIBLE)).split())


def caseless(name: str) -> str:
    """Return a tidy name for which case does not matter."""
    return unicodedata.normalize("NFC", tidy(name).casefold())


def shown_name(name: str) -> str:
    """Return a name as people read it in sentences: `marital_status` is "marital status"; of blanks alone, nothing.

    A hyphen is the table's own, as in `Schufa-Score`.
    """
    return tidy(name.replace("_", " "))


def names_alike(names: Iterable[str]) -> list[list[str]]:
    """Group names that read alike, or differ in case alone, which is one to most databases.

    >>> names_alike(["a_b", "x", "a b", "X", "y"])
    [['a_b', 'a b'], ['x', 'X']]
    """
    groups = _by_form(names, lambda name: caseless(shown_name(name)))
    return [group for group in groups.values() if len(group) > 1]


FORMS: tuple[Callable[[str], str], ...] = (tidy, caseless)
"""In what names may differ, the least first."""


def matched(names: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """Return what names are called among those known, no two of them the same; those in doubt are left out.

    >>> matched(["age", "income ", "Town"], ["income", "town", "age"])
    {'age': 'age', 'income ': 'income', 'Town': 'town'}
    >>> matched(["income"], ["income ", " income"]), matched(["x", "X"], ["x"])
    ({}, {'x': 'x'})
    """
    wanted, there = tuple(dict.fromkeys(names)), frozenset(known)
    exact = there.intersection(wanted)
    found = {name: name for name in exact}
    if len(exact) < len(wanted):
        free = [name for name in known if name not in exact]
        for form in FORMS:
            found |= _alike([name for name in wanted if name not in found], free, form)
            free = [name for name in free if name not in found.values()]
    return {name: found[name] for name in wanted if name in found}


def _alike(wanted: Iterable[str], free: Iterable[str], form: Callable[[str], str]) -> dict[str, str]:
    """Pair names that have the same form, where either side has one of it."""
    ours, theirs = _by_form(wanted, form), _by_form(free, form)
    return {mine[0]: theirs[key][0] for key, mine in ours.items() if len(mine) == len(theirs.get(key, ())) == 1}


def _by_form(names: Iterable[str], form: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(form(name), []).append(name)
    return found


def found_name(name: str, known: Collection[str], where: str = "the table") -> str:
    """Return what one name is called among those known, and say so if it is written otherwise; or refuse it."""
    called = resolved_name(name, known)
    if called not in known:
        raise DataError(no_column(name, known, where))
    return called


def resolved_name(name: str, known: Collection[str]) -> str:
    """Return the same, but the name itself where none is meant: it may stand for something else."""
    if name in known:
        return name
    called = matched([name], known).get(name)
    if called is None:
        return name
    log.warning(TAKEN, name, called)
    return called


def found_names(names: Iterable[str], known: Collection[str], where: str = "the table") -> tuple[str, ...]:
    """Return what some names are called among those known."""
    return tuple(found_name(name, known, where) for name in names)


def found_keys(said: Mapping[str, T], known: Collection[str], where: str = "the table") -> dict[str, T]:
    """Return what is said of columns, by what these are called among those known."""
    return {found_name(name, known, where): each for name, each in said.items()}


def resolved_keys(said: Mapping[str, T], known: Collection[str]) -> dict[str, T]:
    """Return the same, under the names themselves where no column is meant."""
    return {resolved_name(name, known): each for name, each in said.items()}


def no_column(name: str, known: Iterable[str], where: str = "the table") -> str:
    """Say that a column is absent and which there are, or which of them could be meant as well as each other."""
    every = tuple(known)
    for form in FORMS:
        near = [other for other in every if form(other) == form(name)]
        if len(near) > 1:
            differ = f"{listing(map(repr, near))} differ from it only in blanks, invisible characters or case"
            return f"column {name!r} is not in {where}, and {differ}. Hint: give all but one of them another name."
    return unknown_column(name, every, where)


def sought_names(program: Program) -> tuple[str, ...]:
    """Return the names that a program looks for in a table: its columns, the dates they are parts of, the labels."""
    own = [column for column in program.columns if not column.atoms]
    return tuple(dict.fromkeys((*(c.name for c in own), *map(source_column, own), program.target.column)))


def remark_names(called: Mapping[str, str]) -> None:
    """Say which columns of a program have other names in a table, if any; `called` has the table's by the program's."""
    note = names_note(called)
    if note:
        log.warning(*note)


def names_note(called: Mapping[str, str]) -> tuple[str, ...]:
    """Return that as a sentence with gaps and what fills them; nothing where all names are the same."""
    other = [(name, found) for name, found in called.items() if name != found]
    if len(other) > 1:
        return SEVERAL_OTHERWISE, listing(f"{name!r} = {found!r}" for name, found in other)
    return (OTHERWISE, *other[0]) if other else ()
