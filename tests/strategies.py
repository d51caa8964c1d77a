"""Hypothesis strategies: values and tables, with everything in them that has ever hurt somebody."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from unless.logic.values import BLANKS

TRICKY_WORDS = (
    "a", "b", "B", "08", "8", "1e5", "?", "NA", "nan", "inf", "pi", "e", "true", "null", "None", "it's", 'a "b"',
    "\\", "\\n", "line\nline", "tab\there", "\r", "\x00", "\x7f", "\x85", "\u2028", " lead", "trail ", "grp_1",
    "grp_1 ", "grp_1  ", "grp_2", "d_a", "c_a", "n_a", "o_a", "_a", "_", "a_-1", "%", "%@ unless 1",
    "/*", "X", "N1", "not", ":-",
    "ab1", "é", "e\u0301", "日本", "🙂", "ß", "\ud7ff", "''", "'", ",", ".", "a,b", "-5", "[]", "\xa0a", "x\u200b",
)  # fmt: skip
TRICKY_NAMES = (
    "age", "Age", "AGE", "age_is", "age is", "age_is_2", "x", "X", "x0", "not", "is", "inf",
    "target", "missing", "else",
    "ab1",
    "ab2", "n_1", "c_x", "o_x", "d_x", "_x", "x_1", "col", "col_", "", " ", "hours per week",
    "hours-per-week", "hours_per_week",
    "a,b",
    "it's", "%", "é", "日本", "🙂", "1st", "a\nb", "label", "e", "true", "X'", "N3", "income", "col_is", "\\",
    "Ä", "A", "grp_1",
)  # fmt: skip
TRICKY_NUMBERS = (
    0.0, 1.0, -1.0, 2.0, 3.0, 0.1, 0.30000000000000004, -3.5, 1e-320, 5e-324, 1e22, -1e22, 1e16, 1e300,
    1.7976931348623157e308, 2.0**53, 2.0**53 + 2, 1 / 3, 255.0, 65536.0,
)  # fmt: skip

numbers = st.sampled_from(TRICKY_NUMBERS) | st.integers(-5, 5).map(float) | st.floats(
    allow_nan=False, allow_infinity=False
).map(lambda number: number + 0.0)  # fmt: skip
words = st.sampled_from(TRICKY_WORDS) | st.text(min_size=1, max_size=6)
# A blank cell is missing, not a word, and blanks around a word are no part of it.
cell_words = words.map(lambda text: text.strip(BLANKS)).filter(lambda text: bool(text.strip()))
names = st.sampled_from(TRICKY_NAMES) | st.text(max_size=5)
labels = (
    st.sampled_from(["yes", "no", "it's", "grp_1", "08", "true", ""])
    | st.booleans()
    | st.integers(-3, 3)
    | st.just(0.5)
)
ratios = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])


@dataclass(frozen=True)
class Table:
    """Rows as dicts of values (float, word, None), the kinds of the columns, and which rows are positive."""

    kinds: dict[str, str]
    rows: list[dict[str, float | str | None]]
    positive: list[bool]

    @property
    def categorical(self) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind == "categorical"]


def looks_like_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@st.composite
def tables(draw, max_rows=25, max_columns=4, tricky=True):
    """Draw a table with two classes, few distinct values (ties), missing cells, and repeated rows."""
    plain_words = st.sampled_from(["a", "b", "c", "d"])
    some_words = plain_words | cell_words if tricky else plain_words
    some_names = names if tricky else st.sampled_from(["p", "q", "r", "s"])
    found = draw(st.lists(some_names, min_size=1, max_size=max_columns, unique=True))
    kinds = {name: draw(st.sampled_from(["numerical", "categorical"])) for name in found}
    pools = {name: draw(_pool(kind, some_words, tricky)) for name, kind in kinds.items()}
    one_row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    rows = draw(st.lists(one_row, min_size=2, max_size=max_rows))
    rows = [{name: row[name] for name in kinds} for row in rows + draw(st.lists(st.sampled_from(rows), max_size=5))]
    positive = draw(st.lists(st.booleans(), min_size=len(rows) - 2, max_size=len(rows) - 2))
    return Table(kinds, rows, [*positive, True, False])


def _pool(kind, some_words, tricky):
    """Draw the few values that a column may hold."""
    if kind == "categorical":
        return st.lists(st.none() | some_words, min_size=1, max_size=5)
    some_numbers = numbers if tricky else st.integers(0, 6).map(float)
    real_words = some_words.filter(lambda word: not looks_like_a_number(word))
    return st.lists(some_numbers | some_numbers | some_numbers | st.none() | real_words, min_size=1, max_size=8)
