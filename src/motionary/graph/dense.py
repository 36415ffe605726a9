"""Dense candidates: all frames compared with all. The oracle of the sparse ones."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from motionary.graph.candidates import CANDIDATE, Margins, candidates_of
from motionary.metrics import AnyMetric


def dense_candidates(
    described: Sequence[Any],
    metric: AnyMetric,
    second: int,
    firsts: range | None = None,
    *,
    lengths: Sequence[int],
    margins: Margins,
    reach: int,
    off_diagonal: int,
    check_interrupt: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """The candidates (N,) of CANDIDATE of a motion with itself and those before it; both ways if these differ.

    An undirected metric gives every pair of frames once, first ≤ second. `firsts` limits the other motions.
    """
    directed = bool(getattr(metric, "is_directed", False))
    found = [np.zeros(0, dtype=CANDIDATE)]
    for first in range(second + 1) if firsts is None else firsts:
        check_interrupt()
        apart = off_diagonal if first == second else 0
        own = Margins(margins.before, margins.after, margins.ceiling, apart, both_sides=directed)
        ways = [(first, second)] if not directed or first == second else [(first, second), (second, first)]
        for one, other in ways:
            grid = np.empty((lengths[one], lengths[other]), dtype=np.float32)
            metric.block(described[one], described[other], grid)
            cells = candidates_of(grid, own, reach=reach)
            table = np.zeros(len(cells), dtype=CANDIDATE)
            table["first"], table["second"] = one, other
            table["row"], table["column"], table["cost"] = cells.rows, cells.columns, cells.costs
            found.append(table)
    return np.concatenate(found)


def all_dense_candidates(described: Sequence[Any], metric: AnyMetric, **options: Any) -> np.ndarray:
    """The candidates of all pairs of motions."""
    return np.concatenate([dense_candidates(described, metric, n, **options) for n in range(len(described))])
