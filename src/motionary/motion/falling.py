"""The frame rate that a falling body tells: in flight its centre falls with g, whatever the limbs do."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionary.motion.motion import Motion
from motionary.motion.skeleton import Skeleton

GRAVITY = 9.81  # m/s²
BODY_HEIGHTS = (0.9, 2.8)  # metres from the lowest to the highest joint, once in the motion; else no human
FLOOR_SHARE = 0.1  # of the frames have their lowest joint on the floor
OFF_GROUND, HIGH_FLIGHT = 0.04, 0.06  # metres of the lowest joint above it: all through, and once
SHORTEST_FLIGHT = 6  # frames
PARABOLA_ERROR = 0.025  # root mean square, as a share of the parabola's height
# Falls faster than FAST g or slower than SLOW g contradict the rate; in between the body's shape, arms held
# and hands on things explain them. Slow falls are also what supported bodies do, so they need to be clearer.
FAST, SLOW, SLOWEST = 2.6, 0.33, 0.18
STRAIGHT_FAST, STRAIGHT_SLOW = 0.15, 0.08  # sideways acceleration, as a share of the fall's
SLOW_SECS, SLOW_HIGH, SLOW_FRAMES = 0.3, 0.1, 8
RATE_FACTORS = (1 / 4, 1 / 3, 1 / 2, 1, 2)


@dataclass(frozen=True, slots=True)
class Flight:
    """Frames [start, stop) with nothing on the ground, and the parabola that fits the body's centre there."""

    start: int
    stop: int
    fall: float  # m/s² downwards
    sideways: float  # m/s²
    error: float  # root mean square distance from the parabola, as a share of its height
    height: float  # of the lowest joint above the floor, at most

    @property
    def is_parabola(self) -> bool:
        return self.fall > 0 and self.error < PARABOLA_ERROR and self.sideways < STRAIGHT_FAST * self.fall


def suggested_rate(motion: Motion, *, ignored: np.ndarray | None = None) -> float | None:
    """The rate in Hz that the falls of the body ask for, or None where they fit or there are none.

    `ignored` (F,) marks frames that hold no capture.
    """
    clear = [flight for flight in flights(motion, ignored=ignored) if flight.is_parabola]
    if not clear:
        return None
    fall = float(np.median([flight.fall for flight in clear])) / GRAVITY
    if fall < FAST and not (SLOWEST < fall < SLOW and all(_is_clear_slow_fall(f, motion) for f in clear)):
        return None
    factor = min(RATE_FACTORS, key=lambda factor: abs(np.log(factor * np.sqrt(fall))))
    return motion.rate_hz * factor


def flights(motion: Motion, *, ignored: np.ndarray | None = None) -> list[Flight]:
    """The flights of a human body, both ends inside the motion."""
    positions = motion.positions_world
    lowest = positions[..., 1].min(axis=1)
    captured = np.ones(motion.n_frames, dtype=bool) if ignored is None else ~ignored
    if captured.sum() < SHORTEST_FLIGHT + 2:
        return []
    floor = np.partition(lowest[captured], rank := int(FLOOR_SHARE * captured.sum()))[rank]
    off_ground = (lowest > floor + OFF_GROUND) & captured
    spans = list(_inner_runs(off_ground))
    spans = [(a, b) for a, b in spans if b - a >= SHORTEST_FLIGHT and lowest[a:b].max() > floor + HIGH_FLIGHT]
    if not spans or not _is_human_size(positions[captured], lowest[captured]):
        return []
    weights = centre_weights(motion.skeleton)
    return [
        _fit(start, stop, weights @ positions[start:stop], motion.frame_time, lowest[start:stop].max() - floor)
        for start, stop in spans
    ]


def centre_weights(skeleton: Skeleton) -> np.ndarray:
    """Shares (J,) of the joints in the body's mass, guessed from lengths: a bone is thick if much hangs on it."""
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    lengths[0] = 0.0
    below = np.array(lengths)  # of the bone to each joint and of all bones beyond
    np.add.at(below, skeleton.end_site_joints, np.linalg.norm(skeleton.end_site_offsets, axis=1))
    for joint in range(skeleton.n_joints - 1, 0, -1):
        below[skeleton.parents[joint]] += below[joint]
    masses = lengths * below
    weights = np.array(masses)
    np.add.at(weights, skeleton.parents[1:], masses[1:])
    total = weights.sum()
    return weights / total if total > 0 else np.full(skeleton.n_joints, 1.0 / skeleton.n_joints)


def _is_clear_slow_fall(flight: Flight, motion: Motion) -> bool:
    n_frames = flight.stop - flight.start
    return (
        flight.sideways < STRAIGHT_SLOW * flight.fall
        and flight.height > SLOW_HIGH
        and n_frames >= SLOW_FRAMES
        and n_frames * motion.frame_time > SLOW_SECS
    )


def _is_human_size(positions: np.ndarray, lowest: np.ndarray) -> bool:
    height = (positions[..., 1].max(axis=1) - lowest).max()
    return bool(BODY_HEIGHTS[0] < height < BODY_HEIGHTS[1])


def _fit(start: int, stop: int, centre: np.ndarray, frame_time: float, height: float) -> Flight:
    """Least squares with the polynomials 1, t and t² − mean, which are orthogonal on evenly spaced times."""
    times = (np.arange(stop - start) - 0.5 * (stop - start - 1)) * frame_time
    bend = times**2 - np.mean(times**2)
    acceleration = 2.0 * (bend @ centre) / (bend @ bend)  # (3,)
    rest = centre[:, 1] - centre[:, 1].mean()
    rest = rest - times * (times @ rest) / (times @ times) - 0.5 * acceleration[1] * bend
    tall = 0.5 * abs(acceleration[1]) * times[-1] ** 2
    return Flight(
        start,
        stop,
        float(-acceleration[1]),
        float(np.hypot(acceleration[0], acceleration[2])),
        float(np.sqrt(np.mean(rest**2)) / tall) if tall > 0 else np.inf,
        float(height),
    )


def _inner_runs(mask: np.ndarray) -> Iterator[tuple[int, int]]:
    """The intervals [start, stop) in which the mask is true, except those at the ends."""
    edges = np.flatnonzero(mask[1:] != mask[:-1]) + 1
    first = 0 if not mask[0] else 1
    yield from zip(edges[first::2].tolist(), edges[first + 1 :: 2].tolist(), strict=False)
