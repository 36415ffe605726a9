"""How long a transition's blend is: of some lengths, the one that moves the body least quickly from where it is."""

from collections.abc import Sequence

import numpy as np


def best_halves(
    distances: np.ndarray,
    halves: Sequence[int],
    rows: np.ndarray,
    columns: np.ndarray,
    n_rows: int,
    n_columns: int,
    *,
    usual: int,
) -> np.ndarray:
    """Half the length (N,), in frames, of the blend of every cell.

    A blend of 2 h frames that has to cover a distance d adds a speed of about d / 2 h to the body. Longer blends have
    more time, but windows further apart: the best is where the quotient is least. `distances` (H, N) are squared, by
    windows as long as the blends. Blends that do not fit into both motions are left out; of equal ones the shorter
    counts.
    """
    found = np.full(len(rows), usual)
    best = np.full(len(rows), np.inf)
    for half, squares in zip(halves, distances, strict=True):
        fits = (rows >= half) & (columns >= half) & (rows + half < n_rows) & (columns + half < n_columns)
        speed = np.where(fits, np.sqrt(squares) / half, np.inf)
        found = np.where(speed < best * (1.0 - 1e-6), half, found)
        best = np.minimum(best, speed)
    return found
