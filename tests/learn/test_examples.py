"""Examples as a logic program: the paper's Example 1 from files, relations, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from unless import FoldRClassifier, FoldRPPClassifier, UnlessError, parse
from unless.cli.app import make_app
from unless.learn.examples import read_examples

BK = """\
bird(X) :- penguin(X).
bird(tweety).   bird(et).
cat(kitty).     penguin(polly).
"""
EXS = """\
pos(fly(tweety)).   pos(fly(et)).
neg(fly(kitty)).    neg(fly(polly)).
"""


def learn(examples, background, classifier=FoldRClassifier):
    read = read_examples(examples, background)
    model = classifier(background=read.background, background_columns=[read.name_column], positive=True)
    return model.fit(read.rows, read.labels)


@pytest.mark.parametrize("classifier", [FoldRClassifier, FoldRPPClassifier])
def test_example_1_of_the_paper(classifier):
    model = learn(EXS, BK, classifier)
    written = str(model.program_)
    assert "fly(X) :- bird(X), not ab1(X).\nab1(X) :- penguin(X).\n" in written
    assert parse(written) == model.program_
    assert model.predict([{"name": name} for name in ("tweety", "et", "kitty", "polly")]).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("algorithm", ["fold-r", "fold-r++"])
def test_example_1_from_files_by_the_command(tmp_path, algorithm):
    (tmp_path / "bk.pl").write_text(BK)
    (tmp_path / "exs.pl").write_text(EXS)
    arguments = ["learn", "--examples", str(tmp_path / "exs.pl"), "--background", str(tmp_path / "bk.pl")]
    done = CliRunner().invoke(make_app(), [*arguments, "--algorithm", algorithm])
    assert done.exit_code == 0
    assert "fly(X) :- bird(X), not ab1(X).\nab1(X) :- penguin(X)." in done.stdout


def test_relations_are_worked_out_by_the_engine():
    pytest.importorskip("clingo")
    bk = """
    has_car(t1,c1). has_car(t1,c2). has_car(t2,c3). has_car(t3,c4). has_car(t4,c5).
    short(c2). short(c4). long(c1). long(c3). long(c5). closed(c2). closed(c4). open(c5).
    has_short_closed(T) :- has_car(T,C), short(C), closed(C).
    """
    model = learn("pos(east(t1)). pos(east(t3)). neg(east(t2)). neg(east(t4)).", bk)
    assert "east(X) :- has_short_closed(X)." in str(model.program_)


def test_value_shared_by_two_individuals_is_a_literal():
    pytest.importorskip("clingo")
    bk = "lives(a,sea). lives(b,sea). lives(c,land). lives(d,land). age(a,3). age(b,5). age(c,8). age(d,9)."
    model = learn("pos(fish(a)). pos(fish(b)). neg(fish(c)). neg(fish(d)).", bk)
    assert "fish(X) :- lives_sea(X)." in str(model.program_)


def test_recursion_is_worked_out_by_the_engine():
    pytest.importorskip("clingo")
    bk = "up(X) :- on(X,Y), up(Y). up(base). on(a,base). on(b,a). on(c,floor). up(X) :- lifted(X). lifted(d)."
    model = learn("pos(safe(a)). pos(safe(b)). neg(safe(c)).", bk)
    assert "safe(X) :- up(X)." in str(model.program_)


@pytest.mark.parametrize(
    ("examples", "background", "words"),
    [
        ("fly(tweety).", "", "not an example"),
        ("pos(fly(tweety)). neg(fly(tweety)).", "", "both a positive and a negative"),
        ("pos(likes(a,b)).", "", "is about 2 things"),
        ("pos(fly(X)).", "", "an example is about one"),
        ("pos(fly(a)). neg(swim(b)).", "", "of one predicate"),
        ("", "", "there are none"),
        (EXS, "fly(tweety).", "must not define it"),
        (EXS, "p(X) :- bird(X), not q(X). q(X) :- bird(X), not p(X).", "loop through negation"),
        (EXS, "bird(tweety", "the text ends"),
    ],
)
def test_refused_with_the_reason(examples, background, words):
    with pytest.raises(UnlessError, match=words):
        read_examples(examples, background)


def test_command_refuses_a_table_beside_examples(tmp_path):
    done = CliRunner().invoke(make_app(), ["learn", "table.csv", "--examples", "exs.pl"])
    assert "one or the other" in str(done.exception)


def test_exceptions_of_a_target_called_ab1():
    """A true label has the head ab1(X); its exceptions must be called otherwise."""
    model = learn(EXS.replace("fly", "ab1"), BK)
    assert "ab1(X) :- bird(X), not ab2(X).\nab2(X) :- penguin(X).\n" in str(model.program_)
    assert parse(str(model.program_)) == model.program_


def test_helper_with_the_name_of_a_true_target_is_refused():
    text = "%@ unless 1\n%@ target y: true else false\n%@ categorical a\ny(X) :- a(X,'b').\n"
    assert parse(text).clauses[0].label is True
    with pytest.raises(UnlessError, match="'y' is called but no clause defines it"):
        parse(text + "z(X) :- y(X).\n")
    program = parse(text)
    with pytest.raises(UnlessError, match="'y' is the target"):
        replace(program, clauses=(*program.clauses, replace(program.clauses[0], name="y", label=None)))
