"""A proxy for people's verdicts: real windows against the same worsened by known amounts, and how well scores tell."""

from dataclasses import replace

import numpy as np

from motionary.errors import UsageError
from motionary.transition.pool import Pool

SLIDE, SWAY, TILT = "slide", "sway", "tilt"
WORSENINGS = (SLIDE, SWAY, TILT)
SWAY_HZ = 1.5


def worsened(pool: Pool, kind: str, amount: float, *, rng: np.random.Generator) -> Pool:
    """The pool with every clip's root moved as no body moves; plants stay where they were.

    "slide": it drifts by `amount` metres a second, into a direction that every clip draws; "sway": it swings by as much
    to both sides, 1.5 times a second; "tilt": the body leans over by `amount` radians, while its feet stay planted.
    """
    if kind not in WORSENINGS:
        raise UsageError(f"motion is worsened by {', '.join(WORSENINGS)}, not by {kind!r}")
    roots, turns = np.array(pool.roots), np.array(pool.turns)
    for start, stop in zip(pool.starts[:-1].tolist(), pool.starts[1:].tolist(), strict=True):
        secs = np.arange(stop - start) * pool.frame_time
        angle, phase = rng.uniform(0.0, 2.0 * np.pi, 2)
        if kind == TILT:
            half = np.float32(0.5 * amount)
            axis = np.array([np.sin(angle), 0.0, np.cos(angle)], dtype=np.float32) * np.sin(half)
            w, x, y, z = np.moveaxis(np.array(turns[start:stop, :, 0]), 1, 0)
            a, b, c, d = np.cos(half), axis[0], axis[1], axis[2]
            turns[start:stop, 0, 0] = a * w - b * x - c * y - d * z
            turns[start:stop, 1, 0] = a * x + b * w + c * z - d * y
            turns[start:stop, 2, 0] = a * y - b * z + c * w + d * x
            turns[start:stop, 3, 0] = a * z + b * y - c * x + d * w
            continue
        away = amount * secs if kind == SLIDE else amount * np.sin(2.0 * np.pi * SWAY_HZ * secs + phase)
        roots[start:stop, 0] += away * np.cos(angle)
        roots[start:stop, 2] += away * np.sin(angle)
    return replace(pool, roots=roots, turns=turns)


def roc_area(natural: np.ndarray, unnatural: np.ndarray) -> float:
    """The chance that of two, one of each, the natural one has the lower score: the area under the ROC curve."""
    a, b = np.sort(natural), np.asarray(unnatural)
    below = np.searchsorted(a, b, side="left")
    equal = np.searchsorted(a, b, side="right") - below
    return float(np.mean(below + 0.5 * equal) / len(a))
