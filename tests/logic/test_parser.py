"""Text becomes a program, or an error that shows the place."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.lexer import PatternStr

from program_texts import CASES, HEADER
from unless import Literal, Program, UnlessError, load, parse, save
from unless.errors import ProgramError, ProgramSyntaxError
from unless.evaluate.predict import predict
from unless.logic.background.clauses import read_sentences
from unless.logic.program import Target
from unless.logic.text.syntax import GRAMMARS, UNSAID, WORDING, build_parser, read_tree

if TYPE_CHECKING:
    import random


@pytest.mark.parametrize("case", CASES)
def test_program_of_a_text(case):
    program, text = CASES[case]
    assert parse(text) == program


@pytest.mark.parametrize(
    "text",
    [
        "loan(X,'yes'):-age(X,N),N>3.0.",
        "loan(X,'yes') :-\n    age(X,N),\n    N > 3.   % a comment\n",
        "loan(Row, 'yes') :- age(Row, Age), Age > 3.0.\r\n",
        "/* a comment */ loan(X,'yes') :- age(X,N1), N1 > 3e0.",
        "'loan'(X,'yes') :- 'age'(X,N), N > 3.00.",
        "loan(X,'yes') :- age(X,N), N > 3.0, N > 3.0, age(X,N).",
    ],
)
def test_other_ways_to_write_it(text):
    program = parse(HEADER + text)
    assert [clause.body for clause in program.clauses] == [(Literal("age", ">", 3.0),)]


def test_the_papers_program_is_read_without_a_header():
    program = parse(
        "income(X,'=<50k') :- not marital_status(X,'married-civ-spouse'), not ab4(X), not ab5(X).\n"
        "ab4(X) :- capital_gain(X,N1), N1 > 6849.0.\n"
        "ab5(X) :- age(X,N1), N1 =< 27.0, education_num(X,N2), N2 > 12.0.\n"
    )
    assert {c.name: c.kind for c in program.columns} == {
        "marital_status": "categorical",
        "capital_gain": "numerical",
        "age": "numerical",
        "education_num": "numerical",
    }
    assert program.target.labels == ("=<50k",)
    assert parse(str(program)) == program


ERRORS = {
    "at most": (
        "loan(X,'yes') :- age(X,N), N <= 3.0.",
        """\
line 5, column 31: unexpected '='; 'at most' is written =<
  loan(X,'yes') :- age(X,N), N <= 3.0.
                                ^
expected: a number, a word in quotes""",
    ),
    "no dot": (
        "loan(X,'yes') :- word(X,'a')",
        """\
line 5, column 29: the text ends in the middle of a clause
  loan(X,'yes') :- word(X,'a')
                              ^
expected: ',', '.'""",
    ),
    "open quote": (
        "loan(X,'yes') :- word(X,'a).",
        """\
line 5, column 25: unexpected "'"; a quote may be open, or want a backslash before it
  loan(X,'yes') :- word(X,'a).
                          ^
expected: a number, a variable such as X, a word in quotes""",
    ),
    "prolog negation": (
        "loan(X,'yes') :- \\\\+ word(X,'a').".replace("\\\\", "\\"),
        """\
line 5, column 18: unexpected '\\\\'; negation is written not
  loan(X,'yes') :- \\+ word(X,'a').
                   ^
expected: a name, a variable such as X, a word in quotes""",
    ),
    "unknown column": (
        "loan(X,'yes') :- wrod(X,'a').",
        """\
line 5, column 18: column 'wrod' is not in the program; columns: word, age. Did you mean 'word'?
  loan(X,'yes') :- wrod(X,'a').
                   ^""",
    ),
    "unsafe variable": (
        "loan(X,'yes') :- N > 3.0.",
        """\
line 5, column 18: unsafe: N is compared but no goal such as age(X,N) binds it
  loan(X,'yes') :- N > 3.0.
                   ^""",
    ),
    "unused variable": (
        "loan(X,'yes') :- age(X,N), word(X,'a').",
        """\
line 5, column 18: unsafe: N is bound to a number but never compared
  loan(X,'yes') :- age(X,N), word(X,'a').
                   ^""",
    ),
    "one variable for two columns": (
        "loan(X,'yes') :- age(X,N), age2(X,N), N > 3.",
        """\
line 5, column 28: unsafe: N is the number of age already, and no clause can ask whether two things are equal; \
give age2 a variable of its own
  loan(X,'yes') :- age(X,N), age2(X,N), N > 3.
                             ^""",
    ),
    "the row as a number": (
        "loan(X,'yes') :- age(X,X), X > 3.",
        """\
line 5, column 18: unsafe: X is the row already, and no clause can ask whether two things are equal; \
give age a variable of its own
  loan(X,'yes') :- age(X,X), X > 3.
                   ^""",
    ),
    "another row": (
        "loan(X,'yes') :- word(Y,'a').",
        """\
line 5, column 18: unsafe: Y is not the row of this clause, X
  loan(X,'yes') :- word(Y,'a').
                   ^""",
    ),
    "word test on numbers": (
        "loan(X,'yes') :- age(X,'old').",
        """\
line 5, column 18: age holds numbers; a word among them is tested by age_is(X,'word')
  loan(X,'yes') :- age(X,'old').
                   ^""",
    ),
    "number test on words": (
        "loan(X,'yes') :- word(X,N), N > 3.0.",
        """\
line 5, column 29: column 'word' is categorical and cannot be compared by >
  loan(X,'yes') :- word(X,N), N > 3.0.
                              ^""",
    ),
    "unknown label": (
        "loan(X,'maybe') :- word(X,'a').",
        """\
line 5, column 1: 'maybe' is not a label that 'loan' may conclude; labels: 'yes'
  loan(X,'maybe') :- word(X,'a').
  ^""",
    ),
    "too large": (
        "loan(X,'yes') :- age(X,N), N > 1e999.",
        """\
line 5, column 32: 1e999 is too large for a number
  loan(X,'yes') :- age(X,N), N > 1e999.
                                 ^""",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_show_the_place(case):
    text, message = ERRORS[case]
    with pytest.raises(ProgramSyntaxError) as caught:
        parse(HEADER + text)
    assert str(caught.value) == message
    assert caught.value.line == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loan(X,'yes') :- not ab1(X).", "line 5: predicate 'ab1' is called but no clause defines it."),
        ("loan(X,'yes') :- not ab2(X). ab1(X) :- word(X,'a').", "Did you mean 'ab1'?"),
        ("loan(X,'yes') :- a(X). a(X) :- not b(X). b(X) :- a(X).", "predicates are defined in a circle: "),
        ("loan(X,'yes') :- a(X). a(X) :- not a(X).", "predicates are defined in a circle: a calls a."),
        ("loan(X,'yes').", "line 5: the clause of 'loan' has no condition and would hold for every row"),
        ("loan(X,'yes') :- loan(X,'yes').", "cyclic: the target 'loan' cannot be a condition"),
        ("other(X,'yes') :- word(X,'a').", "'other' is not the target"),
        ("loan(X,Y) :- word(X,'a').", "unsafe: the head concludes Y"),
        ("loan('yes') :- word(X,'a').", "is the row, a variable such as X"),
        ("loan(X,'yes',3) :- word(X,'a').", "loan has 3 arguments"),
        ("loan(X,'yes') :- not age(X,N).", "a negated numeric test needs a helper predicate of its own"),
        ("loan(X,'yes') :- word(X,3).", "word is given the number 3.0; write a word in quotes"),
        ("loan(X,'yes') :- word(X,'\\x110000\\').", "is not a character"),
        ("%@ unless 2\n", "this text is in format 2; this version of unless reads format 1"),
        ("%@ target b: 'x' else 'y'", "a program has one target"),
        ("%@ categorical word", "predicate 'word' stands for two columns"),
        ("%@ categorical other = 'word'", "column 'word' has the name of another column"),
        ("%@ categorical x = 'loan'", "column 'loan' has the name of the target"),
        ("%@ unknown", "unexpected"),
        ("c_x(X) :- word(X,'a').", "'c_x' cannot name a predicate"),
    ],
)
def test_refused_by_name(text, message):
    with pytest.raises(UnlessError) as caught:
        parse(HEADER + text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "% nothing\n", "ab1(X) :- word(X,'a')."])
def test_a_program_that_concludes_nothing_is_refused(text):
    with pytest.raises(ProgramError, match="the program concludes nothing"):
        parse(text)


def test_a_text_without_header_may_conclude_that_something_holds():
    program = parse("fly(X) :- bird(X), not ab1(X). bird(X) :- kind(X,'robin'). ab1(X) :- name(X,'tweety').")
    assert program.target == Target("fly", (True,), False)
    assert [clause.label for clause in program.clauses] == [True, None, None]
    with pytest.raises(ProgramError, match="of fly, swim any may be the target"):
        parse("fly(X) :- kind(X,'robin'). swim(X) :- kind(X,'eel').")


def test_expected_things_are_said_in_words():
    for name in dict.fromkeys(GRAMMARS.values()):
        terminals = [t for t in build_parser(name).terminals if t.name not in WORDING and t.name not in UNSAID]
        assert all(isinstance(terminal.pattern, PatternStr) for terminal in terminals)


def test_two_labels_of_one_text_are_refused():
    with pytest.raises(ProgramError, match="two labels of 't' are written '1'"):
        parse("%@ target t: 1 else '1'\n%@ categorical a\n")


def test_an_edited_file_loads_and_predicts(tmp_path):
    program, _ = CASES["exception"]
    save(program, tmp_path / "m.lp")
    rows = [{"word": "a", "age": 5}, {"word": "a", "age": 0}]
    assert predict(load(tmp_path / "m.lp"), rows) == ["no", "yes"]
    text = (tmp_path / "m.lp").read_text().replace("N1 > 1.0", "N1 > 10.0").replace("\n", "\r\n")
    (tmp_path / "m.lp").write_bytes(b"\xef\xbb\xbf" + text.encode())  # an editor that marks UTF-8
    assert predict(load(tmp_path / "m.lp"), rows) == ["yes", "yes"]


# Hostile texts: bounded time and memory, and an error of ours.

BIG = 5_000
HOSTILE = {
    "many goals": HEADER + "loan(X,'yes') :- " + ", ".join(["word(X,'a')"] * BIG) + ".",
    "many different goals": HEADER + "loan(X,'yes') :- " + ", ".join(f"not word(X,'{i}')" for i in range(BIG)) + ".",
    "many thresholds": HEADER + "loan(X,'yes') :- age(X,N), " + ", ".join(f"N > {i}.0" for i in range(BIG)) + ".",
    "many columns in a clause": "t(X,'y') :- " + ", ".join(f"w{i}(X,'a')" for i in range(5_000)) + ".",
    "many clauses": HEADER + "loan(X,'yes') :- word(X,'a').\n" * 5_000,
    "many helpers": HEADER
    + "loan(X,'yes') :- a0(X).\n"
    + "".join(f"a{i}(X) :- a{i + 1}(X).\n" for i in range(4_000))
    + "a4000(X) :- word(X,'a').",
    "a long circle": HEADER
    + "loan(X,'yes') :- a0(X).\n"
    + "".join(f"a{i}(X) :- a{(i + 1) % 2000}(X).\n" for i in range(2000)),
    "many undefined": HEADER + "loan(X,'yes') :- " + ", ".join(f"not b{i}(X)" for i in range(5_000)) + ".",
    "one long line": "x" * 3_900_000,
    "quotes": "'" * 3_900_000,
    "backslashes": "loan(X,'" + "\\" * 3_900_000,
    "parentheses": "(" * 3_900_000,
    "open comment": "/*" * 1_900_000,
    "a long number": HEADER + "loan(X,'yes') :- age(X,N), N > " + "9" * 3_000_000 + ".",
    "a long label": "%@ target t: " + "9" * 3_000_000 + " else 1",
    "a long word": HEADER + "loan(X,'yes') :- word(X,'" + "a" * 3_900_000 + "').",
    "blanks": " " * 3_900_000,
    "too long": " " * 4_000_001,
    "nulls": "\x00" * 1000,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_texts_are_answered(case):
    with suppress(UnlessError):  # read or refused; quadratic time would take many minutes here
        parse(HOSTILE[case])


def test_errors_about_hostile_texts_are_short():
    for case in ("one long line", "quotes", "a long number", "a long label", "too long", "many undefined"):
        with pytest.raises(UnlessError) as caught:
            parse(HOSTILE[case])
        assert len(str(caught.value)) < 2000


@given(st.text(max_size=60) | st.text(alphabet="abX(),.:-'%@ \\\n=<>1e", max_size=80))
def test_any_text_gives_a_program_or_our_error(text):
    for start in ("", HEADER):
        with suppress(UnlessError):
            parse(start + text)


@given(st.sampled_from(sorted(CASES)), st.randoms(use_true_random=False))
def test_a_damaged_text_gives_a_program_or_our_error(case, chance: random.Random):
    text = list(CASES[case][1])
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(text))
        text[place] = chance.choice(["", "'", "(", ",", "X", "1", "%@", "\\", text[place] * 2])
    try:
        program = parse("".join(text))
    except UnlessError:
        return
    assert parse(str(program)) == program


def test_half_a_character_is_refused_in_a_sentence():
    with pytest.raises(ProgramError, match="half a character"):
        parse("loan(X,'to\ud800wn') :- income(X,N), N > 3.")


def test_many_labels_are_looked_up_not_searched():
    """Count the comparisons of labels: as many as there are clauses, not their square."""
    n = 300
    names = ", ".join(f"'l{i}'" for i in range(n))
    clauses = "\n".join(f"label(X,'l{i}') :- a(X,N), N > {i}." for i in range(n))
    compared = []

    class Word(str):
        __slots__ = ()

        def __eq__(self, other):
            compared.append(other)
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    program = parse(f"%@ unless 1\n%@ target label: {names} else 'none'\n%@ numerical a\n{clauses}\n")
    target = replace(program.target, labels=tuple(map(Word, program.target.labels)))
    assert len(Program(target, program.columns, program.clauses).label_clauses) == n
    assert len(compared) < 10 * n


@pytest.mark.parametrize("text", ["bird(tweety) cat(x).", "bird(tweety) :- .", "bird(tweety", "bird(X) :- \\+ .", ":-"])
def test_messages_show_no_inner_name_of_a_grammar(text):
    with pytest.raises(ProgramSyntaxError) as caught:
        read_sentences(text)
    assert not re.search(r"[A-Z]_[A-Z0-9]|ANON|\b[A-Z]{3,}\b", str(caught.value))


def test_what_follows_a_question_is_refused_in_words():
    """Lark's name for the end of a text was looked up among the terminals: a KeyError, found by trials/fuzz.py."""
    with pytest.raises(ProgramSyntaxError, match="the end of the text"):
        read_tree("years_in_job(2,N), N =< 3.;", "query")


def test_a_number_is_no_thing_of_a_relation():
    """`has(X,N), age(X,N), N > 3` asks that a thing and a number are equal; this was left out without a word."""
    text = "%@ relations has, long\nloan(X,'yes') :- has(X,N), long(N), age(X,N), N > 3.0."
    with pytest.raises(ProgramSyntaxError, match=r"unsafe: N is the number of age already.*give has a variable of its"):
        parse(HEADER + text)


def test_numbers_are_not_called_as_things_are():
    """The number of a column was called N2 beside a thing N2, which says that they are equal."""
    text = "%@ relations has, long\nloan(X,'yes') :- has(X,N2), long(N2), has(X,N1_), long(N1_), age(X,M), M > 3.0."
    program = parse(HEADER + text)
    (number,) = re.findall(r"age\(X,(\w+)\)", str(program))
    assert number not in ("N2", "N1_")
    assert parse(str(program)) == program


def test_a_thing_may_be_called_x_where_the_row_is_not():
    """In `loan(Y,'yes') :- has(Y,X), long(X).` the thing X was taken for the row."""
    header = HEADER + "%@ relations has, long\n"
    program = parse(header + "loan(Y,'yes') :- has(Y,X), long(X).")
    assert program == parse(header + "loan(X,'yes') :- has(X,X1), long(X1).")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loan(X,'yes') :- at_least1(X).\nat_least1(X) :- word(X,'a').", "line 6: 'at_least1' .* is kept for s"),
        ("loan(X,'yes') :- some_rule_decides(X).\nsome_rule_decides(X) :- word(X,'a').", "'some_rule_decides' is kept"),
        ("loan(X,'yes') :- c_a(X).\nc_a(X) :- word(X,'a').", "'c_a' is kept for s"),
    ],
)
def test_a_name_that_is_kept_is_said_to_be(text, message):
    """Clauses of such helpers were left out, and the helper was then said to be called and not defined."""
    with pytest.raises(ProgramError, match=message):
        parse(HEADER + text)


def test_a_clause_after_the_sums_is_read_where_it_stands_in_their_line():
    """All of the line was left out, the rule with it."""
    rules = "loan(X,'yes') :- at_least(2, [1*a(X), 1*b(X)]).\na(X) :- word(X,'a').\nb(X) :- word(X,'b').\n"
    sums = "at_least(2, [1*a(X), 1*b(X)]) :- at_least1(X).\nat_least1(X) :- a(X), at_least2(X)."
    program = parse(f"{HEADER}{rules}{sums} loan(X,'yes') :- word(X,'c').")
    assert len(program.clauses_for("yes")) == 2


def test_another_default_than_that_of_the_target_is_refused():
    """The last clause of a file says the default again; changed there and not above, the change was lost."""
    text = (
        "%@ target t: 'a', 'b' else 'c'\n%@ categorical w\nt(X,'a') :- w(X,'x').\nt(X,'b') :- not some_rule_decides(X)."
    )
    with pytest.raises(ProgramSyntaxError, match="where no rule decides, 'c' is predicted, not 'b'"):
        parse(text)
