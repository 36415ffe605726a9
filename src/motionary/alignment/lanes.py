"""Distances of one query and all windows of a table, many neighbouring windows side by side in vector lanes.

Costs are quadratic forms in single precision, w_i (z_j − q_i)ᵀ A (z_j − q_i), taken apart into zᵀAz, qᵀAq and one
product −2 (Aq)ᵀz. All that rounding can do is taken off beforehand, so that what comes out is never above the distance
in exact numbers: a bound, and a very near one.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import get_num_threads, njit, prange, uintp

BLOCK = 8  # dimensions that are summed up in one go
LANES = 64  # windows: lanes come in multiples of it, so that no loop has a remainder
WIDE = 256  # windows that share the costs of a query frame
MOST_WIDE = 4096  # lanes: as far as they may reach beyond the last pose; wider bands are cut to fit
CHECK = 6  # query frames between two looks at whether any window of a tile can still be near enough
ROUNDING = 2.0**-24  # of single precision, relative
SMALLEST = 2.0**-126  # what is smaller is rounded by more than its share
LARGEST = float(np.finfo(np.float32).max)
VECTOR_MATH = {"contract", "reassoc", "nsz", "nnan"}  # sums in any order; what that changes is in the slack


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses as the lanes read them: one dimension after the other, with room behind the last pose."""

    z: np.ndarray  # (K, F + room) float32, each rounded once; K a multiple of 8, the last rows may be 0
    n_frames: int
    _squares: dict[bytes, tuple[np.ndarray, float]] = field(default_factory=dict)  # of the diagonal form last used

    @classmethod
    def of(cls, z: np.ndarray) -> "Poses":
        """From (K, F), of any K."""
        n_dimensions, n_frames = z.shape
        poses = cls.empty(n_dimensions, n_frames)
        poses.z[:n_dimensions, :n_frames] = z
        return poses

    @classmethod
    def empty(cls, n_dimensions: int, n_frames: int) -> "Poses":
        """All 0."""
        return cls(np.zeros((-(-n_dimensions // BLOCK) * BLOCK, n_frames + MOST_WIDE), dtype=np.float32), n_frames)

    @property
    def n_dimensions(self) -> int:
        return len(self.z)

    def squares(self, form: np.ndarray, slack: float) -> tuple[np.ndarray, float]:
        """zᵀAz (F + room,) of every pose for a diagonal A or a triangular root of it, less slack · |A| |z|², and the
        largest |A| |z|² of all."""
        key = form.tobytes() + np.float64(slack).tobytes()
        if key in self._squares:
            return self._squares[key]
        squares = np.empty(self.z.shape[1], dtype=np.float32)
        n_threads = np.int64(get_num_threads())
        largest = np.zeros(n_threads)
        flat = self.z.reshape(-1)
        if form.ndim == 1:
            _diagonal_squares(flat, form.astype(np.float32), np.float32(slack), n_threads, squares, largest)
            highest = float(largest.max())
        else:
            norm = float(np.linalg.norm(form, 2)) ** 2
            _squares(flat, form.astype(np.float32), np.float32(slack * norm), n_threads, squares, largest)
            highest = norm * float(largest.max())
        self._squares.clear()
        self._squares[key] = squares, highest
        return squares, highest


@dataclass(frozen=True, eq=False)
class LaneQuery:
    """A query made ready for some poses: what is left of the costs' formula once both are known."""

    products: np.ndarray  # (n, K) float32: −2 w Aq
    own: np.ndarray  # (n,) float32: w qᵀAq, less its slack
    row_weights: np.ndarray  # (n,) float32
    squares: np.ndarray  # (F + room,) float32: zᵀAz of every pose, less its slack
    summing: float  # the share of a distance that rounding may have added to it
    slack: float  # what else it may have added: much where weights of frames are below 0, else next to nothing
    is_signed: bool  # whether a cost may be below 0, so that a partial sum tells nothing
    highest: float  # no cost is above it, nor below its negative

    @classmethod
    def of(cls, query: np.ndarray, form: np.ndarray, row_weights: np.ndarray, poses: Poses) -> "LaneQuery":
        """From the query (n, K) in the poses' dimensions, and the form A: (K,) if it is diagonal, else a root (S, K)
        of it, A = RᵀR.

        Weights of query frames, and a diagonal form, may be below 0: negative weights.
        """
        n_frames, n_given = query.shape
        n_dimensions = poses.n_dimensions
        rows = np.zeros((n_frames, n_dimensions))
        rows[:, :n_given] = query
        is_signed = bool((row_weights < 0).any() or (form.ndim == 1 and (form < 0).any()))
        if form.ndim == 1:
            whole = np.zeros(n_dimensions)
            whole[:n_given] = form
            turned = rows * whole
            sizes = (rows * rows) @ np.abs(whole)
            # K roundings in zᵀAz and 2 K in the sum of its terms, which may be twice as large as what they come to;
            # sums that go up and down round off a share of all their costs, not only of what comes out
            slack = (3.0 * (n_dimensions + BLOCK) + (4.0 * n_frames if is_signed else 0.0)) * ROUNDING
        else:
            whole = np.zeros((n_dimensions, n_dimensions))
            triangle = np.asarray(np.linalg.qr(form, mode="r"))
            whole[: len(triangle), :n_given] = triangle
            turned = rows @ (whole.T @ whole)
            norm = float(np.linalg.norm(whole, 2))
            sizes = norm**2 * (rows * rows).sum(axis=1)
            # What rounding does to R z goes by the sizes of R's numbers, which signs do not cancel
            spread = float(np.linalg.norm(whole)) / norm if norm else 1.0
            slack = (3.0 + 2.0 * spread) * (n_dimensions + BLOCK) * ROUNDING
        by_pose = not (row_weights < 0).any()  # else what would be taken off a pose would be added to some costs
        squares, largest = poses.squares(whole, slack if by_pose else 0.0)
        own = (rows * turned).sum(axis=1)
        highest = 2.0 * float(np.abs(row_weights).max()) * (largest + float(sizes.max()))
        if by_pose:
            own = own - slack * sizes
        return cls(
            (-2.0 * row_weights[:, None] * turned).astype(np.float32),
            (row_weights * own).astype(np.float32),
            row_weights.astype(np.float32),
            squares,
            (2 * n_frames + 8) * ROUNDING,
            2 * n_frames * (n_dimensions * SMALLEST if by_pose else highest * slack),
            is_signed,
            highest,
        )

    def lowered(self, sums: np.ndarray) -> np.ndarray:
        """Bounds (float64) of sums that the lanes have given."""
        sums = sums.astype(np.float64)
        return sums * np.where(sums < 0, 1.0 + self.summing, 1.0 - self.summing) - self.slack

    def raised(self, bound: float) -> float:
        """What the lanes give at most for a distance up to `bound`."""
        return min(bound + self.slack + 2.0 * self.summing * abs(bound), LARGEST)


def euclid_lanes(
    query: LaneQuery,
    poses: Poses,
    spans: np.ndarray,
    *,
    limit: float = np.inf,
    every: int = 1,
    wide: int = WIDE,
    out: np.ndarray,
) -> None:
    """Write into `out` (F,) the sums of all windows that begin in the rows [first, stop) of `spans` (N, 2).

    What is above `limit` may come out as infinite. With `every`, only each so-many-th query frame is summed up. `wide`
    windows go side by side: a multiple of 64.
    """
    z, squares, products, own, row_weights = _numbers(query, poses)
    firsts, stops = _tiles(spans, wide)
    n_threads, limit_32 = np.int64(get_num_threads()), _limit(query, limit)
    _euclid_spans(
        z, squares, products, own, row_weights, np.int64(every), firsts, stops, np.int64(wide), limit_32, n_threads, out
    )


def dtw_lanes(
    query: LaneQuery,
    poses: Poses,
    spans: np.ndarray,
    *,
    radii: np.ndarray,
    limit: float = np.inf,
    wide: int | None = None,
    out: np.ndarray,
) -> None:
    """Write into `out` (F,) the least sums of all windows that begin in the rows [first, stop) of `spans` (N, 2).

    What is above `limit` may come out as infinite. `wide` lanes go side by side, some of them only for the band.
    """
    wide = lanes_for(radii, least=wide or WIDE)
    z, squares, products, own, row_weights = _numbers(query, poses)
    firsts, stops = _tiles(spans, wide - 2 * int(radii.max()))
    n_threads, limit_32 = np.int64(get_num_threads()), _limit(query, limit)
    _dtw_spans(z, squares, products, own, row_weights, radii, firsts, stops, np.int64(wide), limit_32, n_threads, out)


def lanes_for(radii: np.ndarray, *, least: int = WIDE) -> int:
    """How many lanes a window needs: the band must fit beside them."""
    return max(least, -(-(2 * int(radii.max()) + LANES // 2) // LANES) * LANES)


def sums_reference(
    query: np.ndarray, form: np.ndarray, row_weights: np.ndarray, z: np.ndarray, radii: np.ndarray | None
) -> np.ndarray:
    """What lanes bound, from the definition: the sums (F − n + 1,) of all windows of z (F, K); frame by frame without
    radii."""
    n_frames = len(query)
    whole = np.diag(form) if form.ndim == 1 else form.T @ form
    gaps = z[None] - query[:, None]  # (n, F, K)
    costs = row_weights[:, None] * np.einsum("ifk,km,ifm->if", gaps, whole, gaps)
    sums = np.empty(len(z) - n_frames + 1)
    for start in range(len(sums)):
        least = np.full((n_frames + 1, n_frames + 1), np.inf)
        least[0, 0] = 0.0
        for i, j in np.ndindex(n_frames, n_frames):
            if abs(i - j) <= (0 if radii is None else radii[i]):
                before = min(least[i, j], least[i, j + 1], least[i + 1, j])
                least[i + 1, j + 1] = before + costs[i, start + j]
        sums[start] = least[-1, -1]
    return sums


def _numbers(query: LaneQuery, poses: Poses) -> tuple[np.ndarray, ...]:
    return poses.z.reshape(-1), query.squares, query.products.reshape(-1), query.own, query.row_weights


def _limit(query: LaneQuery, limit: float) -> np.float32:
    at_most = query.raised(limit) * (1 + 4 * ROUNDING)
    return np.float32(np.inf if query.is_signed or at_most >= LARGEST else at_most)


def _tiles(spans: np.ndarray, n_windows: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last window but one of every tile: at most `n_windows` neighbours."""
    counts = -(-np.maximum(spans[:, 1] - spans[:, 0], 0) // n_windows)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    firsts = np.repeat(spans[:, 0], counts) + within * n_windows
    return firsts, np.minimum(firsts + n_windows, np.repeat(spans[:, 1], counts))


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _start_costs(squares, first, own, weight, costs, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        costs[lane] = squares[first + lane] * weight + own


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_costs(z, stride, first, products, k, costs, n_lanes):  # type: ignore[no-untyped-def]
    """Eight dimensions of the product.

    Numbers are unsigned here and below, because only they make an index without a branch, and arrays are flat,
    because a view of a row costs as much as its lanes.
    """
    p0, p1, p2, p3 = products[k], products[k + uintp(1)], products[k + uintp(2)], products[k + uintp(3)]
    p4, p5, p6, p7 = products[k + uintp(4)], products[k + uintp(5)], products[k + uintp(6)], products[k + uintp(7)]
    z1 = first + stride
    z2 = z1 + stride
    z3 = z2 + stride
    z4 = z3 + stride
    z5 = z4 + stride
    z6 = z5 + stride
    z7 = z6 + stride
    for lane in range(n_lanes):
        costs[lane] += (p0 * z[first + lane] + p1 * z[z1 + lane] + p2 * z[z2 + lane] + p3 * z[z3 + lane]) + (
            p4 * z[z4 + lane] + p5 * z[z5 + lane] + p6 * z[z6 + lane] + p7 * z[z7 + lane]
        )


@njit(cache=True, nogil=True)
def _frame_costs(z, squares, products, own, row_weights, i, first, costs, n_lanes):  # type: ignore[no-untyped-def]
    """The costs of query frame i with as many poses as there are lanes, from `first` on."""
    stride = len(squares)
    n_dimensions = len(z) // stride
    _start_costs(squares, uintp(first), own[i], row_weights[i], costs, n_lanes)
    for k in range(0, n_dimensions, BLOCK):
        _add_costs(z, uintp(stride), uintp(k * stride + first), products, uintp(i * n_dimensions + k), costs, n_lanes)


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _step(sums, b, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """One diagonal of the band goes on by a query frame, in place: its left neighbour has gone already."""
    beside = b * n_lanes
    aslant = beside + n_lanes
    above = aslant + n_lanes
    for lane in range(n_lanes):
        x, y, v = sums[beside + lane], sums[aslant + lane], sums[above + lane]
        x = x if x < y else y
        sums[aslant + lane] = (x if x < v else v) + costs[shift + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _four_steps(sums, b, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """Four neighbouring diagonals at once, so that what one gives the next need not be read again."""
    s0 = b * n_lanes
    s1 = s0 + n_lanes
    s2 = s1 + n_lanes
    s3 = s2 + n_lanes
    s4 = s3 + n_lanes
    s5 = s4 + n_lanes
    shift_1, shift_2, shift_3 = shift + uintp(1), shift + uintp(2), shift + uintp(3)
    for lane in range(n_lanes):
        x, y1, y2 = sums[s0 + lane], sums[s1 + lane], sums[s2 + lane]
        y3, y4, y5 = sums[s3 + lane], sums[s4 + lane], sums[s5 + lane]
        v = y1 if y1 < y2 else y2
        x = (x if x < v else v) + costs[shift + lane]
        sums[s1 + lane] = x
        v = y2 if y2 < y3 else y3
        x = (x if x < v else v) + costs[shift_1 + lane]
        sums[s2 + lane] = x
        v = y3 if y3 < y4 else y4
        x = (x if x < v else v) + costs[shift_2 + lane]
        sums[s3 + lane] = x
        v = y4 if y4 < y5 else y5
        x = (x if x < v else v) + costs[shift_3 + lane]
        sums[s4 + lane] = x


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _set(values, first, value, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        values[first + lane] = value


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _first_row(sums, b, before, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """With the query's first frame, all that came before is to the left."""
    here, left = b * n_lanes, before * n_lanes
    for lane in range(n_lanes):
        sums[here + lane] = sums[left + lane] + costs[shift + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _lower(least, sums, b, n_lanes):  # type: ignore[no-untyped-def]
    first = b * n_lanes
    for lane in range(n_lanes):
        x, y = least[lane], sums[first + lane]
        least[lane] = y if y < x else x


@njit(cache=True, nogil=True)
def _any_within(sums, n_windows, limit):  # type: ignore[no-untyped-def]
    n_within = 0
    for lane in range(n_windows):
        n_within += sums[lane] <= limit
    return n_within > 0


@njit(cache=True, nogil=True)
def _dtw_tile(z, squares, products, own, row_weights, radii, widest, first, stop, limit, sums, costs, least, out):  # type: ignore[no-untyped-def]
    """Windows [first, stop). Row b + 1 of `sums` is the diagonal j − i = b − widest, for each window."""
    n_frames = len(radii)
    n_lanes = uintp(len(least))
    nowhere = np.float32(np.inf)
    _set(sums, uintp(0), nowhere, uintp(len(sums)))
    low_before, high_before = widest, widest + 1
    for i in range(n_frames):
        low, high = widest - min(radii[i], i), widest + min(radii[i] + 1, n_frames - i)
        _frame_costs(z, squares, products, own, row_weights, i, first + i + low - widest, costs, n_lanes)
        for b in range(low_before, low):  # left of this row's band
            _set(sums, uintp(b + 1) * n_lanes, nowhere, n_lanes)
        b = low
        if i == 0:
            _set(sums, uintp(widest) * n_lanes, np.float32(0.0), n_lanes)
            for b in range(widest, high):
                _first_row(sums, uintp(b + 1), uintp(b), costs, uintp(b - low), n_lanes)
            _set(sums, uintp(widest) * n_lanes, nowhere, n_lanes)
        else:
            while b + 4 <= high:
                _four_steps(sums, uintp(b), costs, uintp(b - low), n_lanes)
                b += 4
            while b < high:
                _step(sums, uintp(b), costs, uintp(b - low), n_lanes)
                b += 1
        for b in range(high, high_before):  # right of it
            _set(sums, uintp(b + 1) * n_lanes, nowhere, n_lanes)
        low_before, high_before = low, high
        if i % CHECK == CHECK - 1 and limit < np.inf:
            _set(least, uintp(0), nowhere, n_lanes)
            for b in range(low, high):
                _lower(least, sums, uintp(b + 1), n_lanes)
            if not _any_within(least, uintp(stop - first), limit):
                out[first:stop] = np.inf
                return
    at = (widest + 1) * len(least)
    out[first:stop] = sums[at : at + stop - first]


@njit(cache=True, nogil=True, parallel=True)
def _dtw_spans(z, squares, products, own, row_weights, radii, firsts, stops, wide, limit, n_threads, out):  # type: ignore[no-untyped-def]
    widest = radii.max()
    for thread in prange(n_threads):
        sums = np.empty((2 * widest + 3) * wide, dtype=np.float32)
        costs = np.zeros(wide + 2 * widest + 1, dtype=np.float32)  # its end is for lanes that belong to no window
        least = np.empty(wide, dtype=np.float32)
        for tile in range(thread, len(firsts), n_threads):  # by turns: neighbours take about as long
            first, stop = firsts[tile], stops[tile]
            _dtw_tile(
                z, squares, products, own, row_weights, radii, widest, first, stop, limit, sums, costs, least, out
            )


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add(sums, costs, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        sums[lane] += costs[lane]


@njit(cache=True, nogil=True)
def _euclid_tile(z, squares, products, own, row_weights, every, first, stop, limit, sums, costs, out):  # type: ignore[no-untyped-def]
    n_lanes = uintp(len(sums))
    sums[:] = 0.0
    for step, i in enumerate(range(0, len(own), every)):
        _frame_costs(z, squares, products, own, row_weights, i, first + i, costs, n_lanes)
        _add(sums, costs, n_lanes)
        if step % CHECK == CHECK - 1 and limit < np.inf and not _any_within(sums, uintp(stop - first), limit):
            out[first:stop] = np.inf
            return
    out[first:stop] = sums[: stop - first]


@njit(cache=True, nogil=True, parallel=True)
def _euclid_spans(z, squares, products, own, row_weights, every, firsts, stops, wide, limit, n_threads, out):  # type: ignore[no-untyped-def]
    for thread in prange(n_threads):
        sums, costs = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
        for tile in range(thread, len(firsts), n_threads):
            first, stop = firsts[tile], stops[tile]
            _euclid_tile(z, squares, products, own, row_weights, every, first, stop, limit, sums, costs, out)


@njit(cache=True, nogil=True, parallel=True)
def _squares(z, root, slack, n_threads, squares, largest):  # type: ignore[no-untyped-def]
    """|R z|² of every pose, less slack · |z|², for an upper triangle R; the largest |z|² that every thread has seen."""
    stride = len(squares)
    for thread in prange(n_threads):
        turned = np.empty(WIDE, dtype=np.float32)
        total, size = np.empty(WIDE, dtype=np.float32), np.empty(WIDE, dtype=np.float32)
        for first in range(thread * WIDE, stride, n_threads * WIDE):
            n_lanes = uintp(min(WIDE, stride - first))
            total[:] = 0.0
            size[:] = 0.0
            for k in range(len(root)):
                turned[:] = 0.0
                for m in range(k, len(root)):
                    _add_product(turned, z, uintp(m * stride + first), root[k, m], n_lanes)
                _add_square(total, turned, uintp(0), np.float32(1.0), n_lanes)
                _add_square(size, z, uintp(k * stride + first), np.float32(1.0), n_lanes)
            largest[thread] = max(largest[thread], size[:n_lanes].max())
            _add_product(total, size, uintp(0), -slack, n_lanes)
            squares[first : first + n_lanes] = total[:n_lanes]


@njit(cache=True, nogil=True, parallel=True)
def _diagonal_squares(z, diagonal, slack, n_threads, squares, largest):  # type: ignore[no-untyped-def]
    """Σ d z² of every pose, less slack · Σ |d| z²; the largest Σ |d| z² that every thread has seen."""
    stride = len(squares)
    is_signed = diagonal.min() < 0.0
    for thread in prange(n_threads):
        total, size = np.empty(WIDE, dtype=np.float32), np.empty(WIDE, dtype=np.float32)
        for first in range(thread * WIDE, stride, n_threads * WIDE):
            n_lanes = uintp(min(WIDE, stride - first))
            total[:] = 0.0
            size[:] = 0.0
            for k in range(len(diagonal)):
                if diagonal[k] != 0.0:
                    at = uintp(k * stride + first)
                    _add_square(total, z, at, diagonal[k], n_lanes)
                    if is_signed:
                        _add_square(size, z, at, abs(diagonal[k]), n_lanes)
            if not is_signed:
                size[:] = total
            largest[thread] = max(largest[thread], size[:n_lanes].max())
            _add_product(total, size, uintp(0), -slack, n_lanes)
            squares[first : first + n_lanes] = total[:n_lanes]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_product(out, values, first, factor, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[lane] += factor * values[first + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_square(out, values, first, factor, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[lane] += factor * values[first + lane] * values[first + lane]
