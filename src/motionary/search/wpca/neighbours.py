"""The poses of a library nearest to one: exact, by boxes around small heaps of points that lie together."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import UsageError

LEAF_POINTS = 64


@dataclass(frozen=True, eq=False)
class PoseTree:
    """Points in leaves of a k-d tree, and the box around each leaf.

    Boxes hold in every dimension by itself, so the same tree answers for any number of leading dimensions and any
    scales. Leaves are looked at in one sweep, not down the tree: a few thousand bounds take less time than walking.
    """

    points: np.ndarray  # (N, D) float32, leaf by leaf
    numbers: np.ndarray  # (N,) int32: which point it was
    firsts: np.ndarray  # (L + 1,) the first point of each leaf, and the end
    lower: np.ndarray  # (D, L) float32
    upper: np.ndarray  # (D, L)

    @classmethod
    def of(cls, points: np.ndarray, *, leaf_points: int = LEAF_POINTS, numbers: np.ndarray | None = None) -> "PoseTree":
        """The tree of points (N, D): halved at the median of the widest dimension until leaves are small.

        `numbers` of an earlier tree of the same points and leaves save the sorting.
        """
        points = np.ascontiguousarray(points, dtype=np.float32)
        firsts = np.array(_leaf_firsts(len(points), leaf_points), dtype=np.int64)
        numbers = _sorted_into_leaves(points, leaf_points) if numbers is None else np.asarray(numbers, dtype=np.int32)
        ordered = points[numbers]
        if len(ordered):
            boxes = np.minimum.reduceat(ordered, firsts[:-1]), np.maximum.reduceat(ordered, firsts[:-1])
        else:
            boxes = ordered, ordered
        return cls(ordered, numbers, firsts, *(np.ascontiguousarray(box.T) for box in boxes))

    @property
    def n_points(self) -> int:
        return len(self.points)

    def nearest(
        self,
        point: np.ndarray,
        *,
        k: int,
        scales: np.ndarray,
        allowed: np.ndarray | None = None,
        slack: float = 0.0,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The numbers (K,) of the k points nearest to `point` (d,) and their distances, nearest first.

        The first d dimensions count, times `scales` (d,); ties go to the lower number. `allowed` (N,) bool: only
        these. With `slack` above 0 leaves are passed over that hold nothing nearer than the k-th by 1 / (1 + slack):
        faster, and some of the nearest may be missing.
        """
        point, scales = np.asarray(point, dtype=np.float64), np.asarray(scales, dtype=np.float64)
        if not (point.shape == scales.shape and 1 <= len(point) <= self.points.shape[1]):
            raise UsageError(f"a point of {point.shape} and scales of {scales.shape} do not fit the space")
        if k < 1:
            raise UsageError(f"neighbours must be at least 1, not {k}")
        keep = np.ones(0, dtype=np.bool_) if allowed is None else np.asarray(allowed, dtype=np.bool_)[self.numbers]
        k = min(k, self.n_points if allowed is None else int(keep.sum()))
        if k == 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        bounds = np.empty(len(self.firsts) - 1)
        _box_bounds(point, scales, self.lower, self.upper, bounds)
        if slack:
            bounds *= (1.0 + slack) ** 2
        heap = np.full(k, np.inf), np.full(k, np.iinfo(np.int64).max)
        # Sorting all leaves would take longer than looking into the few that count
        n_near = min(len(bounds), 4 * k // LEAF_POINTS + 16)
        border = np.partition(bounds, n_near - 1)[n_near - 1]
        for leaves in (np.flatnonzero(bounds <= border), np.flatnonzero(bounds > border)):
            leaves = leaves[bounds[leaves] <= heap[0][0]]
            leaves = leaves[np.argsort(bounds[leaves])]
            _look_into(self.points, self.numbers, self.firsts, leaves, bounds, point, scales, keep, *heap)
        squares, numbers = heap
        order = np.lexsort((numbers, squares))
        return numbers[order], np.sqrt(squares[order])


def nearest_reference(
    points: np.ndarray, point: np.ndarray, *, k: int, scales: np.ndarray, allowed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What `PoseTree.nearest` gives, from the definition: the flat scan of all points."""
    squares = np.zeros(len(points))
    for d, scale in enumerate(scales):
        gaps = scale * (point[d] - points[:, d].astype(np.float64))
        squares += gaps * gaps
    numbers = np.arange(len(points)) if allowed is None else np.flatnonzero(allowed)
    best = numbers[np.lexsort((numbers, squares[numbers]))[:k]]
    return best, np.sqrt(squares[best])


def _leaf_firsts(n_points: int, leaf_points: int) -> list[int]:
    """Where leaves begin, and the end; it follows from the number of points alone."""
    firsts, todo = [n_points], [(0, n_points)]
    while todo:
        first, stop = todo.pop()
        if stop - first > leaf_points:
            todo += [(first, (first + stop) // 2), ((first + stop) // 2, stop)]
        elif stop > first:
            firsts.append(first)
    return sorted(firsts)


def _sorted_into_leaves(points: np.ndarray, leaf_points: int) -> np.ndarray:
    """The numbers (N,) of points, leaf after leaf."""
    numbers = np.arange(len(points), dtype=np.int32)
    todo = [(0, len(points))]
    while todo:
        first, stop = todo.pop()
        if stop - first > leaf_points:
            some = points[numbers[first:stop]]
            widest = int(np.argmax(some.std(axis=0)))
            half = (first + stop) // 2
            numbers[first:stop] = numbers[first:stop][np.argpartition(some[:, widest], half - first)]
            todo += [(first, half), (half, stop)]
    return numbers


@njit(cache=True, nogil=True)
def _box_bounds(point, scales, lower, upper, out):  # type: ignore[no-untyped-def]
    """The squared distance to the nearest corner, edge or face of each box; 0 inside."""
    out[:] = 0.0
    for d in range(point.shape[0]):
        p, scale = point[d], scales[d]
        for leaf in range(out.shape[0]):
            gap = scale * max(lower[d, leaf] - p, p - upper[d, leaf], 0.0)
            out[leaf] += gap * gap


@njit(cache=True, nogil=True)
def _look_into(points, numbers, firsts, leaves, bounds, point, scales, keep, squares, found):  # type: ignore[no-untyped-def]
    """Put what is nearer into a heap of the nearest, whose root is the furthest of them; leaves come nearest first.

    Distances are summed from the first dimension to the last, as the reference does it: who ties there ties here.
    """
    for leaf in leaves:
        if bounds[leaf] > squares[0]:
            return
        for place in range(firsts[leaf], firsts[leaf + 1]):
            if keep.shape[0] and not keep[place]:
                continue
            square = 0.0
            for d in range(point.shape[0]):
                gap = scales[d] * (point[d] - np.float64(points[place, d]))
                square += gap * gap
            if square < squares[0] or (square == squares[0] and numbers[place] < found[0]):
                _replace_root(squares, found, square, numbers[place])


@njit(cache=True, nogil=True)
def _replace_root(squares, found, square, number):  # type: ignore[no-untyped-def]
    """Let the new pair sink from the root of the heap to its place: by distance, then by number."""
    n, at = squares.shape[0], 0
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        other = child + 1
        if other < n and (
            squares[other] > squares[child] or (squares[other] == squares[child] and found[other] > found[child])
        ):
            child = other
        if squares[child] < square or (squares[child] == square and found[child] < number):
            break
        squares[at], found[at] = squares[child], found[child]
        at = child
    squares[at], found[at] = square, number
