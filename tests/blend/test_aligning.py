import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blend.made_sources import reach
from motionary.blend import align, align_grid, cloud_of, clouds_for
from motionary.blend.aligning import DIAGONAL, align_near, align_reference, can_align
from motionary.errors import UsageError


def path_cost(grid, pairs):
    steps = np.diff(pairs, axis=0).sum(axis=1)
    return DIAGONAL * grid[0, 0] + sum(
        (DIAGONAL if step == 2 else 1.0) * grid[i, j] for step, (i, j) in zip(steps, pairs[1:], strict=True)
    )


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), shape=st.tuples(st.integers(2, 9), st.integers(2, 9)), limit=st.integers(2, 4))
def test_the_path_is_the_cheapest_within_the_limit(seed, shape, limit):
    grid = np.random.default_rng(seed).uniform(0, 1, shape)
    if not np.isfinite(align_reference(grid, slope_limit=limit)):
        with pytest.raises(UsageError, match="cannot be aligned"):
            align_grid(grid, slope_limit=limit)
        return

    pairs = align_grid(grid, slope_limit=limit).alignment.pairs

    assert path_cost(grid, pairs) == pytest.approx(align_reference(grid, slope_limit=limit))
    assert pairs[0].tolist() == [0, 0]
    assert pairs[-1].tolist() == [shape[0] - 1, shape[1] - 1]
    for axis in (0, 1):
        _, counts = np.unique(pairs[:, axis], return_counts=True)
        assert counts.max() <= limit
    assert can_align(*shape, slope_limit=limit)


def test_a_motion_is_aligned_with_its_slower_self():
    fast, slow = reach(10.0, n_frames=40, peak=18), reach(10.0, n_frames=70, peak=40)

    pair = align(*(clouds_for(cloud_of(s), frame_time=s.motion.frame_time) for s in (fast, slow)))

    at = pair.alignment.pairs[np.argmin(np.abs(pair.alignment.pairs[:, 0] - 18)), 1]
    assert abs(int(at) - 40) <= 2
    assert pair.cost < 0.01


def test_a_limit_below_two_is_refused():
    with pytest.raises(UsageError, match="at least 2"):
        align_grid(np.zeros((3, 3)), slope_limit=1)


def test_a_curve_that_is_off_is_mended_by_movement():
    across, outwards = reach(-60.0, n_frames=60, peak=20), reach(60.0, n_frames=60, peak=34)
    clouds = [clouds_for(cloud_of(s), frame_time=s.motion.frame_time) for s in (across, outwards)]
    off = np.interp(np.arange(60.0), [0, 20, 59], [0, 38, 59])  # four frames late at the apex

    pairs = align_near(*clouds, off, within=6.0).alignment.pairs

    assert abs(pairs[pairs[:, 0] == 20, 1].mean() - 34) <= 2.0
    assert np.abs(off[pairs[:, 0]] - pairs[:, 1]).max() <= 7.0
