"""Registrations in which moments meet: what happens in all sources happens at one place on the clock."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionary.alignment import Warp
from motionary.blend.placing import placements_along
from motionary.blend.registration import Registration, with_shared_plants
from motionary.blend.slopes import limited_slopes, limited_warp
from motionary.blend.sources import cloud_of
from motionary.errors import UsageError
from motionary.motion import ease

APART = 2.0  # frames between moments: those nearer to each other cannot meet one by one


def meet(registration: Registration, frames: np.ndarray) -> Registration:
    """The registration, bent so that frames of the sources meet: those of each column of `frames` (N, K).

    They meet where the reference has its own. Of moments that come in another order in some source, or too close to
    each other or to the ends, the first ones count. A source that cannot be bent so far within the limit of slopes, or
    has to be moved by more than the limit allows, is left as it is.
    """
    frames = np.asarray(frames, dtype=float)
    if frames.ndim != 2 or len(frames) != registration.n_sources or not np.isfinite(frames).all():
        raise UsageError(f"{registration.n_sources} motions need as many rows of frames, not {frames.shape}")
    clock, limit = np.arange(registration.n_clock, dtype=float), registration.options.slope_limit
    own = np.array([registration.clock_at(registration.reference, frame) for frame in frames[registration.reference]])
    kept = _in_order(registration, frames, own)
    curves, slopes = registration.curves.copy(), registration.slopes.copy()
    for i in range(registration.n_sources):
        off = frames[i, kept] - registration.warp(i)(own[kept])
        bent = registration.curves[i] + _hats(clock, own[kept], off)
        if (np.diff(bent) <= 0.0).any():
            continue
        warp = limited_warp(Warp(clock, bent), clock, limit, frame_time=registration.frame_time)
        if warp is not None:
            curves[i], slopes[i] = warp(clock), limited_slopes(warp, clock, limit)
    points = [cloud_of(source) for source in registration.sources]
    turns, moves = placements_along(registration.sources, points, curves, registration.reference)
    return with_shared_plants(replace(registration, curves=curves, slopes=slopes, turns=turns, moves=moves))


def _in_order(registration: Registration, frames: np.ndarray, clock: np.ndarray) -> list[int]:
    """The columns whose moments follow each other in all sources, in order of time."""
    last = np.array([source.motion.n_frames - 1.0 for source in registration.sources])
    kept: list[int] = []
    for column in range(frames.shape[1]):
        around = sorted([*kept, column], key=lambda k: clock[k])
        ways = [np.zeros(len(last)), *(frames[:, k] for k in around), last]
        places = [0.0, *clock[around].tolist(), registration.n_clock - 1.0]
        if all((b - a >= APART).all() for a, b in pairwise(ways)) and all(b - a >= APART for a, b in pairwise(places)):
            kept = around
    return kept


def _hats(clock: np.ndarray, at: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """A smooth curve (U,) along the clock that is 0 at its ends and has these heights at places in between."""
    places, values = [clock[0], *at.tolist(), clock[-1]], [0.0, *heights.tolist(), 0.0]
    curve = np.zeros_like(clock)
    for (a, b), (low, high) in zip(pairwise(places), pairwise(values), strict=True):
        inside = (clock >= a) & (clock <= b)
        curve[inside] = low + (high - low) * ease((clock[inside] - a) / (b - a))
    return curve
