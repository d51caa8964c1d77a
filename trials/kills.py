"""Kill whole commands at random times: what stands on disk afterwards is whole, and nothing else is left.

    python trials/kills.py --times 200

Each command writes over a file that was there before. After a kill (SIGKILL, which nothing can catch) the file is the
old one or the new one, to the byte, and the folder holds no other file.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from record import record

COMMANDS = {
    "learn": ["learn", "{table}", "--target", "loan", "-o", "{out}.lp"],
    "fold-r++": ["learn", "{table}", "--target", "loan", "--algorithm", "fold-r++", "-o", "{out}.lp"],
    "predict": ["predict", "{model}", "{table}", "-o", "{out}.csv"],
    "report": ["report", "{model}", "{table}", "-o", "{out}.html"],
    "grade": ["grade", "{model}", "{table}", "-o", "{out}.lp"],
    "rules": ["rules", "{model}", "--html", "{out}.html"],
    "demo": ["demo", "--save", "{out}.csv"],
}


def command_line(words: list[str], inputs: Path, out: Path) -> list[str]:
    """Fill the paths in."""
    paths = {"table": inputs / "loans.csv", "model": inputs / "loans.lp", "out": out}
    return [sys.executable, "-m", "unless", *(word.format(**paths) for word in words)]


def kill_once(name: str, inputs: Path, whole: tuple[bytes, str, float], rng: random.Random) -> bool:
    """Start a command, kill it after a random part of its usual time, and look at what is left; tell if all is well."""
    expected, suffix, seconds = whole
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        out = Path(folder) / "out"
        file = out.with_suffix(suffix)
        file.write_bytes(b"what was there before")
        process = subprocess.Popen(
            command_line(COMMANDS[name], inputs, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # Most of the time near the end, where the file is written.
        time.sleep(seconds * (rng.uniform(0, 1.1) if rng.random() < 0.3 else rng.uniform(0.8, 1.05)))
        process.kill()
        process.wait()
        left = sorted(os.listdir(folder))
        is_whole = file.read_bytes() in (b"what was there before", expected, before_checking(expected))
        if not is_whole or left != [file.name]:
            print(f"{name}: left {left}, {file.stat().st_size} bytes of {len(expected)}", file=sys.stderr)
        return is_whole and left == [file.name]


def before_checking(model: bytes) -> bytes:
    """Return a model as `learn` writes it first: how good it is on unseen rows comes later."""
    return b"".join(line for line in model.splitlines(keepends=True) if not line.startswith(b"%@ unseen"))


def whole_run(name: str, inputs: Path) -> tuple[bytes, str, float]:
    """Run a command undisturbed, twice; return what it writes, into which kind of file, and its time."""
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run(command_line(COMMANDS[name], inputs, Path(folder) / "out"), check=True, capture_output=True)
            seconds = time.perf_counter() - start
        (file,) = Path(folder).iterdir()
        return file.read_bytes(), file.suffix, seconds


def main() -> None:
    """Read the arguments and kill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        inputs = Path(folder)
        subprocess.run(
            [sys.executable, "-m", "unless", "demo", "--save", inputs / "loans.csv"], check=True, capture_output=True
        )
        learn = ["learn", "{table}", "--target", "loan", "--no-check", "-o", str(inputs / "loans.lp")]
        subprocess.run(command_line(learn, inputs, inputs), check=True, capture_output=True)
        whole = {name: whole_run(name, inputs) for name in COMMANDS}
        names = [list(COMMANDS)[n % len(COMMANDS)] for n in range(asked.times)]
        failed = sum(not kill_once(name, inputs, whole[name], rng) for name in names)
    counts = {"tried": asked.times, "failed": failed}
    record("kills", "commands are killed at random times", counts, command="python trials/kills.py")
    print(counts)


if __name__ == "__main__":
    main()
