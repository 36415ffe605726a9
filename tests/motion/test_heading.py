import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import headings, rotations, write_headings
from strategies import unit_quaternions


@given(pelvis=st.lists(unit_quaternions(), min_size=1, max_size=8), rest=unit_quaternions())
def test_the_kernel_of_headings_is_headings(pelvis, rest):
    pelvis = np.array(pelvis)
    up = rotations.rotate(rotations.multiply(pelvis, rotations.inverse(rest)), np.array([0.0, 1.0, 0.0]))[:, 1]
    if (np.abs(up - 0.5) < 1e-9).any():
        return  # exactly at the limit, which one rounding may cross
    out = np.empty(len(pelvis))

    write_headings(pelvis, rest, out)

    # A step of exactly half a turn may go either way.
    expected = headings(pelvis, rest)
    assert np.allclose(np.exp(1j * out), np.exp(1j * expected), atol=1e-7)
    if not np.isclose(np.abs(np.diff(expected)), np.pi, atol=1e-6).any():
        assert np.allclose(out - out[0], expected - expected[0], atol=1e-7)
