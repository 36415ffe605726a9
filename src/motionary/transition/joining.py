"""Source, blend and target as one motion: placed, with the plants of all three."""

from dataclasses import dataclass

import numpy as np

from motionary.motion import Motion, Placement, placement_onto
from motionary.plants import FEET, PARTS, Plant
from motionary.transition.pool import Pool, posed

SAME_PLACE = 1e-6  # metres


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses split like the pool's, with their plants."""

    roots: np.ndarray  # (F, 3)
    facing: np.ndarray  # (F,)
    turned: np.ndarray  # (F, J, 4)
    plants: tuple[Plant, ...]

    @property
    def n_frames(self) -> int:
        return len(self.facing)

    @property
    def end(self) -> Placement:
        x, _, z = self.roots[-1].tolist()
        return Placement(float(self.facing[-1]), x, z)

    def placed(self, placement: Placement) -> "Poses":
        """The same somewhere else."""
        plants = tuple(
            Plant(p.foot, p.part, p.start, p.stop, tuple(placement.apply(np.array(p.place)).tolist()), p.origin)
            for p in self.plants
        )
        return Poses(placement.apply(self.roots), self.facing + placement.theta, self.turned, plants)

    def motion(self, pool: Pool, *, floor: float = 0.0) -> Motion:
        """The motion on the pool's body, its floor at a height."""
        return posed(pool, self.roots + np.array([0.0, floor, 0.0]), self.facing, self.turned)


def pool_poses(pool: Pool, clip: int, start: int, stop: int) -> Poses:
    """Frames [start, stop) of the pool, which lie in one clip, with the plants in them, cut at their ends."""
    prints = pool.footprints
    first, last = prints.groups[prints.of_clips[clip]], prints.groups[prints.of_clips[clip + 1]]
    spans = prints.spans[first:last]
    inside = first + np.flatnonzero((spans[:, 0] < stop) & (spans[:, 1] > start))
    plants = tuple(
        _plant(
            int(prints.points[n]),
            max(int(prints.spans[n, 0]), start) - start,
            min(int(prints.spans[n, 1]), stop) - start,
            prints.places[n],
        )
        for n in inside.tolist()
    )
    return Poses(
        pool.roots[start:stop],
        pool.headings[start:stop],
        np.moveaxis(pool.turns[start:stop], 1, 2).astype(np.float64),
        plants,
    )


def join_poses(parts: list[Poses]) -> Poses:
    """Poses one after the other, each where the pool has it; plants that go on across a seam are one."""
    plants: list[Plant] = []
    first = 0
    for part in parts:
        for p in part.plants:
            moved = Plant(p.foot, p.part, p.start + first, p.stop + first, p.place, p.origin)
            before = [
                n
                for n, q in enumerate(plants)
                if (q.foot, q.part, q.stop) == (p.foot, p.part, moved.start) and _same_place(q.place, p.place)
            ]
            if before:
                q = plants[before[0]]
                plants[before[0]] = Plant(q.foot, q.part, q.start, moved.stop, q.place, q.origin)
            else:
                plants.append(moved)
        first += part.n_frames
    return Poses(
        np.concatenate([part.roots for part in parts]),
        np.concatenate([part.facing for part in parts]),
        np.concatenate([part.turned for part in parts]),
        tuple(sorted(plants, key=lambda p: (p.start, p.foot, p.part))),
    )


def onto(poses: Poses, frame_of: Placement, end: Placement) -> Poses:
    """Poses moved so that `frame_of`, a place and heading in them, comes to `end`."""
    here, there = np.array([frame_of.x, 0.0, frame_of.z]), np.array([end.x, 0.0, end.z])
    return poses.placed(placement_onto(here, frame_of.theta, there, end.theta))


def _plant(point: int, start: int, stop: int, place: np.ndarray, origin: str = "transition") -> Plant:
    x, y, z = place.tolist()
    return Plant(FEET[point // 2], PARTS[point % 2], start, stop, (x, y, z), origin)


def blend_plants(points: np.ndarray, spans: np.ndarray, places: np.ndarray) -> tuple[Plant, ...]:
    """Plants from the arrays that a blend leaves behind."""
    return tuple(
        _plant(int(point), int(start), int(stop), place)
        for point, (start, stop), place in zip(points, spans.tolist(), places, strict=True)
    )


def _same_place(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) < SAME_PLACE
