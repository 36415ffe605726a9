"""Motions and bodies for the tests: a dance on the reference skeleton, and the same dance on other rigs."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionary.motion import Motion, Skeleton, kinematics, rotations
from motionary.rig.reference import SIDES, reference_skeleton, root_height

X, Y, Z = np.eye(3)


def dance(*, n_frames: int = 60, height: float = 1.75) -> Motion:
    """Steps on the spot with bending knees and elbows, swinging trunk and turning hips; no frame is a T-pose."""
    skeleton = reference_skeleton(height)
    t = np.linspace(0.0, 2.0 * np.pi, n_frames)
    vectors = np.zeros((n_frames, skeleton.n_joints, 3))

    def turn(part: str, axis: np.ndarray, angle: np.ndarray) -> None:
        vectors[:, skeleton.index(part)] += np.outer(angle, axis)

    turn("Hips", Y, 0.8 * np.sin(t))
    turn("Hips", X, 0.15 * np.sin(2.0 * t))
    for i in range(1, 5):
        turn(f"Spine{i}", X, 0.12 * np.sin(t + i))
        turn(f"Spine{i}", Z, 0.06 * np.cos(2.0 * t))
    turn("Neck1", Y, 0.3 * np.sin(t))
    turn("Neck2", X, 0.1 * np.cos(t))
    turn("Head", Z, 0.2 * np.sin(3.0 * t))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        phase = t if sign > 0 else t + 1.5
        turn(side + "Clavicle", Z, sign * 0.1 * np.sin(phase))
        turn(side + "UpperArm", Z, -sign * (1.1 + 0.2 * np.sin(phase)))
        turn(side + "Forearm", Y, -sign * (0.9 + 0.6 * np.sin(2.0 * phase)))
        turn(side + "Hand", Z, 0.3 * np.sin(phase))
        lift = 0.6 * np.maximum(np.sin(phase), 0.0)
        turn(side + "Thigh", X, -lift - 0.1)
        turn(side + "Shin", X, 2.0 * lift + 0.2)
        turn(side + "Foot", X, -lift - 0.1)
        turn(side + "Toe", X, -0.2 * lift)
    root = np.stack([0.3 * np.sin(t), root_height(skeleton) - 0.02 + 0.0 * t, 0.5 * np.cos(t)], axis=1)
    return Motion(skeleton, 1 / 30, root, rotations.from_rotation_vector(vectors))


def with_axes(motion: Motion, axes: np.ndarray) -> Motion:
    """The same movement on a skeleton whose joints have other axes: world rotations W · `axes` (J, 4).

    Its rest pose is the T-pose with every joint turned back by its axes.
    """
    old = motion.skeleton
    inverse = rotations.inverse(axes)
    offsets = np.array(old.offsets)
    offsets[1:] = rotations.rotate(inverse[old.parents[1:]], old.offsets[1:])
    ends = rotations.rotate(inverse[old.end_site_joints], old.end_site_offsets)
    skeleton = replace(old, offsets=offsets, end_site_offsets=ends)
    world = rotations.multiply(motion.rotations_world, axes)
    return Motion(skeleton, motion.frame_time, motion.root_positions, kinematics.local_rotations(skeleton, world))


def axes_by_part(skeleton: Skeleton, choose: Callable[[str], np.ndarray]) -> np.ndarray:
    """One quaternion for each joint of a reference skeleton, by its name."""
    return np.stack([choose(name) for name in skeleton.names])


def lafan(name: str) -> np.ndarray:
    """Axes of LaFAN1: every bone along +x of its joint, hinges along z."""
    return _bone_axes(name, right=1.0)


def bandai(name: str) -> np.ndarray:
    """Axes of Bandai Namco: the left side's bones along +x, the right side's along −x."""
    return _bone_axes(name, right=-1.0)


def lafan_but_ends(name: str) -> np.ndarray:
    """Axes of LaFAN1, but of hands, head and toes, which have no bone to lie along, those of the T-pose."""
    return rotations.IDENTITY if name.endswith(("Hand", "Head", "Toe")) else lafan(name)


def _bone_axes(name: str, *, right: float) -> np.ndarray:
    sign = 1.0 if name.startswith("Left") else -1.0
    along = right if name.startswith("Right") else 1.0
    if name.endswith(("Thigh", "Shin")):
        bone, hinge = -Y, X
    elif name.endswith(("Foot", "Toe")):
        bone, hinge = np.array([0.0, -0.030, 0.082]) / np.hypot(0.030, 0.082), X
    elif name.endswith("Clavicle"):
        bone, hinge = np.array([sign * 0.097, 0.0, -0.010]) / np.hypot(0.097, 0.010), Y
    elif name.endswith(("UpperArm", "Forearm", "Hand")):
        bone, hinge = sign * X, -sign * Y
    else:
        bone, hinge = Y, X
    x = along * bone
    return rotations.from_matrix(np.stack([x, np.cross(hinge, x), hinge], axis=1))


def arms_down(name: str) -> np.ndarray:
    """Axes of a rig that rests with hanging arms."""
    return _lowered(name, 90.0)


def a_pose(name: str) -> np.ndarray:
    """Axes of a rig that rests with arms 45 degrees down."""
    return _lowered(name, 45.0)


def z_up(name: str) -> np.ndarray:
    """Axes of a rig that rests along z."""
    del name
    return rotations.from_axis_angle(X, -0.5 * np.pi)


def _lowered(name: str, degrees: float) -> np.ndarray:
    if not name.endswith(("UpperArm", "Forearm", "Hand")):
        return rotations.IDENTITY
    sign = 1.0 if name.startswith("Left") else -1.0
    return rotations.from_axis_angle(Z, sign * np.radians(degrees))


def arms_up(name: str) -> np.ndarray:
    """Axes of a rig that rests with raised, twisted arms, as Trinity does: no person's pose."""
    if not name.endswith(("UpperArm", "Forearm", "Hand")):
        return rotations.IDENTITY
    sign = 1.0 if name.startswith("Left") else -1.0
    twist = rotations.from_axis_angle(sign * X, np.radians(70.0))
    return rotations.multiply(twist, rotations.from_axis_angle(Z, -sign * 0.5 * np.pi))


def shoulders_up(name: str) -> np.ndarray:
    """Axes of a rig that rests with arms and clavicles straight up."""
    if not name.endswith(("Clavicle", "UpperArm", "Forearm", "Hand")):
        return rotations.IDENTITY
    return rotations.from_axis_angle(Z, (-0.5 if name.startswith("Left") else 0.5) * np.pi)


def leaning(name: str) -> np.ndarray:
    """Axes of a rig whose spine leans forward by 16 degrees in its T-pose."""
    lean = np.radians(16.0) if name.startswith("Spine") else 0.0
    return rotations.from_axis_angle(X, -lean)
