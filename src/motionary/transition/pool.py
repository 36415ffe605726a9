"""The pool: a library's motions on one body at one rate, as arrays; what transitions are made of."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.motion import Motion, Placement, headings, resample, rotations
from motionary.plants import Plant
from motionary.rig import Body, body_of, reference_skeleton, transfer_between
from motionary.transition.footprints import Footprints, footprints_of, join_footprints

RATE_HZ = 30.0
FLAT = 0.08  # metres: steps are higher
FLOOR_SHARE = 25.0  # per cent of the plants that are lower than a clip's floor: stairs go up more than down


@dataclass(frozen=True, eq=False)
class Source:
    """One clip as the pool takes it."""

    clip_id: int
    name: str
    motion: Motion
    body: Body
    plants: tuple[Plant, ...]


@dataclass(frozen=True, eq=False)
class Pool:
    """Clips one after the other, every pose split into where it is and how it is.

    Clip c is frames [starts[c], starts[c + 1]). A pose is its root's place on the ground, its height above the clip's
    floor, its heading, and the rotations: the root's without the heading, the others against their parents.
    """

    body: Body
    frame_time: float
    clip_ids: np.ndarray  # (C,) int64
    names: tuple[str, ...]
    starts: np.ndarray  # (C + 1,) int64
    roots: np.ndarray  # (T, 3) float64: x, height, z
    headings: np.ndarray  # (T,) float64, without jumps inside a clip
    turns: np.ndarray  # (T, 4, J) float32: part by part, so that kernels walk along joints
    floors: np.ndarray  # (C,) metres that were taken off the heights
    footprints: Footprints

    def __post_init__(self) -> None:
        for name in ("clip_ids", "starts", "roots", "headings", "turns", "floors"):
            getattr(self, name).flags.writeable = False

    @property
    def n_clips(self) -> int:
        return len(self.clip_ids)

    @property
    def n_frames(self) -> int:
        return int(self.starts[-1])

    def clip_of(self, frame: int) -> int:
        """The number of the clip that a frame of the pool belongs to."""
        return int(np.searchsorted(self.starts, frame, side="right")) - 1

    def clip_number(self, clip_id: int) -> int:
        """The number of a clip in the pool; raises if the pool does not hold it."""
        if clip_id not in self._numbers:
            raise UsageError(f"clip #{clip_id} is not among the {self.n_clips} clips that transitions were built from")
        return self._numbers[clip_id]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {clip_id: number for number, clip_id in enumerate(self.clip_ids.tolist())}

    def motion(self, start: int, stop: int) -> Motion:
        """Frames [start, stop) of the pool, which lie in one clip, on the pool's body, its floor at 0."""
        turned = np.moveaxis(self.turns[start:stop].astype(np.float64), 1, 2)  # (F, J, 4)
        return posed(self, self.roots[start:stop], self.headings[start:stop], turned)

    def level(self, clip: int, frame: int) -> float:
        """How high the ground is below a clip at a frame of the pool: on stairs or a platform it is not the floor.

        It is the place of whatever stands then, or stands next in time; less than 8 cm count as the floor.
        """
        if self._is_flat[clip]:
            return 0.0
        prints = self.footprints
        first, last = prints.groups[prints.of_clips[clip]], prints.groups[prints.of_clips[clip + 1]]
        spans = prints.spans[first:last]
        away = np.maximum(np.maximum(spans[:, 0] - frame, frame - spans[:, 1] + 1), 0)
        height = float(prints.places[first:last, 1][away == away.min()].min())
        return height if abs(height) > FLAT else 0.0

    @cached_property
    def _is_flat(self) -> list[bool]:
        """Whether each clip's plants are all about as high as its floor, or it has none."""
        prints = self.footprints
        ends = prints.groups[prints.of_clips]
        high = np.concatenate([[0], np.cumsum(np.abs(prints.places[:, 1]) > FLAT)])
        return [bool(flat) for flat in high[ends[1:]] == high[ends[:-1]]]

    def placement(self, frame: int) -> Placement:
        """Where the body is and faces."""
        x, _, z = self.roots[frame].tolist()
        return Placement(float(self.headings[frame]), x, z)


def posed(pool: Pool, roots: np.ndarray, facing: np.ndarray, turned: np.ndarray) -> Motion:
    """The motion of poses split like the pool's: roots (F, 3), headings (F,), rotations (F, J, 4)."""
    whole = np.empty((len(facing), pool.body.skeleton.n_joints, 4))
    _headed(np.ascontiguousarray(turned, dtype=np.float64), facing, whole)
    return Motion(pool.body.skeleton, pool.frame_time, roots, whole)


def build_pool(sources: Iterable[Source], *, rate_hz: float = RATE_HZ) -> Pool:
    """The pool of these clips; each is brought to the reference body, and to `rate_hz` frames a second."""
    body = body_of(reference_skeleton())
    parts = [pooled(source, body, 1.0 / rate_hz) for source in sources]
    return join_parts(parts, body, 1.0 / rate_hz)


@dataclass(frozen=True, eq=False)
class Part:
    """One clip of a pool."""

    clip_id: int
    name: str
    roots: np.ndarray  # (F, 3)
    headings: np.ndarray  # (F,)
    turns: np.ndarray  # (F, 4, J) float32
    floor: float
    plants: tuple[Plant, ...]  # at the pool's rate
    points: np.ndarray  # (F, 4, 3) places of heels and balls above the floor


def pooled(source: Source, body: Body, frame_time: float) -> Part:
    """One clip on the pool's body at the pool's rate."""
    ratio = source.motion.frame_time / frame_time
    moved = transfer_between(resample(source.motion, frame_time=frame_time), source.body, body)
    plants = [_at_rate(plant, ratio, moved.n_frames) for plant in source.plants]
    kept = tuple(plant for plant in plants if plant is not None)
    points = body.feet.world(moved).reshape(-1, 4, 3)
    heights = [float(points[p.start : p.stop, _point(p), 1].mean()) for p in kept]
    floor = float(np.percentile(heights, FLOOR_SHARE)) if heights else 0.0
    facing = headings(moved.rotations_world[:, body.body_map.hips], body.rest_world[body.body_map.hips])
    turned = np.array(moved.rotations)
    about_up = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), -facing)
    turned[:, 0] = rotations.continuous(rotations.multiply(about_up, turned[:, 0]))
    return Part(
        source.clip_id,
        source.name,
        moved.root_positions - (0.0, floor, 0.0),
        facing,
        np.ascontiguousarray(np.moveaxis(turned, 2, 1), dtype=np.float32),
        floor,
        kept,
        points - (0.0, floor, 0.0),
    )


def join_parts(parts: Iterable[Part], body: Body, frame_time: float) -> Pool:
    """The pool of clips that are on its body already."""
    parts = list(parts)
    if not parts:
        raise UsageError("there are no clips to make transitions from")
    starts = np.concatenate([[0], np.cumsum([len(part.roots) for part in parts])]).astype(np.int64)
    return Pool(
        body,
        frame_time,
        np.array([part.clip_id for part in parts], dtype=np.int64),
        tuple(part.name for part in parts),
        starts,
        np.concatenate([part.roots for part in parts]),
        np.concatenate([part.headings for part in parts]),
        np.concatenate([part.turns for part in parts]),
        np.array([part.floor for part in parts]),
        join_footprints(
            (footprints_of(part.plants), part.points, int(first)) for part, first in zip(parts, starts, strict=False)
        ),
    )


def _at_rate(plant: Plant, ratio: float, n_frames: int) -> Plant | None:
    """The plant at another rate, `ratio` new frames for an old one; None if no frame is left of it."""
    start = int(np.ceil(plant.start * ratio - 1e-6))
    stop = min(int(np.ceil(plant.stop * ratio - 1e-6)), n_frames)
    return replace(plant, start=start, stop=stop) if start < stop else None


def _point(plant: Plant) -> int:
    return 2 * ("left", "right").index(plant.foot) + ("heel", "toe").index(plant.part)


@njit(cache=True, nogil=True, error_model="numpy")
def _headed(turned, facing, out):  # type: ignore[no-untyped-def]
    """Rotations (F, J, 4) with the root's heading, of unit length, their signs continuous over time."""
    for f in range(len(facing)):
        a, c = np.cos(0.5 * facing[f]), np.sin(0.5 * facing[f])
        for j in range(turned.shape[1]):
            w, x, y, z = turned[f, j, 0], turned[f, j, 1], turned[f, j, 2], turned[f, j, 3]
            if j == 0:
                w, x, y, z = a * w - c * y, a * x + c * z, a * y + c * w, a * z - c * x
            scale = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
            if (
                f > 0
                and w * out[f - 1, j, 0] + x * out[f - 1, j, 1] + y * out[f - 1, j, 2] + z * out[f - 1, j, 3] < 0.0
            ):
                scale = -scale
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = scale * w, scale * x, scale * y, scale * z
