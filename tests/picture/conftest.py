"""Bodies that the pictures' tests draw."""

from collections.abc import Callable

import numpy as np
import pytest

from motionary.motion import Motion, Skeleton, rotations
from motionary.rig import reference_skeleton, root_height


def standing(skeleton: Skeleton, n_frames: int = 30, frame_time: float = 1 / 30) -> Motion:
    """A body that stands in its rest pose, its lowest point on the floor."""
    root = np.zeros((n_frames, 3))
    root[:, 1] = root_height(skeleton)
    return Motion(skeleton, frame_time, root, np.tile(rotations.IDENTITY, (n_frames, skeleton.n_joints, 1)))


def walking(n_frames: int = 60, *, speed: float = 1.3, direction: float = 0.0, frame_time: float = 1 / 30) -> Motion:
    """A reference body that swings arms and legs and moves towards `direction` (about +y from +z)."""
    skeleton = reference_skeleton()
    still = standing(skeleton, n_frames, frame_time)
    secs = np.arange(n_frames) * frame_time
    turned = np.array(still.rotations)
    side = np.array([1.0, 0.0, 0.0])
    for name, swing in (("LeftThigh", 0.5), ("RightThigh", -0.5), ("LeftUpperArm", -0.4), ("RightUpperArm", 0.4)):
        turned[:, skeleton.index(name)] = rotations.from_axis_angle(side, swing * np.sin(2 * np.pi * secs))
    for name, sign in (("LeftUpperArm", -1.0), ("RightUpperArm", 1.0)):
        down = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), sign * 1.3)
        turned[:, skeleton.index(name)] = rotations.multiply(turned[:, skeleton.index(name)], down)
    turned[:, 0] = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), direction)
    ahead = np.array([np.sin(direction), 0.0, np.cos(direction)])
    return Motion(skeleton, frame_time, still.root_positions + speed * secs[:, None] * ahead, turned)


def star_jumping(n_frames: int = 30) -> Motion:
    """A reference body that swings both arms sideways up and down, facing +z."""
    skeleton = reference_skeleton()
    still = standing(skeleton, n_frames)
    turned = np.array(still.rotations)
    angle = 1.2 * np.sin(np.linspace(0.0, 2 * np.pi, n_frames))
    for name, sign in (("LeftUpperArm", 1.0), ("RightUpperArm", -1.0)):
        turned[:, skeleton.index(name)] = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), sign * angle)
    return Motion(skeleton, 1 / 30, still.root_positions, turned)


def dog() -> Motion:
    """A creature on four legs with a tail, whose names tell no sides."""
    names = ("root", "back", "neck", "Head", "fore1", "fore2", "mate1", "mate2")
    names += ("hind1", "hind2", "peer1", "peer2", "tail1", "tail2")
    parents = [-1, 0, 1, 2, 1, 4, 1, 6, 0, 8, 0, 10, 0, 12]
    legs = [[0.12, -0.05, 0], [0, -0.35, 0], [-0.12, -0.05, 0], [0, -0.35, 0]]
    offsets = [[0, 0, 0], [0, 0, 0.6], [0, 0.15, 0.15], [0, 0.1, 0.15], *legs, *legs, [0, 0.05, -0.2], [0, 0, -0.25]]
    tips = [[0, 0, 0.2], *[[0, -0.3, 0.02]] * 4, [0, 0, -0.2]]
    return standing(Skeleton(names, parents, offsets, [3, 5, 7, 9, 11, 13], tips))


def ball(n_frames: int = 20) -> Motion:
    """A single joint that rolls along."""
    place = np.linspace(0.0, 1.0, n_frames)[:, None] * np.array([1.0, 0.0, 0.3])
    return Motion(
        Skeleton(("ball",), [-1], np.zeros((1, 3))), 1 / 30, place, np.tile(rotations.IDENTITY, (n_frames, 1, 1))
    )


@pytest.fixture(scope="session")
def walk() -> Callable[..., Motion]:
    return walking


@pytest.fixture(scope="session")
def star_jump() -> Motion:
    return star_jumping()


@pytest.fixture(scope="session")
def creature() -> Motion:
    return dog()


@pytest.fixture(scope="session")
def rolling_ball() -> Motion:
    return ball()


@pytest.fixture(scope="session")
def stand() -> Callable[..., Motion]:
    return standing
