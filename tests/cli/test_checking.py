"""The check beside learning: the same figures as afterwards, its errors raised, its notes not said twice."""

from __future__ import annotations

import logging
import warnings
from threading import Thread

import pytest

from unless.cli import checking
from unless.cli.checking import Checking
from unless.cli.progress import gathering_notes
from unless.datasets import loans
from unless.learn import unseen
from unless.learn.front import table_task
from unless.learn.learners import FoldRPPSettings, UnlessSettings
from unless.learn.task import Watch, read_task
from unless.learn.unseen import check_unseen


@pytest.fixture
def rows():
    table = loans(300)
    return read_task(table_task(table.drop("loan"), table["loan"]), FoldRPPSettings(), Watch())


@pytest.mark.parametrize("settings", [FoldRPPSettings(), UnlessSettings(), UnlessSettings(time_limit=60.0)])
def test_a_check_beside_learning_finds_what_one_afterwards_finds(rows, settings):
    heard = []
    found = Checking(rows, settings).result(lambda *fold: heard.append(fold))
    assert found == check_unseen(rows, settings)
    assert found.n_folds == 5
    assert heard[-1] == (5, 5)


@pytest.mark.parametrize("most", [checking.MOST_ROWS, 10])
def test_an_error_is_raised_where_it_is_waited_for(rows, monkeypatch, most):
    monkeypatch.setattr(checking, "MOST_ROWS", most)
    monkeypatch.setattr(unseen, "learn_data", lambda *_: 1 / 0)
    begun = Checking(rows, FoldRPPSettings())
    with pytest.raises(ZeroDivisionError):
        begun.result(None)


def test_notes_are_those_of_the_thread_that_gathers():
    def say(what):
        logging.getLogger("unless").warning("logged %s", what)
        warnings.warn(f"warned {what}", UserWarning, stacklevel=2)

    with gathering_notes() as notes:
        other = Thread(target=say, args=("there",))
        other.start()
        other.join()
        say("here")
        say("here")
    assert notes == ["logged here", "warned here"]
