"""Hysteresis on curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import mask_intervals
from motionary.plants.intervals import low_intervals, low_intervals_reference

CURVES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.0]), min_size=1, max_size=30).map(np.array)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3, 3, 3], []),
        ([1], [(0, 1)]),
        ([2], []),  # low enough to stay, not to enter
        ([3, 2, 1, 2, 3], [(1, 4)]),  # from where it could stay to where it could still stay
        ([1, 2, 2, 2, 3, 2, 3, 1], [(0, 4), (7, 8)]),  # the 2 in between never enters
        ([1, 3, 1], [(0, 1), (2, 3)]),
        ([1, 2, 1], [(0, 3)]),  # a bump between the thresholds does not part
    ],
)
def test_a_curve_is_low_from_leave_to_leave_where_it_enters(values, expected):
    found = low_intervals(np.array(values, dtype=float), enter=1.0, leave=2.0)

    assert [tuple(interval) for interval in found.tolist()] == expected


@given(values=CURVES, enter=st.sampled_from([0.0, 0.5, 1.0]), more=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_kernel_is_its_reference(values, enter, more):
    found = low_intervals(values, enter=enter, leave=enter + more)

    np.testing.assert_array_equal(found, low_intervals_reference(values, enter=enter, leave=enter + more))


@given(values=CURVES)
def test_without_hysteresis_it_is_a_threshold(values):
    np.testing.assert_array_equal(low_intervals(values, enter=1.0, leave=1.0), mask_intervals(values <= 1.0))


@given(mask=st.lists(st.booleans(), max_size=20))
def test_intervals_of_a_mask_make_the_mask(mask):
    again = np.zeros(len(mask), dtype=bool)
    for start, stop in mask_intervals(np.array(mask, dtype=bool)):
        assert start < stop
        again[start:stop] = True

    assert again.tolist() == mask
