"""Programs as diagrams: they decide like `holds` in every cell; equal exactly where brute force finds no row."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from random_programs import AWKWARD, DENSE, edited, programs
from unless.logic.holds import decide
from unless.logic.program import same_label
from unless.logic.reason.column_cells import space_of
from unless.logic.reason.compiled_programs import compile_all

MANY = 20_000


def all_cells(space):
    return product(*(range(len(cells)) for cells in space.cells.values()))


@given(programs(AWKWARD) | programs(DENSE))
def test_a_compiled_program_decides_like_holds_in_every_cell(program):
    compiled = compile_all([program])
    if compiled.space.size > MANY:
        return
    for cells in all_cells(compiled.space):
        row = compiled.space.row(cells)
        assert compiled.space.indices(row) == cells
        assert same_label(compiled.decides(compiled.decisions[0], row), decide(program, row))


@given(edited(AWKWARD) | edited(DENSE))
def test_two_programs_are_equal_exactly_where_no_row_tells_them_apart(pair):
    old, new = pair
    compiled = compile_all([old, new])
    if compiled.space.size > MANY:
        return
    rows = map(compiled.space.row, all_cells(compiled.space))
    differs = any(not same_label(decide(old, row), decide(new, row)) for row in rows)
    witness = compiled.witness(compiled.difference(*compiled.decisions))
    assert (witness is not None) == differs
    assert (compiled.decisions[0] != compiled.decisions[1]) == differs
    if witness is not None:
        assert not same_label(decide(old, witness), decide(new, witness))


@given(programs(AWKWARD), st.data())
def test_the_cells_of_a_column_divide_its_values(program, data):
    space = space_of([program])
    for column, cells in space.cells.items():
        value = data.draw(st.one_of(st.none(), AWKWARD.words, AWKWARD.numbers))
        if program.kinds[column] == "categorical" and isinstance(value, float):
            continue
        assert sum(value in cell.region for cell in cells) == 1
        assert all(cell.value in cell.region for cell in cells)


@given(programs(DENSE, at_least=1), st.data())
def test_the_cheapest_way_is_the_cheapest_of_all_rows(program, data):
    compiled = compile_all([program])
    space = compiled.space
    here = [data.draw(st.integers(0, len(cells) - 1)) for cells in space.cells.values()]
    costs = [
        [0.0 if i == at else float(data.draw(st.sampled_from((1, 2, 3, float("inf"))))) for i in range(len(cells))]
        for at, cells in zip(here, space.cells.values(), strict=True)
    ]
    for label in compiled.labels:
        wanted = [
            sum(cost[i] for cost, i in zip(costs, cells, strict=True))
            for cells in all_cells(space)
            if same_label(decide(program, space.row(cells)), label)
        ]
        cost, cells = compiled.cheapest(compiled.where(compiled.decisions[0], label), costs)
        assert cost == min(wanted, default=float("inf"))
        if cost < float("inf"):
            assert same_label(decide(program, space.row(cells)), label)
