"""Give the commands what is meant to exhaust them: each ends soon, in little memory, with a sentence or an answer.

    python trials/hostile.py

Files that burst when unpacked, devices, pipes without a writer, folders, a million columns, lines and cells of hundreds
of megabytes, brackets in brackets, texts without an end. Each command may use sixty seconds of the processor and three
gigabytes of memory; a traceback, a signal or silence is a failure.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from record import record
from targets import loans_program

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 60
MEMORY = 3 << 30
ZEROS = b"0" * (1 << 24)


def bursting_gzip(path: Path) -> None:
    """Write four gigabytes of zeros in four megabytes."""
    with gzip.open(path, "wb") as file:
        file.write(b"a,b\n")
        for _ in range(256):
            file.write(ZEROS)


def bursting_sheet(path: Path) -> None:
    """Write a spreadsheet with a sheet of a gigabyte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book, book.open("xl/worksheets/sheet1.xml", "w") as sheet:
        for _ in range(64):
            sheet.write(ZEROS)


def many_columns(path: Path) -> None:
    """Write a table of a million columns."""
    n = 1_000_000
    path.write_text(",".join(f"c{i}" for i in range(n)) + "\n" + ",".join("1" * n) + "\n", encoding="ascii")


def written(text: str | Callable[[], str]) -> Callable[[Path], None]:
    """Return what writes a text."""
    return lambda path: path.write_text(text if isinstance(text, str) else text(), encoding="ascii") and None


def aliases() -> str:
    """Return YAML of a few lines that stands for billions of words."""
    lines = [f"{two}: &{two} [{','.join([f'*{one}'] * 9)}]" for one, two in pairwise("abcdefghi")]
    return "\n".join(["a: &a [x,x,x,x,x,x,x,x,x]", *lines, "cases: *i", ""])


FILES: dict[str, Callable[[Path], object]] = {
    "bursting.csv.gz": bursting_gzip,
    "bursting.xlsx": bursting_sheet,
    "million.csv": many_columns,
    "long-cell.csv": written(lambda: "a,b,loan\n1," + "x" * 100_000_000 + ",yes\n2,y,no\n"),
    "long-line.csv": written(lambda: "a,b,loan\n" + "1," * 20_000_000 + "yes\n2,y,no\n"),
    "long-name.csv": written(lambda: "a" * 5_000_000 + ",b,loan\n1,2,yes\n2,y,no\n"),
    "open-quote.csv": written(lambda: 'a,b,loan\n"' + "1,2,yes\n" * 5_000_000),
    "no-end.csv": written("x" * 30_000_000),
    "brackets.json": written('{"a":' * 200_000 + "1" + "}" * 200_000),
    "lists.json": written("[" * 2_000_000),
    "digits.json": written('{"format": ' + "9" * 10_000 + "}"),
    "brackets.lp": written("%@ unless 1\n" + "(" * 1_000_000),
    "nots.lp": written("%@ target y: 'a' else 'b'\ny(X,'a') :- " + "not " * 500_000 + "z(X,'q').\n"),
    "long.lp": written("% a remark\n" * 2_000_000),
    "brackets.cases.yaml": written("[" * 20_000),
    "aliases.cases.yaml": written(aliases),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "loans.lp": lambda path: path.write_text(str(loans_program()), encoding="utf-8"),
}  # fmt: skip
TABLES = [name for name in FILES if name.endswith((".csv", ".gz", ".xlsx"))]
MODELS = [name for name in FILES if name.endswith((".lp", ".json"))]
DEVICES = ["/dev/zero", "/dev/urandom", "pipe", "folder", "/dev/null", "no-such-file"]
COMMANDS = [
    *(["look", name] for name in [*TABLES, *DEVICES]),
    *(["learn", name, "--target", "loan", "-o", "new.lp"] for name in [*TABLES, *DEVICES]),
    *(["predict", "loans.lp", name] for name in [*TABLES, *DEVICES]),
    *(["rules", name] for name in [*MODELS, *DEVICES]),
    *(["test", "loans.lp", name] for name in ("brackets.cases.yaml", "aliases.cases.yaml", "lists.json", "/dev/zero")),
    *(
        ["learn", name, "--target", "loan", "--background", "brackets.lp", "-o", "new.lp"]
        for name in ("long-cell.csv",)
    ),
    *(["serve", name] for name in ("/dev/zero", "brackets.json", "folder")),
]


def survives(words: list[str], folder: str) -> bool:
    """Run a command; tell whether it ended well, or with a sentence."""
    command = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh", sys.executable, "-m", "unless", *words]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    said = process.stderr.read().decode("utf-8", errors="replace")
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    code, peak = os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024
    is_well = code in {0, 1, 2} and "Traceback" not in said and peak < MEMORY and (code == 0 or said.strip() != "")
    if not is_well:
        print(f"{words}: exit {code}, {peak / 1e6:.0f} MB, {usage.ru_utime:.0f} s: {said[-300:]}", file=sys.stderr)
    return is_well


def main() -> None:
    """Try all of them."""
    with tempfile.TemporaryDirectory(prefix="unless-hostile-") as folder:
        for name, write in FILES.items():
            write(Path(folder, name))
        failed = sum(not survives(words, folder) for words in COMMANDS)
    counts = {"tried": len(COMMANDS), "failed": failed}
    what = "commands are given what should exhaust them (bursting files, devices, a million columns, ...)"
    record("hostile", what, counts, command="python trials/hostile.py", seeds=(0, 0))
    print(counts)


if __name__ == "__main__":
    main()
