"""Other libraries that compare a query (n, D) with all windows of a table (F, D). None of them is a dependency.

They answer less than the product does: distances of all windows, with no clips, onsets or order.
"""

import numpy as np


def aeon_dtw(query: np.ndarray, table: np.ndarray) -> list[float]:
    """DTW of one window after the other; the window is a share of the length there."""
    from aeon.distances import dtw_distance

    turned, columns, n_frames = np.ascontiguousarray(query.T), np.ascontiguousarray(table.T), len(query)
    starts = range(len(table) - n_frames + 1)
    return [dtw_distance(turned, columns[:, start : start + n_frames], window=0.1) for start in starts]


def aeon_euclid(query: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Its distance profile by FFT, dimension by dimension, not normalised."""
    from aeon.similarity_search.subsequence import MASS

    mass = MASS(length=len(query), normalize=False).fit(np.ascontiguousarray(table.T))
    return np.asarray(mass.compute_distance_profile(np.ascontiguousarray(query.T)))


def dtaidistance_dtw(query: np.ndarray, table: np.ndarray) -> list[float]:
    """DTW of one window after the other, in C; the window counts the diagonal there."""
    from dtaidistance import dtw_ndim

    n_frames, radius = len(query), round(0.1 * len(query))
    starts = range(len(table) - n_frames + 1)
    return [dtw_ndim.distance_fast(query, table[start : start + n_frames], window=radius + 1) for start in starts]


def stumpy_euclid(query: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Its distance profile of each dimension, added up."""
    from stumpy import mass

    profiles = (mass(q, t, normalize=False) ** 2 for q, t in zip(query.T.copy(), table.T.copy(), strict=True))
    return np.asarray(sum(profiles))


PEERS = {
    "aeon, DTW": aeon_dtw,
    "dtaidistance, DTW": dtaidistance_dtw,
    "aeon, Euclid (MASS)": aeon_euclid,
    "stumpy, Euclid (MASS of each dimension)": stumpy_euclid,
}
