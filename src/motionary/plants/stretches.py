"""The longest stretch of a path that stays together: no two of its places farther apart than a spread."""

import numpy as np
from numba import njit

BLOCK = 32  # frames that are compared at once, by their middle and how far they reach from it


def longest_stretch(path: np.ndarray, *, spread: float) -> tuple[int, int]:
    """The longest [start, stop) of a path (F, 3), F ≥ 1, within `spread` metres; the first of equally long ones."""
    points = np.ascontiguousarray(path, dtype=np.float64)[:, None]
    start, stop = _longest_stretch(points, 0, 0, len(points), spread, np.empty((len(points) // BLOCK + 1, 4)))
    return int(start), int(stop)


def longest_stretch_reference(path: np.ndarray, *, spread: float) -> tuple[int, int]:
    """What `longest_stretch` finds, from the definition."""
    apart = np.sqrt(np.sum((path[:, None] - path[None]) ** 2, axis=2))
    stretches = [(start, stop) for stop in range(1, len(path) + 1) for start in range(stop)]
    together = [(start, stop) for start, stop in stretches if apart[start:stop, start:stop].max() <= spread]
    return max(together, key=lambda stretch: (stretch[1] - stretch[0], -stretch[0]))


@njit(cache=True, nogil=True)
def _longest_stretch(points, p, low, high, spread, blocks):  # type: ignore[no-untyped-def]
    """The stretch of points (F, P, 3)[low:high, p]; `blocks` (at least (high − low) / BLOCK, 4) is room to work.

    A stretch that ends with a frame begins after the last frame that is too far from it, and never before the stretch
    that ends one frame earlier.
    """
    best_start, best_stop, start = low, low, low
    for f in range(low, high):
        x, y, z = points[f, p, 0], points[f, p, 1], points[f, p, 2]
        g = f - 1
        while g >= start:
            block = (g + 1 - low) // BLOCK - 1
            first = low + block * BLOCK
            if (g + 1 - low) % BLOCK == 0 and first >= start:
                u, v, w = x - blocks[block, 0], y - blocks[block, 1], z - blocks[block, 2]
                if np.sqrt(u * u + v * v + w * w) + blocks[block, 3] <= 0.999999 * spread:
                    g = first - 1
                    continue
            u, v, w = x - points[g, p, 0], y - points[g, p, 1], z - points[g, p, 2]
            if np.sqrt(u * u + v * v + w * w) > spread:
                start = g + 1
                break
            g -= 1
        if f + 1 - start > best_stop - best_start:
            best_start, best_stop = start, f + 1
        if (f + 1 - low) % BLOCK == 0:
            _note_block(points, p, f + 1 - BLOCK, blocks[(f - low) // BLOCK])
    return best_start, best_stop


@njit(cache=True, nogil=True)
def _note_block(points, p, first, block):  # type: ignore[no-untyped-def]
    """Write the middle of the BLOCK frames from `first`, and the distance of the farthest of them."""
    block[:] = 0.0
    for f in range(first, first + BLOCK):
        for c in range(3):
            block[c] += points[f, p, c] / BLOCK
    for f in range(first, first + BLOCK):
        u, v, w = points[f, p, 0] - block[0], points[f, p, 1] - block[1], points[f, p, 2] - block[2]
        block[3] = max(block[3], np.sqrt(u * u + v * v + w * w))
