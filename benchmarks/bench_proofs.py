"""Proofs per second for the paper's 13-rule adult program, on random people.

python benchmarks/bench_proofs.py [--rows 20000]
python benchmarks/bench_proofs.py --rows 100 --scasp 10
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from pathlib import Path

from unless import load, prove
from unless.explain.scasp import prove_all_by_scasp

PROGRAM = Path(__file__).parent.parent / "examples" / "adult.lp"


def people(n: int, seed: int = 0) -> list[dict[str, object]]:
    """Make up rows that reach every rule of the program."""
    draw = random.Random(seed)
    return [
        {
            "marital_status": draw.choice(["married-civ-spouse", "never-married", "divorced"]),
            "occupation": draw.choice(["farming-fishing", "transport-moving", "sales", ""]),
            "age": draw.randint(17, 90),
            "fnlwgt": draw.randint(12285, 1484705),
            "education_num": draw.randint(1, 16),
            "capital_gain": draw.choice([0, 0, 0, 5500, 7000, 10000, 30000, 99999]),
            "capital_loss": draw.choice([0, 0, 0, 1700, 1980]),
            "hours_per_week": draw.choice([10, 20, 40, 60, "?"]),
        }
        for _ in range(n)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scasp", type=int, metavar="BATCH", help="prove by s(CASP), so many rows in a process")
    options = parser.parse_args()
    program = load(PROGRAM)
    rows = people(options.rows)
    rates = []
    for _ in range(options.repeats):
        start, began = time.perf_counter(), time.process_time()
        if options.scasp:
            held = sum(proof.holds for proof in prove_all_by_scasp(program, rows, batch=options.scasp))
        else:
            held = sum(prove(program, row).holds for row in rows)
        # Our own proofs by the processor's time, which other work on the machine does not change.
        took = time.perf_counter() - start if options.scasp else time.process_time() - began
        rates.append(options.rows / took)
    print(f"{statistics.median(rates):,.0f} proofs a second (median of {options.repeats}; {held} of {len(rows)} hold)")


if __name__ == "__main__":
    main()
