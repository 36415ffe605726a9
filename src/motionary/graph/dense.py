"""Dense candidates: all frames compared with all. The oracle of the sparse ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionary.graph.candidates import CANDIDATE, Margins, best_of_table, minima_table, nearly_minima
from motionary.graph.descent import descended
from motionary.metrics import AnyMetric, PairFrames, Window

NOISE = 2e-6  # m²: how far two distances of a grid may be off by rounding, one up and one down


@dataclass(frozen=True, eq=False)
class DenseLibrary:
    """Motions as they are compared: whole for grids of distances, and all their frames for single pairs."""

    described: Sequence[Any]
    metric: AnyMetric
    frames: PairFrames
    window: Window
    order: np.ndarray  # (C,) of two motions, the lower one comes first in a pair, whichever was there before


def dense_candidates(
    library: DenseLibrary,
    second: int,
    firsts: range | None = None,
    *,
    margins: Margins,
    reach: int,
    off_diagonal: int,
    check_interrupt: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """The candidates (N,) of CANDIDATE of a motion with itself and those before it; both ways if these differ.

    An undirected metric gives every pair of frames once. `firsts` limits the other motions. Where motions hardly
    change, the minima of a grid in single precision are rounding: whatever may be one is compared again, pair by pair,
    and counts only if it is.
    """
    starts, directed = library.frames.starts, bool(library.metric.is_directed)
    found = [np.zeros(0, dtype=CANDIDATE)]
    for first in range(second + 1) if firsts is None else firsts:
        check_interrupt()
        one, other = (first, second) if library.order[first] <= library.order[second] else (second, first)
        own = replace(margins, off_diagonal=off_diagonal if one == other else 0, both_sides=directed)
        for a, b in [(one, other)] if not directed or one == other else [(one, other), (other, one)]:
            grid = np.empty((starts[a + 1] - starts[a], starts[b + 1] - starts[b]), dtype=np.float32)
            library.metric.block(library.described[a], library.described[b], grid)
            rows, columns = nearly_minima(grid, own, slack=NOISE)
            minima = descended(
                library.frames, library.window, starts[a] + rows, starts[b] + columns, ceiling=margins.ceiling
            )
            found.append(minima_table(starts, *minima, margins, off_diagonal, directed))
    return best_of_table(np.concatenate(found), reach)


def all_dense_candidates(library: DenseLibrary, **options: Any) -> np.ndarray:
    """The candidates of all pairs of motions."""
    return np.concatenate([dense_candidates(library, n, **options) for n in range(len(library.described))])
