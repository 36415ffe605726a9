"""The gist as a metric of frames: where nine points are, how much they move, how the arms are turned."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from motionary.arguments import factors
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.metrics.loaded_frames import cells_of
from motionary.metrics.turned import CoarseFrames

AT_ONCE = 1024


@dataclass(frozen=True)
class GistMetric:
    """Euclidean distance of gists, divided by the root of the number of points, activities and turns (24).

    Nothing is placed: the gist turns and moves with the body. It looks a sixth of a second around a frame.
    """

    parts: tuple[tuple[str, float], ...] = ()  # words in names of dimensions, and how many times as much these count
    is_directed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        weights = factors(dict(self.parts), "parts")
        object.__setattr__(self, "parts", tuple(sorted((word, w) for word, w in weights.items() if w != 1.0)))
        self.roots  # noqa: B018 (raises if there are no such dimensions, or weights)

    @property
    def name(self) -> str:
        return ",".join(["gist", *(f"{word}={factor:g}" for word, factor in self.parts)])

    @property
    def roots(self) -> np.ndarray:
        """The roots (72,) of the dimensions' weights."""
        names = [dimension.name for dimension in descriptions()["gist"].dimensions]
        weights = np.ones(len(names))
        for word, factor in self.parts:
            fits = [word.lower() in name.lower() for name in names]
            if not any(fits) or not (np.isfinite(factor) and factor >= 0):
                raise UsageError(f"no weight {word}={factor:g} of the gist: use the name of a joint and a number ≥ 0")
            weights[fits] *= factor
        if not weights.any():
            raise UsageError("all dimensions have the weight 0, so nothing would be compared")
        return np.asarray(np.sqrt(weights / weights.sum() * 3.0))

    def describe(self, features: Mapping[str, np.ndarray], *, rate_hz: float) -> np.ndarray:  # noqa: ARG002
        return np.ascontiguousarray(features["gist"] * self.roots, dtype=np.float32)

    def thinned(self, described: np.ndarray, every: int) -> np.ndarray:
        return described[::every]

    def block(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        middle = first[:1]  # so that products stay small
        sizes = [((side - middle) ** 2).sum(axis=1) for side in (first, second)]
        for start in range(0, len(first), AT_ONCE):
            rows = slice(start, start + AT_ONCE)
            products = (first[rows] - middle) @ (second - middle).T
            out[rows] = np.maximum(sizes[0][rows, None] + sizes[1] - 2.0 * products, 0.0)

    def rectangles(self, first: np.ndarray, second: np.ndarray, rectangles: np.ndarray) -> np.ndarray:
        cells = cells_of(np.asarray(rectangles, dtype=np.int64).reshape(-1, 4), len(first), len(second))
        return self.cells(first, second, cells[:, 0], cells[:, 1])

    def cells(self, first: np.ndarray, second: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Squared distances (N,) of single pairs of frames."""
        out = np.empty(len(rows), dtype=np.float32)
        for start in range(0, len(rows), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            out[some] = ((first[rows[some]] - second[columns[some]]) ** 2).sum(axis=1)
        return out

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
        """Whether windows are turned and moved onto each other: the gist turns and moves with the body."""
        return False

    def pair_points(
        self, features: Mapping[str, np.ndarray], *, rate_hz: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The gist as points (F, 24, 3), their weights (24,), and of their own (F, 24) none."""
        points = self.describe(features, rate_hz=rate_hz).reshape(len(features["gist"]), -1, 3)
        return points, np.ones(points.shape[1]), np.zeros(points.shape[:2])

    def turned(self, described: np.ndarray, every: int) -> np.ndarray:
        return described[::every]

    def coarse(self, described: np.ndarray, every: int) -> CoarseFrames:
        """Every so many frames for one matrix product, whose entries are their squared distances."""
        return CoarseFrames.of(described[::every])
