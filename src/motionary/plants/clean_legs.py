"""How root and knees follow the feet: the root as the balance asks for, the knees as far as they must.

**Sideways and forwards** the root goes with what carries the body. Were it to stay while the feet under it are moved,
or to hurry after them, the zero-moment point would leave them. So its path r is that of a pendulum on a moving foot,
r − (h/g) r″ = s, where s is how far the standing feet were moved and h how high the body's mass is: the zero-moment
point moves by s, as the feet do. In flight r″ = 0, and the fall is what it was. As r is a mean of the s around it, it
is never larger than what plants ask for.

Where the body is light, as it pushes off or lands, the same move of its mass throws the zero-moment point farther: g is
what the ground carries of it, by how the hips fall and rise, and the root is stiffer there.

**Downwards** the root goes where a standing leg is too short otherwise, or so straight that its knee would answer a
millimetre with degrees; knees do the rest. Both by least squares over all frames: the moves, the accelerations, what
legs miss, and, dearest of all but those, what a knee accelerates beyond what it ever did in the motion.
"""

import math

import numpy as np
from numba import njit

from motionary.ik import LimbBends
from motionary.motion import GRAVITY
from motionary.plants.clean_fades import fade
from motionary.plants.clean_knees import backwards, fold_of, unfold
from motionary.plants.clean_noise import NOISE_SECS, tremble, without_noise

MASS_ABOVE_HIPS = 1.06  # times the hips' height above the feet: the height of the body's mass
LEAST_HEIGHT = 0.3  # metres of it, however low the body crouches
LEG_FOLLOWS = 0.03  # of a foot's move that the root goes the other way, as the leg's mass has gone with the foot
LEG_MASS = 0.043  # of a foot's move that the mass of the body has gone with it, beyond that
DRIFT = 0.1  # of the pull towards the feet that is left where none stands
UNKNOWNS = 3  # of a frame: how far the root rises, both knees' bends
KNEE_METRES = 0.03  # a radian of a knee counts as much as so many metres of the root
KNEE_SMOOTH = 0.025  # the same for their accelerations
FOLLOW_SECS = 0.15  # how fast the root sinks and rises, unless something else is asked for
FIRM = 1e6  # how much dearer a planted foot's misfit is than the root's move, both squared
LOOSE = 1e2  # the same in the air
LAST_SECS = 0.1  # how long the last touch on a knee, exact where its foot is planted, takes to fade
AROUND_SECS = 1.0  # farther than that from any correction nothing changes at all
STRAIGHT = 0.03  # radians: a knee is bent at least so far, or as far as it was
STOP = 1e2  # how much dearer a knee's overstretch is than the root's move, both squared
ROUNDS = 12
CLOSE = 2e-4  # metres and radians: a step that small is the last
STEP = 0.8  # of each round: whole ones swing to and fro where legs are all but straight
LIGHT_SECS = 1.0 / 15.0  # over which the fall of the hips is taken
LIGHTEST = 0.2  # of its weight the body counts at least as carried by its feet
JERK = 1.1  # times its own largest acceleration a knee may have without further cost
JERK_LEAST = 4.0  # rad/s²: however still it is
KNEE_JERK = 0.9  # as `KNEE_SMOOTH`, for accelerations beyond that
ENDS = 4.0  # how much dearer the root's acceleration is in the first frames and the last
SECOND = (1.0, -2.0, 1.0)  # a second difference
BAND = 2 * UNKNOWNS + 1  # an unknown, and those before it that it meets: itself two frames ago


def share_between_knees_and_root(
    hips: np.ndarray,
    wanted: np.ndarray,
    moves: np.ndarray,
    bends: LimbBends,
    planted: np.ndarray,
    *,
    frame_time: float,
    follow_secs: float = FOLLOW_SECS,
) -> tuple[np.ndarray, np.ndarray]:
    """(moves (F, 3) of the root, radians (F, 2) by which the knees bend more): together the legs follow their feet.

    `hips` and `wanted` ankles are (F, 2, 3) in the world, `moves` (F, 2, 3) how far ankles are from where they were,
    `bends` (F, 2) those of the legs, `planted` (F, 2) whether a foot stands. Feet that stand are met, others nearly.
    All this is found for the poses without their noise: a pelvis would sink, so that trembling knees bend. What the
    noise asks for in the end is the root's, as far as may be: tenths of a millimetre that all but straight knees would
    answer with degrees.
    """
    quiet_hips, quiet_moves, quiet_wanted, quiet_bend = (
        without_noise(values, frame_time=frame_time) for values in (hips, moves, wanted, bends.bend)
    )
    n_frames = len(hips)
    inside = np.zeros(n_frames, dtype=np.bool_)
    _near(moves, max(2, round(AROUND_SECS / frame_time)), inside)
    weights, limits, root = np.ones(n_frames), np.empty(2), np.zeros((n_frames, 3))
    _carried(quiet_hips, frame_time, weights)
    _knee_limits(quiet_bend, frame_time, limits)
    _balance(quiet_hips, quiet_wanted, quiet_moves, planted, weights, inside, frame_time, root)
    unknowns = np.zeros((n_frames, UNKNOWNS))
    stiffness = (follow_secs / frame_time) ** 4
    _solve(quiet_hips + root[:, None], quiet_wanted, quiet_bend, bends.even, bends.span, planted, weights, limits,
           inside, stiffness, ROUNDS, unknowns)  # fmt: skip
    root[:, 1] += unknowns[:, 0]
    bend_by = np.ascontiguousarray(unknowns[:, 1:])
    if round(NOISE_SECS / frame_time) > 1:
        both = np.concatenate([root, bend_by], axis=1)
        trembling = tremble(hips, wanted, bends, planted & inside[:, None], both)
        standing = inside & (planted[:, 0] | planted[:, 1])
        trembling = fade(trembling, standing, frame_time=frame_time, fade_secs=LAST_SECS, most_acceleration=np.inf)
        both += np.where(inside[:, None], trembling, 0.0)
        root, bend_by = both[:, :3], both[:, 3:]
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


def carried_reference(hips: np.ndarray, *, frame_time: float) -> np.ndarray:
    """What `_carried` writes, from the definition: the weight on the ground by how the hips' height changes."""
    step = max(1, round(LIGHT_SECS / frame_time))
    height = hips[:, :, 1].mean(axis=1)
    if len(height) < 2 * step + 1:
        return np.ones(len(height))
    rising = (height[: -2 * step] - 2.0 * height[step:-step] + height[2 * step :]) / (step * frame_time) ** 2
    return np.clip(1.0 + np.pad(rising, step, mode="edge") / GRAVITY, LIGHTEST, 1.0)


def balance_reference(
    hips: np.ndarray,
    wanted: np.ndarray,
    moves: np.ndarray,
    planted: np.ndarray,
    weights: np.ndarray,
    *,
    frame_time: float,
) -> np.ndarray:
    """How the root (F, 3) goes with the feet, from the definition, where all frames may change: a dense matrix."""
    n_frames = len(hips)
    heights = hips[:, :, 1].mean(axis=1) - wanted[:, :, 1].min(axis=1)
    stiff = np.maximum(MASS_ABOVE_HIPS * heights, LEAST_HEIGHT) / (GRAVITY * frame_time**2)
    pull = np.where(planted.any(axis=1), weights, DRIFT)
    matrix = np.diag(pull)
    for f in range(n_frames):
        for g in (f - 1, f + 1):
            if 0 <= g < n_frames:
                matrix[f, f] += stiff[f]
                matrix[f, g] -= stiff[f]
    both = moves.sum(axis=1) * np.array([1.0, 0.0, 1.0])
    carried = (moves * planted[..., None]).sum(axis=1) / np.maximum(planted.sum(axis=1), 1)[:, None]
    return np.linalg.solve(matrix, pull[:, None] * (carried - LEG_MASS * both)) - LEG_FOLLOWS * both


def round_reference(
    hips: np.ndarray,
    wanted: np.ndarray,
    bends: LimbBends,
    planted: np.ndarray,
    weights: np.ndarray,
    limits: np.ndarray,
    stiffness: float,
    unknowns: np.ndarray,
) -> np.ndarray:
    """One Gauss–Newton round over all frames, from the definition: a dense least-squares problem."""
    n_frames = len(hips)
    costs = np.array([1.0, KNEE_METRES, KNEE_METRES])
    rows = [np.diag(np.tile(costs, n_frames))]
    goals = [np.zeros(UNKNOWNS * n_frames)]
    second = np.diff(np.eye(n_frames), 2, axis=0)  # (F − 2, F), none for fewer than three frames
    recorded_jerks = second @ bends.bend
    for f, row in enumerate(second, start=1):
        at_end = ENDS if f in (1, n_frames - 2) else 1.0
        smooth = math.sqrt(stiffness) * np.array([math.sqrt(at_end) / weights[f], KNEE_SMOOTH, KNEE_SMOOTH])
        rows.append(np.kron(row[None], np.diag(smooth)))
        goals.append(np.zeros(UNKNOWNS))
        for leg in range(2):
            recorded = recorded_jerks[f - 1, leg]
            total = recorded + row @ unknowns[:, 1 + leg]
            if abs(total) > limits[leg]:
                cost = math.sqrt(stiffness) * KNEE_JERK
                rows.append(cost * np.kron(row[None], np.eye(UNKNOWNS)[1 + leg][None]))
                goals.append(cost * np.array([math.copysign(limits[leg], total) - recorded]))

    def add(f: int, columns: dict[int, float], goal: float, weight: float) -> None:
        row = np.zeros((n_frames, UNKNOWNS))
        for column, value in columns.items():
            row[f, column] = value
        rows.append(math.sqrt(weight) * row.reshape(1, -1))
        goals.append(np.array([math.sqrt(weight) * goal]))

    for f in range(n_frames):
        for leg in range(2):
            away = wanted[f, leg] - hips[f, leg] - [0.0, unknowns[f, 0], 0.0]
            asked = float(np.linalg.norm(away))
            even, span, recorded = bends.even[f, leg], bends.span[f, leg], bends.bend[f, leg]
            bend = recorded + unknowns[f, 1 + leg]
            back = max(-recorded, 0.0)
            root = math.sqrt(bend * bend + 8.0 * back * back)
            fold = 0.5 * (bend + root) if back > 0.0 else bend
            reach = math.sqrt(even + span * math.cos(fold))
            slope = -0.5 * span * math.sin(fold) / reach * (0.5 * (1.0 + bend / root) if back > 0.0 else 1.0)
            exact = math.acos(np.clip((asked * asked - even) / span, -1.0, 1.0))
            exact -= 2.0 * back * back / max(exact, back, 1e-9)
            if abs(bend - exact) > 1e-3 and asked < math.sqrt(even + span):
                slope = (reach - asked) / (bend - exact)
            goal = asked - reach + slope * unknowns[f, 1 + leg]
            if planted[f, leg]:
                up = away[1] / asked
                add(f, {0: up, 1 + leg: slope}, goal + up * unknowns[f, 0], FIRM)
            else:
                add(f, {1 + leg: slope}, goal, LOOSE)
            least = min(recorded, STRAIGHT)
            if bend < least:
                add(f, {1 + leg: 1.0}, least - recorded, STOP)
    matrix, side = np.vstack(rows), np.concatenate(goals)
    return np.linalg.lstsq(matrix, side, rcond=None)[0].reshape(n_frames, UNKNOWNS)


@njit(cache=True, nogil=True)
def _near(moves, around, inside):  # type: ignore[no-untyped-def]
    """Mark the frames that are not farther than `around` frames from one in which a foot moves."""
    n_frames, marked = len(moves), 0  # all before are done
    for f in range(n_frames):
        if moves[f].any():
            for g in range(max(f - around, marked), min(f + around + 1, n_frames)):
                inside[g] = True
            marked = min(f + around + 1, n_frames)


@njit(cache=True, nogil=True)
def _carried(hips, frame_time, weights):  # type: ignore[no-untyped-def]
    """Write how much of its weight (F,) the ground carries while the hips fall and rise like that; 1 at rest."""
    n_frames = hips.shape[0]
    step = max(1, int(np.rint(LIGHT_SECS / frame_time)))
    for f in range(n_frames):
        weights[f] = 1.0
    if n_frames < 2 * step + 1:
        return
    for f in range(n_frames):
        g = min(max(f, step), n_frames - 1 - step)
        fall = 0.0
        for leg in range(2):
            fall += 0.5 * (hips[g - step, leg, 1] - 2.0 * hips[g, leg, 1] + hips[g + step, leg, 1])
        share = 1.0 + fall / (step * frame_time) ** 2 / GRAVITY
        weights[f] = min(max(share, LIGHTEST), 1.0)


@njit(cache=True, nogil=True)
def _knee_limits(bends, frame_time, limits):  # type: ignore[no-untyped-def]
    """Write the second differences (2,) that knees (F, 2) may have: about what they have themselves."""
    for leg in range(2):
        most = JERK_LEAST * frame_time * frame_time
        for f in range(1, bends.shape[0] - 1):
            most = max(most, JERK * abs(bends[f - 1, leg] - 2.0 * bends[f, leg] + bends[f + 1, leg]))
        limits[leg] = most


@njit(cache=True, nogil=True)
def _balance(hips, wanted, moves, planted, weights, inside, frame_time, root):  # type: ignore[no-untyped-def]
    """Solve the pendulum's equation for the three directions: a matrix of three diagonals."""
    n_frames = hips.shape[0]
    upper = np.empty(n_frames)
    for f in range(n_frames):
        if not inside[f]:
            upper[f] = 0.0
            continue
        height = 0.5 * (hips[f, 0, 1] + hips[f, 1, 1]) - min(wanted[f, 0, 1], wanted[f, 1, 1])
        stiff = max(MASS_ABOVE_HIPS * height, LEAST_HEIGHT) / (GRAVITY * frame_time * frame_time)
        n_standing = int(planted[f, 0]) + int(planted[f, 1])
        pull = weights[f] if n_standing > 0 else DRIFT
        before = stiff if f > 0 else 0.0
        after = stiff if f + 1 < n_frames else 0.0
        centre = pull + before + after
        if f > 0:
            centre -= before * upper[f - 1]
        for i in range(3):
            side = 0.0
            for leg in range(2):
                if planted[f, leg]:
                    side += pull * moves[f, leg, i] / n_standing
                if i != 1:
                    side -= pull * LEG_MASS * moves[f, leg, i]
            if f > 0:
                side += before * root[f - 1, i]
            root[f, i] = side / centre
        upper[f] = after / centre
    for f in range(n_frames - 2, -1, -1):
        for i in range(3):
            root[f, i] += upper[f] * root[f + 1, i]
    for f in range(n_frames):
        if inside[f]:
            for leg in range(2):
                for i in (0, 2):
                    root[f, i] -= LEG_FOLLOWS * moves[f, leg, i]


@njit(cache=True, nogil=True)
def _solve(hips, wanted, bends, evens, spans, planted, weights, limits, inside, stiffness, rounds, unknowns):  # type: ignore[no-untyped-def]
    n_frames = hips.shape[0]
    matrix = np.empty((UNKNOWNS * n_frames, BAND))  # matrix[i, d] is the entry of unknowns i and i − d
    side = np.empty(UNKNOWNS * n_frames)
    for _ in range(rounds):
        matrix[:] = 0.0
        side[:] = 0.0
        for f in range(n_frames):
            for i in range(UNKNOWNS):
                # Frames that stay: their unknowns are 0, whatever their neighbours do.
                cost = 1.0 if i == 0 else KNEE_METRES**2
                matrix[UNKNOWNS * f + i, 0] += cost if inside[f] else 1e30
            if not inside[f]:
                continue
            for leg in range(2):
                if spans[f, leg] > 1e-12:
                    _add_leg(matrix, side, f, leg, hips[f, leg], wanted[f, leg], bends[f, leg], evens[f, leg],
                             spans[f, leg], planted[f, leg], unknowns[f])  # fmt: skip
        for f in range(1, n_frames - 1):
            if inside[f - 1] or inside[f] or inside[f + 1]:
                at_end = ENDS if f == 1 or f == n_frames - 2 else 1.0
                _add_smoothness(matrix, f, stiffness * at_end / (weights[f] * weights[f]), stiffness * KNEE_SMOOTH**2)
                for leg in range(2):
                    _add_jerk(matrix, side, f, leg, bends, unknowns, limits[leg], stiffness * KNEE_JERK**2)
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
            fold = math.acos(min(max((square - even) / span, -1.0), 1.0))
            fold = max(fold, min(abs(bends[f, leg]), STRAIGHT))
            last[f, leg] = unfold(fold, backwards(bends[f, leg])) - bends[f, leg] - bend_by[f, leg]


@njit(cache=True, nogil=True)
def _add_smoothness(matrix, f, root_cost, knee_cost):  # type: ignore[no-untyped-def]
    """The squares of the second differences about frame f."""
    for a in range(3):
        for b in range(a + 1):
            product = SECOND[a] * SECOND[b]
            for i in range(UNKNOWNS):
                cost = root_cost if i == 0 else knee_cost
                matrix[UNKNOWNS * (f - 1 + a) + i, UNKNOWNS * (a - b)] += cost * product


@njit(cache=True, nogil=True)
def _add_jerk(matrix, side, f, leg, bends, unknowns, limit, cost):  # type: ignore[no-untyped-def]
    """The square of what a knee's acceleration, recorded and added, exceeds its limit by."""
    recorded = bends[f - 1, leg] - 2.0 * bends[f, leg] + bends[f + 1, leg]
    total = recorded + unknowns[f - 1, 1 + leg] - 2.0 * unknowns[f, 1 + leg] + unknowns[f + 1, 1 + leg]
    if abs(total) <= limit:
        return
    goal = (limit if total > 0.0 else -limit) - recorded
    for a in range(3):
        knee = UNKNOWNS * (f - 1 + a) + 1 + leg
        side[knee] += cost * SECOND[a] * goal
        for b in range(a + 1):
            matrix[knee, UNKNOWNS * (a - b)] += cost * SECOND[a] * SECOND[b]


@njit(cache=True, nogil=True)
def _add_leg(matrix, side, f, leg, hip, wanted, recorded, even, span, planted, unknowns):  # type: ignore[no-untyped-def]
    """The square of what a leg's reach misses, linear about the solution so far; only standing legs move the root."""
    x, y, z = wanted[0] - hip[0], wanted[1] - hip[1] - unknowns[0], wanted[2] - hip[2]
    asked = math.sqrt(x * x + y * y + z * z)
    bend = recorded + unknowns[1 + leg]
    back = backwards(recorded)
    fold, fold_slope = fold_of(bend, back)
    reach = math.sqrt(max(even + span * math.cos(fold), 1e-12))
    if asked < 1e-9:
        return
    slope = -0.5 * span * math.sin(fold) / reach * fold_slope
    # Near full stretch the reach is all but a parabola of the bend: the chord to where it fits leads there at once,
    # the tangent would overshoot.
    exact = unfold(math.acos(min(max((asked * asked - even) / span, -1.0), 1.0)), back)
    if abs(bend - exact) > 1e-3 and asked * asked < even + span:
        slope = (reach - asked) / (bend - exact)
    goal = asked - reach + slope * unknowns[1 + leg]
    knee, root = UNKNOWNS * f + 1 + leg, UNKNOWNS * f
    weight = LOOSE
    if planted:
        weight = FIRM
        up = y / asked
        goal += up * unknowns[0]
        side[root] += weight * goal * up
        matrix[root, 0] += weight * up * up
        matrix[knee, 1 + leg] += weight * slope * up
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
