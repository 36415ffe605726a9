"""What a body stands on: the corners of its soles, their convex hull, and how far a point on the ground is from it."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.rig import SIDES, Body

HALF_WIDTH = 0.04  # metres of the sole to either side of heel, ball and tip
TOES = 0.083  # from the ball to the tip of the toes, as a share of the leg's length, like the reference skeleton's
TOUCHING = 0.05  # metres that a heel or ball may be from where it stood and still touch the ground
LEVEL = 1e-9
POINT_OF = np.array([0, 1, 2, 3, 1, 3])  # the contact with which each point stands: the tips with the balls


@dataclass(frozen=True, eq=False)
class Soles:
    """Points of the feet that ride on joints: left heel, left ball, right heel, right ball, left tip, right tip.

    The tip of the toes stands whenever the ball does: a foot pushes off with its toes, so that without them the
    polygon ends too early (the paper knows heel and toe only).
    """

    joints: np.ndarray  # (6,) int32
    offsets: np.ndarray  # (6, 3) metres, in the joints' frames
    sideways: np.ndarray  # (6, 3) unit vectors across the foot, in the joints' frames

    @staticmethod
    def of(body: Body) -> "Soles":
        """The soles of a body."""
        joints = body.feet.joints.reshape(4)[POINT_OF].astype(np.int32)
        offsets = body.feet.offsets.reshape(4, 3)[POINT_OF]
        tips = [body.body_map.joints.get(side + "Toe") for side in SIDES]
        for i, toe in enumerate(tips):  # the toes stay on the ground where the ball already rolls off
            if toe is not None:
                joints[4 + i], offsets[4 + i] = toe, 0.0
        into_joint = rotations.inverse(body.rest_world[joints])
        offsets[4:] += rotations.rotate(into_joint[4:], np.array([0.0, 0.0, TOES * body.leg_length]))
        return Soles(joints, offsets, rotations.rotate(into_joint, np.array([1.0, 0.0, 0.0])))


@dataclass(frozen=True, eq=False)
class Support:
    """The corners of the soles in every frame, those that stand, and the height of the ground below them."""

    corners: np.ndarray  # (F, 12, 2) x and z, two for each of the six points of the soles
    standing: np.ndarray  # (F, 12) bool
    height: np.ndarray  # (F,) metres; NaN without contact

    @property
    def middle(self) -> np.ndarray:
        """The mean (F, 2) of the corners that stand; NaN without contact."""
        count = self.standing.sum(axis=1)[:, None]
        mean = np.sum(self.corners * self.standing[..., None], axis=1) / np.maximum(count, 1)
        return np.where(count > 0, mean, np.nan)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """How far each point (F, 2) on the ground is from its frame's polygon (F,): 0 inside, NaN without one."""
        return self._nearest(points)[0]

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """The point (F, 2) of each frame's polygon that is nearest to the frame's point; NaN without polygon."""
        return self._nearest(points)[1]

    def _nearest(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        distances, nearest = np.full(len(points), np.nan), np.full((len(points), 2), np.nan)
        points = np.ascontiguousarray(points, dtype=np.float64)
        _nearest_in_hulls(points, np.ascontiguousarray(self.corners), self.standing, distances, nearest)
        return distances, nearest


def touching(motion: Motion, body: Body, contacts: np.ndarray, *, near: float = TOUCHING) -> np.ndarray:
    """The contacts (F, 2, 2) grown from feet that stand to feet that touch the ground.

    A heel carries weight before it has come to rest, and toes push off while the ball already rises: a point touches
    the ground from the frames before its contact to those after it in which it is `near` to where it stands.
    """
    grown = checked_contacts(contacts, motion.n_frames).reshape(-1, 4).astype(np.float64)
    touch_ground(np.ascontiguousarray(body.feet.world(motion).reshape(-1, 4, 3)), grown, near)
    return (grown > 0.0).reshape(-1, 2, 2)


def touching_reference(points: np.ndarray, contacts: np.ndarray, near: float) -> np.ndarray:
    """What `touch_ground` finds, from the definition: points (F, 4, 3) and contacts (F, 4) of bool."""
    grown = np.array(contacts)
    for k in range(4):
        for f in np.flatnonzero(contacts[:, k]):
            for step in (-1, 1):
                g = f + step
                while 0 <= g < len(points) and not contacts[g, k]:
                    if np.linalg.norm(points[g, k] - points[f, k]) >= near:
                        break
                    grown[g, k] = True
                    g += step
    return grown


def support(motion: Motion, body: Body, contacts: np.ndarray) -> Support:
    """What the body stands on, by the contacts (F, 2, 2) of [left, right] × [heel, toe].

    Every point of a sole that stands gives two corners, 4 cm to either side of it across the foot; the tip of the
    toes stands with the ball. The ground is as high as the standing heels and balls are on the average.
    """
    contacts = checked_contacts(contacts, motion.n_frames)
    soles = Soles.of(body)
    world = motion.rotations_world[:, soles.joints]
    points = motion.positions_world[:, soles.joints] + rotations.rotate(world, soles.offsets)  # (F, 6, 3)
    across = rotations.rotate(world, soles.sideways)[..., [0, 2]]
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    across = np.where(size > LEVEL, HALF_WIDTH * across / np.maximum(size, LEVEL), 0.0)
    level = points[..., [0, 2]]
    corners = np.stack([level - across, level + across], axis=2).reshape(len(points), 12, 2)
    stands = contacts.reshape(-1, 4)
    count = stands.sum(axis=1)
    heights = (points[:, :4, 1] * stands).sum(axis=1)
    height = np.where(count > 0, heights / np.maximum(count, 1), np.nan)
    return Support(corners, np.repeat(stands[:, POINT_OF], 2, axis=1), height)


def checked_contacts(contacts: np.ndarray, n_frames: int) -> np.ndarray:
    """The contacts as (F, 2, 2) of bool; raises if they are not."""
    contacts = np.asarray(contacts)
    if contacts.shape != (n_frames, 2, 2) or contacts.dtype != np.bool_:
        raise UsageError(
            f"contacts must be ({n_frames}, 2, 2) of bool, [left, right] by [heel, toe], "
            f"not {contacts.shape} of {contacts.dtype}"
        )
    return contacts


def polygon_distance_reference(point: np.ndarray, corners: np.ndarray) -> float:
    """What `polygon_distance` computes, from the definition.

    A point of the hull lies in a triangle of corners (Carathéodory); any other is nearest to a line between two.
    """
    for a, b, c in combinations(corners, 3):
        turns = [_turn(*pair, point) for pair in ((a, b), (b, c), (c, a))]
        if _turn(a, b, c) != 0.0 and (min(turns) >= 0.0 or max(turns) <= 0.0):
            return 0.0
    nearest = [float(np.hypot(*(point - corner))) for corner in corners]
    for a, b in combinations(corners, 2):
        length = (b - a) @ (b - a)
        share = np.clip((point - a) @ (b - a) / length, 0.0, 1.0) if length > 0.0 else 0.0
        nearest.append(float(np.hypot(*(point - a - share * (b - a)))))
    return min(nearest)


def polygon_distance(point: np.ndarray, corners: np.ndarray) -> float:
    """How far a point (2,) is from the convex hull of the corners (n, 2), n ≥ 1; 0 inside."""
    corners = np.array(corners, dtype=np.float64)
    hull, nearest = np.empty((2 * len(corners), 2)), np.empty(2)
    return float(nearest_in_hull(point[0], point[1], corners, len(corners), hull, nearest))


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


@njit(cache=True, nogil=True)
def touch_ground(points, contacts, near):  # type: ignore[no-untyped-def]
    """Grow contacts (F, 4) in place, 1 where a point stands: 2 where it does not, but touches the ground.

    `points` (F, 4 or more, 3) are the places of heels and balls.
    """
    n_frames = len(points)
    for k in range(4):
        for step in (1, -1):
            stood = -1
            for i in range(n_frames):
                f = i if step > 0 else n_frames - 1 - i
                if contacts[f, k] == 1.0:
                    stood = f
                elif stood >= 0:
                    x = points[f, k, 0] - points[stood, k, 0]
                    y = points[f, k, 1] - points[stood, k, 1]
                    z = points[f, k, 2] - points[stood, k, 2]
                    if np.sqrt(x * x + y * y + z * z) < near:
                        contacts[f, k] = 2.0
                    else:
                        stood = -1


@njit(cache=True, nogil=True)
def nearest_in_hull(x, y, corners, n_corners, hull, nearest):  # type: ignore[no-untyped-def]
    """The distance of (x, y) from the hull of the first corners; writes the nearest point. NaN is infinitely far.

    Sorts these corners in place; `hull` (at least 2 · n_corners, 2) is room to work, as each of 2 · n_corners − 1 steps
    adds one corner. Andrew's monotone chain, counter-clockwise.
    """
    for i in range(1, n_corners):
        a, b = corners[i, 0], corners[i, 1]
        j = i - 1
        while j >= 0 and (corners[j, 0] > a or (corners[j, 0] == a and corners[j, 1] > b)):
            corners[j + 1, 0], corners[j + 1, 1] = corners[j, 0], corners[j, 1]
            j -= 1
        corners[j + 1, 0], corners[j + 1, 1] = a, b
    n_hull, n_lower = 0, 1
    for step in range(2 * n_corners - 1):  # there along the lower side, back along the upper
        i = step if step < n_corners else 2 * n_corners - 2 - step
        floor = 1 if step < n_corners else n_lower
        a, b = corners[i, 0], corners[i, 1]
        while n_hull > floor:
            ux, uy = hull[n_hull - 1, 0] - hull[n_hull - 2, 0], hull[n_hull - 1, 1] - hull[n_hull - 2, 1]
            if ux * (b - hull[n_hull - 2, 1]) - uy * (a - hull[n_hull - 2, 0]) > 0.0:
                break
            n_hull -= 1
        hull[n_hull, 0], hull[n_hull, 1] = a, b
        n_hull += 1
        if step == n_corners - 1:
            n_lower = n_hull
    inside = n_hull > 3  # the first corner stands at the end again
    best = np.inf
    for i in range(max(1, n_hull - 1)):
        ax, ay = hull[i, 0], hull[i, 1]
        share, ux, uy = 0.0, 0.0, 0.0
        if n_hull > 1:
            ux, uy = hull[i + 1, 0] - ax, hull[i + 1, 1] - ay
            if not ux * (y - ay) - uy * (x - ax) >= 0.0:  # so that what is no number is not inside
                inside = False
            length = ux * ux + uy * uy
            if length > 0.0:
                share = min(max(((x - ax) * ux + (y - ay) * uy) / length, 0.0), 1.0)
        px, py = ax + share * ux, ay + share * uy
        square = (x - px) * (x - px) + (y - py) * (y - py)
        if square < best:
            best = square
            nearest[0], nearest[1] = px, py
    if inside:
        nearest[0], nearest[1] = x, y
        return 0.0
    return np.sqrt(best)


@njit(cache=True, nogil=True)
def _nearest_in_hulls(points, corners, standing, distances, nearest):  # type: ignore[no-untyped-def]
    n_corners = corners.shape[1]
    some, hull = np.empty((n_corners, 2)), np.empty((2 * n_corners, 2))
    for f in range(len(points)):
        n = np.int64(0)
        for i in range(n_corners):
            if standing[f, i]:
                some[n, 0], some[n, 1] = corners[f, i, 0], corners[f, i, 1]
                n += 1
        if n and np.isfinite(points[f, 0]) and np.isfinite(points[f, 1]):
            distances[f] = nearest_in_hull(points[f, 0], points[f, 1], some, n, hull, nearest[f])
