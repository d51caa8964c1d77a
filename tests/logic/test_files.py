"""Files are written whole or not at all, whoever interrupts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from unless import load, parse
from unless.errors import DataError
from unless.logic.text import whole_files
from unless.logic.text.files import save, write_text

WRITES = """
import sys
from unless.logic.text.files import write_text
text = "a line\\n" * 20_000
while True:
    write_text(sys.argv[1], text)
"""


def _fail_halfway(path):
    with whole_files.whole_file(path) as file:
        file.write(b"new, but on")
        msg = "halfway"
        raise RuntimeError(msg)


@pytest.mark.parametrize("named", [False, True], ids=["without a name", "under a hidden name"])
def test_what_fails_halfway_leaves_the_file_as_it_was(tmp_path, monkeypatch, named):
    if named:
        monkeypatch.setattr(whole_files, "OPEN_FILES", tmp_path / "nowhere")
    path = tmp_path / "model.lp"
    write_text(path, "old")
    with pytest.raises(RuntimeError, match="halfway"):
        _fail_halfway(path)
    assert path.read_text() == "old"
    with whole_files.whole_file(path) as file:
        file.write(b"new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["model.lp"]


def test_rights_are_those_of_the_file_that_is_replaced(tmp_path):
    path = tmp_path / "model.lp"
    write_text(path, "old")
    path.chmod(0o640)
    write_text(path, "new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.lp").write_text("old")
    (tmp_path / "link.lp").symlink_to(tmp_path / "real.lp")
    write_text(tmp_path / "link.lp", "new")
    assert (tmp_path / "link.lp").is_symlink()
    assert (tmp_path / "real.lp").read_text() == "new"


@pytest.mark.parametrize("use", [load, lambda path: write_text(path, "text")], ids=["read", "written"])
def test_names_of_no_file_are_refused_in_a_sentence(tmp_path, use):
    """Links in a circle, nulls and halves of characters raised whatever Python raises."""
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for name, said in {
        "circle": "levels of symbolic links",
        "a\0b": "null character",
        "\ud800": "half a character",
    }.items():
        with pytest.raises(DataError, match=said):
            use(str(tmp_path / name))


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    """Whoever wrote to /dev/null as root had a file there instead, and /dev/stdout could not be named."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_text(pipe, "all of it")
    assert reader.communicate(timeout=20)[0] == b"all of it"
    assert pipe.is_fifo()
    with pytest.raises(RuntimeError):
        _fail_halfway(pipe)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_the_folder_is_synced_after_the_file_has_its_name(tmp_path, monkeypatch):
    steps = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle):
        steps.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")
        real_sync(handle)

    def replace(one, other):
        steps.append("name")
        real_replace(one, other)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    write_text(tmp_path / "model.lp", "text")
    assert steps == ["file", "name", "folder"]


def test_half_a_character_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(DataError, match="half a character"):
        write_text(tmp_path / "model.lp", "town is \ud800")
    assert os.listdir(tmp_path) == []


def test_a_killed_writer_leaves_the_whole_file_and_nothing_else(tmp_path):
    path = tmp_path / "model.lp"
    for turn in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITES, str(path)])
        while not path.exists():
            time.sleep(0.01)
        time.sleep(0.003 * turn)
        writer.kill()
        writer.wait()
        assert path.read_text() == "a line\n" * 20_000
        # Between its two last steps a file has two names for an instant.
        assert len(os.listdir(tmp_path)) <= 2
        path.unlink()
        for left in tmp_path.iterdir():
            left.unlink()


def test_a_program_too_long_to_be_read_is_not_written(tmp_path):
    """A label of five million characters was saved, and the file could not be loaded."""
    program = parse("%@ unless 1\n%@ target loan: 'yes' else 'no'\n%@ categorical a\nloan(X,'yes') :- a(X,'b').\n")
    target = replace(program.target, default="x" * 5_000_000)
    with pytest.raises(DataError, match="at most 4,000,000, so it could not be read again"):
        save(replace(program, target=target), tmp_path / "long.lp")
    assert not list(tmp_path.iterdir())
