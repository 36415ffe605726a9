"""Recordings as rows and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.small_banks import recording
from motionary.bank.storage import frames_size, pack, unpack
from motionary.motion import Recording, Space, recording_of
from strategies import motions


@given(motion=motions(), data=st.data())
def test_there_and_back(motion, data) -> None:  # type: ignore[no-untyped-def]
    original = recording_of(motion)
    start = data.draw(st.integers(0, original.n_frames - 1))
    stop = data.draw(st.integers(start + 1, original.n_frames))

    packed = pack(original)
    back = unpack(packed, start, stop)

    assert len(packed.frames) == frames_size(packed.skeleton, original.n_frames)
    assert back.skeleton.same_as(original.skeleton)
    assert back.skeleton.names == original.skeleton.names
    assert np.array_equal(back.skeleton.offsets, original.skeleton.offsets)
    assert np.array_equal(back.skeleton.end_site_offsets, original.skeleton.end_site_offsets)
    assert np.array_equal(back.layout.joints, original.layout.joints)
    assert np.array_equal(back.layout.kinds, original.layout.kinds)
    assert (back.frame_time, back.space) == (original.frame_time, original.space)
    angles = original.layout.is_rotation
    assert np.array_equal(back.values[:, ~angles], original.values[start:stop, ~angles])
    assert np.allclose(back.values[:, angles], original.values[start:stop, angles], rtol=2**-24, atol=1e-37)
    assert pack(unpack(packed)) == packed


def test_angles_up_to_a_thousand_degrees_keep_the_fourth_place() -> None:
    values = np.random.default_rng(0).uniform(-1000, 1000, (2000, 9))
    plain = recording()

    back = unpack(pack(Recording(plain.skeleton, plain.layout, values, 0.1, Space())))

    assert np.abs(back.values - values).max() < 0.5e-4


@pytest.mark.parametrize(
    "other", [recording(1), recording(0, bone=21.0), recording(0, frame_time=0.03), recording(0, n_frames=3)]
)
def test_another_motion_has_another_digest(other: Recording) -> None:
    assert pack(other).frames_digest != pack(recording()).frames_digest


def test_units_do_not_make_another_motion() -> None:
    plain = recording()
    other = Recording(plain.skeleton, plain.layout, plain.values, plain.frame_time, Space(1.0, "z"))

    assert pack(other).frames_digest == pack(plain).frames_digest
    assert pack(other).skeleton_digest != pack(plain).skeleton_digest
