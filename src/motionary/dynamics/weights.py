"""Masses as weights of joints: what it costs to move a part of the body."""

import numpy as np

from motionary.dynamics.masses import Masses
from motionary.errors import SkeletonError, UsageError
from motionary.rig import SIDES, Body


def displaced_mass(masses: Masses) -> np.ndarray:
    """The share (J,) of the body's mass that a joint moves: its own and that of all joints outward of it."""
    return outward_mass(masses.skeleton.parents, masses.joint_shares)


def outward_mass(parents: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The mass (B,) of every part of a tree and of all parts outward of it; parents come before their children."""
    weights = np.array(masses, dtype=np.float64)
    for part in range(len(weights) - 1, 0, -1):
        weights[parents[part]] += weights[part]
    return weights


def supporting_parts(parents: np.ndarray, branch: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """Which parts support (F, B): those that touch the ground, and those inward of them in the same branch."""
    supporting = np.array(touching)
    for part in range(len(parents) - 1, 0, -1):
        if branch[part] >= 0 and branch[parents[part]] == branch[part]:
            supporting[:, parents[part]] |= supporting[:, part]
    return supporting


def support_weights(parents: np.ndarray, branch: np.ndarray, masses: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """The friction weights (F, B) of parts: the mass that a supporting part holds, 0 for all others.

    A part of a branch (head, arms, legs: numbers from 0 on) holds all but its own mass and what is outward of it in
    its branch. A part of the torso (−1) holds all but its own.
    """
    total, outward = float(np.sum(masses)), outward_mass(parents, masses)
    own = np.where(np.asarray(branch) >= 0, outward, masses)
    return np.where(supporting_parts(parents, branch, touching), total - own, 0.0)


def branches(body: Body) -> np.ndarray:
    """The branch (J,) of each joint: 0 to 4 for neck and head, arms and legs; −1 for the torso."""
    body_map = body.body_map
    neck = body_map.neck[0] if body_map.neck else body_map.get("Head")
    tops = [neck]
    tops += [body_map.joints.get(side + "Clavicle", body_map.joints[side + "UpperArm"]) for side in SIDES]
    tops += [body_map.joints[side + "Thigh"] for side in SIDES]
    branch = np.full(body.skeleton.n_joints, -1)
    for joint in range(body.skeleton.n_joints):
        if joint in tops:
            branch[joint] = tops.index(joint)
        elif joint:
            branch[joint] = branch[body.skeleton.parents[joint]]
    return branch


def friction_weights(masses: Masses, body: Body, touching: np.ndarray) -> np.ndarray:
    """The weights (F, J) of supporting joints, by which joints touch the ground, (F, J) bool.

    A joint that touches the ground supports, and so do the joints inward of it in the same branch. Its weight is the
    mass that it holds: all but its own and what is outward of it. A joint of the torso supports itself alone, and
    holds all but its own. Joints that do not support weigh 0. Shares of the body's mass, like `displaced_mass`.
    """
    n_joints = masses.skeleton.n_joints
    touching = np.asarray(touching)
    if body.skeleton.n_joints != n_joints:
        raise SkeletonError("these masses belong to another skeleton; make them from this body")
    if touching.ndim != 2 or touching.shape[1] != n_joints or touching.dtype != np.bool_:
        raise UsageError(f"which joints touch the ground must be (F, {n_joints}) of bool, not {touching.shape}")
    return support_weights(masses.skeleton.parents, branches(body), masses.joint_shares, touching)
