"""What a frame may meet within the window of DTW: the lowest and highest values, the least weight, how many frames.

Radius and weights belong to the query frame. So candidate frame j may meet the query frames R_j = {i : |i − j| ≤ δ_i},
which need not follow one another if δ varies.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment.shapes import frame_weights, frames_array, window_radii


@dataclass(frozen=True, eq=False)
class Envelope:
    """For every frame: the range of what it may meet in each dimension, the least weight of a meeting, and the
    largest number of meetings."""

    lower: np.ndarray  # (n, D)
    upper: np.ndarray  # (n, D)
    weights: np.ndarray  # (n, D)
    visits: np.ndarray  # (n,) int64, at least 1

    @property
    def n_frames(self) -> int:
        return len(self.lower)


def query_envelope(query: np.ndarray, *, weights: np.ndarray | None = None, radius: int | np.ndarray = 0) -> Envelope:
    """What every candidate frame may meet in the query; a radius of 0 gives the query itself."""
    query = frames_array(query, "the query")
    out = _empty(query.shape)
    _query_envelope(
        query,
        frame_weights(weights, query.shape),
        window_radii(radius, len(query)),
        out.lower,
        out.upper,
        out.weights,
        out.visits,
    )
    return out


def query_envelope_reference(query: np.ndarray, weights: np.ndarray, radii: np.ndarray) -> Envelope:
    """What `query_envelope` computes, from the definition."""
    n_frames = len(query)
    met = [[i for i in range(n_frames) if abs(i - j) <= radii[i]] for j in range(n_frames)]
    return Envelope(
        np.array([query[m].min(axis=0) for m in met]),
        np.array([query[m].max(axis=0) for m in met]),
        np.array([weights[m].min(axis=0) for m in met]),
        np.array([len(m) for m in met]),
    )


def _empty(shape: tuple[int, int]) -> Envelope:
    return Envelope(np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape[0], dtype=np.int64))


@njit(cache=True, nogil=True)
def _query_envelope(query, weights, radii, lower, upper, least, visits):  # type: ignore[no-untyped-def]
    n_frames, n_dimensions = query.shape
    for j in range(n_frames):  # every candidate frame may meet the query frame at its own time
        visits[j] = 0
        for d in range(n_dimensions):
            lower[j, d], upper[j, d], least[j, d] = query[j, d], query[j, d], weights[j, d]
    for i in range(n_frames):
        for j in range(max(0, i - radii[i]), min(n_frames, i + radii[i] + 1)):
            visits[j] += 1
            for d in range(n_dimensions):
                lower[j, d] = min(lower[j, d], query[i, d])
                upper[j, d] = max(upper[j, d], query[i, d])
                least[j, d] = min(least[j, d], weights[i, d])
