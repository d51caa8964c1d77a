"""What the background says apart from rows: worked out by clingo, a complete answer-set solver.

In: clauses and facts that touch no column, and conjunctions of goals. Out: the answers of each conjunction. Recursion
(`part_of(A,C) :- part_of(A,B), part_of(B,C)`) and stratified negation are clingo's business, not ours. Its numbers are
whole and of 32 bits: others travel through it as opaque terms, which it can match but not compare, so an order between
them is refused here and left to `predicates`, which compares the numbers of columns itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unless.errors import ProgramError, UnlessError
from unless.logic.background.clauses import AtomGoal, ComparisonGoal
from unless.logic.rules import NUMBER_OPS, OPERATORS
from unless.logic.terms import Term, Variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unless.logic.background.clauses import BackgroundClause
    from unless.logic.terms import Atom

Answer = dict[Variable, Term]
LARGEST = 2**31 - 1


def answers(sentences: Sequence[BackgroundClause], queries: Sequence[Sequence[AtomGoal]]) -> list[list[Answer]]:
    """Return the answers of each conjunction, in one order whatever the engine's."""
    variables = [sorted({v for goal in query for v in goal.variables}) for query in queries]
    control = _control()
    lines = [_sentence_text(sentence) for sentence in sentences]
    for index, (query, names) in enumerate(zip(queries, variables, strict=True)):
        terms = ",".join([str(index), *(_variable_text(name) for name in names)])
        lines.append(f"answer_({terms}) :- {', '.join(_goal_text(goal) for goal in query)}.")
    found: list[list[Answer]] = [[] for _ in queries]
    for index, *values in _answer_terms(control, "\n".join(lines)):
        found[index].append(dict(zip(variables[index], values, strict=True)))
    return [sorted(rows, key=lambda row: [(isinstance(v, str), v) for v in row.values()]) for rows in found]


def _control() -> Any:
    try:
        import clingo
    except ImportError:
        msg = "this background needs clingo, which is not installed. Hint: pip install 'unless[background]'."
        raise UnlessError(msg) from None
    return clingo.Control(["--warn=none"], logger=lambda _code, _message: None)


def _answer_terms(control: Any, text: str) -> list[list[Any]]:
    """Solve a program and return the arguments of its answer atoms."""
    try:
        control.add("base", [], text + "\n#show answer_/0.\n")
        control.ground([("base", [])])
    except RuntimeError as error:
        msg = f"clingo cannot use the background: {error}. A variable may occur in no positive goal of its clause."
        raise ProgramError(msg) from None
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None, "a stratified program has exactly one answer set"
        atoms = [symbol for symbol in model.symbols(atoms=True) if symbol.name == "answer_"]
    return [[_first(atom), *map(_value, atom.arguments[1:])] for atom in atoms]


def _first(atom: Any) -> int:
    index: int = atom.arguments[0].number
    return index


def _value(symbol: Any) -> Term:
    if symbol.type.name == "Number":
        return float(symbol.number)
    if symbol.type.name == "Function":
        return float(symbol.arguments[0].string)
    text: str = symbol.string
    return text


def _sentence_text(sentence: BackgroundClause) -> str:
    head = _atom_text(sentence.head)
    for goal in sentence.body:
        if isinstance(goal, ComparisonGoal) and goal.op in NUMBER_OPS:
            for term in (goal.left, goal.right):
                if isinstance(term, float) and not _is_whole(term):
                    msg = f"{term:g} is compared where no column is; clingo compares whole numbers only."
                    raise sentence.error(msg)
    return f"{head} :- {', '.join(map(_goal_text, sentence.body))}." if sentence.body else f"{head}."


def _goal_text(goal: AtomGoal | ComparisonGoal) -> str:
    if isinstance(goal, ComparisonGoal):
        op = OPERATORS[goal.op]
        return f"{_term_text(goal.left)} {op.answer_set or op.symbol} {_term_text(goal.right)}"
    return f"{'not ' if goal.negated else ''}{_atom_text(goal.atom)}"


def _atom_text(atom: Atom) -> str:
    """Write an atom; the prefix keeps its name apart from clingo's own words."""
    terms = ",".join(map(_term_text, atom.terms))
    return f"p_{atom.name}({terms})" if terms else f"p_{atom.name}"


def _variable_text(variable: Variable) -> str:
    return "V_" + variable.name.replace(":", "_")


def _term_text(term: Term) -> str:
    if isinstance(term, Variable):
        return _variable_text(term)
    if isinstance(term, float):
        return str(int(term)) if _is_whole(term) else f'decimal("{term!r}")'
    return '"' + term.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _is_whole(number: float) -> bool:
    return number.is_integer() and abs(number) <= LARGEST
