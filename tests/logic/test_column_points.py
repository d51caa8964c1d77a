"""The points of a card by column: every value in one entry, from 0, and for every row the card's own total."""

from __future__ import annotations

import math
from functools import partial

from hypothesis import example, given
from hypothesis import strategies as st

from unless.logic.forms.column_points import points_by_column, values_of
from unless.logic.grade import Award, Blank, Both, Card, Decided
from unless.logic.holds import awards_that_hold
from unless.logic.readings import read_column_cell
from unless.logic.rules import NUMBER_OPS, Column, Literal, OneOf

AGE, INCOME, TOWN = Column("age", "numerical"), Column("income", "numerical"), Column("town", "categorical")
COLUMNS = (AGE, INCOME, TOWN)
BOUNDS = (-1.5, 0.0, 0.1, 1 / 3, 2.0, 3.0, 5e-324, 1e22)
WORDS = ("Bath", "Leeds", "retired", "it's")
UNSEEN = "York"


def word_tests(column):
    words = st.sampled_from(WORDS)
    return st.one_of(
        st.just(Blank(column)),
        st.builds(Literal, st.just(column), st.sampled_from(["=", "!="]), words),
        st.builds(OneOf, st.just(column), st.lists(words, min_size=1, unique=True).map(tuple), st.booleans()),
    )


def number_tests(column):
    return st.builds(Literal, st.just(column), st.sampled_from(sorted(NUMBER_OPS)), st.sampled_from(BOUNDS))


# Words among the numbers of age and income: `retired` beside years, say.
CELLS = st.one_of(*map(number_tests, ("age", "income")), *map(word_tests, ("age", "income", "town")))
POINTS = st.integers(-20, 20).filter(bool)
AWARDS = st.one_of(
    st.builds(Award, POINTS, CELLS, st.booleans()),
    st.builds(Award, POINTS, st.builds(Both, CELLS, CELLS), st.booleans()),
    st.builds(Award, POINTS, st.just(Decided())),
)
CARDS = st.lists(AWARDS, max_size=8).map(lambda awards: Card("yes", tuple(awards), 0.5, -1.0))

NUMBERS = [near for bound in BOUNDS for near in (bound, math.nextafter(bound, -9), math.nextafter(bound, 1e300))]
RAW = [None, "", math.nan, "nan", UNSEEN, *WORDS, *NUMBERS]
CELL = {column.name: st.sampled_from(RAW).map(partial(read_column_cell, column)) for column in COLUMNS}
# No table may hold infinite numbers, but `holds` knows what is true of them.
INFINITE = st.sampled_from([math.inf, -math.inf])
ROWS = st.fixed_dictionaries({"age": CELL["age"] | INFINITE, "income": CELL["income"] | INFINITE, "town": CELL["town"]})


def added_up(card, row, decided):
    """Add up what a person finds beside the values of a row, and the lines that hold."""
    by_column = points_by_column(card, COLUMNS)
    lines = awards_that_hold(Card("yes", by_column.lines, 0.5, -1.0), row, decided)
    entries = [each.entry(row[each.column.name]) for each in by_column.columns]
    return by_column.start + sum(entry.points for entry in entries) + sum(award.points for award in lines)


@given(CARDS, ROWS, st.sampled_from(["yes", "no"]))
@example(  # conditions below 0: a blank cell, which meets none, has the most of its column
    Card("yes", (Award(-10, Literal("age", ">", 2.0)), Award(-3, Literal("age", "=<", 2.0))), 0.5, -1.0),
    {"age": None, "income": 1.0, "town": UNSEEN},
    "no",
)
def test_points_by_column_add_up_to_the_total_of_the_card(card, row, decided):
    assert added_up(card, row, decided) == sum(award.points for award in awards_that_hold(card, row, decided))


@given(CARDS, ROWS)
def test_every_value_is_in_one_entry_and_the_lowest_is_0(card, row):
    for each in points_by_column(card, COLUMNS).columns:
        assert sum(entry.values.has(row[each.column.name]) for entry in each.entries) == 1
        assert min(entry.points for entry in each.entries) == 0
        assert max(entry.points for entry in each.entries) > 0


@given(CARDS)
def test_lines_ask_more_than_one_column_or_the_rules(card):
    for award in points_by_column(card, COLUMNS).lines:
        parts = award.condition
        assert isinstance(parts, Decided) or parts.first.column != parts.second.column


@given(CELLS, ROWS)
def test_values_of_a_condition_are_those_for_which_it_holds(condition, row):
    card = Card("yes", (Award(1, condition),), 0.5, -1.0)
    assert values_of(condition).has(row[condition.column]) == bool(awards_that_hold(card, row, "no"))


def entries(column, *awards):
    by_column = points_by_column(Card("yes", tuple(Award(*award) for award in awards), 0.5, -1.0), [column])
    (found,) = by_column.columns
    return by_column.start, [(entry.points, entry.values) for entry in found.entries]


def test_neighbours_with_the_same_points_are_one_range():
    start, found = entries(AGE, (3, Literal("age", ">", 2.0)), (-3, Literal("age", ">", 3.0)), (3, Blank("age")))
    assert start == 0
    assert [points for points, _ in found] == [0, 3, 0, 0, 3]  # at most 2, above 2 up to 3, above 3, a word, blank
    start, found = entries(
        AGE, (3, Literal("age", ">", 2.0)), (1, Literal("age", ">", 3.0)), (-1, Literal("age", ">", 3.0))
    )
    assert [points for points, _ in found] == [0, 3, 0]


def test_words_with_the_same_points_are_one_entry():
    start, found = entries(TOWN, (-4, OneOf("town", ("Bath", "Leeds"))), (-2, Literal("town", "=", "York")))
    assert start == -4
    assert [points for points, _ in found] == [2, 0, 4]
    assert [values.words for _, values in found] == [{"York"}, {"Bath", "Leeds"}, {"Bath", "Leeds", "York"}]
    assert found[2][1].has("Wells")
    assert found[2][1].has(None)


def test_a_column_whose_values_all_get_the_same_is_none():
    card = Card("yes", (Award(2, Literal("age", ">", 1.0)), Award(-2, Literal("age", ">", 1.0))), 0.5, -1.0)
    assert points_by_column(card, COLUMNS).columns == ()
    same = Card(
        "yes", (Award(2, OneOf("town", ("Bath",))), Award(2, OneOf("town", ("Bath",), negated=True))), 0.5, -1.0
    )
    assert points_by_column(same, COLUMNS).start == 2
    assert points_by_column(same, COLUMNS).columns == ()


def test_two_conditions_on_one_column_are_a_part_of_the_column():
    both = Both(Literal("age", ">", 1.0), Literal("age", "=<", 3.0))
    by_column = points_by_column(Card("yes", (Award(2, both),), 0.5, -1.0), COLUMNS)
    assert by_column.lines == ()
    assert [entry.points for entry in by_column.columns[0].entries] == [0, 2, 0, 0]
