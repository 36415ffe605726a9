import numpy as np
import pytest

from motionary.motion import ease, ease_slope, eased, fades


def test_easing_starts_and_stops_at_rest():
    t = np.linspace(-0.5, 1.5, 2001)

    values = ease(t)

    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert ease(0.5) == pytest.approx(0.5)
    assert (np.diff(values) >= 0).all()
    assert np.gradient(values, t) == pytest.approx(ease_slope(t), abs=1e-3)
    assert np.abs(np.diff(values, 2)).max() / (t[1] - t[0]) ** 2 < 6.0  # no kink at the ends
    assert [eased(x) for x in t[::100]] == pytest.approx(ease(t[::100]))


def test_fades_reach_one_and_leave_it():
    weights = fades(20, fade_in=5, fade_out=3)

    assert weights[5:17] == pytest.approx(np.ones(12))
    assert (np.diff(weights[:6]) > 0).all()
    assert (np.diff(weights[16:]) < 0).all()
    assert weights[-1] > 0
    assert fades(4) == pytest.approx(np.ones(4))
