"""Many windows at once: bit for bit what one call for each gives."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases, table
from motionary.alignment import dtw, dtw_at, euclid, euclid_at, lcss, lcss_at
from motionary.errors import UsageError


@given(case=search_cases())
def test_all_windows_have_the_distances_of_single_calls(case):
    frames = np.concatenate([case.candidate, table(case.rng, "ties", 9, case.query.shape[1]), case.query])
    frames = frames.astype(np.float32)
    starts = np.arange(len(frames) - case.n_frames + 1)[::-1]
    windows = [frames[start : start + case.n_frames] for start in starts]
    weights, radii, thresholds = case.weights, case.radii, case.thresholds

    euclids = euclid_at(case.query, frames, starts, weights=weights)
    warped = dtw_at(case.query, frames, starts, weights=weights, radius=radii)
    common = lcss_at(case.query, frames, starts, thresholds=thresholds, radius=radii)

    assert euclids.tolist() == [euclid(case.query, window, weights=weights) for window in windows]
    assert warped.tolist() == [dtw(case.query, window, weights=weights, radius=radii) for window in windows]
    singles = [lcss(case.query, window, thresholds=thresholds, radius=radii) for window in windows]
    assert common.tolist() == [single.n_common for single in singles]


def test_giving_up_leaves_the_near_ones():
    frames = np.arange(6, dtype=np.float32)[:, None]

    found = dtw_at(np.array([[2.0], [3.0]]), frames, np.arange(5), give_up_above=2.0)

    assert found.tolist() == [np.inf, 2.0, 0.0, 2.0, np.inf]


def test_no_windows_have_no_distances():
    assert euclid_at(np.zeros((2, 1)), np.zeros((4, 1)), np.zeros(0, dtype=int)).shape == (0,)


def test_windows_that_are_not_there_are_refused():
    with pytest.raises(UsageError, match="a window of 2 frames reaches beyond a table of 4"):
        euclid_at(np.zeros((2, 1)), np.zeros((4, 1)), np.array([3]))
    with pytest.raises(UsageError, match=r"a query of 1 dimensions does not match a table of shape \(4, 2\)"):
        dtw_at(np.zeros((2, 1)), np.zeros((4, 2)), np.array([0]))
