"""`unless look`, and the options of `unless learn` that say how columns are read."""

from __future__ import annotations

import json
import random
import re

import pytest
from typer.testing import CliRunner

from ugly_tables import UGLY
from unless import load, look
from unless.cli.app import make_app
from unless.errors import DataError
from unless.explain.faces.look_report import finding_text, look_text
from unless.explain.words.language import language
from visible_words import fixed_words, long_words

ALL = UGLY / "all.csv"


def invoke(*arguments):
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def test_look_shows_every_column_and_what_to_type_next():
    said = invoke("look", ALL, "--target", "decision")
    assert said.exit_code == 0, said.output
    assert max(map(len, said.stdout.splitlines()[:-1])) <= 80
    assert "amount                   numbers, as 1.234,56 €" in said.stdout
    assert "start                    dates, as dd.mm.yyyy" in said.stdout
    assert "! it counts the rows, from 1 to 120: --drop 'lfd. Nr.'" in said.stdout
    assert said.stdout.splitlines()[-1] == f"Next: unless learn {ALL} --target decision"


def test_look_without_a_target_says_how_to_name_one(tmp_path):
    assert invoke("look", ALL).stdout.splitlines()[-1] == (
        f"Next: unless look {ALL} --target COLUMN, where COLUMN is what is to be predicted."
    )
    empty = tmp_path / "empty.csv"
    empty.write_text("a,b\n", encoding="utf-8")
    assert invoke("look", empty).stdout.splitlines()[-1] == "There are no rows."


def test_look_as_json_and_with_options():
    said = invoke(
        "look", ALL, "--json", "--categorical", "minutes", "--read", "start=dd.mm.yyyy hh:mm", "--missing", "DE"
    )
    columns = {column["name"]: column for column in json.loads(said.stdout)["columns"]}
    assert columns["minutes"]["content"] == "words"
    assert columns["start"]["reading"] == "dd.mm.yyyy hh:mm"
    assert columns["country"]["n_missing"] == 120


def test_learn_says_how_columns_are_read_and_the_user_says_otherwise(tmp_path):
    model = tmp_path / "model.lp"
    said = invoke("learn", ALL, "--target", "decision", "-o", model)
    assert said.exit_code == 0, said.output
    notes = " ".join(said.stdout.split())
    assert "note: column 'amount' is read as numbers: 1.234,56 €." in notes
    left_out = "left out: lfd. Nr. (it counts the rows, from 1 to 120). To learn from it: --keep-column 'lfd. Nr.'"
    assert f"note: {left_out}" in notes
    assert "lfd. Nr." not in load(model).kinds
    options = ["--keep-column", "lfd. Nr.", "--read", "amount=1.234,56 €", "--parts", "start=weekday,age@2024-01-01"]
    said = invoke("learn", ALL, "--target", "decision", *options, "-o", model)
    assert said.exit_code == 0, said.output
    columns = {column.name: column for column in load(model).columns}
    assert columns["lfd. Nr."].kind == "numerical"
    assert columns["amount"].reading == "1.234,56 €"
    assert columns["start weekday"].kind == "categorical"
    assert columns["start age"].reading == "age@2024-01-01 of start as dd.mm.yyyy"
    scored = invoke("score", model, ALL, "--json")
    assert json.loads(scored.stdout)["accuracy"] > 0.9


def test_a_reading_that_reads_nothing_is_said():
    said = invoke("learn", ALL, "--target", "decision", "--read", "amount=1,234.56 €")
    assert said.exit_code == 0
    note = "column 'amount' is read as 1,234.56 €, and 120 of its 120 values are not written so, such as"
    assert note in " ".join(said.output.split())


def table_of(tmp_path, head, rows):
    path = tmp_path / "t.csv"
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


def test_cells_that_are_not_written_as_asked_are_said_though_most_are(tmp_path):
    """`--read` was believed in silence unless most values were written otherwise: the others dropped out as words."""
    rows = [f"€ {n}.000;{'yes' if n > 60 else 'no'}" if n % 9 == 0 else f"{n}.000 €;no" for n in range(1, 101)]
    data = table_of(tmp_path, "amount;ok", [*rows, "n/a;no"])
    said = " ".join(invoke("learn", data, "--target", "ok", "--read", "amount=1.234,56 €").output.split())
    assert "column 'amount' is read as 1.234,56 €, and 11 of its 101 values are not written so, such as '€" in said
    assert "not written so" not in invoke("learn", data, "--target", "ok", "--read", "amount=€ 1.234").stdout


def test_numbers_with_different_units_are_pointed_out(tmp_path):
    """Ages as '64 J.', '41 Jahre' and '19' were words, each its own, and nothing said so."""
    units = (" J.", " Jahre", "", " J.", " Jahre")
    data = table_of(tmp_path, "age,ok", [f"{n}{units[n % 5]},{'yes' if n > 50 else 'no'}" for n in range(18, 98)])
    learned = " ".join(invoke("learn", data, "--target", "ok").output.split())
    assert "column 'age': 80 of 80 cells are numbers with different units, such as '18 J.', '19 Jahre', '22'" in learned
    assert "Write them alike" in learned
    seen = " ".join(invoke("look", data, "--target", "ok").stdout.split())
    assert "! numbers with different units in 80 rows, such as '18 J.', '19 Jahre', '22'; to have them read" in seen
    streets = table_of(
        tmp_path, "home,ok", [f"{n} {'ABCDEFGH'[n % 8]} Street,{'yes' if n % 2 else 'no'}" for n in range(80)]
    )
    assert "units" not in invoke("look", streets, "--target", "ok").stdout


def test_columns_that_are_read_alike_are_one_note(tmp_path):
    """43 columns with decimal commas were 43 notes, and what mattered stood among them."""
    names = [f"lab{i}" for i in range(9)]
    rows = [";".join([*(f"{n + i},5" for i in range(9)), f"{n},5 %", "yes" if n > 20 else "no"]) for n in range(40)]
    data = table_of(tmp_path, ";".join([*names, "share", "ok"]), rows)
    said = " ".join(invoke("learn", data, "--target", "ok").output.split())
    assert "note: 9 columns are read as numbers: 1234,56 (lab0, lab1, lab2, lab3, lab4, lab5, …, lab8)." in said
    assert "note: column 'share' is read as numbers: 1234,56 %." in said
    assert said.count("read as numbers") == 2


def test_dates_that_are_read_are_not_said_to_be_words(tmp_path):
    """Every format of dates reads 2023-11-28 too, and `learn` called such cells words where `look` did not."""
    forms = ("{:02}.11.2023", "{:02}.11.2023", "{:02}.11.2023", "2023-11-{:02}", "{:02}/11/2023")
    rows = [f"{forms[n % 5].format(n % 28 + 1)},{'yes' if n % 3 else 'no'}" for n in range(100)]
    data = table_of(tmp_path, "start,ok", rows)
    learned = " ".join(invoke("learn", data, "--target", "ok").output.split())
    assert (
        "read as dates: dd.mm.yyyy; 20 of 100 cells are not written so, such as '01/11/2023': they are words" in learned
    )
    seen = " ".join(invoke("look", data).stdout.split())
    assert "words with digits among the dates, in 20 rows: '01/11/2023'" in seen
    assert "a column is read in one format, so dates in another are words." in seen


@pytest.mark.parametrize(
    ("usual", "rare", "reading"),
    [("{0:02}/{1:02}", "{1:02}/{0:02}", "dd/mm/yyyy"), ("{1:02}/{0:02}", "{0:02}/{1:02}", "mm/dd/yyyy")],
)
def test_dates_with_day_and_month_swapped_are_said_to_make_others_doubtful(tmp_path, usual, rare, reading):
    """Those of days up to 12 are read as other days, and only the rest were pointed out, as words."""
    days = [(n % 28 + 1, n % 12 + 1) for n in range(100)]
    rows = [
        f"{(rare if n % 10 == 0 else usual).format(*day)}/2024,{'yes' if n % 3 else 'no'}" for n, day in enumerate(days)
    ]
    learned = " ".join(invoke("learn", table_of(tmp_path, "start,ok", rows), "--target", "ok").output.split())
    assert f"read as dates: {reading}; " in learned
    assert "of 100 cells are not written so, such as" in learned
    assert "where day and month are swapped: words here" in learned
    assert "and others of days up to 12 may be read wrongly." in learned


def test_what_only_the_grade_tests_and_cannot_read_is_said(tmp_path):
    """Cells that the points could not read gave no points in silence; only columns of rules were spoken of."""
    model = tmp_path / "m.lp"
    model.write_text(
        "%@ target ok: 'yes' else 'no'\n%@ numerical n, amount\n%@ read amount: '1.234,56 €'\n"
        "ok(X,'yes') :- n(X,N), N > 5.\n%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n"
        "%@ grade 'yes' points 3 if amount > 2000.0\n",
        encoding="utf-8",
    )
    data = table_of(tmp_path, "n;amount;ok", ["1;1.000 €;no", "7;$ 9.000,00;yes", "8;$ 8.000,00;yes"])
    note = "column 'amount' is read as 1.234,56 €, and 2 of 3 cells are not written so, such as '$ 8.000,00'"
    assert note in invoke("predict", model, data, "--probabilities").stderr
    assert note in invoke("score", model, data).stderr
    assert "amount" not in invoke("predict", model, data).stderr


@pytest.mark.parametrize(
    ("numbers", "odd"),
    [
        ((0, 1, 9), "9"), ((1, 2, 3, 99), "99"), ((0, 1, -1), "-1"), ((0, 1, 2, 3, 9), "9"),
        ((0, 1, 2), None), ((1, 5, 9), None), ((-2, -1, 0), None), ((0.5, 1, 9), None), ((0, 9), None),
    ],
)  # fmt: skip
def test_a_number_that_perhaps_means_unknown_is_pointed_out(numbers, odd, tmp_path):
    """0, 1 and 9 for no, yes and unknown were numbers, of which 9 is the most diabetic."""
    rows = [f"{numbers[n % len(numbers)]},{'yes' if n % 2 else 'no'}" for n in range(90)]
    said = invoke("look", table_of(tmp_path, "diabetes,ok", rows)).stdout
    finding = f"! {odd} stands apart from the other numbers, perhaps for unknown: --categorical diabetes"
    assert (finding in " ".join(said.split())) == (odd is not None)
    assert ("stands apart" in said) == (odd is not None)


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (("J", "ja", "Y", "N", "nein"), "'J', 'Y' and 'ja'; 'N' and 'nein'"),
        (("yes", "no", "n"), "'n' and 'no'"),
        (("J", "N"), None), (("yes", "no", "?"), None), (("J", "ja", "perhaps"), None), (("T", "F", "C"), None),
    ],
)  # fmt: skip
def test_yes_and_no_in_several_words_are_pointed_out(words, groups, tmp_path):
    """J, ja and Y were three words, and as labels three labels, and nothing said so."""
    rows = [f"{words[n % len(words)]},{n}" for n in range(60)]
    data = table_of(tmp_path, "answer,n", rows)
    said = " ".join(invoke("look", data).stdout.split())
    assert ("yes and no in several words" in said) == (groups is not None)
    if groups is not None:
        assert f"! yes and no in several words: {groups}." in said
        learned = " ".join(invoke("learn", data, "--target", "answer", "--no-check").output.split())
        assert "labels that look alike are learned as different ones" in learned


def test_numbers_as_labels_are_said_to_be_none(tmp_path):
    """A thousand incomes were a thousand labels: they were learned one by one, and listed over three screens."""
    data = table_of(tmp_path, "a,b,pay", [f"{n % 7},{n % 2},{n % 2 * 300 + n // 4}" for n in range(400)])
    said = " ".join(invoke("learn", data, "--target", "pay", "--no-check", "-o", tmp_path / "m.lp").stdout.split())
    assert "column 'pay' has 200 labels in 400 rows, and each is learned by itself" in said
    few = table_of(tmp_path, "a,ok", [f"{n % 7},{n % 5}" for n in range(400)])
    assert "learned by itself" not in invoke("learn", few, "--target", "ok", "--no-check").output


def test_of_many_labels_that_are_never_predicted_some_are_named(tmp_path):
    kinds = ("often", "some", "rare{}")
    rows = [f"{n % 3},{kinds[n % 3].format(n % 40)}" for n in range(600)]
    data = table_of(tmp_path, "a,kind", rows)
    said = " ".join(invoke("learn", data, "--target", "kind", "--no-check", "-o", tmp_path / "m.lp").stdout.split())
    named = said.partition("No rule concludes ")[2].partition(": never predicted")[0]
    assert named.count("rare") == 12
    assert named.endswith(" and 28 more")


def test_merged_cells_and_copies_are_pointed_out(tmp_path):
    """Of merged cells a spreadsheet gives the first; rows that were exported twice are held out beside themselves."""
    rows = [
        f"{'North' if n == 0 else 'South' if n == 50 else ''},{n * n},{'yes' if n % 2 else 'no'}" for n in range(100)
    ]
    said = " ".join(invoke("look", table_of(tmp_path, "branch,amount,ok", [*rows, *rows[3:7]])).stdout.split())
    assert "! blank but in 2 rows; of merged cells of a spreadsheet only the first has the value." in said
    assert "! the same as another in every column: 4 rows, perhaps copies; held out, they flatter a check." in said
    few = [f"{n % 3},{'yes' if n % 2 else 'no'}" for n in range(100)]  # alike by chance
    assert "the same as another" not in invoke("look", table_of(tmp_path, "a,ok", few)).stdout


def test_rows_that_are_all_there_several_times_are_pointed_out(tmp_path):
    """Where more than one row in ten was a copy, nothing was odd; five copies of noise were learned as 99 % right."""
    rows = [f"{n * 7919 % 1009},{n * n % 997},{'yes' if n * n * n % 31 < 15 else 'no'}" for n in range(200)]
    data = table_of(tmp_path, "a,b,ok", rows * 5)
    seen = " ".join(invoke("look", data).stdout.split())
    assert "! the same as another in every column: 800 rows" in seen
    assert "! marks what is odd in the rows; the columns are fine." in seen
    assert "Nothing is odd" not in seen
    learn = ("learn", data, "--target", "ok", "--no-check", "-o", tmp_path / "m.lp")
    said = " ".join(invoke(*learn).stdout.split())
    assert "note: 800 of 1,000 rows are the same as another in every column and label." in said
    german = " ".join(invoke(*learn, "--language", "de").stdout.split())
    assert "Hinweis: 800 von 1.000 Zeilen gleichen einer anderen" in german


def test_rows_alike_by_chance_are_no_copies(tmp_path):
    """Few values, or a column that repeats another, make rows alike that are no copies."""
    rows = [f"{n % 100},{n % 100 * 2},{n % 3},{'yes' if n % 2 else 'no'}" for n in range(3000)]
    assert "the same as another" not in invoke("look", table_of(tmp_path, "a,twice,b,ok", rows)).stdout


def test_rules_that_are_no_better_than_one_label_are_said_to_be_so(tmp_path):
    """Of noise two rules were learned, 53.0 % right where one label is 52.6 %, and nothing was said of it."""
    noise = random.Random(5)
    rows = [f"{round(noise.gauss(0, 1), 2)},{noise.choice(['yes', 'no'])}" for _ in range(500)]
    learn = ("learn", table_of(tmp_path, "a,ok", rows), "--target", "ok", "-o", tmp_path / "m.lp")
    said = " ".join(invoke(*learn, "--algorithm", "fold-r++").stdout.split())
    assert " Learned 0 rules" not in said
    assert re.search("That is no more often right than always '(yes|no)', as far as 500 rows can tell.", said)
    assert json.loads(invoke(*learn, "--algorithm", "fold-r++", "--json").stdout)["unseen"]["beats_commonest"] is False


def test_shares_of_a_rare_label_have_a_digit_more(tmp_path):
    """Of a label that one row in fifty has, every column was said to reach from 1% to 2%."""
    rows = [f"{n % 2},{n % 7},{'yes' if n % 50 == 0 or n % 333 == 1 else 'no'}" for n in range(1000)]
    seen = invoke("look", table_of(tmp_path, "a,b,ok", rows), "--target", "ok").stdout
    assert "0.4% to 4.2%" in seen


def test_a_column_stands_under_its_heading_where_two_lines_are_needed(tmp_path):
    rows = [f"{n}.000,5 €;{'yes' if n % 2 else 'no'}" if n % 20 else "?;no" for n in range(1, 1000)]
    data = table_of(tmp_path, "amount of the loan;ok", rows)
    assert "amount of the loan       numbers and words, as 1.234,56 €\n" in invoke("look", data).stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--read", "amount"], "--read amount: write COLUMN=VALUE."),
        (["--read", "amount=euros"], "'euros' is not a way to read a column"),
        (["--read", "sum=1,234"], "column 'sum' is not in the table"),
        (["--parts", "town=weekday"], "column 'town' has no parts"),
        (["--keep-column", "nothing"], "column 'nothing' is not in the table"),
    ],
)
def test_what_is_typed_wrong_is_said_in_one_sentence(options, problem):
    said = invoke("learn", ALL, "--target", "decision", *options)
    assert isinstance(said.exception, DataError)
    assert problem in str(said.exception)
    assert "\n" not in str(said.exception)


EVERY = sorted(path for path in UGLY.iterdir() if path.suffix in (".csv", ".txt", ".tsv"))


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_a_finding_says_the_same_by_its_phrase(path):
    """What is odd is said twice, as a message and for other languages: English must not drift apart."""
    try:
        seen = look(str(path))
    except DataError:
        return
    for finding in (finding for column in seen.columns for finding in column.findings):
        said = finding_text(finding, language("en"))
        assert said.replace("100.0 %", "100 %").replace(" %", "%") == finding.evidence


def test_every_finding_is_said_in_every_language():
    rows = 40
    odd = {
        "key": [f"k{i}" for i in range(rows)],
        "nr": [str(i) for i in range(rows)],
        "same": ["a"] * rows,
        "none": [None] * rows,
        "zip": [str(10000 + i % 3) for i in range(rows)],
        "twin": ["Bonn", "bonn"] * (rows // 2),
        "gone": ["?", "x"] * (rows // 2),
        "copy": ["?", "x"] * (rows // 2),
        "wide": [" a", "b"] * (rows // 2),
        "day": [f"{1 + i % 12:02}.{1 + i % 12:02}.{20 + i % 9}" for i in range(rows)],
        "label": ["yes", "no"] * (rows // 2),
    }
    seen = look(odd, "label")
    phrases = {finding.phrase for column in seen.columns for finding in column.findings}
    assert phrases >= {"word", "same", "empty", "look_alike", "perhaps_missing", "repeats", "blanks", "alone"}
    said = re.sub("--(drop|missing|categorical|numerical|read)", "", look_text(seen, lang="de"))
    shown = {*long_words(" ".join(str(value) for column in odd.values() for value in column)), *odd}
    english = fixed_words("en") - fixed_words("de") - shown
    assert not [word for word in long_words(said) if word in english]


def test_what_to_type_next_is_quoted_for_the_shell(tmp_path):
    """A path with blanks, or the address of a database with & in it, was printed as it is."""
    table = tmp_path / "my loans & more.csv"
    table.write_text((UGLY / "all.csv").read_text(encoding="utf-8"), encoding="utf-8")
    assert f"unless learn '{table}' --target" in invoke("look", table, "--target", "decision").stdout
    said = invoke("learn", table, "--target", "decision", "--no-check", "-o", tmp_path / "a model.lp").stdout
    assert f"unless explain '{tmp_path / 'a model.lp'}' '{table}' --row 0" in said


AMOUNTS = [f"{i}.{i + 100},50 €" for i in range(1, 60)]


@pytest.mark.parametrize(
    ("cells", "seen", "said"),
    [
        (
            [*AMOUNTS, "100,00"],
            "! 1 cell without '€', read like the others.",
            "column 'a' is read as numbers: 1.234,56 €; 1 of 60 cells stands without '€', and is read alike.",
        ),
        (
            [*AMOUNTS, "100,00 EUR"],
            "! words with digits among the numbers, in 1 row: '100,00 EUR'.",
            "column 'a' is read as numbers: 1.234,56 €; 1 of 60 cells is not written so, such as '100,00 EUR': "
            "it is a word.",
        ),
        (
            [*AMOUNTS[:40], *(cell.replace("€", "EUR") for cell in AMOUNTS[40:])],
            "! 40 of 59 cells are numbers, written 1.234,56 €, the others are not, such as '41.141,50 EUR': "
            "--read 'a=1.234,56 €'",
            "column 'a': 40 of 59 cells are numbers, written 1.234,56 €, 19 are not, such as '41.141,50 EUR': it is "
            "taken as words. To have it read so: --read 'a=1.234,56 €'",
        ),
        (
            [*AMOUNTS[:40], *(cell.removesuffix(" €") for cell in AMOUNTS[40:])],
            "! 40 of 59 cells are numbers, written 1.234,56 €, the others stand without '€': --read 'a=1.234,56 €'",
            "column 'a': 40 of 59 cells are numbers, written 1.234,56 €, 19 stand without '€': it is taken as words. "
            "To have it read so: --read 'a=1.234,56 €'",
        ),
    ],
)
def test_look_and_learn_say_which_cells_are_not_written_as_the_others(cells, seen, said, tmp_path):
    """A column of amounts was left out as a name of its rows for one cell in another currency, without a word."""
    table = tmp_path / "table.csv"
    rows = [f"{cell};{i % 3};{'yes' if i > 30 else 'no'}" for i, cell in enumerate(cells)]
    table.write_text("\n".join(["a;b;ok", *rows]), encoding="utf-8")
    assert seen in " ".join(invoke("look", table, "--target", "ok").stdout.split())
    for finding in look(str(table), target="ok").columns[0].findings[:1]:
        assert finding_text(finding, language("en")) == finding.evidence
        assert finding_text(finding, language("de")) != finding.evidence
    learned = invoke("learn", table, "--target", "ok", "-o", tmp_path / "model.lp").stdout
    assert f"note: {said}" in " ".join(learned.split())
    assert "--read" not in learned or "--read 'a=1.234,56 €'" in learned


def test_a_label_called_like_its_column_is_no_repeated_header(tmp_path):
    """197 rows of fraud in a column Fraud were taken for headers that were pasted in."""
    rows = [f"{i},{i % 7},{'Fraud' if i % 25 == 0 else 'ok'}" for i in range(500)]
    table = tmp_path / "table.csv"
    for more, is_header in (([], False), (["amount,days,Fraud"], True)):
        table.write_text("\n".join(["amount,days,Fraud", *rows, *more]), encoding="utf-8")
        said = invoke("look", table, "--target", "Fraud").stdout
        assert ("its own name in 1 row, perhaps the header once more" in said) == is_header
        assert "its own name in 2" not in said


def test_the_next_command_reads_the_table_alike(tmp_path):
    """It lacked --missing, --read and kinds of columns, so that learning read the table otherwise than look."""
    table = tmp_path / "t.csv"
    lines = [
        f"{i % 5},{'leer' if i % 3 else i},{'k.A.' if i % 4 else 'a'},{'yes' if i % 2 else 'no'}" for i in range(40)
    ]
    table.write_text("\n".join(["code,n,w,ok", *lines]) + "\n")
    typed = ["--target", "ok", "--missing", "leer", "--categorical", "code", "--read", "n=1234.56"]
    said = CliRunner().invoke(make_app(), ["look", str(table), *typed]).stdout
    options = "--target ok --categorical code --read n=1234.56 --missing leer,k.A."
    assert f"unless learn {table} {options}" in said
