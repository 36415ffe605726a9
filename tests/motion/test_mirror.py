from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import SkeletonError
from motionary.motion import Motion, Placement, Skeleton, mirror, rotations
from motionary.motion.rotations import from_axis_angle, inverse, rotate
from strategies import motions, unit_quaternions

# A trunk, and arms of two bones that hang on it in a T-pose: left towards +x.
BODY = Skeleton(
    ("hips", "chest", "left arm", "left hand", "right arm", "right hand"),
    np.array([-1, 0, 1, 2, 1, 4]),
    np.array([[0, 1, 0], [0, 0.5, 0.1], [0.2, 0.1, 0], [0.4, 0, 0], [-0.2, 0.1, 0], [-0.4, 0, 0]]),
    np.array([3, 5]),
    np.array([[0.1, 0.0, 0.02], [-0.1, 0.0, 0.02]]),
)
PARTNERS = np.array([0, 1, 4, 5, 2, 3])
END_PARTNERS = [1, 0]
IN_MIRROR = np.array([-1.0, 1.0, 1.0])


def turned_joints(skeleton, frames):
    """The same body with its joints' own axes turned by `frames` (J, 4) in the symmetric pose."""
    above = np.concatenate([rotations.IDENTITY[None], frames[skeleton.parents[1:]]])
    ends = inverse(frames[skeleton.end_site_joints])
    return replace(
        skeleton,
        offsets=rotate(inverse(above), skeleton.offsets),
        end_site_offsets=rotate(ends, skeleton.end_site_offsets),
    )


def test_a_raised_left_arm_becomes_a_raised_right_arm():
    turns = np.tile(rotations.IDENTITY, (1, 6, 1))
    turns[0, 2] = from_axis_angle([0.0, 0.0, 1.0], 0.5 * np.pi)  # left arm up
    turns[0, 3] = from_axis_angle([0.0, 1.0, 0.0], -0.5 * np.pi)  # hand forward
    motion = Motion(BODY, 0.1, np.array([[0.7, 1.0, 2.0]]), turns)

    mirrored = mirror(motion, PARTNERS)

    assert mirrored.positions_world[0] == pytest.approx(
        np.array([[-0.7, 1, 2], [-0.7, 1.5, 2.1], [-0.5, 1.6, 2.1], [-0.1, 1.6, 2.1], [-0.9, 1.6, 2.1], [-0.9, 2, 2.1]])
    )
    assert mirrored.rotations[0, 2] == pytest.approx(rotations.IDENTITY)


@given(motion=motions(skeleton=BODY, moving=False))
def test_every_joint_stands_where_the_mirror_shows_its_partner(motion):
    mirrored = mirror(motion, PARTNERS)

    assert mirrored.positions_world == pytest.approx(motion.positions_world[:, PARTNERS] * IN_MIRROR, abs=1e-12)
    assert mirrored.end_sites_world == pytest.approx(motion.end_sites_world[:, END_PARTNERS] * IN_MIRROR, abs=1e-12)


@given(data=st.data(), frames=st.tuples(*[unit_quaternions()] * 6).map(np.array))
def test_joints_whose_axes_are_not_symmetric_are_mirrored_through_the_symmetric_pose(data, frames):
    motion = data.draw(motions(skeleton=turned_joints(BODY, frames), moving=False))

    mirrored = mirror(motion, PARTNERS, rest_world=frames)

    assert mirrored.positions_world == pytest.approx(motion.positions_world[:, PARTNERS] * IN_MIRROR, abs=1e-12)
    assert mirrored.end_sites_world == pytest.approx(motion.end_sites_world[:, END_PARTNERS] * IN_MIRROR, abs=1e-12)


@given(data=st.data(), frames=st.tuples(*[unit_quaternions()] * 6).map(np.array))
def test_joints_that_move_are_mirrored_too(data, frames):
    motion = data.draw(motions(skeleton=turned_joints(BODY, frames), moving=False))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    moving = replace(motion, moving_joints=np.array([1, 3, 5]), translations=rng.normal(size=(motion.n_frames, 3, 3)))

    mirrored = mirror(moving, PARTNERS, rest_world=frames)

    assert mirrored.positions_world == pytest.approx(moving.positions_world[:, PARTNERS] * IN_MIRROR, abs=1e-12)


@given(motion=motions(moving=False), frames=st.tuples(*[unit_quaternions()] * 6).map(np.array), rest=st.booleans())
def test_twice_mirrored_is_the_original_symmetric_or_not(motion, frames, rest):
    """Any tree will do: joints that pair with themselves or, where they can, with a sister."""
    skeleton = motion.skeleton
    partners = np.arange(skeleton.n_joints)
    for joint in range(skeleton.n_joints):
        sisters = skeleton.children(joint)
        if len(sisters) >= 2:
            partners[sisters[:2]] = sisters[1], sisters[0]
    rest_world = frames[: skeleton.n_joints] if rest else None

    twice = mirror(mirror(motion, partners, rest_world=rest_world), partners, rest_world=rest_world)

    assert rotations.angle_between(twice.rotations, motion.rotations).max() <= 1e-12
    assert np.array_equal(twice.root_positions, motion.root_positions)


def test_a_joint_that_only_one_side_has_stays_in_its_hand():
    """A sword of two parts in the left hand: it keeps its grip, whatever the hand does in the mirror."""
    skeleton = Skeleton(
        (*BODY.names, "hilt", "blade"),
        np.append(BODY.parents, [3, 6]),
        np.concatenate([BODY.offsets, [[0.05, 0.0, 0.0], [0.0, 0.8, 0.0]]]),
    )
    rng = np.random.default_rng(1)
    turns = rotations.continuous(rotations.normalise(rng.normal(size=(4, 8, 4))))
    motion = Motion(skeleton, 0.1, rng.normal(size=(4, 3)), turns, np.array([6]), rng.normal(size=(4, 1, 3)))
    partners = np.append(PARTNERS, [6, 7])

    mirrored = mirror(motion, partners)

    assert rotations.angle_between(mirrored.rotations[:, 6:], motion.rotations[:, 6:]).max() <= 1e-12
    assert np.array_equal(mirrored.translations, motion.translations)
    seen = motion.positions_world[:, PARTNERS] * IN_MIRROR
    assert mirrored.positions_world[:, :6] == pytest.approx(seen, abs=1e-12)
    twice = mirror(mirrored, partners)
    assert twice.positions_world == pytest.approx(motion.positions_world, abs=1e-12)


@given(motion=motions(skeleton=BODY, moving=False), theta=st.floats(-3.0, 3.0))
def test_turning_left_becomes_turning_right(motion, theta):
    mirrored = mirror(Placement(theta).place(motion), PARTNERS)

    expected = Placement(-theta).place(mirror(motion, PARTNERS))
    assert mirrored.positions_world == pytest.approx(expected.positions_world, abs=1e-12)


@pytest.mark.parametrize("partners", [[0, 1, 4, 5, 2, 2], [0, 1, 4, 5, 3, 2], [0, 1, 2, 3, 4], [0, 1, 4, 5, 2, 6]])
def test_partners_that_do_not_pair(partners):
    motion = Motion(BODY, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 6, 1)))

    with pytest.raises(SkeletonError, match="partners must pair the joints: the partner of a joint's partner is the"):
        mirror(motion, np.array(partners))


def test_a_moving_joint_needs_a_moving_partner():
    motion = Motion(BODY, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 6, 1)), np.array([3]))

    with pytest.raises(SkeletonError, match="a moving joint's partner does not move; such a motion cannot be"):
        mirror(motion, PARTNERS)
