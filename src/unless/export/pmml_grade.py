"""The probability of a graded program in PMML: derived fields for the decision, the points of each card, and shares.

The numbers are those of the form, written in full; the fields are added up in its order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.logic.graded import JUST, moved
from unless.logic.program import same_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from unless.export.two_valued import DecisionForm, Test
    from unless.logic.rules import Label


def apply(function: str, *arguments: str) -> str:
    """Write a call; `function` is written as XML has it."""
    return f'<Apply function="{function}">{"".join(arguments)}</Apply>'


def whole(number: int) -> str:
    """Write a whole number."""
    return f'<Constant dataType="integer">{number}</Constant>'


def _double(number: float) -> str:
    return f'<Constant dataType="double">{number!r}</Constant>'


def _ref(name: str) -> str:
    return f'<FieldRef field="{name}"/>'


def graded_fields(form: DecisionForm, prefix: str, value: Callable[[Test], str]) -> Iterator[tuple[str, str, str]]:
    """Yield derived fields: name, type and expression. `value` writes a test as 1 or 0."""
    last = whole(0)
    for n in range(len(form.rules), 0, -1):
        holds = apply("equal", _ref(f"{prefix}rule{n}"), whole(1))
        yield f"{prefix}decision{n}", "integer", apply("if", holds, whole(n), last)
        last = _ref(f"{prefix}decision{n}")
    yield f"{prefix}decision", "integer", last
    for i, card in enumerate(form.cards):
        decided = apply("if", _decides(form, card.label, prefix), whole(card.decided), whole(0))
        points = [apply("*", whole(points), value(test)) for points, test in card.awards]
        yield f"{prefix}points{i}", "integer", _added([*points, decided])
    yield from _of_two(form, prefix) if len(form.cards) == 1 else _of_more(form, prefix)


def _of_two(form: DecisionForm, prefix: str) -> Iterator[tuple[str, str, str]]:
    card = form.cards[0]
    sides = ({n: moved(p, side) for n, p in card.probabilities.items()} for side in (True, False))
    yes, no = (_table(f"{prefix}points0", side) for side in sides)
    yield f"{prefix}probability", "double", apply("if", _decides(form, card.label, prefix), yes, no)
    if card.as_they_are is not None:
        yield f"{prefix}plain", "double", _table(f"{prefix}points0", card.as_they_are)


def _of_more(form: DecisionForm, prefix: str) -> Iterator[tuple[str, str, str]]:
    numbers = range(len(form.cards))
    for i, card in enumerate(form.cards):
        yield f"{prefix}curve{i}", "double", _table(f"{prefix}points{i}", card.probabilities)
    yield f"{prefix}whole", "double", _added([_ref(f"{prefix}curve{i}") for i in numbers])
    some = apply("greaterThan", _ref(f"{prefix}whole"), _double(0.0))
    for i in numbers:
        share = apply("/", _ref(f"{prefix}curve{i}"), _ref(f"{prefix}whole"))
        yield f"{prefix}share{i}", "double", apply("if", some, share, _double(1.0 / len(numbers)))
    said = _double(0.0)
    for i, card in enumerate(form.cards):
        others = [_ref(f"{prefix}share{j}") for j in numbers if j != i]
        largest = apply("max", *others) if len(others) > 1 else others[0]
        yield f"{prefix}moved{i}", "double", apply("max", _ref(f"{prefix}share{i}"), apply("+", largest, _double(JUST)))
        mine = _ref(f"{prefix}moved{i}")
        chance = apply("/", mine, _added([*others, mine]))
        yield f"{prefix}chance{i}", "double", apply("if", _decides(form, card.label, prefix), chance, said)
        said = _ref(f"{prefix}chance{i}")
    yield f"{prefix}probability", "double", said


def _decides(form: DecisionForm, label: Label, prefix: str) -> str:
    labels = [form.default, *(rule.label for rule in form.rules)]
    numbers = [whole(n) for n, each in enumerate(labels) if same_label(each, label)]
    return apply("isIn", _ref(f"{prefix}decision"), *numbers) if numbers else apply("equal", whole(0), whole(1))


def _added(parts: Sequence[str]) -> str:
    said = parts[0]
    for part in parts[1:]:
        said = apply("+", said, part)
    return said


def _table(field: str, probabilities: Mapping[int, float]) -> str:
    rows = "".join(f"<row><points>{n}</points><chance>{p!r}</chance></row>" for n, p in probabilities.items())
    pair = f'<FieldColumnPair field="{field}" column="points"/>'
    return f'<MapValues outputColumn="chance" dataType="double">{pair}<InlineTable>{rows}</InlineTable></MapValues>'
