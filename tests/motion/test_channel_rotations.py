"""Rotation channels against Euler angles by the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import rotations
from motionary.motion.channel_rotations import from_channels, from_channels_reference
from strategies import numbers

ORDERS = st.permutations([0, 1, 2]).flatmap(lambda axes: st.integers(0, 3).map(lambda n: axes[:n]))


@st.composite
def channels(draw):
    """(values, columns, axes) of a few joints with 0 to 3 rotation channels, in any columns."""
    axes = draw(st.lists(ORDERS, min_size=1, max_size=4))
    n_channels = sum(map(len, axes)) + 1
    free = list(draw(st.permutations(range(n_channels))))
    columns = [[free.pop() for _ in own] for own in axes]
    angle = st.one_of(numbers(-400.0, 400.0), st.integers(-16, 16).map(lambda n: 45.0 * n), numbers(-5000.0, 5000.0))
    n_frames = draw(st.integers(1, 4))
    values = [[draw(angle) for _ in range(n_channels)] for _ in range(n_frames)]

    def padded(rows):
        return np.array([[*row, -1, -1, -1][:3] for row in rows])

    return np.array(values), padded(columns).astype(np.int32), padded(axes).astype(np.int8)


@given(channels())
def test_rotations_are_those_of_the_euler_angles(case):
    turned, expected = from_channels(*case), from_channels_reference(*case)

    assert rotations.angle_between(turned, expected).max() < 1e-12
    assert np.abs(np.linalg.norm(turned, axis=-1) - 1.0).max() < 1e-14
    assert np.sum(turned[1:] * turned[:-1], axis=-1).min(initial=0.0) >= -1e-12  # continuous over time


@pytest.mark.parametrize(
    ("angle", "w", "x"),
    [(0, 1, 0), (90, 0.5**0.5, 0.5**0.5), (180, 0, 1), (270, -(0.5**0.5), 0.5**0.5), (360, -1, 0), (540, 0, -1),
     (720, 1, 0), (-90, 0.5**0.5, -(0.5**0.5)), (-180, 0, -1), (-360, -1, 0), (60, 0.75**0.5, 0.5),
     (7.2e9, 1, 0), (7.2e9 + 180, 0, 1), (1e12, np.cos(np.radians(40)), -np.sin(np.radians(40)))],
)  # fmt: skip
def test_round_turns_are_exact(angle, w, x):
    turned = from_channels(np.array([[angle]], dtype=float), np.array([[0, -1, -1]]), np.array([[0, -1, -1]]))

    np.testing.assert_allclose(turned[0, 0], [w, x, 0, 0], atol=2e-16)


def test_sines_are_those_of_numpy_to_the_last_places():
    angles = np.random.default_rng(5).uniform(-720.0, 720.0, 20_000)
    turned = from_channels(angles[None], np.arange(20_000)[:, None] * [1, 0, 0] - [0, 1, 1], np.full((20_000, 3), 1))[0]

    np.testing.assert_allclose(turned[:, 0], np.cos(np.radians(angles) / 2), atol=2e-15)
    np.testing.assert_allclose(turned[:, 2], np.sin(np.radians(angles) / 2), atol=2e-15)
