"""Euler angles in any order: "ZYX" means R = Rz · Ry · Rx, the way a BVH file lists its channels."""

import numpy as np

from motionary.errors import UsageError
from motionary.motion import rotations

AXES = "XYZ"


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


def near(angles: np.ndarray, order: str) -> np.ndarray:
    """The same rotations over time (F, ..., 3), written so that no angle jumps: the inverse of wrapping.

    Every rotation has two triples of angles within a turn; each frame takes the triple, and the full turns,
    that lie nearest to the frame before.
    """
    angles = np.array(angles, dtype=float)
    proper = order[0] == order[2]
    for f in range(1, len(angles)):
        here, before = angles[f], angles[f - 1]
        middle = -here[..., 1] if proper else np.pi - here[..., 1]
        other = np.stack([here[..., 0] + np.pi, middle, here[..., 2] + np.pi], axis=-1)
        here = before + _wrap(here - before)
        other = before + _wrap(other - before)
        nearer = np.abs(other - before).sum(axis=-1) < np.abs(here - before).sum(axis=-1) - 1e-9
        angles[f] = np.where(nearer[..., None], other, here)
    return angles


def check_axes(order: str) -> None:
    """Raise unless `order` is up to three of X, Y and Z."""
    if len(order) > 3 or any(axis not in AXES for axis in order):
        raise UsageError(f"{order!r} is not an Euler order; write up to three of X, Y and Z, such as ZYX")


def _wrap(angle: np.ndarray) -> np.ndarray:
    return angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi))
