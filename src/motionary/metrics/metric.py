"""What compares frames: clouds of points by default, or anything else that fills a block of distances."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from motionary.arguments import check_is, factors
from motionary.errors import UsageError
from motionary.metrics.clouds import TO_LEFT, cloud_points, point_weights
from motionary.metrics.frame_distance import frame_distances, rectangle_distances
from motionary.metrics.turned import turned_vectors
from motionary.metrics.windows import Window, WindowClouds, window_clouds

Described = TypeVar("Described")


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

    def turned(self, described: Described, every: int) -> np.ndarray:
        """Every so many frames as vectors (n, D) float32 that turn and move with the body: their squared Euclidean
        distances are nearly those of the frames, so that near frames can be looked for among them."""
        ...


@dataclass(frozen=True)
class PointCloudMetric:
    """Windows of 20 points of the body, placed on each other as well as can be (Kovar, Gleicher & Pighin 2002)."""

    window: Window = field(default_factory=Window)
    parts: tuple[tuple[str, float], ...] = ()  # words in names of points, and how many times as much these count

    def __post_init__(self) -> None:
        check_is(self.window, Window, called="window", meant="a Window")
        check_is(self.parts, tuple, list, Mapping, called="parts", meant="words and numbers")
        weights = factors(dict(self.parts), "parts")
        point_weights(weights)  # raises if there are no such points, or weights
        # What changes nothing, or only the order, makes no other metric
        object.__setattr__(self, "parts", tuple(sorted((word, w) for word, w in weights.items() if w != 1.0)))

    @cached_property
    def weights(self) -> np.ndarray:
        return point_weights(dict(self.parts))

    @property
    def name(self) -> str:
        words = [f"{word}={factor:g}" for word, factor in self.parts]
        return ",".join(["points", f"{self.window.before}+{self.window.after}", self.window.shape, *words])

    @classmethod
    def named(cls, name: str) -> "PointCloudMetric":
        """The metric that has this name."""
        found = None
        try:
            kind, frames, shape, *words = name.split(",")
            before, after = (int(number) for number in frames.split("+"))
            pairs = [word.rpartition("=") for word in words]
            found = cls(Window(before, after, shape), tuple((word, float(factor)) for word, _, factor in pairs))
        except ValueError:
            kind = ""
        if found is None or kind != "points":
            raise UsageError(f"no metric of frames is called {name!r}; only clouds of points are known by their names")
        return found

    @classmethod
    def is_named(cls, name: str) -> bool:
        """Whether a metric of this kind has this name."""
        return name.startswith("points,")

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> WindowClouds:
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        return window_clouds(points, weights=self.weights, window=self.window)

    def thinned(self, described: WindowClouds, every: int) -> WindowClouds:
        return described.thinned(every)

    def block(self, first: WindowClouds, second: WindowClouds, out: np.ndarray) -> None:
        frame_distances(first, second, out=out)

    def rectangles(self, first: WindowClouds, second: WindowClouds, rectangles: np.ndarray) -> np.ndarray:
        return rectangle_distances(first, second, rectangles)

    def turned(self, described: WindowClouds, every: int) -> np.ndarray:
        return turned_vectors(described, np.arange(0, described.n_frames, every), to_left=TO_LEFT)


AnyMetric = FrameMetric[Any]
