"""Source, blend and target as one motion: placed, with the plants of all three."""

import math
from dataclasses import dataclass

import numpy as np

from motionary.motion import Motion, Placement
from motionary.plants import FEET, PARTS, Plant
from motionary.transition.pool import Pool, posed

SAME_PLACE = 1e-6  # metres


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses split like the pool's, with their plants."""

    roots: np.ndarray  # (F, 3)
    facing: np.ndarray  # (F,)
    turned: np.ndarray  # (F, J, 4)
    points: np.ndarray  # (N,) of the plants: left heel, left toe, right heel, right toe
    spans: np.ndarray  # (N, 2) frames [start, stop)
    places: np.ndarray  # (N, 3)

    @property
    def n_frames(self) -> int:
        return len(self.facing)

    @property
    def end(self) -> Placement:
        x, _, z = self.roots[-1].tolist()
        return Placement(float(self.facing[-1]), x, z)

    def placed(self, placement: Placement, *, rise: float = 0.0) -> "Poses":
        """The same somewhere else, and higher by `rise`."""
        roots, places = _moved(self.roots, placement, rise), _moved(self.places, placement, rise)
        return Poses(roots, self.facing + placement.theta, self.turned, self.points, self.spans, places)

    def motion(self, pool: Pool, *, floor: float = 0.0) -> Motion:
        """The motion on the pool's body, its floor at a height."""
        return posed(pool, self.roots + np.array([0.0, floor, 0.0]), self.facing, self.turned)

    def plants(self, *, floor: float = 0.0) -> tuple[Plant, ...]:
        """The plants, by start, foot and part."""
        rows = sorted(zip(self.spans.tolist(), self.points.tolist(), self.places.tolist(), strict=True))
        return tuple(
            Plant(FEET[point // 2], PARTS[point % 2], start, stop, (x, y + floor, z), "transition")
            for (start, stop), point, (x, y, z) in rows
        )


def pool_poses(pool: Pool, clip: int, start: int, stop: int) -> Poses:
    """Frames [start, stop) of the pool, which lie in one clip, with the plants in them, cut at their ends."""
    prints = pool.footprints
    first, last = prints.groups[prints.of_clips[clip]], prints.groups[prints.of_clips[clip + 1]]
    spans = prints.spans[first:last]
    inside = (spans[:, 0] < stop) & (spans[:, 1] > start)
    return Poses(
        pool.roots[start:stop],
        pool.headings[start:stop],
        pool.turns[start:stop].transpose(0, 2, 1),
        prints.points[first:last][inside],
        np.clip(spans[inside], start, stop) - start,
        prints.places[first:last][inside],
    )


def join_poses(parts: list[Poses]) -> Poses:
    """Poses one after the other; plants that go on across a seam, at the same place, are one."""
    points: list[int] = []
    spans: list[list[int]] = []
    places: list[list[float]] = []
    ending: dict[int, int] = {}  # the plant of each point that reaches the seam
    first = 0
    for part in parts:
        now: dict[int, int] = {}
        stop_at = first + part.n_frames
        for point, (start, stop), place in zip(
            part.points.tolist(), part.spans.tolist(), part.places.tolist(), strict=True
        ):
            n = ending.get(point, -1) if start == 0 else -1
            if n >= 0 and max(abs(a - b) for a, b in zip(places[n], place, strict=True)) < SAME_PLACE:
                spans[n][1] = stop + first
            else:
                n = len(points)
                points.append(point)
                spans.append([start + first, stop + first])
                places.append(place)
            if stop + first == stop_at:
                now[point] = n
        ending, first = now, stop_at
    return Poses(
        np.concatenate([part.roots for part in parts]),
        np.concatenate([part.facing for part in parts]),
        np.concatenate([part.turned for part in parts]),
        np.array(points, dtype=np.int64),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        np.array(places, dtype=np.float64).reshape(-1, 3),
    )


def onto(poses: Poses, frame_of: Placement, end: Placement, *, rise: float = 0.0) -> Poses:
    """Poses moved so that `frame_of`, a place and heading in them, comes to `end`; and higher by `rise`."""
    return poses.placed(between(frame_of, end), rise=rise)


def between(here: Placement, there: Placement) -> Placement:
    """The placement that brings one place and heading to another."""
    theta = there.theta - here.theta
    cosine, sine = math.cos(theta), math.sin(theta)
    x, z = cosine * here.x + sine * here.z, cosine * here.z - sine * here.x
    return Placement(theta, float(there.x - x), float(there.z - z))


def _moved(points: np.ndarray, placement: Placement, rise: float) -> np.ndarray:
    cosine, sine = math.cos(placement.theta), math.sin(placement.theta)
    x, z = points[:, 0], points[:, 2]
    out = np.empty((len(points), 3))
    out[:, 0] = cosine * x + sine * z + placement.x
    out[:, 1] = points[:, 1] + rise
    out[:, 2] = cosine * z - sine * x + placement.z
    return out
