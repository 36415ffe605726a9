"""Warps: strictly increasing, smooth curves of time, made from alignments."""

from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from motionary.alignment.pairs import Alignment
from motionary.errors import UsageError

STEEPEST = 2.0  # times the flatter of the lines beside a knot: the curve's slope stays above 0 everywhere
SETTLED = 1e-12  # frames: times are found as near as this


@dataclass(frozen=True, eq=False)
class Warp:
    """A monotone Hermite curve through knots, each later than the last in both motions; beyond the ends at pace 1.

    It has a slope above 0 everywhere, and that slope is continuous. Knots should be dense: between them the curve
    is a cubic. Slopes at the knots are chosen if not given (Fritsch & Butland 1984), and cut down where a given one
    would make the curve overshoot.
    """

    query_times: np.ndarray  # (K,) frames, strictly increasing
    candidate_times: np.ndarray  # (K,) frames, strictly increasing
    slopes: np.ndarray | None = None  # (K,) candidate frames for each frame of the query, at the knots
    inverted: bool = False  # whether it is read from the candidate's times to the query's

    def __post_init__(self) -> None:
        for name in ("query_times", "candidate_times"):
            times = np.array(getattr(self, name), dtype=np.float64)
            times.flags.writeable = False
            object.__setattr__(self, name, times)
            if times.ndim != 1 or len(times) == 0 or not (np.diff(times) > 0).all() or not np.isfinite(times).all():
                raise UsageError("the times of a warp must increase strictly")
        if len(self.query_times) != len(self.candidate_times):
            raise UsageError("a warp needs the same number of times for both motions")
        slopes = _chosen_slopes(self.query_times, self.candidate_times)
        if self.slopes is not None:
            given = np.asarray(self.slopes, dtype=np.float64)
            if given.shape != self.query_times.shape or not (given > 0).all():
                raise UsageError("a warp needs a slope above 0 at every knot")
            slopes = np.minimum(given, STEEPEST * _flatter(self.query_times, self.candidate_times))
        slopes.flags.writeable = False
        object.__setattr__(self, "slopes", slopes)

    def __call__(self, times: np.ndarray | float) -> np.ndarray:
        """The candidate's times (...) at the query's; frames need not be whole."""
        return self._read(times)[0]

    def slope(self, times: np.ndarray) -> np.ndarray:
        """How many frames of the candidate go by in one of the query (...)."""
        return self._read(times)[1]

    def inverse(self) -> "Warp":
        """From the candidate's times to the query's; exact, not another curve through the same knots."""
        return replace(self, inverted=not self.inverted)

    def then(self, later: "Warp") -> "Warp":
        """This warp, followed by `later`: a curve through the knots of both."""
        knots = np.union1d(self._ends_and_knots(), self.inverse()(later._ends_and_knots()))
        knots = knots[np.concatenate([[True], np.diff(knots) > 1e-6])]
        between = self(knots)
        times = later(between)
        kept = np.concatenate([[True], np.diff(times) > 1e-9])
        slopes = self.slope(knots) * later.slope(between)
        return Warp(knots[kept], times[kept], slopes[kept])

    def steepness(self) -> tuple[float, float]:
        """The least and the greatest slope between the first knot and the last."""
        ends = self._ends_and_knots()
        if len(ends) == 1:
            return 1.0, 1.0
        fine = np.concatenate([ends, *(ends[:-1] + share * np.diff(ends) for share in (0.25, 0.5, 0.75))])
        slopes = self.slope(np.clip(fine, np.nextafter(ends[0], ends[-1]), np.nextafter(ends[-1], ends[0])))
        return float(slopes.min()), float(slopes.max())

    def _ends_and_knots(self) -> np.ndarray:
        return self.candidate_times if self.inverted else self.query_times

    def _read(self, times: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        times = np.asarray(times, dtype=np.float64)
        flat = times.flatten()  # a copy, as kernels would be compiled again for what cannot be written to
        values, slopes = np.empty_like(flat), np.empty_like(flat)
        assert self.slopes is not None
        kernel = write_unwarped if self.inverted else write_warped
        kernel(self.query_times, self.candidate_times, self.slopes, flat, values, slopes)
        return values.reshape(times.shape), slopes.reshape(times.shape)


def warp_of(alignment: Alignment) -> Warp:
    """The warp through an alignment: where one motion waits for the other, through the middle of the wait.

    First and last pair are kept; gaps are crossed in smooth curves. The alignment needs at least one pair.
    """
    knots = _knots(alignment)
    return Warp(knots[:, 0], knots[:, 1])


def smooth_warp(alignment: Alignment, *, smoothing: float = 2.0, slope_limit: float = 3.0) -> Warp:
    """The warp along an alignment without its stairs: a knot at every frame of the query, slopes within the limit.

    The paces of `warp_of` are averaged over a Gaussian of `smoothing` frames, brought between 1 / `slope_limit` and
    `slope_limit`, and scaled so that both ends are kept. Raises where the ends alone break the limit.
    """
    knots = _knots(alignment)
    first, last = knots[0], knots[-1]
    n = int(last[0] - first[0])
    if n < 1:
        raise UsageError("a warp needs at least two frames of each motion")
    mean_pace = (last[1] - first[1]) / n
    if not 1.0 / slope_limit <= mean_pace <= slope_limit:
        raise UsageError(
            f"{n} frames cannot go with {last[1] - first[1]:g}: the speed would change by more than a factor of "
            f"{slope_limit:g}"
        )
    times = first[0] + np.arange(n + 1)
    paces = np.diff(np.interp(times, knots[:, 0], knots[:, 1]))
    paces = _within(_blurred(paces, smoothing), slope_limit, float(last[1] - first[1]))
    return Warp(times, first[1] + np.concatenate([[0.0], np.cumsum(paces)]))


def _knots(alignment: Alignment) -> np.ndarray:
    pairs = alignment.pairs.astype(np.float64)
    if len(pairs) == 0:
        raise UsageError("an alignment without pairs cannot become a warp")
    knots = _wait_middles(pairs)
    knots[-1] = pairs[-1]
    knots[0] = pairs[0]
    return knots


def _blurred(values: np.ndarray, sigma: float) -> np.ndarray:
    """Values (N,) averaged over a Gaussian, mirrored at the ends."""
    reach = min(int(np.ceil(3.0 * sigma)), len(values) - 1)
    if reach < 1:
        return values
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return np.convolve(np.pad(values, reach, mode="reflect"), kernel / kernel.sum(), mode="valid")


def _within_reference(paces: np.ndarray, limit: float, total: float) -> np.ndarray:
    """What `_within` computes, written plainly."""
    low, high = 0.0, 1.0
    while np.clip(high * paces, 1.0 / limit, limit).sum() < total and high < 1e9:
        high *= 2.0
    for _ in range(100):
        factor = 0.5 * (low + high)
        if np.clip(factor * paces, 1.0 / limit, limit).sum() < total:
            low = factor
        else:
            high = factor
    cut = np.clip(high * paces, 1.0 / limit, limit)
    return np.asarray(cut * (total / cut.sum()))


@njit(cache=True, nogil=True)
def _within(paces: np.ndarray, limit: float, total: float) -> np.ndarray:
    """Paces (N,) scaled by one factor, cut to [1 / limit, limit], such that they sum to `total`."""
    low, high = 0.0, 1.0
    while _cut_sum(paces, high, limit) < total and high < 1e9:
        high *= 2.0
    for _ in range(100):
        factor = 0.5 * (low + high)
        if factor in (low, high):  # no number lies between: it can be told no better
            break
        if _cut_sum(paces, factor, limit) < total:
            low = factor
        else:
            high = factor
    cut = np.empty_like(paces)
    for i in range(len(paces)):
        cut[i] = min(max(high * paces[i], 1.0 / limit), limit)
    return cut * (total / _cut_sum(paces, high, limit))


@njit(cache=True, nogil=True)
def _cut_sum(paces: np.ndarray, factor: float, limit: float) -> float:
    total = 0.0
    for i in range(len(paces)):
        total += min(max(factor * paces[i], 1.0 / limit), limit)
    return total


def _wait_middles_reference(pairs: np.ndarray) -> np.ndarray:
    """What `_wait_middles` computes, written plainly."""
    middles, first = [], 0
    while first < len(pairs):
        last = first
        if first + 1 < len(pairs):
            still = int(np.argmin(pairs[first + 1] - pairs[first]))
            while last + 1 < len(pairs) and pairs[last + 1, still] == pairs[first, still]:
                last += 1
        middles.append((pairs[first] + pairs[last]) / 2)
        turns = last > first and last + 1 < len(pairs) and bool((pairs[last + 1] == pairs[last]).any())
        first = last if turns else last + 1
    return np.array(middles)


@njit(cache=True, nogil=True)
def _wait_middles(pairs: np.ndarray) -> np.ndarray:
    """The middle (K, 2) of every longest stretch of pairs in which one of the motions does not move.

    Two waits may share the pair where one ends and the other begins; pairs outside of any are their own.
    """
    middles = np.empty((len(pairs), 2))
    n, first = 0, 0
    while first < len(pairs):
        last = first
        if first + 1 < len(pairs):
            still = 0 if pairs[first + 1, 0] - pairs[first, 0] <= pairs[first + 1, 1] - pairs[first, 1] else 1
            while last + 1 < len(pairs) and pairs[last + 1, still] == pairs[first, still]:
                last += 1
        for side in range(2):
            middles[n, side] = (pairs[first, side] + pairs[last, side]) / 2
        n += 1
        turns = False
        if last > first and last + 1 < len(pairs):
            turns = pairs[last + 1, 0] == pairs[last, 0] or pairs[last + 1, 1] == pairs[last, 1]
        first = last if turns else last + 1
    return middles[:n].copy()


def _chosen_slopes(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes (K,) at the knots: weighted harmonic means of the lines beside them; at the ends a parabola's."""
    if len(times) == 1:
        return np.ones(1)
    steps, paces = np.diff(times), np.diff(values) / np.diff(times)
    slopes = np.empty(len(times))
    slopes[0], slopes[-1] = paces[0], paces[-1]
    if len(times) > 2:
        before, after = steps[:-1], steps[1:]
        w1, w2 = 2.0 * after + before, after + 2.0 * before
        slopes[1:-1] = (w1 + w2) / (w1 / paces[:-1] + w2 / paces[1:])
        for end, far in ((0, 1), (-1, -2)):
            near_step, far_step = steps[end], steps[far]
            tip = ((2.0 * near_step + far_step) * paces[end] - near_step * paces[far]) / (near_step + far_step)
            slopes[end] = np.clip(tip, paces[end] / STEEPEST, STEEPEST * paces[end])
    return np.minimum(slopes, STEEPEST * _flatter(times, values))


def _flatter(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """At each knot the pace (K,) of the flatter of the lines beside it."""
    if len(times) == 1:
        return np.ones(1)
    paces = np.diff(values) / np.diff(times)
    return np.minimum(np.concatenate([paces[:1], paces]), np.concatenate([paces, paces[-1:]]))


@njit(cache=True, nogil=True)
def write_warped(times, values, slopes, at, out, out_slopes):  # type: ignore[no-untyped-def]
    """The curve through knots (K,) `times`, `values`, `slopes` and its slope, at `at` (S,), for kernels."""
    last = len(times) - 1
    k = np.int64(0)  # a plain 0 is a type of its own, for which Numba would compile `_piece`, too
    for s in range(len(at)):
        t = at[s]
        if t <= times[0]:
            out[s], out_slopes[s] = values[0] + (t - times[0]), (slopes[0] if t == times[0] else 1.0)
            continue
        if t >= times[last]:
            out[s], out_slopes[s] = values[last] + (t - times[last]), (slopes[last] if t == times[last] else 1.0)
            continue
        k = _piece(times, t, k)
        out[s], out_slopes[s] = _hermite(times, values, slopes, k, t)


@njit(cache=True, nogil=True)
def write_unwarped(times, values, slopes, at, out, out_slopes):  # type: ignore[no-untyped-def]
    """The times at which the curve through the knots has the values `at` (S,), and the slopes of that inverse."""
    last = len(times) - 1
    k = np.int64(0)  # a plain 0 is a type of its own, for which Numba would compile `_piece`, too
    for s in range(len(at)):
        v = at[s]
        if v <= values[0]:
            out[s], out_slopes[s] = times[0] + (v - values[0]), (1.0 / slopes[0] if v == values[0] else 1.0)
            continue
        if v >= values[last]:
            out[s], out_slopes[s] = times[last] + (v - values[last]), (1.0 / slopes[last] if v == values[last] else 1.0)
            continue
        k = _piece(values, v, k)
        low, high = times[k], times[k + 1]
        t = low + (high - low) * (v - values[k]) / (values[k + 1] - values[k])
        slope = 1.0
        for _ in range(60):  # Newton, kept inside by bisection
            value, slope = _hermite(times, values, slopes, k, t)
            if value > v:
                high = t
            else:
                low = t
            step = (value - v) / slope
            if abs(step) <= SETTLED:
                break
            t = t - step
            if not low < t < high:
                t = 0.5 * (low + high)
        out[s], out_slopes[s] = t, 1.0 / slope


@njit(cache=True, nogil=True)
def _piece(times, t, guess):  # type: ignore[no-untyped-def]
    """k with times[k] <= t < times[k + 1]; `guess` is where it was last time."""
    if times[guess] <= t < times[guess + 1]:
        return guess
    low, high = 0, len(times) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _hermite(times, values, slopes, k, t):  # type: ignore[no-untyped-def]
    h = times[k + 1] - times[k]
    s = (t - times[k]) / h
    a, b = slopes[k] * h, slopes[k + 1] * h
    rise = values[k + 1] - values[k]
    second, third = 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise
    return values[k] + s * (a + s * (second + s * third)), (a + s * (2.0 * second + 3.0 * s * third)) / h
