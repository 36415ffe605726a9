"""A skeleton with everything that a transfer has to know of it."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, rotations
from motionary.rig.body import FootPoints, foot_points, leg_length, posed_places, settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.mapping import map_skeleton
from motionary.rig.reference import SIDES
from motionary.rig.rest_pose import t_pose
from motionary.rig.rest_shape import arm_is_raised, clavicle_is_raised, rest_shape


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton with everything that a transfer has to know of it."""

    skeleton: Skeleton
    body_map: BodyMap
    rest_world: np.ndarray  # (J, 4) its T-pose
    leg_length: float
    feet: FootPoints
    toes: np.ndarray  # (2, 3) from the ankle to the toe joint in the T-pose, or to the ball where there is none


def body_of(skeleton: Skeleton, *, body_map: BodyMap | None = None, motion: Motion | None = None) -> Body:
    """The body of a skeleton; `motion` shows how its limbs bend where the rest pose says nothing."""
    if motion is not None:
        skeleton = settled_skeleton(motion)
    if body_map is None:
        body_map = map_skeleton(skeleton)
        if motion is None or _rest_says_all(skeleton, body_map):
            return _known_body(_Content.of(skeleton))
    return _measured(skeleton, body_map, motion)


@dataclass(frozen=True)
class _Content:
    """A skeleton that equals others of the same content."""

    names: tuple[str, ...]
    numbers: bytes
    skeleton: Skeleton = field(compare=False)

    @staticmethod
    def of(skeleton: Skeleton) -> "_Content":
        arrays = (skeleton.parents, skeleton.offsets, skeleton.end_site_joints, skeleton.end_site_offsets)
        return _Content(skeleton.names, b"".join(array.tobytes() for array in arrays), skeleton)


@lru_cache(maxsize=256)
def _known_body(content: _Content) -> Body:
    return _measured(content.skeleton, map_skeleton(content.skeleton), None)


def _rest_says_all(skeleton: Skeleton, body_map: BodyMap) -> bool:
    if rest_shape(skeleton, body_map) != "human":
        return False
    places = skeleton.rest_positions()
    return not any(raised(places, body_map, side) for raised in (arm_is_raised, clavicle_is_raised) for side in SIDES)


def _measured(skeleton: Skeleton, body_map: BodyMap, motion: Motion | None) -> Body:
    length = leg_length(skeleton, body_map)
    if length < 1e-6:
        raise MappingError("the legs have no length, so the motion cannot be scaled")
    rest = t_pose(skeleton, body_map, motion=motion)
    feet = foot_points(skeleton, body_map, rest)
    places = posed_places(skeleton, rest)
    toes = places[feet.joints[:, 1]] + rotations.rotate(rest[feet.joints[:, 1]], feet.offsets[:, 1])
    for i, side in enumerate(SIDES):
        if side + "Toe" in body_map.joints:
            toes[i] = places[body_map.joints[side + "Toe"]]
    rest.flags.writeable = False  # it may be shared by many motions
    ankles = places[[body_map.joints[side + "Foot"] for side in SIDES]]
    return Body(skeleton, body_map, rest, length, feet, toes - ankles)
