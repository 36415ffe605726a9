"""A directed metric taken both ways, for whatever compares without a direction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.metrics.turned import CoarseFrames


@dataclass(frozen=True)
class TwoWayMetric:
    """The mean of the distances from the first frame to the second and back; what it describes, the metric does."""

    metric: Any  # a FrameMetric
    is_directed: bool = False

    @property
    def name(self) -> str:
        return str(self.metric.name)

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> Any:
        return self.metric.describe(features, rate_hz=rate_hz)

    def thinned(self, described: Any, every: int) -> Any:
        return self.metric.thinned(described, every)

    def block(self, first: Any, second: Any, out: np.ndarray) -> None:
        self.metric.block(first, second, out)
        back = np.empty(out.shape[::-1], dtype=np.float32)
        self.metric.block(second, first, back)
        out += back.T
        out *= np.float32(0.5)

    def rectangles(self, first: Any, second: Any, rectangles: np.ndarray) -> np.ndarray:
        there = self.metric.rectangles(first, second, rectangles)
        turned = np.asarray(rectangles).reshape(-1, 4)[:, [2, 3, 0, 1]]
        back = self.metric.rectangles(second, first, turned)
        at = 0
        for r0, r1, c0, c1 in np.asarray(rectangles).reshape(-1, 4).tolist():
            shape = r1 - r0, c1 - c0
            cells = slice(at, at + shape[0] * shape[1])
            there[cells] = 0.5 * (there[cells] + back[cells].reshape(shape[::-1]).T.ravel())
            at = cells.stop
        return np.asarray(there)

    def turned(self, described: Any, every: int) -> np.ndarray:
        return np.asarray(self.metric.turned(described, every))

    def cells(self, first: Any, second: Any, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) of single pairs of frames."""
        there, back = self.metric.cells(first, second, rows, columns), self.metric.cells(second, first, columns, rows)
        return np.asarray(0.5 * (there + back), dtype=np.float32)

    def coarse(self, described: Any, every: int) -> CoarseFrames:
        """Every so many frames for one matrix product, by the metric's own vectors."""
        return CoarseFrames.of(self.turned(described, every))
