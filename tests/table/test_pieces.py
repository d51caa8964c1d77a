"""Files in pieces: whatever the pieces, the rows and the rules are those of the whole."""

from __future__ import annotations

import gzip
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unless import FoldRPPClassifier, UnlessError
from unless.datasets import loans
from unless.table import delimited, formats
from unless.table.pieces import open_files


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(delimited, "BYTES", 4096)
    monkeypatch.setattr(formats, "ROWS", 70)


def texts(files):
    """Return the cells of all pieces, row by row."""
    tables = [piece.read() for piece in files.pieces]
    return [row for table in tables for row in zip(*(c.text for c in table.columns.values()), strict=True)]


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("form", ["csv", "csv.gz", "tsv", "parquet", "arrow"])
def test_pieces_give_the_rules_of_the_whole(tmp_path, form):
    table = loans(1000)
    place = write(table, tmp_path / f"loans.{form}", form)
    files = open_files([place])
    assert len(files.pieces) > 5
    whole = FoldRPPClassifier(categorical_features=["purpose", "housing", "history"])
    whole.fit(table.drop("loan"), table["loan"])
    parts = FoldRPPClassifier(categorical_features=["purpose", "housing", "history"]).fit_files(place, "loan")
    assert parts.rules_ == whole.rules_
    assert str(parts.program_) == str(whole.program_)
    assert parts.program_.grade == whole.program_.grade
    assert parts.predict(table.drop("loan")).tolist() == whole.predict(table.drop("loan")).tolist()


def write(table, place, form):
    if form == "parquet":
        table.write_parquet(place)
    elif form == "arrow":
        table.write_ipc(place)
    else:
        text = table.write_csv(separator="\t" if form == "tsv" else ",").encode()
        place.write_bytes(gzip.compress(text) if form.endswith("gz") else text)
    return place


@pytest.mark.usefixtures("small_pieces")
def test_folders_and_globs_are_their_files_in_order(tmp_path):
    table = loans(400)
    for i, start in enumerate(range(0, 400, 100)):
        table.slice(start, 100).write_csv(tmp_path / f"part-{i}.csv")
    (tmp_path / "_SUCCESS").write_text("")
    whole = table.write_csv().splitlines()[1:]
    for place in (tmp_path, tmp_path / "part-*.csv"):
        assert len(texts(open_files([place]))) == len(whole)
    assert texts(open_files([tmp_path])) == texts(open_files([str(tmp_path / f"part-{i}.csv") for i in range(4)]))


cells = st.text(st.sampled_from('a,"\n\r;é '), max_size=6)


@given(st.lists(st.tuples(cells, cells, st.just("z")), min_size=1, max_size=40), st.integers(8, 60))
def test_csv_is_cut_only_between_rows(rows, size):
    """Quotes, separators and line ends inside quotes never end a piece."""
    text = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row").write_csv(quote_style="always")
    with pytest.MonkeyPatch.context() as patch:
        import tempfile

        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            file.write(text.encode())
            file.flush()
            patch.setattr(delimited, "BYTES", 1 << 20)
            whole = texts(open_files([file.name]))
            patch.setattr(delimited, "BYTES", size)
            assert texts(open_files([file.name])) == whole


@pytest.mark.usefixtures("small_pieces")
def test_kind_is_decided_by_all_pieces(tmp_path):
    """The first pieces look like numbers; in the end most cells are words."""
    lines = [f"{i % 50},{'yes' if i % 3 else 'no'}" for i in range(2000)] + [f"w{i % 7},yes" for i in range(3000)]
    place = tmp_path / "late.csv"
    place.write_text("a,label\n" + "\n".join(lines) + "\n")
    model = FoldRPPClassifier().fit_files(place, "label")
    assert model.program_.kinds == {"a": "categorical"}


def test_standard_input_is_read(tmp_path, monkeypatch):
    class Input:
        buffer = io.BytesIO(loans(50).write_csv().encode())

    monkeypatch.setattr("sys.stdin", Input)
    files = open_files(["-"])
    assert sum(piece.read().n_rows for piece in files.pieces) == 50


def test_remote_files_are_read_through_fsspec():
    fsspec = pytest.importorskip("fsspec")
    table = loans(300)
    with fsspec.open("memory://loans/one.csv", "wb") as file:
        file.write(table.head(200).write_csv().encode())
    with fsspec.open("memory://loans/two.csv", "wb") as file:
        file.write(table.tail(100).write_csv().encode())
    model = FoldRPPClassifier().fit_files("memory://loans/*.csv", "loan")
    assert model.rules_ == FoldRPPClassifier().fit_files("memory://loans", "loan").rules_
    with pytest.raises(UnlessError, match="cannot read memory://nowhere"):
        open_files(["memory://nowhere/x.csv"])


def _csv(name, text):
    def make(folder):
        (folder / name).write_bytes(text)
        return [folder / name]

    return make


def _two(one, other):
    def make(folder):
        (folder / "1.csv").write_text(one)
        (folder / "2.csv").write_text(other)
        return [folder]

    return make


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: [folder / "none.csv"], r"cannot read .*none.csv: No such file"),
        (lambda folder: [folder], "no file to read in"),
        (_csv("empty.csv", b""), "is empty"),
        (_csv("ragged.csv", b"a,label\n1,x\n2,y,3\n"), "line 3: 3 cells, where the header has 2"),
        (_csv("broken.csv", b"a,label\n\xc3\xa9,x\n\xe9,y\n"), "line 3: byte 0xe9 is not UTF-8"),
        (_two("a,label\n1,x\n", "b,label\n1,x\n"), "differ in column 'a'"),
        (_csv("header.csv", b"a,label\n"), "has no rows to learn from"),
        (_csv("broken.csv.gz", b"\x1f\x8bnothing"), "cannot read"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path, make, message):
    with pytest.raises(UnlessError, match=message):
        FoldRPPClassifier().fit_files(make(tmp_path), "label")


@pytest.mark.usefixtures("small_pieces")
def test_line_of_a_ragged_row_is_that_of_the_file(tmp_path):
    lines = ["a,label", *("1,x" for _ in range(3000)), "1,2,3", *("1,y" for _ in range(3000))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    with pytest.raises(UnlessError, match="line 3002: 3 cells"):
        FoldRPPClassifier().fit_files(tmp_path / "t.csv", "label")


def test_unknown_columns_are_refused_by_name(tmp_path):
    loans(50).write_csv(tmp_path / "t.csv")
    for options, message in [
        ({"target": "lone"}, "Did you mean 'loan'"),
        ({"target": "loan", "drop": ["incom"]}, "Did you mean 'income'"),
        ({"target": "loan", "kinds": {"incom": "numerical"}}, "Did you mean 'income'"),
    ]:
        with pytest.raises(UnlessError, match=message):
            FoldRPPClassifier().fit_files(tmp_path / "t.csv", **options)


def test_files_of_one_table_may_write_names_otherwise(tmp_path, caplog):
    """They were said to differ in a column."""
    (tmp_path / "a.csv").write_text("x,town,y\n1,Rome,no\n2,Oslo,no\n8,Rome,yes\n9,Oslo,yes\n")
    (tmp_path / "b.csv").write_text("TOWN,y ,\ufeffx\nRome,yes,7\nOslo,no,3\n", "utf-8")
    files = open_files([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert [piece.read().names for piece in files.pieces] == [("x", "town", "y"), ("town", "y", "x")]
    assert f"b.csv calls columns otherwise than {tmp_path / 'a.csv'}: 'x' = '\\ufeffx', 'town' = 'TOWN'" in caplog.text
    assert "of the program" not in caplog.text
    model = FoldRPPClassifier(positive="yes").fit_files([tmp_path / "a.csv", tmp_path / "b.csv"], "y")
    assert model.predict([{"x": 7}, {"x": 3}]).tolist() == ["yes", "no"]
    (tmp_path / "b.csv").write_text("TOWN,Town,x,y\nRome,Rome,7,yes\n")
    with pytest.raises(UnlessError, match="differ in column 'TOWN'; files of one table have the same columns"):
        open_files([tmp_path / "a.csv", tmp_path / "b.csv"])
