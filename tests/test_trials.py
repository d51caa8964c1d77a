"""The trials themselves work, and what they once found stays mended: a few inputs of each kind, the same every time."""

from __future__ import annotations

import importlib
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
    for name in ("targets", "mutate"):
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


def test_the_page_of_trials_is_up_to_date():
    docs = TRIALS.parent / "docs"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(docs))
        page = importlib.import_module("write_trust").page()
    sys.modules.pop("write_trust", None)
    assert (docs / "trust.md").read_text(encoding="utf-8") == page, "run: make docs"
