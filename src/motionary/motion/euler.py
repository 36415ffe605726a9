"""Euler angles in any order: "ZYX" means R = Rz · Ry · Rx, the way a BVH file lists its channels."""

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.motion import rotations

AXES = "XYZ"
LOCKED_WITHIN = 1e-8  # radians from gimbal lock


def from_euler(angles: np.ndarray, order: str) -> np.ndarray:
    """Quaternions of `angles` (..., n) in radians; `order` names n axes, 0 to 3, in product order."""
    check_axes(order)
    angles = np.asarray(angles, dtype=float)
    if angles.shape[-1] != len(order):
        raise UsageError(f"{angles.shape[-1]} angles for the {len(order)} axes of order {order!r}")
    q = np.broadcast_to(rotations.IDENTITY, (*angles.shape[:-1], 4))
    for i, axis in enumerate(order):
        q = rotations.multiply(q, rotations.from_axis_angle(np.eye(3)[AXES.index(axis)], angles[..., i]))
    return np.array(q)


def to_euler(q: np.ndarray, order: str) -> np.ndarray:
    """Angles (..., 3) in radians, the first and last within ±π (Bernardes & Viollet 2022).

    Three different axes: the middle angle lies within ±π/2. First axis = last axis ("ZXZ"): within 0 to π.
    At gimbal lock, where only the sum or difference of the outer angles is known, the last is 0.
    """
    check_axes(order)
    if len(order) != 3 or order[0] == order[1] or order[1] == order[2]:
        raise UsageError(f"{order!r} cannot describe every rotation; use three axes, no two neighbours the same")
    q = np.asarray(q, dtype=float)
    i, j, k = (AXES.index(axis) for axis in reversed(order))  # their formulas turn about fixed axes
    proper = i == k
    if proper:
        k = 3 - i - j
    sign = float((i - j) * (j - k) * (k - i) // 2)
    w, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], q[..., 1 + k] * sign
    a, b, c, d = (w, x, y, z) if proper else (w - y, x + z, y + w, z - x)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    at_zero, at_pi = np.hypot(c, d) < 1e-9, np.hypot(a, b) < 1e-9
    first = np.where(at_zero, 0.0, np.where(at_pi, 0.0, half_sum - half_difference))
    last = np.where(at_zero, 2.0 * half_sum, np.where(at_pi, 2.0 * half_difference, half_sum + half_difference))
    if not proper:
        last = last * sign
        middle = middle - 0.5 * np.pi
    return np.stack([_wrap(last), middle, _wrap(first)], axis=-1)


def nearest_euler(q: np.ndarray, order: str) -> np.ndarray:
    """Angles (..., n) of the turns about at most two different axes that come nearest to q."""
    check_axes(order)
    q = np.asarray(q, dtype=float)
    if len(order) == 0:
        return np.zeros((*q.shape[:-1], 0))
    if len(order) == 1:
        return 2.0 * np.arctan2(q[..., 1 + AXES.index(order)], q[..., 0])[..., None]
    i, j = (AXES.index(axis) for axis in order[:2])
    if len(order) == 3 or i == j:
        raise UsageError(f"{order!r} is not one axis or two different ones")
    # The parts of Ri(α) · Rj(β) are the products of cos, sin of β/2 (rows) and of α/2 (columns).
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    k = 3 - i - j
    upper, lower = (q[..., 0], q[..., 1 + i]), (q[..., 1 + j], sign * q[..., 1 + k])
    half_first = 0.5 * np.arctan2(
        2.0 * (upper[0] * upper[1] + lower[0] * lower[1]),
        upper[0] ** 2 + lower[0] ** 2 - upper[1] ** 2 - lower[1] ** 2,
    )
    cosine, sine = np.cos(half_first), np.sin(half_first)
    second = 2.0 * np.arctan2(lower[0] * cosine + lower[1] * sine, upper[0] * cosine + upper[1] * sine)
    return np.stack([2.0 * half_first, _wrap(second)], axis=-1)


def near(angles: np.ndarray, order: str) -> np.ndarray:
    """The same rotations over time (F, ..., 3), written so that no angle jumps: the inverse of wrapping.

    Every rotation has two triples of angles within a turn; each frame takes the triple, and the full turns,
    that lie nearest to the frame before. At gimbal lock the outer angles share what changes.
    """
    angles = np.array(angles, dtype=float)
    i, j, k = (AXES.index(axis) for axis in order)
    if i == k:
        _near(angles.reshape(len(angles), -1, 3), True, 1.0)
    else:
        _near(angles.reshape(len(angles), -1, 3), False, 1.0 if (j - i) % 3 == 1 else -1.0)
    return angles


def check_axes(order: str) -> None:
    """Raise unless `order` is up to three of X, Y and Z."""
    if len(order) > 3 or any(axis not in AXES for axis in order):
        raise UsageError(f"{order!r} is not an Euler order; write up to three of X, Y and Z, such as ZYX")


def _wrap(angle: np.ndarray) -> np.ndarray:
    return angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi))


@njit(cache=True, nogil=True)
def _near(angles, proper, parity):  # type: ignore[no-untyped-def]
    turn = 2.0 * np.pi
    for f in range(1, angles.shape[0]):
        for n in range(angles.shape[1]):
            before, here = angles[f - 1, n], angles[f, n]
            middle = here[1]
            if abs(np.sin(middle) if proper else np.cos(middle)) < LOCKED_WITHIN:
                # Only first + side · last is known; half of its change goes to either.
                side = np.sign(np.cos(middle)) if proper else parity * np.sign(np.sin(middle))
                change = here[0] + side * here[2] - before[0] - side * before[2]
                change -= turn * np.round(change / turn)
                here[0], here[2] = before[0] + 0.5 * change, before[2] + 0.5 * side * change
                here[1] += turn * np.round((before[1] - middle) / turn)
                continue
            far, other_far = 0.0, 0.0
            for i in range(3):
                here[i] += turn * np.round((before[i] - here[i]) / turn)
                far += abs(here[i] - before[i])
                other = here[i] + np.pi if i != 1 else (-middle if proper else np.pi - middle)
                other_far += abs(other - before[i] + turn * np.round((before[i] - other) / turn))
            if other_far < far - 1e-9:
                for i in range(3):
                    other = here[i] + np.pi if i != 1 else (-middle if proper else np.pi - middle)
                    here[i] = other + turn * np.round((before[i] - other) / turn)
