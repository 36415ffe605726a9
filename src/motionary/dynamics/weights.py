"""Masses as weights of joints: what it costs to move a part of the body."""

import numpy as np

from motionary.dynamics.masses import Masses
from motionary.errors import SkeletonError, UsageError
from motionary.rig import SIDES, Body


def displaced_mass(masses: Masses) -> np.ndarray:
    """The share (J,) of the body's mass that a joint moves: its own and that of all joints outward of it."""
    weights = np.array(masses.joint_shares)
    parents = masses.skeleton.parents
    for joint in range(len(weights) - 1, 0, -1):
        weights[parents[joint]] += weights[joint]
    return weights


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
    branch, parents = branches(body), masses.skeleton.parents
    supporting = np.array(touching)
    for joint in range(n_joints - 1, 0, -1):
        if branch[joint] >= 0 and branch[parents[joint]] == branch[joint]:
            supporting[:, parents[joint]] |= supporting[:, joint]
    own = np.where(branch >= 0, displaced_mass(masses), masses.joint_shares)
    return np.where(supporting, 1.0 - own, 0.0)
