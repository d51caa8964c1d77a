"""The probability of a graded program in Prolog: points by card, a table from points to probabilities, and shares.

The numbers are those of the form, written in full, and added in its order: Prolog's floats are doubles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unless.export.prolog_constants import number_text, quoted
from unless.logic.graded import JUST, moved
from unless.logic.program import label_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unless.export.two_valued import DecisionForm, Test

SHARES = """
probability(Cells, Label, Probability) :-
    findall(Of-Share, ( card(N, Of), points_of(N, Cells, Label, Points), curve(N, Points, Share) ), All),
    findall(Share, member(_-Share, All), Curves),
    sum_list(Curves, Whole),
    length(Curves, Count),
    findall(Of-Share, ( member(Of-Curve, All), share(Whole, Count, Curve, Share) ), Shares),
    memberchk(Label-Mine, Shares),
    findall(Share, ( member(Of-Share, Shares), Of \\== Label ), Others),
    max_list(Others, Largest),
    Moved is max(Mine, Largest + {just}),
    sum_list([Moved|Others], Sum),
    Probability is Moved / Sum.

share(Whole, _, Curve, Share) :- Whole > 0, !, Share is Curve / Whole.
share(_, Count, _, Share) :- Share is 1.0 / Count.
"""


def graded_clauses(form: DecisionForm, all_cells: str, goal: Callable[[Test], str]) -> Iterator[str]:
    """Yield the clauses of `decide/4` and `probability_as_they_are/2`; `goal` writes a test over `all_cells`."""
    yield "decide(Row, Label, Rule, Probability) :-"
    yield "    columns(Columns), read_cells(Columns, Row, Cells), decided(Cells, Label, Rule),"
    yield "    probability(Cells, Label, Probability)."
    cards = [(n, card, quoted(label_text(card.label))) for n, card in enumerate(form.cards, 1)]
    yield from (f"card({n}, {label})." for n, _, label in cards)
    yield "award(0, 0, 0, _).  % a card may be without any"
    for n, card, _ in cards:
        for k, (points, test) in enumerate(card.awards, 1):
            yield f"award({n}, {k}, {points}, {all_cells}) :- once({goal(test)})."
    for n, card, label in cards:
        yield f"points_of({n}, Cells, Label, Points) :-"
        yield f"    findall(P, award({n}, _, P, Cells), Found), sum_list(Found, Sum),"
        yield f"    ( Label == {label} -> Points is Sum + {card.decided} ; Points = Sum )."
    if len(form.cards) > 1:
        for n, card, _ in cards:
            yield from _table(f"curve({n}, ", card.probabilities)
        yield SHARES.format(just=repr(JUST)).strip()
        return
    _, card, label = cards[0]
    if card.as_they_are is not None:
        yield "probability_as_they_are(Row, Probability) :-"
        yield "    columns(Columns), read_cells(Columns, Row, Cells), decided(Cells, Label, _),"
        yield "    points_of(1, Cells, Label, Points), curve(plain, Points, Probability)."
    yield f"probability(Cells, {label}, P) :- !, points_of(1, Cells, {label}, Points), curve(yes, Points, P)."
    yield "probability(Cells, Label, P) :- points_of(1, Cells, Label, Points), curve(no, Points, P)."
    for side in (True, False):
        moved_to = {n: moved(p, side) for n, p in card.probabilities.items()}
        yield from _table(f"curve({'yes' if side else 'no'}, ", moved_to)
    yield from _table("curve(plain, ", card.as_they_are or {})


def _table(head: str, probabilities: Mapping[int, float]) -> Iterator[str]:
    yield from (f"{head}{points}, {number_text(p)})." for points, p in probabilities.items())
