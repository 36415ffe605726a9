"""Falls of a body in the air, and the rates they tell."""

from dataclasses import replace

import numpy as np
import pytest

from motionary.motion import Motion, Skeleton, rotations
from motionary.motion.falling import centre_weights, flights, suggested_rate
from motionary.rig import reference_skeleton, root_height

SKELETON = reference_skeleton()


def jumping(rate_hz: float, *, flight_secs: float = 0.5, fall: float = 9.81, n_jumps: int = 2) -> Motion:
    """A stiff body that stands and jumps forwards, seen `rate_hz` times a second."""
    stand_secs = 0.5
    period = stand_secs + flight_secs
    times = np.arange(int((n_jumps * period + stand_secs) * rate_hz)) / rate_hz
    since = np.clip(times % period - stand_secs, 0.0, None)  # take-off
    places = np.zeros((len(times), 3))
    places[:, 0] = np.floor(times / period) + since / flight_secs
    places[:, 1] = root_height(SKELETON) + 0.5 * fall * since * (flight_secs - since)
    turns = np.tile(rotations.IDENTITY, (len(times), SKELETON.n_joints, 1))
    return Motion(SKELETON, 1 / rate_hz, places, turns)


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
def test_a_jump_falls_with_g(rate_hz):
    found = flights(jumping(rate_hz))

    assert len(found) == 2
    for flight in found:
        assert flight.fall == pytest.approx(9.81, rel=1e-6)
        assert flight.sideways == pytest.approx(0.0, abs=1e-6)
        assert flight.error == pytest.approx(0.0, abs=1e-6)
        assert flight.is_parabola


@pytest.mark.parametrize(
    ("rate_hz", "written_hz", "told_hz"),
    [(60, 60, None), (60, 120, 60), (120, 60, 120), (30, 60, 30), (40, 120, 40), (30, 120, 30), (60, 50, None)],
)
def test_falls_tell_a_rate_that_is_far_off(rate_hz, written_hz, told_hz):
    motion = replace(jumping(rate_hz), frame_time=1 / written_hz)

    assert suggested_rate(motion) == (None if told_hz is None else pytest.approx(told_hz))


def test_a_body_that_never_leaves_the_ground_tells_nothing():
    motion = jumping(120.0, fall=0.0)

    assert flights(motion) == []
    assert suggested_rate(replace(motion, frame_time=1 / 240)) is None


def test_slow_movement_without_contact_is_not_taken_for_a_fall():
    motion = jumping(60.0)
    swinging = np.array(motion.root_positions)
    times = np.arange(motion.n_frames) / 60.0
    swinging[:, 1] = root_height(SKELETON) + 0.2 * (1.0 - np.cos(2.0 * times))  # on a swing
    swinging[:, 0] = np.sin(times)

    assert suggested_rate(replace(motion, root_positions=swinging)) is None


def test_something_of_another_size_is_not_judged():
    small = replace(SKELETON, offsets=SKELETON.offsets / 10, end_site_offsets=SKELETON.end_site_offsets / 10)
    motion = jumping(60.0)

    assert flights(replace(motion, skeleton=small)) == []


def test_frames_without_capture_are_left_out():
    motion = jumping(60.0)
    ignored = np.zeros(motion.n_frames, dtype=bool)
    ignored[:20] = True
    places = np.array(motion.root_positions)
    places[:20] = 0.0

    assert len(flights(replace(motion, root_positions=places), ignored=ignored)) == 2


def test_moving_arms_hardly_change_the_centre():
    motion = jumping(60.0)
    turns = np.array(motion.rotations)
    times = np.arange(motion.n_frames) / 60.0
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        swing = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), sign * 0.8 * np.sin(6.0 * times))
        turns[:, SKELETON.index(f"{side}UpperArm")] = swing

    for flight in flights(replace(motion, rotations=turns)):
        assert flight.fall == pytest.approx(9.81, rel=0.2)


def test_the_trunk_weighs_more_than_a_hand():
    weights = centre_weights(SKELETON)

    assert weights.sum() == pytest.approx(1.0)
    assert weights[SKELETON.index("Spine2")] > 3 * weights[SKELETON.index("LeftHand")]
    assert weights[SKELETON.index("LeftHand")] == pytest.approx(weights[SKELETON.index("RightHand")])


def test_a_single_joint_has_all_the_weight():
    assert centre_weights(Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))).tolist() == [1.0]
