"""The grade in words, as text, HTML and data; figures of unseen rows in model file and report."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from unless import parse, prove, save
from unless.cli.app import make_app
from unless.errors import ProgramSyntaxError
from unless.evaluate.coverage import coverage
from unless.evaluate.view import View
from unless.explain.faces.coverage_table import coverage_cells
from unless.explain.faces.grade_table import grade_text
from unless.explain.faces.html_pages import program_page, proofs_page
from unless.explain.faces.json_data import program_data
from unless.explain.faces.plain_text import proof_english
from unless.explain.faces.report import view_report
from unless.explain.words.entry_phrases import EntryPhrases
from unless.explain.words.language import language
from unless.explain.words.risk import risk_points
from unless.logic.background.clauses import read_sentences
from unless.logic.edit import add_clauses
from unless.logic.forms.column_points import points_by_column
from unless.logic.grade import Award, Blank, Both, Card, Decided, cell_conditions
from unless.logic.rules import NUMBER_OPS, Literal, OneOf
from unless.logic.text.conjunctions import related_column
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
        "    to begin with: −2",
        "    age    1 or 2: 0 | 3: 3 | blank or a word: 0",
        "    town   Bath or Leeds: 0 | any other: 2 | blank: 1",
        "    start  up to 28.11.2023: 1 | after 28.11.2023: 0 | blank or a word: 0",
        "    the rules decide for yes: 2",
        "",
        " points      probability  training rows  yes   share",
        "−3 to 0  0.7 % to 11.9 %             10    3  30.0 %",
        "      5           95.3 %             20   20   100 %",
        "",
        "A row's points are those of its value in each column, with the lines that hold, added up. Where they",
        "speak against what the program decides, the probability of yes is moved to 50 %.",
    ]
    assert grade_text(replace(GRADED, grade=None)) == ""


def test_the_note_says_what_is_made_of_points_with_several_labels_and_where_there_are_none():
    """It said "moved to one half" of every card: with several labels nothing is."""
    cards = "".join(f"%@ grade '{label}' curve 0.0 -1.0\n%@ grade '{label}' band 0 .. 0: 1 of 3\n" for label in "abc")
    program = parse("%@ unless 1\n%@ target y: 'a', 'b' else 'c'\n%@ numerical n\n" + cards)
    note = " ".join(grade_text(program, width=1000).splitlines()[-1:])
    assert note == (
        "No condition tells c apart well enough, so every row has the same points. The probabilities of all labels are "
        "then made to add up to 100 %, and the label that the rules decide for gets the largest."
    )
    assert "50 %" not in grade_text(program)
    assert grade_text(program, lang="de", width=1000).endswith("entscheiden, bekommt die größte.")


@pytest.mark.parametrize(
    ("band", "english", "german"),
    [
        ("1 of 1", "of 1 training row with 3 points, 1 was yes.", "von 1 Trainingszeile mit 3 Punkten war 1 yes."),
        ("0 of 2", "of 2 training rows with 3 points, 0 were yes.", "von 2 Trainingszeilen mit 3 Punkten waren 0 yes."),
    ],
)
def test_one_row_is_said_in_the_singular(band, english, german):
    text = "%@ unless 1\n%@ target late: 'yes' else 'no'\n%@ numerical age\n%@ grade 'yes' curve 1.0 -2.0\n"
    program = parse(f"{text}%@ grade 'yes' points 3 if age > 2.0\n%@ grade 'yes' band 3 .. 3: {band}\n")
    said = {lang: proof_english(prove(program, {"age": 3}), lang=lang).replace("\n  ", " ") for lang in ("en", "de")}
    assert english in said["en"]
    assert german in said["de"]
    german = grade_text(GRADED, lang="de")
    assert "die Regeln entscheiden für yes: 2" in german
    assert "town   Bath oder Leeds: 0 | alles andere: 2 | leer: 1" in german
    (card,) = program_data(GRADED)["grade"]
    assert card["points"][-1] == {"points": 2, "for": "the rules decide for yes"}
    assert [each["points"] for each in card["points"]] == [award.points for award in GRADED.grade.cards[0].awards]
    assert card["by_column"]["start"] == -2
    assert card["by_column"]["columns"][1] == {
        "column": "town",
        "entries": [
            {"points": 0, "for": "Bath or Leeds"}, {"points": 2, "for": "any other"}, {"points": 1, "for": "blank"},
        ],
    }  # fmt: skip
    assert card["by_column"]["lines"] == [{"points": 2, "for": "the rules decide for yes"}]
    assert card["bands"][1]["probability_low"] == GRADED.grade.cards[0].probability(5)


@pytest.mark.parametrize("width", [44, 60])
def test_a_grade_is_no_wider_than_asked(width):
    points, *_, note = grade_text(GRADED, width=width).split("\n\n")  # bands are as wide as they are
    assert all(len(line) <= width for line in [*points.splitlines(), *note.splitlines()])
    assert "    town   Bath or Leeds: 0 | any other: 2 |" in points
    long = parse(str(GRADED).replace("age", "age_of_the_applicant_in_years"))
    assert grade_text(long, width=60).splitlines()[2:4] == [
        "    age of the applicant in years",
        "                          1 or 2: 0 | 3: 3 |",
    ]


def test_the_page_of_a_program_has_its_grade():
    said = Visible(program_page(GRADED)).said
    assert said[said.index("town") :][:7] == ["town", "Bath or Leeds", "0", "any other", "2", "blank", "1"]
    assert "0.7 % to 11.9 %" in said
    assert "Points for yes" not in Visible(program_page(replace(GRADED, grade=None))).said


def said_of(program, row, lang="en"):
    return " ".join(proof_english(prove(program, row), lang=lang).split())


def test_blank_cells_are_said_since_the_grade_knows_little_of_them():
    """A patient without an age, a weight and a test had a risk of 0.1 %, and nothing told why."""
    said = said_of(GRADED, {"age": None, "start": None, "town": None})
    assert (
        "Blank, where the grade asks for a value: age and start." in said
    )  # that the town is blank has a line of its own
    assert "Leer, wo die Bewertung nach einem Wert fragt: age und start." in said_of(GRADED, {"town": "York"}, "de")
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


def test_of_many_labels_the_points_alone_say_one_thing():
    """Two sentences began with what the points alone say, and gave two figures: of the card, and of all cards."""
    clauses = "%@ unless 1\n%@ target t: 'a', 'b' else 'c'\n%@ numerical n\nt(X,'a') :- n(X,N1), N1 > 0.0.\n"
    cards = "".join(
        f"%@ grade '{label}' curve 1.0 {start}\n" for label, start in (("a", -1.0), ("b", 0.5), ("c", -2.0))
    )
    said = said_of(parse(clauses + cards), {"n": 1})
    assert (
        "These points alone say 26.9 %, and 26.6 % once the labels are made to add up to 100 %; the program decides "
        "otherwise."
    ) in said
    assert said.count("alone say") == 1


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
    assert full[-5:] == [
        "    −2  to begin with",
        "     3  age is 3",
        "     2  the rules decide for yes",
        "     2  town is York (any other)",
        "     1  start is 28.11.2023 (up to 28.11.2023)",
    ]
    assert "2  die Regeln entscheiden für yes" in proof_english(proof, full=True, lang="de")
    assert "town is York (any other)" in Visible(proofs_page([proof])).said


def test_coverage_has_the_mean_probability(caplog):
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
    assert "no probabilities are shown: the grade, which gives probabilities, tests a column that" in caplog.text


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
    assert shown.output.startswith("Points for yes\n    to begin with: −2\n    age    1 or 2: 0 | 3: 3 |")
    refused = CliRunner().invoke(make_app(), ["rules", str(tmp_path / "bare.lp"), "--grade"])
    assert refused.exit_code != 0


def test_two_conditions_together_are_one_line_after_those_of_one_column():
    together = "%@ grade 'yes' points -5 if town in 'Bath', 'Leeds' and age =< 2.0\n%@ grade 'yes' band"
    program = parse(str(GRADED).replace("%@ grade 'yes' band", together, 1))
    assert "    town is Bath or Leeds, and age is 1 or 2: −5" in grade_text(program).splitlines()
    assert "town ist Bath oder Leeds, und age ist 1 oder 2" in grade_text(program, lang="de")
    proof = prove(program, ROWS[2])
    assert proof.risk.points == -2 - 5 + 2
    assert "    −5  town is Bath or Leeds, and age is 1 or 2" in proof_english(proof, full=True).splitlines()
    assert "town is Bath or Leeds, and age is 1 or 2" in Visible(proofs_page([proof])).said
    both = next(each["condition"] for each in proof.risk.as_dict()["awards"] if each["points"] == -5)
    assert both == {
        "both": [
            {"column": "town", "op": "=", "values": ["Bath", "Leeds"]},
            {"column": "age", "op": "=<", "value": 2.0},
        ]
    }


def test_a_number_that_training_did_not_have_is_said_with_the_bounds_it_passes():
    (age,) = (column for column in GRADED.columns if column.name == "age")
    (by_age,) = points_by_column(
        replace(GRADED.grade.cards[0], awards=(Award(3, Literal("age", ">", 2.0)),)), [age]
    ).columns
    said = EntryPhrases(language("en"))
    assert said.entries(by_age) == ["1 or 2", "3", "blank or a word"]
    assert [said.fact(age, by_age.entry(value).values, value) for value in (3.0, 2.5, -7.0, "old", None)] == [
        "age is 3", "age is 2.5 (above 2)", "age is -7 (at most 2)", "age is old (a word)", "age is blank",
    ]  # fmt: skip


def test_a_conjunction_over_relations_holds_or_does_not():
    asked = read_sentences("p(X) :- has_car(X,Car), long(Car).")[0].asked
    column = related_column([goal.atom for goal in asked])
    card = Card("yes", (Award(-3, Literal(column.name, "=", "true")),), 1.0, 0.0)
    (by_column,) = points_by_column(card, [column]).columns
    said = EntryPhrases(language("en"))
    assert said.title(column) == "some car is long"
    assert list(zip(said.entries(by_column), (entry.points for entry in by_column.entries), strict=True)) == [
        ("yes", 0), ("no", 3),
    ]  # fmt: skip
    assert said.fact(column, by_column.entry(None).values, None) == "no car is long"


# What a person adds up who has only the printed points and the cells of a row.

MIXED = """\
%@ unless 1
%@ target late: 'yes' else 'no'
%@ categorical town
%@ numerical age, income
late(X,'yes') :- age(X,N2), N2 > 1.0.
%@ grade 'yes' curve 1.0 -2.0
"""
BOUNDS = st.sampled_from([0.0, 2.0, 1 / 3, -1e-7, 1234567.891011, 0.1 + 0.2]) | st.floats(-1e6, 1e6)
WORDS = ("Bath", "Leeds", "not here", "any other", "blank", "3")


def cells(column, *, numbers):
    words = st.lists(st.sampled_from(WORDS), min_size=1, unique=True).map(tuple)
    tests = [st.just(Blank(column)), st.builds(OneOf, st.just(column), words)]
    tests += [st.builds(Literal, st.just(column), st.sampled_from(sorted(NUMBER_OPS)), BOUNDS)] * 2 * numbers
    return st.one_of(*tests)


CELLS = st.one_of(cells("town", numbers=False), cells("age", numbers=True), cells("income", numbers=True))
AWARDS = st.builds(Award, st.integers(-9, 9).filter(bool), CELLS | st.builds(Both, CELLS, CELLS) | st.just(Decided()))
SHAPES = {
    "at most (.+)": lambda n, bound: n <= bound,
    "below (.+)": lambda n, bound: n < bound,
    "above ([^ ]+)": lambda n, bound: n > bound,
    "at least (.+)": lambda n, bound: n >= bound,
    "above (.+) up to (.+)": lambda n, low, high: low < n <= high,
    "between (.+) and (.+)": lambda n, low, high: low < n < high,
    "from ([^ ]+) to ([^ ]+)": lambda n, low, high: low <= n <= high,
    "from (.+) to below (.+)": lambda n, low, high: low <= n < high,
    "([-0-9][^ ]*)": lambda n, number: n == number,
}


def is_meant(text, value, said):
    """Tell whether a person takes a printed entry to be for a value, given how its words are spelled."""
    if text in ("blank or a word", "a word or blank"):
        return value is None or isinstance(value, str)
    if isinstance(value, float):
        for shape, passes in SHAPES.items():
            if found := re.fullmatch(shape, text):
                return passes(value, *(float(bound.replace(",", "")) for bound in found.groups()))
        return text in ("a number", "not blank")
    if value is None:
        return text == "blank" or text.endswith("or blank")
    return said in re.split(r", | or ", text)


def rest(texts):
    """Return the entry for all that no other one is for."""
    return next(text for text in texts if re.match("any other|a word|not blank|blank or a", text))


@given(st.lists(AWARDS, max_size=7), st.data())
def test_who_adds_up_the_printed_points_finds_the_total(awards, data):
    plain = parse(MIXED)
    (card,) = plain.grade.cards
    program = replace(plain, grade=replace(plain.grade, cards=(replace(card, awards=tuple(awards)),)))
    bounds = [cut for a in awards for part in cell_conditions(a.condition) if isinstance(part, Literal)
              for cut in (part.value, math.nextafter(part.value, -9e9), math.nextafter(part.value, 9e9))]  # fmt: skip
    words = [None, "York", *WORDS]
    numbers = st.sampled_from([0.5, 1e9, -1e9, *bounds])
    row = {"town": data.draw(st.sampled_from(words))} | {
        name: data.draw(numbers | st.sampled_from([word for word in words if word != "3"]))
        for name in ("age", "income")
    }
    proof = prove(program, row)
    (printed,) = program_data(program)["grade"]
    total = printed["by_column"]["start"]
    for column in printed["by_column"]["columns"]:
        value, entries = proof.values[column["column"]], {each["for"]: each["points"] for each in column["entries"]}
        said = language("en").value(value, next(c for c in program.columns if c.name == column["column"]))
        meant = [text for text in entries if is_meant(text, value, said)]
        assert len(meant) <= 1
        total += entries[meant[0] if meant else rest(entries)]
    lines = points_by_column(program.grade.cards[0], program.columns).lines
    total += sum(award.points for award in proof.risk.awards if award in lines)
    assert total == proof.risk.points
    assert sum(int(points.replace("−", "-")) for points, _ in risk_points(proof, language("en"))) == total
