"""When points arrive and set out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.rest_ends import _ends, ends_reference

TIGHT, REACH, LEAVING_SECS = 0.008, 0.022, 0.025


def ends(point: np.ndarray, start: int, stop: int, *, rate_hz: float) -> tuple[int, int]:
    place = np.zeros(3)
    found = _ends(point[:, None], 0, start, stop, *place, TIGHT, REACH, LEAVING_SECS * rate_hz, np.empty(len(point)))
    expected = ends_reference(point, start, stop, place, tight=TIGHT, reach=REACH, leaving=LEAVING_SECS * rate_hz)
    assert tuple(found) == expected
    return expected


def departing(rate_hz: float, *, at: float, secs: float, metres: float) -> np.ndarray:
    """A point (F, 3) at rest until `at` that goes up by the path of minimum jerk, over 1.5 s in all."""
    times = np.arange(round(1.5 * rate_hz)) / rate_hz
    u = np.clip((times - at) / secs, 0.0, 1.0)
    height = metres * u**3 * (10 - 15 * u + 6 * u * u)
    return np.stack([0 * height, height, 0 * height], axis=1)


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
@pytest.mark.parametrize(("secs", "metres"), [(0.12, 0.06), (0.25, 0.12), (0.4, 0.6)])
def test_setting_out_is_found_to_a_frame_or_two(rate_hz, secs, metres):
    point = departing(rate_hz, at=0.8, secs=secs, metres=metres)
    slow = int(np.flatnonzero(point[:, 1] < REACH)[-1]) + 1

    start, stop = ends(point, 0, slow, rate_hz=rate_hz)
    back = ends(point[::-1].copy(), len(point) - slow, len(point), rate_hz=rate_hz)

    assert start == 0
    assert abs((stop - 1) / rate_hz - 0.8) <= max(1 / rate_hz, 0.025)
    assert back == (len(point) - stop, len(point))  # arriving is setting out in reverse


def test_noise_hides_little_of_it():
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(50):
        point = departing(60.0, at=0.8, secs=0.25, metres=0.12) + 0.002 * rng.normal(size=(90, 3))
        slow = int(np.flatnonzero(point[:, 1] < REACH)[-1]) + 1
        errors.append(ends(point, 0, slow, rate_hz=60.0)[1] - 1 - 48)

    assert abs(np.median(errors)) <= 1
    assert np.percentile(np.abs(errors), 95) <= 3


def test_what_wanders_keeps_its_ends():
    """A foot that creeps by 3 cm while it stands is cut where it leaves the neighbourhood that its creeping shows."""
    x = np.linspace(-0.015, 0.015, 40)
    point = np.stack([x, 0 * x, 0 * x], axis=1)

    assert ends(point, 0, 40, rate_hz=60.0) == (0, 40)


def test_a_point_that_is_never_near_its_place_has_no_frames():
    assert ends(np.full((6, 3), 1.0), 0, 6, rate_hz=60.0) == (6, 6)


@given(
    seed=st.integers(0, 9999), size=st.sampled_from([0.0005, 0.003, 0.01]), rate_hz=st.sampled_from([24.0, 60.0, 240.0])
)
def test_the_kernel_is_its_reference_and_stays_inside(seed, size, rate_hz):
    rng = np.random.default_rng(seed)
    point = np.cumsum(size * rng.normal(size=(int(rng.integers(1, 40)), 3)), axis=0)
    start = int(rng.integers(0, len(point)))
    stop = int(rng.integers(start + 1, len(point) + 1))

    first, last = ends(point, start, stop, rate_hz=rate_hz)

    assert start <= first <= last <= stop
