"""What is packed, or no regular file, is read as far as there is room; what would exhaust us is refused."""

from __future__ import annotations

import gzip
import os
import threading
import zipfile

import pytest

from unless.errors import DataError
from unless.table import streams
from unless.table.content import read_content
from unless.table.headers import MOST_COLUMNS
from unless.table.look import look
from unless.table.pieces import open_files

READERS = [read_content, lambda path: open_files([path])]


@pytest.fixture(params=READERS, ids=["in memory", "in pieces"])
def read(request):
    return request.param


def test_a_file_that_bursts_is_refused(read, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "HARMLESS", 1 << 20)
    monkeypatch.setattr(streams, "BLOCK", 1 << 16)
    file = tmp_path / "burst.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n" + b"0" * (1 << 22)))
    with pytest.raises(DataError, match="unpacks to over 300 times as many, which a table does not"):
        read(str(file))


def test_a_spreadsheet_that_bursts_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "HARMLESS", 1 << 20)
    file = tmp_path / "burst.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", b"0" * (1 << 22))
    with pytest.raises(DataError, match="unpacks to over 300 times"):
        look(str(file))


def test_a_stream_without_an_end_is_refused(read, tmp_path, monkeypatch):
    monkeypatch.setattr("unless.table.content.room_in_memory", lambda: (1000, "in memory"))
    monkeypatch.setattr("unless.table.pieces.room_on_disk", lambda _: (1000, "on the disk"))
    file = tmp_path / "long.csv.gz"
    file.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 1000))
    with pytest.raises(DataError, match="has more than 1,000 bytes, for which there is no room"):
        read(str(file))


def test_devices_are_refused(read):
    with pytest.raises(DataError, match="/dev/zero is a device; a table is read from a file"):
        read("/dev/zero")


def test_a_pipe_without_a_writer_is_refused(read, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "PATIENCE", 0.05)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="nobody wrote into it"):
        read(str(tmp_path / "pipe"))


@pytest.mark.parametrize("pause", [0, 0.2], ids=["at once", "late"])
def test_a_pipe_is_read_to_its_end_however_late_its_writer_begins(tmp_path, monkeypatch, pause):
    monkeypatch.setattr(streams, "PATIENCE", 0.1 if pause else 10.0)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = threading.Event()

    def write():
        with path.open("wb") as file:
            done.wait(pause)
            file.write(b"a,b\n1,2\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert read_content(str(path)).data == b"a,b\n1,2\n"
    writer.join()


def test_a_million_columns_are_refused(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text(",".join(map(str, range(MOST_COLUMNS + 1))) + "\n1\n")
    with pytest.raises(DataError, match="has 100,001 columns; at most 100,000 are read"):
        look(str(file))


def test_a_very_long_name_is_refused_in_our_words(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("a" * 200_000 + ",b\n1,2\n")
    with pytest.raises(DataError, match="the name of a column has over 131,072 characters"):
        look(str(file))
