"""Where points keep still."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.rests import Rests, Stillness, find_rests, find_rests_reference, shortest_frames
from motionary.plants.speeds import slowest_speeds, window_frames

STILL = Stillness()


def rests_of(points: np.ndarray, *, rate_hz: float = 60.0, reference: bool = False) -> Rests:
    n_window = window_frames(STILL.window_secs, frame_time=1 / rate_hz, n_frames=len(points))
    speeds = slowest_speeds(points, n_window=n_window, frame_time=1 / rate_hz)
    find = find_rests_reference if reference else find_rests
    return find(points, speeds, frame_time=1 / rate_hz, stillness=STILL)


def along_x(x: np.ndarray) -> np.ndarray:
    """One point (F, 1, 3) that moves along x."""
    return np.stack([x, 0 * x, 0 * x], axis=1)[:, None]


@st.composite
def wanderings(draw) -> tuple[np.ndarray, float]:
    """Points that stop, creep and go, with noise or without, at any rate; single frames and constant ones too."""
    rng = np.random.default_rng(draw(st.integers(0, 9999)))
    n_frames, rate = draw(st.integers(1, 90)), draw(st.sampled_from([0.5, 1.0, 5.0, 24.0, 30.0, 60.0, 120.0, 240.0]))
    moods = rng.choice([0.0, 0.0, 0.05, 0.2, 2.0], size=(n_frames // 8 + 1, 2, 1))
    speeds = np.repeat(moods, 8, axis=0)[:n_frames] * rng.normal(size=(n_frames, 2, 3))
    noise = draw(st.sampled_from([0.0, 0.002])) * rng.normal(size=speeds.shape)
    return np.cumsum(speeds / rate, axis=0) + noise, rate


@given(case=wanderings())
def test_the_kernel_is_its_reference(case):
    points, rate_hz = case

    found, expected = rests_of(points, rate_hz=rate_hz), rests_of(points, rate_hz=rate_hz, reference=True)

    for name in ("point", "start", "stop", "slow_start", "slow_stop"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    np.testing.assert_allclose(found.place, expected.place, atol=1e-12)


@given(case=wanderings())
def test_rests_of_a_point_are_apart_and_near_their_places(case):
    points, rate_hz = case
    rests = rests_of(points, rate_hz=rate_hz)

    same = rests.point[1:] == rests.point[:-1]
    assert np.all(rests.stop[:-1][same] <= rests.start[1:][same])
    assert np.all((rests.slow_start <= rests.start) & (rests.start < rests.stop) & (rests.stop <= rests.slow_stop))
    for point, start, stop, place in zip(rests.point, rests.start, rests.stop, rests.place, strict=True):
        ends = points[[start, stop - 1], point]
        assert np.all(np.linalg.norm(ends - place, axis=1) <= 2 * STILL.spread)


@pytest.mark.parametrize("rate_hz", [24.0, 30.0, 60.0, 120.0, 240.0])
def test_two_rests_and_the_way_between_them(rate_hz):
    times = np.arange(round(2.5 * rate_hz)) / rate_hz
    u = np.clip((times - 1.0) / 0.5, 0.0, 1.0)
    x = 0.5 * u**3 * (10 - 15 * u + 6 * u * u)  # still, half a metre in half a second without a jolt, still

    rests = rests_of(along_x(x), rate_hz=rate_hz)

    assert rests.point.tolist() == [0, 0]
    np.testing.assert_allclose(rests.start / rate_hz, [0.0, 1.5], atol=max(1.0 / rate_hz, 0.025))
    np.testing.assert_allclose((rests.stop - 1) / rate_hz, [1.0, times[-1]], atol=max(1.0 / rate_hz, 0.025))
    np.testing.assert_allclose(rests.place[:, 0], [0.0, 0.5], atol=1e-3)


@pytest.mark.parametrize("rate_hz", [0.1, 1.0, 2.0, 5.0])
def test_a_point_that_creeps_between_key_poses_rests_nowhere(rate_hz):
    """It is slow, yet every key pose has it elsewhere: each was a rest of one frame, more than there was room for."""
    x = 0.1 * np.arange(60) / rate_hz

    rests = rests_of(np.repeat(along_x(x), 4, axis=1), rate_hz=rate_hz)

    assert len(rests) == 0 or rests.n_frames.min() > 1
    assert len(rests) == len(rests_of(np.repeat(along_x(x), 4, axis=1), rate_hz=rate_hz, reference=True))


def test_key_poses_that_stay_are_rests():
    x = np.repeat([0.0, 0.3, 0.3, 0.6], 5)

    rests = rests_of(along_x(x), rate_hz=1.0)

    assert rests.start.tolist() == [0, 5, 15]
    assert rests.stop.tolist() == [5, 15, 20]


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("mirror", [False, True])
def test_a_point_that_shifts_a_little_rests_before_and_after(rate_hz, mirror):
    """Both rests are within one spread; the shorter one was trimmed off the other and lost."""
    times = np.arange(round(5.0 * rate_hz)) / rate_hz
    u = np.clip((times - 1.5) / 0.3, 0.0, 1.0)
    x = 0.02 * u**3 * (10 - 15 * u + 6 * u * u)

    rests = rests_of(along_x(x[::-1] if mirror else x), rate_hz=rate_hz)

    assert len(rests) == 2
    assert (rests.n_frames / rate_hz).min() > 1.3
    np.testing.assert_allclose(np.sort(rests.place[:, 0]), [0.0, 0.02], atol=2e-3)


def test_a_constant_motion_rests_all_the_time():
    rests = rests_of(np.full((50, 4, 3), 0.25))

    assert rests.start.tolist() == [0] * 4
    assert rests.stop.tolist() == [50] * 4
    np.testing.assert_allclose(rests.place, 0.25)


def test_one_frame_is_a_rest():
    rests = rests_of(np.zeros((1, 4, 3)))

    assert rests.stop.tolist() == [1] * 4


def test_what_is_never_slow_never_rests():
    assert len(rests_of(along_x(np.arange(60) * 0.02))) == 0  # 1.2 m/s


def test_a_slow_slide_is_cut_into_rests_of_one_spread():
    rests = rests_of(along_x(np.arange(240) / 60 * 0.03))  # 12 cm in 4 s

    assert 6 <= len(rests) <= 11
    assert np.all(np.diff(rests.place[:, 0]) > 0.5 * STILL.spread)
    assert np.all(rests.stop - rests.start <= STILL.spread / 0.03 * 60 + 2)
    assert np.all(rests.slow_start[1:] - rests.slow_stop[:-1] < shortest_frames(0.05, frame_time=1 / 60, n_frames=240))


def test_a_bump_in_a_rest_does_not_part_it():
    """Half a frame's worth of a lost marker: out by 10 cm, and back at once."""
    x = np.zeros(60)
    x[30] = 0.1

    rests = rests_of(along_x(x))

    assert (rests.start.tolist(), rests.stop.tolist()) == ([0], [60])
    assert abs(rests.place[0, 0]) < 1e-9


@pytest.mark.parametrize(
    ("secs", "rate_hz", "n_frames", "expected"),
    [(0.05, 60, 99, 3), (0.05, 24, 99, 2), (0.05, 240, 99, 12), (0.05, 60, 1, 1)],
)
def test_the_shortest_rest_in_frames(secs, rate_hz, n_frames, expected):
    assert shortest_frames(secs, frame_time=1 / rate_hz, n_frames=n_frames) == expected


def test_some_of_the_rests():
    rests = rests_of(np.full((20, 4, 3), 0.25))

    kept = rests.only(np.array([True, False, False, True]))

    assert kept.point.tolist() == [0, 3]
    assert kept.n_frames.tolist() == [20, 20]
