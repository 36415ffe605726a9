"""Distances of one query and all windows of a table, many neighbouring windows side by side in vector lanes.

Costs are quadratic forms in single precision, w_i (z_j − q_i)ᵀ A (z_j − q_i), taken apart into zᵀAz, qᵀAq and one
product −2 (Aq)ᵀz. All that rounding can do is taken off beforehand, so that what comes out is never above the distance
in exact numbers: a bound, and a very near one.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numba import njit, uintp

from motionary.alignment.roundings import SINGLE
from motionary.workers import in_threads

BLOCK = 8  # dimensions that are summed up in one go
LANES = 64  # windows: lanes come in multiples of it, so that no loop has a remainder
WIDE = 256  # windows that share the costs of a query frame
MOST_WIDE = 4096  # lanes: as far as they may reach beyond the last pose; wider bands are cut to fit
MOST_STEPS = 32_767.0  # of a number in two bytes
HALF_A_STEP = 0.51  # with what single precision does to a number of so many steps
PACKED_WITHIN = 1e-3  # of the usual size of a pose: else packing would loosen bounds
USUAL_POSES = 10_000
SMALLEST = 2.0**-126  # what is smaller is rounded by more than its share
LARGEST = float(np.finfo(np.float32).max)
VECTOR_MATH = {"contract", "reassoc", "nsz", "nnan"}  # sums in any order; what that changes is in the slack


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses as the lanes read them: one dimension after the other, with room behind the last pose."""

    z: np.ndarray  # (K, F + room) float32, each rounded once, or int16; K a multiple of 8, the last rows may be 0
    n_frames: int
    steps: np.ndarray  # (K,) float32: what z is multiplied with
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
        n_rows = -(-n_dimensions // BLOCK) * BLOCK
        z = np.zeros((n_rows, n_frames + MOST_WIDE), dtype=np.float32)
        return cls(z, n_frames, np.ones(n_rows, dtype=np.float32))

    def packed(self) -> tuple["Poses", float]:
        """These poses in two bytes a number, and how far all numbers of a pose can be from what they were.

        They stay as they are where numbers far larger than others would make all steps large.
        """
        if self.n_frames == 0:
            return self, 0.0
        largest = np.maximum(self.z.max(axis=1), -self.z.min(axis=1)).astype(np.float64)
        steps = np.where(largest > 0.0, largest / MOST_STEPS, 1.0)
        error = float(np.sqrt(((HALF_A_STEP * steps[largest > 0.0]) ** 2).sum()))
        usual = float(np.linalg.norm(self.z[:, : self.n_frames : max(1, self.n_frames // USUAL_POSES)], axis=0).mean())
        if error > PACKED_WITHIN * usual or steps.min() < SMALLEST:
            return self, 0.0
        steps = steps.astype(np.float32)
        whole = np.empty(self.z.shape, dtype=np.int16)
        for k, step in enumerate(steps):
            whole[k] = np.rint(self.z[k] / step)
        return Poses(whole, self.n_frames, steps), error

    def unpacked(self, first: int, stop: int) -> np.ndarray:
        """The numbers (K, stop − first) float32 of some poses."""
        return self.z[:, first:stop] * self.steps[:, None]

    @property
    def flat(self) -> np.ndarray:
        """What `unpack` reads: z as int16 in one row, two of them for each float32, so that it has but one type."""
        return self.z.reshape(-1).view(np.int16)

    @property
    def n_bytes(self) -> int:
        return self.z.nbytes

    @property
    def n_dimensions(self) -> int:
        return len(self.z)

    def squares(self, form: np.ndarray, slack: float) -> tuple[np.ndarray, float]:
        """zᵀAz (F + room,) of every pose for a diagonal A or a triangular root of it, less slack · |A| |z|², and the
        largest |A| |z|² of all."""
        key = form.tobytes() + np.float64(slack).tobytes()
        known = self._squares.get(key)
        if known is not None:
            return known
        squares = np.empty(self.z.shape[1], dtype=np.float32)
        n_parts = -(-len(squares) // WIDE)
        largest = np.zeros(n_parts)
        z = self.flat
        if form.ndim == 1:
            diagonal = form.astype(np.float32)
            in_threads(
                *(_diagonal_squares, z, self.steps, diagonal, np.float32(slack), squares, largest), n_parts=n_parts
            )
            highest = float(largest.max())
        else:
            norm = float(np.linalg.norm(form, 2)) ** 2
            root = form.astype(np.float32)
            in_threads(_squares, z, self.steps, root, np.float32(slack * norm), squares, largest, n_parts=n_parts)
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

        Weights of query frames, and a diagonal form, may be below 0: negative weights. Raises FloatingPointError where
        single precision could not hold sums of costs.
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
            slack = (3.0 * (n_dimensions + BLOCK) + (4.0 * n_frames if is_signed else 0.0)) * SINGLE
        else:
            whole = np.zeros((n_dimensions, n_dimensions))
            triangle = np.asarray(np.linalg.qr(form, mode="r"))
            whole[: len(triangle), :n_given] = triangle
            turned = rows @ (whole.T @ whole)
            norm = float(np.linalg.norm(whole, 2))
            sizes = norm**2 * (rows * rows).sum(axis=1)
            # What rounding does to R z goes by the sizes of R's numbers, which signs do not cancel
            spread = float(np.linalg.norm(whole)) / norm if norm else 1.0
            slack = (3.0 + 2.0 * spread) * (n_dimensions + BLOCK) * SINGLE
        by_pose = not (row_weights < 0).any()  # else what would be taken off a pose would be added to some costs
        squares, largest = poses.squares(whole, slack if by_pose else 0.0)
        own = (rows * turned).sum(axis=1)
        highest = 2.0 * float(np.abs(row_weights).max()) * (largest + float(sizes.max()))
        if not 2 * n_frames * highest < LARGEST / 2.0:  # as many costs as a path has, and one that is no number
            raise FloatingPointError("costs are too large for single precision")
        if by_pose:
            own = own - slack * sizes
        return cls(
            (-2.0 * row_weights[:, None] * turned).astype(np.float32),
            (row_weights * own).astype(np.float32),
            row_weights.astype(np.float32),
            squares,
            (2 * n_frames + 8) * SINGLE,
            2 * n_frames * (n_dimensions * SMALLEST if by_pose else highest * slack),
            is_signed,
            highest,
        )

    def less(self, off: np.ndarray) -> "LaneQuery":
        """The same with so much (n,) off the costs of every query frame."""
        own = np.nextafter((self.own - off).astype(np.float32), np.float32(-np.inf))
        return replace(self, own=own)

    def lowered(self, sums: np.ndarray) -> np.ndarray:
        """Bounds (float64) of sums that the lanes have given."""
        sums = sums.astype(np.float64)
        return sums * np.where(sums < 0, 1.0 + self.summing, 1.0 - self.summing) - self.slack

    def raised(self, bound: float) -> float:
        """What the lanes give at most for a distance up to `bound`."""
        bound = min(float(bound), LARGEST)
        return min(bound + self.slack + 2.0 * self.summing * abs(bound), LARGEST)


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


@njit(cache=True, nogil=True)
def unpack(z, stride, first, steps, out, wide, n_lanes):  # type: ignore[no-untyped-def]
    """Some of the `stride` poses in `Poses.flat`, as numbers: one dimension after the other, `wide` numbers each."""
    if len(z) == len(steps) * stride:
        _unpack(z, stride, first, steps, out, wide, n_lanes)
    else:
        _unpack(z.view(np.float32), stride, first, steps, out, wide, n_lanes)


@njit(cache=True, nogil=True)
def _unpack(z, stride, first, steps, out, wide, n_lanes):  # type: ignore[no-untyped-def]
    for k in range(len(steps)):
        _multiply(z, uintp(k * stride + first), steps[k], out, uintp(k * wide), n_lanes)


@njit(cache=True, nogil=True)
def copy_lanes(values, first, out, at, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[at + lane] = values[first + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _multiply(z, first, step, out, at, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[at + lane] = step * z[first + lane]


@njit(cache=True, nogil=True)
def _squares(thread, n_threads, z, steps, root, slack, squares, largest):  # type: ignore[no-untyped-def]
    """|R z|² of every pose, less slack · |z|², for an upper triangle R; the largest |z|² that every thread has seen."""
    stride = len(squares)
    turned, poses = np.empty(WIDE, dtype=np.float32), np.empty(len(steps) * WIDE, dtype=np.float32)
    total, size = np.empty(WIDE, dtype=np.float32), np.empty(WIDE, dtype=np.float32)
    for first in range(thread * WIDE, stride, n_threads * WIDE):
        n_lanes = uintp(min(WIDE, stride - first))
        total[:] = 0.0
        size[:] = 0.0
        unpack(z, stride, first, steps, poses, WIDE, n_lanes)
        for k in range(len(root)):
            turned[:] = 0.0
            for m in range(k, len(root)):
                _add_product(turned, poses, uintp(m * WIDE), root[k, m], n_lanes)
            _add_square(total, turned, uintp(0), np.float32(1.0), n_lanes)
            _add_square(size, poses, uintp(k * WIDE), np.float32(1.0), n_lanes)
        largest[thread] = max(largest[thread], size[:n_lanes].max())
        _add_product(total, size, uintp(0), -slack, n_lanes)
        copy_lanes(total, uintp(0), squares, uintp(first), n_lanes)


@njit(cache=True, nogil=True)
def _diagonal_squares(thread, n_threads, z, steps, diagonal, slack, squares, largest):  # type: ignore[no-untyped-def]
    """Σ d z² of every pose, less slack · Σ |d| z²; the largest Σ |d| z² that every thread has seen."""
    stride = len(squares)
    is_signed = diagonal.min() < 0.0
    poses = np.empty(len(steps) * WIDE, dtype=np.float32)
    total, size = np.empty(WIDE, dtype=np.float32), np.empty(WIDE, dtype=np.float32)
    for first in range(thread * WIDE, stride, n_threads * WIDE):
        n_lanes = uintp(min(WIDE, stride - first))
        total[:] = 0.0
        size[:] = 0.0
        unpack(z, stride, first, steps, poses, WIDE, n_lanes)
        for k in range(len(diagonal)):
            if diagonal[k] != 0.0:
                _add_square(total, poses, uintp(k * WIDE), diagonal[k], n_lanes)
                if is_signed:
                    _add_square(size, poses, uintp(k * WIDE), abs(diagonal[k]), n_lanes)
        if not is_signed:
            copy_lanes(total, uintp(0), size, uintp(0), n_lanes)
        largest[thread] = max(largest[thread], size[:n_lanes].max())
        _add_product(total, size, uintp(0), -slack, n_lanes)
        copy_lanes(total, uintp(0), squares, uintp(first), n_lanes)


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_product(out, values, first, factor, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[lane] += factor * values[first + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_square(out, values, first, factor, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        out[lane] += factor * values[first + lane] * values[first + lane]
