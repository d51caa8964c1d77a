"""Files that are no table: each is said by what it is, with what to do."""

from __future__ import annotations

import bz2
import io
import lzma
import tarfile
import zipfile

import pytest

from unless.errors import DataError
from unless.table.formats import read_file
from unless.table.plain_rows import plain_rows

TABLE = b"a,b\n" + b"1,x\n" * 200


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{name}.csv", data)
    return packed.getvalue()


def tarred():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        part = tarfile.TarInfo("t.csv")
        part.size = len(TABLE)
        archive.addfile(part, io.BytesIO(TABLE))
    return packed.getvalue()


OF_TEXT = {
    "bzip2": (bz2.compress(TABLE), "is packed by bzip2. Hint: unpack it first, or pack it by gzip"),
    "xz": (lzma.compress(TABLE), "is packed by xz. Hint"),
    "tar": (tarred(), "is a tar archive. Hint: unpack it first"),
    "page": (b"\xef\xbb\xbf\n<HTML><table><tr><td>a</td></tr></table>", "is a page of the web, whatever its name says"),
    "XML": (b'<?xml version="1.0"?>\n<Workbook/>', "is XML, whatever its name says"),
    "PDF": (b"%PDF-1.4\n1 0 obj\n", "is a PDF, whatever its name says"),
    "JSON": (b'[{"a": 1, "b": "x"}]', "is JSON, whatever its name says"),
}
ZIPPED = {
    "zip": (zipped(t=TABLE), "is a zip archive with 't.csv' in it, and no spreadsheet. Hint: unpack it first"),
    "zip of two": (zipped(t=TABLE, u=TABLE), "is a zip archive of 2 files"),
    "cut off": (zipped(t=TABLE)[:60], "is damaged or cut off"),
}


@pytest.mark.parametrize("case", [*OF_TEXT, *ZIPPED])
def test_what_is_no_table_is_said(case, tmp_path):
    """Pages and JSON were tables of one column without rows; archives held a null byte, or were no spreadsheet."""
    data, message = (OF_TEXT | ZIPPED)[case]
    path = tmp_path / "t.xls"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        read_file(str(path))
    if case in OF_TEXT:
        with pytest.raises(DataError, match=message):
            plain_rows(str(path))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
def test_wide_text_with_a_mark_is_read(encoding, tmp_path):
    """UTF-32 was taken for UTF-16, and refused for a row of one cell."""
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\nü,x\n".encode(encoding))
    table, _ = read_file(str(path))
    assert [table.columns[name].text[0] for name in table.names] == ["ü", "x"]
