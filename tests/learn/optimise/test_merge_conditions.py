"""Conditions of a scorecard that say together what fewer say: merged, and every row decided as before."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from coded_tables import coded_tables, every_test, grower_of, learnable, said, state_of, table_of_values
from unless.learn.optimise.bins import make_bins, make_test
from unless.learn.optimise.body.scorecard_board import MAX_POINTS
from unless.learn.optimise.body.scorecards import Score
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_LE, ONE_OF
from unless.learn.optimise.merge_conditions import merge_conditions, shortened
from unless.logic.rules import Literal, Scorecard

NUMBERS = [1.0, 2.0, 3.0, 4.0] * 4
WORDS = ["yes", "no", "none", "no"] * 4


def bins_of(**columns):
    table = table_of_values(**columns)
    return make_bins(table, np.ones(table.n_rows, dtype=np.int64))


def shortened_card(bins, threshold, *parts, kinds=None):
    """Shorten a card whose last part stands on column 1, and say it in words."""
    score = Score((*parts, (3, make_test(bins, 1, GT, 0))), threshold)
    (condition,) = said(bins, [shortened(bins, score, bins.kinds if kinds is None else kinds)])
    return condition


def test_the_same_condition_twice_gets_the_points_of_both():
    bins = bins_of(x=NUMBERS, y=NUMBERS)
    low = make_test(bins, 0, LE, 1)
    card = shortened_card(bins, 3, (1, low), (1, low))
    assert card == Scorecard(((2, Literal("x", "=<", 2.0)), (3, Literal("y", ">", 1.0))), 3)


def test_points_for_either_side_of_a_threshold_are_points_for_nothing():
    """A program said "2 if f9 is at most 3, 2 if f9 is above 3": four lines to read that add 2 to every row."""
    bins = bins_of(x=NUMBERS, y=NUMBERS, z=NUMBERS)
    either = ((2, make_test(bins, 0, LE, 1)), (2, make_test(bins, 0, GT, 1)))
    card = shortened_card(bins, 4, *either, (1, make_test(bins, 2, LE, 2)))
    assert card == Scorecard(((1, Literal("z", "=<", 3.0)), (2, Literal("y", ">", 1.0))), 2)
    more = shortened_card(bins, 4, (1, either[0][1]), either[1], (1, make_test(bins, 2, LE, 2)))
    assert more == Scorecard(
        ((1, Literal("x", ">", 2.0)), (1, Literal("z", "=<", 3.0)), (3, Literal("y", ">", 1.0))), 3
    )


def test_one_condition_left_is_no_sum():
    bins = bins_of(x=NUMBERS, y=NUMBERS)
    either = ((2, make_test(bins, 0, LE, 1)), (2, make_test(bins, 0, GT, 1)))
    assert shortened_card(bins, 4, *either) == Literal("y", ">", 1.0)


def test_all_words_but_one_are_said_by_that_one():
    """A table of customers got "1 if streaming is Yes, 1 if streaming is No", beside a third word."""
    bins = bins_of(w=WORDS, y=NUMBERS)
    parts = tuple((1, make_test(bins, 0, ONE_OF, 0, (word,))) for word in (0, 2))
    assert said(bins, [parts[0][1], parts[1][1]]) == (Literal("w", "=", "no"), Literal("w", "=", "yes"))
    card = shortened_card(bins, 3, *parts)
    assert card == Scorecard(((1, Literal("w", "!=", "none")), (3, Literal("y", ">", 1.0))), 3)


def test_what_may_not_be_tested_is_not_made():
    bins = bins_of(w=WORDS, y=NUMBERS)
    parts = tuple((1, make_test(bins, 0, ONE_OF, 0, (word,))) for word in (0, 2))
    without = bins.kinds & ~(1 << NONE_OF)
    assert len(shortened_card(bins, 3, *parts, kinds=without).awards) == 3


def test_blank_cells_are_told_from_either_side():
    """With blanks, "at most 2" and "above 2" together say that there is a number: that is not nothing."""
    bins = bins_of(x=[*NUMBERS[:-1], None], y=NUMBERS)
    either = ((2, make_test(bins, 0, LE, 1)), (2, make_test(bins, 0, GT, 1)))
    assert len(shortened_card(bins, 5, *either).awards) == 3
    complement = ((2, make_test(bins, 0, LE, 1)), (2, make_test(bins, 0, NOT_LE, 1)))
    assert shortened_card(bins, 5, *complement) == Literal("y", ">", 1.0)


@st.composite
def cards(draw):
    """Draw a table, and a scorecard over it, often with several conditions on a column."""
    table = draw(coded_tables())
    bins = make_bins(table, np.ones(table.n_rows, dtype=np.int64))
    tests = list(every_test(bins))
    assume(tests)
    some = draw(st.lists(st.sampled_from(tests), min_size=2, max_size=5))
    parts = tuple((draw(st.integers(1, MAX_POINTS)), test) for test in some)
    return bins, Score(parts, draw(st.integers(1, sum(points for points, _ in parts))))


@given(cards())
def test_rows_are_decided_as_before_and_less_is_to_be_read(drawn):
    bins, score = drawn
    rows = np.arange(bins.n_rows)
    merged = shortened(bins, score, bins.kinds)
    assert merged.truth(bins, rows).tolist() == score.truth(bins, rows).tolist()
    assert merged == score or merged.size < score.size
    assert shortened(bins, merged, bins.kinds) == merged if isinstance(merged, Score) else True
    for points, _ in merged.parts if isinstance(merged, Score) else ():
        assert 1 <= points <= MAX_POINTS


def test_a_program_costs_less_and_errs_as_before():
    table, y = learnable(3)
    state = state_of(table, y)
    low, high = make_test(state.bins, 0, LE, 20), make_test(state.bins, 0, NOT_LE, 20)
    node = state.add(None, (Score(((1, low), (2, make_test(state.bins, 3, GT, 10)), (1, low)), 2),))
    state.add(node, (Score(((1, high), (1, low), (1, make_test(state.bins, 1, ONE_OF, 0, (1,)))), 2),))
    size, errors, before = state.size, state.errors(), grower_of(state, 1.0).objective()
    merge_conditions(state, (state.bins.kinds, state.bins.kinds))
    assert (state.size, state.errors()) == (size - 4, errors)
    assert grower_of(state, 1.0).objective() == before - 4
