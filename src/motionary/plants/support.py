"""Which rests of the feet bear weight: those on the floor, and those on something else that carries the body.

A heel or ball that keeps still may stand on the floor, on a step or a ramp, or hang in the air: in a kick, on one
leg, on tiptoe, on a chair. Height alone tells the first from the last. A rest off the floor is a plant if the
point has not been lifted to where it is, if its foot does not stand on its other part below, if the pelvis is well
above it, and if the body needs it: the other foot moves meanwhile, or stands higher. Without that need, it must
have come down to its place and leave it upwards, as from a stool.
"""

from dataclasses import dataclass

import numpy as np

from motionary.plants.floor import Floor
from motionary.plants.rests import Rests


@dataclass(frozen=True, slots=True)
class Support:
    """What a rest needs to be a plant; metres for a leg of usual length, and seconds."""

    surely: float = 0.015  # above the floor: it stands
    near: float = 0.03  # it stands unless it was lifted to here, or goes down from here
    level_within: float = 0.006  # neither up nor down
    approach_secs: float = 0.06  # over which ups and downs before and after a rest are seen
    shortest_secs: float = 0.12  # of a rest off the floor
    higher_part: float = 0.025  # between heel and ball, or the feet: the upper one is lifted
    pelvis_above: float = 0.4  # of the leg's length: the pelvis above what bears it
    alone_secs: float = 0.1  # in which the body needs the rest
    settled_secs: float = 0.25  # of a rest that the body does not need


def bearing(
    rests: Rests,
    points: np.ndarray,
    pelvis: np.ndarray,
    *,
    floor: Floor,
    frame_time: float,
    leg_length: float,
    support: Support,
) -> np.ndarray:
    """Which rests (R,) of heels and balls (F, 4, 3) bear weight, below a pelvis at (F, 3)."""
    levels = rests.place[:, 1] - floor.heights(rests.place) - floor.offsets.ravel()[rests.point]
    lifted, lowered = _ups_and_downs(rests, points, max(1, round(support.approach_secs / frame_time)), support)
    standing = (levels < support.surely) | ((levels < support.near) & ~lifted & ~lowered)
    secs = rests.n_frames * frame_time
    beneath = pelvis[(rests.start + rests.stop) // 2, 1] - rests.place[:, 1]
    possible = (levels >= support.near) & ~lifted & (secs >= support.shortest_secs)
    possible = np.flatnonzero(possible & (beneath >= support.pelvis_above * leg_length))
    if not len(possible):
        return standing
    resting = _levels_by_frame(rests, levels, len(points))
    for i in possible:
        during = resting[rests.start[i] : rests.stop[i]]
        if not _on_other_part(during, rests.point[i], levels[i], support):
            n_alone = _frames_alone(during, rests.point[i], levels[i], support)
            settled = secs[i] >= support.settled_secs and not lowered[i]
            standing[i] = settled or n_alone * frame_time >= support.alone_secs
    return standing


def _ups_and_downs(
    rests: Rests, points: np.ndarray, n_approach: int, support: Support
) -> tuple[np.ndarray, np.ndarray]:
    """Whether the points come up to their rests from below, and go down from there; both (R,)."""
    below = rests.place[:, 1] - support.level_within
    before = np.maximum(rests.start - n_approach, 0)
    after = np.minimum(rests.stop - 1 + n_approach, len(points) - 1)
    return points[before, rests.point, 1] < below, points[after, rests.point, 1] < below


def _levels_by_frame(rests: Rests, levels: np.ndarray, n_frames: int) -> np.ndarray:
    """How high above the floor each point rests in each frame (F, 4); infinite where it moves."""
    resting = np.full((n_frames, 4), np.inf)
    for point, start, stop, level in zip(rests.point, rests.start, rests.stop, levels, strict=True):
        resting[start:stop, point] = level
    return resting


def _on_other_part(during: np.ndarray, point: int, level: float, support: Support) -> bool:
    """Whether, most of the time, the other part of the same foot rests lower; `during` is (n, 4)."""
    return bool(np.mean(during[:, point ^ 1] < level - support.higher_part) > 0.5)


def _frames_alone(during: np.ndarray, point: int, level: float, support: Support) -> int:
    """In how many frames nothing of the other foot rests as low; `during` is (n, 4)."""
    other = slice(2, 4) if point < 2 else slice(0, 2)
    return int(np.sum(during[:, other].min(axis=1) > level + support.higher_part))
