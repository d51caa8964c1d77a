"""The grade in words, as text, HTML and data; figures of unseen rows in model file and report."""

import re
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from unless import parse, prove, save
from unless.cli.app import make_app
from unless.errors import ProgramSyntaxError
from unless.evaluate.coverage import coverage
from unless.evaluate.view import View
from unless.explain.faces.coverage_table import coverage_cells
from unless.explain.faces.grade_table import grade_text
from unless.explain.faces.html_pages import program_page, proof_page
from unless.explain.faces.json_data import program_data
from unless.explain.faces.plain_text import proof_english
from unless.explain.faces.report import view_report
from unless.logic.edit import add_clauses
from unless.logic.unseen_rows import Unseen
from unless.table.frames import raw_table
from visible_words import Visible

TEXT = """\
%@ unless 1
%@ target late: 'yes' else 'no'
%@ categorical town
%@ numerical age, start
%@ values age: 1, 2, 3
%@ read start: 'dd.mm.yyyy'
late(X,'yes') :- age(X,N2), N2 > 1.0.
%@ grade of {mark}
%@ grade 'yes' curve 1.0 -2.0
%@ grade 'yes' points 3 if age > 2.0
%@ grade 'yes' points 1 if start =< 19689.0
%@ grade 'yes' points -2 if town in 'Bath', 'Leeds'
%@ grade 'yes' points -1 if town is blank
%@ grade 'yes' points 2 if decided
%@ grade 'yes' band -3 .. 0: 3 of 10
%@ grade 'yes' band 5 .. 5: 20 of 20
%@ unseen of {mark}: 24 of 30 right, 5 folds, always 'no' 17, auc 0.875
"""
GRADED = parse(TEXT.format(mark=parse(TEXT.format(mark="abcdef")).mark))
ROWS = [
    {"age": 3, "start": "28.11.2023", "town": "York", "late": "yes"},
    {"age": 1, "start": "29.11.2023", "town": None, "late": "no"},
    {"age": 2, "start": None, "town": "Bath", "late": "no"},
]


def test_a_grade_is_said_column_by_column_and_band_by_band():
    assert grade_text(GRADED).splitlines() == [
        "Points for yes",
        "     2  the rules decide for yes",
        "    −2  town is Bath or Leeds",
        "    −1  town is blank",
        "     3  age is 3",
        "     1  start up to 28.11.2023",
        "",
        " points      probability  training rows  yes   share",
        "−3 to 0  0.7 % to 11.9 %             10    3  30.0 %",
        "      5           95.3 %             20   20   100 %",
        "",
        "The points that hold are added up. Where they speak against the rules, the probability of yes is",
        "moved to one half.",
    ]
    assert grade_text(replace(GRADED, grade=None)) == ""
    german = grade_text(GRADED, lang="de")
    assert "die Regeln entscheiden für yes" in german
    assert "town ist leer" in german
    (card,) = program_data(GRADED)["grade"]
    assert card["points"][0] == {"points": "2", "for": "the rules decide for yes"}
    assert card["bands"][1]["probability_low"] == GRADED.grade.cards[0].probability(5)
    assert all(len(line) <= 60 for line in grade_text(GRADED, width=60).splitlines())


def test_the_page_of_a_program_has_its_grade():
    said = Visible(program_page(GRADED)).said
    assert "town is Bath or Leeds" in said
    assert "0.7 % to 11.9 %" in said
    assert "Points for yes" not in Visible(program_page(replace(GRADED, grade=None))).said


def said_of(program, row, lang="en"):
    return " ".join(proof_english(prove(program, row), lang=lang).split())


def test_blank_cells_are_said_since_they_get_no_points():
    """A patient without an age, a weight and a test had a risk of 0.1 %, and nothing told why."""
    said = said_of(GRADED, {"age": None, "start": None, "town": None})
    assert "Blank, and so without points: age and start." in said  # that the town is blank has a line of its own
    assert "Leer, daher ohne Punkte: age und start." in said_of(GRADED, {"town": "York"}, "de")
    assert "Blank" not in said_of(GRADED, ROWS[0])
    assert prove(GRADED, ROWS[2]).risk.as_dict()["blank"] == ["start"]
    assert set(prove(GRADED, ROWS[0]).values) == {"age", "start", "town"}


def test_points_that_no_training_row_had_are_said_to_be_so():
    said = said_of(GRADED, {"age": 3, "start": "28.11.2023", "town": "York"})
    assert (
        "from 6 points of its grade, which no training row had; of 20 with 5 points, the nearest, 20 were yes." in said
    )
    assert "from 5 points of its grade; of 20 training rows with" in said_of(GRADED, ROWS[0] | {"start": "1.12.2023"})


def test_of_many_labels_what_the_points_alone_say_is_said():
    card = "%@ grade '{0}' curve 1.0 0.0\n%@ grade '{0}' points 2 if n > 0.0\n"
    clauses = "%@ unless 1\n%@ target t: 'a', 'b' else 'c'\n%@ numerical n\nt(X,'a') :- n(X,N1), N1 > 0.0.\n"
    program = parse(clauses + "".join(map(card.format, "abc")))
    assert "Probability of a: 33.3 %, from 2 points of its grade. These points alone say 88.1 %" in said_of(
        program, {"n": 1}
    )
    assert "alone say" not in said_of(GRADED, ROWS[0])


def test_the_report_has_the_measures_and_the_picture_of_probabilities():
    everything = np.ones(3, dtype=bool)
    said = report(GRADED, held_out=everything)
    assert "Probability of yes: AUC 1.0000" in said
    assert "Predicted and observed shares of yes" in said
    assert "Rows weighed differently" not in said
    weighed = replace(GRADED, grade=replace(GRADED.grade, is_weighed=True))
    assert "Rows weighed differently in learning:" in report(weighed, held_out=everything)
    assert "AUC 1.0000" not in report(replace(GRADED, grade=None), held_out=everything)


def test_the_lines_behind_a_risk_are_shown_by_request():
    proof = prove(GRADED, ROWS[0], row_name=0)
    assert "start" not in proof_english(proof)
    full = proof_english(proof, full=True).splitlines()
    assert full[-3:] == ["    3  age is 3", "    2  the rules decide for yes", "    1  start up to 28.11.2023"]
    assert sum(int(line.split()[0]) for line in full[-3:]) == proof.risk.points
    assert "2  die Regeln entscheiden für yes" in proof_english(proof, full=True, lang="de")
    assert "start up to 28.11.2023" in Visible(proof_page(proof)).said


def test_coverage_has_the_mean_probability():
    figures = coverage(GRADED, raw_table(ROWS))
    chances = [prove(GRADED, row).risk.probability for row in ROWS]
    assert figures["1"].probability == pytest.approx((chances[0] + chances[2]) / 2)
    assert figures["else"].probability == pytest.approx(1 - chances[1])
    assert coverage_cells(figures)[0][-1] == "probability"
    ungraded = coverage(replace(GRADED, grade=None), raw_table(ROWS))
    assert ungraded["1"].probability is None
    assert "probability" not in coverage_cells(ungraded)[0]
    without = raw_table([{"age": 3, "late": "yes"}])  # the columns that only the grade tests are absent
    assert coverage(GRADED, without)["1"].probability is None


def test_figures_of_unseen_rows_stand_in_the_file():
    assert GRADED.unseen == Unseen(30, 24, 5, "no", 17, 0.875, GRADED.mark)
    assert parse(str(GRADED)) == GRADED
    bare = replace(GRADED, unseen=Unseen(30, 24, 1, 3, 17, mark="abcdef"))
    assert "%@ unseen of abcdef: 24 of 30 right, 1 fold, always 3 17\n" in str(bare)
    assert parse(str(bare)) == bare
    for wrong in ("of abcdef: many", "of abcdef: 31 of 30 right, 5 folds, always 'no' 17"):
        with pytest.raises(ProgramSyntaxError, match="unseen rows"):
            parse(f"t(X,'y') :- c(X,'d').\n%@ unseen {wrong}\n")


def report(program, **options):
    said = Visible(view_report(View(program, raw_table(ROWS)), "t.csv", range(3), **options)).said
    return " ".join(" ".join(said).split())


def test_the_report_shows_unseen_rows_first():
    said = report(GRADED)
    first = re.search(r"Of rows that it had not seen, 80\.0 % were predicted right \(62\.7 % to 90\.5 %", said)
    small = said.index("Figures on 3 rows of t.csv, which flatter it if it learned from them")
    assert first is not None
    assert first.start() < said.index("in 5 folds. Each of 30 rows was held out once") < small
    assert "Always saying no would be right for 56.7 %. AUC 0.875." in said
    assert "before it was edited" not in said
    assert "before it was edited" in report(add_clauses(GRADED, "late(X,'yes') :- town(X,'York')."))
    assert "is not in the model file" in report(replace(GRADED, unseen=None))
    assert "Probability of yes:" in said


def test_the_report_knows_rows_that_were_held_out():
    said = report(GRADED, held_out=np.array([True, True, False]))
    assert said.index("Of 2 rows that it has not learned from, 100 % are predicted") < said.index(
        "Training figures, which flatter it: on 1 row that"
    )
    assert "Training figures" not in report(GRADED, held_out=np.ones(3, dtype=bool))


def test_the_command_shows_the_grade(tmp_path):
    save(GRADED, tmp_path / "m.lp")
    save(replace(GRADED, grade=None), tmp_path / "bare.lp")
    shown = CliRunner().invoke(make_app(), ["rules", str(tmp_path / "m.lp"), "--grade"])
    assert shown.output.startswith("Points for yes\n     2  the rules decide for yes\n")
    refused = CliRunner().invoke(make_app(), ["rules", str(tmp_path / "bare.lp"), "--grade"])
    assert refused.exit_code != 0


def test_two_conditions_together_are_one_line_after_those_of_one_column():
    together = "%@ grade 'yes' points -5 if town in 'Bath', 'Leeds' and age =< 2.0\n%@ grade 'yes' band"
    program = parse(str(GRADED).replace("%@ grade 'yes' band", together, 1))
    assert grade_text(program).splitlines()[5:7] == [
        "     1  start up to 28.11.2023",
        "    −5  town is Bath or Leeds, and age is 1 or 2",
    ]
    assert "town ist Bath oder Leeds, und age ist 1 oder 2" in grade_text(program, lang="de")
    proof = prove(program, ROWS[2])
    assert proof.risk.points == -2 - 5 + 2
    assert "−5  town is Bath or Leeds, and age is 1 or 2" in proof_english(proof, full=True)
    assert "town is Bath or Leeds, and age is 1 or 2" in Visible(proof_page(proof)).said
    both = next(each["condition"] for each in proof.risk.as_dict()["awards"] if each["points"] == -5)
    assert both == {
        "both": [
            {"column": "town", "op": "=", "values": ["Bath", "Leeds"]},
            {"column": "age", "op": "=<", "value": 2.0},
        ]
    }
