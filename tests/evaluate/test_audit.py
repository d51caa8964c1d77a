"""Audit and drift: parts add up exactly, a planted unfair rule comes first, and a rule that drifts raises an alarm."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score
from typer.testing import CliRunner

from unless import UnlessClassifier, parse, save
from unless.cli.app import make_app
from unless.datasets import loans, planted_theory
from unless.errors import UnlessError
from unless.evaluate.audit import Share, audit
from unless.evaluate.drift import RuleDrift, drift
from unless.evaluate.predict import predict
from unless.evaluate.probabilities import probabilities
from unless.evaluate.view import View
from unless.explain.faces.audit_report import AuditReport, DriftReport
from unless.explain.words.language import languages
from unless.logic.graded import graded_labels
from unless.table.frames import raw_table
from visible_words import fixed_words, long_words

PROGRAM = planted_theory()
UNFAIR = parse("""
%@ target loan: 'approved' else 'refused'
%@ categorical sex, history, housing
%@ numerical income, debt
loan(X,'approved') :- income(X,N1), N1 > 30.0, not ab1(X), not ab2(X), not ab3(X).
loan(X,'approved') :- housing(X,'owner'), debt(X,N2), N2 =< 0.2.
ab1(X) :- debt(X,N2), N2 > 0.6, not ab4(X).
ab4(X) :- housing(X,'owner').
ab2(X) :- history(X,'defaulted').
ab3(X) :- sex(X,'f'), income(X,N1), N1 =< 60.0.
""")


def people(seed, n=2000):
    rng = np.random.default_rng(seed)
    return pl.DataFrame({
        "sex": rng.choice(["f", "m"], n),
        "history": rng.choice(["clean", "late", "defaulted"], n),
        "housing": rng.choice(["owner", "tenant"], n),
        "income": rng.integers(10, 90, n),
        "debt": rng.random(n).round(2),
    })  # fmt: skip


@pytest.mark.parametrize("by", ["housing", "purpose", "income:20000"])
@pytest.mark.parametrize("label", ["approved", "refused"])
def test_parts_add_up_to_the_gap(by, label):
    found = audit(PROGRAM, raw_table(loans(400)), by, label)
    assert sum(part.gap for part in found.parts) == pytest.approx(found.gap, abs=1e-12)
    predicted = np.array(predict(PROGRAM, loans(400))) == label
    assert sum(group.predicted.n for group in found.groups) == predicted.sum()
    assert sum(group.predicted.of for group in found.groups) == 400


@pytest.mark.parametrize("seed", range(20))
def test_a_planted_unfair_rule_comes_first(seed):
    found = audit(UNFAIR, raw_table(people(seed)), "sex", "approved")
    assert found.direct.verdict == "yes"
    assert found.direct.row["sex"] != found.direct.other["sex"]
    assert found.without[0].rule == "1.3"
    assert abs(found.without[0].gap) < found.gap


@pytest.mark.parametrize("lang", languages())
def test_without_a_gap_nothing_is_said_to_make_it(lang):
    """Without rules it went "from f (0 %) to f (0 %)", and two lists began that had no line."""
    never = parse("%@ target loan: 'approved' else 'refused'\n%@ categorical sex\n")
    rows = people(0, 100).with_columns(loan=pl.lit("refused"))
    found = audit(never, raw_table(rows), "sex", "approved")
    assert found.highest == found.lowest
    said = AuditReport(never, [found]).text(lang=lang, width=200)
    assert said.rstrip().endswith("0 %.")
    assert not [line for line in said.splitlines() if line.rstrip().endswith(":")]
    # Of no row that is approved none can have been missed.
    assert "0.0–100.0" not in said.replace(",", ".")


def test_dependence_is_proved_not_guessed():
    found = audit(PROGRAM, raw_table(loans(100)), "purpose", "approved")
    assert (found.is_tested, found.direct.verdict) == (False, "no")


PROXY = parse("""
%@ target loan: 'approved' else 'refused'
%@ categorical town, job
%@ numerical income
loan(X,'approved') :- town(X,'north'), income(X,N1), N1 > 30.0.
loan(X,'approved') :- town(X,'north'), job(X,'cook'), income(X,N1), N1 > 30.0.
""")


def test_the_column_that_stands_for_the_group_carries_the_gap():
    rng = np.random.default_rng(1)
    sex = rng.choice(["f", "m"], 400)
    town = np.where(rng.random(400) < 0.9, np.where(sex == "f", "south", "north"), "east")
    job, income = rng.choice(["cook", "baker"], 400), rng.integers(10, 90, 400)
    rows = pl.DataFrame({"sex": sex, "town": town, "job": job, "income": income})
    found = audit(PROXY, raw_table(rows), "sex", "approved")
    assert found.depends == ("town", "income")  # the second clause, and so job, never matters; this is proved
    assert found.through[0].column == "town"
    assert abs(found.through[0].gap) < 0.1 < found.gap
    assert found.through[0].apart > 0.8
    for part in found.through:
        assert part.gap == pytest.approx(gap_without(PROXY, rows, "sex", ("m", "f"), part.column))


def gap_without(program, rows, by, groups, column):
    """Decide each row with every row's value of a column in turn."""
    rates = []
    for group in groups:
        own = rows.filter(pl.col(by) == group).drop(by, column)
        every = own.join(rows.select(column), how="cross")
        rates.append(np.mean(np.array(predict(program, every)) == "approved"))
    return rates[0] - rates[1]


def test_groups_of_a_graded_program_have_an_area_under_the_curve():
    rows = loans(300)
    graded = UnlessClassifier(points=True).fit(rows.drop("loan", "years_in_job"), rows["loan"]).program_
    found = audit(graded, raw_table(rows), "housing", "approved")
    for group in [group for group in found.groups if group.word is not None]:
        own = rows.filter(pl.col("housing") == group.word)
        chance = probabilities(graded, own)[:, list(map(str, graded_labels(graded))).index("approved")]
        assert group.auc == pytest.approx(roc_auc_score(own["loan"] == "approved", chance))
    assert "AUC" in AuditReport(graded, [found]).text()


def test_shares_have_intervals():
    assert Share(0, 10).interval[0] == 0.0
    assert Share(10, 10).interval[1] == 1.0
    low, high = Share(5, 10).interval
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)  # Wilson's, from the tables
    assert Fraction(*Share(1, 3)) == Fraction(1, 3)


def test_errors_by_group_are_counted():
    rows = loans(300)
    found = audit(PROGRAM, raw_table(rows), "housing", "approved")
    predicted, actual = np.array(predict(PROGRAM, rows)), rows["loan"].to_numpy()
    for group in found.groups:
        inside = (
            rows["housing"].is_null().to_numpy()
            if group.word is None
            else (rows["housing"] == group.word).fill_null(False).to_numpy()
        )
        assert group.wrong.n == (predicted != actual)[inside].sum()
        assert group.false_positive == Share(
            int(((predicted == "approved") & (actual != "approved"))[inside].sum()),
            int((actual != "approved")[inside].sum()),
        )


def test_rows_like_the_old_ones_raise_no_alarm_and_others_do():
    rows = loans(2000)
    old, new = rows[:1000], rows[1000:]
    assert not any(line.alarm for line in drift(PROGRAM, raw_table(old), raw_table(new)))
    poorer = new.with_columns(pl.col("income") * 0.5)
    lines = drift(PROGRAM, raw_table(old), raw_table(poorer))
    assert lines[0].alarm
    assert {line.rule for line in lines if line.share_alarm} >= {"1", ""}
    assert any(line.right_alarm for line in lines)


# By the command.


def run(*arguments, code=0):
    result = CliRunner().invoke(make_app(), list(map(str, arguments)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def files(tmp_path):
    save(PROGRAM, tmp_path / "loans.lp")
    (tmp_path / "loans.csv").write_text(loans(400).write_csv())
    (tmp_path / "owners.csv").write_text(loans(400).filter(pl.col("housing") == "owner").write_csv())
    return tmp_path / "loans.lp", tmp_path / "loans.csv"


def test_audit_by_the_command(files, tmp_path):
    said = run("audit", *files, "--by", "housing,income:20000")
    assert "The program depends on housing: two rows that differ in it alone" in said
    assert "20,000" in said
    narrow = AuditReport(PROGRAM, [audit(PROGRAM, raw_table(loans(400)), "housing", "approved")]).text(width=80)
    assert max(map(len, narrow.splitlines())) <= 80
    data = json.loads(run("audit", *files, "--by", "housing", "--json"))
    assert sum(part["gap"] for part in data[0]["parts"]) == pytest.approx(data[0]["gap"])
    run("audit", *files, "--by", "purpose", "--html", tmp_path / "audit.html")
    assert "No rule tests purpose." in (tmp_path / "audit.html").read_text()


def test_watch_by_the_command(files, tmp_path):
    assert "No rule changed more than chance allows." in run("watch", *files, files[1])
    owners = tmp_path / "owners.csv"
    said = run("watch", *files, owners, code=1)
    assert "decides more" in said or "decides less" in said
    assert json.loads(run("watch", *files, owners, "--json", code=1))[0]["alarms"]
    run("watch", *files, owners, "--html", tmp_path / "watch.html", code=1)
    assert "<table>" in (tmp_path / "watch.html").read_text()


def test_watch_says_what_rose_and_what_fell():
    """In the column of alarms stood "right" where a rule was right less often, which reads as praise."""
    then, now = Share(500, 1000), Share(700, 1000)
    lines = [
        RuleDrift("1", (then, now), (now, then), True, True),
        RuleDrift("", (now, then), (then, then), True, False),
    ]
    said = DriftReport(lines).text()
    assert "decides more, right less often" in " ".join(said.split())
    assert said.count("decides less") == 1
    assert "entscheidet mehr, seltener richtig" in " ".join(DriftReport(lines).text(lang="de").split())


def test_groups_are_ranked_by_what_score_ranks_by():
    """Where labels cost differently, the AUC of a group was that of probabilities that had been moved to one half."""
    noisy = pl.when(pl.int_range(pl.len()) % 5 == 0).then(pl.col("loan").reverse()).otherwise(pl.col("loan"))
    rows = loans(1500).with_columns(loan=noisy)
    program = UnlessClassifier(costs={"approved": 8}, positive="approved").fit(rows.drop("loan"), rows["loan"]).program_
    table = raw_table(rows.with_columns(all=pl.lit("one")))
    (group,) = audit(program, table, "all", "approved").groups
    view = View(program, table, "loan")
    assert group.auc == pytest.approx(view.reliability().auc)
    moved = roc_auc_score(view.actual == 0, view.probabilities["approved"])
    assert abs(group.auc - moved) > 1e-4  # or this tests nothing


def test_points_for_the_column_are_said_though_no_rule_tests_it():
    """An audit by sex said that no rule tests it, and nothing of the points that every probability rested on."""
    program = parse(
        "%@ target ok: 'yes' else 'no'\n%@ categorical sex\n%@ numerical n\nok(X,'yes') :- n(X,N), N > 5.\n"
        "%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if sex = 'f'\n"
    )
    table = raw_table([{"sex": "fm"[i % 2], "n": i, "ok": "yes" if i > 5 else "no"} for i in range(20)])
    report = AuditReport(program, [audit(program, table, column, "yes") for column in ("sex", "n")])
    said = " ".join(report.text().split())
    assert "No rule tests sex." in said
    assert said.count("Its grade gives points for sex, so probabilities depend on it") == 1
    assert "points for n," not in said
    assert [each["has_points"] for each in report.data()] == [True, False]


def test_a_date_matters_where_a_part_of_it_does_and_parts_make_groups():
    """No group was made of weekdays, and "no rule tests start" was said of a program that asks for them."""
    program = parse("""
%@ target ok: 'yes' else 'no'
%@ categorical start_weekday
%@ numerical x
%@ read start_weekday: 'weekday of start as dd.mm.yyyy'
ok(X,'yes') :- x(X,N1), N1 > 1.0, not ab1(X).
ab1(X) :- start_weekday(X,'Monday').
""")
    table = raw_table({"start": ["20.11.2023", "21.11.2023", "22.11.2023"] * 10, "x": [2, 2, 0] * 10})
    days, dates = audit(program, table, "start_weekday", "yes"), audit(program, table, "start", "yes")
    assert [group.word for group in days.groups] == ["Monday", "Tuesday", "Wednesday"]
    assert [each.direct.verdict for each in (days, dates)] == ["yes", "yes"]
    assert [part.column for part in dates.through] == ["x"]
    said = AuditReport(program, [dates]).text()
    assert "The program depends on start: two rows that differ in it alone get different labels." in said
    assert "decisions depend on x and on nothing else" in said


def test_a_share_of_no_rows_is_none():
    """Of a group without a row that could be wrongly refused, 0 % (0.0–100.0) were said to be."""
    rows = loans(400).filter(pl.col("loan") == "approved")
    said = AuditReport(PROGRAM, [audit(PROGRAM, raw_table(rows), "housing", "approved")]).text(width=200)
    line = next(line for line in said.splitlines() if line.startswith("owner"))
    assert re.split(r"  +", line)[5] == "–"


@pytest.mark.parametrize("name", [name for name in languages() if name != "en"])
def test_no_english_in_another_language(name):
    rows = raw_table(loans(200))
    audits = [audit(PROGRAM, rows, by, "approved") for by in ("housing", "purpose", "income:20000")]
    said = AuditReport(PROGRAM, audits).text(lang=name) + DriftReport(drift(PROGRAM, rows, rows)).text(lang=name)
    page = AuditReport(UNFAIR, [audit(UNFAIR, raw_table(people(0)), "sex", "refused")]).html(lang=name)
    said += re.sub("<[^>]*>", " ", page.split("<h1>")[1])
    names = {*long_words((str(PROGRAM) + str(UNFAIR)).replace("_", " ")), "tenant", "family"}
    assert not [word for word in long_words(said) if word in fixed_words("en") - names - fixed_words(name)]


@pytest.mark.parametrize(
    ("by", "problem"),
    [
        ("sexx", "column 'sexx' is not in the table"),
        ("income:wide", "'wide' is no width of groups"),
        ("housing:10", "'housing' holds no numbers to make groups of"),
        ("income", "groups, more than 100; for numbers write a step"),
        ("", "--by names no column"),
    ],
)
def test_bad_groups_are_one_sentence(files, by, problem):
    with pytest.raises(UnlessError, match=problem):
        run("audit", *files, "--by", by)


def test_words_among_numbers_are_groups_of_their_own():
    """Ages above 90, written >90, were the group of those whose age is blank."""
    program = parse("%@ target ok: 'yes' else 'no'\n%@ numerical age\n%@ missing '?'\nok(X,'yes') :- age(X,N), N > 40.")
    table = raw_table({"age": ["20", "50", ">90", ">90", "", "?"]})
    groups = audit(program, table, "age:30", "yes").groups
    assert [(group.word, group.low, group.predicted.of) for group in groups] == [
        (None, 0, 1),
        (None, 30, 1),
        (">90", None, 2),
        (None, None, 2),
    ]


def test_a_table_without_rows_is_one_sentence():
    """The audit of an empty table was a traceback, its drift a table of blanks."""
    empty = raw_table(loans(10).clear())
    with pytest.raises(UnlessError, match="the table has no rows"):
        audit(PROGRAM, empty, "housing", "approved")
    with pytest.raises(UnlessError, match="the table has no rows"):
        drift(PROGRAM, empty, raw_table(loans(10)))


def test_groups_of_amounts_are_made_and_named_as_the_column_is_written():
    """Steps of a column written 1.234,56 € were refused: it held no numbers."""
    text = "%@ target ok: 'yes' else 'no'\n%@ numerical price\n%@ read price: '1.234,56 €'\n"
    program = parse(text + "ok(X,'yes') :- price(X,N), N > 1000.5.")
    table = raw_table({"price": ["900,10 €", "1.000,60 €", "1.999 €"], "ok": ["no", "yes", "yes"]})
    found = audit(program, table, "price:1000", "yes")
    assert [(group.low, group.high, group.predicted) for group in found.groups] == [
        (0, 1e3, (0, 1)),
        (1e3, 2e3, (2, 2)),
    ]
    assert "1.000 € to below 2.000 €" in AuditReport(program, [found]).text(width=120)
