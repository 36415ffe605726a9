"""Windows that grow until there is enough."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.search.widening import check_can_widen, widened
from search.tiny_libraries import library, query_of

LIBRARY = library([{"root": np.zeros((60, 6))}])


def query(**options):
    return query_of(LIBRARY, Segment(1, 0, 60), **options)


@pytest.mark.parametrize(
    ("window", "steps"),
    [
        (0.1, [0.1, 0.2, 0.4, 0.8, 1.0]),
        (0.0, [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0]),
        (0.01, [0.01, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0]),
        (1.0, [1.0]),
        ((0.0, 0.5), [(0.0, 0.5), (0.05, 1.0), (0.1, 1.0), (0.2, 1.0), (0.4, 1.0), (0.8, 1.0), (1.0, 1.0)]),
    ],
)
def test_each_window_is_twice_the_last(window, steps):
    assert [wider.window for wider in widened(query(window=window))] == steps


@pytest.mark.parametrize(
    ("options", "at_least", "message"),
    [
        ({"within": 3.0}, 0, "at_least must be at least 1"),
        ({"within": 3.0, "distance": "euclid"}, 3, "euclid has no window"),
        ({}, 3, "always enough matches"),
        ({"within": 3.0, "k": 2}, 3, "at_least must not be larger than k"),
    ],
)
def test_what_no_window_can_bring(options, at_least, message):
    with pytest.raises(UsageError, match=message):
        check_can_widen(query(**options), at_least)
    check_can_widen(query(distance="lcss"), 3)
