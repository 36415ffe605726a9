"""Arms of one motion, legs of another."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.errors import UsageError
from motionary.features import computed_descriptions
from motionary.motion import Segment
from motionary.rig import body_of
from motionary.search import LibrarySegment
from motionary.search.examples import Mixed, MotionSegment
from search.tiny_libraries import library


def wild(seed: int, *, stop: int = 30) -> MotionSegment:
    motion = wild_body(seed)
    body = body_of(motion.skeleton, motion=motion)
    return MotionSegment.of(motion, body, start=0, stop=stop, rate_hz=30.0, name=f"wild {seed}")


MAIN, ARMS, LEGS = wild(1), wild(2), wild(3, stop=20)


@pytest.mark.parametrize("length", [30, 24])
def test_rows_are_exactly_those_of_the_parts(length):
    mixed = Mixed(MAIN, ((("arms", "root turning"), ARMS), (("Legs",), LEGS), (("LeftHand",), LEGS)))
    rows = mixed.rows(length)

    arms = {side + joint for side in ("Left", "Right") for joint in ("Clavicle", "UpperArm", "Forearm", "Hand")}
    legs = {side + joint for side in ("Left", "Right") for joint in ("Thigh", "Shin", "Foot", "Toe")}
    for name, description in computed_descriptions().items():
        for column, dimension in enumerate(description.dimensions):
            source = MAIN
            if dimension.part in arms or dimension.name == "root turning":
                source = ARMS
            if dimension.part in legs | {"LeftHand"}:  # what is said later counts
                source = LEGS
            assert np.array_equal(rows[name][:, column], source.rows(length)[name][:, column]), dimension.name
    assert (mixed.n_frames, mixed.place) == (30, None)
    assert mixed.name == "wild 1 with arms, root turning of wild 2 with Legs of wild 3 with LeftHand of wild 3"


def test_the_main_example_is_not_changed():
    before = {name: np.array(rows) for name, rows in MAIN.rows(30).items()}

    Mixed(MAIN, ((("positions",), ARMS),)).rows(30)

    assert all(np.array_equal(rows, before[name]) for name, rows in MAIN.rows(30).items())


def test_its_own_place_is_that_of_the_main_example():
    features = library([{name: np.zeros((9, found.n_dimensions)) for name, found in computed_descriptions().items()}])
    segment = LibrarySegment(features, Segment(1, 2, 8))

    assert Mixed(segment, ((("arms",), ARMS),)).place == segment.place


def test_a_picture_shows_the_joints_of_all():
    poses = Mixed(MAIN, ((("left arm",), ARMS),)).poses(30)

    names = poses.skeleton.names
    for joint, source in (("LeftForearm", ARMS), ("RightForearm", MAIN), ("Hips", MAIN)):
        turns = source.poses(30).rotations[:, names.index(joint)]
        assert np.allclose(np.abs(np.sum(poses.rotations[:, names.index(joint)] * turns, axis=-1)), 1.0)


def test_what_cannot_be_mixed():
    with pytest.raises(UsageError, match="wild 9 has only one frame"):
        Mixed(MAIN, ((("arms",), wild(9, stop=1)),))
    with pytest.raises(UsageError, match="did you mean 'arms'"):
        Mixed(MAIN, ((("amrs",), ARMS),))
    with pytest.raises(UsageError, match="name the body parts to take from wild 2"):
        Mixed(MAIN, (((), ARMS),))
