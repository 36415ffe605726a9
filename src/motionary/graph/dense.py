"""Dense candidates: all frames compared with all. The oracle of the sparse ones."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from motionary.graph.candidates import Candidates, Margins, candidates_of
from motionary.metrics import AnyMetric


def dense_candidates(
    described: Sequence[Any],
    metric: AnyMetric,
    *,
    lengths: Sequence[int],
    margins: Margins,
    reach: int,
    off_diagonal: int,
    firsts: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, int, Candidates]]:
    """The candidates of every pair of motions, (first, second, cells), from the first to the second.

    An undirected metric gives every pair once, first ≤ second; of a directed one both ways. `firsts` limits the
    motions whose pairs with all earlier ones are wanted.
    """
    directed = bool(getattr(metric, "is_directed", False))
    wanted = range(len(described)) if firsts is None else firsts
    for done, second in enumerate(wanted, start=1):
        for first, grid in _grids(described, metric, lengths, second):
            own = Margins(margins.before, margins.after, margins.ceiling, off_diagonal if first == second else 0)
            yield first, second, candidates_of(grid, own, reach=reach)
            if directed and first != second:
                back = np.empty(grid.shape[::-1], dtype=np.float32)
                metric.block(described[second], described[first], back)
                yield second, first, candidates_of(back, own, reach=reach)
        if progress:
            progress(done, len(wanted))


def _grids(
    described: Sequence[Any], metric: AnyMetric, lengths: Sequence[int], second: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Grids of distances of all motions up to `second`, which has the columns."""
    for first in range(second + 1):
        out = np.empty((lengths[first], lengths[second]), dtype=np.float32)
        metric.block(described[first], described[second], out)
        yield first, out
