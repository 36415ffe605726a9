"""The weighted Euclidean distance, squared: frame against frame."""

import numpy as np
from numba import njit

from motionary.alignment.shapes import compared, frame_weights


def euclid(query: np.ndarray, candidate: np.ndarray, *, weights: np.ndarray | None = None) -> float:
    """Σ w (q − c)² over frames and dimensions; `weights` are (D,) or (n, D), and may be negative."""
    query, candidate = compared(query, candidate)
    return float(_euclid(query, candidate, frame_weights(weights, query.shape)))


def euclid_reference(query: np.ndarray, candidate: np.ndarray, weights: np.ndarray) -> float:
    """What `euclid` computes, from the definition."""
    return float(np.sum(weights * (query - candidate) ** 2))


@njit(cache=True, nogil=True)
def _euclid(query, candidate, weights):  # type: ignore[no-untyped-def]
    # Dimensions are summed first, then frames, as in `_dtw`: a window of 0 gives the same bits.
    total = 0.0
    for f in range(query.shape[0]):
        cost = 0.0
        for d in range(query.shape[1]):
            gap = query[f, d] - candidate[f, d]
            cost += weights[f, d] * (gap * gap)
        total += cost
    return total
