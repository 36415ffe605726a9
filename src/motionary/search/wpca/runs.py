"""Runs of neighbouring frames: of each, only the best frame goes on."""

import math

import numpy as np


def longest_gap(gap_secs: float, rate_hz: float) -> int:
    """How many frames apart two frames of a run may be; neighbours always belong together."""
    return max(1, math.floor(gap_secs * rate_hz + 1e-9))


def best_of_runs(places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int, longest: int) -> np.ndarray:
    """Which of the frames (N,) are the nearest of their runs, in the order of `places`.

    Frames of one clip whose places are at most `gap` apart are in one run; of equally near ones the first is taken.
    A run in which frames lie `longest` or more apart may hold more than one match: after its best, the best of those
    frames are taken that are as far from all before. (In small libraries, or with many neighbours, whole clips are
    one run; Forbes & Fiume 2005 find too little there.)
    """
    order = np.argsort(places, kind="stable")
    places, distances, clips = places[order], distances[order], clips[order]
    if len(places) == 0:
        return order
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(places) > gap) | (np.diff(clips) != 0)]))
    ends = np.append(begins[1:], len(places))
    runs = np.repeat(np.arange(len(begins)), ends - begins)
    nearest_first = np.lexsort((places, distances, runs))
    best = nearest_first[begins]  # runs keep their places in that order
    long = np.flatnonzero(places[ends - 1] - places[begins] >= longest)
    further = [_spread_out(places, nearest_first[begins[run] : ends[run]], longest)[1:] for run in long.tolist()]
    return np.asarray(order[np.sort(np.concatenate([best, *further]))])


def best_of_runs_reference(
    places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int, longest: int
) -> list[int]:
    """What `best_of_runs` gives, as Forbes & Fiume (2005) tell it: frames join the run that they touch."""
    runs: list[list[int]] = []
    for number in range(len(places)):
        touched = [
            run
            for run in runs
            if any(clips[other] == clips[number] and abs(places[other] - places[number]) <= gap for other in run)
        ]
        runs = [run for run in runs if run not in touched] + [[number, *(other for run in touched for other in run)]]
    taken: list[int] = []
    for run in runs:
        of_run: list[int] = []
        for number in sorted(run, key=lambda number: (distances[number], places[number])):
            if all(abs(places[number] - places[other]) >= longest for other in of_run):
                of_run.append(number)
        taken += of_run
    return sorted(taken, key=lambda number: int(places[number]))


def _spread_out(places: np.ndarray, nearest_first: np.ndarray, least: int) -> np.ndarray:
    """The frames of a run, taken nearest first, each at least so far from all taken before."""
    taken: list[int] = []
    left = nearest_first
    while len(left):
        taken.append(int(left[0]))
        left = left[np.abs(places[left] - places[left[0]]) >= least]
    return np.array(taken, dtype=np.int64)
