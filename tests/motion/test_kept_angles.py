"""Angles of an edited recording next to those that it keeps: the same rotations, no steps but the file's own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import ChannelLayout, Recording, Skeleton, keep_angles, recording_of, rotations
from motionary.motion.kept_angles import _form_of

N_FRAMES = 200
AXIS_ORDERS = ("ZXY", "XYZ", "ZYX", "ZX", "XY", "Y")
FORMS = ("plain", "offset", "wrapped", "other")


def one_joint(angles: np.ndarray, order: str) -> Recording:
    """A single joint that turns by these angles (F, n) in degrees."""
    skeleton = Skeleton(("Hips",), np.array([-1]), np.zeros((1, 3)))
    kinds = [3 + "XYZ".index(axis) for axis in order]
    return Recording(skeleton, ChannelLayout(np.zeros(len(order)), np.array(kinds)), angles, 1 / 60)


def in_form(angles: np.ndarray, form: str) -> np.ndarray:
    """The same rotations as people write them."""
    if form == "offset":
        return angles + 360.0
    if form == "wrapped":
        return (angles + 180.0) % 360.0 - 180.0
    if form == "other" and angles.shape[1] == 3:
        return angles * [1, -1, 1] + 180.0
    return angles


def smooth(rng: np.random.Generator, n_angles: int, most_deg: float) -> np.ndarray:
    time = np.linspace(0.0, 1.0, N_FRAMES)[:, None]
    waves = rng.uniform(1.0, 4.0, n_angles), rng.uniform(0.0, 6.0, n_angles)
    return rng.uniform(-most_deg, most_deg, n_angles) * np.sin(waves[0] * time + waves[1])


def edited(like: Recording, more_deg: np.ndarray, changed: np.ndarray, order: str) -> tuple[Recording, Recording]:
    """The recording with more on its angles in the changed frames, written anew, and joined to what is kept."""
    motion = like.motion()
    other = one_joint(like.values + more_deg, order).motion()
    turned = np.where(changed[:, None, None], other.rotations, motion.rotations)
    made = recording_of(replace(motion, rotations=rotations.continuous(turned)), like=like)
    return made, keep_angles(made, like, ~changed[:, None])


def steps(recording: Recording) -> np.ndarray:
    return np.abs(np.diff(recording.values, axis=0))


@given(
    order=st.sampled_from(AXIS_ORDERS),
    form=st.sampled_from(FORMS),
    seed=st.integers(0, 10**6),
    start=st.integers(0, N_FRAMES - 1),
    length=st.integers(1, N_FRAMES),
)
def test_kept_angles_stay_and_the_others_are_the_same_rotations_without_new_jumps(order, form, seed, start, length):
    rng = np.random.default_rng(seed)
    plain = smooth(rng, len(order), 400.0)
    if len(order) == 3:
        plain[:, 1] *= 70.0 / 400.0  # away from gimbal lock
    like = one_joint(in_form(plain, form), order)
    changed = np.zeros(N_FRAMES, dtype=bool)
    changed[start : start + length] = True
    inside = np.sin(np.linspace(0.0, np.pi, N_FRAMES + 2)[1:-1])[:, None] * smooth(rng, len(order), 15.0)
    more = np.zeros_like(plain)
    more[changed] = inside[np.linspace(0, N_FRAMES - 1, changed.sum()).astype(int)]

    made, joined = edited(like, more, changed, order)

    assert np.array_equal(joined.values[~changed], like.values[~changed])
    assert rotations.angle_between(joined.motion().rotations, made.motion().rotations).max() < 1e-7
    own = sum(np.abs(np.diff(part, axis=0)).max() for part in (plain, more))
    wraps = 360.0 if form == "wrapped" and steps(like).max() > 180.0 else 0.0
    assert steps(joined).max() <= own + wraps + 1e-6
    if not changed.all():
        assert (steps(joined) > 180.0).sum(axis=0).max() <= (steps(like) > 180.0).sum(axis=0).max() + (wraps > 0.0)


@pytest.mark.parametrize("form", FORMS)
def test_an_edit_through_gimbal_lock_makes_no_jump(form):
    time = np.linspace(0.0, 1.0, N_FRAMES)
    plain = np.stack([150.0 + 80.0 * time, 60.0 + 0.0 * time, -40.0 * time], axis=1)
    like = one_joint(in_form(plain, form), "ZXY")
    changed = (time > 0.3) & (time < 0.8)
    more = np.zeros_like(plain)
    more[changed, 1] = 60.0 * np.sin(np.linspace(0.0, np.pi, changed.sum()))

    _, joined = edited(like, more, changed, "ZXY")

    assert steps(joined).max() <= max(steps(like).max() + 1.0, 2.0)


@pytest.mark.parametrize("start", [0, 80])
def test_a_whole_turn_that_an_edit_adds_costs_one_step_of_a_turn_where_kept_frames_follow(start):
    like = one_joint(np.zeros((N_FRAMES, 3)), "ZXY")
    changed = np.zeros(N_FRAMES, dtype=bool)
    changed[start:160] = True
    more = np.zeros((N_FRAMES, 3))
    more[changed, 2] = np.linspace(0.0, 360.0, changed.sum())

    _, joined = edited(like, more, changed, "ZXY")

    own = np.diff(more[changed, 2]).max()
    assert np.sum(steps(joined)[:, 2] > own + 1e-6) == (1 if start else 0)
    assert steps(joined).max() <= 360.0 + own


def test_frames_at_gimbal_lock_keep_how_they_share_the_turn():
    plain = np.tile([70.0, 90.0, -30.0], (N_FRAMES, 1))
    like = one_joint(plain, "ZXY")
    changed = np.arange(N_FRAMES) >= 50
    changed[150:] = False
    more = np.zeros_like(plain)
    more[changed, 1] = -20.0 * np.sin(np.linspace(0.0, np.pi, 100)) ** 2

    made, joined = edited(like, more, changed, "ZXY")

    assert np.array_equal(joined.values[~changed], like.values[~changed])
    assert rotations.angle_between(joined.motion().rotations, made.motion().rotations).max() < 1e-7
    assert steps(joined).max() <= 180.0


def test_the_form_of_angles_by_hand():
    plain = np.radians([[10.0, 20.0, 30.0]] * 3)
    written = np.radians([[10.0, 20.0, 30.0], [370.0, 20.0, -330.0], [190.0, 160.0, -150.0]])

    form = _form_of(written, plain)

    assert form.is_other[:, 0].tolist() == [False, False, True]
    assert form.turns.tolist() == [[0, 0, 0], [1, 0, -1], [0, 0, -1]]
    assert form.written(plain) == pytest.approx(written)
    assert form.continuous(written) == pytest.approx(plain)
