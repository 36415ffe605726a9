"""How the root comes along where legs are too short, or all but straight."""

import math

import numpy as np
from numba import njit

BENT = 0.97  # share of a leg's length: up to here it may be stretched without the root's help
STRETCH, FOLD = 0.5, 2.0  # how far a leg may change, as shares of what it lacked to full stretch
FOLLOW_SECS = 0.12  # the root's own inertia: how fast its moves swell and fade
FIRMNESS = 3000.0  # how much dearer a leg's misfit is than the root's move, both squared
AROUND_SECS = 1.0  # beyond, the root is not moved at all
ROUNDS = 5
BAND = 7  # an unknown, and those before it that it meets: the same axis two frames ago


def root_moves(
    hips: np.ndarray,
    ankles: np.ndarray,
    wanted: np.ndarray,
    lengths: np.ndarray,
    firmness: np.ndarray,
    *,
    frame_time: float,
) -> np.ndarray:
    """The smallest smooth moves (F, 3) of the root after which the legs can follow their feet.

    `hips`, `ankles` and `wanted` ankles are (F, 2, 3), `lengths` (F, 2) of the stretched legs, `firmness` (F, 2) how
    much each leg counts. A leg may change its reach from hip to ankle a little: by half of what it lacks to full
    stretch, by twice of it inwards, and whatever it likes while it is clearly bent. So a straight leg stays straight:
    its knee would answer a millimetre with degrees. What legs want beyond that the root gives, at the least sum of
    squares of its moves, its accelerations and the legs' misfits (Gauss–Newton, a few rounds).
    """
    moves = np.zeros((len(hips), 3))
    before = ankles - hips
    reach = np.sqrt(np.einsum("fli,fli->fl", before, before))
    lacking = np.maximum(lengths - reach, 0.0)
    least = reach - FOLD * lacking
    most = np.maximum(np.minimum(reach + STRETCH * lacking, lengths), np.maximum(BENT * lengths, reach))
    inside = np.zeros(len(hips), dtype=np.bool_)
    around = max(2, round(AROUND_SECS / frame_time))
    if _asked_for(hips, wanted, least, most, firmness, around, inside):
        stiffness = (FOLLOW_SECS / frame_time) ** 4
        _root_moves(hips, wanted, least, most, firmness, inside, stiffness, moves)
    return moves


def root_moves_step_reference(
    hips: np.ndarray,
    wanted: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
    firmness: np.ndarray,
    stiffness: float,
    moves: np.ndarray,
) -> np.ndarray:
    """One Gauss–Newton round of `_root_moves` over all frames, from the definition: a dense least-squares problem."""
    n_frames = len(hips)
    rows, sides = [np.eye(3 * n_frames)], [np.zeros(3 * n_frames)]
    bend = np.zeros((max(n_frames - 2, 0), n_frames))
    for f in range(n_frames - 2):
        bend[f, f : f + 3] = 1.0, -2.0, 1.0
    rows.append(math.sqrt(stiffness) * np.kron(bend, np.eye(3)))
    sides.append(np.zeros(3 * len(bend)))
    for f in range(n_frames):
        for leg in range(hips.shape[1]):
            away = wanted[f, leg] - hips[f, leg] - moves[f]
            reach = np.linalg.norm(away)
            misfit = reach - np.clip(reach, least[f, leg], most[f, leg])
            if misfit != 0.0:
                row = np.zeros((n_frames, 3))
                row[f] = away / reach
                weight = math.sqrt(FIRMNESS * firmness[f, leg])
                rows.append(weight * row.reshape(1, -1))
                sides.append(np.array([weight * (row[f] @ moves[f] + misfit)]))
    return np.linalg.lstsq(np.vstack(rows), np.concatenate(sides), rcond=None)[0].reshape(n_frames, 3)


@njit(cache=True, nogil=True)
def _asked_for(hips, wanted, least, most, firmness, around, inside):  # type: ignore[no-untyped-def]
    """Mark the frames near those in which a leg cannot do with the root where it is."""
    n_frames, any_asked = hips.shape[0], False
    for f in range(n_frames):
        for leg in range(hips.shape[1]):
            reach = 0.0
            for i in range(3):
                reach += (wanted[f, leg, i] - hips[f, leg, i]) ** 2
            reach = math.sqrt(reach)
            if firmness[f, leg] > 0.0 and (reach > most[f, leg] + 1e-7 or reach < least[f, leg] - 1e-7):
                any_asked = True
                for g in range(max(f - around, 0), min(f + around + 1, n_frames)):
                    inside[g] = True
    return any_asked


@njit(cache=True, nogil=True)
def _root_moves(hips, wanted, least, most, firmness, inside, stiffness, moves):  # type: ignore[no-untyped-def]
    n_frames = hips.shape[0]
    matrix = np.empty((3 * n_frames, BAND))  # lower band: matrix[i, d] is the entry of unknowns i and i − d
    side = np.empty(3 * n_frames)
    for _ in range(ROUNDS):
        matrix[:] = 0.0
        side[:] = 0.0
        matrix[:, 0] = 1.0
        for f in range(1, n_frames - 1):
            _add_bend(matrix, f, stiffness)
        for f in range(n_frames):
            if inside[f]:
                for leg in range(hips.shape[1]):
                    if firmness[f, leg] > 0.0:
                        _add_leg(matrix, side, f, hips[f, leg], wanted[f, leg], least[f, leg], most[f, leg],
                                 FIRMNESS * firmness[f, leg], moves)  # fmt: skip
            else:  # frames that stay: their unknowns are 0, whatever their neighbours do
                for i in range(3):
                    matrix[3 * f + i, 0] = 1e30
        _solve_band(matrix, side)
        for f in range(n_frames):
            for i in range(3):
                moves[f, i] = side[3 * f + i] if inside[f] else 0.0


@njit(cache=True, nogil=True)
def _add_bend(matrix, f, stiffness):  # type: ignore[no-untyped-def]
    """The square of the second difference about frame f, for each axis."""
    weights = (1.0, -2.0, 1.0)
    for a in range(3):
        for b in range(a + 1):
            for i in range(3):
                matrix[3 * (f - 1 + a) + i, 3 * (a - b)] += stiffness * weights[a] * weights[b]


@njit(cache=True, nogil=True)
def _add_leg(matrix, side, f, hip, wanted, least, most, weight, moves):  # type: ignore[no-untyped-def]
    """The square of what a leg's reach misses, linear about the moves so far."""
    away = (wanted[0] - hip[0] - moves[f, 0], wanted[1] - hip[1] - moves[f, 1], wanted[2] - hip[2] - moves[f, 2])
    reach = math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
    misfit = reach - min(max(reach, least), most)
    if misfit == 0.0 or reach == 0.0:
        return
    unit = (away[0] / reach, away[1] / reach, away[2] / reach)
    goal = misfit + unit[0] * moves[f, 0] + unit[1] * moves[f, 1] + unit[2] * moves[f, 2]
    for i in range(3):
        side[3 * f + i] += weight * goal * unit[i]
        for j in range(i + 1):
            matrix[3 * f + i, i - j] += weight * unit[i] * unit[j]


@njit(cache=True, nogil=True)
def _solve_band(matrix, side):  # type: ignore[no-untyped-def]
    """Solve in place: Cholesky of a band, then forwards and backwards."""
    n, width = matrix.shape
    for i in range(n):
        for d in range(min(width - 1, i), -1, -1):
            j = i - d
            total = matrix[i, d]
            for k in range(max(i - width + 1, 0), j):
                total -= matrix[i, i - k] * matrix[j, j - k]
            matrix[i, d] = math.sqrt(total) if d == 0 else total / matrix[j, 0]
    for i in range(n):
        for d in range(1, min(width - 1, i) + 1):
            side[i] -= matrix[i, d] * side[i - d]
        side[i] /= matrix[i, 0]
    for i in range(n - 1, -1, -1):
        for d in range(1, min(width - 1, n - 1 - i) + 1):
            side[i] -= matrix[i + d, d] * side[i + d]
        side[i] /= matrix[i, 0]
