"""A small general solver for chains of joints: reach with the spine, look at something with neck and head.

Damped least squares (Wampler 1986): each round turns all joints a little, by the least weighted sum of squared turns
that removes the error to first order; near singular places the damping keeps the turns small.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.motion import turns as single

ROUNDS = 60
LARGEST_TURN = 0.3  # radians of one joint in one round: beyond, the first order says nothing
DAMPING = 1e-4  # at first, as a share of what the joints can do; it grows where a round makes things worse
MOST_DAMPING = 1e6
RELAXING, RELAX = 30, 0.3  # rounds that look for smaller turns, and how much of them each takes back
NUDGE = 0.05  # radians by which a straight chain is bent where no first-order turn would help


@dataclass(frozen=True, eq=False)
class ChainTurns:
    """What brings a chain's tip to its target: world rotations to apply before the joints' own, and what is left."""

    turns: np.ndarray  # (F, K, 4)
    tip: np.ndarray  # (F, 3) where the tip comes to be
    left: np.ndarray  # (F,) metres from there to the target, or radians between gaze and target


def reach_with_chain(
    places: np.ndarray,
    tip: np.ndarray,
    target: np.ndarray,
    *,
    weights: Sequence[float] | np.ndarray | None = None,
    within: float = 1e-4,
) -> ChainTurns:
    """Turns of joints at `places` (F, K, 3), from the base outwards, that bring the `tip` (F, 3) to `target` (F, 3).

    A joint with twice the weight turns about twice as much; one with weight 0 stays. A target out of reach is
    approached as far as the chain goes. `within` metres are near enough.
    """
    return _solved(places, tip, np.zeros_like(tip), target, weights, within, look=False)


def look_with_chain(
    places: np.ndarray,
    eye: np.ndarray,
    gaze: np.ndarray,
    target: np.ndarray,
    *,
    weights: Sequence[float] | np.ndarray | None = None,
    within: float = 1e-3,
) -> ChainTurns:
    """Turns of joints at `places` (F, K, 3) after which `gaze` (F, 3), a direction, points from `eye` to `target`.

    The eye moves with the chain. `within` radians are near enough.
    """
    return _solved(places, eye, gaze, target, weights, within, look=True)


def step_reference(
    places: np.ndarray, tip: np.ndarray, error: np.ndarray, weights: np.ndarray, damping: float
) -> np.ndarray:
    """The turns (K, 3) of one round of reaching, before they are limited: W Jᵀ (J W Jᵀ + damping)⁻¹ error.

    J is the derivative of the tip by each joint's turn, here by differences of turned points.
    """
    small = 1e-6
    jacobian = np.empty((3, 3 * len(places)))
    for k, place in enumerate(places):
        for i in range(3):
            axis = small * np.eye(3)[i]
            turned = [place + _turned(sign * axis, tip - place) for sign in (1.0, -1.0)]
            jacobian[:, 3 * k + i] = (turned[0] - turned[1]) / (2.0 * small)
    spread = np.repeat(weights, 3)
    square = jacobian @ (spread[:, None] * jacobian.T) + damping * np.eye(3)
    return (spread * (jacobian.T @ np.linalg.solve(square, error))).reshape(-1, 3)


def _turned(vector: np.ndarray, point: np.ndarray) -> np.ndarray:
    """A point, turned about a vector by its length (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    axis = vector / angle
    return np.asarray(
        point * math.cos(angle)
        + np.cross(axis, point) * math.sin(angle)
        + axis * (axis @ point) * (1.0 - math.cos(angle))
    )


def _solved(
    places: np.ndarray,
    tip: np.ndarray,
    gaze: np.ndarray,
    target: np.ndarray,
    weights: Sequence[float] | np.ndarray | None,
    within: float,
    *,
    look: bool,
) -> ChainTurns:
    places = np.ascontiguousarray(places, dtype=np.float64)
    if places.ndim != 3 or places.shape[1] < 1 or places.shape[2] != 3:
        raise UsageError(f"a chain's joints must have the shape (frames, joints, 3), not {places.shape}")
    n_frames, n_joints = places.shape[:2]
    points = [np.array(np.broadcast_to(p, (n_frames, 3)), dtype=np.float64, order="C") for p in (tip, gaze, target)]
    if not all(np.isfinite(array).all() for array in (places, *points)):
        raise UsageError("a chain contains a position that is not finite")
    shares = np.ones(n_joints) if weights is None else np.asarray(weights, dtype=np.float64)
    if shares.shape != (n_joints,) or not (np.isfinite(shares).all() and shares.min() >= 0.0 and shares.any()):
        raise UsageError(f"{n_joints} joints need as many weights, none below 0 and not all 0")
    if not within > 0.0:
        raise UsageError(f"within must be above 0, not {within:g}")
    turned = np.empty((n_frames, n_joints, 4))
    tips, left = np.empty((n_frames, 3)), np.empty(n_frames)
    _solve_chains(places, points[0], points[1], points[2], shares / shares.max(), within, look, turned, tips, left)
    return ChainTurns(turned, tips, left)


@njit(cache=True, nogil=True)
def _solve_chains(places, tips, gazes, targets, weights, within, look, turned, new_tips, left):  # type: ignore[no-untyped-def]
    n_joints = places.shape[1]
    here, trial = np.empty((n_joints + 2, 3)), np.empty((n_joints + 2, 3))  # the joints, the tip, the gaze
    turns_here, turns_trial = np.empty((n_joints, 4)), np.empty((n_joints, 4))
    step, own = np.empty((n_joints, 3)), np.empty((n_joints, 3))
    for f in range(places.shape[0]):
        _copy(places[f], here)
        for i in range(3):
            here[n_joints, i], here[n_joints + 1, i] = tips[f, i], gazes[f, i]
        turns_here[:] = 0.0
        turns_here[:, 0] = 1.0
        error = _approach(here, turns_here, targets[f], weights, within, look, trial, turns_trial, step)
        if error <= within and not look:
            # Of all ways to be there, the least turn: the same from frame to frame, so that motion stays smooth.
            for _ in range(RELAXING):
                _relaxing_step(here, turns_here, targets[f], weights, own, step)
                _turn_chain(here, turns_here, step, trial, turns_trial)
                _copy(trial, here)
                _copy(turns_trial, turns_here)
            error = _approach(here, turns_here, targets[f], weights, within, look, trial, turns_trial, step)
        _copy(turns_here, turned[f])
        for i in range(3):
            new_tips[f, i] = here[n_joints, i]
        left[f] = error


@njit(cache=True, nogil=True)
def _copy(rows, out):  # type: ignore[no-untyped-def]
    for n in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            out[n, i] = rows[n, i]


@njit(cache=True, nogil=True)
def _approach(here, turns_here, target, weights, within, look, trial, turns_trial, step):  # type: ignore[no-untyped-def]
    """Turn the chain until its tip is within reach of its target or comes no nearer; returns what is left."""
    damping, nudged = DAMPING, False
    error = _error(here, target, look)
    for _ in range(ROUNDS):
        size = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
        if size <= within or damping > MOST_DAMPING:
            break
        largest = _step(here, error, weights, damping, look, step)
        if largest < 1e-3 * within and not look:
            if nudged or not _could_fold(here, target):
                break
            _nudge(here, weights, step)  # straight towards or past its target: bend it anyhow, once
            _turn_chain(here, turns_here, step, trial, turns_trial)
            nudged = True
        else:
            _turn_chain(here, turns_here, step, trial, turns_trial)
            new = _error(trial, target, look)
            if new[0] ** 2 + new[1] ** 2 + new[2] ** 2 >= size * size:
                damping *= 8.0
                continue
            damping = max(0.3 * damping, DAMPING)
        _copy(trial, here)
        _copy(turns_trial, turns_here)
        error = _error(here, target, look)
    return math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)


@njit(cache=True, nogil=True)
def _relaxing_step(here, turns_here, target, weights, own, step):  # type: ignore[no-untyped-def]
    """Some of each joint's own turn taken back, and what that moves the tip made good by the least other turns."""
    n_joints = len(weights)
    error = _error(here, target, False)
    goal_x, goal_y, goal_z = error[0], error[1], error[2]
    above = (1.0, 0.0, 0.0, 0.0)
    for k in range(n_joints):
        turn = (turns_here[k, 0], turns_here[k, 1], turns_here[k, 2], turns_here[k, 3])
        vector = single.to_rotation_vector(single.multiply(turn, single.inverse(above)))
        above = turn
        own[k, 0], own[k, 1], own[k, 2] = RELAX * vector[0], RELAX * vector[1], RELAX * vector[2]
        x, y, z = here[-2, 0] - here[k, 0], here[-2, 1] - here[k, 1], here[-2, 2] - here[k, 2]
        goal_x += own[k, 1] * z - own[k, 2] * y
        goal_y += own[k, 2] * x - own[k, 0] * z
        goal_z += own[k, 0] * y - own[k, 1] * x
    _reach_step(here, (goal_x, goal_y, goal_z), weights, DAMPING, step)
    step -= own
    largest = 0.0
    for k in range(n_joints):
        largest = max(largest, math.sqrt(step[k, 0] ** 2 + step[k, 1] ** 2 + step[k, 2] ** 2))
    if largest > LARGEST_TURN:
        step *= LARGEST_TURN / largest


@njit(cache=True, nogil=True)
def _error(here, target, look):  # type: ignore[no-untyped-def]
    """From the tip to its target; for a gaze the turn, as a vector, from where it goes to where it should."""
    tip, gaze = here[-2], here[-1]
    away = (target[0] - tip[0], target[1] - tip[1], target[2] - tip[2])
    if not look:
        return away
    return single.to_rotation_vector(single.swing((gaze[0], gaze[1], gaze[2]), away))


@njit(cache=True, nogil=True)
def _step(here, error, weights, damping, look, step):  # type: ignore[no-untyped-def]
    """One round's turns, limited; returns the largest, in radians."""
    n_joints = len(weights)
    if look:
        share = 1.0 / (weights.sum() * (1.0 + damping))
        for k in range(n_joints):
            for i in range(3):
                step[k, i] = weights[k] * share * error[i]
    else:
        _reach_step(here, error, weights, damping, step)
    largest = 0.0
    for k in range(n_joints):
        largest = max(largest, math.sqrt(step[k, 0] ** 2 + step[k, 1] ** 2 + step[k, 2] ** 2))
    if largest > LARGEST_TURN:
        step *= LARGEST_TURN / largest
    return largest


@njit(cache=True, nogil=True)
def _reach_step(here, error, weights, damping, step):  # type: ignore[no-untyped-def]
    """W Jᵀ (J W Jᵀ + damping · trace)⁻¹ error; a turn w at a joint moves the tip, r away from it, by w × r."""
    n_joints = len(weights)
    a, b, c, d, e, g = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # of the symmetric matrix [[a, b, c], [b, d, e], [c, e, g]]
    for k in range(n_joints):
        x, y, z = here[-2, 0] - here[k, 0], here[-2, 1] - here[k, 1], here[-2, 2] - here[k, 2]
        w = weights[k]
        a += w * (y * y + z * z)
        b -= w * x * y
        c -= w * x * z
        d += w * (x * x + z * z)
        e -= w * y * z
        g += w * (x * x + y * y)
    more = damping * (a + d + g) / 3.0 + 1e-18
    a, d, g = a + more, d + more, g + more
    # Its inverse by cofactors: damped, it is far enough from singular.
    m00, m01, m02 = d * g - e * e, c * e - b * g, b * e - c * d
    scale = 1.0 / (a * m00 + b * m01 + c * m02)
    u = scale * (m00 * error[0] + m01 * error[1] + m02 * error[2])
    v = scale * (m01 * error[0] + (a * g - c * c) * error[1] + (b * c - a * e) * error[2])
    t = scale * (m02 * error[0] + (b * c - a * e) * error[1] + (a * d - b * b) * error[2])
    for k in range(n_joints):
        x, y, z = here[-2, 0] - here[k, 0], here[-2, 1] - here[k, 1], here[-2, 2] - here[k, 2]
        step[k, 0] = weights[k] * (y * t - z * v)
        step[k, 1] = weights[k] * (z * u - x * t)
        step[k, 2] = weights[k] * (x * v - y * u)


@njit(cache=True, nogil=True)
def _could_fold(here, target):  # type: ignore[no-untyped-def]
    """Whether the target is nearer to the base than the chain's length: then a bend brings the tip nearer."""
    length, away = 0.0, 0.0
    for k in range(here.shape[0] - 2):
        length += math.sqrt(np.sum((here[k + 1] - here[k]) ** 2))
    away = math.sqrt(np.sum((target - here[0]) ** 2))
    return away < length - 1e-6


@njit(cache=True, nogil=True)
def _nudge(here, weights, step):  # type: ignore[no-untyped-def]
    """Small bends to and fro about a normal of the chain."""
    along = here[-2] - here[0]
    least = np.argmin(np.abs(along))
    normal = np.zeros(3)
    normal[(least + 1) % 3], normal[(least + 2) % 3] = -along[(least + 2) % 3], along[(least + 1) % 3]
    size = math.sqrt(np.sum(normal**2))
    if size < 1e-9:
        normal[:] = 0.0
        normal[0], size = 1.0, 1.0
    sign = 1.0
    for k in range(len(weights)):
        bend = sign * NUDGE * math.sqrt(weights[k]) * (1.0 if k == 0 else 2.0) / size
        for i in range(3):
            step[k, i] = bend * normal[i]
        sign = -sign


@njit(cache=True, nogil=True)
def _turn_chain(here, turns_here, step, there, turns_there):  # type: ignore[no-untyped-def]
    """Turn every joint by its step, and with it all that is beyond."""
    n_joints = step.shape[0]
    for i in range(3):
        there[0, i] = here[0, i]
    carried = (1.0, 0.0, 0.0, 0.0)
    for k in range(n_joints):
        carried = single.multiply(carried, single.from_rotation_vector((step[k, 0], step[k, 1], step[k, 2])))
        length = math.sqrt(carried[0] ** 2 + carried[1] ** 2 + carried[2] ** 2 + carried[3] ** 2)
        carried = (carried[0] / length, carried[1] / length, carried[2] / length, carried[3] / length)
        bone = (here[k + 1, 0] - here[k, 0], here[k + 1, 1] - here[k, 1], here[k + 1, 2] - here[k, 2])
        moved = single.rotate(carried, bone)
        own = single.multiply(carried, (turns_here[k, 0], turns_here[k, 1], turns_here[k, 2], turns_here[k, 3]))
        for i in range(3):
            there[k + 1, i] = there[k, i] + moved[i]
        for i in range(4):
            turns_there[k, i] = own[i]
    gaze = single.rotate(carried, (here[n_joints + 1, 0], here[n_joints + 1, 1], here[n_joints + 1, 2]))
    for i in range(3):
        there[n_joints + 1, i] = gaze[i]
