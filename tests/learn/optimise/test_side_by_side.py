"""Threads are waited for whatever happens: what they write into is read next."""

from __future__ import annotations

import threading
import time

import pytest

from unless.learn.optimise.side_by_side import Threads, threads


def test_work_comes_back_in_its_order():
    for n in (1, 2, 3):
        with threads(n) as side_by_side:
            assert side_by_side.map(lambda x: x * x, range(9)) == [x * x for x in range(9)]
    assert Threads().pool is None


def test_threads_are_waited_for_however_often_ctrl_c_is_typed(monkeypatch):
    done, tries = [], []

    def work():
        time.sleep(0.05)
        done.append(1)

    def begin():
        with threads(2) as side_by_side:
            pool = side_by_side.pool
            shutdown = pool.shutdown

            def impatient(**options):
                tries.append(options)
                if len(tries) < 3:
                    raise KeyboardInterrupt
                shutdown(**options)

            monkeypatch.setattr(pool, "shutdown", impatient)
            pool.submit(work)

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert done == [1]
    assert len(tries) == 3


def test_what_is_not_begun_when_it_ends_never_is():
    begun, late, go_on = [], [], threading.Event()

    def begin():
        with threads(2) as side_by_side:
            for _ in range(2):
                side_by_side.pool.submit(go_on.wait)
            late.append(side_by_side.pool.submit(lambda: begun.append(1)))
            threading.Timer(0.05, go_on.set).start()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert late[0].cancelled()
    assert begun == []
