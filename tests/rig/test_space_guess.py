from dataclasses import replace

import numpy as np
import pytest

from motionary.motion import Motion, Recording, Skeleton, Space, recording_of
from motionary.motion import rotations as rot
from motionary.rig import guess_space
from motionary.rig.space_guess import unit_of_leg
from rig.bodies import axes_by_part, bandai, dance, lafan, with_axes, z_up

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "cmu": 0.0254 / 0.45}
SPACES = [
    Space(unit, up, hand)
    for unit, up, hand in [
        (1.0, "y", "right"),
        (0.01, "y", "right"),
        (0.01, "z", "right"),
        (0.0254, "z", "right"),
        (0.1, "z", "left"),
        (0.001, "y", "left"),
        (0.0254 / 0.45, "y", "right"),
    ]
]


def as_file(motion: Motion, space: Space) -> Recording:
    """What a file in that space would hold; the reader knows nothing of it yet."""
    theirs = np.linalg.inv(space.ours_from_file) / space.unit_metres
    skeleton = replace(
        motion.skeleton,
        offsets=motion.skeleton.offsets @ theirs.T,
        end_site_offsets=motion.skeleton.end_site_offsets @ theirs.T,
    )
    empty = Recording(
        skeleton, recording_of(motion).layout, np.zeros((1, recording_of(motion).layout.n_channels)), 0.1, space
    )
    # the same skeleton to the last bit, so that the motion fits the recording
    fitted = replace(motion, skeleton=empty.motion().skeleton)
    return replace(recording_of(fitted, like=empty), space=Space())


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("rig", [None, lafan, bandai, z_up])
def test_units_and_axes_come_from_the_body(space: Space, rig: object) -> None:
    motion = dance(n_frames=20)
    if rig is not None:
        motion = with_axes(motion, axes_by_part(motion.skeleton, rig))

    guess = guess_space(as_file(motion, space))

    assert guess.space == space
    assert guess.confident
    assert len(guess.reasons) == 3


@pytest.mark.parametrize(
    ("leg", "unit"),
    [
        (0.78, "m"),
        (0.92, "m"),
        (8.2, "dm"),
        (14.0, "cmu"),
        (16.0, "cmu"),
        (30.0, "in"),
        (40.0, "in"),
        (21.7, "in"),  # a child of 44.6 inches
        (78.0, "cm"),
        (90.0, "cm"),
        (55.0, "cm"),  # a child
        (780.0, "mm"),
        (900.0, "mm"),
    ],
)
def test_the_leg_tells_the_unit(leg: float, unit: str) -> None:
    assert unit_of_leg(leg) == (pytest.approx(UNITS[unit]), True)


def test_the_root_may_stand_anywhere() -> None:
    motion = dance(n_frames=10)
    sunk = replace(motion, root_positions=motion.root_positions - (0.0, motion.root_positions[0, 1] + 3.0, 0.0))

    assert guess_space(as_file(sunk, Space(0.01))).space == Space(0.01)


def test_somebody_who_lies_all_the_time_is_understood_by_the_rest_pose() -> None:
    motion = dance(n_frames=20)
    lying = np.array(motion.rotations)
    lying[:, 0] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi), lying[:, 0])
    moved = replace(motion, rotations=lying, root_positions=np.tile([0.0, 0.2, 0.0], (20, 1)))
    moved.root_positions[:, 2] += np.linspace(0.0, 2.0, 20)

    assert guess_space(as_file(moved, Space(0.01))).space == Space(0.01)


@pytest.mark.parametrize(("size", "unit"), [(1.0, 1.0), (30.0, 0.01), (300.0, 0.01), (2000.0, 0.001)])
def test_creatures_get_a_guess_that_says_so(size: float, unit: float) -> None:
    skeleton = Skeleton(("body", "tail"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0.0, 0, size]]))
    motion = Motion(skeleton, 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 2, 1)))

    guess = guess_space(recording_of(motion))

    assert guess.space == Space(unit)
    assert not guess.confident
    assert guess.reasons[0].startswith("no legs to measure")


def test_without_toes_the_knees_tell_left_from_right() -> None:
    motion = dance(n_frames=20)
    old = motion.skeleton
    kept = [j for j, name in enumerate(old.names) if not name.endswith("Toe")]
    place = {joint: i for i, joint in enumerate(kept)}
    skeleton = Skeleton(
        tuple(old.names[j] for j in kept),
        np.array([place.get(int(old.parents[j]), -1) for j in kept]),
        old.offsets[kept],
    )
    toeless = Motion(skeleton, motion.frame_time, motion.root_positions, motion.rotations[:, kept])

    for space in (Space(0.01), Space(0.01, "y", "left")):
        assert guess_space(as_file(toeless, space)).space == space
