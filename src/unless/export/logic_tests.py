"""Small tests beside exports to Prolog and clingo: some rows of a replay, and what was decided of them.

`swipl rules.test.pl` says nothing and ends with 0, and `clingo rules.lp rules.test.lp` says SATISFIABLE, where the rows
are decided as the program does.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from unless.export.clingo_program import facts_of
from unless.export.clingo_program import quoted as text
from unless.export.from_program import decision_form
from unless.export.prolog_program import quoted as atom
from unless.export.replay.on_prolog import row_pairs
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unless.export.replay.answers import EngineAnswer
    from unless.export.vectors import Cell
    from unless.export.verify import Replayed
    from unless.logic.program import Program

N_ROWS = 300
PROLOG = """% Replays rows on {name}: swipl {test} says nothing and ends with 0.
:- use_module({module}).
:- initialization(main, main).
main :- forall(row(Row, Label, Rule), right(Row, Label, Rule)).
right(Row, Label, Rule) :- decisions:decide(Row, Label, Rule), !.
right(Row, _, _) :- print_message(error, format("decided otherwise: ~q", [Row])), fail.
"""


def _decided(replayed: Replayed) -> Iterator[tuple[dict[str, Cell], EngineAnswer]]:
    """Yield the first rows that are not refused, with their answers."""
    pairs = (
        (row, answer)
        for kind, vectors in replayed.rows.items()
        for row, answer in zip(vectors.as_dicts(), replayed.answers[kind], strict=True)
    )
    return islice((pair for pair in pairs if not pair[1].is_refused), N_ROWS)


def prolog_test(name: str, test: str, replayed: Replayed) -> str:
    """Write a test for SWI-Prolog."""
    head = PROLOG.format(name=name, test=test, module=atom(name))
    rows = (
        f"row([{row_pairs(row)}], {atom(_label(answer))}, {atom(answer.rule or '')}).\n"
        for row, answer in _decided(replayed)
    )
    return head + "".join(rows)


def clingo_test(name: str, test: str, program: Program, replayed: Replayed) -> str:
    """Write facts of rows, and that each is decided so."""
    form = decision_form(program)
    lines = [f"% Replays rows on {name}: clingo {name} {test} says SATISFIABLE."]
    for n, (row, answer) in enumerate(_decided(replayed), 1):
        rule = f"rule({n}, {text(answer.rule)})" if answer.rule else f"not rule({n}, _)"
        lines += [*facts_of(form, n, row), f"right({n}) :- predicted({n}, {text(_label(answer))}), {rule}."]
    return "\n".join([*lines, ":- row(X), not right(X)."]) + "\n"


def _label(answer: EngineAnswer) -> str:
    assert answer.label is not None
    return label_text(answer.label)
