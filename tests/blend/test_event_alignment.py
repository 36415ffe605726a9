"""Registrations in which moments meet."""

import numpy as np
import pytest

from blend.made_sources import reach
from motionary.blend import blend, meet, register
from motionary.errors import UsageError

PEAKS = (22, 30, 26, 34)


@pytest.fixture(scope="module")
def reaches():
    sources = [reach(angle, peak=peak) for angle, peak in zip((-60.0, -10.0, 40.0, 90.0), PEAKS, strict=True)]
    return register(sources)


def moments(registration, frames):
    return [registration.clock_at(i, frame) for i, frame in enumerate(frames)]


def test_what_happens_in_all_meets_on_the_clock(reaches):
    met = meet(reaches, np.array(PEAKS)[:, None])

    assert np.ptp(moments(met, PEAKS)) < 0.1
    assert (np.diff(met.curves, axis=1) > 0).all()
    assert met.slopes.max() <= reaches.options.slope_limit
    assert met.curves[:, [0, -1]] == pytest.approx(reaches.curves[:, [0, -1]])
    assert met.curves[met.reference] == pytest.approx(np.arange(met.n_clock))
    assert blend(met, [0.25] * 4).motion.n_frames == blend(reaches, [0.25] * 4).motion.n_frames


def test_moments_in_another_order_or_at_the_ends_do_not_count(reaches):
    later = np.array(PEAKS) + 6.0
    later[2] = PEAKS[2] - 6.0

    met = meet(reaches, np.stack([PEAKS, later, np.zeros(4)], axis=1))

    assert np.ptp(moments(met, PEAKS)) < 0.1


def test_several_moments_meet(reaches):
    met = meet(reaches, np.stack([np.array(PEAKS) + 8.0, np.array(PEAKS) - 8.0], axis=1))

    for by in (-8.0, 8.0):
        assert np.ptp(moments(met, np.array(PEAKS) + by)) < 0.3


def test_what_cannot_be_bent_so_far_is_left(reaches):
    frames = np.array([*PEAKS[:3], 57.0])

    met = meet(reaches, frames[:, None])

    if met.reference != 3:
        assert met.curves[3] == pytest.approx(reaches.curves[3])


def test_frames_that_do_not_fit_are_refused(reaches):
    with pytest.raises(UsageError, match="4 motions need as many rows"):
        meet(reaches, np.zeros((3, 1)))
    with pytest.raises(UsageError, match="as many rows of frames"):
        meet(reaches, np.full((4, 1), np.nan))
