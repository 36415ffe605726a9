"""Runs of neighbouring frames, and the dips in them: only the nearest frame of each dip goes on.

Forbes & Fiume (2005) keep one frame of a run. But a raised arm passes every pose twice, going up and coming down, and
with many neighbours whole clips are one run: the nearest frame alone may be the wrong one.
"""

import math

import numpy as np
from numba import njit

DIP_SECS = 0.25  # within which a frame must be the nearest of its run
FLOOR_SHARE = 0.1  # of the way from the bottom of a dip to the furthest frame: so much is still its floor


def frames_of(secs: float, rate_hz: float) -> int:
    """Seconds as whole frames, at least 1: neighbours always belong together."""
    return max(1, math.floor(secs * rate_hz + 1e-9))


def dips_of_runs(places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int, dip: int) -> np.ndarray:
    """Which of the frames (N,), each of another place, are in the middle of dips, in the order of `places`.

    Frames of one clip whose places are at most `gap` apart are in one run. A dip's bottom is nearer than all frames of
    its run that are at most `dip` frames away; of equally near ones it is the first. Its floor is the stretch of the
    run around the bottom that rises by at most a tenth of what lies between the bottom and the furthest of all
    frames. Where a pose is held, any frame of the floor may be the nearest, and the middle is the safest.
    """
    order = np.argsort(places, kind="stable")
    places, distances, clips = places[order], distances[order], clips[order]
    if len(places) == 0:
        return order
    runs = np.cumsum(np.concatenate([[0], (np.diff(places) > gap) | (np.diff(clips) != 0)]))
    bottom = np.ones(len(places), dtype=bool)
    for step in range(1, min(dip, len(places) - 1) + 1):
        near = (places[step:] - places[:-step] <= dip) & (runs[step:] == runs[:-step])
        bottom[step:] &= ~(near & (distances[:-step] <= distances[step:]))
        bottom[:-step] &= ~(near & (distances[step:] < distances[:-step]))
    middles = _middles(np.flatnonzero(bottom), distances, runs, float(distances.max()))
    return np.asarray(order[np.unique(middles)])


def dips_of_runs_reference(
    places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int, dip: int
) -> list[int]:
    """What `dips_of_runs` gives, from the definition: frames join the run that they touch."""
    runs: list[list[int]] = []
    for number in range(len(places)):
        touched = [
            run
            for run in runs
            if any(clips[other] == clips[number] and abs(places[other] - places[number]) <= gap for other in run)
        ]
        runs = [run for run in runs if run not in touched] + [[number, *(other for run in touched for other in run)]]
    middles = set()
    for run in (sorted(run, key=lambda number: int(places[number])) for run in runs):
        for at, number in enumerate(run):
            near = [other for other in run if abs(places[other] - places[number]) <= dip]
            if min(near, key=lambda other: (distances[other], places[other])) != number:
                continue
            highest = distances[number] + FLOOR_SHARE * (max(distances) - distances[number])
            first = next((i + 1 for i in range(at, -1, -1) if distances[run[i]] > highest), 0)
            last = next((i - 1 for i in range(at, len(run)) if distances[run[i]] > highest), len(run) - 1)
            middles.add(run[(first + last) // 2])
    return sorted(middles, key=lambda number: int(places[number]))


@njit(cache=True, nogil=True)
def _middles(bottoms, distances, runs, furthest):  # type: ignore[no-untyped-def]
    """The middle of the floor around each bottom."""
    middles = np.empty_like(bottoms)
    for i in range(bottoms.shape[0]):
        bottom = bottoms[i]
        highest = distances[bottom] + FLOOR_SHARE * (furthest - distances[bottom])
        first, last = bottom, bottom
        while first > 0 and runs[first - 1] == runs[bottom] and distances[first - 1] <= highest:
            first -= 1
        while last + 1 < runs.shape[0] and runs[last + 1] == runs[bottom] and distances[last + 1] <= highest:
            last += 1
        middles[i] = (first + last) // 2
    return middles
