"""Other ways from one motion into another: inertialisation, as kernels that leave their poses where blends do.

The direct blend is a 2-way blend; dead blending (Holden 2023) one whose source is carried on by its last velocities.
"""

import numpy as np
from numba import njit

from motionary.dynamics import TOUCHING, touch_ground
from motionary.motion import rotations
from motionary.transition.blending import (
    N_PIECES,
    N_PLANTED,
    PLANT_ERROR,
    place_soles,
    score_weight,
    surround,
    walk,
)
from motionary.transition.clock import set_clock
from motionary.transition.lanes import forward_joints, root_lanes
from motionary.transition.planting import plant_feet
from motionary.transition.sources import SourceWindows, mass_centres


def inertialise_reference(w: SourceWindows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Roots (3, P), headings (P,) and rotations (J, 4, P) that `inertialise` leaves, from the definition."""
    n = w.facing.shape[1]
    last = n - 1
    # Of all quintics of the share of the time that end flat, the one that starts at 1, and the one with a slope of 1
    powers = np.eye(6)
    ends = [[np.polyval(np.polyder(power, c), at) for power in powers] for at in (0.0, 1.0) for c in range(3)]
    value, slope = np.linalg.solve(ends, np.eye(6)[:, :2]).T

    def dying(difference: np.ndarray, rate: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """What is left (F, …) of a difference and of its change in a frame."""
        share = frames / last
        return np.multiply.outer(np.polyval(value, share), difference) + np.multiply.outer(
            np.polyval(slope, share), last * rate
        )

    def steps(r: int) -> np.ndarray:
        """The turns and steps (P − 1, 3) of a window's root, aside and ahead of its mean heading."""
        turns, x, z = np.diff(w.facing[r]), np.diff(w.roots[r, 0]), np.diff(w.roots[r, 2])
        middle = w.facing[r, :-1] + 0.5 * turns
        return np.stack([turns, np.cos(middle) * x - np.sin(middle) * z, np.sin(middle) * x + np.cos(middle) * z], 1)

    frames = np.arange(n)
    quaternions = np.moveaxis(w.turns, 3, 1)  # (R, P, J, 4)
    between = rotations.to_rotation_vector(
        rotations.multiply(quaternions[0, :2], rotations.inverse(quaternions[1, :2]))
    )
    # By the shorter way in the first frame, and by the way that is nearest to that in the next
    long = np.linalg.norm(between[1], axis=-1, keepdims=True)
    other = between[1] * (1.0 - 2.0 * np.pi / np.maximum(long, 1e-12))
    is_nearer = np.sum((other - between[0]) ** 2, axis=-1) < np.sum((between[1] - between[0]) ** 2, axis=-1)
    offsets = between[0], np.where(is_nearer[:, None], other, between[1])
    left = rotations.from_rotation_vector(dying(offsets[0], offsets[1] - offsets[0], frames))
    turned = rotations.multiply(left, quaternions[1])

    gaps = w.roots[0, 1] - w.roots[1, 1]
    mine, its = steps(0), steps(1)
    moved = its + dying(mine[0] - its[0], np.zeros(3), frames[1:] - 0.5)
    facing = np.concatenate([[0.0], np.cumsum(moved[:, 0])])
    middle = 0.5 * (facing[:-1] + facing[1:])
    x = np.cumsum(np.cos(middle) * moved[:, 1] + np.sin(middle) * moved[:, 2])
    z = np.cumsum(np.cos(middle) * moved[:, 2] - np.sin(middle) * moved[:, 1])
    height = w.roots[1, 1] + dying(gaps[0], gaps[1] - gaps[0], frames)
    roots = np.stack([np.append(0.0, x), height, np.append(0.0, z)])
    return roots, facing, np.ascontiguousarray(np.moveaxis(turned, 0, 2))


@njit(cache=True, nogil=True, error_model="numpy")
def inertialise(b, w, times, paces, work):  # type: ignore[no-untyped-def]
    """The target, window 1, from its first frame on; what it lacks of the source, window 0, dies away (Bollo 2018).

    The difference of every rotation, of the height and of the velocities of place and heading starts as at the
    source's first frame, with its rate of change, and ends as nothing after the window, all by quintics.
    """
    which = np.array([0, 1, -1, -1])
    start, n_sources = np.int64(0), np.int64(2)  # with plain numbers, what is called would be compiled for them, too
    n = set_clock(times, paces, which, n_sources, work.clock, work.cells, work.share, work.weights, work.heaviest)
    walk(w, which, n_sources, n, work)  # leaves the sources' own places in work; the blend's are overwritten below
    last = n - 1
    work.roots[0, 0], work.roots[2, 0], work.facing[0] = 0.0, 0.0, 0.0
    turn, aside, ahead = _step(w, start, start + 1)
    to_turn, to_aside, to_ahead = _step(w, start + 1, start + 1)
    theta, x, z = 0.0, 0.0, 0.0
    gap = w.roots[0, 1, 0] - w.roots[1, 1, 0]
    slope = (w.roots[0, 1, 1] - w.roots[0, 1, 0]) - (w.roots[1, 1, 1] - w.roots[1, 1, 0])
    for k in range(n):
        value, rate = _dying(k / last)
        work.roots[1, k] = w.roots[1, 1, k] + value * gap + rate * last * slope
        if k == 0:
            continue
        value, rate = _dying((k - 0.5) / last)
        by, step_aside, step_ahead = _step(w, start + 1, k)
        by += value * (turn - to_turn)
        step_aside += value * (aside - to_aside)
        step_ahead += value * (ahead - to_ahead)
        cosine, sine = np.cos(theta + 0.5 * by), np.sin(theta + 0.5 * by)
        theta += by
        x += cosine * step_aside + sine * step_ahead
        z += cosine * step_ahead - sine * step_aside
        work.roots[0, k], work.roots[2, k], work.facing[k] = x, z, theta
    for i in range(2):
        for k in range(n):
            by = work.facing[k] - w.facing[i, k]
            work.own[i, 0, k], work.own[i, 1, k] = w.roots[i, 0, k], w.roots[i, 2, k]
            work.own[i, 2, k], work.own[i, 3, k] = np.cos(by), np.sin(by)
    for j in range(len(b.parents)):
        _inertialise_joint(w.turns[0, j], w.turns[1, j], n, work.local[j])
    root_lanes(work.local, work.facing, work.roots, n, work.world, work.places)
    forward_joints(b.parents, b.offsets, work.local, start + 1, len(b.parents), start, n, work.world, work.places)
    place_soles(b, n, work)
    n_pieces, plant_error, n_planted = plant_feet(w, which, n_sources, n, work)
    work.parts[PLANT_ERROR], work.parts[N_PLANTED], work.parts[N_PIECES] = plant_error, n_planted, n_pieces
    touch_ground(work.soles[:n], work.contacts[:n], TOUCHING)
    surround(w.before[0], w.after[1], n, work)
    mass_centres(b, work.world, work.places, start, n, work.point, work.centres[len(b.taps) // 2 :])
    score_weight(b, n, np.inf, work)
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def _dying(s):  # type: ignore[no-untyped-def]
    """What is left of a difference, and of its rate of change, after a share s of the time; quintics that end flat."""
    s = min(s, 1.0)
    value = 1.0 + s * s * s * (-10.0 + s * (15.0 - 6.0 * s))
    rate = s * (1.0 + s * s * (-6.0 + s * (8.0 - 3.0 * s)))
    return value, rate


@njit(cache=True, nogil=True, error_model="numpy")
def _step(w, r, k):  # type: ignore[no-untyped-def]
    """Turn and step of a window's root from frame k − 1 to k, seen half-way between its headings."""
    by = w.facing[r, k] - w.facing[r, k - 1]
    middle = w.facing[r, k - 1] + 0.5 * by
    cosine, sine = np.cos(middle), np.sin(middle)
    dx, dz = w.roots[r, 0, k] - w.roots[r, 0, k - 1], w.roots[r, 2, k] - w.roots[r, 2, k - 1]
    return by, cosine * dx - sine * dz, sine * dx + cosine * dz


@njit(cache=True, nogil=True, error_model="numpy")
def _offset(a, b, k, sign):  # type: ignore[no-untyped-def]
    """Half the rotation vector of the turn from b's rotation to a's at frame k, in the parent's frame, and the sign of
    its quaternion: as given, or with a sign of 0 by the shorter way."""
    w, x, y, z = a[0, k], a[1, k], a[2, k], a[3, k]
    p, q, r, t = b[0, k], -b[1, k], -b[2, k], -b[3, k]
    c = w * p - x * q - y * r - z * t
    u, v, s = w * q + x * p + y * t - z * r, w * r - x * t + y * p + z * q, w * t + x * r - y * q + z * p
    if sign == 0.0:
        sign = -1.0 if c < 0.0 else 1.0
    size = np.sqrt(u * u + v * v + s * s)
    scale = sign * (np.arctan2(size, sign * c) / size if size > 1e-12 else 1.0)
    return scale * u, scale * v, scale * s, sign


@njit(cache=True, nogil=True, error_model="numpy")
def _inertialise_joint(source, target, n, out):  # type: ignore[no-untyped-def]
    x0, y0, z0, sign = _offset(source, target, np.int64(0), 0.0)
    x1, y1, z1, _ = _offset(source, target, np.int64(1), sign)
    for k in range(n):
        value, rate = _dying(k / (n - 1))
        rate *= n - 1
        x, y, z = value * x0 + rate * (x1 - x0), value * y0 + rate * (y1 - y0), value * z0 + rate * (z1 - z0)
        size = np.sqrt(x * x + y * y + z * z)
        scale = np.sin(size) / size if size > 1e-12 else 1.0
        a, b, c, d = np.cos(size), scale * x, scale * y, scale * z
        p, q, r, t = target[0, k], target[1, k], target[2, k], target[3, k]
        out[0, k] = a * p - b * q - c * r - d * t
        out[1, k] = a * q + b * p + c * t - d * r
        out[2, k] = a * r - b * t + c * p + d * q
        out[3, k] = a * t + b * r - c * q + d * p
