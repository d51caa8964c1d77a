"""Fuzz for a while, keep what fails, and write down what was done.

    python trials/fuzz.py                       # every target, its full number of inputs: over a million
    python trials/fuzz.py program --tries 1000  # one target, fewer inputs
    python trials/fuzz.py --engine atheris program --tries 100000   # led by coverage, where atheris is installed

A failure (any exception that is not a refusal, a wrong invariant, more than ten seconds for one input) is kept in
trials/found/TARGET, which the tests replay from then on. Each ten thousand inputs have a seed of their own, and their
counts go into trials/record.json at once.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import logging
import random
import signal
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from mutate import mutated  # noqa: E402
from record import next_seed, record  # noqa: E402
from targets import TARGETS, Target, attempt  # noqa: E402

FOUND = HERE / "found"
PORTION = 10_000
"""So many inputs come from one seed."""
LIMIT = 10
"""Seconds of the processor that one input may take."""


class TooSlowError(Exception):
    """One input took longer than the limit."""


def fuzz(target: Target, tries: int, seed: int) -> dict[str, int]:
    """Give mutated inputs to a target; return the counts."""
    rng = random.Random(f"{target.name} {seed}")
    seeds = target.seeds()
    for data in seeds:
        attempt(target, data)  # what is loaded at first use counts for no input
    pool = list(seeds)
    counts = {"tried": 0, "accepted": 0, "failed": 0}
    for n in range(tries):
        data = mutated(rng.choice(pool), seeds, rng)
        counts["tried"] += 1
        try:
            if _limited(target, data):
                counts["accepted"] += 1
                if len(data) < 5_000 and rng.random() < 0.05:  # what is accepted is worth changing further
                    pool[len(seeds) :] = [*pool[len(seeds) :][-500:], data]
        except Exception as failure:
            counts["failed"] += 1
            _keep(target, data, failure)
        if n % 1000 == 999 and sys.stderr.isatty():
            print(f"\r{target.name}: {n + 1:,} inputs, {counts['failed']} failed", end="", file=sys.stderr)
    return counts


def _limited(target: Target, data: bytes) -> bool:
    def stop(*_: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)  # of the processor: a busy machine is no hang
    try:
        return attempt(target, data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _keep(target: Target, data: bytes, failure: Exception) -> None:
    folder = FOUND / target.name
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(data).hexdigest()[:12]
    (folder / name).write_bytes(data)
    print(f"\n{target.name} {name}: {type(failure).__name__}: {str(failure)[:300]}", file=sys.stderr)


def fuzz_by_coverage(target: Target, tries: int, seed: int) -> None:
    """Hand the target to atheris, which ends the process; what it finds lies in trials/found."""
    import atheris

    folder = FOUND / target.name
    folder.mkdir(parents=True, exist_ok=True)
    corpus = HERE / "corpus" / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    for data in target.seeds():
        (corpus / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    atheris.instrument_all()
    options = [f"-runs={tries}", f"-seed={seed}", f"-timeout={LIMIT}", f"-artifact_prefix={folder}/", "-max_len=20000"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: attempt(target, data))
    atheris.Fuzz()


def main() -> None:
    """Read the arguments and fuzz."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", help=f"which: {', '.join(TARGETS)}; all if none is given")
    parser.add_argument("--tries", type=int, help="how many inputs each; a full run if not given")
    parser.add_argument("--seed", type=int, help="the first; else the first that was never tried")
    parser.add_argument("--engine", choices=("tokens", "atheris"), default="tokens")
    asked = parser.parse_args()
    faulthandler.enable()
    logging.disable()
    for name in asked.targets or TARGETS:
        target = TARGETS[name]
        tries = asked.tries or target.tries
        if asked.engine == "atheris":
            fuzz_by_coverage(target, tries, asked.seed or 1)
            continue
        seed = next_seed(f"fuzz {name}") if asked.seed is None else asked.seed
        for at, begin in enumerate(range(0, tries, PORTION)):
            start = time.process_time()
            counts = fuzz(target, min(PORTION, tries - begin), seed + at)
            seconds = time.process_time() - start
            command = f"python trials/fuzz.py {name}"
            record(f"fuzz {name}", target.what, counts, command=command, seeds=(seed + at, seed + at))
            print(f"{name} {seed + at}: {counts} in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
