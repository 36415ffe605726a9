"""Poses between frames, smoothly: a cubic through the four frames around, as warped time needs them."""

import math

import numpy as np
from numba import njit


def sample_poses_reference(
    root_positions: np.ndarray, rotations_local: np.ndarray, translations: np.ndarray, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `write_poses` computes, from the definition: Catmull–Rom, with signs of quaternions aligned."""

    def between(values: np.ndarray, time: float, *, turned: bool) -> np.ndarray:
        last = len(values) - 1
        time = min(max(time, 0.0), float(last))
        k = min(int(time), max(last - 1, 0))
        t = time - k
        b, c = values[k], values[min(k + 1, last)]

        def aligned(value: np.ndarray) -> np.ndarray:
            return np.where(np.sum(value * b, axis=-1, keepdims=True) < 0, -value, value) if turned else value

        c = aligned(c)
        a = aligned(values[k - 1]) if k > 0 else 2.0 * b - c
        d = aligned(values[k + 2]) if k + 2 <= last else 2.0 * c - b
        mixed = 0.5 * (2 * b + t * (c - a) + t**2 * (2 * a - 5 * b + 4 * c - d) + t**3 * (3 * b - a - 3 * c + d))
        return mixed / np.linalg.norm(mixed, axis=-1, keepdims=True) if turned else mixed

    times = np.asarray(frames, dtype=float).tolist()
    return (
        np.array([between(root_positions, time, turned=False) for time in times]),
        np.array([between(rotations_local, time, turned=True) for time in times]),
        np.array([between(translations, time, turned=False) for time in times]).reshape(len(times), -1, 3),
    )


@njit(cache=True, nogil=True)
def write_poses(root, local, translations, frames, out_root, out_local, out_translations):  # type: ignore[no-untyped-def]
    """Poses (F, …) at `frames` (S,), which need not be whole, into the outputs (S, …); the ends hold beyond them.

    At whole frames they are the frames' own, to the bit. Quaternions keep the side of the frame before them.
    """
    last = len(root) - 1
    for s in range(len(frames)):
        time = min(max(frames[s], 0.0), float(last))
        k = int(time)
        t = time - k
        if t == 0.0:  # the last frame too
            for i in range(3):
                out_root[s, i] = root[k, i]
            for j in range(local.shape[1]):
                for i in range(4):
                    out_local[s, j, i] = local[k, j, i]
            for j in range(translations.shape[1]):
                for i in range(3):
                    out_translations[s, j, i] = translations[k, j, i]
            continue
        before, behind = k > 0, k + 2 <= last
        # Catmull–Rom weights of the four frames; beyond an end a straight line goes on
        wa = 0.5 * t * (-1.0 + t * (2.0 - t))
        wb = 0.5 * (2.0 + t * t * (-5.0 + 3.0 * t))
        wc = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t))
        wd = 0.5 * t * t * (t - 1.0)
        if not before:
            wb, wc, wa = wb + 2.0 * wa, wc - wa, 0.0
        if not behind:
            wc, wb, wd = wc + 2.0 * wd, wb - wd, 0.0
        ka, kd = max(k - 1, 0), min(k + 2, last)
        for i in range(3):
            out_root[s, i] = wa * root[ka, i] + wb * root[k, i] + wc * root[k + 1, i] + wd * root[kd, i]
        for j in range(translations.shape[1]):
            for i in range(3):
                out_translations[s, j, i] = (
                    wa * translations[ka, j, i]
                    + wb * translations[k, j, i]
                    + wc * translations[k + 1, j, i]
                    + wd * translations[kd, j, i]
                )
        for j in range(local.shape[1]):
            bw, bx, by, bz = local[k, j, 0], local[k, j, 1], local[k, j, 2], local[k, j, 3]
            w, x, y, z = wb * bw, wb * bx, wb * by, wb * bz
            for n in range(3):
                g, share = (ka, wa) if n == 0 else ((k + 1, wc) if n == 1 else (kd, wd))
                if share == 0.0:
                    continue
                qw, qx, qy, qz = local[g, j, 0], local[g, j, 1], local[g, j, 2], local[g, j, 3]
                if qw * bw + qx * bx + qy * by + qz * bz < 0.0:
                    share = -share
                w, x, y, z = w + share * qw, x + share * qx, y + share * qy, z + share * qz
            length = math.sqrt(w * w + x * x + y * y + z * z)
            out_local[s, j, 0], out_local[s, j, 1] = w / length, x / length
            out_local[s, j, 2], out_local[s, j, 3] = y / length, z / length
