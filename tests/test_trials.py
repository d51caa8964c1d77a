"""The trials themselves work, and what they once found stays mended: a few inputs of each kind, the same every time."""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path

import pytest

TRIALS = Path(__file__).parents[1] / "trials"


@pytest.fixture(scope="module")
def trial():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TRIALS))
        yield importlib.import_module
    for name in ("targets", "mutate", "record"):
        sys.modules.pop(name, None)


NAMES = ("program", "json", "background", "query", "table", "request", "cases")


def test_every_target_is_tried(trial):
    assert set(trial("targets").TARGETS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_mutated_inputs_are_accepted_or_refused_in_words(trial, name):
    targets, mutate = trial("targets"), trial("mutate")
    target = targets.TARGETS[name]
    seeds = target.seeds()
    assert any(targets.attempt(target, seed) for seed in seeds), "some inputs mean something"
    rng = random.Random(name)
    for _ in range(60):
        targets.attempt(target, mutate.mutated(rng.choice(seeds), seeds, rng))


@pytest.mark.parametrize("name", NAMES)
def test_what_was_found_stays_mended(trial, name):
    targets = trial("targets")
    for path in sorted((TRIALS / "found" / name).glob("*")):
        targets.attempt(targets.TARGETS[name], path.read_bytes())


def test_a_wrong_exception_is_no_refusal(trial):
    targets = trial("targets")

    def breaks(_data):
        msg = "a defect"
        raise KeyError(msg)

    with pytest.raises(KeyError):
        targets.attempt(targets.Target("broken", "", breaks, list, 1), b"")


def test_runs_add_up_and_no_seed_counts_twice(trial, tmp_path):
    record, file = trial("record"), tmp_path / "record.json"

    def run(first, last, failed=0):
        counts = {"tried": last - first + 1, "failed": failed, "most bytes": last}
        record.record("a trial", "what", counts, command="do", seeds=(first, last), file=file)

    run(0, 9)
    run(10, 19, failed=1)
    run(30, 39)
    run(30, 39)
    runs = json.loads(file.read_text())["a trial"]["runs"]
    assert [run["seeds"] for run in runs] == [[0, 19], [30, 39]]
    assert runs[0]["counts"] == {"tried": 20, "failed": 1, "most bytes": 19}
    assert runs[0]["commit"]
    assert record.next_seed("a trial", file) == 40


def test_the_page_of_trials_is_up_to_date():
    docs = TRIALS.parent / "docs"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(docs))
        page = importlib.import_module("write_trust").page()
    sys.modules.pop("write_trust", None)
    assert (docs / "trust.md").read_text(encoding="utf-8") == page, "run: make docs"
