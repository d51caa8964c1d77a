"""Programs written by hand beside their texts, for both directions: what is printed and what is read."""

from __future__ import annotations

from unless import Literal, Program
from unless.logic.clause import Call, Clause
from unless.logic.program import Target
from unless.logic.rules import Column

AGE, WORD = Column("age", "numerical"), Column("word", "categorical")


def one(*goals, columns=(WORD, AGE), target=None, more=(), missing=()):
    target = target or Target("loan", ("yes",), "no")
    return Program(target, columns, (Clause(None, target.labels[0], goals), *more), missing)


def without_remarks(text):
    """Leave out of a text what readers skip: remarks, blank lines, the default, how points are added up."""
    lines = [line for line in text.split("\n") if "some_rule_decides(X)" not in line]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("% ", "%  ", "at_least")))


HEADER = "%@ unless 1\n%@ target loan: 'yes' else 'no'\n%@ categorical word\n%@ numerical age\n"

CASES = {
    "number": (one(Literal("age", "=<", 27.0)), HEADER + "loan(X,'yes') :- age(X,N1), N1 =< 27.0.\n"),
    "interval": (
        one(Literal("age", ">", -3.5), Literal("age", "=<", 1e22)),
        HEADER + "loan(X,'yes') :- age(X,N1), N1 > -3.5, N1 =< 1e+22.\n",
    ),
    "strict": (
        one(Literal("age", "<", 1e-320), Literal("age", ">=", 0.1)),
        HEADER + "loan(X,'yes') :- age(X,N1), N1 < 1e-320, N1 >= 0.1.\n",
    ),
    "one zero": (one(Literal("age", "=<", -0.0)), HEADER + "loan(X,'yes') :- age(X,N1), N1 =< 0.0.\n"),
    "word": (one(Literal("word", "=", "it's")), HEADER + "loan(X,'yes') :- word(X,'it\\'s').\n"),
    "no word": (one(Literal("word", "!=", "a b")), HEADER + "loan(X,'yes') :- not word(X,'a b').\n"),
    "word among numbers": (one(Literal("age", "=", "?")), HEADER + "loan(X,'yes') :- age_is(X,'?').\n"),
    "guarded": (one(Literal("word", "=", "grp_1")), HEADER + "loan(X,'yes') :- word(X,'grp_1 ').\n"),
    "control": (one(Literal("word", "=", "\x00\n\\")), HEADER + "loan(X,'yes') :- word(X,'\\x0\\\\n\\\\').\n"),
    "exception": (
        one(Literal("word", "=", "a"), Call("ab1"), more=(Clause("ab1", None, (Literal("age", ">", 1.0),)),)),
        HEADER + "loan(X,'yes') :- word(X,'a'), not ab1(X).\nab1(X) :- age(X,N1), N1 > 1.0.\n",
    ),
    "condition": (
        one(Call("rich", negated=False), more=(Clause("rich", None, (Literal("age", ">", 1.0),)),)),
        HEADER + "loan(X,'yes') :- rich(X).\nrich(X) :- age(X,N1), N1 > 1.0.\n",
    ),
    "names": (
        one(
            Literal("Hours per week", ">", 1.0),
            columns=(Column("Hours per week", "numerical"),),
            target=Target("Loan?", ("yes",), "no"),
        ),
        "%@ unless 1\n%@ target loan = 'Loan?': 'yes' else 'no'\n%@ numerical hours_per_week = 'Hours per week'\n"
        "loan(X,'yes') :- hours_per_week(X,N0), N0 > 1.0.\n",
    ),
    "labels": (
        one(Literal("word", "=", "a"), columns=(WORD,), target=Target("t", (True,), False)),
        "%@ unless 1\n%@ target t: true else false\n%@ categorical word\nt(X) :- word(X,'a').\n",
    ),
    "whole labels": (
        one(Literal("word", "=", "a"), columns=(WORD,), target=Target("t", (1, 0.5), -1)),
        "%@ unless 1\n%@ target t: 1, 0.5 else -1\n%@ categorical word\nt(X,'1') :- word(X,'a').\n",
    ),
    "missing": (
        one(Literal("word", "=", "a"), columns=(WORD,), missing=("?", "N'A")),
        "%@ unless 1\n%@ target loan: 'yes' else 'no'\n%@ categorical word\n%@ missing '?', 'N\\'A'\n"
        "loan(X,'yes') :- word(X,'a').\n",
    ),
    "no clauses": (Program(Target("loan", ("yes",), "no"), (WORD, AGE), ()), HEADER),
}
