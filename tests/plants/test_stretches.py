"""The longest stretch of a path that stays together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.stretches import BLOCK, longest_stretch, longest_stretch_reference


def along_x(values: list[float]) -> np.ndarray:
    return np.array([(x, 0.0, 0.0) for x in values])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5], (0, 1)),
        ([0, 9, 18], (0, 1)),  # nothing stays: the first frame
        ([0, 0, 0], (0, 3)),
        ([0, 1, 2, 3, 4], (0, 3)),  # a creep: the first of equally long ones
        ([9, 0, 1, 0, 2, 9], (1, 5)),
        ([0, 0, 9, 0, 0, 0], (3, 6)),  # one frame elsewhere parts
        ([0, 2, 4, 4, 4, 2, 0], (1, 6)),  # as far apart as may be
    ],
)
def test_stretches_of_a_spread_of_two(values, expected):
    assert longest_stretch(along_x(values), spread=2.0) == expected


@given(seed=st.integers(0, 9999), n_frames=st.integers(1, 4 * BLOCK), speed=st.sampled_from([0.0, 1e-4, 1e-3, 1e-2]))
def test_the_kernel_is_its_reference(seed, n_frames, speed):
    rng = np.random.default_rng(seed)
    path = np.cumsum(speed * rng.normal(size=(n_frames, 3)), axis=0) + 0.002 * rng.normal(size=(n_frames, 3))

    assert longest_stretch(path, spread=0.02) == longest_stretch_reference(path, spread=0.02)
