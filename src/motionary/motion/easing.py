"""Easing: curves from 0 to 1 that start and stop without a jump, a kink or a jerk."""

import numpy as np
from numba import njit


def ease(share: np.ndarray | float) -> np.ndarray:
    """The quintic ease 6 t⁵ − 15 t⁴ + 10 t³ of t in [0, 1]: no velocity and no acceleration at either end.

    Below 0 it is 0, above 1 it is 1.
    """
    t = np.clip(np.asarray(share, dtype=float), 0.0, 1.0)
    return np.asarray(t * t * t * (t * (6.0 * t - 15.0) + 10.0))


def ease_slope(share: np.ndarray | float) -> np.ndarray:
    """The derivative of `ease`; 0 outside of [0, 1]."""
    t = np.clip(np.asarray(share, dtype=float), 0.0, 1.0)
    return np.asarray(30.0 * t * t * (1.0 - t) ** 2)


def fades(n_frames: int, *, fade_in: int = 0, fade_out: int = 0) -> np.ndarray:
    """Weights (F,) that ease from 0 to 1 over the first `fade_in` frames and back over the last `fade_out`.

    The weight reaches 1 at frame `fade_in`; it would be 0 one frame before the first and one after the last, so that
    what is faded joins what is not. Fades that overlap are multiplied.
    """
    frames = np.arange(n_frames)
    weights = np.ones(n_frames)
    if fade_in:
        weights *= ease((frames + 1) / (fade_in + 1))
    if fade_out:
        weights *= ease((n_frames - frames) / (fade_out + 1))
    return weights


@njit(cache=True, nogil=True)
def eased(t):  # type: ignore[no-untyped-def]
    """`ease` of one number, for kernels."""
    t = min(max(t, 0.0), 1.0)
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)
