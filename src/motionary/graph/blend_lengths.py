"""How long a transition's blend is: of some lengths, the one that moves the body least quickly from where it is."""

from collections.abc import Sequence

import numpy as np

from motionary.metrics import PairFrames, Window, pair_distances


def chosen_halves(frames: PairFrames, table: np.ndarray, halves: Sequence[int], *, usual: int) -> np.ndarray:
    """Half the length (N,), in frames, of the blend of every candidate of a table."""
    if len(halves) == 1:
        return np.full(len(table), usual)
    starts, lengths = frames.starts[:-1], np.diff(frames.starts)
    rows, columns = table["row"].astype(np.int64), table["column"].astype(np.int64)
    firsts, seconds = starts[table["first"]], starts[table["second"]]
    distances = np.stack(
        [pair_distances(frames, firsts + rows, seconds + columns, Window(half, half)) for half in halves]
    )
    n_rows, n_columns = lengths[table["first"]], lengths[table["second"]]
    return best_halves(distances, halves, rows, columns, n_rows, n_columns, usual=usual)


def best_halves(
    distances: np.ndarray,
    halves: Sequence[int],
    rows: np.ndarray,
    columns: np.ndarray,
    n_rows: np.ndarray | int,
    n_columns: np.ndarray | int,
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
