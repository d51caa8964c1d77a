"""What no row can be: clauses of background knowledge that stay true whatever is changed.

In: a program and a text of clauses such as `impossible(X) :- job(X,'none'), income(X,N), N > 0.0.` over its columns,
perhaps with helpers. Out: the condition that no such clause holds, as a question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.errors import DataError
from unless.logic.program import Program, Target
from unless.logic.reason.questions import Any, BodyHolds, Not
from unless.logic.reason.reasoner import Engine
from unless.logic.text.parser import parse
from unless.logic.text.printer import header_lines

if TYPE_CHECKING:
    from unless.logic.reason.questions import Question
    from unless.logic.rules import Literal

HEAD = "impossible"


def together(program: Program, text: str, where: str = "the clauses") -> tuple[Question, tuple[Literal, ...]]:
    """Return the condition that the clauses keep to, and the literals that it tests."""
    target = Target(HEAD, (True,), False)
    header = header_lines(Program(target, program.columns, (), program.missing))
    # After the text, so that its lines keep their numbers.
    background = parse(text + "\n" + "\n".join(header))
    heads = background.clauses_for(True)
    if not heads:
        msg = f"{where} say nothing of what is {HEAD}; write clauses such as {HEAD}(X) :- age(X,N), N > 120.0."
        raise DataError(msg)
    condition = Not(Any(tuple(BodyHolds(background, clause) for clause in heads)))
    literals = tuple(literal for clause in background.clauses for literal in clause.literals)
    if Engine([program], literals).find(condition).verdict == "no":
        msg = f"{where} leave no row possible: whatever its values are, one of them holds."
        raise DataError(msg)
    return condition, literals
