"""The words that readers see: all of them in the language files, and one language at a time."""

import ast
import itertools
import math
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import unless
from unless import load, look, parse, prove, save
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.evaluate.compare import compare
from unless.evaluate.coverage import coverage, view_seen
from unless.evaluate.label_scores import label_scores
from unless.evaluate.row_risk import row_risk
from unless.evaluate.scores import METRICS
from unless.evaluate.view import View
from unless.explain.faces.coverage_table import coverage_cells
from unless.explain.faces.grade_table import grade_text
from unless.explain.faces.html_pages import program_fragment, program_page, proof_fragment, proofs_page
from unless.explain.faces.look_report import look_text
from unless.explain.faces.paper_text import proof_text
from unless.explain.faces.picture import picture
from unless.explain.faces.plain_text import program_english, proof_english
from unless.explain.faces.report import view_report
from unless.explain.faces.score_text import many_scores_text, reliability_text, scores_text
from unless.explain.words.finding_sentences import finding_text
from unless.explain.words.language import language, languages
from unless.explain.words.risk import risk_sentences
from unless.learn.grade_again import grade
from unless.learn.size_path import Frontier, FrontierPoint
from unless.learn.unseen import FEWEST
from unless.logic.check.findings import check
from unless.logic.edit import add_clauses
from unless.logic.program import GRADE_AGAIN
from unless.logic.unseen_rows import Unseen
from unless.table.frames import raw_table
from visible_words import Visible, file_of, fixed_words, gaps, long_words

SOURCE = Path(unless.__file__).parent
EXAMPLES = SOURCE.parents[1] / "examples"


# The files.


@pytest.mark.parametrize("name", languages())
def test_languages_have_the_same_keys_and_gaps(name):
    english, other = file_of("en"), file_of(name)
    assert {key: gaps(phrase) for key, phrase in other.items()} == {k: gaps(phrase) for k, phrase in english.items()}


@pytest.mark.parametrize("name", languages())
def test_every_metric_has_a_name(name):
    assert set(METRICS) <= {key.removeprefix("metric.") for key in file_of(name)}


def test_numbers_percentages_and_plurals():
    english, german = language("en"), language("de")
    assert (english.whole(1234567), german.whole(1234567)) == ("1,234,567", "1.234.567")
    assert (english.decimal(0.125, 2, sign=True), german.decimal(-1.5, 1)) == ("+0.12", "-1,5")
    assert (english.percent(0.5), german.percent(0.99999), german.percent(1.0)) == ("50.0 %", "über 99,9 %", "100 %")
    assert [english.count("rows", n) for n in (0, 1, 2000)] == ["0 rows", "1 row", "2,000 rows"]
    assert [german.count("flips", n, rows=german.count("rows", 5)) for n in (1, 2)] == [
        "1 von 5 Zeilen kippt",
        "2 von 5 Zeilen kippen",
    ]


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(languages()))
def test_a_number_that_is_said_is_near_the_number(number, name):
    said = read_back(language(name), language(name).number(number))
    assert said == pytest.approx(number, rel=6e-6, abs=0)
    if number.is_integer() or float(f"{number:.6g}") == number:
        assert said == number


@given(st.data(), st.sampled_from(languages()))
def test_numbers_that_are_compared_are_said_apart_and_in_order(data, name):
    first = data.draw(st.floats(allow_nan=False, allow_infinity=False))
    steps = st.integers(1, 2**40).map(lambda n: first + n * math.ulp(first))
    numbers = sorted({first, *data.draw(st.lists(steps, max_size=4)), *data.draw(st.lists(st.floats(-9, 9)))})
    numbers = [number for number in numbers if math.isfinite(number)]
    words = language(name)
    said = [read_back(words, words.number(number, numbers)) for number in numbers]
    assert all(a < b for a, b in itertools.pairwise(said))


def read_back(words, text):
    thousands, decimal = words.say("values", "thousands_mark"), words.say("values", "decimal_mark")
    return float(text.replace(thousands, "").replace(decimal, "."))


MIDDLE = 0.7986111111111112
"""Between two values of a table, as FOLD-R puts its thresholds."""


@pytest.mark.parametrize("value", [0.79, 0.79861, 0.7986111, 0.79861111111, MIDDLE, 0.79861111112, 0.7986113, 0.8])
@pytest.mark.parametrize("op", [">", "=<"])
def test_a_long_threshold_is_said_short_and_contradicts_no_row(value, op):
    """All sixteen decimals were said, in rules, comments and proofs."""
    clause = f"ok(X,'yes') :- ratio(X,N), N {op} {MIDDLE}."
    program = parse(f"%@ target ok: 'yes' else 'no'\n%@ numerical ratio\n{clause}")
    assert parse(str(program)) == program
    assert str(MIDDLE) in str(program)
    remark = next(line for line in str(program).splitlines() if line.startswith("% 1."))
    for text in (remark, program_english(program)):
        assert "0.798611" in text
        assert str(MIDDLE) not in text
    for full in (False, True):
        said = proof_english(prove(program, {"ratio": value}), full=full)
        cell, bound = map(float, re.findall(r"0\.\d+", said)[:2])
        assert (cell > bound, cell == bound) == (value > MIDDLE, value == MIDDLE)


def test_thresholds_of_one_column_are_said_apart():
    rule = f"ok(X,'yes') :- ratio(X,N), N > {MIDDLE}, not ab(X). ab(X) :- ratio(X,N), N > 0.79861118."
    said = program_english(parse(f"%@ target ok: 'yes' else 'no'\n%@ numerical ratio\n{rule}"))
    assert re.findall(r"above ([0-9.]+)", said) == ["0.7986111", "0.7986112"]


# Each reason that the checker gives has its sentence.


def constants(node: ast.expr) -> set[str]:
    return {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def calls_of(module: str, name: str) -> list[ast.Call]:
    tree = ast.parse((SOURCE / "logic" / "check" / f"{module}.py").read_text("utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name]


def test_every_reason_of_a_finding_has_a_sentence_with_its_gaps():
    reasons = [(constants(call.args[0]), {word.arg for word in call.keywords}) for call in calls_of("findings", "_why")]
    for _, _, key, about in (call.args for call in calls_of("broken_constraints", "Broken")):
        reasons.append((constants(key), {name.value for name in about.keys}))
    sentences, seen = file_of("en"), set()
    for keys, filled in reasons:
        for key in keys:
            assert gaps(sentences[f"finding.{key}"]) == filled, key
            seen.add(f"finding.{key}")
    own = {f"finding.{key}" for key in ("text", "line", "clause", "grade", "rule", "exception", "condition")}
    assert {key for key in sentences if key.startswith("finding.")} == seen | own


# No other module holds words: no literal with blanks and words, and no literal text inside an element.

NO_WORDS = {"quiet small", "number ", "unless proof"}
"""Classes of markup, and what the format of JSON is called."""
WORD = re.compile(r"(^|\s)\(?[^\W\d_]{2,}[.,:;!?)]*(\s|$)")
MODULES = sorted(file for folder in ("faces", "words") for file in (SOURCE / "explain" / folder).glob("*.py"))


def not_for_readers(tree: ast.Module) -> set[int]:
    """Return the literals that are docstrings or messages of errors."""
    found = set()
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_message = isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "msg"
        if is_text or is_message:
            found |= {id(part) for part in ast.walk(node)}
    return found


@pytest.mark.parametrize("file", MODULES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_faces_hold_no_words(file):
    tree = ast.parse(file.read_text("utf-8"))
    excused = not_for_readers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in excused:
            worded = re.search(r"\s", node.value) and WORD.search(node.value)
            assert not worded or node.value in NO_WORDS, f"line {node.lineno}: {node.value!r}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "element":
            literals = [child.value for child in node.args[1:] if isinstance(child, ast.Constant)]
            assert not re.search(r"[^\W\d_]", " ".join(map(str, literals))), f"line {node.lineno}"


def test_the_scan_for_words_finds_some():
    with pytest.raises(AssertionError, match="line"):
        test_faces_hold_no_words(SOURCE / "logic" / "text" / "syntax.py")


# German has no English in it.

POINTS = parse("""\
%@ unless 1
%@ target risk: 'high' else 'low'
%@ categorical thal, sex
%@ numerical age
risk(X,'high') :- not ab1(X), at_least(2, [1*case1(X), 1*case2(X), 2*case3(X)]).
ab1(X) :- thal(X,'9').
case1(X) :- thal(X,'3').
case2(X) :- age(X,N2), N2 > 50.5.
case3(X) :- ab2(X).
case3(X) :- sex(X,'f'), not ab1(X).
ab2(X) :- age(X,N2), N2 =< 20.0.
""")
SETS = parse("""\
%@ unless 1
%@ target t: 'y' else 'n'
%@ categorical w
%@ numerical h
t(X,'y') :- tall(X), not ab1(X).
t(X,'y') :- not tall(X), not ab1(X), not ab2(X).
t(X,'y') :- h(X,N), N > 3.0, N =< 1.0.
tall(X) :- h(X,N), N > 2.0.
tall(X) :- w(X,'xl').
ab1(X) :- w(X,'a').
ab1(X) :- w(X,'b').
ab2(X) :- h(X,N), N > 1.0, N =< 2.0, not w(X,'c').
ab3(X) :- w(X,'d').
""")
THREE = parse("""\
%@ unless 1
%@ target t: 'a', 'b' else 'c'
%@ numerical h
%@ categorical w
t(X,'a') :- h(X,N), N > 2.0.
t(X,'a') :- h(X,N), N > 3.0, w(X,'q').
t(X,'b') :- h(X,N), N >= 1.0, not ab1(X).
t(X,'b') :- h(X,N), N > 5.0.
ab1(X) :- w(X,'z').
""")
RISKS = [
    {"thal": thal, "age": age, "sex": sex, "risk": risk}
    for thal, age, sex, risk in [
        ("3", 60, "f", "high"),
        ("9", 70, "m", "low"),
        (None, None, "m", "high"),
        ("7", 19, "m", "low"),
    ]
]
HEIGHTS = [{"w": w, "h": h, "t": t} for w, h, t in [("xl", 1, "y"), ("a", 3, "n"), ("c", 1.5, "n"), (None, "?", "n")]]
LABELS = [{"w": w, "h": h, "t": t} for w, h, t in [("q", 4, "a"), ("z", 1, "c"), ("q", 1, "d"), (None, None, "c")]]


def people():
    from unless.table.formats import read_file

    return read_file(str(EXAMPLES / "people.csv"))[0]


MADE_BY = "Erstellt mit unless"

CASES = {
    "loans": lambda: (planted_theory(), loans(300), "loan(X,'approved') :- income(X,N), N > 1.5."),
    "adult": lambda: (load(EXAMPLES / "adult.lp"), people(), "income(X,'=<50k') :- age(X,N), N =< 20.0."),
    "points": lambda: (POINTS, RISKS, "risk(X,'high') :- sex(X,'f')."),
    "sets": lambda: (SETS, HEIGHTS, "t(X,'y') :- w(X,'c')."),
    "three labels": lambda: (THREE, LABELS, "t(X,'b') :- w(X,'z')."),
}


def names(program, table) -> set[str]:
    """Return the words that come from the program and the data."""
    own = [program.target.column, *map(str, program.target.labels), str(program.target.default), *program.helpers]
    own += [case for clause in program.clauses for points in clause.points for _, case in points.awards]
    own += [f"{literal.column} {literal.value}" for clause in program.clauses for literal in clause.literals]
    view = View(program, table)
    own += [f"{name} {value}" for row in range(table.n_rows) for name, value in view.row(row).items()]
    actual = [view.actual_text(row) or "" for row in range(table.n_rows)]
    return set(long_words(" ".join([*own, *actual])))


def faces(program, table, more):
    """Yield the name and the text of everything that can be shown, in German."""
    view = View(program, table)
    proofs = [prove(program, view.row(row), row_name=row, all_rules=True) for row in range(4)]
    yield from ((f"proof {i}", proof_text(proof, lang="de")) for i, proof in enumerate(proofs))
    yield from ((f"plain proof {i}", proof_english(proof, lang="de")) for i, proof in enumerate(proofs))
    yield "program", program_english(program, lang="de")
    yield "pages", proofs_page(proofs, lang="de") + program_page(program, lang="de")
    yield "fragments", proof_fragment(proofs[0], lang="de") + program_fragment(program, lang="de")
    figures = coverage(program, table)
    yield "cells", "\n".join(" ".join(cells) for cells in coverage_cells(figures, lang="de"))
    yield "rules", "\n".join(row["rule"] for row in figures.rows(lang="de"))
    yield "table", figures.as_html(lang="de")
    yield "pictures", picture(program, lang="de") + picture(program, figures, lang="de")
    stops = (
        FrontierPoint((), 1.0, 1, 1, 0.6, 0.5, 0.01, program),
        FrontierPoint((), 0.1, 2, 5, 0.8, 0.75, 0.02, program),
    )
    frontier = Frontier(stops, 1)
    yield "size path", frontier.as_text(lang="de")
    yield "size path drawn", frontier.svg(lang="de")
    yield "report", view_report(view, "t", range(4), lang="de")
    yield "empty report", view_report(view, "t", [], lang="de")
    if view.actual is not None:
        graded = grade(program, table)
        trust = View(graded, table).reliability()
        assert trust is not None
        yield (
            "scores",
            scores_text(view.scores(str(program.target.labels[0])), lang="de") + reliability_text(trust, lang="de"),
        )
        by_label = many_scores_text(label_scores(View(graded, table)), lang="de")
        yield "scores by label", by_label + reliability_text(trust, label="t", lang="de")
        yield "grade", grade_text(graded, lang="de")
        yield "graded page", program_page(graded, lang="de")
        known = replace(graded, unseen=Unseen(20, 15, 5, "t", 12, 0.75, graded.mark))
        yield "graded report", view_report(View(known, table), "t", range(4), lang="de")
        proof = prove(graded, view.row(0), row_name=0)
        yield "graded proof", proof_english(proof, lang="de", full=True)
        yield "graded proof's page", proofs_page([proof], lang="de")
        weighed = replace(graded, grade=replace(graded.grade, is_weighed=True))
        yield "grade of weighed rows", grade_text(weighed, lang="de", width=10_000).replace(GRADE_AGAIN, "")
        edited = add_clauses(weighed, more)
        risks = [row_risk(each, view.row(row)) for each in (graded, edited) for row in range(min(20, table.n_rows))]
        yield "risks", "\n".join(said for risk in risks for said in risk_sentences(risk, language("de")))
    yield "findings", "\n".join(finding_text(finding, lang="de") for finding in check(program, view_seen(view)))
    other = add_clauses(program, more)
    for old, new in ((program, other), (other, program), (program, program)):
        found = compare(old, new, table, prove=lambda program, row: proof_english(prove(program, row), lang="de"))
        text = found.as_text(1, lang="de")
        yield "comparison", "\n".join(line for line in text.splitlines() if not line.startswith(("- ", "+ ")))
        yield "comparison page", found.as_html(1, lang="de")


@pytest.mark.parametrize("case", CASES)
def test_german_has_no_english_in_it(case):
    program, data, more = CASES[case]()
    table = raw_table(data)
    english = fixed_words("en") - fixed_words("de") - names(program, table)
    assert len(english) > 80
    for face, text in faces(program, table, more):
        seen = " ".join(Visible(text).said) if text.startswith("<") else text
        assert not english & set(long_words(seen.replace(MADE_BY, ""))), face


def test_the_check_for_english_would_find_some():
    english = fixed_words("en") - fixed_words("de")
    assert {"rows", "unless", "right", "rule"} <= english
    assert "unless" in english & set(long_words(program_english(planted_theory())))


def run(*arguments: str) -> str:
    result = CliRunner().invoke(make_app(), [*arguments, "--language", "de"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_german_commands_have_no_english_in_them(tmp_path):
    (tmp_path / "old.lp").write_text(str(planted_theory()))
    (tmp_path / "new.lp").write_text(
        str(add_clauses(planted_theory(), "loan(X,'approved') :- income(X,N), N > 9.0e9."))
    )
    loans(200).write_csv(tmp_path / "rows.csv")
    old, new, rows, out = (str(tmp_path / name) for name in ("old.lp", "new.lp", "rows.csv", "o.html"))
    graded = str(tmp_path / "graded.lp")
    save(grade(load(old), loans(200)), graded)
    said = [
        run("rules", old), run("rules", old, rows), run("rules", new, rows, "--check"), run("rules", old, "--check"),
        run("rules", old, rows, "--svg", out), run("explain", graded, rows, "--row", "1"),
        run("rules", graded, "--grade"), run("explain", graded, rows, "--row", "1", "--full"),
        run("ask", old, rows, "loan(1,'approved')"), run("ask", old, rows, "loan(0,'approved')", "--brief"),
        run("ask", old, rows, "purpose(X,'none')"), run("score", graded, rows),
        run("compare", old, new, rows), run("compare", old, new, rows, "--html", out),
        run("report", old, rows, "-o", out),
    ]  # fmt: skip
    english = fixed_words("en") - fixed_words("de") - names(planted_theory(), raw_table(loans(200)))
    shown = "\n".join(line for text in said for line in text.splitlines() if not line.startswith(("- ", "+ ")))
    assert not english & set(long_words(shown.replace(str(tmp_path), "")))
    assert "200 Zeilen" in shown
    assert "keine Zeile" in shown


def test_learning_ends_in_german(tmp_path, monkeypatch):
    """The screen at the end of `unless learn` was in English only."""
    monkeypatch.chdir(tmp_path)
    loans(200).write_csv("k.csv")
    loans(9).write_csv("k9.csv")
    loans(60).with_columns(loan=pl.Series(["yes"] * 59 + ["no"])).write_csv("k1.csv")
    said = [run("learn", file, "--target", "loan", "-o", "m.lp") for file in ("k.csv", "k9.csv", "k1.csv")]
    shown = re.sub(r"unless (explain|studio|rules) .*|--[a-z-]+", "", "\n".join(said))
    english = fixed_words("en") - fixed_words("de") - names(planted_theory(), raw_table(loans(200)))
    assert not english & set(long_words(shown))
    shown = " ".join(shown.split())
    assert "Auf Zeilen, die es nicht gesehen hatte (5 Teile)" in shown
    assert "Hinweis: keine Regel lohnt sich" in shown
    assert "weniger als 10 Zeilen" in shown


def test_the_frontier_is_shown_in_german(tmp_path):
    loans(200).write_csv(tmp_path / "k.csv")
    picture = tmp_path / "k.svg"
    said = run(
        "learn", str(tmp_path / "k.csv"), "--target", "loan", "--no-points", "--max-rules", "2", "--frontier-svg",
        str(picture), "-o", str(tmp_path / "m.lp"),
    )  # fmt: skip
    assert "Anteil richtig" in said
    assert "accuracy" not in said
    assert "Literale im Programm" in picture.read_text("utf-8")


def test_every_reason_for_not_checking_has_its_words():
    """The reasons are sentences of `learn`, which are keys of the language files."""
    reasons = {"learning was stopped early", "the check was stopped", "learning without them was stopped early"}
    for node in ast.walk(ast.parse((SOURCE / "learn" / "unseen.py").read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name in ("why_unchecked", "_too_little"):
            returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
            said = "\n".join(map(ast.unparse, returned)).replace("{FEWEST}", str(FEWEST))
            reasons |= set(re.findall(r"'([a-z0-9 ]+)'", said))
    assert reasons == set(language("en").phrases["learned"]["unchecked"])


def test_several_mixed_columns_are_one_note(tmp_path):
    """Each had a note of its own, up to three."""
    file = tmp_path / "mixed.csv"
    lines = [f"{i if i % 7 else 'old'},{i * 3 % 11 if i % 5 else 'new'},{'yes' if i % 2 else 'no'}" for i in range(60)]
    file.write_text("\n".join(["a,b,label", *lines]) + "\n")
    result = CliRunner().invoke(make_app(), ["learn", str(file), "--target", "label", "-o", str(tmp_path / "m.lp")])
    said = " ".join(result.output.split())
    assert "columns 'a', 'b' hold numbers and words: they are taken as numerical (mixed)." in said
    assert said.count("(mixed)") == 1


def test_what_is_perhaps_missing_is_said_once_by_look():
    """Each column had the same line, with the same thing to type."""
    columns = {name: ["?", "?", *map(str, range(40))] for name in ("a", "b", "c")}
    said = look_text(look({**columns, "ok": ["yes", "no"] * 21}, target="ok"))
    assert said.count("--missing '?'") == 1
    assert "! perhaps missing: '?' in 6 cells: --missing '?'" in said
    assert said.count("2 perhaps missing") == 3


def test_look_says_short_numbers():
    """The ends of a column had all their decimals."""
    third, seventh = [i / 3 for i in range(1, 41)], [f"{i / 7!r}".replace(".", ",") for i in range(1, 41)]
    seen = look(
        {"third": third, "seventh": seventh, "ok": ["yes", "no"] * 20}, target="ok", readings={"seventh": "1234,56"}
    )
    said = look_text(seen)
    assert "0.333333 to 13.3333" in said
    assert "0,142857 to 5,71429" in said
    assert seen.columns[0].values[0] == repr(1 / 3)
