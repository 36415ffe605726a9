"""What the distances take: checked, in double precision, one row per frame of the query."""

import numpy as np

from motionary.errors import UsageError


def frames_array(values: np.ndarray, what: str) -> np.ndarray:
    """Features (F, D) in double precision; raises unless they are finite and at least one number."""
    array = _for_kernels(values, np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise UsageError(f"{what} of shape {array.shape} is not a table of frames and dimensions")
    if not np.isfinite(array).all():
        raise UsageError(f"{what} contains a value that is not finite")
    return array


def compared(query: np.ndarray, candidate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both tables, of the same shape: a query is compared with as many frames as it has."""
    query, candidate = frames_array(query, "the query"), frames_array(candidate, "the candidate")
    if query.shape != candidate.shape:
        raise UsageError(
            f"a query of {query.shape[0]} frames and {query.shape[1]} dimensions cannot be compared with "
            f"a candidate of {candidate.shape[0]} and {candidate.shape[1]}"
        )
    return query, candidate


def frame_weights(weights: np.ndarray | None, shape: tuple[int, int]) -> np.ndarray:
    """Weights (n, D) of every query frame and dimension, from (D,), (n, D) or none (all 1); may be negative."""
    rows = np.ones(shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    return _by_frame(rows, shape, "weights", finite=True)


def frame_thresholds(thresholds: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Thresholds (n, D) of every query frame and dimension, from (D,) or (n, D); infinite ones are don't-care."""
    rows = _by_frame(np.asarray(thresholds, dtype=np.float64), shape, "thresholds", finite=False)
    if np.isnan(rows).any() or np.isneginf(rows).any():
        raise UsageError("a threshold must be a number; inf ignores a dimension")
    return rows


def window_radii(radius: int | np.ndarray, n_frames: int) -> np.ndarray:
    """How far (n,) each query frame may be moved in time, from one number or one per frame."""
    radii = np.asarray(radius)
    if not np.issubdtype(radii.dtype, np.integer) or radii.shape not in ((), (n_frames,)) or radii.min() < 0:
        raise UsageError(f"a window must be an integer of at least 0, or one for each of the {n_frames} frames")
    return _for_kernels(np.broadcast_to(np.minimum(radii, n_frames), (n_frames,)), np.int64)


def _by_frame(rows: np.ndarray, shape: tuple[int, int], what: str, *, finite: bool) -> np.ndarray:
    if rows.shape not in ((shape[1],), shape):
        raise UsageError(f"{what} of shape {rows.shape} fit neither {shape[1]} dimensions nor frames × dimensions")
    if finite and not np.isfinite(rows).all():
        raise UsageError(f"{what} must be finite numbers")
    return _for_kernels(np.broadcast_to(rows, shape), np.float64)


def _for_kernels(values: np.ndarray, dtype: type) -> np.ndarray:
    """The values in one layout: a kernel compiles anew for every other, and for arrays that are read-only."""
    return np.require(values, dtype, ["C", "W", "E"])
