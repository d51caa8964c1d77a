"""Files in and out."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import threading

import polars as pl
import pytest

from unless import load, save
from unless.datasets import planted_theory
from unless.errors import DataError, UnlessError
from unless.logic.text.files import write_text
from unless.table.columns import cells
from unless.table.formats import read_file
from unless.table.pieces import open_files

CSV = b'name,age,town\nana,08,"a, b"\nbob,,c\n'


def rows(place):
    table, is_text = read_file(str(place))
    read = [cells(table.columns[name], "categorical") for name in table.names]
    return table.names, [tuple(column.value(row) for column in read) for row in range(table.n_rows)], is_text


def rows_of_pieces(place):
    files = open_files([place])
    tables = [piece.read() for piece in files.pieces]
    read = [[cells(table.columns[name], "categorical") for name in files.names] for table in tables]
    found = [[tuple(c.value(row) for c in columns) for row in range(columns[0].n_rows)] for columns in read]
    return files.names, [row for some in found for row in some], files.is_text


def put(tmp_path, data, name="t.csv"):
    place = tmp_path / name
    place.write_bytes(data)
    return place


EXPECTED = (("name", "age", "town"), [("ana", "08", "a, b"), ("bob", None, "c")], True)


TEXTS = {
    "comma": CSV,
    "gzip": gzip.compress(CSV),
    "tab": b"name\tage\ttown\nana\t08\ta, b\nbob\t\tc\n",
    "semicolon": b"name;age;town\nana;08;a, b\nbob;;c\n",
    "byte order mark": b"\xef\xbb\xbf" + CSV,
    "carriage returns": CSV.replace(b"\n", b"\r\n"),
    "no last line end": CSV.rstrip(b"\n"),
    "pipe": b"name|age|town\nana|08|a, b\nbob||c\n",
    "only carriage returns": CSV.replace(b"\n", b"\r"),
    "UTF-16": CSV.decode().encode("utf-16"),
    "UTF-16 without mark": CSV.decode().encode("utf-16-le"),
    "UTF-16, high byte first, carriage returns": CSV.replace(b"\n", b"\r").decode().encode("utf-16-be"),
    "blank lines above": b"\n\n" + CSV,
    "titles above": b"Customers of the branch\nas of January\n\n" + CSV,
    "padded title": b"Customers,,\n" + CSV,
    "all quoted": b'"name","age","town"\n"ana","08","a, b"\n"bob","","c"\n',
}


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "no_suffix"])
@pytest.mark.parametrize("case", TEXTS)
def test_text_tables(tmp_path, case, name):
    """What a file is goes by its content, not by its name."""
    place = put(tmp_path, TEXTS[case], name)
    assert rows(place) == EXPECTED
    assert rows_of_pieces(place) == EXPECTED


def test_binary_tables(tmp_path):
    frame = pl.DataFrame({"n": [1.5, None], "w": ["08", None]})
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ipc(tmp_path / "t.arrow")
    for name in ("t.parquet", "t.arrow"):
        assert rows(tmp_path / name) == (("n", "w"), [("1.5", "08"), (None, None)], False)


def test_arrow_stream(tmp_path):
    frame = pl.DataFrame({"w": ["08", None]})
    frame.write_ipc_stream(tmp_path / "t.arrows")
    assert rows(tmp_path / "t.arrows") == (("w",), [("08",), (None,)], False)


def test_names_are_kept(tmp_path):
    place = put(tmp_path, 'a b,"c,d",É,"x ""y"""\n1,2,3,4\n'.encode())
    assert rows(place)[0] == ("a b", "c,d", "É", 'x "y"')


def test_missing_last_cells_are_not_ragged(tmp_path):
    assert rows(put(tmp_path, b"a,b\n1,\n2,\n"))[1] == [("1", None), ("2", None)]


def test_blank_lines_are_rows_without_values(tmp_path):
    """A blank line after the header, or where a piece begins, was refused."""
    for end in (b"\n", b"\r\n"):
        place = put(tmp_path, end.join([b"a,b", b"", b"1,2", b"", b"3,4", b""]))
        assert rows(place)[1] == [(None, None), ("1", "2"), (None, None), ("3", "4")]


def test_a_quote_inside_a_name_is_part_of_it(tmp_path):
    """The rows after such a header were lost."""
    assert rows(put(tmp_path, b'5" pipes,b\n1,2\n')) == (('5" pipes', "b"), [("1", "2")], True)


@pytest.mark.parametrize("name", ["t[1].parquet", "t*.arrow", "t?.arrows", "t[1].csv"])
def test_a_path_is_no_pattern(tmp_path, name):
    frame = pl.DataFrame({"w": ["08", None]})
    write = {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "arrows": frame.write_ipc_stream}
    write.get(name.partition(".")[2], frame.write_csv)(tmp_path / name)
    assert rows(tmp_path / name)[:2] == (("w",), [("08",), (None,)])


def test_what_is_packed_is_sniffed_again(tmp_path):
    """Gzipped Parquet and Arrow files were taken for text when they were read in pieces."""
    frame = pl.DataFrame({"n": [1.5, None], "w": ["08", None]})
    for write in (frame.write_parquet, frame.write_ipc, frame.write_ipc_stream):
        write(plain := io.BytesIO())
        place = put(tmp_path, gzip.compress(plain.getvalue()), "t.gz")
        assert rows(place) == (("n", "w"), [("1.5", "08"), (None, None)], False)
        assert rows_of_pieces(place) == rows(place)


@pytest.mark.parametrize("packed", [False, True])
def test_pipes_are_read(tmp_path, packed):
    place = tmp_path / "pipe"
    for read in (rows, rows_of_pieces):
        os.mkfifo(place)
        writer = threading.Thread(target=place.write_bytes, args=[gzip.compress(CSV) if packed else CSV])
        writer.start()
        assert read(place) == EXPECTED
        writer.join()
        place.unlink()


BAD = {
    "empty": (b"", "is empty; a table has a line of column names and at least one row"),
    "blank": (b"\n\n  \n", "is empty; a table has a line"),
    "huge name": (b'"' + b"a,b\n" * 40_000, "a column has over 131,072 characters; is a quote open"),
    "too long line": (b"a,b\n1,2\n1,2,3\n", "line 3: 3 cells, where the header has 2."),
    "too short line": (b"a,b\n1,2\n1\n", "line 3: 1 cell, where the header has 2."),
    "short first line": (b"a,b,c\n1,2\n1,2,3\n", "line 2: 2 cells, where the header has 3."),
    "too long quoted": (b'a,b\n"1,5",2\n1,2,"3,4"\n', "line 3: 3 cells, where the header has 2."),
    "too short quoted": (b'a,b\n"1,5",2\n"1,2"\n', "line 3: 1 cell, where the header has 2."),
    "ragged after a long cell": (b'a,b\n"1\n5",2\n1\n', "line 4: 1 cell, where the header has 2."),
    "too long by blanks": (b"a,b\n1,2,\n", "line 2: 3 cells, where the header has 2."),
    "broken UTF-8": ("a,b\nü,y\n".encode() * 3000 + b"x,\xfc\n", "line 6001: byte 0xfc is not UTF-8, as the rest"),
    "cut UTF-16": ("a,b\nx,y\n".encode("utf-16")[:-1], "begins like UTF-16, but byte"),
    "no spreadsheet": (b"PK\x03\x04xxxx", "as a spreadsheet"),
    "spreadsheet with a password": (
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(2000),
        "is a spreadsheet with a password",
    ),
    "broken gzip": (gzip.compress(CSV)[:-12], "cannot read"),
    "corrupt gzip": (gzip.compress(CSV * 100)[:20] + b"x" * 40, "cannot read"),
    "broken parquet": (b"PAR1" + b"x" * 100, "cannot read"),
    "broken arrow": (b"ARROW1" + b"x" * 100, "cannot read"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "it is no text, nor any other table that can be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused(tmp_path, case):
    data, message = BAD[case]
    place = put(tmp_path, data)
    for read in (rows, rows_of_pieces):
        with pytest.raises(DataError) as caught:
            read(place)
        assert message in str(caught.value)
        assert str(place) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_header_only_has_no_rows(tmp_path):
    assert rows(put(tmp_path, b"a,b\n")) == (("a", "b"), [], True)


@pytest.mark.parametrize("name", ["absent.csv", "."])
def test_absent_files_are_refused(tmp_path, name):
    with pytest.raises(DataError, match="cannot read"):
        read_file(str(tmp_path / name))


# Models.


def test_save_and_load(tmp_path):
    program = planted_theory()
    save(program, tmp_path / "m.lp")
    assert load(tmp_path / "m.lp") == program
    assert (tmp_path / "m.lp").read_text(encoding="utf-8") == str(program)


def test_save_is_whole_or_not_at_all(tmp_path, monkeypatch):
    place = tmp_path / "m.lp"
    save(planted_theory(), place)
    before = place.read_text()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DataError, match=r"cannot write .*: No space left on device"):
        write_text(place, "half")
    assert place.read_text() == before
    assert [file.name for file in tmp_path.iterdir()] == ["m.lp"]


def test_save_leaves_nothing_behind_when_interrupted(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "m.lp", "half")
    assert not list(tmp_path.iterdir())


def test_save_keeps_the_rights_of_a_file(tmp_path):
    place = tmp_path / "m.lp"
    write_text(place, "a")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(place.stat().st_mode) == 0o666 & ~mask
    place.chmod(0o640)
    write_text(place, "b")
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_save_follows_a_link(tmp_path):
    """A link to a model was replaced by a file."""
    (tmp_path / "real.lp").write_text("old")
    (tmp_path / "link.lp").symlink_to(tmp_path / "real.lp")
    write_text(tmp_path / "link.lp", "new")
    assert (tmp_path / "link.lp").is_symlink()
    assert (tmp_path / "real.lp").read_text() == "new"


def test_save_into_an_absent_folder(tmp_path):
    with pytest.raises(DataError, match=r"cannot write .*: No such file or directory"):
        save(planted_theory(), tmp_path / "absent" / "m.lp")


def test_save_of_something_else_is_refused(tmp_path):
    """Anything could be saved: the text of an unfitted classifier is no program."""
    for thing in (5, "text", object()):
        with pytest.raises(UnlessError, match="is no program"):
            save(thing, tmp_path / "m.lp")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\x04\x95pickle", "is not UTF-8 text"),
        (b" " * 16_000_001, "bytes; a logic program is a short text"),
        (b"import os\nos.system('true')\n", "unexpected"),
        (b"\x00" * 100, "unexpected"),
        (b":- initialization(halt).", "unexpected"),
        (b":- consult('/etc/passwd').", "unexpected"),
    ],
    ids=["pickle", "huge", "python", "nulls", "initialization", "consult"],
)
def test_load_refuses_what_is_no_program(tmp_path, data, message):
    with pytest.raises(UnlessError) as caught:
        load(put(tmp_path, data, "m.lp"))
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["absent.lp", "."])
def test_load_of_an_absent_file(tmp_path, name):
    with pytest.raises(DataError, match="cannot read"):
        load(tmp_path / name)


def test_load_of_an_endless_file_is_refused():
    """The size of a device is zero, so it was read to its end, which it does not have."""
    if not os.path.exists("/dev/zero"):
        pytest.skip("no /dev/zero")
    with pytest.raises(DataError, match="is not a file"):
        load("/dev/zero")


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        (b"a,b\n1,2\n1,2,3\n", "Hint: a cell that contains the separator must stand in double quotes."),
        (b"a,b\n1,2\n* a note\n", "Hint: perhaps a note below the table, or a line that was cut; take it out"),
    ],
)
def test_the_hint_fits_what_is_wrong_with_a_line(lines, hint, tmp_path):
    """A footnote was answered with a hint about double quotes, which fits a line with too many cells."""
    path = tmp_path / "ragged.csv"
    path.write_bytes(lines)
    with pytest.raises(DataError, match=re.escape(hint)):
        read_file(str(path))
