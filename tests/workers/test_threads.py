"""Kernels in threads: every part of the work is done once, whatever the number of threads."""

import os
import signal
from threading import Barrier
from time import sleep

import numpy as np
import pytest
from numba import njit

from motionary.workers import in_threads, n_cores


@njit(nogil=True)
def square(thread, n_threads, values, out, threads):
    for k in range(thread, len(values), n_threads):
        out[k] += values[k] ** 2
        threads[k] = n_threads


@pytest.mark.parametrize("asked", [None, 1, 3, 8])
@pytest.mark.parametrize("n_parts", [0, 1, 5, 100])
def test_every_part_is_done_once(monkeypatch, asked, n_parts):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    if asked is not None:
        monkeypatch.setenv("NUMBA_NUM_THREADS", str(asked))
    values, out, threads = np.arange(float(n_parts)), np.zeros(n_parts), np.zeros(n_parts, dtype=int)

    in_threads(square, values, out, threads, n_parts=n_parts)

    np.testing.assert_array_equal(out, values**2)
    assert (threads == min(asked or n_cores(), n_parts)).all()


def test_threads_run_side_by_side_and_what_fails_in_one_is_told(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    meeting = Barrier(2)

    def fail(thread: int, n_threads: int) -> None:
        assert n_threads == 2
        meeting.wait(timeout=60)  # breaks unless both are there at once
        if thread == 1:
            raise ValueError("the other thread")

    with pytest.raises(ValueError, match="the other thread"):
        in_threads(fail, n_parts=2)


def test_an_environment_that_says_nothing_is_ignored(monkeypatch):
    for text in ("two", "0", "-3", ""):
        monkeypatch.setenv("NUMBA_NUM_THREADS", text)
        threads = np.zeros(100, dtype=int)
        in_threads(square, np.zeros(100), np.zeros(100), threads, n_parts=100)
        assert (threads == n_cores()).all()


def test_an_interrupt_waits_for_the_other_threads(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    finished = []

    def work(thread: int, n_threads: int) -> None:
        assert n_threads == 2
        if thread == 0:
            signal.raise_signal(signal.SIGINT)
        sleep(0.2)
        finished.append(thread)

    with pytest.raises(KeyboardInterrupt):
        in_threads(work, n_parts=2)
    assert finished == [1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_threads_of_its_own(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    out = np.zeros(10)
    in_threads(square, np.ones(10), out, np.zeros(10, dtype=int), n_parts=10)
    child = os.fork()
    if child == 0:
        in_threads(square, np.ones(10), out, np.zeros(10, dtype=int), n_parts=10)
        os._exit(0 if (out == 2.0).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
