"""Metrics that know weight: displaced mass and friction (seed of the motion graph), and which way a part moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numba import njit

from motionary.arguments import check_is, factors
from motionary.metrics.body_parts import (
    BY_THE_FEET,
    PARTS,
    friction_of_parts,
    mass_weights,
    part_shares,
    part_weights,
    point_shares,
    supports,
    touching_parts,
)
from motionary.metrics.clouds import TO_LEFT, cloud_points
from motionary.metrics.loaded_frames import (
    LoadedFrames,
    cells_of,
    loaded_cells,
    loaded_distances,
    loaded_frames,
    loaded_rectangles,
)
from motionary.metrics.turned import CoarseFrames, half_steps, turned_vectors
from motionary.metrics.windows import Window, window_clouds

KINDS = ("dynamics", "source", "direction")
LIFT = 0.5  # by this share lifting a part costs more, and letting it fall less, than moving it level


@dataclass(frozen=True)
class DynamicsMetric:
    """Windows of points, weighted by the mass that moves and by what holds the body up.

    A pair of frames has the weights mass + friction(i) + friction(j): moving a loaded foot costs the most, a free hand
    the least. They are never normalised per pair, only divided by one constant: the weight of two frames that stand on
    one foot each. `source` leaves the second frame's friction out. `direction` adds that lifting costs more than
    letting fall: of Σ w Δy² it adds LIFT times the part that goes up from the first frame to the second, and takes as
    much of the part that goes down.
    """

    kind: str = "dynamics"
    window: Window = field(default_factory=Window)
    parts: tuple[tuple[str, float], ...] = ()  # words in names of body parts, and how many times as much these count

    def __post_init__(self) -> None:
        check_is(self.window, Window, called="window", meant="a Window")
        weights = factors(dict(self.parts), "parts")
        part_weights(weights)
        object.__setattr__(self, "parts", tuple(sorted((word, w) for word, w in weights.items() if w != 1.0)))

    @property
    def name(self) -> str:
        words = [f"{word}={factor:g}" for word, factor in self.parts]
        return ",".join([self.kind, f"{self.window.before}+{self.window.after}", self.window.shape, *words])

    @property
    def is_directed(self) -> bool:
        """Whether the way from one frame to another may cost more than the way back."""
        return self.kind != "dynamics"

    @cached_property
    def base(self) -> np.ndarray:
        """Weights (20,) of displaced mass, divided by the one constant."""
        return self._of_points(mass_weights(part_shares())) / self._constant

    @cached_property
    def loads(self) -> np.ndarray:
        """Weights (16, 20) of friction, of every part if it supports, divided by the same constant."""
        friction = friction_of_parts(part_shares(), np.ones((1, len(PARTS)), dtype=bool))[0]
        return self._of_points(np.diag(friction)) / self._constant

    def friction(self, points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
        """Weights (F, 20) of friction."""
        return self._of_points(friction_of_parts(part_shares(), touching_parts(points, contacts))) / self._constant

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> LoadedFrames:
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        contacts = features["curves"][:, :BY_THE_FEET] > 0.5
        return loaded_frames(points, supports(touching_parts(points, contacts)), self.loads, self.base, self.window)

    def thinned(self, described: LoadedFrames, every: int) -> LoadedFrames:
        return described.thinned(every)

    def block(self, first: LoadedFrames, second: LoadedFrames, out: np.ndarray) -> None:
        loaded_distances(first, second, of_second=self.of_second, out=out)
        if self.kind == "direction":
            _add_lift(first.mean_heights, second.mean_heights, self.base.astype(np.float32), np.float32(LIFT), out)

    def rectangles(self, first: LoadedFrames, second: LoadedFrames, rectangles: np.ndarray) -> np.ndarray:
        rectangles = np.asarray(rectangles, dtype=np.int64).reshape(-1, 4)
        out = loaded_rectangles(first, second, rectangles, of_second=self.of_second)
        if self.kind != "direction":
            return out
        cells = cells_of(rectangles, first.n_frames, second.n_frames)
        return self._lifted(out, first, second, cells[:, 0], cells[:, 1])

    def _lifted(
        self, out: np.ndarray, first: LoadedFrames, second: LoadedFrames, rows: np.ndarray, columns: np.ndarray
    ) -> np.ndarray:
        if self.kind != "direction":
            return out
        rise = second.mean_heights[columns] - first.mean_heights[rows]
        return np.maximum(out + LIFT * (rise * np.abs(rise)) @ self.base, 0.0).astype(np.float32)

    def cells(self, first: LoadedFrames, second: LoadedFrames, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) of single pairs of frames."""
        return self._lifted(
            loaded_cells(first, second, rows, columns, of_second=self.of_second), first, second, rows, columns
        )

    def turned(self, described: LoadedFrames, every: int) -> np.ndarray:
        """With the weights of two frames that stand on both feet half of the time."""
        weights = self.base + self._standing(both=True)
        clouds = window_clouds(self._points(described), weights=weights, window=self.window)
        vectors = turned_vectors(clouds, np.arange(0, described.n_frames, every), to_left=TO_LEFT)
        return np.asarray(np.sqrt(weights.sum()) * vectors, dtype=np.float32)

    def coarse(self, described: LoadedFrames, every: int) -> CoarseFrames:
        """Every so many frames for one matrix product: what all frames weigh, and a leg where it stands.

        What stands on hands, knees or the trunk is left out, so that distances are too small there rather than too
        large.
        """
        weights = self.base + self._standing(both=True)
        clouds = window_clouds(self._points(described), weights=weights, window=self.window)
        frames = np.arange(0, described.n_frames, every)
        vectors = turned_vectors(clouds, frames, to_left=TO_LEFT).reshape(len(frames), -1, clouds.heights.shape[0])
        whole = vectors / np.maximum(clouds.point_roots, 1e-12)  # of points without weight: there are none
        rows, columns, row_sizes, column_sizes = [], [], [], []
        for number, foot in enumerate(("", "LeftFoot", "RightFoot")):
            profile = self.base if not foot else self.loads[_leg(foot)].sum(axis=0)
            roots = np.zeros(whole.shape[2])
            roots[: len(profile)] = np.sqrt(profile)
            chosen = np.flatnonzero(roots)
            part = (whole * roots)[..., chosen].reshape(len(frames), -1)
            size = (part**2).sum(axis=1)
            if not number:
                rows, columns, row_sizes, column_sizes = [-2.0 * part], [part], [size], [size]
                continue
            there = described.loaded[::every, PARTS.index(foot)].astype(np.float32)
            rows += [-2.0 * there[:, None] * part, -2.0 * part, there[:, None], size[:, None]]
            columns += [part, self.of_second * there[:, None] * part, size[:, None], self.of_second * there[:, None]]
            row_sizes.append(there * size)
            column_sizes.append(self.of_second * there * size)
        both = [np.concatenate(side, axis=1).astype(np.float32) for side in (rows, columns)]
        sizes = [np.sum(side, axis=0).astype(np.float32) for side in (row_sizes, column_sizes)]
        return CoarseFrames(both[0], both[1], sizes[0], sizes[1], half_steps(columns[0].astype(np.float32)))

    def _points(self, described: LoadedFrames) -> np.ndarray:
        """The points (F, 20, 3) of a motion in its world."""
        points = np.array(described.local[described.rows], dtype=np.float64)
        points[..., [0, 2]] += described.centres[described.rows][:, None]
        return points

    @property
    def of_second(self) -> float:
        """How often the second frame's own weights count."""
        return 0.0 if self.kind == "source" else 1.0

    @property
    def lift(self) -> float:
        """How much more it costs to lift a point than to move it level, as a share."""
        return LIFT if self.kind == "direction" else 0.0

    @property
    def is_placed(self) -> bool:
        """Whether windows are turned and moved onto each other."""
        return True

    def pair_points(
        self, features: Mapping[str, np.ndarray], *, rate_hz: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The points (F, 20, 3) of a motion, the weights (20,) that all frames have, and their friction (F, 20)."""
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        return points, self.base, self.friction(points, features["curves"][:, :BY_THE_FEET] > 0.5)

    @cached_property
    def _constant(self) -> float:
        masses = part_shares()
        return float((mass_weights(masses) + 2.0 * self._on(masses, "LeftFoot")).sum())

    def _standing(self, *, both: bool) -> np.ndarray:
        feet = ("LeftFoot", "RightFoot") if both else ("LeftFoot",)
        return (
            sum((self._of_points(self._on(part_shares(), foot)) for foot in feet), np.zeros(len(self.base)))
            / self._constant
        )

    @staticmethod
    def _on(masses: np.ndarray, part: str) -> np.ndarray:
        touching = np.array([[name == part for name in PARTS]])
        return np.asarray(friction_of_parts(masses, touching)[0])

    def _of_points(self, weights: np.ndarray) -> np.ndarray:
        """The weights (…, 20) of points, of weights (…, 16) of parts."""
        return np.asarray((weights * part_weights(dict(self.parts))) @ point_shares().T)


def _leg(foot: str) -> list[int]:
    """The parts that support if a foot does."""
    touching = np.array([[name == foot for name in PARTS]])
    return np.flatnonzero(supports(touching)[0]).tolist()


@njit(cache=True, nogil=True)
def _add_lift(heights1, heights2, weights, lift, out):  # type: ignore[no-untyped-def]
    zero = np.float32(0.0)
    for i in range(len(heights1)):
        for j in range(len(heights2)):
            work = zero
            for p in range(len(weights)):
                rise = heights2[j, p] - heights1[i, p]
                work += weights[p] * rise * abs(rise)
            out[i, j] = max(out[i, j] + lift * work, zero)
