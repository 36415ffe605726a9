"""Figures for whoever draws them elsewhere: the capsules of a mannequin, and where its nodes are over time."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from motionary.errors import MappingError, SkeletonError
from motionary.motion import Motion, mirror
from motionary.picture.mannequin import Mannequin, mannequin_of
from motionary.picture.poses import poses_of
from motionary.rig import BodyMap, map_skeleton, mirror_partners, symmetric_pose


@dataclass(frozen=True, eq=False)
class NodeMotion:
    """Places of a mannequin's nodes over time."""

    mannequin: Mannequin
    nodes: np.ndarray  # (F, N, 3) world: joints, end sites, heels
    rate_hz: float


def nodes_of(
    motion: Motion, *, mannequin: Mannequin | None = None, rate_hz: float | None = None, mirrored: bool = False
) -> NodeMotion:
    """Where the nodes of the motion's mannequin are: at every frame, or at those nearest to a lower `rate_hz`.

    `mirrored` swaps left and right; what cannot be mirrored, such as a lone hand, stays as it is.
    """
    mannequin = mannequin or mannequin_of(motion.skeleton)
    rate = min(rate_hz or motion.rate_hz, motion.rate_hz)
    if mirrored:
        motion = _mirrored(motion)
    return NodeMotion(mannequin, poses_of(mannequin, motion, frames_at(motion, rate)).nodes, rate)


def frames_at(motion: Motion, rate_hz: float) -> np.ndarray:
    """The frames nearest to the times of a rate that is not above the motion's own; the first is always there."""
    step = motion.rate_hz / rate_hz
    n_frames = max(1, int(np.floor((motion.n_frames - 1) / step + 1e-6)) + 1)
    return np.minimum(np.floor(np.arange(n_frames) * step + 0.5).astype(np.int64), motion.n_frames - 1)


def figure_json(mannequin: Mannequin) -> dict[str, Any]:
    """What draws a mannequin from the places of its nodes: the nodes, the capsules between them, and the head.

    A capsule is a pair of nodes with a radius at each; hulls of the mannequin become several. The head is an ellipsoid
    along the line from `joint` to `tip` (without a tip: from `neck` to `joint`, and beyond) that ends at the tip.
    """
    skeleton, limbs = mannequin.skeleton, mannequin.limbs
    names = [*skeleton.names, *(f"{skeleton.names[joint]} end" for joint in skeleton.end_site_joints)]
    parents = [int(parent) for parent in (*skeleton.parents, *skeleton.end_site_joints)]
    of_limb, sides = list(limbs.of_node), list(limbs.sides)
    for heel in mannequin.heels:
        names.append(f"{names[heel.ankle]} heel")
        parents.append(heel.ankle)
        of_limb.append(of_limb[heel.ankle])
        sides.append(sides[heel.ankle])
    radii = [0.0] * len(names)
    capsules = []
    for part in mannequin.parts:
        for node, radius in zip(part.nodes, part.radii, strict=True):
            radii[node] = max(radii[node], radius)
        capsules += [
            {
                "nodes": [part.nodes[a], part.nodes[b]],
                "radii": [round(part.radii[a], 4), round(part.radii[b], 4)],
                "limb": part.limb,
                "side": part.side,
            }
            for a, b in _pairs(len(part.nodes))
        ]
    head = mannequin.head
    return {
        "size": round(mannequin.size, 4),
        "centre": mannequin.centre,
        "nodes": [
            {"name": name, "parent": parent, "radius": round(radius, 4), "limb": limb, "side": side}
            for name, parent, radius, limb, side in zip(names, parents, radii, of_limb, sides, strict=True)
        ],
        "capsules": capsules,
        "head": None
        if head is None
        else {
            "joint": head.joint,
            "tip": head.tip,
            "neck": head.neck,
            "half_length": round(head.half_length, 4),
            "half_width": round(head.half_width, 4),
        },
    }


def _pairs(n_nodes: int) -> list[tuple[int, int]]:
    """The capsules that stand for a hull: from the first ball to each other, and around."""
    if n_nodes == 1:
        return [(0, 0)]
    return [*((0, other) for other in range(1, n_nodes)), *pairwise(range(1, n_nodes))]


def _mirrored(motion: Motion) -> Motion:
    body_map: BodyMap | None
    try:
        body_map = map_skeleton(motion.skeleton)
        rest = symmetric_pose(motion.skeleton, body_map=body_map, motion=motion)
    except MappingError:
        body_map = rest = None
    try:
        return mirror(motion, mirror_partners(motion.skeleton, body_map=body_map), rest_world=rest)
    except SkeletonError:
        return motion
