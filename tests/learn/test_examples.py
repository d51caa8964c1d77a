"""Examples as a logic program: the paper's Example 1 from files, relations, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from unless import FoldRClassifier, FoldRPPClassifier, UnlessClassifier, UnlessError, parse
from unless.cli.app import make_app
from unless.learn.examples import read_examples
from unless.learn.front import learn as learn_task
from unless.learn.learners import FoldRPPSettings
from unless.logic.text.files import save
from unless.table.labels import read_labels

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


def test_words_that_two_individuals_share_are_a_column():
    bk = "lives(a,sea). lives(b,sea). lives(c,land). lives(d,land). tag(a,1). tag(b,x). tag(c,y). tag(d,z)."
    read = read_examples("pos(fish(a)). pos(fish(b)). neg(fish(c)). neg(fish(d)).", bk)
    assert read.rows.columns == ["name", "lives"]
    assert "fish(X) :- lives(X,'sea')." in str(
        learn("pos(fish(a)). pos(fish(b)). neg(fish(c)). neg(fish(d)).", bk).program_
    )


@pytest.mark.parametrize("classifier", [FoldRClassifier, FoldRPPClassifier, UnlessClassifier])
def test_numbers_are_a_column(classifier):
    """The input of FOLD-R itself: four ages, and nothing else."""
    bk = "age(a,3). age(b,4). age(c,30). age(d,40.5)."
    model = learn("pos(young(a)). pos(young(b)). neg(young(c)). neg(young(d)).", bk, classifier)
    assert model.predict([{"age": 3}, {"age": 41}, {"age": None}]).tolist()[:2] == [True, False]
    assert parse(str(model.program_)) == model.program_


def test_threshold_is_a_number_of_the_facts():
    model = learn("pos(y(a)). pos(y(b)). neg(y(c)). neg(y(d)).", "age(a,3). age(b,4). age(c,30). age(d,40).")
    assert "y(X) :- age(X,N1), N1 =< 4.0." in str(model.program_)


def test_column_may_hold_numbers_and_words_and_gaps():
    bk = "age(a,3). age(b,old). age(c,old). age(z,9)."
    read = read_examples("pos(y(a)). pos(y(b)). neg(y(c)). neg(y(d)).", bk)
    assert read.rows["age"].to_list() == [3.0, "old", "old", None]


def test_numbers_are_compared_though_somebody_has_a_word():
    bk = "age(a,3). age(b,4). age(c,30). age(d,40). age(e,unknown)."
    model = learn("pos(y(a)). pos(y(b)). neg(y(c)). neg(y(d)). neg(y(e)).", bk)
    assert "y(X) :- age(X,N1), N1 =< 4.0." in str(model.program_)


def test_several_numbers_of_one_individual_need_a_clause_and_the_note_says_so(caplog):
    bk = "temp(a,90). temp(a,20). temp(b,85). temp(b,30). temp(c,40). temp(c,41). temp(d,50)."
    exs = "pos(ill(a)). pos(ill(b)). neg(ill(c)). neg(ill(d))."
    with pytest.raises(UnlessError, match="rules may test nothing"):
        learn_task(read_examples(exs, bk).task(), FoldRPPSettings())
    hint = "high_temp(A) :- temp(A,N), N > 80."
    assert caplog.text.rstrip().endswith(f"a clause of the background may do it: {hint}")
    program = learn_task(read_examples(exs, f"{bk} {hint}").task(), FoldRPPSettings()).program
    assert "ill(X) :- high_temp(X)." in str(program)


def test_several_values_of_one_individual_are_literals_of_their_own():
    bk = "likes(a,fish). likes(a,meat). likes(b,fish). likes(c,meat). likes(d,corn)."
    model = learn("pos(cat(a)). pos(cat(b)). neg(cat(c)). neg(cat(d)).", bk)
    assert "cat(X) :- likes_fish(X)." in str(model.program_)


def test_nothing_to_test_is_said():
    with pytest.raises(UnlessError, match="rules may test nothing"):
        learn("pos(y(a)). neg(y(b)).", "")


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


def test_files_of_aleph_are_read_like_poppers(tmp_path):
    """Modes are the bias: a load is reached from its car, and is named after its type."""
    (tmp_path / "train.b").write_text(
        ":- use_module(library(aleph)).\n:- aleph.\n:- set(i,2).\n% modes\n:- modeh(1,east(+train)).\n"
        ":- modeb(*,has_car(+train,-wagon)).\n:- modeb(1,long(+wagon)).\n:- modeb(1,closed(+wagon)).\n"
        ":- determination(east/1,has_car/2).\n:- begin_bg.\n"
        "has_car(t1,c1). has_car(t1,c2). has_car(t2,c3). has_car(t3,c4). has_car(t4,c5). has_car(t4,c6).\n"
        "long(c1). long(c3). long(c4). long(c6). closed(c1). closed(c2). closed(c4). closed(c5).\n:- end_bg.\n"
    )
    (tmp_path / "train.f").write_text("east(t1).\neast(t3).\n")
    (tmp_path / "train.n").write_text("east(t2).\neast(t4).\n")
    arguments = ["learn", "--examples", str(tmp_path / "train.f"), "--algorithm", "fold-r++"]
    done = CliRunner().invoke(make_app(), arguments)
    assert done.exit_code == 0, done.output
    assert "has_car(X,Wagon), closed(Wagon), long(Wagon)." in done.stdout.replace(
        "long(Wagon), closed(Wagon)", "closed(Wagon), long(Wagon)"
    )


@pytest.mark.parametrize("named", ["train.f", "train.n", "train.b"])
def test_any_of_the_three_files_of_aleph_names_all(tmp_path, named):
    (tmp_path / "train.f").write_text("east(t1).\n")
    (tmp_path / "train.n").write_text("east(t2).\n")
    (tmp_path / "train.b").write_text("long(t1).\n")
    read = read_examples(tmp_path / named)
    assert read.labels.to_list() == [True, False]
    assert "long(X)" in read.background


def test_aleph_examples_with_conditions_are_refused(tmp_path):
    (tmp_path / "train.f").write_text("east(X) :- big(X).\n")
    with pytest.raises(UnlessError, match="an example is a fact"):
        read_examples(tmp_path / "train.f")


@pytest.mark.parametrize(
    ("examples", "background", "words"),
    [
        ("pos(fly(a)).\nneg(fly(b)", "bird(a).", "^examples, line 2, column 11: the text ends"),
        (EXS, "bird(a).\nbird(X :- cat(X).", "^background, line 2, column 8: unexpected"),
        (EXS, "bird(a).\nowner(of(tweety)).", "^background, line 2: owner holds a term inside a term"),
        (EXS, "bird(a).\nowner(a,of(tweety)).", "^background, line 2, column 1: owner holds a term inside a term"),
        ("pos(fly(X)).", "", "is about a variable"),
    ],
)
def test_errors_say_in_which_text_and_why(examples, background, words):
    with pytest.raises(UnlessError, match=words):
        read_examples(examples, background)


@pytest.mark.parametrize(("sign", "kind", "other"), [("pos", "positive", "neg"), ("neg", "negative", "pos")])
def test_examples_of_one_kind_are_refused_in_words_of_examples(sign, kind, other):
    read = read_examples(f"{sign}(fly(tweety)). {sign}(fly(et)).", BK)
    with pytest.raises(UnlessError, match=rf"all 2 examples are {kind}; .*: {other}\(fly\(\.\.\.\)\)\."):
        read.task()


def test_goal_that_nothing_defines_is_said(caplog):
    read_examples(EXS, BK + "can(X) :- pengiun(X).")
    assert "asks for pengiun/1, which nothing defines: it never holds. Did you mean 'penguin'?" in caplog.text


def test_column_is_not_said_a_second_time_as_a_relation(caplog):
    """A fact with a value is a column; it is neither a conjunction of its own, nor a fact of which nothing speaks."""
    facts = "age(a,3). age(b,4). age(c,30). age(d,40). home(a,wood). home(b,wood). home(c,town). home(d,town)."
    read = read_examples("pos(young(a)). pos(young(b)). neg(young(c)). neg(young(d)).", facts + " likes(a,b).")
    made = read.training(read_labels(read.labels))
    assert not [column.name for column in made.options["related"] if "home" in column.name or "age" in column.name]
    assert "home/2" not in caplog.text
    assert "age/2" not in caplog.text


def test_what_is_missing_of_aleph_is_said(tmp_path, caplog):
    (tmp_path / "train.f").write_text("east(t1).\n")
    read_examples(tmp_path / "train.f")
    assert "there is no train.n" in caplog.text
    assert "there is no train.b" in caplog.text


def test_settings_of_aleph_may_hold_a_number_with_a_dot(tmp_path, caplog):
    (tmp_path / "train.f").write_text("east(t1).\n")
    (tmp_path / "train.b").write_text(":- set(minacc,0.9).\n:- modeb(1,near([+train])).\nlong(t1).\n")
    read = read_examples(tmp_path / "train.f")
    assert "long(X)" in read.background
    assert "a mode is not understood, and not used: :- modeb(1,near([+train]))." in caplog.text


def test_names_that_are_numbers_are_names(caplog):
    read = read_examples("pos(f(1)). pos(f(2)). neg(f(3)). neg(f(4)). neg(f(x)).", "red(1). red(2). blue(3).")
    program = learn_task(read.task(), FoldRPPSettings()).program
    assert "f(X) :- red(X)." in str(program)
    assert "column 'name'" not in caplog.text


def test_program_is_told_of_new_individuals(tmp_path, monkeypatch):
    """Facts of one argument stand in a program by name; those of other individuals come with them."""
    monkeypatch.chdir(tmp_path)
    texts = {"bk.pl": BK, "exs.pl": EXS, "new.pl": "pos(fly(woody)). neg(fly(pingu)). neg(fly(tom))."}
    texts["facts.pl"] = "bird(woody). penguin(pingu). bird(X) :- penguin(X). cat(tom)."
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    learned = ["learn", "--examples", "exs.pl", "--background", "bk.pl", "--algorithm", "fold-r", "-o", "fly.lp"]
    assert CliRunner().invoke(make_app(), learned).exit_code == 0
    new = ["fly.lp", "new.pl", "--background", "facts.pl"]
    said = {name: CliRunner().invoke(make_app(), [name, *new, *more]) for name, more in ASKED.items()}
    assert said["predict"].stdout.split() == ["fly", "True", "False", "False"]
    assert json.loads(said["score"].stdout)["accuracy"] == 1.0
    assert "Row woody: True, by rule 1" in said["explain"].stdout
    assert "X = 'woody'" in said["ask"].stdout
    assert "before it was edited" not in "".join(each.output for each in said.values())


ASKED = {"predict": [], "score": ["--json"], "explain": ["--row", "woody"], "ask": ["fly(X)"]}


def test_predicting_without_the_facts_is_refused(tmp_path, caplog):
    facts = "eats(a,p). eats(b,q). eats(c,r). eats(d,r). good(p). good(q). bad(r)."
    read = read_examples("pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).", facts)
    program = learn_task(read.task(), FoldRPPSettings()).program
    save(program, tmp_path / "f.lp")
    (tmp_path / "new.pl").write_text("pos(f(z)).")
    (tmp_path / "some.pl").write_text("eats(z,s).")
    asked = ["predict", str(tmp_path / "f.lp"), str(tmp_path / "new.pl")]
    refused = CliRunner().invoke(make_app(), asked)
    assert "there is no such fact; give them by --background FACTS.pl." in str(refused.exception)
    CliRunner().invoke(make_app(), [*asked, "--background", str(tmp_path / "some.pl")])
    assert "of which there is no fact: it holds of nobody" in caplog.text


def test_estimator_does_not_pass_over_facts_of_new_individuals():
    model = FoldRPPClassifier(positive=True)
    read, new = read_examples(EXS, BK), read_examples("pos(fly(woody)). neg(fly(tom)).", "bird(woody). cat(tom).")
    model.fit(read, read.labels)
    with pytest.raises(UnlessError, match=r"X\.informed\(model\.program_\)"):
        model.predict(new)
    told = FoldRPPClassifier.from_program(new.informed(model.program_))
    assert told.predict(new).tolist() == [True, False]
