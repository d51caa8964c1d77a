"""What an edit did, in sentences, found by comparing what two programs say."""

import pytest

from unless.explain.words.edit_words import edit_sentences
from unless.explain.words.language import language
from unless.logic.text.parser import parse

BEFORE = """\
t(X,'y') :- a(X,N), N > 3.0, c(X,'x'), not ab1(X), not ab2(X).
ab1(X) :- d(X,'p').
ab2(X) :- e(X,'q').
t(X,'y') :- c(X,'z').
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("N > 3.0", "N > 4.0", ["Rule 1: a above 3 becomes a above 4."]),
        ("c(X,'x'), ", "", ["Rule 1 no longer asks for c is x."]),
        ("c(X,'x'), ", "c(X,'x'), e(X,'r'), ", ["Rule 1 also asks for e is r."]),
        ("t(X,'y') :- c(X,'z').\n", "", ["Rule 2 is gone: y, if c is z."]),
        ("not ab1(X), not ab2(X)", "not ab2(X)", ["Exception 1.1 is gone: unless d is p."]),
        ("d(X,'p')", "d(X,'r')", ["Exception 1.1: d is p becomes d is r."]),
        ("c(X,'z')", "c(X,'z'), not ab2(X)", ["A new exception, 2.1: unless e is q."]),
        ("N > 3.0", "N > 3.0", ["Nothing changes."]),
    ],
)
def test_a_change_is_said(old, new, said):
    after = BEFORE.replace(old, new, 1)
    if "ab1(X)," not in after:
        after = after.replace("ab1(X) :- d(X,'p').\n", "")
    assert edit_sentences(parse(BEFORE), parse(after), language("en")) == said


def test_what_went_and_what_came_elsewhere_is_no_change_of_one_thing():
    """An exception that went and another one that came at the end were said to be one that changed."""
    after = BEFORE.replace("not ab1(X), not ab2(X)", "not ab2(X), not ab3(X)").replace("d(X,'p')", "d(X,'n')")
    after = after.replace("ab1(X) :-", "ab3(X) :-")
    assert edit_sentences(parse(BEFORE), parse(after), language("en")) == [
        "Exception 1.1 is gone: unless d is p.",
        "A new exception, 1.2: unless d is n.",
    ]


def test_an_order_is_said_and_german_has_no_english():
    rules = BEFORE.splitlines(keepends=True)
    moved = "".join([rules[3], *rules[:3]])
    assert edit_sentences(parse(BEFORE), parse(moved), language("en")) == ["The rules stand in another order."]
    german = edit_sentences(parse(BEFORE), parse(BEFORE.replace("3.0", "4.0")), language("de"))
    assert german == ["Regel 1: a über 3 wird zu a über 4."]
