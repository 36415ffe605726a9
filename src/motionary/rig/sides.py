"""Left and right: on which side joints are, which is whose counterpart, how they stand in a symmetric pose."""

from collections import defaultdict
from typing import Literal

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, rotations
from motionary.rig.body_map import PARTS, BodyMap
from motionary.rig.names import OTHER_SIDE, read_names
from motionary.rig.reference import SIDES
from motionary.rig.whole_body import body_of

Side = Literal["left", "right", "middle"]

OF_WORD: dict[str, Side] = {"Left": "left", "Right": "right", "": "middle"}
MIDDLE_WITHIN = 0.01  # of the skeleton's extent: joints this near to the middle plane lie in it
ALIKE_WITHIN = 0.1  # by what share bones of two sides may differ in length


def joint_sides(skeleton: Skeleton, *, body_map: BodyMap | None = None) -> list[Side]:
    """The side (J,) that every joint is on: as the map says, else as its own name says."""
    sides = [OF_WORD[name.side] for name in read_names(skeleton.names)]
    if body_map is not None:
        for joint in (*body_map.spine, *body_map.neck):
            sides[joint] = "middle"
        for part, joint in body_map.joints.items():
            sides[joint] = next((OF_WORD[side] for side in SIDES if part.startswith(side)), "middle")
    return sides


def mirror_partners(skeleton: Skeleton, *, body_map: BodyMap | None = None) -> np.ndarray:
    """The counterpart (J,) of every joint on the other side; itself for joints in the middle.

    The map decides for the joints that it knows, names for the others; what hangs alike on both sides below
    these belongs together too. Where nothing tells left from right, but joints stand beside the middle, a
    MappingError says so: in a mirror such a motion would fall to pieces.
    """
    partners = _partners_by_name(skeleton)
    middle = _pair_parts(partners, body_map) if body_map is not None else set()
    _pair_below(skeleton, partners, middle)
    if np.array_equal(partners, np.arange(skeleton.n_joints)) and _stands_aside(skeleton):
        raise MappingError(
            f"left and right cannot be identified among {', '.join(skeleton.names)}, so the motion cannot be mirrored. "
            "Name the joints of both sides in a map file"
        )
    return partners


def symmetric_pose(skeleton: Skeleton, *, body_map: BodyMap | None = None, motion: Motion | None = None) -> np.ndarray:
    """World rotations (J, 4) in which both sides mirror each other: the T-pose; a creature's rest pose."""
    try:
        return body_of(skeleton, body_map=body_map, motion=motion).rest_world
    except MappingError:
        return np.tile(rotations.IDENTITY, (skeleton.n_joints, 1))


def _partners_by_name(skeleton: Skeleton) -> np.ndarray:
    partners = np.arange(skeleton.n_joints)
    named: dict[tuple[str, str, tuple[int, ...]], list[int]] = defaultdict(list)
    for joint, name in enumerate(read_names(skeleton.names)):
        if name.side:
            named[name.side, name.word, name.numbers].append(joint)
    for (side, word, numbers), joints in named.items():
        others = named.get((OTHER_SIDE[side], word, numbers), [])
        if len(others) == len(joints):
            partners[joints] = others
    return partners


def _pair_parts(partners: np.ndarray, body_map: BodyMap) -> set[int]:
    """Pair the joints that the map knows, whatever their names say; returns those in the middle."""
    left, right = SIDES
    known = [(joint, joint) for joint in (*body_map.spine, *body_map.neck)]
    for part in PARTS:
        joint = body_map.get(part)
        other = body_map.get(right + part.removeprefix(left)) if part.startswith(left) else joint
        if joint is not None and other is not None and not part.startswith(right):
            known.append((joint, other))
    for joint, other in known:
        for one in (joint, other):  # whom the names had paired them with stays alone
            partners[partners[one]] = partners[one]
        partners[joint], partners[other] = other, joint
    return {joint for joint, other in known if joint == other}


def _pair_below(skeleton: Skeleton, partners: np.ndarray, middle: set[int]) -> None:
    """Pair joints without a counterpart, parents first, if as many hang on both sides, as far from their parents."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    for joint in range(1, skeleton.n_joints):
        if joint not in middle:
            children[skeleton.parents[joint]].append(joint)
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    for joint in range(skeleton.n_joints):
        other = int(partners[joint])
        if other == joint:
            continue
        here, there = ([child for child in children[one] if partners[child] == child] for one in (joint, other))
        if len(here) == len(there) and np.allclose(lengths[here], lengths[there], rtol=ALIKE_WITHIN, atol=1e-6):
            partners[here], partners[there] = there, here


def _stands_aside(skeleton: Skeleton) -> bool:
    rest = skeleton.rest_positions() - skeleton.rest_positions()[0]
    return bool(np.abs(rest[:, 0]).max() > MIDDLE_WITHIN * np.ptp(rest, axis=0).max())
