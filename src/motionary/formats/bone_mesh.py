"""A plain body around a skeleton: a tapered bone between joints, so that a viewer has something to show."""

from dataclasses import dataclass

import numpy as np

from motionary.motion import Skeleton
from motionary.rig import body_bones, joint_sides

COLOURS = {"left": (38, 98, 200), "right": (226, 110, 24), "middle": (150, 150, 150)}
SHORTEST_BONE = 1e-4  # metres; joints closer than this have no bone between them


@dataclass(frozen=True, eq=False)
class BoneMesh:
    """Triangles with flat faces: three corners of their own each, every corner moved by one joint."""

    positions: np.ndarray  # (V, 3) at rest
    normals: np.ndarray  # (V, 3)
    colours: np.ndarray  # (V, 3) uint8
    joints: np.ndarray  # (V,) int32


def bone_mesh(skeleton: Skeleton) -> BoneMesh:
    """Bones from joint to joint and to the end sites, and a knot at every joint: left blue, right orange.

    What is no part of the body (the way from a floor point to the hips, dummy end sites) is not shown.
    """
    rest = skeleton.rest_positions()
    children = np.arange(1, skeleton.n_joints)
    owners = np.concatenate([skeleton.parents[1:], skeleton.end_site_joints])
    tip_owners = np.concatenate([children, skeleton.end_site_joints])
    tips = np.concatenate([rest[1:], rest[skeleton.end_site_joints] + skeleton.end_site_offsets])
    lengths = np.linalg.norm(tips - rest[owners], axis=-1)
    in_body = body_bones(skeleton)
    long = (lengths > SHORTEST_BONE) & in_body[1:]
    owners, tip_owners, tips, lengths = owners[long], tip_owners[long], tips[long], lengths[long]
    usual = float(np.median(lengths)) if len(lengths) else 0.1
    bones = _octahedra(rest[owners], tips, 0.2, np.minimum(0.12 * lengths, 0.25 * usual))
    knotted = np.union1d(np.flatnonzero(in_body[: skeleton.n_joints]), owners).astype(int)
    up = np.array([0.0, 0.1 * usual, 0.0])
    knots = _octahedra(rest[knotted] - up, rest[knotted] + up, 0.5, np.full(len(knotted), 0.1 * usual))
    positions = np.concatenate([bones, knots])  # (B, 8, 3, 3): bone, face, corner
    edges = positions[:, :, 1:] - positions[:, :, :1]
    normals = np.cross(edges[:, :, 0], edges[:, :, 1])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    joints = np.repeat(np.concatenate([owners, knotted]), 24).reshape(-1, 8, 3)
    joints[: len(bones), 4:, 0] = tip_owners[:, None]  # a tip goes with the next joint, even if that one moves
    # a bone is as left as its tip: the collarbone belongs to the arm
    colours = joint_colours(skeleton)[np.concatenate([tip_owners, knotted])]
    return BoneMesh(
        positions.reshape(-1, 3),
        np.repeat(normals, 3, axis=1).reshape(-1, 3),
        np.repeat(colours, 24, axis=0),
        joints.reshape(-1).astype(np.int32),
    )


def joint_colours(skeleton: Skeleton) -> np.ndarray:
    """Colours (J, 3) of the joints, by their sides."""
    return np.array([COLOURS[side] for side in joint_sides(skeleton)], dtype=np.uint8)


def _octahedra(bases: np.ndarray, tips: np.ndarray, share: float, widths: np.ndarray) -> np.ndarray:
    """Faces (B, 8, 3, 3), seen from outside counter-clockwise; the first corner of the last four is the tip."""
    along = tips - bases
    direction = along / np.linalg.norm(along, axis=-1, keepdims=True)
    aside = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction), axis=-1)])
    aside /= np.linalg.norm(aside, axis=-1, keepdims=True)
    other = np.cross(direction, aside)
    middle = bases + share * along
    ring = [middle + sign * widths[:, None] * side for sign in (1.0, -1.0) for side in (aside, other)]
    faces = [np.stack([bases, ring[(i + 1) % 4], ring[i]], axis=1) for i in range(4)]
    faces += [np.stack([tips, ring[i], ring[(i + 1) % 4]], axis=1) for i in range(4)]
    return np.stack(faces, axis=1) if len(bases) else np.zeros((0, 8, 3, 3))
