"""Which values pass: and, or, not of literals agree with testing each value."""

from hypothesis import given
from hypothesis import strategies as st

from unless.logic.forms.value_sets import NOTHING, ValueSet
from unless.logic.holds import literal_holds
from unless.logic.rules import Literal

VALUES = (None, "a", "b", "new", *(n / 2 for n in range(-1, 9)))
literals = st.one_of(
    st.builds(Literal, st.just("n"), st.sampled_from(("=<", "<", ">", ">=")), st.sampled_from((1.0, 2.0, 3.0))),
    st.builds(Literal, st.just("n"), st.sampled_from(("=", "!=")), st.sampled_from(("a", "b"))),
)


def leaf(literal):
    return ValueSet.of(literal), lambda value: literal_holds(literal, value)


def put_together(parts):
    return st.one_of(
        st.tuples(parts, parts).map(lambda p: (p[0][0] & p[1][0], lambda v: p[0][1](v) and p[1][1](v))),
        st.tuples(parts, parts).map(lambda p: (p[0][0] | p[1][0], lambda v: p[0][1](v) or p[1][1](v))),
        parts.map(lambda p: (~p[0], lambda v: not p[1](v))),
    )


@given(st.recursive(literals.map(leaf), put_together, max_leaves=6))
def test_sets_of_values_agree_with_testing_each_value(case):
    values, holds = case
    assert [values.has(value) for value in VALUES] == [holds(value) for value in VALUES]
    assert list(values.spans) == sorted(values.spans)
    assert ~~values == values


def test_nothing_and_everything():
    assert not any(NOTHING.has(value) for value in VALUES)
    assert all(ValueSet().has(value) for value in VALUES)
