"""What compares frames: clouds of points by default, or anything else that fills a block of distances."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from motionary.arguments import check_is, factors
from motionary.errors import UsageError
from motionary.metrics.body_parts import PARTS, TORSO, part_weights, point_shares
from motionary.metrics.clouds import TO_LEFT, cloud_points, point_weights
from motionary.metrics.frame_distance import frame_distances, rectangle_distances
from motionary.metrics.turned import CoarseFrames, turned_vectors
from motionary.metrics.windows import Window, WindowClouds, window_clouds

Described = TypeVar("Described")
TORSO_WEIGHT = 2.0  # of the heuristic: the trunk's parts, where a limb's have 1
CARRYING_WEIGHT = 2.0  # what it adds for the one part that carries most of the mass
CARRYING = "Pelvis"
SCHEMES = ("points", "uniform", "heuristic")


class FrameMetric(Protocol[Described]):
    """A distance of frames. What it makes of a motion's features it alone understands."""

    @property
    def name(self) -> str:
        """What tells it from others: whatever is built with it is kept under this name."""
        ...

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> Described:
        """A motion as it is compared, from its pose descriptions (F, D)."""
        ...

    def thinned(self, described: Described, every: int) -> Described:
        """Every so many of its frames; what a frame is compared by stays the same."""
        ...

    def block(self, first: Described, second: Described, out: np.ndarray) -> None:
        """Fill `out` (F1, F2) float32 with squared distances, in m²."""
        ...

    def rectangles(self, first: Described, second: Described, rectangles: np.ndarray) -> np.ndarray:
        """Squared distances (N,) float32 in rows and columns [r0, r1), [c0, c1) of rectangles (K, 4), one after the
        other, each row by row."""
        ...

    @property
    def is_directed(self) -> bool:
        """Whether the way from one frame to another may cost more than the way back."""
        ...

    def cells(self, first: Described, second: Described, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) float32 of single pairs of frames."""
        ...

    def coarse(self, described: Described, every: int) -> CoarseFrames:
        """Every so many frames for one matrix product, whose entries are nearly their squared distances."""
        ...

    def turned(self, described: Described, every: int) -> np.ndarray:
        """Every so many frames as vectors (n, D) float32 that turn and move with the body: their squared Euclidean
        distances are nearly those of the frames, so that near frames can be looked for among them."""
        ...


@dataclass(frozen=True)
class PointCloudMetric:
    """Windows of 20 points of the body, placed on each other as well as can be (Kovar, Gleicher & Pighin 2002).

    Weights are fixed. By the scheme all points are alike ("points"), or all parts of the body ("uniform"), each sharing
    its weight among its points; or the trunk's parts count twice, and the pelvis, which carries most, four times
    ("heuristic").
    """

    window: Window = field(default_factory=Window)
    parts: tuple[tuple[str, float], ...] = ()  # words in names of points, and how many times as much these count
    scheme: str = "points"

    def __post_init__(self) -> None:
        check_is(self.window, Window, called="window", meant="a Window")
        check_is(self.parts, tuple, list, Mapping, called="parts", meant="words and numbers")
        weights = factors(dict(self.parts), "parts")
        if self.scheme not in SCHEMES:
            raise UsageError(f"no weights named {self.scheme!r}; choose from {', '.join(SCHEMES)}")
        self._weights(weights)  # raises if there are no such points, or weights
        # What changes nothing, or only the order, makes no other metric
        object.__setattr__(self, "parts", tuple(sorted((word, w) for word, w in weights.items() if w != 1.0)))

    @cached_property
    def weights(self) -> np.ndarray:
        return self._weights(dict(self.parts))

    def _weights(self, parts: Mapping[str, float]) -> np.ndarray:
        if self.scheme == "points":
            return point_weights(parts)
        weights = part_weights(parts)
        if self.scheme == "heuristic":
            for number, part in enumerate(PARTS):
                weights[number] *= (TORSO_WEIGHT if part in TORSO else 1.0) + CARRYING_WEIGHT * (part == CARRYING)
        of_points = point_shares() @ weights
        return np.asarray(of_points / of_points.sum())

    @property
    def is_directed(self) -> bool:
        """Whether the way from one frame to another may cost more than the way back: never."""
        return False

    @property
    def name(self) -> str:
        words = [f"{word}={factor:g}" for word, factor in self.parts]
        return ",".join([self.scheme, f"{self.window.before}+{self.window.after}", self.window.shape, *words])

    @property
    def of_second(self) -> float:
        """How often the second frame's own weights count: there are none."""
        return 0.0

    @property
    def lift(self) -> float:
        """How much more it costs to lift a point: nothing."""
        return 0.0

    @property
    def is_placed(self) -> bool:
        """Whether windows are turned and moved onto each other."""
        return True

    def pair_points(
        self, features: Mapping[str, np.ndarray], *, rate_hz: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The points (F, 20, 3) of a motion, the weights (20,) that all frames have, and of their own (F, 20) none."""
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        return points, self.weights, np.zeros(points.shape[:2])

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> WindowClouds:
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        return window_clouds(points, weights=self.weights, window=self.window)

    def thinned(self, described: WindowClouds, every: int) -> WindowClouds:
        return described.thinned(every)

    def block(self, first: WindowClouds, second: WindowClouds, out: np.ndarray) -> None:
        frame_distances(first, second, out=out)

    def rectangles(self, first: WindowClouds, second: WindowClouds, rectangles: np.ndarray) -> np.ndarray:
        return rectangle_distances(first, second, rectangles)

    def cells(self, first: WindowClouds, second: WindowClouds, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) of single pairs of frames."""
        return rectangle_distances(first, second, np.stack([rows, rows + 1, columns, columns + 1], axis=1))

    def turned(self, described: WindowClouds, every: int) -> np.ndarray:
        return turned_vectors(described, np.arange(0, described.n_frames, every), to_left=TO_LEFT)

    def coarse(self, described: WindowClouds, every: int) -> CoarseFrames:
        """Every so many frames for one matrix product, whose entries are nearly their squared distances."""
        return CoarseFrames.of(self.turned(described, every))


AnyMetric = FrameMetric[Any]
