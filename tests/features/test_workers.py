"""One function over many items, in one process or several."""

import math

import pytest

from motionary.features.workers import in_processes, n_cores


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order(processes):
    items = list(range(20))

    assert list(in_processes(math.factorial, items, processes=processes)) == [(i, math.factorial(i)) for i in items]


def test_errors_come_through():
    with pytest.raises(ValueError):
        list(in_processes(math.factorial, [1, -1, 2], processes=1))


def test_there_is_a_core():
    assert n_cores() >= 1
