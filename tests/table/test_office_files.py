"""Files as offices make them: titles, twins, old encodings, spreadsheets, databases; and what is said about each."""

from __future__ import annotations

import builtins
import sqlite3
from contextlib import closing

import polars as pl
import pytest

from unless.errors import DataError
from unless.table.columns import cells
from unless.table.formats import read_file
from unless.table.pieces import open_files
from unless.table.plain_rows import plain_rows


def rows(path):
    table, is_text = read_file(str(path))
    read = [cells(table.columns[name], "categorical") for name in table.names]
    found = table.names, [tuple(column.value(row) for column in read) for row in range(table.n_rows)], is_text
    files = open_files([str(path)])
    assert (files.names, files.is_text) == (table.names, is_text)
    assert sum(piece.read().n_rows for piece in files.pieces) == table.n_rows
    return found


def put(tmp_path, data, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def said(caplog):
    return " ".join(dict.fromkeys(record.getMessage() for record in caplog.records))


SAID = {
    "Windows-1252": ("a,b\nx,Zürich €\n".encode("cp1252"), [("x", "Zürich €")], "it is read as Windows-1252"),
    "Latin-1": (b"a,b\nx,\x81\xfc\n", [("x", "\x81ü")], "not in UTF-8: it is read as Latin-1"),
    "late": (b"a,b\n" + b"x,y\n" * 2 + b"x,\xfc\n", [("x", "y"), ("x", "y"), ("x", "ü")], "it is read as Windows-1252"),
    "UTF-16": ("a,b\nx,ü\n".encode("utf-16"), [("x", "ü")], "it is read as UTF-16"),
    "titles": ("Kunden\n\na,b\nx,y\nz,w\n", [("x", "y"), ("z", "w")], "the header is taken to be line 3"),
    "numbers": ("1,2\n3,4\n", [("3", "4")], "write '"),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_what_is_read_otherwise_is_said(tmp_path, caplog, case):
    data, expected, message = SAID[case]
    assert rows(put(tmp_path, data))[1] == expected
    assert message in said(caplog)
    assert "t.csv" in said(caplog)


def test_what_is_plain_is_not_spoken_of(tmp_path, caplog):
    assert rows(put(tmp_path, "a;b\n1,5;2,5\n3,5;4,5\n"))[1] == [("1,5", "2,5"), ("3,5", "4,5")]
    assert not said(caplog)


@pytest.mark.parametrize(
    ("word", "page", "strange"),
    [
        ("Stały klient", "cp1250", "'Sta³y'"),
        ("Москва", "cp1251", "'Ìîñêâà'"),
        ("Αθήνα", "cp1253", "'ÁèÞíá'"),
        ("Prüfstände 5 m³", "cp1252", ""),
        ("Île-de-France œuvre créée", "cp1252", ""),
    ],
)
def test_words_of_another_code_page_are_said(word, page, strange, tmp_path, caplog):
    """Polish, Russian and Greek files were read as Windows-1252, with other letters, and that was not to be seen."""
    read_file(str(put(tmp_path, f"a;b\n{word};1\nx;2\n".encode(page))))
    assert "it is read as Windows-1252" in said(caplog)
    assert (f"some words look strange, such as {strange}. If" in said(caplog)) == bool(strange)
    assert strange or "it is read as Windows-1252." in said(caplog)


def test_columns_called_alike_are_numbered(tmp_path, caplog):
    names, _, _ = rows(put(tmp_path, "a,b,a,,a_2,a\n1,2,3,4,5,6\n"))
    assert names == ("a", "b", "a_3", "column_4", "a_2", "a_4")
    assert "several columns are called 'a'; the later ones are called 'a_3', 'a_4'" in said(caplog)
    assert "a column has no name, and is called 'column_4'" in said(caplog)


def test_a_name_of_blanks_is_no_name(tmp_path, caplog):
    """Rules said "if   above 5"."""
    assert rows(put(tmp_path, " ,b,\u00a0,\ufeff\t\n1,2,3,4\n"))[0] == ("column_1", "b", "column_3", "column_4")
    assert "3 columns have no name, and are called 'column_1', 'column_3', 'column_4'." in said(caplog)


def test_a_table_without_header(tmp_path, caplog):
    path = put(tmp_path, "1,x\n2,y\n")
    assert rows(f"{path}#noheader") == (("column_1", "column_2"), [("1", "x"), ("2", "y")], True)
    with pytest.raises(DataError, match="after '#' there may be 'noheader', not 'sheet'"):
        read_file(f"{path}#sheet")
    assert rows(put(tmp_path, "a\n1\n", "a#b.csv"))[1] == [("1",)]  # a file may have such a name
    assert not said(caplog)


def test_a_row_is_no_header(tmp_path):
    """A header that lacks a column must not be taken for a title."""
    with pytest.raises(DataError, match="line 2: 2 cells, where the header has 1"):
        read_file(str(put(tmp_path, "a\n1,2\n3,4\n")))


def test_a_wide_header(tmp_path):
    """A header of 15,000 columns took minutes."""
    names = [f"c{i}" for i in range(15_000)]
    found, _, _ = rows(put(tmp_path, ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n"))
    assert list(found) == names


def test_nested_columns_are_refused_by_name(tmp_path):
    pl.DataFrame({"a": [1], "tags": [["x", "y"]]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"column 'tags' is nested \(List\(String\)\)"):
        list(read_file(str(tmp_path / "t.parquet"))[0].columns.values())


# Spreadsheets.

SHEETS = {
    "Old": [["a", "b"], ["1", "2"]],
    "New": [["Loans of 2023", None], ["amount", "paid on"], [0.1, "x"], [None, None], [2, "y"]],
}


@pytest.fixture
def workbook(tmp_path):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        for name, lines in SHEETS.items():
            sheet = book.add_worksheet(name)
            for i, line in enumerate(lines):
                sheet.write_row(i, 0, line)
    return tmp_path / "t.xlsx"


def test_sheets_by_name(workbook, caplog):
    assert rows(f"{workbook}#New") == (("amount", "paid on"), [("0.1", "x"), ("2", "y")], True)
    assert rows(workbook)[1] == [("1", "2")]
    assert "has the sheets 'Old', 'New': the first is read" in said(caplog)
    with pytest.raises(DataError, match="there is no sheet 'Newer'; sheets: 'Old', 'New'"):
        read_file(f"{workbook}#Newer")


def test_a_cover_sheet_is_passed_over_and_rows_are_counted_as_the_sheet_counts_them(tmp_path, caplog):
    """The cover was read as a table of no rows, and the header was said to be one line above where it is."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Cover").write(0, 0, "See the next sheet")
        sheet = book.add_worksheet("Data")
        sheet.write(1, 0, "List of loans")
        for row, cells in enumerate([["name", "amount"], ["a", 1], [], ["b", 2]], 3):
            sheet.write_row(row, 0, cells)
    table, _ = read_file(str(path))
    assert table.names == ("name", "amount")
    assert table.n_rows == 2
    assert "'Data' is read, the first that holds a table. Name another after the path: " in said(caplog)
    assert "the header is taken to be line 4, and what stands above is passed over" in said(caplog)


def test_titles_are_passed_over_where_each_line_ends_in_a_separator(tmp_path, caplog):
    """The title was taken as the header, and seven columns had no name, as the last of the real header has none."""
    lines = ["Export;;;", "As of 31.12.2024;;;", ";;;", "no;town;amount;", "1;x;5;", "2;y;6;", "3;z;7;"]
    table, _ = read_file(str(put(tmp_path, "\n".join(lines) + "\n")))
    assert (table.names, table.n_rows) == (("no", "town", "amount", "column_4"), 3)
    assert "the header is taken to be line 4, and what stands above is passed over" in said(caplog)


@pytest.mark.parametrize(
    ("last", "is_total"),
    [("Summe;;11;", True), ("Total;;;", True), ("Totalisator;;11;", False), ("Total;x;11;y", False), (";;Sum;", True)],
)
def test_a_total_below_the_rows_of_a_text_is_passed_over(last, is_total, tmp_path, caplog):
    """Only those of spreadsheets were: in a text one total was a row without a label, or the largest amount of all."""
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["name;town;amount;ok", "a;x;1;y", "b;x;10;n", last]) + "\n", encoding="utf-8")
    table, _ = read_file(str(path))
    assert table.n_rows == (2 if is_total else 3)
    assert ("is a total and is passed over" in said(caplog)) == is_total


@pytest.mark.parametrize(
    ("lines", "is_row"),
    [
        (["V-10,10/25/2020,70", "V-11,11/26/2020,30", "V-12,01/02/2021,40"], True),
        (["1.5,2.25", "2.5,3.75", "1.0,8.5"], True),
        (["region,2019,2020", "north,10,20", "south,30,40"], False),
        (["name,q1,q2", "a,1,2", "b,3,4"], False),
        (["id,start", "V-11,11/26/2020", "V-12,01/02/2021"], False),
    ],
)
def test_a_first_line_that_looks_like_a_row_is_said(lines, is_row, tmp_path, caplog):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    read_file(str(path))
    assert ("the first line looks like a row" in said(caplog)) == is_row
    assert not is_row or f"write '{path}#noheader'" in said(caplog)


def test_dates_of_sheets_have_no_midnight(tmp_path):
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    import datetime as dt

    with xlsxwriter.Workbook(tmp_path / "t.xlsx", {"default_date_format": "yyyy-mm-dd"}) as book:
        book.add_worksheet("S").write_column(
            0, 0, ["start", dt.datetime(2023, 11, 28), dt.datetime(2023, 11, 29, 8, 30)]
        )
    assert rows(tmp_path / "t.xlsx")[1] == [("2023-11-28",), ("2023-11-29 08:30:00",)]


def test_times_of_sheets_have_no_day(tmp_path):
    """Rules said "after 1899-12-31 07:30:00" of a column of times; a time among dates keeps its day."""
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    import datetime as dt

    with xlsxwriter.Workbook(tmp_path / "t.xlsx", {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        clock = book.add_format({"num_format": "hh:mm"})
        sheet = book.add_worksheet("S")
        sheet.write_column(0, 0, ["begin", dt.time(7, 30), dt.time(0, 0)], clock)
        sheet.write_column(0, 1, ["seen", dt.datetime(1899, 12, 31, 8, 30), dt.datetime(2023, 11, 29, 8, 30)])
    found = rows(tmp_path / "t.xlsx")[1]
    assert found == [("07:30:00", "1899-12-31 08:30:00"), ("00:00:00", "2023-11-29 08:30:00")]


@pytest.mark.parametrize("from_1904", [False, True])
def test_durations_of_sheets_are_hours(from_1904, tmp_path):
    """Hours worked (`[h]:mm`) were dates: 29 hours were 1900-01-01 05:00; times of a sheet from 1904 kept their day."""
    pytest.importorskip("fastexcel")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    import datetime as dt

    with xlsxwriter.Workbook(tmp_path / "t.xlsx", {"date_1904": from_1904}) as book:
        worked, clock, day = (book.add_format({"num_format": form}) for form in ("[h]:mm", "hh:mm", "yyyy-mm-dd"))
        sheet = book.add_worksheet("S")
        for column, cells_, form in (
            (0, ["worked", *(dt.timedelta(hours=n, minutes=15) for n in (0, 29, 1430, 9000))], worked),
            (1, ["begin", *(dt.time(7, n) for n in range(4))], clock),
            (2, ["since", dt.date(2024, 1, 2), dt.date(1904, 3, 1), dt.date(2024, 1, 4), None], day),
            (3, ["born", *(dt.date(1904, 3, n) for n in range(1, 5))], day),
        ):
            sheet.write_column(0, column, cells_, form)
    found = rows(tmp_path / "t.xlsx")[1]
    assert [row[0] for row in found] == ["00:15:00", "29:15:00", "1430:15:00", "9000:15:00"]
    assert [row[1] for row in found] == [f"07:0{n}:00" for n in range(4)]
    assert [row[2] for row in found] == ["2024-01-02", "1904-03-01", "2024-01-04", None]
    assert [row[3] for row in found] == [f"1904-03-0{n}" for n in range(1, 5)]


def test_a_row_of_totals_is_passed_over(tmp_path, caplog):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate(
            [["name", "town", "sum", "ok"], ["Total", "Ulm", "5", "yes"], ["b", "Ulm", "6", "no"]]
        ):
            sheet.write_row(row, 0, cells)
        sheet.write_row(3, 0, ["Summe", None, "11"])
    assert rows(tmp_path / "t.xlsx")[1] == [("Total", "Ulm", "5", "yes"), ("b", "Ulm", "6", "no")]
    assert "the last row, 'Summe', is a total and is passed over" in said(caplog)


def test_dates_of_sqlite_are_dates(tmp_path):
    with closing(sqlite3.connect(tmp_path / "t.db")) as base:
        base.execute("CREATE TABLE t (day TEXT, moment TEXT, word TEXT, wrong TEXT)")
        base.execute("INSERT INTO t VALUES ('2023-11-28', '2023-11-28 08:30:00', '2023-11-28', '2023-11-31')")
        base.execute("INSERT INTO t VALUES (NULL, NULL, 'later', NULL)")
        base.commit()
    table, _ = read_file(f"sqlite:///{tmp_path / 't.db'}?table=t")
    assert [table.column(name).reading for name in table.names] == ["yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "", ""]


def test_ods(tmp_path):
    pytest.importorskip("fastexcel")
    pytest.importorskip("odf")
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    book = OpenDocumentSpreadsheet()
    sheet = Table(name="S")
    for line in (("a", "b"), ("x", "y")):
        row = TableRow()
        for text in line:
            cell = TableCell(valuetype="string")
            cell.addElement(P(text=text))
            row.addElement(cell)
        sheet.addElement(row)
    book.spreadsheet.addElement(sheet)
    book.save(str(tmp_path / "t.ods"))
    assert rows(tmp_path / "t.ods")[:2] == (("a", "b"), [("x", "y")])


def test_times_of_ods(tmp_path, caplog):
    """Every cell with a time was blank, and nothing was said."""
    pytest.importorskip("fastexcel")
    pytest.importorskip("odf")
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow

    def save(name, times):
        book, sheet = OpenDocumentSpreadsheet(), Table(name="S")
        for i, time in enumerate((None, *times)):
            row = TableRow()
            row.addElement(TableCell(valuetype="float", value=i))
            row.addElement(TableCell(valuetype="time", timevalue=time) if time else TableCell())
            sheet.addElement(row)
        book.spreadsheet.addElement(sheet)
        book.save(str(tmp_path / name))
        return [row[1] for row in rows(tmp_path / name)[1]]

    assert save("t.ods", ["PT07H30M00S", "PT00H00M05S"]) == ["07:30:00", "00:00:05"]
    assert "24 hours" not in said(caplog)
    assert save("long.ods", ["PT07H30M00S", "PT29H15M00S"]) == ["07:30:00", None]
    assert "long.ods has durations of 24 hours and more, which cannot be read from this format" in said(caplog)


@pytest.mark.parametrize(("package", "extra"), [("fastexcel", "excel"), ("connectorx", "sql")])
def test_what_to_install(tmp_path, monkeypatch, package, extra):
    real = builtins.__import__

    def without(name, *rest, **more):
        if name == package:
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    path = put(tmp_path, b"PK\x03\x04", "t.xlsx") if extra == "excel" else "postgresql://me:secret@host/db?table=t"
    with pytest.raises(DataError, match=rf"pip install 'unless\[{extra}\]'") as caught:
        read_file(str(path))
    assert "secret" not in str(caught.value)


# Databases.


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "t.db"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "my loans" (n INTEGER, x REAL, w TEXT, mixed)')
        lines = [(1, 0.1, "a", 1), (None, 2.5, None, "?"), (3, None, "08", 2.5)]
        connection.executemany('INSERT INTO "my loans" VALUES (?, ?, ?, ?)', lines)
    connection.close()
    return path


def test_a_table_of_sqlite(database):
    expected = [("1", "0.1", "a", "1"), (None, "2.5", None, "?"), ("3", None, "08", "2.5")]
    assert rows(f"sqlite:///{database}?table=my loans") == (("n", "x", "w", "mixed"), expected, False)
    assert rows(f'sqlite:///{database}?query=select n+1 as m from "my loans" where x=2.5 or n=3')[1] == [
        (None,),
        ("4",),
    ]


REFUSED = {
    "no question": ("sqlite:///{}", "must say what to read"),
    "two questions": ("sqlite:///{}?table=t&query=select 1", "must say what to read"),
    "absent table": ("sqlite:///{}?table=loans", "no such table: loans. Tables: 'my loans'."),
    "absent file": ("sqlite:///{}x?table=loans", "there is no file"),
    "bad query": ("sqlite:///{}?query=selec 1", "syntax error"),
    "twins": ("sqlite:///{}?query=select 1 as a, 2 as a", "two columns called 'a'"),
    "blob": ("sqlite:///{}?query=select x'00' as a", "column 'a' holds bytes"),
    "writing": ('sqlite:///{}?query=delete from "my loans"', "cannot read sqlite:///"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_questions_to_databases(database, case):
    address, message = REFUSED[case]
    with pytest.raises(DataError) as caught:
        read_file(address.format(database))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_databases_are_asked_by_connectorx(monkeypatch):
    pytest.importorskip("connectorx")
    asked = []
    monkeypatch.setattr(pl, "read_database_uri", lambda *q: asked.append(q) or pl.DataFrame({"a": [1]}))
    table, _ = read_file("mysql://me:secret@host/db?ssl=1&table=a.b")
    assert table.names == ("a",)
    assert asked == [("SELECT * FROM `a`.`b`", "mysql://me:secret@host/db?ssl=1")]

    def fail(*_):
        message = "no route to mysql://me:secret@host/db"
        raise RuntimeError(message)

    monkeypatch.setattr(pl, "read_database_uri", fail)
    with pytest.raises(DataError) as caught:
        read_file("mysql://me:secret@host/db?table=a")
    assert "secret" not in str(caught.value)


STRAY_QUOTES = [
    ('a;b;c\n1;12"x;y\n2;TV 55" black;z\n', [("1", '12"x', "y"), ("2", 'TV 55" black', "z")]),
    ('a;b;c\n"1";x;"p;q"\n2;5";z\n', [("1", "x", "p;q"), ("2", '5"', "z")]),
    ('a;b;c\n1;"red" one;"l"\n2;x;"l\nm"\n', [("1", "red one", "l"), ("2", "x", "l\nm")]),
]


@pytest.mark.parametrize(("text", "expected"), STRAY_QUOTES)
def test_a_quote_inside_a_cell_is_a_part_of_it(text, expected, tmp_path, caplog):
    """From one such quote to the next all was one cell, with separators and lines, or the text was "malformed"."""
    path = put(tmp_path, text)
    table, _ = read_file(str(path))
    assert [tuple(table.columns[name].text[i] for name in "abc") for i in range(table.n_rows)] == expected
    assert [tuple(row.values()) for row in plain_rows(str(path))] == expected
    assert "quotes stand inside cells that begin without one" in said(caplog)


@pytest.mark.parametrize("lines", ['3;"nice\n4;x\n', '3;"nice\n4;x\n5;"good\n6;y\n'])
def test_a_quote_that_nothing_closes_swallows_no_rows(lines, tmp_path):
    """All lines below, or those up to the next quote, became one cell of the last column."""
    path = put(tmp_path, "a;b\n1;x\n2;y\n" + lines)
    for read in (read_file, lambda path: list(plain_rows(path))):
        with pytest.raises(DataError, match=r"t\.csv, line 4: a cell begins with a quote that is not closed"):
            read(str(path))


def test_cells_of_several_lines_do_not_hide_the_separator(tmp_path, caplog):
    """Each line was counted for itself, so the decimal commas of `1,5` won over semicolons."""
    line = '{};"fair;\nwell, if late";2,5;"p;q"\n'
    names, _, _ = rows(put(tmp_path, "id;remark;mark;clubs\n" + "".join(line.format(i) for i in range(40))))
    assert names == ("id", "remark", "mark", "clubs")
    assert not said(caplog)
