"""When a blend is at which moment of its sources: alignment of windows, and the blend's own clock.

All windows have the same number of frames; each is aligned with the first, the source (a star), by dynamic programming
whose steps are 1:1, 1:2 and 2:1, so that no motion runs at more than twice or less than half its pace against the
source. The steps are smoothed without leaving these limits.
"""

import numpy as np
from numba import njit

SMOOTHING = 8.0  # frames: standard deviation of the Gaussian that smooths paces; what runs at uneven paces jerks
GAUSSIAN = np.exp(-0.5 * (np.arange(3.0 * SMOOTHING + 1.0) / SMOOTHING) ** 2)


def quintic_ease_reference(share: np.ndarray) -> np.ndarray:
    """From 0 to 1, without velocity or acceleration at either end."""
    return np.asarray(share**3 * (10.0 + share * (6.0 * share - 15.0)))


def bernstein_reference(order: int, share: np.ndarray) -> np.ndarray:
    """The weights (order + 1, F) of a Bézier curve at shares (F,) of the way: they sum to 1."""
    from math import comb

    return np.array([comb(order, i) * share**i * (1.0 - share) ** (order - i) for i in range(order + 1)])


def aligned_reference(costs: np.ndarray) -> np.ndarray:
    """The times (P,) in the second window at the frames of the first, by costs (P, P); before smoothing.

    The least sum of costs over paths of steps (1, 1), (1, 2) and (2, 1), each cell weighted by the frames that its step
    passes; of equal ones the straightest.
    """
    p = len(costs)
    best: dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]] = {(0, 0): (0.0, ((0, 0),))}
    for i in range(1, p):
        for j in range(1, p):
            options = []
            for rank, (di, dj) in enumerate(((1, 1), (2, 1), (1, 2))):
                if (i - di, j - dj) in best:
                    middle = costs[i - 1, j] if di == 2 else costs[i, j - 1]
                    cost = 2.0 * costs[i, j] if di == dj else 2.0 * middle + costs[i, j]
                    before, path = best[i - di, j - dj]
                    options.append((before + cost, rank, (*path, (i, j))))
            if options:
                total, _, path = min(options)
                best[i, j] = (total, path)
    nodes = np.array(best[p - 1, p - 1][1], dtype=float)
    return np.interp(np.arange(p), nodes[:, 0], nodes[:, 1])


@njit(cache=True, nogil=True, error_model="numpy")
def align(a, b, costs, steps, times):  # type: ignore[no-untyped-def]
    """The times (P,) in window b at the frames of window a, by shapes (P, D); `costs`, `steps` (P, P) are scratch."""
    p, n_dims = a.shape
    for i in range(p):
        for j in range(p):
            left_i, left_j = p - 1 - i, p - 1 - j
            if j > 2 * i + 1 or i > 2 * j + 1 or left_j > 2 * left_i + 1 or left_i > 2 * left_j + 1:
                costs[i, j] = np.inf  # no path of such steps comes here, or passes by
                continue
            total = 0.0
            for d in range(n_dims):
                total += (a[i, d] - b[j, d]) ** 2
            costs[i, j] = total
    _align_by(costs, steps, times)


@njit(cache=True, nogil=True, error_model="numpy")
def _align_by(costs, steps, times):  # type: ignore[no-untyped-def]
    """`steps` (P, P) becomes the least total to each cell; the path is read back from it."""
    p = len(costs)
    for i in range(p):
        for j in range(p):
            steps[i, j] = np.inf
    steps[0, 0] = 0.0
    for i in range(1, p):
        for j in range(1, p):
            here = costs[i, j]
            if here == np.inf:
                continue
            total = steps[i - 1, j - 1] + 2.0 * here
            if i > 1:
                total = min(total, steps[i - 2, j - 1] + 2.0 * costs[i - 1, j] + here)
            if j > 1:
                total = min(total, steps[i - 1, j - 2] + 2.0 * costs[i, j - 1] + here)
            steps[i, j] = total
    for i in range(p):
        times[i] = i
    if not steps[p - 1, p - 1] < np.inf:
        return  # the diagonal
    i, j = p - 1, p - 1
    while i > 0:
        times[i] = j
        here = costs[i, j]
        if steps[i, j] == steps[i - 1, j - 1] + 2.0 * here:
            i, j = i - 1, j - 1
        elif i > 1 and steps[i, j] == steps[i - 2, j - 1] + 2.0 * costs[i - 1, j] + here:
            times[i - 1] = j - 0.5
            i, j = i - 2, j - 1
        else:
            i, j = i - 1, j - 2


@njit(cache=True, nogil=True, error_model="numpy")
def smooth_times(times, paces, work):  # type: ignore[no-untyped-def]
    """Smooths times (P,) in place, ends kept; writes their paces (P,) at the frames.

    Steps from frame to frame are averaged, mirrored at the ends, which keeps their sum, and their limits of ½ and 2.
    """
    n = len(times) - 1
    for k in range(n):
        work[k] = times[k + 1] - times[k]
    total = 2.0 * np.sum(GAUSSIAN) - 1.0
    for k in range(n):
        step = work[k]
        for d in range(1, len(GAUSSIAN)):
            before, after = k - d, k + d
            while before < 0 or before >= n:
                before = -1 - before if before < 0 else 2 * n - 1 - before
            while after < 0 or after >= n:
                after = -1 - after if after < 0 else 2 * n - 1 - after
            step += GAUSSIAN[d] * (work[before] + work[after])
        times[k + 1] = times[k] + step / total
    for k in range(n + 1):
        before = times[k] - times[k - 1] if k > 0 else times[1] - times[0]
        after = times[k + 1] - times[k] if k < n else times[n] - times[n - 1]
        paces[k] = 0.5 * (before + after)
    times[n] = n


@njit(cache=True, nogil=True, error_model="numpy")
def bernstein(n_sources, share, i):  # type: ignore[no-untyped-def]
    """The weight of source i of two to four at an eased share of the way."""
    left = 1.0 - share
    if n_sources == 2:
        return left if i == 0 else share
    if n_sources == 3:
        return left * left if i == 0 else 2.0 * left * share if i == 1 else share * share
    if i == 0:
        return left * left * left
    if i == 1:
        return 3.0 * left * left * share
    return 3.0 * left * share * share if i == 2 else share * share * share


@njit(cache=True, nogil=True, error_model="numpy")
def ease(share):  # type: ignore[no-untyped-def]
    """From 0 to 1 by a quintic, without velocity or acceleration at either end."""
    return share * share * share * (10.0 + share * (6.0 * share - 15.0))


@njit(cache=True, nogil=True, error_model="numpy")
def set_clock(times, paces, which, n_sources, clock, cells, share, weights, heaviest):  # type: ignore[no-untyped-def]
    """When each source is at which moment, frame by frame of the blend; returns the number of the blend's frames.

    `times`, `paces` (R, P): alignment with the source, of window which[i]. The blend's pace is the weighted mean of
    its sources' paces, so that at its end the target runs at its own; its length comes out between half and twice that
    of the windows, rounded to whole frames. Writes `cells`, `share`, `weights` (N, F) and `heaviest` (F,).
    """
    p = times.shape[1]
    last = p - 1
    for u in range(p):
        eased = ease(u / last)
        pace = 0.0
        for i in range(n_sources):
            own = 1.0 if i == 0 else paces[which[i], u]
            pace += bernstein(n_sources, eased, i) * own
        clock[1, u] = pace
        clock[0, u] = 0.0 if u == 0 else clock[0, u - 1] + 0.5 * (clock[1, u - 1] + pace)
    n_steps = max(2, int(np.floor(clock[0, last] + 0.5)))
    rest = n_steps - clock[0, last]
    for u in range(p):  # what is missing to whole frames is spent in between: at both ends the paces are the sources'
        at = u / last
        clock[0, u] += rest * ease(at)
        clock[1, u] += rest * 30.0 * at * at * (1.0 - at) * (1.0 - at) / last
    u = 0
    for k in range(n_steps + 1):
        while u < last - 1 and clock[0, u + 1] <= k:
            u += 1
        if k == 0:
            at = 0.0
        elif k == n_steps:
            at = float(last)
        else:
            at = _hermite(clock[0, u], clock[0, u + 1], float(u), u + 1.0, 1.0 / clock[1, u], 1.0 / clock[1, u + 1], k)
        eased = ease(at / last)
        cell = min(int(at), last - 1)
        heavy = 0
        for i in range(n_sources):
            if i == 0:
                time = at
            else:
                r = which[i]
                time = _hermite(
                    float(cell), cell + 1.0, times[r, cell], times[r, cell + 1], paces[r, cell], paces[r, cell + 1], at
                )
            time = min(max(time, 0.0), float(last))
            cells[i, k] = min(int(time), last - 1)
            share[i, k] = time - cells[i, k]
            weights[i, k] = bernstein(n_sources, eased, i)
            if weights[i, k] > weights[heavy, k]:
                heavy = i
        heaviest[k] = heavy
    return n_steps + 1


@njit(cache=True, nogil=True, error_model="numpy")
def _hermite(x0, x1, y0, y1, m0, m1, x):  # type: ignore[no-untyped-def]
    """The cubic from (x0, y0) to (x1, y1) with these slopes, at x."""
    h = x1 - x0
    s = (x - x0) / h
    left = 1.0 - s
    return y0 * left * left * (1.0 + 2.0 * s) + y1 * s * s * (3.0 - 2.0 * s) + h * s * left * (m0 * left - m1 * s)
