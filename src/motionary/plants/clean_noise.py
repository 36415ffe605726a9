"""Noise of captures, kept apart from what a clean-up must do, and given to whom it hurts least.

A planted foot is held exactly, so that what trembles in the hips must be answered by the leg. A leg that is all but
straight answers tenths of a millimetre with degrees of its knee; and a solver that minds the knees' accelerations would
lower the pelvis by centimetres, as bent knees tremble less. So the smooth changes are found without the noise; the rest
is the root's, as far as both legs ask for the same.
"""

import math

import numpy as np
from numba import njit

from motionary.ik import LimbBends
from motionary.plants.clean_knees import backwards, fold_of

NOISE_SECS = 1.0 / 30.0  # what comes and goes faster is noise
NOISE_METRES = 0.3  # of it, a radian of a knee counts as much as so many metres of the root
UNKNOWNS = 5  # of a frame: the root's three moves, both knees' bends


def without_noise(values: np.ndarray, *, frame_time: float) -> np.ndarray:
    """The values (F, ...), each the mean of those less than `NOISE_SECS` away, the nearer the more.

    Nearer to the ends than that, as far as both sides reach. At 30 frames a second nothing changes.
    """
    n = round(NOISE_SECS / frame_time)
    quiet = np.array(values, dtype=np.float64)
    if n > 1 and len(values) > 2:
        _quieten(np.ascontiguousarray(values, dtype=np.float64).reshape(len(values), -1), n,
                 quiet.reshape(len(values), -1))  # fmt: skip
    return quiet


def tremble(
    hips: np.ndarray, wanted: np.ndarray, bends: LimbBends, planted: np.ndarray, unknowns: np.ndarray
) -> np.ndarray:
    """The least change (F, 5) of root and knees, frame by frame, that brings planted feet (F, 2) to their places.

    In addition to `unknowns` (F, 5), which bring them there but for the noise. Linear: exact for what noise asks for.
    """
    added = np.zeros_like(unknowns)
    _tremble(hips, wanted, bends.bend, bends.even, bends.span, planted, unknowns, added)
    return added


def tremble_reference(
    hips: np.ndarray, wanted: np.ndarray, bends: LimbBends, planted: np.ndarray, unknowns: np.ndarray
) -> np.ndarray:
    """What `tremble` gives, from the definition."""
    added = np.zeros_like(unknowns)
    weights = np.array([1.0, 1.0, 1.0, NOISE_METRES, NOISE_METRES])
    for f in range(len(hips)):
        rows, goals = [], []
        for leg in np.flatnonzero(planted[f]).tolist():
            away = wanted[f, leg] - hips[f, leg] - unknowns[f, :3]
            asked = float(np.linalg.norm(away))
            recorded = bends.bend[f, leg]
            fold, fold_slope = fold_of(recorded + unknowns[f, 3 + leg], backwards(recorded))
            reach = float(np.sqrt(bends.even[f, leg] + bends.span[f, leg] * np.cos(fold)))
            row = np.zeros(UNKNOWNS)
            row[:3] = away / asked
            row[3 + leg] = -0.5 * bends.span[f, leg] * np.sin(fold) / reach * fold_slope
            rows.append(row / weights)
            goals.append(asked - reach)
        if rows:
            added[f] = np.linalg.lstsq(np.array(rows), np.array(goals), rcond=None)[0] / weights
    return added


@njit(cache=True, nogil=True)
def _tremble(hips, wanted, bends, evens, spans, planted, unknowns, added):  # type: ignore[no-untyped-def]
    rows, goals = np.zeros((2, UNKNOWNS)), np.zeros(2)
    for f in range(hips.shape[0]):
        n_rows = 0
        for leg in range(2):
            if not planted[f, leg] or spans[f, leg] < 1e-12:
                continue
            square = 0.0
            for i in range(3):
                rows[n_rows, i] = wanted[f, leg, i] - hips[f, leg, i] - unknowns[f, i]
                square += rows[n_rows, i] ** 2
            asked = max(math.sqrt(square), 1e-9)
            fold, fold_slope = fold_of(bends[f, leg] + unknowns[f, 3 + leg], backwards(bends[f, leg]))
            reach = math.sqrt(max(evens[f, leg] + spans[f, leg] * math.cos(fold), 1e-12))
            for i in range(3):
                rows[n_rows, i] /= asked
            rows[n_rows, 3] = rows[n_rows, 4] = 0.0
            rows[n_rows, 3 + leg] = -0.5 * spans[f, leg] * math.sin(fold) / reach * fold_slope / NOISE_METRES
            goals[n_rows] = asked - reach
            n_rows += 1
        if n_rows == 0:
            continue
        # The least norm: rows' (rows rows')⁻¹ goals, at most two of them.
        a, b, c = 0.0, 0.0, 0.0
        for i in range(UNKNOWNS):
            a += rows[0, i] * rows[0, i]
            if n_rows == 2:
                b += rows[0, i] * rows[1, i]
                c += rows[1, i] * rows[1, i]
        if n_rows == 1:
            first, second = goals[0] / a, 0.0
        else:
            size = max(a * c - b * b, 1e-6 * a * c)  # legs side by side that ask for different things
            first, second = (c * goals[0] - b * goals[1]) / size, (a * goals[1] - b * goals[0]) / size
        for i in range(UNKNOWNS):
            added[f, i] = rows[0, i] * first
            if n_rows == 2:
                added[f, i] += rows[1, i] * second
            if i > 2:
                added[f, i] /= NOISE_METRES


@njit(cache=True, nogil=True)
def _quieten(values, n, quiet):  # type: ignore[no-untyped-def]
    n_frames, n_columns = values.shape
    for f in range(n_frames):
        reach = min(n, f + 1, n_frames - f)
        for c in range(n_columns):
            total = reach * values[f, c]
            for k in range(1, reach):
                total += (reach - k) * (values[f - k, c] + values[f + k, c])
            quiet[f, c] = total / (reach * reach)
