"""`unless recourse`: ways in words and as data, limits that are kept, and a proved no."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from unless import FoldRPPClassifier, save
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import UnlessError
from unless.evaluate.recourse_rows import TableRecourse
from unless.explain.faces.recourse_report import RecourseReport
from unless.explain.words.language import languages
from unless.logic.holds import decide, read_row
from unless.logic.reason.recourse import ChangeLimits, Recourse
from visible_words import fixed_words, long_words

PROGRAM = planted_theory()


@pytest.fixture
def files(tmp_path):
    save(PROGRAM, tmp_path / "loans.lp")
    (tmp_path / "loans.csv").write_text(loans(200).write_csv())
    return [str(tmp_path / "loans.lp"), str(tmp_path / "loans.csv")]


def run(*arguments, code=0):
    result = CliRunner().invoke(make_app(), ["recourse", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def test_ways_are_conditions_with_both_proofs(files):
    said = " ".join(run(*files, "--row", "6", "--want", "approved").split())
    assert "Row 6: refused, although income is 34,000" in said
    assert "1 housing is owner (now tenant) (cost 1.00)" in said
    assert "debt ratio at most 0.45 (now 0.71)" in said
    assert "then: Row 6: approved, by rule 1" in said


def test_as_json_a_list_of_ways(files):
    ways = json.loads(run(*files, "--row", "6", "--want", "approved", "--ways", "2", "--json"))
    assert len(ways) == 2
    assert ways[0]["cost"] <= ways[1]["cost"]
    for way in ways:
        assert decide(PROGRAM, read_row(PROGRAM, way["row"])) == "approved"
        for change in way["changes"]:
            assert way["row"][change["column"]] == change["after"] != change["before"]


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (("--freeze", "housing"), "housing"),
        (("--allow", "housing=tenant"), "housing"),
        (("--only-up", "debt_ratio"), "debt_ratio"),
        (("--price", "housing=9"), "housing"),
    ],
)
def test_limits_are_kept(files, options, gone):
    ways = json.loads(run(*files, "--row", "6", "--want", "approved", "--ways", "1", "--json", *options))
    assert gone not in {change["column"] for change in ways[0]["changes"]}


def test_no_way_is_proved_and_the_lock_is_named(files):
    frozen = ("--freeze", "housing,history,years_in_job", "--only-up", "debt_ratio")
    said = run(*files, "--row", "6", "--want", "approved", *frozen, code=1)
    assert "No allowed change makes it approved; this is proved." in said
    assert "Exception 1.1 holds whatever is changed." in said
    assert json.loads(run(*files, "--row", "6", "--want", "approved", *frozen, "--json", code=1)) == []


def test_changes_that_go_together(files, tmp_path):
    rules = tmp_path / "facts.lp"
    rules.write_text("impossible(X) :- housing(X,'owner'), debt_ratio(X,N), N > 0.5.\n")
    ways = json.loads(run(*files, "--row", "6", "--want", "approved", "--together", str(rules), "--json"))
    assert ways
    for way in ways:
        assert not (way["row"]["housing"] == "owner" and way["row"]["debt_ratio"] > 0.5)


TOGETHER = "%@ unless 1\n%@ target t: 'no' else 'yes'\n%@ categorical b\n%@ numerical a\n\
t(X,'no') :- a(X,N), N > 5.0.\nt(X,'no') :- b(X,'x'), a(X,N), N =< 5.0.\n"
OUT_OF_REACH = "%@ unless 1\n%@ target t: 'yes' else 'no'\n%@ categorical b\n%@ numerical a\n\
t(X,'yes') :- b(X,'y'), a(X,N), N =< 5.0.\n"


@pytest.mark.parametrize(
    ("program", "english", "german"),
    [
        (
            TOGETHER,
            "several rules together: whichever of them is stopped, another applies: 2 rows (0, 1)",
            "mehrere Regeln zusammen: welche man auch aufhebt, es greift eine andere: 2 Zeilen (0, 1)",
        ),
        (
            OUT_OF_REACH,
            "no allowed change makes a rule for yes decide: 2 rows (0, 1)",
            "keine erlaubte Änderung lässt eine Regel für yes entscheiden: 2 Zeilen (0, 1)",
        ),
    ],
)
def test_rows_that_no_rule_locks_alone(tmp_path, program, english, german):
    """Who locks them was called "no rule alone", which is no sentence and hid that there are two kinds of it."""
    (tmp_path / "t.lp").write_text(program)
    (tmp_path / "t.csv").write_text("a,b\n6,x\n9,x\n1,y\n")
    asked = [str(tmp_path / "t.lp"), str(tmp_path / "t.csv"), "--all", "--want", "yes", "--freeze", "b"]
    assert english in " ".join(run(*asked, code=1).split())
    assert german in " ".join(run(*asked, "--language", "de", code=1).split())
    assert json.loads(run(*asked, "--json", code=1))["locks"] == [{"rule": None, "says": None, "rows": [0, 1]}]


def test_a_whole_table(files):
    options = ("--all", "--want", "approved", "--freeze", "history,housing,years_in_job")
    data = json.loads(run(*files, *options, "--json", code=1))
    assert data["rows"] == data["have"] + data["way"] + data["none"] == 200
    assert [lock["rule"] for lock in data["locks"]] == ["1.2"]
    assert data["locks"][0]["says"] == "history is defaulted"
    limits = ChangeLimits(frozen=("history", "housing", "years_in_job"))
    found = TableRecourse(PROGRAM, loans(200), limits)
    for row in range(200):
        assert (found.ways(row, "approved", 1).verdict == "no") == (row in data["locks"][0]["rows"])
    assert "exception 1.2, history is defaulted, holds whatever is changed" in run(*files, *options, code=1)


def test_the_same_from_a_classifier():
    model = FoldRPPClassifier.from_program(PROGRAM)
    rows = loans(200)
    found = model.recourse(rows, "approved", ways=1, limits=ChangeLimits(frozen=("housing",)))
    assert len(found) == 200
    assert {way.row["housing"] == rows["housing"][i] for i, each in enumerate(found) for way in each.ways} == {True}
    assert all(decide(PROGRAM, way.row) == "approved" for each in found for way in each.ways)


@pytest.mark.parametrize("name", [name for name in languages() if name != "en"])
def test_no_english_in_another_language(name):
    found = TableRecourse(PROGRAM, loans(10))
    frozen = TableRecourse(PROGRAM, loans(10), ChangeLimits(frozen=("income", "housing", "debt_ratio", "years_in_job")))
    reports = [
        RecourseReport(PROGRAM, found.row(6), "approved", answer, 6, lock)
        for answer, lock in (
            (found.ways(6, "approved"), ""), (frozen.ways(6, "approved"), "1.1"), (Recourse("not decided"), ""),
        )
    ]  # fmt: skip
    said = long_words(" ".join(report.text(lang=name) for report in reports))
    names = {*long_words(str(PROGRAM).replace("_", " ")), *fixed_words(name), "tenant"}
    assert not [word for word in said if word in fixed_words("en") - names]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--row", "6", "--want", "aproved"), "'aproved' is no label of 'loan'; labels: approved, refused"),
        (("--row", "6", "--want", "approved", "--freeze", "incme"), "'incme' is not in the program.*'income'"),
        (("--row", "6", "--want", "approved", "--price", "income=much"), "'much' is no number"),
        (("--row", "6", "--want", "approved", "--price", "income=-1"), "accepted: a number from 0"),
        (("--row", "900", "--want", "approved"), "there is no row 900"),
        (("--want", "approved"), "name the row with --row N, or ask about all"),
    ],
)
def test_bad_input_is_one_sentence(files, options, problem):
    with pytest.raises(UnlessError, match=problem):
        run(*files, *options)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("impossible(X) :- incme(X,N), N > 1.0.", "column 'incme' is not in the program"),
        ("odd(X) :- income(X,N), N > 1.0.", "say nothing of what is impossible"),
        (
            "impossible(X) :- housing(X,'owner').\nimpossible(X) :- not housing(X,'owner').",
            "leave no row possible",
        ),
    ],
)
def test_clauses_that_mean_nothing_are_refused(files, tmp_path, text, problem):
    (tmp_path / "facts.lp").write_text(text)
    with pytest.raises(UnlessError, match=problem):
        run(*files, "--row", "6", "--want", "approved", "--together", str(tmp_path / "facts.lp"))
