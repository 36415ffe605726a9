"""Runs of neighbouring frames: of each, only the best frame goes on."""

import math

import numpy as np


def longest_gap(gap_secs: float, rate_hz: float) -> int:
    """How many frames apart two frames of a run may be; neighbours always belong together."""
    return max(1, math.floor(gap_secs * rate_hz + 1e-9))


def best_of_runs(places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int) -> np.ndarray:
    """Which of the frames (N,) are the nearest of their runs, in the order of `places`.

    Frames of one clip whose places are at most `gap` apart are in one run; of equally near ones the first is taken.
    """
    order = np.argsort(places, kind="stable")
    places, distances, clips = places[order], distances[order], clips[order]
    if len(places) == 0:
        return order
    begins = np.concatenate([[True], (np.diff(places) > gap) | (np.diff(clips) != 0)])
    runs = np.cumsum(begins) - 1
    nearest_first = np.lexsort((places, distances, runs))
    firsts = np.flatnonzero(np.concatenate([[True], np.diff(runs[nearest_first]) != 0]))
    return np.asarray(order[nearest_first[firsts]])


def best_of_runs_reference(places: np.ndarray, distances: np.ndarray, clips: np.ndarray, *, gap: int) -> list[int]:
    """What `best_of_runs` gives, as Forbes & Fiume (2005) tell it: frames join the run that they touch."""
    runs: list[list[int]] = []
    for number in range(len(places)):
        touched = [
            run
            for run in runs
            if any(clips[other] == clips[number] and abs(places[other] - places[number]) <= gap for other in run)
        ]
        runs = [run for run in runs if run not in touched] + [[number, *(other for run in touched for other in run)]]
    best = [min(run, key=lambda number: (distances[number], places[number])) for run in runs]
    return sorted(best, key=lambda number: int(places[number]))
