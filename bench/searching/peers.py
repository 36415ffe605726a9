"""Other libraries that compare a query (n, D) with all windows of a table (F, D). None of them is a dependency.

They answer less than the product does: distances of all windows, with no clips, onsets or order. Each function makes
ready what does not depend on the query's answer, windows cut out among it, and gives back what is timed.
"""

from collections.abc import Callable

import numpy as np
from numba import get_num_threads

Answer = Callable[[], object]


def aeon_dtw(query: np.ndarray, table: np.ndarray) -> Answer:
    """DTW with every window, in threads; the window is a share of the length there."""
    from aeon.distances import dtw_pairwise_distance

    shown, windows = np.ascontiguousarray(query.T)[None], _windows(query, table, turned=True)
    return lambda: dtw_pairwise_distance(shown, windows, window=0.1, n_jobs=get_num_threads())


def aeon_euclid(query: np.ndarray, table: np.ndarray) -> Answer:
    """Its distance profile by FFT, dimension by dimension, not normalised."""
    from aeon.similarity_search.subsequence import MASS

    mass = MASS(length=len(query), normalize=False).fit(np.ascontiguousarray(table.T)[None])
    shown = np.ascontiguousarray(query.T)
    return lambda: mass.compute_distance_profile(shown)


def dtaidistance_dtw(query: np.ndarray, table: np.ndarray) -> Answer:
    """DTW with every window, in C and in threads where it was built for them; its window counts the diagonal."""
    from dtaidistance import dtw_ndim

    series = np.concatenate([query[None], _windows(query, table, turned=False)])
    radius = round(0.1 * len(query))
    block = ((0, 1), (1, len(series)))
    return lambda: dtw_ndim.distance_matrix_fast(series, window=radius + 1, block=block, compact=True)


def stumpy_euclid(query: np.ndarray, table: np.ndarray) -> Answer:
    """Its distance profile of each dimension, added up."""
    from stumpy import mass

    pairs = list(zip(np.ascontiguousarray(query.T), np.ascontiguousarray(table.T), strict=True))
    return lambda: np.sum([mass(q, t, normalize=False) ** 2 for q, t in pairs], axis=0)


def _windows(query: np.ndarray, table: np.ndarray, *, turned: bool) -> np.ndarray:
    """All windows (N, n, D), or (N, D, n)."""
    windows = np.lib.stride_tricks.sliding_window_view(table, len(query), axis=0)  # (N, D, n)
    return np.ascontiguousarray(windows if turned else windows.transpose(0, 2, 1))


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], Answer]] = {
    "aeon, DTW": aeon_dtw,
    "dtaidistance, DTW": dtaidistance_dtw,
    "aeon, Euclid (MASS)": aeon_euclid,
    "stumpy, Euclid (MASS of each dimension)": stumpy_euclid,
}
