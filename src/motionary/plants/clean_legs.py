"""How knees and root share what the feet ask for: the least change that is smooth."""

import math

import numpy as np
from numba import njit

from motionary.ik import LimbBends
from motionary.plants.clean_fades import fade
from motionary.plants.clean_noise import UNKNOWNS, tremble, without_noise

KNEE_METRES = 0.12  # a radian of a knee counts as much as so many metres of the root
KNEE_SMOOTH = 0.1  # the same for their accelerations
FOLLOW_SECS = 0.12  # the root's own inertia: how fast its moves swell and fade
FIRM = 1e6  # how much dearer a planted foot's misfit is than the root's move, both squared
LOOSE = 1e2  # the same in the air
LAST_SECS = 0.1  # how long the last touch on a knee, exact where its foot is planted, takes to fade
AROUND_SECS = 1.0  # farther than that from any correction nothing changes at all
STRAIGHT = 0.03  # radians: a knee is bent at least so far, or as far as it was
STOP = 1e2  # how much dearer a knee's overstretch is than the root's move, both squared
ROUNDS = 8
CLOSE = 1e-4  # metres and radians: a step that small is the last
STEP = 0.6  # of each round: whole ones swing to and fro where legs are all but straight
BAND = 2 * UNKNOWNS + 1  # an unknown, and those before it that it meets: itself two frames ago


def share_between_knees_and_root(
    hips: np.ndarray,
    wanted: np.ndarray,
    bends: LimbBends,
    planted: np.ndarray,
    corrected: np.ndarray,
    *,
    frame_time: float,
) -> tuple[np.ndarray, np.ndarray]:
    """(moves (F, 3) of the root, radians (F, 2) by which the knees bend more): together the legs follow their feet.

    `hips` and `wanted` ankles are (F, 2, 3) in the world, `bends` (F, 2) those of the legs, `planted` (F, 2) whether
    a foot must be met or may be missed a little, `corrected` (F,) where feet are moved. The sum of squares of all
    moves, accelerations and misfits is as small as a few Gauss–Newton rounds make it. A bent knee does most of it
    itself; the straighter it is, the less a knee can do smoothly, and the root comes along. All this is found for
    the poses without their noise: a pelvis would sink, so that trembling knees bend. What the noise asks for in the end
    is the root's, as far as may be: tenths of a millimetre that all but straight knees would answer with degrees.
    """
    n_frames = len(hips)
    quiet_hips, quiet_wanted, quiet_bend = (
        without_noise(values, frame_time=frame_time) for values in (hips, wanted, bends.bend)
    )
    unknowns = np.zeros((n_frames, UNKNOWNS))
    inside = np.zeros(n_frames, dtype=np.bool_)
    _near(corrected, max(2, round(AROUND_SECS / frame_time)), inside)
    weights = np.where(planted, FIRM, LOOSE)
    stiffness = (FOLLOW_SECS / frame_time) ** 4
    _solve(quiet_hips, quiet_wanted, quiet_bend, bends.even, bends.span, weights, inside, stiffness, ROUNDS, unknowns)
    trembling = tremble(hips, wanted, bends, planted & inside[:, None], unknowns)
    standing = inside & (planted[:, 0] | planted[:, 1])
    trembling = fade(trembling, standing, frame_time=frame_time, fade_secs=LAST_SECS, most_acceleration=np.inf)
    unknowns += np.where(inside[:, None], trembling, 0.0)
    root, bend_by = unknowns[:, :3], unknowns[:, 3:]
    last = np.zeros_like(bend_by)
    _last_touch(hips, wanted, bends.bend, bends.even, bends.span, planted & inside[:, None], root, bend_by, last)
    for leg in range(2):
        faded = fade(
            last[:, leg : leg + 1],
            planted[:, leg],
            frame_time=frame_time,
            fade_secs=LAST_SECS,
            most_acceleration=np.inf,
        )
        bend_by[:, leg] += faded[:, 0]
    return root, bend_by


def round_reference(
    hips: np.ndarray,
    wanted: np.ndarray,
    bends: LimbBends,
    weights: np.ndarray,
    stiffness: float,
    unknowns: np.ndarray,
) -> np.ndarray:
    """One Gauss–Newton round over all frames, from the definition: a dense least-squares problem."""
    n_frames = len(hips)
    costs = np.array([1.0, 1.0, 1.0, KNEE_METRES, KNEE_METRES])
    smooth = math.sqrt(stiffness) * np.array([1.0, 1.0, 1.0, KNEE_SMOOTH, KNEE_SMOOTH])
    rows = [np.diag(np.tile(costs, n_frames))]
    if n_frames > 2:
        rows.append(np.kron(np.diff(np.eye(n_frames), 2, axis=0), np.diag(smooth)))
    sides = [np.zeros(len(block)) for block in rows]

    def add(f: int, columns: dict[int, float], goal: float, weight: float) -> None:
        row = np.zeros((n_frames, UNKNOWNS))
        for column, value in columns.items():
            row[f, column] = value
        rows.append(math.sqrt(weight) * row.reshape(1, -1))
        sides.append(np.array([math.sqrt(weight) * goal]))

    for f in range(n_frames):
        for leg in range(2):
            away = wanted[f, leg] - hips[f, leg] - unknowns[f, :3]
            asked = float(np.linalg.norm(away))
            even, span = bends.even[f, leg], bends.span[f, leg]
            bend = bends.bend[f, leg] + unknowns[f, 3 + leg]
            reach = math.sqrt(even + span * math.cos(bend))
            slope = -0.5 * span * math.sin(bend) / reach
            exact = math.acos(np.clip((asked * asked - even) / span, -1.0, 1.0))
            if abs(bend - exact) > 1e-3 and asked < math.sqrt(even + span):
                slope = (reach - asked) / (bend - exact)
            x, y, z = away / asked
            goal = asked - reach + away @ unknowns[f, :3] / asked + slope * unknowns[f, 3 + leg]
            add(f, {0: x, 1: y, 2: z, 3 + leg: slope}, goal, weights[f, leg])
            least = min(bends.bend[f, leg], STRAIGHT)
            if bend < least:
                add(f, {3 + leg: 1.0}, least - bends.bend[f, leg], STOP)
    matrix, side = np.vstack(rows), np.concatenate(sides)
    return np.linalg.lstsq(matrix, side, rcond=None)[0].reshape(n_frames, UNKNOWNS)


@njit(cache=True, nogil=True)
def _near(corrected, around, inside):  # type: ignore[no-untyped-def]
    """Mark the frames that are not farther than `around` frames from a corrected one."""
    marked = 0  # all before are done
    for f in range(len(corrected)):
        if corrected[f]:
            for g in range(max(f - around, marked), min(f + around + 1, len(corrected))):
                inside[g] = True
            marked = min(f + around + 1, len(corrected))


@njit(cache=True, nogil=True)
def _solve(hips, wanted, bends, evens, spans, weights, inside, stiffness, rounds, unknowns):  # type: ignore[no-untyped-def]
    n_frames = hips.shape[0]
    matrix = np.empty((UNKNOWNS * n_frames, BAND))  # matrix[i, d] is the entry of unknowns i and i − d
    side = np.empty(UNKNOWNS * n_frames)
    for _ in range(rounds):
        matrix[:] = 0.0
        side[:] = 0.0
        for f in range(n_frames):
            for i in range(UNKNOWNS):
                # Frames that stay: their unknowns are 0, whatever their neighbours do.
                cost = 1.0 if i < 3 else KNEE_METRES**2
                matrix[UNKNOWNS * f + i, 0] += cost if inside[f] else 1e30
            if not inside[f]:
                continue
            for leg in range(2):
                if spans[f, leg] > 1e-12:
                    _add_leg(matrix, side, f, leg, hips[f, leg], wanted[f, leg], bends[f, leg], evens[f, leg],
                             spans[f, leg], weights[f, leg], unknowns[f])  # fmt: skip
        for f in range(1, n_frames - 1):
            if inside[f - 1] or inside[f] or inside[f + 1]:
                _add_smoothness(matrix, f, stiffness)
        _solve_band(matrix, side)
        farthest = 0.0
        for f in range(n_frames):
            if inside[f]:
                for i in range(UNKNOWNS):
                    step = side[UNKNOWNS * f + i] - unknowns[f, i]
                    farthest = max(farthest, abs(step))
                    unknowns[f, i] += STEP * step
        if farthest < CLOSE:
            break


@njit(cache=True, nogil=True)
def _last_touch(hips, wanted, bends, evens, spans, planted, root, bend_by, last):  # type: ignore[no-untyped-def]
    """What knees lack to the bend at which their planted feet are met exactly."""
    for f in range(hips.shape[0]):
        for leg in range(2):
            even, span = evens[f, leg], spans[f, leg]
            if not planted[f, leg] or span < 1e-12:
                continue
            square = 0.0
            for i in range(3):
                square += (wanted[f, leg, i] - hips[f, leg, i] - root[f, i]) ** 2
            exact = math.acos(min(max((square - even) / span, -1.0), 1.0))
            exact = max(exact, min(abs(bends[f, leg]), STRAIGHT))
            bend = bends[f, leg] + bend_by[f, leg]
            last[f, leg] = (exact if bend >= 0.0 else -exact) - bend


@njit(cache=True, nogil=True)
def _add_smoothness(matrix, f, stiffness):  # type: ignore[no-untyped-def]
    """The squares of the second differences about frame f."""
    weights = (1.0, -2.0, 1.0)
    for a in range(3):
        for b in range(a + 1):
            for i in range(UNKNOWNS):
                cost = stiffness if i < 3 else stiffness * KNEE_SMOOTH**2
                matrix[UNKNOWNS * (f - 1 + a) + i, UNKNOWNS * (a - b)] += cost * weights[a] * weights[b]


@njit(cache=True, nogil=True)
def _add_leg(matrix, side, f, leg, hip, wanted, recorded, even, span, weight, unknowns):  # type: ignore[no-untyped-def]
    """The square of what a leg's reach misses, linear about the solution so far."""
    away = (wanted[0] - hip[0] - unknowns[0], wanted[1] - hip[1] - unknowns[1], wanted[2] - hip[2] - unknowns[2])
    asked = math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
    bend = recorded + unknowns[3 + leg]
    reach = math.sqrt(max(even + span * math.cos(bend), 1e-12))
    if asked < 1e-9:
        return
    slope = -0.5 * span * math.sin(bend) / reach
    # Near full stretch the reach is all but a parabola of the bend: the chord to where it fits leads there at once,
    # the tangent would overshoot.
    exact = math.acos(min(max((asked * asked - even) / span, -1.0), 1.0))
    if abs(bend - exact) > 1e-3 and asked * asked < even + span:
        slope = (reach - asked) / (bend - exact)
    unit = (away[0] / asked, away[1] / asked, away[2] / asked)
    goal = asked - reach + slope * unknowns[3 + leg]
    for i in range(3):
        goal += unit[i] * unknowns[i]
    knee = UNKNOWNS * f + 3 + leg
    for i in range(3):
        side[UNKNOWNS * f + i] += weight * goal * unit[i]
        for j in range(i + 1):
            matrix[UNKNOWNS * f + i, i - j] += weight * unit[i] * unit[j]
        matrix[knee, 3 + leg - i] += weight * slope * unit[i]
    side[knee] += weight * goal * slope
    matrix[knee, 0] += weight * slope * slope
    least = min(recorded, STRAIGHT)
    if bend < least:
        side[knee] += STOP * (least - recorded)
        matrix[knee, 0] += STOP


@njit(cache=True, nogil=True)
def _solve_band(matrix, side):  # type: ignore[no-untyped-def]
    """Solve in place: Cholesky of a band, then forwards and backwards."""
    n = matrix.shape[0]
    for i in range(n):  # the diagonal keeps its reciprocal: products are faster than quotients
        reach = min(BAND - 1, i)
        for d in range(reach, -1, -1):
            total = matrix[i, d]
            for k in range(d + 1, reach + 1):
                total -= matrix[i, k] * matrix[i - d, k - d]
            matrix[i, d] = 1.0 / math.sqrt(total) if d == 0 else total * matrix[i - d, 0]
        total = side[i]
        for d in range(1, reach + 1):
            total -= matrix[i, d] * side[i - d]
        side[i] = total * matrix[i, 0]
    for i in range(n - 1, -1, -1):
        side[i] *= matrix[i, 0]
        for d in range(1, min(BAND - 1, i) + 1):
            side[i - d] -= matrix[i, d] * side[i]
