"""Kernels in threads: every part of the work is done once, whatever the number of threads."""

from threading import Barrier

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
