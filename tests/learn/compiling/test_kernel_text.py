"""Compiled, a function says what it says in Python; what is outside of the language is refused with its line."""

from __future__ import annotations

import copy
import math
import os
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless.errors import UnlessError
from unless.learn.compiled import DO_NOT_COMPILE, Kernel, _parts_of, helper, kernel
from unless.learn.compiling.kernel_text import KernelText
from unless.learn.compiling.kernel_values import INT

pytestmark = pytest.mark.skipif(bool(os.environ.get("UNLESS_DISABLE_JIT")), reason="nothing is compiled")

LIMIT, SHARE = 7, 0.25
WHOLE = st.integers(-1000, 1000)


class Pair(NamedTuple):
    cells: np.ndarray
    weight: float


@helper
def halves(a: int, b: float):
    """Return two numbers of two types, by two ways."""
    if a < 0:
        return -a // 2, b
    return a // 2, b * SHARE


def arithmetic(a: int, b: int, c: float):
    d = b if b else 1
    e, f = halves(a, c)
    g = a % d + a // d
    g += (a ^ b) & 255 | b >> 1
    h = max(a, b, 3) - min(a, c)
    return g, h, e, f, -a * c, a / d, abs(b), abs(c), round(c), not a, a < b <= LIMIT, a in (1, 2, b)


def control(n: int, limit: int):
    total, last = 0, -1
    for i in range(n):
        if i == limit:
            break
        if i % 3 == 0 and (i > 4 or limit > 5):
            continue
        total += i
        i += 100  # noqa: PLW2901  # a loop counts by itself
        last = i
    for i in range(n - 1, -1, -1):
        total += i * i
    while total > 50:
        total -= 17 if total & 1 else 4
        if total < limit:
            return total, last
    x, y = (total, 1) if n > limit else (last, 2)
    return x + 0.5, y


def cells(pair: Pair, rows, out):
    out[:] = 0
    for i in range(len(rows)):
        line = pair.cells[rows[i]]
        for j in range(pair.cells.shape[1]):
            out[i] += line[j] * pair.weight + pair.cells[rows[i], j]
    return math.exp(-pair.weight) + math.log(2.0 + len(out)), math.sqrt(pair.weight), math.log2(8), math.inf


@given(WHOLE, WHOLE, st.floats(-100, 100))
def test_arithmetic_is_that_of_python(a, b, c):
    assert compiled_arithmetic(a, b, c) == arithmetic(a, b, c)


@given(st.integers(0, 30), st.integers(-5, 20))
def test_loops_branches_and_returns(n, limit):
    assert compiled_control(n, limit) == control(n, limit)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64, np.bool_])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_cells_and_layout(dtype, order):
    chance = np.random.default_rng(0)
    pair = Pair(np.asarray(chance.integers(-3, 3, (6, 4)).astype(dtype), order=order), 1.5)
    for rows in (np.array([5, 0, 3]), np.arange(6, dtype=np.int32)[::2]):
        one, other = np.ones(len(rows)), np.ones(len(rows))
        assert Kernel(cells)(pair, rows, one) == pytest.approx(cells(pair, rows, other), rel=1e-15)
        assert one.tolist() == other.tolist()


@helper
def total(cells: np.ndarray) -> float:
    found = 0.0
    for i in range(len(cells)):
        found += cells[i]
    return found


def total_of_first(cells: np.ndarray, n: int):
    return total(cells[:n]), len(cells[:n]), len(cells)


@pytest.mark.parametrize("step", [1, 2])
def test_the_first_cells_of_an_array_are_an_array(step):
    cells = np.arange(12.0)[::step]
    assert Kernel(total_of_first)(cells, 4) == total_of_first(cells, 4) == (step * 6.0, 4, len(cells))


class Outer(NamedTuple):
    pair: Pair
    most: int


def made(outer: Outer, rows, weight: float):
    pair = Pair(outer.pair.cells, weight)  # the cells of one, the weight of another
    again = Outer(pair, outer.most + 1)
    heavier = again._replace(pair=pair._replace(weight=weight + 1.0))
    out = again.pair.cells[rows[0], 0] * again.pair.weight + outer.pair.weight + heavier.pair.weight + heavier.most
    return out, again.most, total(pair.cells[rows[1]]), bool(again.most), math.pow(weight, 1 / 3)


@given(st.floats(0.0, 1e6), WHOLE)
def test_records_are_made_of_what_is_there_and_hold_others(weight, most):
    outer = Outer(Pair(np.arange(6.0).reshape(2, 3), 0.5), most)
    rows = np.array([1, 0])
    assert kernel(made)(outer, rows, weight) == made(outer, rows, weight)


class Named(NamedTuple):
    cells: np.ndarray


class Kept(Named):
    """A record that remembers how kernels see it."""


def test_a_copy_of_a_record_has_its_own_arrays():
    first = Kept(np.array([1.0, 2.0]))
    add_up = Kernel(total_of_record)
    assert add_up(first) == 3.0
    other = copy.deepcopy(first)
    first.cells[:] = 0.0
    assert (add_up(first), add_up(other)) == (0.0, 3.0)


def total_of_record(record: Named):
    return total(record.cells)


def test_what_is_kept_goes_by_the_fields_of_records_too(monkeypatch):
    found = []
    for fields in ("cells weight", "weight cells"):
        monkeypatch.setitem(made.__globals__, "Pair", namedtuple("Pair", fields))
        found.append(list(_parts_of(made, set())))
    assert found[0] != found[1]


def test_whole_numbers_have_64_bits():
    assert compiled_spread(2**62) == ((2**62 * 5 + 2**63) % 2**64) - 2**63


def spread(x: int):
    return x * 5


def with_a_literal(a: int):
    first, _ = halves(0, 1)
    second, _ = halves(a, a)
    return first + second


def test_a_literal_is_of_the_type_of_a_variable():
    """Kernels passed `n - n` for 0, for a compiler that compiled a helper anew where an argument was a literal."""
    text = KernelText()
    text.whole("kernel", with_a_literal, [INT])
    assert sum("@halves." in one.partition("(")[0] for one in text.functions) == 1


def listed(x: int):
    return [x]


def from_the_end(values):
    return values[-1]


def without_the_first(values):
    return len(values[1:])


def over_values(values):
    total = 0
    for one in values:
        total += one
    return total


def half_a_record(values):
    pair = Pair(values)
    return pair.weight


def another_field(values):
    return Pair(values, 1.0)._replace(height=2.0).weight


def named_arguments(values):
    return total(cells=values)


@pytest.mark.parametrize(
    ("function", "argument", "what"),
    [
        (listed, 1, "List"),
        (from_the_end, np.ones(2), "from the end"),
        (without_the_first, np.ones(2), r"values\[1:\]"),
        (over_values, np.ones(2), "anything but range"),
        (half_a_record, np.ones(2), "does not name all fields"),
        (another_field, np.ones(2), "height=2.0"),
        (named_arguments, np.ones(2), "names arguments"),
    ],
)
def test_what_is_outside_of_the_language_is_refused(function, argument, what):
    with pytest.raises(UnlessError, match=rf"test_kernel_text.py, line \d+: .*{what}.*cannot be compiled"):
        Kernel(function)(argument)


compiled_arithmetic, compiled_control, compiled_spread = Kernel(arithmetic), Kernel(control), Kernel(spread)


def test_run_as_python_a_kernel_returns_the_same_plain_numbers(monkeypatch):
    """The highest of some bytes stayed a byte of NumPy, and its negative was a large number."""

    def largest(scores: np.ndarray):
        most = 0
        for i in range(len(scores)):
            most = max(most, scores[i])
        return most, most * 0.5

    monkeypatch.setenv(DO_NOT_COMPILE, "1")
    found = kernel(largest)(np.array([3, 11], dtype=np.uint8))
    assert found == Kernel(largest)(np.array([3, 11], dtype=np.uint8)) == (11, 5.5)
    assert [type(one) for one in found] == [int, float]
