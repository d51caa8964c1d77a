"""`unless grade`, `predict --probabilities`, and what is said of a grade of the program before an edit."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from unless import load, save
from unless.cli.app import make_app
from unless.errors import DataError
from unless.explain.words.grade_words import old_words
from unless.explain.words.language import language
from unless.logic.edit import remove_clause
from unless.logic.kept_constraints import Constraints
from unless.logic.program import OLD_GRADE


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graded")
    run("demo", "--save", str(folder / "loans.csv"))
    run("learn", str(folder / "loans.csv"), "--target", "loan", "-o", str(folder / "m.lp"))
    return folder


def run(*arguments):
    said = CliRunner().invoke(make_app(), list(arguments))
    assert said.exit_code == 0, said.output
    return said


def test_probabilities_beside_labels(folder):
    model, data = str(folder / "m.lp"), str(folder / "loans.csv")
    rows = list(csv.DictReader(run("predict", model, data, "--probabilities").stdout.splitlines()))
    plain = run("predict", model, data).stdout.split()[1:]
    labels = [name.removeprefix("probability of ") for name in list(rows[0])[1:]]
    for row, label in zip(rows, plain, strict=True):
        shares = [float(row[f"probability of {name}"]) for name in labels]
        assert row["loan"] == label == labels[shares.index(max(shares))]
        assert sum(shares) == pytest.approx(1.0)
    data = json.loads(run("predict", model, data, "--probabilities", "--json").stdout)
    assert data[0]["label"] == plain[0]
    assert set(data[0]["probabilities"]) == set(labels)


def test_an_edited_program_says_so_until_it_is_graded_again(folder, tmp_path):
    program, data = load(folder / "m.lp"), str(folder / "loans.csv")
    edited, new = str(tmp_path / "edited.lp"), str(tmp_path / "new.lp")
    save(remove_clause(program, 0), edited)
    for command in (
        ("predict", edited, data, "--probabilities"),
        ("score", edited, data),
        ("rules", edited, "--check"),
        ("rules", edited, data),
        ("compare", edited, edited, data),
        ("export", edited, "--to", "python"),
    ):
        assert "the grade is of the program before it was edited" in run(*command).stderr
    assert "before it was edited" in run("explain", edited, data, "--row", "0").stdout
    assert "before it was edited" in " ".join(run("rules", edited, "--grade").stdout.split())
    assert json.loads(run("score", edited, data, "--json").stdout)["is_old"]
    assert json.loads(run("rules", edited, "--json").stdout)["grade"][0]["is_old"]  # it said nothing
    assert "before it was edited" in run("rules", edited, "--grade", "--json").stderr
    program = str(folder / "m.lp")
    assert f"unless: {edited}: the grade is" in run("compare", program, edited, data).stderr
    assert f"unless: {program}: the grade is" not in run("compare", program, edited, data).stderr
    graded = run("grade", edited, data, "-o", new, "--json")
    assert "lines of points" in graded.stderr
    assert not json.loads(graded.stdout)["grade"][0]["is_old"]
    assert json.loads(graded.stdout)["grade"] == json.loads(run("rules", new, "--json").stdout)["grade"]
    assert "before it was edited" not in run("score", new, data).stderr
    assert load(new).clauses == load(edited).clauses


def test_probabilities_of_weighed_rows_are_said_to_be_so(folder, tmp_path):
    """`score` showed predicted 94 % beside observed 48 %, and nothing said that rows had been weighed."""
    weighed, plain, data = str(tmp_path / "weighed.lp"), str(tmp_path / "plain.lp"), str(folder / "loans.csv")
    program = load(folder / "m.lp")
    save(replace(program, grade=replace(program.grade, is_weighed=True)), weighed)
    run("grade", weighed, data, "-o", plain)

    def said(model):
        yield run("score", model, data).stdout
        yield run("rules", model, "--grade").stdout
        yield run("predict", model, data, "--probabilities").stderr
        yield run("rules", model, data).stderr
        yield run("compare", model, plain, data).stderr
        yield run("export", model, "--to", "python").stderr

    for text in said(weighed):
        words = " ".join(text.split())
        assert "these probabilities are of the rows as weighed, not of the rows as they are." in words
        assert "unless grade MODEL.lp DATA -o NEW.lp" in words
    assert not any("weighed" in text for text in said(plain))
    for command in (("score", weighed, data), ("rules", weighed, "--grade")):
        assert "gewichteten Zeilen" in " ".join(run(*command, "--language", "de").stdout.split())
    assert [json.loads(run("score", model, data, "--json").stdout)["is_weighed"] for model in (weighed, plain)] == [
        True,
        False,
    ]
    assert "weighed" not in run("predict", weighed, data).stderr


def test_remarks_on_a_grade_are_in_the_language_of_the_command(folder, tmp_path):
    """`compare --language de` remarked in English above a German answer, and so did `score` and `rules`."""
    model, data, program = str(tmp_path / "odd.lp"), str(folder / "loans.csv"), load(folder / "m.lp")
    save(remove_clause(replace(program, grade=replace(program.grade, is_weighed=True)), 0), model)
    assert old_words(language("en")) == OLD_GRADE
    old, weighed = old_words(language("de")), "Beim Lernen wogen die Zeilen verschieden"
    commands = {
        ("compare", str(folder / "m.lp"), model, data): [f"unless: {model}: {old}", f"unless: {model}: {weighed}"],
        ("rules", model, data): [f"unless: {old}", f"unless: {weighed}"],
        ("rules", model, "--check"): [f"unless: {old}"],
        ("rules", model, "--grade"): [f"unless: {old}"],
        ("score", model, data): [f"unless: {old}"],
    }
    for command, lines in commands.items():
        said = run(*command, "--language", "de").stderr
        assert [line for line in lines if line not in said] == []
        assert "the grade" not in said
        assert "Rows weighed" not in said


def test_where_labels_cost_differently_the_probability_of_rows_as_they_are_is_said_too(folder, tmp_path):
    """A row of risk 3 % was said to have 24 %, that of rows as weighed, and `score` measured the latter.

    Later it was said to have 24 % first, and 3 % two sentences below; `predict` gave 24 %, or 50 %, and said by what to
    divide the odds.
    """
    model, data = str(tmp_path / "costs.lp"), str(folder / "loans.csv")
    run("learn", data, "--target", "loan", "--cost-of", "approved=10", "-o", model, "--no-check")
    grade = load(model).grade
    assert grade.cost_ratio in (10.0, 0.1)
    risk = json.loads(run("explain", model, data, "--row", "6", "--json").stdout)["risk"]
    assert risk["as_they_are"] == grade.as_they_are(risk["by_points"])
    text = " ".join(run("explain", model, data, "--row", "6").stdout.split())
    assert f"Probability of {risk['label']}: {language('en').percent(risk['as_they_are'])}, from" in text
    assert f"weighed {grade.cost_ratio:g} times as much as others: as weighed" in text
    assert f" {language('en').percent(risk['by_points'])}" in text
    table = run("rules", model, "--grade").stdout
    band, card = grade.cards[0].bands[0], grade.cards[0]
    ends = [[p if is_weighed else grade.as_they_are(p) for p in map(card.probability, (band.low, band.high))]
            for is_weighed in (False, True)]  # fmt: skip
    shares = [" to ".join(language("en").percent(end) for end in each) for each in ends]
    assert re.search(rf"{re.escape(shares[0])} +{re.escape(shares[1])}", table)
    assert re.search(r"probability +as weighed +training rows", table)
    assert "gewichtet" in run("rules", model, "--grade", "--language", "de").stdout
    measured = json.loads(run("score", model, data, "--json").stdout)
    assert measured["is_weighed"]
    assert measured["as_they_are"]
    for each in measured["reliability"]["bins"]:
        if each["n_rows"] > 200:
            assert each["predicted"] == pytest.approx(each["observed"], abs=0.05)
    assert "these figures are of the probabilities of rows as they are" in " ".join(
        run("score", model, data).stdout.split()
    )
    assert "these figures are of the probabilities" in run("compare", model, str(folder / "m.lp"), data).stderr
    predicted = run("predict", model, data, "--probabilities")
    assert f"rows of approved weighed {grade.cost_ratio:g} times as much as others" in predicted.stderr
    row = list(csv.DictReader(predicted.stdout.splitlines()))[6]
    assert float(row[f"probability of {risk['label']} as weighed"]) == risk["probability"]
    assert float(row[f"probability of {risk['label']} among rows as they are"]) == risk["as_they_are"]
    assert len(row) == 5
    asked = json.loads(run("predict", model, data, "--probabilities", "--json").stdout)[6]
    assert asked["as_they_are"][risk["label"]] == risk["as_they_are"]
    assert sum(asked["as_they_are"].values()) == pytest.approx(1.0)
    said = run("export", model, "--to", "python").stderr
    assert "The probability among rows as they are says how likely approved is" in said
    covered = json.loads(run("rules", model, data, "--json").stdout)["coverage"]["lines"]
    for line in covered:
        assert line["probability"] == pytest.approx(line["precision"], abs=0.05)
    report = tmp_path / "report.html"
    run("report", model, data, "-o", str(report))
    drawn = re.sub(r"<[^>]*>", " ", report.read_text(encoding="utf-8").split("</svg>")[0])
    assert "these are the probabilities of rows as they are." in " ".join(drawn.split())


def test_where_labels_cost_differently_it_is_said_how_many_were_found(folder, tmp_path):
    """Accuracy, balanced accuracy and costs were said, and not how many rows of the label were missed."""
    asked = ("learn", str(folder / "loans.csv"), "--target", "loan", "--cost-of", "approved=10")
    counted = {each["label"]: each for each in json.loads(run(*asked, "--json").stdout)["unseen"]["by_label"]}
    mine, other = counted["approved"], counted["refused"]
    predicted = mine["right"] + other["rows"] - other["right"]
    text = " ".join(run(*asked, "-o", str(tmp_path / "m.lp")).stdout.split())
    assert f"Of {mine['rows']} 'approved' it found {mine['right']}; of {predicted} that it predicted" in text


def test_grading_again_keeps_what_labels_cost(folder, tmp_path):
    """It was lost without a word, and with it the order of the rows: many stood at one half."""
    model, again, data = str(tmp_path / "costs.lp"), str(tmp_path / "again.lp"), str(folder / "loans.csv")
    run("learn", data, "--target", "loan", "--cost-of", "approved=10", "-o", model)
    run("grade", model, data, "-o", again)
    before, after = load(model), load(again)
    assert after.grade.cost_ratio == before.grade.cost_ratio == 10.0
    assert after.clauses == before.clauses
    assert before.unseen.auc is not None
    assert after.unseen == replace(before.unseen, auc=None)  # that of other points
    scores = [json.loads(run("score", each, data, "--json").stdout)["auc"] for each in (model, again)]
    assert scores[1] == pytest.approx(scores[0], abs=0.02)


def test_grading_says_which_constraints_the_rules_break(folder, tmp_path):
    """A direction or a pair was written into the file, and said as a fact, above rules that break it."""
    asked = ("--monotonic", "income=-1", "--apart", "income,housing")
    said = run("grade", str(folder / "m.lp"), str(folder / "loans.csv"), "-o", str(tmp_path / "n.lp"), *asked).stderr
    assert "more of 'income' speaks for 'approved'; it may only speak against it. Only the points keep to it." in said
    assert "tests both 'housing' and 'income', which no rule may combine. Only the points keep to it." in said


def test_labels_that_the_program_does_not_know_are_named(folder, tmp_path):
    lines = (folder / "loans.csv").read_text(encoding="utf-8").splitlines()
    lines[4], lines[9] = lines[4].replace("approved", "Approved"), lines[9].replace("refused", "Refused")
    strange = tmp_path / "strange.csv"
    strange.write_text("\n".join(lines), encoding="utf-8")
    labels = [each for each in ("Approved", "Refused") if each in strange.read_text(encoding="utf-8")]
    assert labels
    for command in ("score", "rules"):
        said = run(command, str(folder / "m.lp"), str(strange)).stderr
        assert f"the program does not know, so it is wrong there: {', '.join(map(repr, labels))}." in said
        assert "does not know" not in run(command, str(folder / "m.lp"), str(folder / "loans.csv")).stderr


def test_labels_that_look_like_those_of_the_program_are_named(folder, tmp_path):
    """A table saved with 1.0 and 0.0 for 1 and 0 was wrong in every row, and no word said how near the labels are."""
    text = (folder / "loans.csv").read_text(encoding="utf-8")
    shouted = tmp_path / "shouted.csv"
    shouted.write_text(text.replace("approved", "APPROVED"), encoding="utf-8")
    said = "labels that look like those of the program: 'APPROVED' and 'approved'. If they are one, write them alike."
    assert said in run("score", str(folder / "m.lp"), str(shouted)).stderr
    again = ["grade", str(folder / "m.lp"), str(shouted), "-o", str(tmp_path / "n.lp")]
    with pytest.raises(DataError) as refused:
        CliRunner().invoke(make_app(), again, catch_exceptions=False)
    assert "column 'loan' has 1 of the program's labels; grading needs rows of two." in str(refused.value)


def test_rows_of_labels_that_only_cards_name_are_counted_where_the_default_has_no_name(tmp_path, caplog):
    """It said: 0 rows are left out."""
    text = "late(X,'late') :- age(X,N), N > 40.0.\n"
    text += "".join(f"%@ grade '{label}' curve 1.0 0.0\n" for label in ("late", "not late", "paid"))
    (tmp_path / "bare.lp").write_text("%@ unless 1\n%@ numerical age\n" + text, encoding="utf-8")
    labels = ["late", "paid", "Paid"] + ["late", "paid"] * 20
    cells = "\n".join(f"{age},{label}" for age, label in enumerate(labels, 20))
    (tmp_path / "data.csv").write_text(f"age,late\n{cells}\n", encoding="utf-8")
    run("grade", str(tmp_path / "bare.lp"), str(tmp_path / "data.csv"), "-o", str(tmp_path / "new.lp"))
    assert not any(message.startswith("0 rows") for message in caplog.messages)


def test_a_program_without_a_grade_gives_no_probabilities(folder, tmp_path):
    bare = tmp_path / "bare.lp"
    lines = (folder / "m.lp").read_text(encoding="utf-8").splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if not line.startswith("%@ grade")), encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["predict", str(bare), str(folder / "loans.csv"), "--probabilities"])
    assert "the program has no grade" in str(said.exception)
    assert "reliability" not in json.loads(run("score", str(bare), str(folder / "loans.csv"), "--json").stdout)


def test_columns_can_be_forbidden(folder):
    said = run("grade", str(folder / "m.lp"), str(folder / "loans.csv"), "--forbid", "income,history").stdout
    points = [line for line in said.splitlines() if line.startswith("%@ grade") and " points " in line]
    assert points
    assert not any("income" in line or "history" in line for line in points)


def points_of(text):
    return [line for line in text.splitlines() if line.startswith("%@ grade") and " points " in line]


@pytest.fixture(scope="module")
def constrained(folder):
    """Return a model file that was learned under constraints of every kind."""
    asked = ("--forbid", "income", "--apart", "housing,debt_ratio", "--monotonic", "years_in_job=+1")
    run("learn", str(folder / "loans.csv"), "--target", "loan", *asked, "--no-check", "-o", str(folder / "kept.lp"))
    return str(folder / "kept.lp")


def test_what_was_asked_of_learning_holds_when_a_program_is_graded_again(folder, constrained, tmp_path):
    """Graded again after an edit, a program learned without `income` gave points for it, unless that was said again."""
    data, edited, new = str(folder / "loans.csv"), str(tmp_path / "edited.lp"), str(tmp_path / "new.lp")
    save(remove_clause(load(constrained), 0), edited)
    said = " ".join(run("grade", edited, data, "-o", new).stderr.split())
    assert "No rule and no points may test income." in said
    assert "No rule may combine housing and debt ratio, nor may the points for a label." in said
    assert "More of years in job may only speak for 'approved'." in said
    assert "neither the rules" not in said
    assert load(new).constraints == load(edited).constraints == load(constrained).constraints
    points = points_of((tmp_path / "new.lp").read_text(encoding="utf-8"))
    assert points
    assert not any("income" in line for line in points)
    assert not (any("housing" in line for line in points) and any("debt_ratio" in line for line in points))
    bare = tmp_path / "bare.lp"
    save(replace(load(edited), constraints=Constraints()), bare)
    assert any("income" in line for line in points_of(run("grade", str(bare), data).stdout))
    again = ("--forbid", "income", "--apart", "housing,debt_ratio", "--monotonic", "years_in_job=+1")
    assert run("grade", str(bare), data, *again).stdout == (tmp_path / "new.lp").read_text(encoding="utf-8")


def test_options_add_to_what_the_model_file_says(folder, constrained, tmp_path):
    data, new = str(folder / "loans.csv"), tmp_path / "new.lp"
    said = run(
        "grade", constrained, data, "-o", str(new), "--forbid", "history", "--monotonic", "years_in_job=+1"
    ).stderr
    assert load(new).constraints.forbidden == ("history", "income")
    assert load(new).constraints.directions == load(constrained).constraints.directions
    assert not any("income" in line or "history" in line for line in points_of(new.read_text(encoding="utf-8")))
    assert ("tests 'history', which no rule may test. Only the points" in said) == (
        "history" in load(constrained).used_columns
    )


def test_another_direction_than_that_of_the_model_file_is_refused(folder, constrained):
    given = ["grade", constrained, str(folder / "loans.csv"), "--monotonic", "years_in_job=-1"]
    said = str(CliRunner().invoke(make_app(), given).exception)
    assert said == "--monotonic gives column 'years_in_job' -1, and the program has +1; accepted: one direction."


def test_a_table_may_lack_a_forbidden_column(folder, constrained, tmp_path):
    rows = list(csv.DictReader((folder / "loans.csv").read_text(encoding="utf-8").splitlines()))
    with (tmp_path / "less.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [name for name in rows[0] if name != "income"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    graded = run("grade", constrained, str(tmp_path / "less.csv")).stdout
    assert graded == run("grade", constrained, str(folder / "loans.csv")).stdout


def test_rules_say_what_they_keep_to(constrained, tmp_path):
    page = tmp_path / "page.html"
    assert "\n% No rule and no points may test income.\n" in run("rules", constrained).stdout
    assert "\nNo rule and no points may test income.\n" in run("rules", constrained, "--english").stdout
    assert "dürfen nach income fragen" in run("rules", constrained, "--language", "de").stdout
    run("rules", constrained, "--html", str(page))
    assert "<p>No rule and no points may test income.</p>" in page.read_text(encoding="utf-8")
    assert json.loads(run("rules", constrained, "--json").stdout)["constraints"] == {
        "forbid": ["income"], "apart": [["housing", "debt_ratio"]], "monotonic": {"years_in_job": 1},
    }  # fmt: skip


def test_the_frontier_keeps_constraints(folder, tmp_path):
    picked = tmp_path / "picked.lp"
    asked = ("--frontier", "--max-rules", "1", "--forbid", "income", "-o", str(picked))
    run("learn", str(folder / "loans.csv"), "--target", "loan", *asked)
    assert load(picked).constraints == Constraints(("income",))


def test_a_column_that_an_old_file_does_not_forbid_does_not_come_back_unsaid(folder, constrained, tmp_path):
    """Files before 0.3.0 do not say what learning was forbidden."""
    data, without, again = str(folder / "loans.csv"), str(tmp_path / "without.lp"), str(tmp_path / "again.lp")
    save(replace(load(constrained), constraints=Constraints()), without)
    said = " ".join(run("grade", without, data, "-o", again).stderr.split())
    assert "points now test 'income', which neither the rules nor the grade before tested" in said
    assert said.count("--forbid income") == 1
    assert "neither the rules" not in run("grade", without, data, "--forbid", "income").stderr
    assert "neither the rules" not in run("grade", again, data).stderr


def test_constraints_of_learning_are_those_of_grading(folder):
    graded = ["grade", str(folder / "m.lp"), str(folder / "loans.csv")]
    free = run(*graded).stdout
    assert "points" in free
    kept = run(*graded, "--apart", "income,debt_ratio", "--monotonic", "income=-1").stdout
    points = [line for line in kept.splitlines() if line.startswith("%@ grade") and " points " in line]
    assert not (any("income" in line for line in points) and any("debt_ratio" in line for line in points))
    for line in points:
        if " if income " in line:  # more of it may only speak against
            assert (int(line.split(" points ")[1].split()[0]) > 0) == ("=<" in line)
    said = CliRunner().invoke(make_app(), [*graded, "--apart", "income"])
    assert "another number of columns than two" in str(said.exception)


def test_scores_have_the_measures_of_probabilities_and_a_picture(folder, tmp_path):
    model, data, drawn = str(folder / "m.lp"), str(folder / "loans.csv"), tmp_path / "r.svg"
    found = json.loads(run("score", model, data, "--json", "--svg", str(drawn)).stdout)
    assert 0.5 < found["auc"] <= 1.0
    assert found["log_loss"] == found["reliability"]["log_loss"]
    assert found["brier"] == found["reliability"]["brier"]
    picture = drawn.read_text(encoding="utf-8")
    assert picture.count("<circle") == len(found["reliability"]["bins"])
    assert "AUC" in picture
    german = tmp_path / "d.svg"
    run("score", model, data, "--svg", str(german), "--language", "de")
    assert "beobachtet" in german.read_text(encoding="utf-8")
    assert "observed" not in german.read_text(encoding="utf-8")


def test_a_table_without_rows_has_nothing_to_score(folder, tmp_path):
    """It had an accuracy of 0.0000, and a picture of it ended in a traceback."""
    (tmp_path / "none.csv").write_text((folder / "loans.csv").read_text().splitlines()[0] + "\n")
    given = ["score", str(folder / "m.lp"), str(tmp_path / "none.csv")]
    for more in ([], ["--json"], ["--svg", str(tmp_path / "n.svg")]):
        said = CliRunner().invoke(make_app(), [*given, *more])
        assert "none.csv has no rows: there is nothing to score" in str(said.exception)
        assert not said.stdout


def test_a_comparison_has_the_measures_of_probabilities(folder, tmp_path):
    model, data, edited = str(folder / "m.lp"), str(folder / "loans.csv"), str(tmp_path / "edited.lp")
    save(remove_clause(load(model), 0), edited)
    found = json.loads(run("compare", model, edited, data, "--json").stdout)["measures"]
    assert [each["name"] for each in found if each["label"] is None] == ["accuracy", "auc", "log_loss", "brier"]
    assert "Brier-Wert" in run("compare", model, edited, data, "--language", "de").stdout


def test_a_picture_needs_a_grade(folder, tmp_path):
    bare = tmp_path / "bare.lp"
    bare.write_text("loan(X,'approved') :- income(X,N), N > 30000.0.\n", encoding="utf-8")
    said = CliRunner().invoke(make_app(), ["score", str(bare), str(folder / "loans.csv"), "--svg", "no.svg"])
    assert "the program has no grade" in str(said.exception)


def test_graded_again_a_label_that_no_rule_concludes_keeps_its_probability(tmp_path):
    """Its rows were left out, unsaid, and the probabilities were those of two labels."""
    rows = [f"{n},{'rare' if n % 10 == 7 else 'low' if n < 50 else 'high'}" for n in range(100)]
    (tmp_path / "t.csv").write_text("\n".join(["n,t", *rows]))
    model, data, again = str(tmp_path / "m.lp"), str(tmp_path / "t.csv"), str(tmp_path / "again.lp")
    run("learn", data, "--target", "t", "-o", model)
    target = load(model).target
    assert "rare" not in (*target.labels, target.default)
    assert run("grade", model, data, "-o", again).stderr.startswith(f"{again}: ")
    before, after = load(model).grade, load(again).grade
    assert {card.label for card in after.cards} == {card.label for card in before.cards} == {"low", "high", "rare"}
    for card in after.cards:
        assert sum(band.n_rows for band in card.bands) == 100
    assert load(again).target == target


def test_rows_whose_label_nobody_knows_are_counted_and_their_labels_named(tmp_path, caplog):
    """They were left out without a word."""
    model, data, new = (str(tmp_path / name) for name in ("m.lp", "t.csv", "new.lp"))
    rows = [f"{i},{'late' if i > 60 else 'paid'}" for i in range(100)]
    unknown = ["1,perhaps", "2,disputed", "99,perhaps"]
    (tmp_path / "t.csv").write_text("\n".join(["age,end", *rows, *unknown, "3,"]) + "\n")
    text = "%@ target end: 'late' else 'paid'\n%@ numerical age\nend(X,'late') :- age(X,N), N > 60.0.\n"
    (tmp_path / "m.lp").write_text(text)
    run("grade", model, data, "-o", new)
    assert caplog.messages == [
        "1 row has no label in column 'end', and is left out.",
        "3 rows are left out, whose labels the program does not know: 'disputed', 'perhaps'.",
    ]
    assert sum(band.n_rows for band in load(new).grade.cards[0].bands) == 100
    (tmp_path / "t.csv").write_text("\n".join(["age,end", *rows, "1,perhaps"]) + "\n")
    caplog.clear()
    run("grade", model, data, "-o", new)
    assert caplog.messages == ["1 row is left out, whose label the program does not know: 'perhaps'."]
    caplog.clear()
    known = "%@ grade 'late' curve 1.0 0.0\n%@ grade 'paid' curve 1.0 0.0\n%@ grade 'perhaps' curve 1.0 0.0\n"
    (tmp_path / "m.lp").write_text(text + known)
    run("grade", model, data, "-o", new)
    assert not caplog.messages
