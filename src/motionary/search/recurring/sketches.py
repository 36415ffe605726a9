"""Sketches: every window of a library in a few numbers, in which no two are farther apart than they are.

A window is shortened twice, both times by unit vectors at right angles: its poses to their principal components, and
time to the means of a few spans; what is left, to the principal components of windows. How much was lost each time is
a number too: two remainders are at least as far apart as their sizes are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import DOUBLE, SINGLE, even_edges, principal_basis

POSE_COMPONENTS = 24
SPANS = 12
COMPONENTS = 62  # and the sizes of two remainders: 64 numbers
TRAINING_ROWS, TRAINING_WINDOWS = 50_000, 10_000
CHUNK = 8192  # rows that are sketched at once


@dataclass(frozen=True, eq=False)
class Sketcher:
    """How windows of some frames are shortened."""

    mean: np.ndarray  # (D,)
    roots: np.ndarray  # (D,) of the weights
    poses: np.ndarray  # (D, P) unit vectors at right angles
    edges: np.ndarray  # (S + 1,) the spans of time
    windows: np.ndarray  # (P · S, K) unit vectors at right angles

    @classmethod
    def trained(cls, table: np.ndarray, weights: np.ndarray, offsets: np.ndarray, n_frames: int) -> "Sketcher":
        """From a table (F, D) and the rows at which its windows begin."""
        some = table[:: max(1, len(table) // TRAINING_ROWS)].astype(np.float64)
        mean, roots = some.mean(axis=0), np.sqrt(weights)
        n_poses = min(POSE_COMPONENTS, int((weights > 0).sum()))
        poses = principal_basis((some - mean) * roots, n_poses)
        edges = np.asarray(even_edges(n_frames, min(SPANS, n_frames)))
        starts = offsets[:: max(1, len(offsets) // TRAINING_WINDOWS)]
        spans = [
            sum((table[starts + f] for f in range(first, stop)), np.zeros((len(starts), len(mean))))
            / np.sqrt(stop - first)
            for first, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        ]
        windows = principal_basis(np.concatenate([part * roots @ poses for part in spans], axis=1), COMPONENTS)
        return cls(mean, roots, poses, edges, windows)

    @property
    def n_frames(self) -> int:
        return int(self.edges[-1])

    @property
    def n_dimensions(self) -> int:
        return self.windows.shape[1] + 2

    def sketch(self, table: np.ndarray, sides: Sequence[Callable[[np.ndarray], np.ndarray] | None]) -> "Sketches":
        """All windows of a table, those across two clips too, on some sides: what is done to rows before, if anything.

        They are filled in where they stay: with those of both sides twice, nothing else would need as much memory.
        """
        n_windows = len(table) - self.n_frames + 1
        numbers = np.empty((len(sides), n_windows, self.n_dimensions), dtype=np.float32)
        error = 0.0
        for side, turned in enumerate(sides):
            for first in range(0, n_windows, CHUNK):
                stop = min(first + CHUNK, n_windows)
                rows = table[first : stop + self.n_frames - 1]
                error = max(error, self._fill(rows if turned is None else turned(rows), numbers[side, first:stop]))
        return Sketches(numbers, error)

    def _fill(self, rows: np.ndarray, out: np.ndarray) -> float:
        """Sketch all windows of some rows; gives back how far any is from what it should be."""
        spans, squares = self._spans(rows)
        inner = spans @ self.windows
        kept, shortened = (inner**2).sum(axis=1), (spans**2).sum(axis=1)
        out[:, :-2] = inner
        out[:, -2] = np.sqrt(np.maximum(shortened - kept, 0.0))
        out[:, -1] = np.sqrt(np.maximum(squares - shortened, 0.0))
        return self._error(len(rows), float(squares.max()), total=float(_squares(rows, self.mean, self.roots).sum()))

    def _error(self, n_rows: int, largest: float, *, total: float) -> float:
        """How far off a sketch can be, from windows with squares up to `largest` in rows with `total` in all.

        Running sums are off by a rounding of Σ|x| ≤ √(n Σx²) for each of their n terms. Of remainders it is the
        squares that are off by little: their roots may be off by far more.
        """
        of_spans = np.sqrt(self.windows.shape[0]) * 4.0 * n_rows * DOUBLE * np.sqrt(n_rows * total)
        of_squares = 4.0 * (n_rows + self.windows.shape[0]) * DOUBLE * total + 4.0 * np.sqrt(largest) * of_spans
        return float(of_spans + np.sqrt(2.0 * of_squares) + 2.0 * SINGLE * np.sqrt(largest))

    def _spans(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The windows (N, P · S) of some rows, shortened once, and their sums of squares (N,) before."""
        centred = (rows.astype(np.float64) - self.mean) * self.roots
        n = len(rows) - self.n_frames + 1
        sums = _running(centred @ self.poses)
        lengths = np.diff(self.edges)
        parts = [
            (sums[stop : stop + n] - sums[start : start + n]) / np.sqrt(length)
            for start, stop, length in zip(self.edges[:-1], self.edges[1:], lengths, strict=True)
        ]
        squares = _running(_squares(rows, self.mean, self.roots))
        return np.concatenate(parts, axis=1), squares[self.n_frames :][:n] - squares[:n]


@dataclass(frozen=True, eq=False)
class Sketches:
    """The windows that begin at each row, in K numbers; |a − b| − 2 · `error` is never above their distance's root."""

    numbers: np.ndarray  # (V, F − n + 1, K) float32, on V sides
    error: float  # how far any is from what it should be


def _running(values: np.ndarray) -> np.ndarray:
    """Sums of all rows before each, and of all: one more than there are rows."""
    return np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])


def _squares(rows: np.ndarray, mean: np.ndarray, roots: np.ndarray) -> np.ndarray:
    return np.asarray((((rows.astype(np.float64) - mean) * roots) ** 2).sum(axis=1))
