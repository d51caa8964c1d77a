"""More than two classes: the rarest first, each on what is left, the commonest by default."""

from __future__ import annotations

import numpy as np

from coded_tables import learnable, table_of_values, take
from naive_optimise import rows_of
from unless.learn.optimise.fit import Options, prepare
from unless.learn.optimise.one_label_at_a_time import learn_in_order
from unless.logic.holds import rule_holds
from unless.logic.rules import Literal

LABELS = ("red", "green", "blue")


def in_order(table, codes, weight=None, **options):
    codes = np.asarray(codes, dtype=np.intp)
    return learn_in_order(prepare(table, codes == 0, weight, (), Options(points=False, **options)), codes, LABELS)


def decided(found, row):
    return next((rule.head for rule in found.rules if rule_holds(rule, row)), LABELS[found.default])


def three_classes(seed, n=400):
    table, y = learnable(seed, n)
    return table, np.where(y, 0, np.where(table.codes_of(2) < 9, 1, 2))


def test_the_rarest_class_comes_first_and_the_commonest_needs_no_rules():
    table = table_of_values(x=[1.0] * 6 + [2.0] * 10 + [3.0] * 20)
    found = in_order(table, [1] * 6 + [2] * 10 + [0] * 20)
    assert [(rule.head, rule.body) for rule in found.rules] == [
        ("green", (Literal("x", "=<", 1.0),)),
        ("blue", (Literal("x", "=<", 2.0),)),
    ]
    assert (LABELS[found.default], found.stopped) == ("red", False)


def test_a_class_of_one_row_that_weighs_as_much_as_another_class_leaves_the_others_their_rules():
    """Its weight was in the price of every literal, so that no rule paid."""
    table = table_of_values(x=[float(i % 100) for i in range(1000)])
    codes = np.where(table.codes_of(0) < 40, 1, 2)
    codes[500] = 0
    found = in_order(table, codes, 1000 / 3 / np.bincount(codes)[codes])
    assert {rule.head for rule in found.rules} in ({"green"}, {"blue"})
    decisions = [LABELS.index(decided(found, row)) for row in rows_of(table)]
    assert (np.array(decisions) == codes).mean() > 0.98


def test_the_first_rule_that_holds_decides():
    table, codes = three_classes(0)
    found = in_order(table, codes)
    decisions = [LABELS.index(decided(found, row)) for row in rows_of(table)]
    assert (np.array(decisions) == codes).mean() > 0.85
    heads = [rule.head for rule in found.rules]
    assert heads == sorted(heads, key=heads.index)  # the rules of a class stand together
    assert LABELS[found.default] not in heads


def test_all_classes_share_the_limit_of_rules():
    table, codes = three_classes(1)

    def count(rules):
        return sum(1 + count(rule.exceptions) for rule in rules)

    for limit in (1, 2, 3):
        assert 0 < count(in_order(table, codes, max_rules=limit, size_penalty=0.2).rules) <= limit


def test_row_order_does_not_change_the_rules():
    table, codes = three_classes(2)
    order = np.random.default_rng(0).permutation(len(codes))
    one, other = in_order(table, codes), in_order(take(table, order), codes[order])
    assert (one.rules, one.default) == (other.rules, other.default)


def test_rows_of_no_weight_are_not_there():
    table, codes = three_classes(3)
    weight = (np.arange(len(codes)) % 2).astype(float)
    kept = np.flatnonzero(weight)
    assert in_order(table, codes, weight).rules == in_order(take(table, kept), codes[kept]).rules


def test_stopping_leaves_the_classes_to_come_without_rules():
    table, codes = three_classes(0)
    found = in_order(table, codes, time_limit=0.0)
    assert found.stopped
    assert found.rules == ()
