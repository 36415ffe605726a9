"""The distance of frames where weights depend on the pair: m + f(i) + g(j), as displaced mass and friction do."""

import numpy as np

from motionary.errors import UsageError
from motionary.metrics.windows import Window

AT_ONCE = 256  # rows


def pair_weighted_reference(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> float:
    """The least Σ w ‖p − T q‖² of two windows' points (N, 3), whatever the sum of the weights: from the definition."""
    total = weights.sum()
    if total <= 0.0:
        return 0.0
    u, v = ((cloud - (weights @ cloud) / total)[:, [0, 2]] for cloud in (first, second))
    along = float((weights * (u * v).sum(axis=1)).sum())
    across = float((weights * (u[:, 1] * v[:, 0] - u[:, 0] * v[:, 1])).sum())
    cosine, sine = np.array([along, across]) / max(float(np.hypot(along, across)), 1e-300)
    if along == 0.0 and across == 0.0:
        cosine, sine = 1.0, 0.0
    turned = np.stack([cosine * v[:, 0] - sine * v[:, 1], sine * v[:, 0] + cosine * v[:, 1]], axis=1)
    heights = first[:, 1] - second[:, 1]
    return float(weights @ (((u - turned) ** 2).sum(axis=1) + heights**2))


def pair_weighted_distances(
    first: np.ndarray,
    second: np.ndarray,
    *,
    base: np.ndarray,
    first_weights: np.ndarray,
    second_weights: np.ndarray,
    window: Window | None = None,
) -> np.ndarray:
    """Squared distances (F1, F2) of points (F, P, 3), weighted by base (P,) + first (F1, P) + second (F2, P).

    Weights are never brought to the sum 1 for a pair, which would divide friction away; divide all by one constant.
    Those of a frame hold for its whole window. All terms are matrix products: two for each of the seven sums, of some
    rows at a time, so that beside the result little memory is taken.
    """
    window = window or Window()
    _check(first, second, base, first_weights, second_weights)
    out = np.empty((len(first), len(second)))
    columns = _Side(second, second_weights, window, slice(None))
    for start in range(0, len(first), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        out[rows] = _band(_Side(first, base + first_weights, window, rows), columns)
    return out


def _band(rows: "_Side", columns: "_Side") -> np.ndarray:
    """Some rows of the distances."""

    def summed(of_first: np.ndarray, of_second: np.ndarray) -> np.ndarray:
        """Σ w(i, j) a_i b_j, as two products."""
        return np.asarray(
            (of_first * rows.weights) @ of_second.T + (of_first * rows.omega) @ (of_second * columns.own).T
        )

    ones_first, ones_second = np.ones_like(rows.heights), np.ones_like(columns.heights)
    total = summed(ones_first, ones_second)
    heights = summed(rows.heights, columns.heights)
    sizes = summed(rows.squares, ones_second) + summed(ones_first, columns.squares)
    across = summed(rows.ground, np.conj(columns.ground))
    mean_first, mean_second = summed(rows.ground, ones_second), summed(ones_first, columns.ground)
    safe = np.where(total > 0.0, total, 1.0)  # without weight there is nothing to place, and no distance
    turned = np.abs(across - mean_first * np.conj(mean_second) / safe)
    moved = (np.abs(mean_first) ** 2 + np.abs(mean_second) ** 2) / safe
    return np.asarray(np.maximum(sizes - 2.0 * heights - moved - 2.0 * turned, 0.0))


class _Side:
    """The windows of some frames laid out: (n, W·P) each, ground relative to a mean that no pair changes."""

    def __init__(self, points: np.ndarray, weights: np.ndarray, window: Window, chosen: slice) -> None:
        frames = np.clip(np.arange(len(points))[chosen, None] + window.offsets, 0, len(points) - 1)
        inside = np.asarray(points, dtype=np.float64)[frames].reshape(len(frames), -1, 3)
        ground = inside[..., 0] + 1j * inside[..., 2]
        self.ground = ground - ground.mean(axis=1, keepdims=True)
        self.heights = inside[..., 1]
        self.squares = np.abs(self.ground) ** 2 + self.heights**2
        self.omega = np.repeat(window.weights, points.shape[1])
        self.own = np.tile(np.asarray(weights, dtype=np.float64)[chosen], len(window.weights))
        self.weights = self.own * self.omega


def _check(
    first: np.ndarray, second: np.ndarray, base: np.ndarray, first_weights: np.ndarray, second_weights: np.ndarray
) -> None:
    for points, weights in ((first, first_weights), (second, second_weights)):
        if points.ndim != 3 or points.shape[2] != 3 or points.shape[1] != first.shape[1] or not len(points):
            raise UsageError(f"points need the shape (frames, points, 3), as many points in both; not {points.shape}")
        if weights.shape != points.shape[:2] or base.shape != (points.shape[1],):
            raise UsageError(f"weights of {weights.shape} and {base.shape} do not fit points of {points.shape}")
        if not (np.isfinite(points).all() and np.isfinite(weights).all() and (weights >= 0).all()):
            raise UsageError("points must be numbers, and weights numbers of at least 0")
    if not (np.isfinite(base).all() and (base >= 0).all()):
        raise UsageError("weights must be numbers of at least 0")
