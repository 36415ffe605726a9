"""Placements along the clock: the turns and moves that bring the poses of all sources together."""

from collections.abc import Sequence

import numpy as np

from motionary.blend.sources import BlendSource
from motionary.motion import headings, placements_between

TURN_SECS = 0.10  # over which placements are averaged
TURN_WITHIN = np.radians(60.0)  # of what the bodies' headings say: a pose that fits another way is misread


def placements_along(
    sources: Sequence[BlendSource], points: Sequence[np.ndarray], curves: np.ndarray, reference: int
) -> tuple[np.ndarray, np.ndarray]:
    """Turns (N, U) and moves (N, U, 2) that bring the sources' poses onto the reference's along the clock.

    `points` are the clouds (F, P, 3) of the sources, `curves` (N, U) their frames.
    """
    n_clock, smoothing = curves.shape[1], TURN_SECS / sources[0].motion.frame_time
    onto = _points_at(points[reference], curves[reference])
    facing = [facing_at(source, curve) for source, curve in zip(sources, curves, strict=True)]
    turns, moves = np.zeros((len(points), n_clock)), np.zeros((len(points), n_clock, 2))
    for i, own in enumerate(points):
        if i == reference:
            continue
        here = _points_at(own, curves[i])
        # The turn is averaged over time; the move that belongs to it brings the means of the points together.
        turns[i] = _averaged(
            likely_turns(placements_between(here, onto).thetas, facing[reference] - facing[i]), smoothing
        )
        here, there = here.mean(axis=1), onto.mean(axis=1)
        cosine, sine = np.cos(turns[i]), np.sin(turns[i])
        moves[i, :, 0] = there[:, 0] - (cosine * here[:, 0] + sine * here[:, 2])
        moves[i, :, 1] = there[:, 2] - (cosine * here[:, 2] - sine * here[:, 0])
    return turns, moves


def facing_at(source: BlendSource, frames: np.ndarray) -> np.ndarray:
    """Which way a source faces (U,) at frames that need not be whole."""
    hips = source.body.body_map.hips
    facing = headings(source.motion.rotations_world[:, hips], source.body.rest_world[hips])
    return np.interp(frames, np.arange(len(facing)), facing)


def facing_along(source: BlendSource, frames: np.ndarray) -> np.ndarray:
    """Which way a source faces (U,) at frames that follow each other, averaged as turns are; at both ends as it is."""
    return _averaged(facing_at(source, frames), TURN_SECS / source.motion.frame_time)


def likely_turns(fitted: np.ndarray, faced: np.ndarray) -> np.ndarray:
    """Turns (U,) that bring points together, where the ways that the bodies face agree with them.

    Two poses that are unlike (one leg ahead, then the other) may fit best the wrong way round; followed over time, that
    becomes a full turn. What a fit differs from the difference of headings counts less and less beyond `TURN_WITHIN`,
    and not at all where it is opposite.
    """
    off = (fitted - faced + np.pi) % (2.0 * np.pi) - np.pi
    beyond = TURN_WITHIN * (np.pi - np.abs(off)) / (np.pi - TURN_WITHIN)
    return np.asarray(faced + np.where(np.abs(off) <= TURN_WITHIN, off, np.sign(off) * beyond))


def _points_at(points: np.ndarray, frames: np.ndarray) -> np.ndarray:
    before = np.clip(frames.astype(int), 0, max(len(points) - 2, 0))
    after = np.minimum(before + 1, len(points) - 1)
    share = (frames - before)[:, None, None]
    return np.asarray((1.0 - share) * points[before] + share * points[after])


def _averaged(values: np.ndarray, sigma: float) -> np.ndarray:
    reach = min(int(np.ceil(3.0 * sigma)), len(values) - 1)
    if reach < 1:
        return values
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    padded = np.pad(values, reach, mode="reflect", reflect_type="odd")
    return np.convolve(padded, kernel / kernel.sum(), mode="valid")
