import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import euler, rotations
from motionary.motion.channel_rotations import from_channels, from_channels_reference
from strategies import numbers

NOBODY = (-1, -1, -1)
degrees = st.one_of(
    numbers(-5000.0, 5000.0),
    st.sampled_from(range(-7200, 7201, 45)).map(float),
    st.sampled_from(
        [1e-300, -1e-12, 89.99999999999999, 90.00000000000001, 179.99999999999997, 269.99999999999994]
    ),
)


@st.composite
def cases(draw):
    """Numbers, and for each joint up to three columns of them with the axes they turn about."""
    n_joints, n_frames = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    orders = [draw(st.permutations(range(3)))[: draw(st.integers(0, 3))] for _ in range(n_joints)]
    n_columns = sum(len(order) for order in orders) + draw(st.integers(0, 3))  # positions stand between them
    free = list(draw(st.permutations(range(n_columns))))
    columns = [([free.pop() for _ in order] + list(NOBODY))[:3] for order in orders]
    axes = [(list(order) + list(NOBODY))[:3] for order in orders]
    row = st.lists(degrees, min_size=n_columns, max_size=n_columns)
    values = np.array(draw(st.lists(row, min_size=n_frames, max_size=n_frames))).reshape(n_frames, n_columns)
    return values, np.array(columns, dtype=np.int32), np.array(axes, dtype=np.int8)


@given(case=cases())
def test_channels_agree_with_euler_angles(case):
    found, expected = from_channels(*case), from_channels_reference(*case)

    assert rotations.angle_between(found, expected).max() <= 1e-12
    assert np.linalg.norm(found, axis=-1) == pytest.approx(np.ones(found.shape[:2]), abs=1e-14)
    assert np.all(np.sum(found[1:] * found[:-1], axis=-1) >= 0.0)


@pytest.mark.parametrize("axis", range(3))
def test_one_channel_agrees_with_sine_and_cosine_everywhere(axis):
    angles = np.concatenate([np.arange(-1441, 1441, 0.5), np.nextafter(np.arange(-720.0, 721.0, 45.0), 9999.0)])
    columns, axes = np.array([[0, *NOBODY[1:]]]), np.array([[axis, *NOBODY[1:]]])

    turned = from_channels(angles[:, None], columns, axes)[:, 0]

    cosine, sine = np.cos(np.radians(angles) / 2.0), np.sin(np.radians(angles) / 2.0)
    sign = np.sign(turned[:, 0] * cosine + turned[:, 1 + axis] * sine)
    assert turned[:, 0] * sign == pytest.approx(cosine, abs=2e-15)
    assert turned[:, 1 + axis] * sign == pytest.approx(sine, abs=2e-15)


@pytest.mark.parametrize("whole", [0, 360, -360, 720, 3600, 36_000_000, -36_000_000_000])
@pytest.mark.parametrize("left", [0.0, 0.5, 45.0, 90.0, 179.0, 180.0, 270.0, 315.0])
def test_whole_turns_lose_nothing(whole, left):
    turned = from_channels(np.array([[whole + left]]), np.array([[0, -1, -1]]), np.array([[1, -1, -1]]))[0, 0]

    expected = euler.from_euler(np.radians([left]), "Y")
    assert rotations.angle_between(turned, expected) <= 2e-15


def test_joints_without_channels_do_not_turn():
    turned = from_channels(np.zeros((2, 0)), np.array([NOBODY]), np.array([NOBODY]))

    assert np.array_equal(turned, np.broadcast_to(rotations.IDENTITY, (2, 1, 4)))
