"""Flight: with nothing on the ground the centre of mass falls freely, and the body keeps its angular momentum."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionary.dynamics.centre import check_fits, spins
from motionary.dynamics.masses import Masses
from motionary.dynamics.support import checked_contacts
from motionary.motion import GRAVITY, Motion, rotations
from motionary.rig import SIDES, Body

SHORTEST = 4  # frames: a line through fewer says little
CLEARANCE = 0.03  # metres that the lowest joint must once be above the lowest contact: else the body lies or kneels
HAND = 0.14  # leg lengths that a hand reaches below its joint when it bears the body


@dataclass(frozen=True, eq=False)
class Flights:
    """The flight phases of a motion and how far they are from physics.

    `falls` (F,): metres of the centre of mass from the parabola of free fall that fits the flight best. `momenta` (F,):
    change of the angular momentum about the centre from its mean over the flight, as a share of mass · height ·
    √(g · height), the same for all sizes of body. Both are NaN in frames that do not fly.
    """

    spans: tuple[tuple[int, int], ...]  # frames [start, stop)
    falls: np.ndarray  # (F,)
    momenta: np.ndarray  # (F,) between this frame and the next; the flight's last frame repeats the one before

    @property
    def n_frames(self) -> int:
        return sum(stop - start for start, stop in self.spans)

    @property
    def fall_error(self) -> float:
        """Root mean square of `falls`, in metres; NaN without flight."""
        return _root_mean_square(self.falls)

    @property
    def momentum_error(self) -> float:
        """Root mean square of `momenta`; NaN without flight."""
        return _root_mean_square(self.momenta)


def flights(motion: Motion, masses: Masses, body: Body, contacts: np.ndarray) -> Flights:
    """The flights of a motion: no heel or toe touches the ground, by `contacts` (F, 2, 2), for four frames or more."""
    check_fits(motion, masses)
    contacts = checked_contacts(contacts, motion.n_frames)
    spans = tuple(flight_spans(motion, body, contacts))
    falls, momenta = np.full(motion.n_frames, np.nan), np.full(motion.n_frames, np.nan)
    centres = masses.centres_world(motion)
    unit = masses.height * np.sqrt(GRAVITY * masses.height)
    for start, stop in spans:
        falls[start:stop] = _fall_residuals(masses.shares @ centres[start:stop], motion.frame_time)
        momentum = momenta_between(
            centres[start:stop], motion.rotations_world[start:stop, masses.joints], masses, motion.frame_time
        )
        changes = np.linalg.norm(momentum - momentum.mean(axis=0), axis=1) / unit
        momenta[start : stop - 1], momenta[stop - 1] = changes, changes[-1]
    return Flights(spans, falls, momenta)


def flight_spans(motion: Motion, body: Body, contacts: np.ndarray) -> Iterator[tuple[int, int]]:
    """The intervals [start, stop) of flight: nothing stands, and once the whole body is clear of the ground."""
    feet = body.feet.world(motion)[..., 1]
    joints = (motion.positions_world[..., 1] - below_joints(body)).min(axis=1)
    lowest = np.minimum(joints, feet.min(axis=(1, 2)))
    ground = feet[contacts].min(initial=np.inf)
    off = np.concatenate([[False], ~contacts.any(axis=(1, 2)), [False]])
    edges = np.flatnonzero(off[1:] != off[:-1])
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        clear = not np.isfinite(ground) or lowest[start:stop].max() > ground + CLEARANCE
        if stop - start >= SHORTEST and clear:
            yield start, stop


def below_joints(body: Body) -> np.ndarray:
    """How far the body reaches below each joint (J,) that may bear it: hands do, elsewhere joints are near the skin."""
    below = np.zeros(body.skeleton.n_joints)
    for side in SIDES:
        hand = body.body_map.get(f"{side}Hand")
        if hand is not None:
            below[hand] = HAND * body.leg_length
    return below


def momenta_between(centres: np.ndarray, rotations_world: np.ndarray, masses: Masses, frame_time: float) -> np.ndarray:
    """Angular momenta (F − 1, 3) about the centre of mass half-way between frames, per kilogram; nothing smoothed."""
    middles, velocities = 0.5 * (centres[1:] + centres[:-1]), np.diff(centres, axis=0) / frame_time
    from_centre = middles - (masses.shares @ middles)[:, None]
    orbits = masses.shares @ np.cross(from_centre, velocities - (masses.shares @ velocities)[:, None])
    turns = rotations.multiply(rotations_world[1:], rotations.inverse(rotations_world[:-1]))
    angular = 2.0 * np.where(turns[..., :1] < 0.0, -1.0, 1.0) * turns[..., 1:] / frame_time
    half_way = rotations.slerp(rotations_world[:-1], rotations_world[1:], 0.5)
    return orbits + spins(masses, half_way, angular).sum(axis=1)


def _fall_residuals(centre: np.ndarray, frame_time: float) -> np.ndarray:
    """Distances (n,) of the centre (n, 3) from the nearest parabola of free fall."""
    times = (np.arange(len(centre)) - 0.5 * (len(centre) - 1)) * frame_time
    straight = np.array(centre)
    straight[:, 1] += 0.5 * GRAVITY * times**2
    straight -= straight.mean(axis=0)
    return np.linalg.norm(straight - np.outer(times, times @ straight / (times @ times)), axis=1)


def _root_mean_square(values: np.ndarray) -> float:
    flying = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(flying**2))) if len(flying) else float("nan")
