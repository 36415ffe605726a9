"""Paths measured again, by more than the few dimensions that found them: the gist of every pair along the path.

A warp in a handful of leading components cannot tell a kick from a stride: what makes a kick is in components that come
later, or in how fast a foot moves, which no pose shows. So what was found is ranked by the gist, in which exact
search compares; the unit is the same.
"""

import numpy as np
from numba import njit

from motionary.artefacts import Table
from motionary.search.gist_rows import gist_size
from motionary.search.wpca.paths import Paths


def gist_means(
    query: np.ndarray, table: np.ndarray | Table, paths: Paths, *, offsets: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """How far (N,) a pair of each way is apart: the root of the mean square over its pairs and joints, in metres.

    A way's row r is the row r + offset (N,) of the `table`.
    """
    squares = np.zeros(len(paths.means))
    if isinstance(table, Table):
        are_pairs, rows = paths.pairs[:, :, 0] >= 0, paths.pairs[:, :, 1] + np.asarray(offsets)[:, None]
        firsts = np.where(are_pairs, rows, len(table)).min(axis=1, initial=len(table))
        table = table.touched(firsts, np.where(are_pairs, rows + 1, 0).max(axis=1, initial=0))
    query, pairs = np.ascontiguousarray(query), np.ascontiguousarray(paths.pairs)
    _sum_squares(query, table, pairs, np.asarray(offsets, dtype=np.int64), weights, squares)
    n_pairs = (paths.pairs[:, :, 0] >= 0).sum(axis=1)
    return np.sqrt(squares / np.maximum(n_pairs, 1) / gist_size(weights))


def gist_means_reference(
    query: np.ndarray, table: np.ndarray, paths: Paths, *, offsets: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """What `gist_means` gives, from the definition."""
    means = []
    for number, offset in enumerate(offsets):
        frames, rows = paths.path(number).T
        gaps = query[frames] - table[rows + offset]
        lengths = (weights * gaps**2).sum(axis=1) / (weights.sum() / 3)  # three dimensions are one joint's
        means.append(np.sqrt(lengths.mean()))
    return np.array(means)


@njit(cache=True, nogil=True)
def _sum_squares(query, table, pairs, offsets, weights, sums):  # type: ignore[no-untyped-def]
    """Add up weighted squares over all pairs of each way; by dimension first, so that they go side by side."""
    n_dimensions = query.shape[1]
    by_dimension = np.empty(n_dimensions)
    for number in range(pairs.shape[0]):
        by_dimension[:] = 0.0
        for pair in range(pairs.shape[1]):
            frame = pairs[number, pair, 0]
            if frame < 0:
                continue
            row = pairs[number, pair, 1] + offsets[number]
            for d in range(n_dimensions):
                gap = query[frame, d] - table[row, d]
                by_dimension[d] += gap * gap
        total = 0.0
        for d in range(n_dimensions):
            total += weights[d] * by_dimension[d]
        sums[number] = total
