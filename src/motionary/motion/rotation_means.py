"""The weighted mean of rotations for kernels: one n-way mean, whatever the order, weights below 0 allowed."""

import math

from numba import njit

from motionary.motion import turns

MOST_STEPS = 8
CLOSE = 1e-12  # radians squared: a step as short as this was the last one
APART = math.cos(math.radians(150.0) / 2.0)  # |q · p| of rotations 150° apart
BELOW_NOTHING = -1e-9  # a weight under this extrapolates


@njit(cache=True, nogil=True)
def mean_rotation(quaternions, weights):  # type: ignore[no-untyped-def]
    """The Karcher mean (w, x, y, z) of unit quaternions (N, 4) by weights (N,) that sum to 1.

    Signs are aligned with the heaviest first. The mean starts at the normalised sum, or at the heaviest where the
    weights extrapolate, and goes on by steps of log and exp; a weight of 1 alone gives back that rotation to the bit.
    """
    n = len(weights)
    heaviest, others, extrapolates = 0, 0.0, False
    for i in range(n):
        if weights[i] > weights[heaviest]:
            heaviest = i
        extrapolates = extrapolates or weights[i] < BELOW_NOTHING
    for i in range(n):
        if i != heaviest:
            others += abs(weights[i])
    hw, hx, hy, hz = (
        quaternions[heaviest, 0], quaternions[heaviest, 1], quaternions[heaviest, 2], quaternions[heaviest, 3],
    )  # fmt: skip
    if others == 0.0:
        return (hw, hx, hy, hz)
    w, x, y, z = hw, hx, hy, hz
    if not extrapolates:
        sw, sx, sy, sz = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            a, b, c, d = quaternions[i, 0], quaternions[i, 1], quaternions[i, 2], quaternions[i, 3]
            share = weights[i] if a * hw + b * hx + c * hy + d * hz >= 0.0 else -weights[i]
            sw, sx, sy, sz = sw + share * a, sx + share * b, sy + share * c, sz + share * d
        length = math.sqrt(sw * sw + sx * sx + sy * sy + sz * sz)
        if length > 0.5:
            w, x, y, z = sw / length, sx / length, sy / length, sz / length
    for _ in range(MOST_STEPS):
        vx, vy, vz = 0.0, 0.0, 0.0
        for i in range(n):
            if weights[i] == 0.0:
                continue
            a, b, c, d = quaternions[i, 0], quaternions[i, 1], quaternions[i, 2], quaternions[i, 3]
            sign = 1.0 if a * hw + b * hx + c * hy + d * hz >= 0.0 else -1.0
            # the turn from the mean to this one, its sign kept: its angle may pass π, but does not jump there
            rw = sign * (w * a + x * b + y * c + z * d)
            rx = sign * (w * b - x * a - y * d + z * c)
            ry = sign * (w * c + x * d - y * a - z * b)
            rz = sign * (w * d - x * c + y * b - z * a)
            length = math.sqrt(rx * rx + ry * ry + rz * rz)
            if length < 1e-12:
                share = 2.0 * weights[i]
            else:
                share = 2.0 * weights[i] * math.atan2(length, rw) / length
            vx, vy, vz = vx + share * rx, vy + share * ry, vz + share * rz
        step = turns.from_rotation_vector((vx, vy, vz))
        w, x, y, z = turns.multiply((w, x, y, z), step)
        if vx * vx + vy * vy + vz * vz < CLOSE:
            break
    length = math.sqrt(w * w + x * x + y * y + z * z)
    return (w / length, x / length, y / length, z / length)


@njit(cache=True, nogil=True)
def extrapolates_too_far(quaternions, weights):  # type: ignore[no-untyped-def]
    """Whether a weight is below 0 while two of the rotations (N, 4) that count are over 150° apart."""
    n = len(weights)
    extrapolates = False
    for i in range(n):
        extrapolates = extrapolates or weights[i] < BELOW_NOTHING
    if not extrapolates:
        return False
    for i in range(n):
        if weights[i] == 0.0:
            continue
        for k in range(i):
            if weights[k] == 0.0:
                continue
            dot = (
                quaternions[i, 0] * quaternions[k, 0]
                + quaternions[i, 1] * quaternions[k, 1]
                + quaternions[i, 2] * quaternions[k, 2]
                + quaternions[i, 3] * quaternions[k, 3]
            )
            if abs(dot) < APART:
                return True
    return False


@njit(cache=True, nogil=True)
def mean_each(quaternions, weights, out):  # type: ignore[no-untyped-def]
    """Means (M, 4) of (M, N, 4) by weights (M, N); returns the first that extrapolates too far, −1 if none does."""
    refused = -1
    for m in range(len(weights)):
        if refused < 0 and extrapolates_too_far(quaternions[m], weights[m]):
            refused = m
        out[m, 0], out[m, 1], out[m, 2], out[m, 3] = mean_rotation(quaternions[m], weights[m])
    return refused
