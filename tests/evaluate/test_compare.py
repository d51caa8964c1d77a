import json
from dataclasses import replace
from html import unescape

import pytest

from unless.errors import DataError
from unless.evaluate.compare import compare
from unless.explain.faces.comparison_report import seen_before
from unless.explain.words.language import languages
from unless.logic import edit
from unless.logic.holds import decide
from unless.logic.text.parser import parse
from unless.logic.unseen_rows import Unseen

OLD = parse("""\
%@ unless 1
%@ target loan: 'yes' else 'no'
%@ categorical home
%@ numerical pay
loan(X,'yes') :- pay(X,N), N > 10.0, not ab1(X).
ab1(X) :- home(X,'<none>').
""")
NEW = edit.replace_goals(OLD, 0, "pay(X,N), N > 10", "pay(X,N), N > 20")
ROWS = [
    {"pay": 30, "home": "own", "loan": "yes"},
    {"pay": 15, "home": "own", "loan": "yes"},
    {"pay": 15, "home": "rent", "loan": "no"},
    {"pay": 15, "home": "<none>", "loan": "no"},
    {"pay": None, "home": "own", "loan": "maybe"},
]


def measures(comparison):
    return {(m.name, m.label): (round(m.before, 4), round(m.after, 4)) for m in comparison.measures}


def test_measures_flips_and_clauses():
    comparison = compare(OLD, NEW, ROWS)
    assert measures(comparison) == {
        ("accuracy", None): (0.6, 0.6),
        ("precision", "yes"): (0.6667, 1.0),
        ("recall", "yes"): (1.0, 0.5),
        ("f1", "yes"): (0.8, 0.6667),
        # One row has a third label, so the default has its figures too.
        ("precision", "no"): (0.5, 0.5),
        ("recall", "no"): (0.5, 1.0),
        ("f1", "no"): (0.5, 0.6667),
    }
    assert [(f.row, f.before, f.after, f.actual, f.verdict) for f in comparison.flips] == [
        (1, "yes", "no", "yes", "worse"),
        (2, "yes", "no", "no", "better"),
    ]
    assert comparison.summary() == "2 of 5 rows flip: 1 better, 1 worse"
    assert comparison.removed == ("loan(X,'yes') :- pay(X,N1), N1 > 10.0, not ab1(X).",)
    assert comparison.added == ("loan(X,'yes') :- pay(X,N1), N1 > 20.0, not ab1(X).",)


def test_rows_are_called_by_a_column_that_names_them():
    """An officer who asked who is affected was told row numbers, and looked up 76 files by hand."""
    rows = [{**row, "file": f"AZ-{i:03}"} for i, row in enumerate(ROWS)]
    comparison = compare(OLD, NEW, rows, id_column="file")
    assert [(flip.row, flip.name) for flip in comparison.flips] == [(1, "AZ-001"), (2, "AZ-002")]
    assert "row AZ-001: yes -> no" in comparison.as_text()
    assert "row AZ-002: yes -&gt; no" in comparison.as_html()
    assert [flip["id"] for flip in comparison.as_dict()["flips"]] == ["AZ-001", "AZ-002"]
    assert "id" not in compare(OLD, NEW, rows).as_dict()["flips"][0]
    with pytest.raises(DataError, match="column 'fil' is not in the table"):
        compare(OLD, OLD, rows, id_column="fil")


def test_the_page_says_rules_in_words():
    """A page to be mailed began with clauses, whatever its language."""
    page = compare(OLD, NEW, ROWS).as_html(lang="de")
    said, clauses = page.partition("<details>")[::2]
    assert "<p>- 1  yes, falls gilt: pay über 10</p>" in said
    assert "<p>+ 1  yes, falls gilt: pay über 20</p>" in said
    assert ":-" not in said.partition("<h1>")[2]
    assert "N1 &gt; 20.0" in clauses


def test_without_labels_the_flips_remain():
    comparison = compare(OLD, NEW, [{k: v for k, v in row.items() if k != "loan"} for row in ROWS])
    assert comparison.measures == ()
    assert {flip.verdict for flip in comparison.flips} == {"unknown"}
    assert "2 of 5 rows flip\n" in comparison.as_text()


def test_nothing_changes_between_a_program_and_itself():
    comparison = compare(OLD, OLD, ROWS)
    assert comparison.flips == ()
    assert comparison.as_text().startswith("no clause changed\n")


def test_proofs_are_asked_for_only_when_shown():
    asked = []

    def prove(program, row):
        asked.append(row)
        return f"{decide(program, row)} because\n  pay is {row['pay']}"

    comparison = compare(OLD, NEW, ROWS, prove=prove)
    assert asked == []
    text = comparison.as_text(limit=1)
    assert len(asked) == 2
    assert "  before:\n    yes because\n      pay is 15.0\n  after:\n    no because" in text
    assert text.endswith("… and 1 more\n")
    data = json.loads(json.dumps(comparison.as_dict()))
    assert data["n_flips"] == 2
    assert data["flips"][0]["proofs"]["after"].startswith("no because")


def test_the_page_is_whole_and_escaped():
    page = compare(OLD, edit.remove_helper(OLD, "ab1"), ROWS, prove=lambda program, row: row["home"]).as_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "<none>" not in page
    assert "&lt;none&gt;" in page
    assert "http" not in page


def test_labels_of_several_kinds_and_orders():
    two = parse("%@ unless 1\n%@ target loan: 'yes', 'maybe' else 'no'\n%@ numerical pay\n"
                "loan(X,'yes') :- pay(X,N), N > 20.0.\nloan(X,'maybe') :- pay(X,N), N > 10.0.")  # fmt: skip
    comparison = compare(OLD, two, ROWS)
    assert ("recall", "maybe") in measures(comparison)
    assert [(f.before, f.after) for f in comparison.flips] == [("yes", "maybe"), ("yes", "maybe"), ("no", "maybe")]


def test_programs_of_different_targets_are_refused():
    with pytest.raises(DataError, match="different columns, 'loan' and 'other'"):
        compare(OLD, parse("other(X,'yes') :- pay(X,N), N > 1.0."), ROWS)
    with pytest.raises(DataError, match="'lona' is not in the table"):
        compare(OLD, NEW, ROWS, "lona")


def test_a_label_that_only_the_grade_knows_is_measured_too():
    """Its AUC was left out, though no rule is needed to rank."""
    cards = "".join(
        f"%@ grade '{label}' curve 1.0 {-k}.0\n%@ grade '{label}' points {k} if n > {k}.0\n"
        for k, label in enumerate("abc", 1)
    )
    program = parse(f"%@ target y: 'a' else 'b'\n%@ numerical n\ny(X,'a') :- n(X,N), N =< 1.0.\n{cards}")
    rows = [{"n": n, "y": "aabbcc"[n]} for n in range(6)]
    found = compare(program, program, rows).measures
    assert {measure.label for measure in found if measure.name == "auc"} == {"a", "b", "c"}


@pytest.mark.parametrize("lang", languages())
def test_measures_on_rows_that_a_program_was_learned_from_are_said_to_be_too_good(lang):
    """A program that had learned the rows by heart looked better than one that was better on others."""
    rows = ROWS * 3
    learned = replace(OLD, unseen=Unseen(15, 12, 5, "no", 9, mark=OLD.mark))
    comparison = compare(learned, NEW, rows)
    (said,) = seen_before(comparison, lang=lang)  # nobody measured the other one on unseen rows
    assert "80" in said
    assert said in unescape(comparison.as_html(lang=lang))
    assert not seen_before(compare(learned, NEW, ROWS), lang=lang)
    unlabelled = [{name: value for name, value in row.items() if name != "loan"} for row in rows]
    assert not seen_before(compare(learned, NEW, unlabelled), lang=lang)


def test_the_page_says_that_the_grade_is_of_the_program_before_an_edit():
    """The command said so on the screen; the page that it wrote, which is mailed, showed the AUC without a word."""
    cards = "%@ grade of 000000000000\n%@ grade 'yes' curve 1.0 0.0\n%@ grade 'yes' points 1 if pay > 10.0\n"
    edited = parse(str(NEW) + cards)
    assert edited.has_old_grade
    page = unescape(compare(OLD, edited, ROWS).as_html())
    assert "after: the grade is of the program before it was edited" in page
    assert "before it was edited" not in compare(OLD, NEW, ROWS).as_html()
