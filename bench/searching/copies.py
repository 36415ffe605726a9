"""Copies of a segment that are not quite it: noise, local time warps, stretch; and libraries they are planted in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from motionary.bank import Bank
from motionary.features import at_search_rate, features_of
from motionary.library import LibraryFeatures
from motionary.motion import Motion, Segment, poses_at, rotations
from motionary.rig import Body, body_of
from motionary.search.examples import Rows

CONTEXT = 15  # frames before and after, so that what is described over several frames knows them
NOISE_FRAMES = 5  # over which noise is smoothed: a body has mass
MOST_VIGOUR = 2.0  # of a warp: the logarithm of its fastest pace, before the whole is made to fit
MARGIN = 15  # frames between two planted copies


@dataclass(frozen=True)
class Change:
    """How a copy differs from its original."""

    kind: str
    strength: int  # from 0
    noise_deg: float = 0.0  # deviation of every joint, about every axis
    warp: float = 0.0  # farthest way of a frame in time, as a share of the original
    stretch: float = 0.0  # how much longer or shorter, either by chance


@dataclass(frozen=True)
class Planted:
    """A copy, and where it is in the library, in search frames."""

    original: int  # number of the query
    change: Change
    clip_id: int
    start: int
    stop: int

    def is_found_at(self, clip_id: int, start: int, stop: int) -> bool:
        """Whether a match covers it: both together have at most twice the frames that they share."""
        shared = min(stop, self.stop) - max(start, self.start)
        together = max(stop, self.stop) - min(start, self.start)
        return clip_id == self.clip_id and 2 * shared >= together


class Copier:
    """Makes copies of segments of a bank, as features."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._acted = cache(self._read)

    def _read(self, clip_id: int) -> tuple[Motion, Body]:
        motion = self._bank.motion(clip_id)
        return at_search_rate(motion)[0], body_of(motion.skeleton, motion=motion)

    def copy(self, segment: tuple[int, int, int], change: Change, rng: np.random.Generator) -> Rows:
        """Features (p, D), by description, of a changed copy of search frames (clip, start, stop)."""
        clip_id, start, stop = segment
        motion, body = self._acted(clip_id)
        n_frames = stop - start
        length = round(n_frames * (1.0 + change.stretch * rng.choice([-1.0, 1.0])))
        times = warped(np.linspace(0.0, n_frames - 1.0, length), change.warp * n_frames, rng)
        before, after = times[0] - np.arange(CONTEXT, 0, -1), times[-1] + np.arange(1, CONTEXT + 1)
        played = poses_at(motion, start + np.concatenate([before, times, after]))
        if change.noise_deg:
            played = replace(played, rotations=_noisy(played.rotations, np.deg2rad(change.noise_deg), rng))
        described = features_of(played, body)
        return {name: array[CONTEXT : CONTEXT + length] for name, array in described.arrays.items()}


def warped(times: np.ndarray, farthest: float, rng: np.random.Generator) -> np.ndarray:
    """The same span at a pace that goes up and down; no frame is farther than `farthest` from where it was."""
    if farthest <= 0:
        return times
    paces = np.linspace(0.0, 1.0, len(times) - 1)

    def at(vigour: float, pace: np.ndarray) -> np.ndarray:
        steps = np.exp(vigour * pace)
        passed = np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])
        return times[0] + passed * (times[-1] - times[0])

    while True:
        waves = np.stack([np.sin(np.pi * (m * paces + rng.random())) for m in (1, 2, 3, 4)])
        pace = rng.normal(size=4) @ waves
        pace /= np.abs(pace).max()
        if np.abs(at(MOST_VIGOUR, pace) - times).max() >= farthest:  # some paces never lead so far
            break
    low, high = 0.0, MOST_VIGOUR
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.abs(at(middle, pace) - times).max() < farthest else (low, middle)
    return at(low, pace)


def _noisy(turned: np.ndarray, deviation: float, rng: np.random.Generator) -> np.ndarray:
    """Rotations (F, J, 4) with smooth noise of that deviation."""
    n_frames, n_joints, _ = turned.shape
    white = rng.normal(size=(n_frames + 4 * NOISE_FRAMES, n_joints, 3))
    kernel = np.hanning(2 * NOISE_FRAMES + 1)
    kernel /= np.sqrt((kernel**2).sum())
    smooth = np.apply_along_axis(lambda column: np.convolve(column, kernel, "valid"), 0, white)[:n_frames]
    return rotations.continuous(rotations.multiply(turned, rotations.from_rotation_vector(deviation * smooth)))


def planted_library(
    features: LibraryFeatures,
    segments: Sequence[tuple[int, int, int]],
    changes: Sequence[Change],
    copier: Copier,
    rng: np.random.Generator,
    *,
    names: Sequence[str],
) -> tuple[LibraryFeatures, list[Planted]]:
    """The library with one copy of every segment for every change, each in a random place of another clip."""
    arrays = {name: np.array(features.arrays[name]) for name in names}
    taken = {clip_id: [(start - MARGIN, stop + MARGIN)] for clip_id, start, stop in segments}
    planted = []
    for number, segment in enumerate(segments):
        for change in changes:
            rows = copier.copy(segment, change, rng)
            length = len(next(iter(rows.values())))
            clip_id, start = _free_place(features, length, taken, rng, but=segment[0])
            taken.setdefault(clip_id, []).append((start - MARGIN, start + length + MARGIN))
            first = int(features.starts[features.number(clip_id)]) + start
            for name, array in arrays.items():
                array[first : first + length] = rows[name]
            planted.append(Planted(number, change, clip_id, start, start + length))
    return replace(features, arrays=arrays, folder=None), planted


def _free_place(
    features: LibraryFeatures,
    length: int,
    taken: dict[int, list[tuple[int, int]]],
    rng: np.random.Generator,
    *,
    but: int,
) -> tuple[int, int]:
    """A random place of a clip where nothing was planted yet."""
    room = np.maximum(features.n_frames - length + 1, 0)
    edges = np.concatenate([[0], np.cumsum(room)])
    for _ in range(10_000):
        place = int(rng.integers(edges[-1]))
        c = int(np.searchsorted(edges, place, side="right")) - 1
        clip_id, start = int(features.clip_ids[c]), int(place - edges[c])
        spans = taken.get(clip_id, [])
        if clip_id != but and all(start + length <= first or start >= stop for first, stop in spans):
            return clip_id, start
    raise SystemExit(f"the library is too small: no place for {sum(map(len, taken.values()))} copies; try --queries 2")


def search_frames(features: LibraryFeatures, segment: Segment) -> tuple[int, int, int]:
    """A segment's clip and its frames at the search rate."""
    rates = features.rates[features.number(segment.clip_id)]
    return (segment.clip_id, *rates.search_segment(segment.start, segment.stop))
