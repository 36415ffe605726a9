"""Which rests of the feet bear weight: those on the floor, and those on something else that carries the body.

A heel or ball that keeps still may stand on the floor, on a step or a ramp, or hang in the air: in a kick, on one
leg, on tiptoe, on a chair. Height alone tells the first from the last. A rest off the floor is a plant if the
point has not been lifted to where it is, if its foot does not stand on its other part below, if the pelvis is well
above it, and if one of these holds:
- the body needs it: the other foot moves meanwhile, or stands higher, and it is no short halt on the way down;
- it has come down to its place, flat, and leaves it upwards, as from a stool;
- the other foot has a plant beside it at the same height, or the point itself one just before or after.
"""

from dataclasses import dataclass

import numpy as np

from motionary.plants.floor import Floor
from motionary.plants.rests import Rests


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a rest needs to be a plant; metres for a leg of usual length, and seconds."""

    surely: float = 0.015  # above the floor: it stands
    near: float = 0.03  # it stands unless it was lifted to here, or goes down from here
    level_within: float = 0.006  # neither up nor down
    approach_secs: float = 0.06  # over which ups and downs before and after a rest are seen
    shortest_secs: float = 0.12  # of a rest off the floor
    higher: float = 0.025  # of a heel above its ball, or of a foot above the other: it is lifted
    uphill: float = 0.065  # of a ball above its heel: it is lifted; below that the foot may stand on a ramp
    pelvis_above: float = 0.4  # of the leg's length: the pelvis above what bears it
    alone_secs: float = 0.1  # in which the body needs the rest
    settled_secs: float = 0.25  # of a rest that the body does not need, and before it
    settled_from: float = 0.015  # above its place, from where it has come down


def bearing_rests(
    rests: Rests,
    points: np.ndarray,
    pelvis: np.ndarray,
    *,
    floor: Floor,
    frame_time: float,
    leg_length: float,
    bearing: Bearing,
) -> np.ndarray:
    """Which rests (R,) of heels and balls (F, 4, 3) bear weight, below a pelvis at (F, 3)."""
    levels = rests.place[:, 1] - floor.heights(rests.place) - floor.offsets.ravel()[rests.point]
    lifted, lowered = _ups_and_downs(rests, points, max(1, round(bearing.approach_secs / frame_time)), bearing)
    standing = (levels < bearing.surely) | ((levels < bearing.near) & ~lifted & ~lowered)
    secs = rests.n_frames * frame_time
    beneath = pelvis[(rests.start + rests.stop) // 2, 1] - rests.place[:, 1]
    possible = (levels >= bearing.near) & (beneath >= bearing.pelvis_above * leg_length)
    if not possible.any():
        return standing
    resting = _levels_by_frame(rests, levels, len(points))
    for i in np.flatnonzero(possible).tolist():
        during = resting[rests.start[i] : rests.stop[i]]
        possible[i] = not _on_other_part(during, rests.point[i], levels[i], bearing)
        if possible[i] and not lifted[i] and secs[i] >= bearing.shortest_secs:
            lasting = secs[i] >= bearing.settled_secs
            if _frames_alone(during, rests.point[i], levels[i], bearing) * frame_time >= bearing.alone_secs:
                standing[i] = lasting or not lowered[i]
            elif lasting and not lowered[i]:
                standing[i] = _is_settled(rests, i, points, round(bearing.settled_secs / frame_time), bearing)
    _stand_beside(standing, rests, levels, possible & ~lifted, len(points), bearing)
    _stand_on(standing, rests, possible, bearing)
    return standing


def _ups_and_downs(
    rests: Rests, points: np.ndarray, n_approach: int, bearing: Bearing
) -> tuple[np.ndarray, np.ndarray]:
    """Whether the points come up to their rests from below, and go down from there; both (R,)."""
    below = rests.place[:, 1] - bearing.level_within
    before = np.maximum(rests.start - n_approach, 0)
    after = np.minimum(rests.stop - 1 + n_approach, len(points) - 1)
    return points[before, rests.point, 1] < below, points[after, rests.point, 1] < below


def _levels_by_frame(rests: Rests, levels: np.ndarray, n_frames: int) -> np.ndarray:
    """How high above the floor each point rests in each frame (F, 4); infinite where it moves."""
    resting = np.full((n_frames, 4), np.inf)
    for point, start, stop, level in zip(rests.point, rests.start, rests.stop, levels, strict=True):
        resting[start:stop, point] = level
    return resting


def _on_other_part(during: np.ndarray, point: int, level: float, bearing: Bearing) -> bool:
    """Whether, most of the time, the other part of the same foot rests lower; `during` is (n, 4)."""
    higher = bearing.uphill if point % 2 else bearing.higher
    return bool(np.mean(during[:, point ^ 1] < level - higher) > 0.5)


def _frames_alone(during: np.ndarray, point: int, level: float, bearing: Bearing) -> int:
    """In how many frames nothing of the other foot rests as low; `during` is (n, 4)."""
    other = slice(2, 4) if point < 2 else slice(0, 2)
    return int(np.sum(during[:, other].min(axis=1) > level + bearing.higher))


def _is_settled(rests: Rests, i: int, points: np.ndarray, n_before: int, bearing: Bearing) -> bool:
    """Whether shortly before, the point was clearly above its place and never below, and the foot is flat."""
    start, stop, point, height = int(rests.start[i]), int(rests.stop[i]), int(rests.point[i]), rests.place[i, 1]
    before = points[max(0, start - n_before) : start, point, 1] - height
    comes_down = before.max(initial=-np.inf) > bearing.settled_from and before.min() > -bearing.settled_from
    return bool(comes_down and abs(points[start:stop, point ^ 1, 1].mean() - height) < bearing.uphill)


def _stand_beside(
    standing: np.ndarray, rests: Rests, levels: np.ndarray, possible: np.ndarray, n_frames: int, bearing: Bearing
) -> None:
    """Let rests stand, in `standing`, that are at one time and height with a plant of the other foot."""
    bearing_levels = _levels_by_frame(rests.only(standing), levels[standing], n_frames)
    for i in np.flatnonzero(possible & ~standing):
        other = slice(2, 4) if rests.point[i] < 2 else slice(0, 2)
        beside = bearing_levels[rests.start[i] : rests.stop[i], other]
        standing[i] = bool(np.any(np.abs(beside - levels[i]) < bearing.surely))


def _stand_on(standing: np.ndarray, rests: Rests, possible: np.ndarray, bearing: Bearing) -> None:
    """Let rests stand, in `standing`, to or from which a point slid from or to a plant, at one height."""
    touching = (rests.point[1:] == rests.point[:-1]) & (rests.slow_start[1:] == rests.slow_stop[:-1])
    touching &= np.abs(rests.place[1:, 1] - rests.place[:-1, 1]) < bearing.surely
    for i in np.flatnonzero(touching):
        standing[i + 1] |= standing[i] & possible[i + 1]
    for i in np.flatnonzero(touching)[::-1]:
        standing[i] |= standing[i + 1] & possible[i]
