"""Small coded tables, and the stages of the learner of whole programs set up on them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from stepwise_growing import GrowableState
from subproblems import Problem
from unless.learn.optimise.bins import make_bins, make_test
from unless.learn.optimise.fit import Options, learn, prepare
from unless.learn.optimise.growing.grow import Grower
from unless.learn.optimise.growing.growth_limits import Limits
from unless.learn.optimise.layout import GT, LE, NONE_OF, NOT_GT, NOT_LE, ONE_OF
from unless.learn.optimise.thresholds import write_literal
from unless.learn.rows.codes import Block, Codebook, Columns

PRICES = (0.3, 1.0, 1.7, 4.0)


def table_of(books, codes):
    members = tuple(range(len(books)))
    return Columns(tuple(books), (Block(members, np.column_stack(codes).astype(np.uint16)),), len(codes[0]))


def table_of_values(**columns):
    """Code columns of numbers, words and None, as a reader would write them."""
    books, codes = [], []
    for name, values in columns.items():
        numbers = sorted({value for value in values if isinstance(value, float)})
        words = sorted({value for value in values if isinstance(value, str)})
        ordered = [*numbers, *words, None]
        books.append(Codebook(name, np.array(numbers, dtype=float), tuple(words)))
        codes.append([ordered.index(value) for value in values])
    return table_of(books, codes)


def take(table, rows):
    return table_of(table.books, [table.codes_of(j)[rows] for j in range(len(table.books))])


def codebook(name, n_numbers, n_words):
    return Codebook(name, np.arange(n_numbers) * 2.5 - 5, tuple(f"w{i}" for i in range(n_words)))


def picks(draw, n, pool):
    """Draw n values of a pool, from one string of bytes: far cheaper than n draws."""
    return [pool[byte % len(pool)] for byte in draw(st.binary(min_size=n, max_size=n))]


@st.composite
def coded_tables(draw, max_rows=40, max_numbers=5, max_words=4):
    """Draw a table of one to three columns: numbers, words or both, with missing cells and values that are absent."""
    n_rows = draw(st.integers(2, max_rows))
    shapes = st.tuples(st.integers(0, max_numbers), st.integers(0, max_words))
    books = [codebook(f"c{j}", *shape) for j, shape in enumerate(draw(st.lists(shapes, min_size=1, max_size=3)))]
    return table_of(books, [picks(draw, n_rows, range(book.missing + 1)) for book in books])


@st.composite
def problems(draw, max_rows=40, limit=4, points=False):
    """Draw a table with a gain for each row, positive where firing is right, and a price."""
    table = draw(coded_tables(max_rows))
    gains = picks(draw, table.n_rows, (-3, -2, -1, 1, 2))
    return table, gains, problem_of(table, gains, draw(st.sampled_from(PRICES)), limit, points)


def problem_of(table, gains, price, limit=4, points=False, **more):
    bins = make_bins(table, np.ones(table.n_rows, dtype=np.int64))
    gains = np.asarray(gains)
    packed = np.where(gains > 0, gains << 32, -gains).astype(np.int64)
    return Problem(bins, np.arange(len(gains)), packed, bins.kinds, price, limit, points=points, **more)


def counted_bins(problem):
    """Count the packed gains of a problem's rows by bin."""
    hist = np.zeros(problem.bins.n_bins, dtype=np.int64)
    for column in problem.bins.bin_index[problem.rows].T:
        np.add.at(hist, column, problem.gains[problem.rows])
    return hist


def every_test(bins):
    """Yield a test of every kind that each column allows: all thresholds, single words, all words."""
    for j, allowed in enumerate(bins.kinds.tolist()):
        n_numbers, n_words = int(bins.layout.n_numbers[j]), int(bins.layout.n_words[j])
        for kind in (kind for kind in (LE, GT, NOT_LE, NOT_GT) if allowed >> kind & 1):
            yield from (make_test(bins, j, kind, at) for at in range(n_numbers - 1))
        for kind in (kind for kind in (ONE_OF, NONE_OF) if allowed >> kind & 1):
            words = tuple(range(n_numbers, n_numbers + n_words))
            yield from (make_test(bins, j, kind, 0, some) for some in (words, words[:1], words[-1:]))


def said(bins, body):
    """Return a body in words."""
    return tuple(write_literal(bins, literal) for literal in body)


@st.composite
def labelled(draw, max_rows=40):
    """Draw a table, which rows are of the class, and weights."""
    table = draw(coded_tables(max_rows))
    return table, picks(draw, table.n_rows, (False, True)), picks(draw, table.n_rows, (1, 2, 3, 4))


def state_of(table, right, weights=None):
    """Return the empty program on a table."""
    weights = np.ones(table.n_rows, dtype=np.int64) if weights is None else np.asarray(weights, dtype=np.int64)
    return GrowableState(make_bins(table, weights), np.asarray(right, dtype=np.uint8), weights)


def grower_of(state, price, max_rules=15, max_literals=4, max_depth=2, **more):
    kinds = (state.bins.kinds, state.bins.kinds)
    return Grower(state, Limits(max_rules, max_literals, max_depth, kinds, **more), price)


def random_table(seed, n=120, columns=((6, 0), (0, 4), (4, 3))):
    """Return random codes under columns of so many numbers and words, and the generator that made them."""
    rng = np.random.default_rng(seed)
    books, codes = [], []
    for j, (n_numbers, n_words) in enumerate(columns):
        codes.append(rng.integers(0, n_numbers + n_words + 1, n))
        numbers = np.sort(rng.choice(np.arange(-500, 500), n_numbers, replace=False)).astype(float) / 4
        books.append(Codebook(f"c{j}", numbers, tuple(f"w{i}" for i in range(n_words))))
    return rng, table_of(books, codes)


def learnable(seed, n=600):
    """Return a table whose label follows a rule with an exception, with noise."""
    rng, table = random_table(seed, n, ((40, 0), (0, 5), (30, 2), (300, 0)))
    low, word = table.codes_of(0) <= 20, np.isin(table.codes_of(1), (1, 3))
    return table, ((low & ~word) | (table.codes_of(3) > 200)) ^ (rng.random(n) < 0.05)


def fit(table, y, weight=None, locked=(), **options):
    return learn(prepare(table, np.asarray(y), weight, locked, Options(**options)), "yes")
