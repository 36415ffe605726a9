"""Feet that stand longer: gaps of a blend in which no foot is planted, though feet of its sources are.

Each foot gives up the ends of its plants for its steps, without regard to the other. Where both do so at once, the body
would hang in the air. Scores do not know of this: they go by the plants as they were chosen.
"""

import numpy as np
from numba import njit

from motionary.transition.planting import MATTERS, SAME_PLACE, STEP
from motionary.transition.sources import SourceWindows
from motionary.transition.workspace import Workspace

FARTHEST = 0.2  # metres: a foot that is farther from its place than that does not stay there longer


def stand_longer_reference(
    points: np.ndarray, spans: np.ndarray, places: np.ndarray, stands: np.ndarray, soles: np.ndarray
) -> np.ndarray:
    """The frames (N, 2) that `stand_longer` returns, from the definition."""
    n = len(stands)
    frames = [set(range(start, stop)) for start, stop in spans.tolist()]
    free = [k for k in range(1, n - 1) if not any(k in its for its in frames)]
    gaps: list[list[int]] = []
    for k in free:
        if gaps and gaps[-1][-1] == k - 1:
            gaps[-1].append(k)
        else:
            gaps.append([k])
    for gap in gaps:
        if 2 * np.count_nonzero(stands[gap]) <= len(gap):
            continue
        while gap:
            offers = []
            for p, its in enumerate(frames):
                others = set[int]()
                for other, point in enumerate(points):
                    same = point == points[p] and np.linalg.norm(places[other] - places[p]) < SAME_PLACE
                    if point // 2 == points[p] // 2 and not same:
                        others |= frames[other]
                for at, away, beyond in ((0, 1, range(1, STEP + 1)), (-1, -1, range(-STEP, 0))):
                    f = gap[at]
                    distance = float(np.linalg.norm(soles[f, points[p]] - places[p]))
                    if f - away in its and distance < FARTHEST and not others & {f + by for by in beyond}:
                        offers.append((distance, p, at))
            if not offers:
                break
            _, p, at = min(offers, key=lambda offer: offer[0])  # of equal ones the first
            frames[p].add(gap.pop(at))
    return np.array([[min(its), max(its) + 1] for its in frames], dtype=np.int64).reshape(-1, 2)


def stand_longer(
    points: np.ndarray, spans: np.ndarray, places: np.ndarray, stands: np.ndarray, soles: np.ndarray
) -> np.ndarray:
    """The frames (N, 2) of a blend's plants without gaps in which the body hangs in the air.

    `points` (N,), `spans` (N, 2) and `places` (N, 3) are the plants, `stands` (F,) whether any source has a foot on the
    ground, `soles` (F, 6, 3) where the points of the feet are. A gap is closed if sources stand in most of its frames:
    frame by frame, from both ends, the plant goes on there whose foot is nearest to its place, as long as its foot has
    time for the step to its other plants. The first and the last frame are those of source and target.
    """
    longer = spans.copy()
    _stand_longer(points, longer, places, stands, soles)
    return longer


@njit(cache=True, nogil=True, error_model="numpy")
def _stand_longer(points, spans, places, stands, soles):  # type: ignore[no-untyped-def]
    n, n_pieces = len(stands), len(points)
    planted = np.zeros(n, dtype=np.bool_)
    for p in range(n_pieces):
        for k in range(spans[p, 0], spans[p, 1]):
            planted[k] = True
    k = 1
    while k < n - 1:
        low, n_standing = k, 0
        while k < n - 1 and not planted[k]:
            n_standing += stands[k]
            k += 1
        high = k
        k += 1
        if 2 * n_standing <= high - low:
            continue
        while low < high:
            best, least, goes_on = -1, FARTHEST, True
            for p in range(n_pieces):
                for on in (True, False):
                    f = low if on else high - 1
                    if (spans[p, 1] != f) if on else (spans[p, 0] != f + 1):
                        continue
                    away = _from_place(soles, f, points[p], places, p)
                    if away < least and _has_time(points, spans, places, p, f, on):
                        best, least, goes_on = p, away, on
            if best < 0:
                break
            if goes_on:
                spans[best, 1] += 1
                low += 1
            else:
                spans[best, 0] -= 1
                high -= 1


@njit(cache=True, nogil=True, error_model="numpy")
def _has_time(points, spans, places, p, f, on):  # type: ignore[no-untyped-def]
    """Whether the foot of plant p has time for its steps if that goes on to frame f, or begins there."""
    for q in range(len(points)):
        if points[q] // 2 != points[p] // 2:
            continue
        if points[q] == points[p] and _apart(places, p, q) < SAME_PLACE:
            continue
        if on and spans[q, 1] > f + 1 and spans[q, 0] <= f + STEP:
            return False
        if not on and spans[q, 0] < f and spans[q, 1] > f - STEP:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _from_place(soles, f, point, places, p):  # type: ignore[no-untyped-def]
    square = 0.0
    for i in range(3):
        square += (soles[f, point, i] - places[p, i]) ** 2
    return np.sqrt(square)


@njit(cache=True, nogil=True, error_model="numpy")
def _apart(places, p, q):  # type: ignore[no-untyped-def]
    square = 0.0
    for i in range(3):
        square += (places[p, i] - places[q, i]) ** 2
    return np.sqrt(square)


def sources_stand_reference(w: SourceWindows, which: np.ndarray, n_sources: int, n: int, work: Workspace) -> np.ndarray:
    """What `sources_stand` writes, from the definition."""
    weights = work.weights[:n_sources, :n]
    stands = np.zeros(n, dtype=np.bool_)
    for i in range(n_sources):
        first, last = (w.groups[w.of_windows[which[i] + end]] for end in (0, 1))
        said = work.cells[i, :n] + np.floor(work.share[i, :n] + 0.5).astype(int)
        inside = [(start <= said) & (said < stop) for start, stop in w.spans[first:last]]
        matters = weights[i] >= MATTERS * weights.max(axis=0)
        stands |= matters & np.any([np.zeros(n, dtype=np.bool_), *inside], axis=0)
    return stands


@njit(cache=True, nogil=True, error_model="numpy")
def sources_stand(w, which, n_sources, n, work, stands):  # type: ignore[no-untyped-def]
    """Write whether any source that matters has a foot on the ground in each of the n frames of a blend (F,)."""
    for i in range(n_sources):
        r = which[i]
        for k in range(n):
            if stands[k] or work.weights[i, k] < MATTERS * work.weights[work.heaviest[k], k]:
                continue
            said = work.cells[i, k] + int(work.share[i, k] + 0.5)
            for m in range(w.groups[w.of_windows[r]], w.groups[w.of_windows[r + 1]]):
                if w.spans[m, 0] <= said < w.spans[m, 1]:
                    stands[k] = True
                    break
