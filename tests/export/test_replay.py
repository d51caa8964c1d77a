"""Exports say what the program says, on the real engines; those that are absent are skipped by name."""

from __future__ import annotations

import datetime as dt
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings

from export_programs import PROGRAMS, formatted, office
from random_programs import AWKWARD, TRICKY, programs
from real_engines import engine_of
from unless.errors import DataError, EngineError
from unless.export.from_program import decision_form
from unless.export.options import ExportOptions
from unless.export.pmml_file import pmml_fields, word_fields
from unless.export.replay import on_pmml
from unless.export.targets import TARGETS, export_program
from unless.export.verify import verify
from unless.logic.clause import Clause
from unless.logic.grade import Card, Grade
from unless.logic.holds import decide, read_row
from unless.logic.program import Program, Target
from unless.logic.rules import Column, Literal
from unless.logic.text.files import load
from unless.logic.text.parser import parse

GOLDEN = Path(__file__).parent.parent / "golden"
QUICK = ("sql:sqlite", "sql:duckdb", "sql:postgres")
REPLAYED = [name for name, target in TARGETS.items() if target.replayer]


@pytest.fixture(params=REPLAYED)
def target(request):
    engine_of(request.param)
    return request.param


def test_pmml_is_given_cells_as_the_program_reads_them():
    """A number that means missing (9.0 among words) was given as the word 9: a right export was refused."""
    program, row = PROGRAMS["guarded"], {"city": 9.0, "code": 8.0, "age": 1.0, "pay": None}
    form = decision_form(program)
    fields = list(pmml_fields(form))
    given = dict(zip(fields, on_pmml._values(form, fields, word_fields(form), row), strict=True))
    read = read_row(program, row)
    assert given["city"] is read["city"] is None
    assert {name: given[name] for name in row} == {name: read[name] for name in row}


SLOW = {
    "pmml": ("mixed", "guarded", "hostile", "names of answers", "names taken"),
    "sql:spark": ("graded",),
}
"""Engines that take long to start, and the programs that they are asked about."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_engine_decides_as_the_program_does(name, target):
    program = PROGRAMS[name]
    if name not in SLOW.get(target, PROGRAMS):
        pytest.skip(f"{target} takes long to start")
    try:
        text = export_program(program, target)
    except DataError as refused:
        pytest.skip(f"refused: {refused}")
    assert verify(program, target, text, n_rows=400).n_rows


@pytest.mark.parametrize("file", ["adult.short", "breast_cancer.points", "loans.background", "ecoli.default"])
def test_learned_programs_are_decided_alike(file, target):
    if target in SLOW:
        pytest.skip(f"{target} takes long to start")
    program = load(GOLDEN / "unless" / f"{file}.lp")
    assert verify(program, target, export_program(program, target), n_rows=150).n_rows


@pytest.mark.parametrize("target", [*QUICK, "python", "javascript", "prolog", "clingo"])
@given(program=programs(AWKWARD) | programs(TRICKY))
@settings(max_examples=10, deadline=None)
def test_random_programs_are_decided_alike(target, program):
    engine_of(target)
    try:
        text = export_program(program, target)
    except DataError:
        return  # a name that the engine cannot have
    verify(program, target, text, n_rows=50)


@pytest.mark.parametrize("target", ["python", "javascript"])
def test_formats_are_read_alike(target):
    engine_of(target)
    program = formatted()
    assert verify(program, target, export_program(program, target), n_rows=4000).n_rows == 4000


@pytest.mark.parametrize("target", ["sql:duckdb", "sql:postgres", "python", "javascript"])
def test_offices_are_read_alike(target):
    engine_of(target)
    assert verify(office(), target, export_program(office(), target), n_rows=4000).n_rows


@pytest.mark.parametrize("target", QUICK)
def test_a_table_in_a_schema_is_replayed(target):
    """The command that the page of exports shows for PostgreSQL, `--table public.loans`, was refused by its replay."""
    engine_of(target)
    options = ExportOptions(table="public.loans", shape="view")
    text = export_program(PROGRAMS["mixed"], target, table="public.loans", form="view")
    assert verify(PROGRAMS["mixed"], target, text, options, n_rows=20).n_rows


@pytest.mark.parametrize("to", [name for name in TARGETS if name.startswith("sql:")])
def test_sql_refuses_what_it_cannot_read(to):
    with pytest.raises(DataError, match=r"is made from a date|is written as"):
        export_program(formatted(), to)


@pytest.mark.parametrize("to", ["sql:bigquery", "sql:snowflake"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_syntax_of_absent_engines(name, to):
    pytest.importorskip("sqlglot")
    said = verify(PROGRAMS[name], to, export_program(PROGRAMS[name], to))
    assert said.n_rows == 0
    assert "syntax alone" in said.engine


@pytest.mark.parametrize("to", [name for name in TARGETS if name not in ("json", "dmn", "xlsx")])
def test_what_related_tables_say_is_refused(to):
    """A module took a row without that column for one of which nothing is said."""
    text = "%@ target east: true else false\n%@ categorical name\n%@ relations has_car, long\n"
    program = parse(text + "east(X) :- some_long(X).\nsome_long(X) :- has_car(X,Car), long(Car).")
    with pytest.raises(DataError, match=r"asks whether has_car\(X,Car\), long\(Car\), which related tables"):
        export_program(program, to)


def test_what_cannot_be_exact_is_refused():
    with pytest.raises(DataError, match=r"thresholds at risk: income 0\.30000000000000004\."):
        export_program(PROGRAMS["mixed"], "xlsx")
    with pytest.raises(DataError, match="do not agree on FEEL"):
        export_program(PROGRAMS["mixed"], "dmn")


def test_columns_of_dates_are_read_in_duckdb():
    duckdb = pytest.importorskip("duckdb")
    text = "%@ target t: 'late' else 'early'\n%@ numerical day, at\n%@ read day: 'dd.mm.yyyy'\n"
    text += "%@ read at: 'yyyy-mm-dd hh:mm'\n"
    program = parse(text + "t(X,'late') :- day(X,N), N > 19689, not ab1(X).\nab1(X) :- at(X,N), N =< 1701170000.5.")
    moments = [dt.datetime(2023, 11, 28, 11, 13, 20) + dt.timedelta(hours=h, microseconds=h) for h in range(-30, 30)]
    rows = [{"day": None if n % 7 == 0 else m.date(), "at": None if n % 5 == 0 else m} for n, m in enumerate(moments)]
    connection = duckdb.connect(":memory:")
    connection.execute('CREATE TABLE data (day DATE, "at" TIMESTAMP)')
    connection.executemany("INSERT INTO data VALUES (?, ?)", [list(row.values()) for row in rows])
    found = [row[2] for row in connection.execute(program.to_sql("duckdb")).fetchall()]
    assert found == [decide(program, read_row(program, row)) for row in rows]
    assert set(found) == {"late", "early"}


MOMENTS = [dt.datetime(2023, 11, 28, 11, 13, 20, tzinfo=dt.UTC) + dt.timedelta(hours=h) for h in range(-30, 30)]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
@pytest.mark.parametrize("to", ["sql:duckdb", "sql:postgres"])
def test_moments_with_a_zone_are_read(to, zone):
    """Both engines write +00 for +00:00, which was read as a word."""
    engine = engine_of(to)
    text = "%@ target t: 'late' else 'early'\n%@ numerical seen\n%@ read seen: 'yyyy-mm-dd hh:mm'\n"
    program = parse(text + "t(X,'late') :- seen(X,N), N > 1701170000.5.")
    cells = ", ".join(f"({n}, '{moment}')" for n, moment in enumerate(MOMENTS))
    select = (
        f"SELECT predicted FROM ({program.to_sql(to[4:], table='moments').strip(';' + chr(10))}) AS found ORDER BY n"
    )
    made = f"SET TimeZone = '{zone}';\nCREATE TABLE moments (n INT, seen TIMESTAMPTZ);\n"
    made += f"INSERT INTO moments VALUES {cells};"
    if to == "sql:duckdb":
        connection = engine._duckdb().connect(":memory:")
        connection.execute(made)
        found = [label for (label,) in connection.execute(select).fetchall()]
    else:
        found = engine.cluster().ask(f"{made}\nCOPY ({select}) TO STDOUT;\nDROP TABLE moments;").split()
    assert found == [decide(program, read_row(program, {"seen": moment})) for moment in MOMENTS]
    assert set(found) == {"late", "early"}


@pytest.mark.parametrize("shape", ["view", "expression"])
@pytest.mark.parametrize("to", QUICK)
def test_views_and_expressions_are_replayed(to, shape):
    engine_of(to)
    options = ExportOptions("t", shape)
    program = PROGRAMS["graded, two labels"]
    text = export_program(program, to, table="t", form=shape)
    assert verify(program, to, text, options, n_rows=150).n_rows


def test_prolog_denies_a_label_that_is_asked_for_and_not_decided(tmp_path):
    """`predict(Row, Label)` was true of the default, and of later labels, whatever an earlier rule decided."""
    engine = engine_of("prolog")
    head = "%@ target t: 'a', 'b' else 'c'\n%@ numerical n\n"
    program = parse(f"{head}t(X,'a') :- n(X,N), N > 1.\nt(X,'b') :- n(X,N), N > 0.\n")
    program = replace(program, grade=Grade("", tuple(Card(label, (), 0.5, 0.5) for label in "abc")))
    (tmp_path / "decisions.pl").write_text(program.export("prolog"), encoding="utf-8")
    asked = "forall((member(N, [2, 1, 0]), member(L, [a, b, c]), predict([n-N], L)), (writeq(N-L), nl))"
    graded = "forall((member(L, [a, b, c]), decide([n-2], L, _, _)), (writeq(L), nl))"
    command = [engine.swipl(), "-g", f"use_module(decisions), {asked}, {graded}, halt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["2-a", "1-b", "0-c", "a"]


@pytest.mark.parametrize("text", ["**//;throw 'run';/*", "*/ throw 'run'; /*", "\u2028throw 'run'"])
def test_names_stay_in_the_comment_of_a_javascript_module(text):
    """What was taken out of a target's name left the end of a comment: the rest of the name was run."""
    engine_of("javascript")
    name = f"{text} of"
    clause = Clause(None, text, (Literal(name, ">", 1.0),))
    program = Program(Target(text, (text,), "no"), (Column(name, "numerical"),), (clause,))
    assert verify(program, "javascript", export_program(program, "javascript"), n_rows=20).n_rows == 20


def _deep(n_exceptions):
    """Return a program whose exceptions stand above one another."""
    text = "%@ target t: 'yes' else 'no'\n%@ numerical a\n%@ categorical c\nt(X,'yes') :- a(X,N), N > 0, not ab1(X).\n"
    text += "".join(f"ab{i}(X) :- a(X,N), N > {i}, not ab{i + 1}(X).\n" for i in range(1, n_exceptions))
    return parse(f"{text}ab{n_exceptions}(X) :- c(X,'w').")


def _broad(n_words):
    """Return a program that asks for one of many words."""
    words = "".join(f"s(X) :- c(X,'w{i}').\n" for i in range(n_words))
    return parse(f"%@ target t: 'yes' else 'no'\n%@ categorical c\nt(X,'yes') :- s(X).\n{words}")


@pytest.mark.parametrize("shape", ["select", "expression"])
@pytest.mark.parametrize("program", [_deep(40), _broad(1500)], ids=["deep", "broad"])
@pytest.mark.parametrize("to", ["sql:sqlite", "sql:postgres", "pmml"])
def test_large_programs_are_replayed(to, program, shape):
    """SQLite took some ten exceptions above one another and 1,000 words, PostgreSQL 1,664 mentions of a column."""
    engine_of(to)
    if to == "pmml" and shape != "select":
        pytest.skip("PMML has one form")
    text = export_program(program, to, form=shape)
    assert verify(program, to, text, ExportOptions(shape=shape), n_rows=60).n_rows


@pytest.mark.parametrize("to", ["sql:sqlite", "sql:postgres"])
def test_programs_of_more_parts_than_columns_are_refused(to):
    rules = "".join(f"t(X,'yes') :- not ab{i}(X).\nab{i}(X) :- a(X,N), N > {i}.\n" for i in range(2001))
    program = parse(f"%@ target t: 'yes' else 'no'\n%@ numerical a\n{rules}")
    with pytest.raises(DataError, match="parts, columns of one query"):
        export_program(program, to)


@pytest.mark.parametrize("to", ["sql:bigquery", "sql:snowflake"])
def test_syntax_that_is_too_deep_for_sqlglot_is_not_checked(to):
    """It ended in Python's own words about recursion, on a screen of files."""
    pytest.importorskip("sqlglot")
    program = _deep(300)
    with pytest.raises(EngineError, match="nested deeper than sqlglot reads"):
        verify(program, to, export_program(program, to))


def test_expression_that_differs_is_noticed():
    text = export_program(PROGRAMS["whole labels"], "sql:sqlite", form="expression").replace("> 3", ">= 3")
    with pytest.raises(EngineError, match="nothing is written"):
        verify(PROGRAMS["whole labels"], "sql:sqlite", text, ExportOptions(shape="expression"), n_rows=150)


TYPES = {
    "INTEGER": [1, -5, 40, 41, None],
    "BIGINT": [40, 2**53 + 1, 41, None, 0],
    "DECIMAL(12,3)": ["40.500", "40.501", None],
}


@pytest.mark.parametrize("kind", TYPES)
def test_columns_of_any_type_are_read_in_duckdb(kind):
    duckdb = pytest.importorskip("duckdb")
    text = "%@ target t: 'a', 'b' else 'c'\n%@ categorical code, yes\n%@ numerical n\n"
    program = parse(
        text + "t(X,'a') :- n(X,N), N > 40.5, not code(X,'41').\nt(X,'b') :- yes(X,'True'), not n_is(X,'40')."
    )
    cells = TYPES[kind]
    rows = [{"n": n, "code": code, "yes": yes} for n in cells for code in cells for yes in (True, False, None)]
    connection = duckdb.connect(":memory:")
    connection.execute(f"CREATE TABLE data (n {kind}, code {kind}, yes BOOLEAN)")
    connection.executemany("INSERT INTO data VALUES (?, ?, ?)", [list(row.values()) for row in rows])
    read = [{**row, "n": _typed(row["n"]), "code": _typed(row["code"])} for row in rows]
    found = [row[3] for row in connection.execute(program.to_sql("duckdb")).fetchall()]
    assert found == [decide(program, read_row(program, row)) for row in read]
    assert len(set(found)) == 3


@pytest.mark.parametrize("kind", ["VARCHAR COLLATE NOCASE", "ENUM ('Rome', 'ROME', ' Rome', 'Rome\u2003')"])
def test_words_are_equal_as_unless_says_in_duckdb(kind):
    """Columns that compare without capitals took ROME for Rome, and words of a list kept their blanks."""
    duckdb = pytest.importorskip("duckdb")
    program = parse("%@ target t: 'a' else 'b'\n%@ categorical city\nt(X,'a') :- city(X,'Rome').")
    connection = duckdb.connect(":memory:")
    connection.execute(f"CREATE TABLE data (city {kind})")
    connection.executemany("INSERT INTO data VALUES (?)", [["Rome"], ["ROME"], [" Rome"], ["Rome\u2003"], [None]])
    label = export_program(program, "sql:duckdb", form="expression")
    for text in (program.to_sql("duckdb"), f"SELECT city, {label} FROM data"):
        assert [row[1] for row in connection.execute(text).fetchall()] == ["a", "b", "a", "a", "b"]


def test_words_are_equal_as_unless_says_in_sqlite():
    program = parse("%@ target t: 'a' else 'b'\n%@ categorical city\nt(X,'a') :- city(X,'Rome').")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE data (city TEXT COLLATE NOCASE)")
        connection.executemany("INSERT INTO data VALUES (?)", [["Rome"], ["ROME"], [" Rome"], [None]])
        label = export_program(program, "sql:sqlite", form="expression")
        for text in (program.to_sql("sqlite"), f"SELECT city, {label} FROM data"):
            assert [row[1] for row in connection.execute(text).fetchall()] == ["a", "b", "a", "b"]


def test_words_are_equal_as_unless_says_in_postgres():
    """A column whose collation takes ROME for Rome."""
    server = engine_of("sql:postgres").cluster()
    program = parse("%@ target t: 'a' else 'b'\n%@ categorical city\n%@ numerical n\nt(X,'a') :- city(X,'Rome').\n")
    select = program.to_sql("postgres", table="cities").strip().removesuffix(";")
    said = server.ask(
        "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);\n"
        'CREATE TABLE cities ("city" text COLLATE any_case);\n'
        "INSERT INTO cities VALUES ('Rome'), ('ROME'), (' Rome'), (NULL);\n"
        f"COPY (SELECT predicted FROM ({select}) AS found) TO STDOUT;"
    )
    assert said.split() == ["a", "b", "a", "b"]


def _typed(cell):
    return Decimal(cell) if isinstance(cell, str) else cell
