"""Limits of slopes: how many times as fast or slow a source may run against the reference."""

import numpy as np

from motionary.alignment import Warp

OFF_SECS = 0.10  # that a composed warp may be moved by to stay within the limit


def limited_warp(warp: Warp, clock: np.ndarray, limit: float, *, frame_time: float) -> Warp | None:
    """The warp with a knot at every frame of the clock and slopes within the limit; None if that moves it too far."""
    values = warp(clock)
    paces = np.diff(values)
    total = float(values[-1] - values[0])
    n = len(paces)
    if not n / limit <= total <= n * limit:
        return None
    held = _held_paces(paces, limit)
    cut = values[0] + np.concatenate([[0.0], np.cumsum(held)])
    if np.abs(cut - values).max() > OFF_SECS / frame_time:
        return None
    return Warp(clock, cut)


def _held_paces(paces: np.ndarray, limit: float) -> np.ndarray:
    """The nearest paces within [1 / limit, limit] with the same sum: what is cut off is shared among the others."""
    total = float(paces.sum())
    low, high = float(np.min(paces)) - limit - 1.0, float(np.max(paces)) + limit + 1.0
    for _ in range(80):
        shift = 0.5 * (low + high)
        if np.clip(paces + shift, 1.0 / limit, limit).sum() < total:
            low = shift
        else:
            high = shift
    return np.clip(paces + high, 1.0 / limit, limit)


def limited_slopes(warp: Warp, clock: np.ndarray, limit: float) -> np.ndarray:
    """The slopes (U,) of a warp along the clock; a curve through paces within the limit may pass it by a little."""
    return np.clip(warp.slope(clock), 1.0 / limit, limit)
