import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import mask_intervals, mask_of_intervals


@given(mask=st.lists(st.booleans(), max_size=30))
def test_intervals_and_masks_are_inverse(mask):
    intervals = mask_intervals(np.array(mask, dtype=bool))

    assert mask_of_intervals(intervals, len(mask)).tolist() == mask
    assert all(start < stop for start, stop in intervals)
    assert (intervals[1:, 0] > intervals[:-1, 1]).all()
