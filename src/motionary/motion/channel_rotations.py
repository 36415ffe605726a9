"""Rotation channels to quaternions: the product of each joint's turns, in degrees, for all frames at once."""

from math import factorial

import numpy as np
from numba import njit

from motionary.motion import euler, rotations

# x − x³/3! + … and 1 − x²/2! + …: within ±π/4 these terms leave less than half a unit in the last place
SINE = tuple((-1.0) ** k / factorial(2 * k + 1) for k in range(9))
COSINE = tuple((-1.0) ** k / factorial(2 * k) for k in range(9))
TO_WHOLE = 1.5 * 2.0**52  # added and taken away again it rounds to a whole number, and vectorises


def from_channels(values: np.ndarray, columns: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Quaternions (F, J, 4), continuous over time, of the angles in `values` (F, N), in degrees.

    Joint j turns about `axes[j]` (3,) by the angles in `columns[j]` (3,), in product order; −1 where none.
    """
    out = np.empty((len(values), len(columns), 4))
    _from_channels(np.ascontiguousarray(values, dtype=np.float64), columns, axes, out)
    return out


def from_channels_reference(values: np.ndarray, columns: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """What `from_channels` computes, joint by joint from its Euler angles."""
    joints = []
    for own_columns, own_axes in zip(columns, axes, strict=True):
        order = "".join(euler.AXES[axis] for axis in own_axes if axis >= 0)
        joints.append(euler.from_euler(np.radians(values[:, own_columns[: len(order)]]), order))
    return rotations.continuous(np.stack(joints, axis=1))


@njit(cache=True, nogil=True)
def _half_angles(angles, sines, cosines):  # type: ignore[no-untyped-def]
    """Sine and cosine of half of each angle.

    Half turns are taken out in degrees, where that is exact: thousands of degrees lose nothing.
    """
    for i in range(len(angles)):
        half_turns = (angles[i] * (1.0 / 180.0) + TO_WHOLE) - TO_WHOLE  # each a quarter turn of the half angle
        x = (angles[i] - 180.0 * half_turns) * (np.pi / 360.0)
        y = x * x
        sine, cosine = SINE[8], COSINE[8]
        for k in range(7, 0, -1):
            sine = sine * y + SINE[k]
            cosine = cosine * y + COSINE[k]
        sine = x + x * y * sine
        cosine = 1.0 + y * cosine
        turns = (half_turns * 0.5 + TO_WHOLE) - TO_WHOLE
        odd = half_turns - 2.0 * turns  # −1, 0 or 1 quarter
        sign = 1.0 - 2.0 * abs(turns - 2.0 * ((turns * 0.5 + TO_WHOLE) - TO_WHOLE))
        if odd == 0.0:
            sines[i], cosines[i] = sign * sine, sign * cosine
        else:
            sines[i], cosines[i] = sign * odd * cosine, -sign * odd * sine


@njit(cache=True, nogil=True)
def _from_channels(values, columns, axes, out):  # type: ignore[no-untyped-def]
    n_frames, n_joints = out.shape[0], out.shape[1]
    sines, cosines = np.empty(values.shape[1]), np.empty(values.shape[1])
    for f in range(n_frames):
        _half_angles(values[f], sines, cosines)
        for j in range(n_joints):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for i in range(3):
                c = columns[j, i]
                if c < 0:
                    break
                cosine, sine = cosines[c], sines[c]
                if axes[j, i] == 0:
                    w, x, y, z = (
                        w * cosine - x * sine,
                        x * cosine + w * sine,
                        y * cosine + z * sine,
                        z * cosine - y * sine,
                    )
                elif axes[j, i] == 1:
                    w, x, y, z = (
                        w * cosine - y * sine,
                        x * cosine - z * sine,
                        y * cosine + w * sine,
                        z * cosine + x * sine,
                    )
                else:
                    w, x, y, z = (
                        w * cosine - z * sine,
                        x * cosine + y * sine,
                        y * cosine - x * sine,
                        z * cosine + w * sine,
                    )
            if f > 0 and (
                w * out[f - 1, j, 0] + x * out[f - 1, j, 1] + y * out[f - 1, j, 2] + z * out[f - 1, j, 3] < 0.0
            ):
                w, x, y, z = -w, -x, -y, -z
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = w, x, y, z
