"""Where a body faces."""

import math

import numpy as np
from numba import njit

from motionary.motion import rotations
from motionary.motion.vectors import UP

LEVEL_WITHIN = np.radians(30.0)  # a pelvis nearer to horizontal than this has no heading of its own
LOWEST_UP = math.sin(LEVEL_WITHIN)


def headings(pelvis_world: np.ndarray, pelvis_rest: np.ndarray = rotations.IDENTITY) -> np.ndarray:
    """Where a body faces (F,), in radians about +y from +z, without jumps of a turn.

    It is the twist of the pelvis about the vertical (swing–twist), relative to `pelvis_rest`, the pelvis's
    orientation when the body stands upright and faces +z. Where the pelvis's own up axis lies within 30° of
    horizontal, or points down (cartwheels, getting up), the heading is carried on from the last good frame;
    before the first good frame it is that frame's. A motion without a good frame heads to 0.
    """
    turn = rotations.multiply(pelvis_world, rotations.inverse(pelvis_rest))
    good = is_upright(turn)
    w, y = turn[..., 0], turn[..., 2]
    twist = np.arctan2(2.0 * w * y, w * w - y * y)  # twice the half angle; the same for q and −q
    if not good.any():
        return np.zeros(len(turn))
    last_good = np.maximum.accumulate(np.where(good, np.arange(len(turn)), -1))
    last_good[last_good < 0] = int(np.argmax(good))
    return np.unwrap(twist[last_good])


def is_upright(turn: np.ndarray) -> np.ndarray:
    """Whether a pelvis, turned so (F, 4) from where it is upright, has a heading of its own."""
    return np.asarray(rotations.rotate(turn, UP)[..., 1] > LOWEST_UP)


@njit(cache=True, nogil=True)
def write_headings(pelvis_world, pelvis_rest, out):  # type: ignore[no-untyped-def]
    """`headings` of (F, 4) and (4,) into `out` (F,), for kernels."""
    rw, rx, ry, rz = pelvis_rest[0], pelvis_rest[1], pelvis_rest[2], pelvis_rest[3]
    last = 0.0
    first_good = -1
    for f in range(len(pelvis_world)):
        a, b, c, d = pelvis_world[f, 0], pelvis_world[f, 1], pelvis_world[f, 2], pelvis_world[f, 3]
        # the pelvis against its rest: (a, b, c, d) · (rw, −rx, −ry, −rz)
        w = a * rw + b * rx + c * ry + d * rz
        x = -a * rx + b * rw - c * rz + d * ry
        y = -a * ry + b * rz + c * rw - d * rx
        z = -a * rz - b * ry + c * rx + d * rw
        if w * w - x * x + y * y - z * z > LOWEST_UP:
            twist = math.atan2(2.0 * w * y, w * w - y * y)
            if first_good < 0:
                first_good = f
                for g in range(f):
                    out[g] = twist
            else:
                twist += 2.0 * math.pi * round((last - twist) / (2.0 * math.pi))
            last = twist
        out[f] = last
