"""Numbers are said as the cells of their column are written, and few whole numbers are named instead of bounded."""

import re

import pytest
from typer.testing import CliRunner

from unless import ask, load, parse, prove, save
from unless.cli.app import make_app
from unless.errors import ProgramSyntaxError
from unless.evaluate.compare import compare
from unless.evaluate.coverage import coverage
from unless.evaluate.view import View
from unless.explain.faces.coverage_table import coverage_cells
from unless.explain.faces.html_pages import proofs_page
from unless.explain.faces.paper_text import proof_text
from unless.explain.faces.picture import picture
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.faces.report import view_report
from unless.explain.words.language import languages
from unless.logic.edit import add_clauses
from unless.table.frames import raw_table
from visible_words import Visible

DATED = parse("""\
%@ unless 1
%@ target late: 'yes' else 'no'
%@ numerical start, price, month
%@ read start: 'dd.mm.yyyy'
%@ read price: '1.234,56 €'
%@ read month: 'month of start as dd.mm.yyyy'
late(X,'yes') :- start(X,N1), N1 =< 19689.0, price(X,N2), N2 > 1000.5, not ab1(X).
late(X,'yes') :- at_least(2, [1*case1(X), 2*case2(X)]).
ab1(X) :- month(X,N3), N3 > 11.0.
case1(X) :- start(X,N1), N1 > 19691.0.
case2(X) :- price(X,N2), N2 =< 20.0.
""")
ROWS = [
    {"start": "27.11.2023", "price": "2.000,00 €", "late": "yes"},
    {"start": "01.12.2023", "price": "20,00 €", "late": "yes"},
    {"start": "29.11.2023", "price": "3.000,00 €", "late": "no"},
]
NUMBERS = re.compile(r"19[.,]?6\d\d\b")
"""The days that stand for the dates."""


def seen(lang):
    """Yield everything that a person sees."""
    table = raw_table(ROWS)
    view = View(DATED, table)
    proofs = [prove(DATED, row, row_name=i, all_rules=True) for i, row in enumerate(ROWS)]
    figures = coverage(DATED, table)
    yield program_english(DATED, lang=lang)
    yield from (proof_english(proof, lang=lang, full=full) for proof in proofs for full in (False, True))
    yield "\n".join(Visible(proofs_page(proofs, lang=lang)).said)
    yield "\n".join(" ".join(cells) for cells in coverage_cells(figures, lang=lang))
    yield re.sub("<[^>]*>", " ", picture(DATED, figures, lang=lang).split("</style>")[1])
    yield "\n".join(Visible(view_report(view, "t", range(3), lang=lang)).said)
    other = add_clauses(DATED, "late(X,'yes') :- start(X,N1), N1 > 19689.0.")
    yield "\n".join(Visible(compare(DATED, other, table).as_html(lang=lang)).said)
    yield "\n".join(line for line in str(DATED).splitlines() if line.startswith("% "))


@pytest.mark.parametrize("lang", languages())
def test_dates_are_said_as_dates_wherever_a_person_reads(lang):
    for text in seen(lang):
        assert re.search(r"\d\d\.1[12]\.2023|2\.000 €|3\.000 €", text), text
        assert not NUMBERS.search(text), text


def test_the_check_would_find_a_number():
    assert NUMBERS.search(str(DATED))
    assert NUMBERS.search("at most 19,689")


def test_dates_amounts_and_parts_in_sentences():
    assert "start up to 28.11.2023 and price above 1.000,50 €" in program_english(DATED)
    assert "start bis 28.11.2023 und price über 1.000,50 €" in program_english(DATED, lang="de")
    said = proof_english(prove(DATED, ROWS[0], row_name=0), width=200)
    assert "start is 27.11.2023 (up to 28.11.2023) and price is 2.000 € (above 1.000,50 €)" in said
    assert "month is 11 (not above 11)" in said
    assert "19688" in proof_text(prove(DATED, ROWS[0]))  # the paper's manner is what s(CASP) says
    assert "% 1. yes, if start up to 28.11.2023 and price above 1.000,50 €" in str(DATED)
    assert parse(str(DATED)) == DATED


def test_questions_take_dates_and_give_them():
    def rows(question):
        return [answer.row for answer in ask(DATED, ROWS, question)]

    assert rows("start(X,'27.11.2023')") == [0]
    assert rows("start(X,D), D > '28.11.2023'") == [1, 2]
    assert rows("start(X,D), D > '2023-11-29'") == [1]
    assert rows("price(X,P), P =< '20,00 €'") == [1]
    assert rows("start(X,D), D > 19690") == [1]
    with pytest.raises(ProgramSyntaxError, match="'soon' cannot be compared with 'start'; expected a number, or a te"):
        ask(DATED, ROWS, "start(X,D), D > 'soon'")


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("ask_for", [("recourse", "--want", "no"), ("explain", "--short")])
def test_what_would_change_it_and_what_fixes_it_are_said_as_dates(ask_for, lang, tmp_path):
    """Recourse said "Datum up to 17.10.2022 (now 19,331)", and so did the letter to an applicant."""
    model, table = tmp_path / "m.lp", tmp_path / "t.csv"
    model.write_text(str(DATED), encoding="utf-8")
    lines = [";".join(row.values()) for row in ROWS]
    table.write_text("\n".join(["start;price;late", *lines]) + "\n", encoding="utf-8")
    name, *options = ask_for
    said = CliRunner().invoke(make_app(), [name, str(model), str(table), "--row", "0", *options, "--language", lang])
    assert "27.11.2023" in said.stdout, said.output
    assert "2.000 €" in said.stdout
    assert not NUMBERS.search(said.stdout), said.stdout


def test_the_command_answers_with_dates(tmp_path):
    save(DATED, tmp_path / "m.lp")
    lines = ["start;price;late", *(";".join(row.values()) for row in ROWS)]
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    asked = [str(tmp_path / "m.lp"), str(tmp_path / "t.csv"), "start(X,D), D > '30.11.2023'", "--brief"]
    result = CliRunner().invoke(make_app(), ["ask", *asked], catch_exceptions=False)
    assert result.output == "X = 1, D = '01.12.2023'\n"
    assert load(tmp_path / "m.lp") == DATED


FEW = """\
%@ unless 1
%@ target t: 'y' else 'n'
%@ numerical thal, pain
%@ values thal: 3, 6, 7
%@ values pain: 1, 2, 3, 4, 5, 6
t(X,'y') :- thal(X,N1), N1 > 4.0, pain(X,N2), {tests}.
"""


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("N2 > 5.0", "pain is 6"),
        ("N2 =< 2.0", "pain is 1 or 2"),
        ("N2 > 3.5", "pain is 4, 5 or 6"),
        ("N2 > 2.0, N2 =< 4.0", "pain is 3 or 4"),
        ("N2 > 1.0, N2 =< 5.0", None),
        ("N2 > 2.0", "pain above 2"),
    ],
)
def test_few_numbers_are_named_alike_in_words_and_in_the_file(tests, said):
    program = parse(FEW.format(tests=tests))
    for text in (program_english(program), str(program)):
        assert "thal is 6 or 7 and pain" in text
        assert (said or "pain above 1") in text


def test_a_number_that_was_not_there_in_training_is_said_with_its_bounds():
    program = parse(FEW.format(tests="N2 > 2.0"))
    assert "thal is 6 (6 or 7)" in proof_english(prove(program, {"thal": 6, "pain": 3}))
    assert "thal is 8 (above 4)" in proof_english(prove(program, {"thal": 8, "pain": 3}))
    assert "thal is 3 (6 or 7 is needed)" in proof_english(prove(program, {"thal": 3, "pain": 3}))


def test_a_word_that_passes_a_bound_is_not_called_blank():
    """A word passed "above 86 or blank", which no reader could follow: no rule named it, and the row showed it."""
    program = parse("""%@ unless 1
%@ target ok: 'yes' else 'no'
%@ numerical score, age
ok(X,'yes') :- at_least(3, [2*not_low(X), 1*old(X)]).
not_low(X) :- not low(X).
low(X) :- score(X,N), N =< 86.0.
old(X) :- age(X,N), N > 30.0.
""")
    word, number = (proof_english(prove(program, {"score": cell, "age": "40"})) for cell in ("k.A.", "90"))
    assert "score is k.A. (above 86 or no number)" in word
    assert "score is 90 (above 86 or blank)" in number


def test_a_hyphen_of_the_header_is_kept():
    """`Schufa-Score` was "Schufa Score" in rules and proofs, and itself in `look` and in the model file."""
    head = "%@ target ok: 'yes' else 'no'\n%@ numerical schufa_score = 'Schufa-Score', net_income\n"
    program = parse(head + "ok(X,'yes') :- schufa_score(X,N), N > 86.0, net_income(X,M), M > 3.0.\n")
    for lang in languages():
        assert "Schufa-Score" in program_english(program, lang=lang)
        assert "net income" in program_english(program, lang=lang)
        assert "Schufa-Score" in proof_english(prove(program, {"Schufa-Score": 90, "net_income": 4}), lang=lang)
