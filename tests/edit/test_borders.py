"""Borders of edits: the kernel that eases one motion into another against its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.edit.borders import _mix, mix_reference
from motionary.motion import rotations


@given(seed=st.integers(0, 10_000), near=st.booleans())
def test_frames_are_mixed_as_the_definition_says(seed: int, near: bool) -> None:
    """Strengths of nothing, all, and more than all; the same pose, opposite signs, and poses far apart."""
    rng = np.random.default_rng(seed)
    turned = rotations.normalise(rng.normal(size=(7, 4, 4)))
    posed = rotations.normalise(turned + (1e-8 if near else 1.0) * rng.normal(size=(7, 4, 4)))
    posed[2] = turned[2]
    posed[3] = -turned[3]
    weights = np.array([0.0, 0.3, 0.7, 1.0, 1.8, -0.4, 1.0])
    chosen = np.array([0, 2, 3])
    mixed = turned.copy()

    _mix(mixed, posed, weights, chosen)

    assert np.abs(mixed - mix_reference(turned, posed, weights, chosen)).max() < 1e-12
    assert np.array_equal(mixed[:, 1], turned[:, 1])
    assert np.array_equal(mixed[0], turned[0])
    assert np.array_equal(mixed[2], turned[2])
