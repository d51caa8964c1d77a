"""Kill whole commands at random times: what stands on disk afterwards is whole, and nothing else is left.

    python trials/kills.py --times 220

Each command writes over a file that was there before. After a kill (SIGKILL, which nothing can catch; at times SIGTERM
or Ctrl-C) the file is the old one or the new one, to the byte, and neither its folder nor the one for temporary files
holds another. Only `edit` leaves what was typed, and only where people find it.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from record import next_seed, record
from servers import Server

COMMANDS = {
    "learn": ["learn", "{table}", "--target", "loan", "-o", "{out}.lp"],
    "fold-r++": ["learn", "{table}", "--target", "loan", "--algorithm", "fold-r++", "-o", "{out}.lp"],
    "predict": ["predict", "{model}", "{table}", "-o", "{out}.csv"],
    "report": ["report", "{model}", "{table}", "-o", "{out}.html"],
    "grade": ["grade", "{model}", "{table}", "-o", "{out}.lp"],
    "rules": ["rules", "{model}", "--html", "{out}.html"],
    "demo": ["demo", "--save", "{out}.csv"],
    "export sql": ["export", "{model}", "--to", "sql:duckdb", "-o", "{out}.sql"],
    "export python": ["export", "{model}", "--to", "python", "-o", "{out}.py"],
    "edit": ["edit", "{out}.lp", "{table}"],
    "studio save": [],
}
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
EDITOR = "sed -i s/30000.0/31000.0/"


@dataclass(frozen=True)
class Whole:
    """What a command writes when nothing disturbs it, by file, over what, and how long it takes."""

    before: bytes
    after: dict[str, bytes]
    seconds: float


def command_line(name: str, inputs: Path, out: Path) -> list[str]:
    """Fill the paths in."""
    paths = {"table": inputs / "loans.csv", "model": inputs / "loans.lp", "out": out}
    return [sys.executable, "-m", "unless", *(word.format(**paths) for word in COMMANDS[name])]


def environment(temporary: Path) -> dict[str, str]:
    """Return where a command finds its editor and puts temporary files."""
    temporary.mkdir(exist_ok=True)
    return {**os.environ, "EDITOR": EDITOR, "TMPDIR": str(temporary)}


def kill_once(name: str, inputs: Path, whole: Whole, rng: random.Random) -> bool:
    """Start a command, kill it after a random part of its usual time, and look at what is left; tell if all is well."""
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        out, temporary = Path(folder) / "kept" / "out", Path(folder) / "temporary"
        out.parent.mkdir()
        for name_of_file in whole.after:
            (out.parent / name_of_file).write_bytes(whole.before)
        # Most of the time near the end, where the file is written.
        seconds = whole.seconds * (rng.uniform(0, 1.1) if rng.random() < 0.3 else rng.uniform(0.8, 1.05))
        if name == "studio save":
            kill_saving(inputs, out, seconds)
        else:
            kill_command(command_line(name, inputs, out), environment(temporary), seconds, rng.choice(SIGNALS))
        found = {file.name: file.read_bytes() for file in out.parent.iterdir()}
        left = found.keys() - whole.after.keys()
        left |= set(os.listdir(temporary)) if temporary.exists() else set()
        if name == "edit":
            left = {entry for entry in left if not entry.startswith(("out.lp.edited", "unless-"))}
        half = [
            file for file, after in whole.after.items()
            if found.get(file) not in {whole.before, after, before_checking(after)}
        ]  # fmt: skip
        if half or left:
            print(f"{name}: half written {half}, left {left}", file=sys.stderr)
        return not half and not left


def kill_command(command: list[str], places: dict[str, str], seconds: float, how: signal.Signals) -> None:
    """Start a command and end it after some seconds."""
    process = subprocess.Popen(
        command, env=places, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(seconds)
    process.send_signal(how)
    process.wait()


def saving_studio(inputs: Path, out: Path) -> Server:
    """Start the studio on a model file that it can save to."""
    table, state = inputs / "loans.csv", out.parents[1] / "state"
    words = ["studio", str(table), "--model", f"{out}.lp", "--no-open", "--no-token", "--state", str(state)]
    return Server(*words)


def kill_saving(inputs: Path, out: Path, seconds: float) -> None:
    """Let the studio save, and kill it meanwhile; its drafts must be readable then."""
    with saving_studio(inputs, out) as server:
        saving = threading.Thread(target=_save, args=(server,))
        saving.start()
        time.sleep(seconds)
        server.process.kill()
        saving.join()
    with saving_studio(inputs, out) as server:
        assert server.ask("GET", "/api/studio/state")[0] == 200


def _save(server: Server) -> None:
    with suppress(OSError):  # it is killed
        server.ask("POST", "/api/studio/save", b"{}")


def before_checking(model: bytes) -> bytes:
    """Return a model as `learn` writes it first: how good it is on unseen rows comes later."""
    return b"".join(line for line in model.splitlines(keepends=True) if not line.startswith(b"%@ unseen"))


def whole_run(name: str, inputs: Path) -> Whole:
    """Run a command undisturbed, twice."""
    before = b"what was there before"
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        out = Path(folder) / "kept" / "out"
        out.parent.mkdir()
        if name in {"edit", "studio save"}:
            before = (inputs / "loans.lp").read_bytes() + b"% a remark\n"
        for _ in range(2):
            if name in {"edit", "studio save"}:
                out.with_suffix(".lp").write_bytes(before)
            seconds = timed_run(name, inputs, out)
        after = {file.name: file.read_bytes() for file in out.parent.iterdir()}
        assert before not in after.values(), name
        return Whole(before, after, seconds)


def timed_run(name: str, inputs: Path, out: Path) -> float:
    """Run a command to its end; return its seconds."""
    if name == "studio save":
        with saving_studio(inputs, out) as server:
            start = time.perf_counter()
            assert server.ask("POST", "/api/studio/save", b"{}")[0] == 200
            return time.perf_counter() - start
    start = time.perf_counter()
    command, places = command_line(name, inputs, out), environment(out.parents[1] / "temporary")
    subprocess.run(command, env=places, stdin=subprocess.DEVNULL, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Read the arguments and kill."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=220)
    parser.add_argument("--seed", type=int, help="of the first kill; else those never tried")
    asked = parser.parse_args()
    first = next_seed("kills") if asked.seed is None else asked.seed
    with tempfile.TemporaryDirectory(prefix="unless-kills-") as folder:
        inputs = Path(folder)
        unless = [sys.executable, "-m", "unless"]
        table, model = inputs / "loans.csv", inputs / "loans.lp"
        subprocess.run([*unless, "demo", "--save", table], check=True, capture_output=True)
        learn = ["learn", table, "--target", "loan", "--no-check", "-o", model]
        subprocess.run([*unless, *learn], check=True, capture_output=True)
        whole = {name: whole_run(name, inputs) for name in COMMANDS}
        for seed in range(first, first + asked.times):
            name = list(COMMANDS)[seed % len(COMMANDS)]
            failed = not kill_once(name, inputs, whole[name], random.Random(seed))
            counts = {"tried": 1, "failed": int(failed)}
            what = f"commands are killed at random times ({', '.join(COMMANDS)})"
            record("kills", what, counts, command="python trials/kills.py", seeds=(seed, seed))
    print(f"{asked.times} kills, the last of seed {seed}", flush=True)


if __name__ == "__main__":
    main()
