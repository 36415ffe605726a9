"""Any distance of frames, from one function of points: for who wants another, and to check faster ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from motionary.arguments import check_is
from motionary.errors import UsageError
from motionary.metrics.clouds import cloud_points
from motionary.metrics.registry import METRICS
from motionary.metrics.turned import CoarseFrames
from motionary.metrics.windows import Window

AT_ONCE = 64  # rows of a block: what the function needs for these in between is all the memory that it takes


@dataclass(frozen=True)
class PlainMetric:
    """A metric of frames (`FrameMetric`) that is one function, for dense and pyramid builds.

    `function` takes points (F1, W, P, 3) and (F2, W, P, 3) of windows, y up, in metres of a body of 1.75 m, and gives
    squared distances (F1, F2). Whatever is built is kept under the `name`: another function needs another.
    """

    name: str
    function: Callable[[np.ndarray, np.ndarray], np.ndarray]
    window: Window = field(default_factory=Window)

    def __post_init__(self) -> None:
        check_is(self.name, str, called="name", meant="a string")
        check_is(self.window, Window, called="window", meant="a Window")
        if not callable(self.function):
            raise UsageError("the function of a PlainMetric must take the points of two motions")
        if not self.name or self.name.partition(",")[0] in METRICS:
            raise UsageError(f"a metric cannot be named {self.name!r}; that name is reserved")

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> np.ndarray:
        """(F, W, P, 3) float32; beyond the ends, the body stays as it is at the end."""
        points = cloud_points(features["positions"], features["root"], rate_hz=rate_hz)
        inside = np.arange(len(points))[:, None] + self.window.offsets
        return points[np.clip(inside, 0, len(points) - 1)].astype(np.float32)

    def thinned(self, described: np.ndarray, every: int) -> np.ndarray:
        return described[::every]

    def block(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        for start in range(0, len(first), AT_ONCE):
            out[start : start + AT_ONCE] = self._distances(first[start : start + AT_ONCE], second)

    def rectangles(self, first: np.ndarray, second: np.ndarray, rectangles: np.ndarray) -> np.ndarray:
        found = [self._distances(first[r0:r1], second[c0:c1]).ravel() for r0, r1, c0, c1 in rectangles.tolist()]
        return np.concatenate([np.zeros(0, dtype=np.float32), *found])

    def turned(self, described: np.ndarray, every: int) -> np.ndarray:  # noqa: ARG002 (as FrameMetric has it)
        raise UsageError(f"the metric {self.name!r} does not support sparse webs; build a pyramid or dense web")

    @property
    def is_directed(self) -> bool:
        """Whether the way from one frame to another may cost more than the way back: it is not asked."""
        return False

    def cells(self, first: np.ndarray, second: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) of single pairs of frames."""
        return self.rectangles(first, second, np.stack([rows, rows + 1, columns, columns + 1], axis=1))

    def coarse(self, described: np.ndarray, every: int) -> CoarseFrames:
        """Raises, as `turned` does."""
        return CoarseFrames.of(self.turned(described, every))

    def _distances(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        found = np.asarray(self.function(first, second), dtype=np.float32)
        if found.shape != (len(first), len(second)):
            raise UsageError(
                f"the metric {self.name!r} returns distances of shape {found.shape}, not {(len(first), len(second))}"
            )
        if not (found >= 0.0).all():
            raise UsageError(f"the metric {self.name!r} returns squared distances that are negative or not numbers")
        return found
