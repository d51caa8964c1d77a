"""Clauses without which a program decides the same: what no comparison of two clauses can find.

In: a program, and the clauses that are known to be superfluous. Out: further ones, such that all of them together can
go, and of each whether it can go alone. Decided by decision diagrams; where those do not fit into the budget,
nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.reason.compiled_programs import compile_all
from unless.logic.reason.diagrams import OutOfBudgetError

if TYPE_CHECKING:
    from collections.abc import Collection

    from unless.logic.program import Program

SECONDS = 1.0
"""Checks run while a person types."""
MAX_CLAUSES = 300


def needless_clauses(program: Program, superfluous: Collection[int]) -> dict[int, bool]:
    """Return the clauses that can go besides those known to be superfluous, and whether each can go alone."""
    if len(program.clauses) > MAX_CLAUSES:
        return {}
    left_out, found = set(superfluous), []
    try:
        compiled = compile_all([program], seconds=SECONDS)
        for i in reversed(range(len(program.clauses))):
            if (
                i not in left_out
                and _is_asked(program, i, left_out)
                and compiled.decides_the_same_without(program, {*left_out, i})
            ):
                left_out.add(i)
                found.append(i)
        return {i: compiled.decides_the_same_without(program, {i}) for i in sorted(found)}
    except OutOfBudgetError:
        return {}


def _is_asked(program: Program, index: int, left_out: Collection[int]) -> bool:
    """Tell whether a clause concludes a label, or a clause that stays asks for it; else what asked for it is found."""
    name = program.clauses[index].name
    kept = (clause for i, clause in enumerate(program.clauses) if i not in left_out)
    return name is None or any(name in clause.called for clause in kept)
