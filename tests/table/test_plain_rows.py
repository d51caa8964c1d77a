"""Rows read without arrays are those of the table that polars reads, and commands answer the same by either."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio import BIRDS
from ugly_tables import UGLY
from unless.cli import main
from unless.errors import DataError
from unless.table import plain_rows as module
from unless.table.formats import read_file
from unless.table.plain_rows import plain_rows

TABLE = "bird,name,age\nyes,robin,2\nyes,penguin,3\nyes,penguin,101.5\nno,cat,\n"


def both(path):
    table = read_file(str(path))[0]
    columns = {name: [cell or None for cell in table.columns[name].text.to_list()] for name in table.names}
    rows = list(plain_rows(str(path)))
    return columns, {name: [row[name] or None for row in rows] for name in table.names}


@pytest.mark.parametrize("path", sorted(UGLY.glob("*.csv")), ids=lambda path: path.stem)
def test_ugly_files_have_the_same_cells_either_way(path):
    by_columns, by_rows = both(path)
    assert by_rows == by_columns


TEXTS = {
    "quotes": 'a,b\n"x, y","say ""no"""\n"two\nlines",2\n',
    "semicolons": "a;b\n1,5;2\n",
    "returns": b"a,b\r\n1,2\r\n\r\n3,4\r\n",
    "windows": "a,b\nstra\xdfe,1\n".encode("cp1252"),
    "utf-16": "a,b\nä,1\n".encode("utf-16"),
    "title": "Report of May\n\na,b\n1,2\n3,4\n",
    "gzipped": gzip.compress(b"a,b\n1,2\n"),
    "byte order mark": b"\xef\xbb\xbfa,b\n1,2\n",
    "one column": "a\n1\n2\n",
    "blank lines": "a,b\n\n1,2\n\n\n3,4\n\n",
    "one column, blank lines": "a\n1\n\n2\n\n",
    "no end of line": "a,b\n1,2",
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_every_make_have_the_same_cells_either_way(name, tmp_path):
    text = TEXTS[name]
    (tmp_path / "t.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    by_columns, by_rows = both(tmp_path / "t.csv")
    assert by_rows == by_columns


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=6)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_any_quoted_cells_are_the_same_either_way(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    quoted = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    path.write_bytes(f"first,second\n{quoted}\n".encode())
    by_columns, by_rows = both(path)
    assert by_rows == by_columns


@pytest.mark.parametrize("text", ["a,b\n1\n", "a,b\n1,2,3\n", "", b"PAR1....", b"PK\x03\x04"])
def test_what_cannot_be_read_is_refused_in_a_sentence(text, tmp_path):
    (tmp_path / "t.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=r"cells?, the header 2|is empty|pip install 'unless-light\[learn\]'"):
        _ = plain_rows(str(tmp_path / "t.csv")).cells


GRADE = "%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if decided\n"
COMMANDS = [
    "predict m.lp t.csv", "predict m.lp t.csv --probabilities", "predict m.lp t.csv --json",
    "explain m.lp t.csv --row 1", "explain m.lp t.csv --row penguin --id name --full",
    "explain m.lp t.csv --row 1 --short", "explain m.lp t.csv --row 9",
    "predict m.lp other.csv", "explain m.lp other.csv --row 0", "explain m.lp t.csv --row first",
    "explain m.lp t.csv --row 1 --id nam", "predict m.lp t.csv --id name", "predict m.lp t.csv --id nam",
    "predict m.lp t.csv --id name --json", "predict weighed.lp t.csv --probabilities",
    "predict weighed.lp t.csv --probabilities --id name --json",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_answer_the_same_without_arrays(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.lp").write_text(BIRDS + GRADE)
    (tmp_path / "weighed.lp").write_text(BIRDS + GRADE.replace("0000", "0000 weighed by 7.5"))
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "other.csv").write_text("bird,nam,age\nyes,x,1\n")
    said = []
    for has_arrays in (True, False):
        monkeypatch.setattr(module, "has_arrays", lambda has_arrays=has_arrays: has_arrays)
        monkeypatch.setattr(module, "SMALL", -1)  # with arrays, no table is small
        monkeypatch.setattr("sys.argv", ["unless", *command.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        said.append((ended.value.code, *capsys.readouterr()))
    assert said[0][:2] == said[1][:2]
    assert bool(said[0][2]) == bool(said[1][2])


@pytest.mark.parametrize("trap", ["all", "tidy"])
def test_rows_of_offices_are_explained_the_same_either_way(trap, tmp_path, monkeypatch, capsys):
    model, data = str(tmp_path / "m.lp"), str(UGLY / f"{trap}.csv")
    model_path, said = tmp_path / "m.lp", []
    learned = ["learn", data, "--target", "decision", "-o", model, "--algorithm", "fold-r++", "--no-check"]
    commands = [learned, *(["explain", model, data, "--row", str(row), "--full"] for row in range(0, 120, 17))]
    for small in (-1, module.SMALL):
        monkeypatch.setattr(module, "SMALL", small)
        for command in commands[model_path.exists() :]:
            monkeypatch.setattr("sys.argv", ["unless", *command])
            with pytest.raises(SystemExit) as ended:
                main()
            assert not ended.value.code
        said.append(capsys.readouterr().out.partition("Row 0")[2])
    assert said[0] == said[1] != ""
