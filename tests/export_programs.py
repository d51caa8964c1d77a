"""Programs that exports are tried with: everything that a program may have, and names that hurt."""

from __future__ import annotations

from dataclasses import replace

from unless.logic.grade import Award, Blank, Both, Card, Decided, Grade
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal, OneOf
from unless.logic.text.parser import parse

MIXED = """
%@ unless 1
%@ target outcome: 'bad', 'ugly' else 'good'
%@ categorical city, code, 'x' = "drop table"
%@ numerical age, income
%@ missing '?', ' none '
outcome(X,'bad') :- city_set(X), age(X,N), N =< 40.5, not ab1(X).
outcome(X,'bad') :- at_least(3, [2*old(X), 1*rich(X), 2*coded(X)]).
outcome(X,'ugly') :- not city(X,'Rome'), income(X,N), N > 0.30000000000000004, income_is(X,'much').
outcome(X,'ugly') :- age_is(X,'unknown'), not income_is(X,'none at all').
ab1(X) :- income(X,N), N > -3, N < 1000000, not ab2(X).
ab2(X) :- code(X,'8').
city_set(X) :- city(X,'Rome').
city_set(X) :- city(X,'it''s "quoted" \\\\ \\n; --').
city_set(X) :- city(X,'日本 é').
old(X) :- age(X,N), N >= 60.
rich(X) :- income(X,N), N > 1e16.
coded(X) :- code(X,'8').
coded(X) :- code(X,'08').
coded(X) :- code(X,'True').
"""


def mixed():
    """Return a program with mixed columns, sets, points, three labels, missing words and codes."""
    text = MIXED.replace(", 'x' = \"drop table\"", "").replace("%@ missing '?', ' none '", "%@ missing '?'")
    program = parse(text.strip())
    return replace(program, missing=("?", " none "))


def graded():
    """Return the mixed program with a card for each label, and one of two labels with a card."""
    awards = (
        Award(3, Literal("age", ">", 40.0)),
        Award(-2, OneOf("city", ("Rome", "Oslo"))),
        Award(1, Blank("income")),
        Award(6, Both(OneOf("city", ("Rome", "8")), Literal("income", "=<", 7.25))),
        Award(5, Literal("income", ">", 3.5), unless=True),
        Award(4, Decided()),
    )
    cards = tuple(
        Card(label, awards[i:] + awards[:i], 0.31 + i / 10, -1.7 + i) for i, label in enumerate(("bad", "ugly", "good"))
    )
    return replace(mixed(), grade=Grade("", cards))


def graded_two():
    """Return a program of two labels with one card, whose points now and then speak against it."""
    head = "%@ target risk: 'late' else 'in time'\n%@ categorical city\n%@ numerical age\n"
    program = parse(head + "risk(X,'late') :- age(X,N), N > 40, not city(X,'Rome').")
    awards = (
        Award(5, Literal("age", ">", 70.5)),
        Award(-7, OneOf("city", ("Oslo", "8"))),
        Award(2, Blank("age")),
        Award(-4, Both(Literal("city", "=", "Oslo"), Literal("age", "=<", 50.0))),
        Award(6, Both(OneOf("city", ("Rome", "8")), Literal("age", ">", 9.5)), unless=True),
        Award(-1, Blank("city"), unless=True),
        Award(3, Decided()),
    )
    return replace(program, grade=Grade("", (Card("late", awards, 0.7, -2.3),)))


def weighed():
    """Return a graded program whose rows weighed differently by a known ratio: both probabilities are known."""
    program = graded_two()
    return replace(program, grade=replace(program.grade, mark=program.mark, is_weighed=True, cost_ratio=7.5))


def hostile():
    """Return a program whose names and words are reserved, quoted, or SQL."""
    names = {
        "select": "categorical",
        'a"b': "categorical",
        "it's": "numerical",
        "x; DROP TABLE data; --": "numerical",
        "größe 🙂": "numerical",
        "`tick`": "categorical",
        "back\\slash": "categorical",
        "unless_n1": "numerical",
    }
    columns = tuple(Column(name, kind) for name, kind in names.items())
    text = "%@ target t: 'yes' else 'no'\n%@ categorical c0, c1, c5, c6\n%@ numerical c2, c3, c4, c7\n" + (
        "t(X,'yes') :- c0(X,'\\'; DROP TABLE data; --'), c2(X,N), N > 1.\n"
        "t(X,'yes') :- c1(X,'\"'), not c5(X,'`'), c3(X,N), N =< 0.1.\n"
        "t(X,'yes') :- c4(X,N), N > 2.5, not c6(X,'\\\\'), c7_is(X,'%s{0}$1').\n"
    )
    program = parse(text)
    renamed = dict(zip(["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"], names, strict=True))
    clauses = tuple(
        replace(clause, body=tuple(replace(literal, column=renamed[literal.column]) for literal in clause.literals))
        for clause in program.clauses
    )
    return Program(Target("order by", ("yes",), "no"), columns, clauses)


def typed_labels(labels, default):
    """Return a program whose labels are no text."""
    program = parse(
        "%@ target t: 'a', 'b' else 'c'\n%@ numerical n\nt(X,'a') :- n(X,N), N > 3.\nt(X,'b') :- n(X,N), N =< 1."
    )
    names = dict(zip(("a", "b"), labels, strict=False))
    clauses = tuple(replace(c, label=names[c.label]) for c in program.clauses if c.label in names)
    return Program(Target("t", tuple(labels), default), program.columns, clauses)


def formatted():
    """Return a program whose columns are written as offices write them."""
    columns = (
        Column("amount", "numerical", reading="1.234,56 €"),
        Column("start", "numerical", reading="dd.mm.yyyy"),
        Column("seen", "numerical", reading="yyyy-mm-dd hh:mm"),
        Column("named", "numerical", reading="mmm-dd-yyyy"),
        Column("took", "numerical", reading="duration"),
        Column("start weekday", "categorical", reading="weekday of start as dd.mm.yyyy"),
        Column("start month", "numerical", reading="month of start as dd.mm.yyyy"),
        Column("start age", "numerical", reading="age@2024-03-01 of start as dd.mm.yyyy"),
    )
    text = (
        "%@ target t: 'x', 'y', 'z' else 'w'\n%@ categorical g\n%@ numerical a, b, c, d, e, f, h\n"
        "t(X,'x') :- a(X,N), N > 1000.5, b(X,M), M =< 19689.\n"
        "t(X,'x') :- c(X,N), N > 1701170000, g(X,'Tuesday').\n"
        "t(X,'y') :- d(X,N), N > 19000, e(X,M), M =< 90000.\n"
        "t(X,'y') :- f(X,N), N > 6, not g(X,'Monday').\n"
        "t(X,'z') :- h(X,N), N =< 1.\n"
        "t(X,'z') :- e(X,N), N < 0.\n"
    )
    names = dict(zip("abcdegfh", [c.name for c in columns], strict=True))
    program = parse(text)
    clauses = tuple(
        replace(clause, body=tuple(replace(x, column=names[x.column]) for x in clause.literals))
        for clause in program.clauses
    )
    return Program(program.target, columns, clauses)


def office():
    """Return a program whose columns are amounts and dates that SQL reads too."""
    program = formatted()
    columns = (
        Column("amount", "numerical", reading="1.234,56 €"),
        Column("price", "numerical", reading="$1,234.56"),
        Column("start", "numerical", reading="dd.mm.yyyy"),
        Column("seen", "numerical", reading="yyyy-mm-dd hh:mm"),
        Column("named", "numerical", reading="mmm-dd-yyyy"),
        Column("short", "numerical", reading="dd.mm.yy"),
        Column("month", "numerical", reading="yyyy-mm"),
    )
    text = "".join(
        f"t(X,'x{i}') :- c{i}(X,N), N > {n}.\n" for i, n in enumerate((1000.5, -4, 19689, 1701170000, 19000, 0, 19650))
    )
    head = (
        "%@ target t: "
        + ", ".join(f"'x{i}'" for i in range(7))
        + " else 'w'\n%@ numerical "
        + ", ".join(f"c{i}" for i in range(7))
        + "\n"
    )
    program = parse(head + text)
    names = {f"c{i}": column.name for i, column in enumerate(columns)}
    clauses = tuple(
        replace(clause, body=tuple(replace(x, column=names[x.column]) for x in clause.literals))
        for clause in program.clauses
    )
    return Program(program.target, columns, clauses)


GUARDED = """
%@ target t: 'a', 'b', 'c' else 'd'
%@ categorical city, code
%@ numerical age, pay
%@ missing '?'
t(X,'a') :- not young(X), not code(X,'x').
t(X,'b') :- not paid(X), city(X,'Rome').
t(X,'c') :- age_is(X,'8'), not code(X,'8').
t(X,'c') :- city(X,'?').
t(X,'c') :- city(X,'none').
young(X) :- age(X,N), N =< 40.5.
young(X) :- age_is(X,'young').
paid(X) :- pay(X,N), N > 0.30000000000000004.
paid(X) :- pay_is(X,'8').
paid(X) :- pay_is(X,'1_000').
paid(X) :- pay_is(X,'5e').
"""


def guarded():
    """Return a program in which every guard matters: tests under a negation, words that look like numbers."""
    program = replace(parse(GUARDED.strip()), missing=("?", " none ", "9", "7 "))
    awards = (Award(2, Blank("age")), Award(1, Blank("city")), Award(3, Literal("pay", "!=", "8")))
    cards = tuple(Card(label, awards, 0.5 + i / 7, -1.0) for i, label in enumerate("abcd"))
    return replace(program, grade=Grade("", cards))


ANSWERS = """
%@ target predicted: 'a' else 'b'
%@ numerical rule, c0 = 'Probability'
%@ categorical c1 = 'unless_row', c2 = 'unless_key'
predicted(X,'a') :- rule(X,N), N > 3, not c1(X,'x').
predicted(X,'a') :- c0(X,N), N =< 1, c2(X,'y').
"""


def answers_taken():
    """Return a graded program whose columns are called as answers are."""
    card = Card("a", (Award(3, Literal("rule", ">", 5.0)), Award(2, Decided())), 0.7, -2.3)
    return replace(parse(ANSWERS.strip()), grade=Grade("", (card,)))


TAKEN = """
%@ target t: 'a' else 'b'
%@ categorical c0 = 'age (word)', c1 = 'unless_predicted', c2 = 'unless_test1'
%@ numerical age, c3 = 'Rule'
t(X,'a') :- age_is(X,'old'), c0(X,'young').
t(X,'a') :- old(X), not c0(X,'old'), c1(X,'a').
old(X) :- age(X,N), N > 3.
"""


def names_taken():
    """Return a program whose columns are called as the fields of PMML are, and as answers are a second time."""
    return parse(TAKEN.strip())


SUMS = """
%@ target t: 'a' else 'b'
%@ categorical c, d, e
%@ numerical n
t(X,'a') :- at_least(2, [1*h1(X), 1*h2(X), 2*h3(X)]), at_least(3, [2*h1(X), 1*h2(X), 1*h4(X)]), not ab1(X).
ab1(X) :- at_least(3, [2*h3(X), 1*h4(X)]), at_least(2, [1*h1(X), 1*h4(X)]).
h1(X) :- c(X,'x').
h2(X) :- d(X,'x').
h3(X) :- e(X,'x').
h4(X) :- n(X,N), N > 1e-320.
"""


def two_sums():
    """Return a program whose clauses ask for two sums of points."""
    return parse(SUMS.strip())


PROGRAMS = {
    "names of answers": answers_taken(),
    "names taken": names_taken(),
    "two sums": two_sums(),
    "guarded": guarded(),
    "mixed": mixed(),
    "graded": graded(),
    "graded, two labels": graded_two(),
    "weighed by costs": weighed(),
    "hostile": hostile(),
    "whole labels": typed_labels((1, -2), 0),
    "long labels": typed_labels((2**53 + 1, -(10**25)), 2**53),
    "truth values": typed_labels((True,), False),
    "labels of all types": typed_labels((1, "one"), 0.5),
}
