"""Frames of a clip and frames at the search rate: both ways, half-open, exact where the rates are one."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.features import Rates, at_search_rate
from motionary.motion import Motion, rotations
from motionary.motion.skeleton import Skeleton
from strategies import FRAME_TIMES

TIMES = {24: 1 / 24, 29.97: 1001 / 30000, 30: 1 / 30, 60: 1 / 60, 119.88: 1001 / 120000, 120: 1 / 120}
STEPS = {24: (4, 5), 29.97: (1000, 1001), 30: (1, 1), 60: (2, 1), 119.88: (4000, 1001), 120: (4, 1)}


def spinning(n_frames: int, frame_time: float) -> Motion:
    """One joint that turns about y by 1 rad/s and moves along x by 1 m/s."""
    secs = np.arange(n_frames) * frame_time
    turns = rotations.from_rotation_vector(np.stack([0 * secs, secs, 0 * secs], axis=1))
    skeleton = Skeleton(("Hips",), np.array([-1]), np.zeros((1, 3)))
    return Motion(skeleton, frame_time, np.stack([secs, 0 * secs, 0 * secs], axis=1), turns[:, None])


@pytest.mark.parametrize("rate", TIMES)
def test_the_step_is_exact(rate):
    assert Rates.of(100, frame_time=TIMES[rate]).step == Fraction(*STEPS[rate])


@pytest.mark.parametrize(
    ("written", "step"), [(0.0333333, 1), (0.0083333, 4), (0.00833, 4), (0.0416667, Fraction(4, 5))]
)
def test_a_rounded_frame_time_means_the_round_rate(written, step):
    if written == 0.00833:  # wrong by 4e-4: that is another rate
        assert Rates.of(100, frame_time=written).step != step
    else:
        assert Rates.of(100_000, frame_time=written).step == step


@pytest.mark.parametrize("rate", TIMES)
def test_resampled_frames_stand_at_their_times(rate):
    motion = spinning(50, TIMES[rate])

    resampled, rates = at_search_rate(motion)

    assert resampled.n_frames == rates.n_search_frames
    assert resampled.frame_time == 1 / 30
    secs = np.arange(resampled.n_frames) / 30
    assert np.allclose(resampled.root_positions[:, 0], secs)
    assert np.allclose(rotations.to_rotation_vector(resampled.rotations[:, 0])[:, 1], secs)
    assert secs[-1] <= (motion.n_frames - 1) * motion.frame_time + 1e-9 < secs[-1] + 1 / 30


@pytest.mark.parametrize("every", [1, 2, 4])
def test_frames_that_exist_are_taken_as_they_are(every):
    motion = spinning(41, 1 / (30 * every))

    resampled, _ = at_search_rate(motion)

    assert np.array_equal(resampled.rotations, motion.rotations[::every])
    assert np.array_equal(resampled.root_positions, motion.root_positions[::every])


def test_segments_of_a_clip_at_the_search_rate_are_the_same():
    rates = Rates.of(100, frame_time=0.0333333)

    assert rates.n_search_frames == 100
    for segment in [(0, 1), (0, 100), (31, 90), (99, 100)]:
        assert rates.search_segment(*segment) == rates.clip_segment(*segment) == segment


def test_segments_by_hand():
    assert Rates.of(240, frame_time=1 / 120).search_segment(8, 32) == (2, 8)
    assert Rates.of(240, frame_time=1 / 120).clip_segment(2, 8) == (8, 32)
    assert Rates.of(48, frame_time=1 / 24).search_segment(8, 16) == (10, 20)
    assert Rates.of(48, frame_time=1 / 24).clip_segment(10, 20) == (8, 16)
    assert Rates.of(60, frame_time=1 / 60).search_segment(31, 61 - 1) == (16, 30)  # a half goes to the later frame
    assert Rates.of(60, frame_time=1 / 60).search_segment(30, 31) == (15, 16)  # at least one frame


@st.composite
def rates_and_segment(draw):
    n_frames = draw(st.integers(1, 400))
    rates = Rates.of(n_frames, frame_time=draw(st.sampled_from([*TIMES.values(), *FRAME_TIMES])))
    start = draw(st.integers(0, n_frames - 1))
    return rates, start, draw(st.integers(start + 1, n_frames))


def nearest(frame: Fraction) -> int:
    """The nearest whole frame, halves to the later one."""
    return math.floor(frame + Fraction(1, 2))


@given(case=rates_and_segment())
def test_ends_go_to_the_nearest_frame_and_at_least_one_frame_remains(case):
    rates, start, stop = case
    n_search = rates.n_search_frames

    first, last = rates.search_segment(start, stop)

    assert 0 <= first < last <= n_search
    assert first == min(nearest(start / rates.step), n_search - 1)
    end = n_search if stop == rates.n_frames else min(nearest(stop / rates.step), n_search)
    assert last == max(end, first + 1)


@given(case=rates_and_segment())
def test_to_the_finer_rate_and_back_changes_nothing(case):
    rates, start, stop = case

    if rates.step <= 1:  # the search rate is the finer one, but for the clip's last frame, which may have none there
        start = min(start, max(rates.n_frames - 2, 0))
        stop = stop if start < stop < rates.n_frames - 1 else rates.n_frames
        assert rates.clip_segment(*rates.search_segment(start, stop)) == (start, stop)
        return
    n_search = rates.n_search_frames
    first, last = min(start, n_search - 1), min(stop, n_search)
    last = max(last, first + 1)
    assert rates.search_segment(*rates.clip_segment(first, last)) == (first, last)


@given(case=rates_and_segment())
def test_inside_a_segment_is_all_that_does_not_stick_out(case):
    rates, start, stop = case

    def sticks_out(first, last):
        segment = rates.clip_segment(first, last)
        return segment[0] < start or segment[1] > stop

    first, last = rates.search_segment_inside(start, stop)

    frames = range(first, last)
    assert not any(sticks_out(a, b) for a in (*frames[:3], *frames[-3:]) for b in range(a + 1, last + 1))
    assert first == 0 or sticks_out(first - 1, first)
    assert last == rates.n_search_frames or sticks_out(last, last + 1)


def test_inside_a_segment_by_hand():
    rates = Rates.of(240, frame_time=1 / 120)

    assert rates.search_segment(98, 178) == (25, 45)
    assert rates.search_segment_inside(98, 178) == (25, 44)  # the clip's frames 100 to 176
    assert rates.search_segment_inside(97, 99) == (25, 25)
    assert rates.search_segment_inside(0, 240) == (0, 60)


@given(case=rates_and_segment())
def test_segments_that_touch_still_touch_if_both_have_a_frame_left(case):
    rates, start, stop = case
    middle = nearest(stop / rates.step)

    if stop < rates.n_frames and nearest(start / rates.step) < middle < rates.n_search_frames:
        assert rates.search_segment(start, stop)[1] == middle == rates.search_segment(stop, rates.n_frames)[0]


@given(case=rates_and_segment())
def test_the_whole_clip_is_the_whole_clip(case):
    rates, _, _ = case

    assert rates.search_segment(0, rates.n_frames) == (0, rates.n_search_frames)
    assert rates.clip_segment(0, rates.n_search_frames) == (0, rates.n_frames)


def test_what_is_not_there_is_refused():
    rates = Rates.of(10, frame_time=1 / 60)
    with pytest.raises(UsageError, match=r"no frames \[5, 11\) in a clip of 10 frames"):
        rates.search_segment(5, 11)
    with pytest.raises(UsageError, match=r"no frames \[0, 6\) among 5 at the search rate"):
        rates.clip_segment(0, 6)
    with pytest.raises(UsageError, match="a search rate of 0 Hz is not possible"):
        Rates.of(10, frame_time=1 / 60, rate_hz=0)
