"""Answers to a question, confirmed and proved by s(CASP).

In: a program, a query, and the answers that `explain.proof.ask` finds. Out: the same answers, proved by s(CASP). It is
asked only what must succeed, as with labels: what holds in an answer, and the denial of what does not. Where a question
leaves the label open, s(CASP) must also deny every label that is no answer. If it does not prove this, that is a
disagreement, and an error.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from unless.errors import EngineError
from unless.explain.proof.prover import Prover
from unless.explain.proof.query import QueryGoal
from unless.explain.proof.tree import LiteralNode
from unless.explain.scasp.engine import BATCH, TIMEOUT, TOO_DEEP, ask_engine, find_scasp, tree_of
from unless.explain.scasp.reader import read_nodes
from unless.explain.scasp.writer import EngineProgram, facts_text, related_text
from unless.logic.terms import Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from unless.explain.proof.query import Answer, Query
    from unless.explain.proof.tree import Node
    from unless.explain.scasp.engine import Related
    from unless.logic.program import Program


def answer_by_scasp(
    program: Program,
    query: Query,
    answers: Iterable[Answer],
    *,
    timeout: float = TIMEOUT,
    about: Callable[[int], Related] | None = None,
) -> Iterator[Answer]:
    """Have s(CASP) prove answers, some of them in a process; `about` gives the facts beside a row, if any."""
    command = find_scasp()
    found = iter(answers)
    while some := list(islice(found, BATCH)):
        yield from _prove(program, query, some, command, timeout, about)


def _prove(
    program: Program,
    query: Query,
    answers: Sequence[Answer],
    command: list[str],
    timeout: float,
    about: Callable[[int], Related] | None,
) -> Iterator[Answer]:
    tests = {node.literal for answer in answers for node in answer.proof.reasons if isinstance(node, LiteralNode)}
    engine = EngineProgram(program, tuple(sorted(tests, key=repr)))
    text = engine.text + facts_text(program, {i: answer.proof.values for i, answer in enumerate(answers)})
    if about is not None:
        text += "".join(related_text(i, *about(answer.row)) for i, answer in enumerate(answers))
    goals = [[engine.goal_of(node, i) for node in answer.proof.reasons] for i, answer in enumerate(answers)]
    queries = [
        ", ".join(filter(None, [*own, *(engine.goal_of(node, i) for node in _denied(program, query, answer))]))
        for i, (own, answer) in enumerate(zip(goals, answers, strict=True))
    ]
    replies = iter(ask_engine([*command, *engine.options], text, [query for query in queries if query], timeout))
    for own, asked, answer in zip(goals, queries, answers, strict=True):
        if not asked:
            yield answer
            continue
        tree = tree_of(next(replies), asked, f"answers {'yes' if answer.holds else 'no'}", answer.proof)
        try:
            read = iter(read_nodes(engine, answer.proof, tree, sum(map(bool, own))))
        except RecursionError:
            raise EngineError(TOO_DEEP) from None
        reasons = tuple(next(read) if goal else node for goal, node in zip(own, answer.proof.reasons, strict=True))
        yield replace(answer, proof=replace(answer.proof, reasons=reasons))


def _denied(program: Program, query: Query, answer: Answer) -> list[Node]:
    """Return the labels that are no answers to a question which leaves the label open."""
    is_open = any(
        isinstance(goal, QueryGoal) and goal.subject == "target" and isinstance(goal.value, Variable)
        for goal in query.goals
    )
    if not is_open or not answer.holds:
        return []
    prover = Prover(program, answer.proof.values)
    nodes = [prover.label(i) for i in range(len(program.target.labels))]
    return [node for node in nodes if not node.holds]
