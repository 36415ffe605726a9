"""Blends of registered motions: weights, time, and feet that stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit

from motionary.alignment import write_unwarped, write_warped
from motionary.blend.families import names_of
from motionary.blend.grounding import above_ground, tipped_above_ground
from motionary.blend.groups import joint_groups
from motionary.blend.opposites import without_opposites
from motionary.blend.poses import WEIGHTS_WITHIN, write_blend
from motionary.blend.registration import Registration
from motionary.errors import ExtrapolationError, UsageError
from motionary.motion import Motion, Placement, placement_onto, write_poses
from motionary.naturalness import Naturalness, score
from motionary.plants import Cleaned, CleanOptions, HeldPlant, Plant, clean


@dataclass(frozen=True, eq=False)
class Blend:
    """A blended motion: where on the clock its frames are, what they were made of, and how its feet stand."""

    motion: Motion
    plants: tuple[Plant, ...]
    clock: np.ndarray  # (F,) u of every frame
    weights: np.ndarray  # (F, N)
    headings: np.ndarray  # (F,) which way it faces, by the registration's headings
    registration: Registration
    held: tuple[HeldPlant, ...] = ()  # what cleaning up did to the plants

    @cached_property
    def source_frames(self) -> np.ndarray:
        """(N, F) the frames of the sources that went into it."""
        sources = range(self.registration.n_sources)
        return np.stack([self.registration.warp(i)(self.clock) for i in sources])

    @cached_property
    def naturalness(self) -> Naturalness:
        """How natural the blend is, by its own plants."""
        return score(self.motion, self.plants, body=self.registration.body)

    def as_json(self) -> dict[str, Any]:
        used = np.flatnonzero(np.abs(self.weights).max(axis=0) > 0)
        return {
            "frames": self.motion.n_frames,
            "rate_hz": round(self.motion.rate_hz, 4),
            "secs": round(self.motion.duration_secs, 4),
            "weights": {self.registration.names[i]: round(float(self.weights[:, i].mean()), 6) for i in used},
            "plants": len(self.plants),
            "not_held": sum(not held.held for held in self.held),
            "score_cm": round(100.0 * self.naturalness.score, 3)
            if self.naturalness.score == self.naturalness.score
            else None,
            "slide_cm": None
            if self.naturalness.slide_worst != self.naturalness.slide_worst
            else round(100.0 * self.naturalness.slide_worst, 4),
        }


def blend(
    registration: Registration,
    weights: Sequence[float] | np.ndarray,
    *,
    groups: Mapping[str, Sequence[float] | np.ndarray] | None = None,
    start: Placement | None = None,
    clean_up: bool = True,
    options: CleanOptions | None = None,
) -> Blend:
    """The blend of registered motions by weights (N,), or by weights over time (K, N): K moments evenly spread on the
    clock, with straight lines between. Weights sum to 1 and may be below 0.

    `groups` gives parts of the body (`"arms"`, `"left leg"`, a joint's name with all below it) weights of their own;
    time and the root go by `weights`. The blend starts at `start`, or where and as the reference does. With `clean_up`
    the shared plants are held still, and feet stay above the ground; a blend that is one source alone is that source,
    and is not touched.
    """
    shares = clock_weights(weights, registration)
    used = np.flatnonzero((shares != 0.0).any(axis=0))
    layers = [shares]
    of_joint = np.zeros(registration.body.skeleton.n_joints, dtype=np.int64)
    for name, own in (groups or {}).items():
        of_joint[joint_groups(registration.body, name)] = len(layers)
        layers.append(clock_weights(own, registration))
    if len(layers) > 1:
        used = np.flatnonzero((np.stack(layers) != 0.0).any(axis=(0, 1)))
    stacked = np.ascontiguousarray(np.stack(layers)[:, :, used])
    poses = blended_frames(registration, stacked, used, of_joint, start)
    motion = Motion(
        registration.sources[0].motion.skeleton,
        registration.frame_time,
        poses.root,
        poses.local,
        registration.sources[0].motion.moving_joints,
        poses.translations,
    )
    full = np.zeros((motion.n_frames, registration.n_sources))
    full[:, used] = poses.weights
    ground = registration.ground(full) if clean_up and len(used) > 1 else None
    if ground is not None:
        motion = above_ground(motion, registration.body, ground)
    feet = [layers[of_joint[joint]] for joint in registration.body.feet.joints[:, 0]]
    plants = _plants_at(registration, shares, feet, poses.clock, motion)
    result = Blend(motion, plants, poses.clock, full, poses.headings, registration)
    if len(used) == 1:
        alone = registration.sources[int(used[0])]
        if motion.n_frames != alone.motion.n_frames:
            return result
        came_from, faced = alone.motion.root_positions[0], float(registration.headings[int(used[0]), 0])
        moved = placement_onto(came_from, faced, motion.root_positions[0], float(poses.headings[0]))
        places = [tuple(moved.apply(np.array(plant.place)).tolist()) for plant in alone.plants]
        stands = [replace(plant, place=place) for plant, place in zip(alone.plants, places, strict=True)]
        return replace(result, plants=tuple(stands))
    if not clean_up or not plants:
        return result
    cleaned = clean(motion, plants, registration.body, options=options or CleanOptions())
    motion, held = cleaned.motion, [one.plant for one in cleaned.plants if one.held]
    if ground is not None:
        motion = tipped_above_ground(motion, registration.body, ground, held)
    return replace(result, motion=motion, plants=stood_plants(cleaned), held=cleaned.plants)


def stood_plants(cleaned: Cleaned) -> tuple[Plant, ...]:
    """The plants of a cleaned motion, where its feet stand now; those that could not be held are as they were."""
    return tuple(replace(held.plant, place=held.place) if held.held else held.plant for held in cleaned.plants)


@dataclass(frozen=True, eq=False)
class BlendedFrames:
    """The arrays of a blend before its feet are held."""

    clock: np.ndarray  # (F,)
    weights: np.ndarray  # (F, K) of the sources used
    root: np.ndarray  # (F, 3)
    local: np.ndarray  # (F, J, 4)
    translations: np.ndarray  # (F, M, 3)
    headings: np.ndarray  # (F,)


def blended_frames(
    registration: Registration, weights: np.ndarray, used: np.ndarray, of_joint: np.ndarray, start: Placement | None
) -> BlendedFrames:
    """The blend of the sources `used` (K,) by weights (G, U, K) on the clock."""
    clock_knots = np.arange(registration.n_clock, dtype=float)
    clock = frame_clock(registration.curves[used], registration.slopes[used], weights[0])
    n_frames, n_used = len(clock), len(used)
    motions = [registration.sources[int(i)].motion for i in used]
    n_joints, n_moving = motions[0].skeleton.n_joints, len(motions[0].moving_joints)
    root, local = np.empty((n_used, n_frames, 3)), np.empty((n_used, n_frames, n_joints, 4))
    translations = np.empty((n_used, n_frames, n_moving, 3))
    facing, frames, slopes = np.empty((n_used, n_frames)), np.empty(n_frames), np.empty(n_frames)
    for k, (number, motion) in enumerate(zip(used.tolist(), motions, strict=True)):
        write_warped(clock_knots, registration.curves[number], registration.slopes[number], clock, frames, slopes)
        write_poses(
            motion.root_positions,
            motion.rotations,
            motion.joint_translations,
            frames,
            root[k],
            local[k],
            translations[k],
        )
        facing[k] = np.interp(clock, clock_knots, registration.headings[number])
    shares = np.empty((len(weights), n_frames, n_used))
    for g in range(len(weights)):
        if (weights[g] == weights[g, 0]).all():
            shares[g] = weights[g, 0]
        else:
            for k in range(n_used):
                shares[g, :, k] = np.interp(clock, clock_knots, weights[g, :, k])
        shares[g] /= shares[g].sum(axis=1, keepdims=True)
    if start is None:
        start = default_start(registration, weights[0, 0], used)
    out = BlendedFrames(
        clock,
        shares[0],
        np.empty((n_frames, 3)),
        np.empty((n_frames, n_joints, 4)),
        np.empty((n_frames, n_moving, 3)),
        np.empty(n_frames),
    )
    joint_shares, of_joint = without_opposites(local, facing, shares, of_joint, frame_time=registration.frame_time)
    refused = write_blend(
        root,
        local,
        translations,
        facing,
        joint_shares,
        of_joint,
        registration.loose_joints,
        np.array([start.theta, start.x, start.z]),
        np.empty((n_used, 4)),
        out.root,
        out.local,
        out.translations,
        out.headings,
    )
    if refused >= 0:
        frame, joint = divmod(int(refused), n_joints)
        raise ExtrapolationError(
            f"at frame {frame} the sources turn {motions[0].skeleton.names[joint]} over 150° apart, which cannot be "
            "extrapolated. Use weights from 0 to 1, or leave out the source that differs"
        )
    return out


def default_start(registration: Registration, weights: np.ndarray, used: np.ndarray) -> Placement:
    """Where a blend starts: with the reference; one source alone starts where it did."""
    alone = used[0] if len(used) == 1 else registration.reference
    root = registration.sources[int(alone)].motion.root_positions[0]
    del weights
    return Placement(float(registration.headings[int(alone), 0]), float(root[0]), float(root[2]))


def frame_clock(curves: np.ndarray, slopes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """u (F,) of the frames of a blend: its time runs by dt/du = Σ w s′, between the slowest and the fastest source.

    The last frame is the clock's end: a duration that is no whole number of frames is stretched or shortened to the
    next that is, by half a frame in all at most. `curves`, `slopes` (K, U) of the sources, `weights` (U, K).
    """
    n_clock = curves.shape[1]
    times, paces = np.empty(n_clock), np.empty(n_clock)
    write_times(np.ascontiguousarray(curves), np.ascontiguousarray(slopes), np.ascontiguousarray(weights), times, paces)
    frames = np.linspace(0.0, times[-1], max(1, round(float(times[-1]))) + 1)
    clock, room = np.empty_like(frames), np.empty_like(frames)
    write_unwarped(np.arange(n_clock, dtype=float), times, paces, frames, clock, room)
    return clock


def clock_weights(weights: Sequence[float] | np.ndarray, registration: Registration) -> np.ndarray:
    """Weights (U, N) at every frame of the clock, from constant ones (N,) or from K moments (K, N) evenly spread."""
    given = np.asarray(weights, dtype=float)
    n_clock, n_sources = registration.n_clock, registration.n_sources
    if given.ndim not in (1, 2) or given.shape[-1] != n_sources:
        n_given = given.shape[-1] if given.ndim in (1, 2) else f"an array of shape {given.shape}"
        names = names_of(registration.sources)
        raise UsageError(f"{n_sources} motions need {n_sources} weights, not {n_given}. The motions: {names}")
    if not np.isfinite(given).all():
        raise UsageError("a weight is not a finite number")
    sums = np.atleast_1d(given.sum(axis=-1))
    wrong = sums[np.argmax(np.abs(sums - 1.0))]
    if abs(wrong - 1.0) > WEIGHTS_WITHIN:
        raise UsageError(f"the weights of a blend must sum to 1; these sum to {wrong:g}")
    if given.ndim == 1:
        return np.tile(given, (n_clock, 1))
    if len(given) == 1:
        return np.tile(given[0], (n_clock, 1))
    at = np.linspace(0.0, len(given) - 1.0, n_clock)
    return np.stack([np.interp(at, np.arange(len(given)), given[:, i]) for i in range(n_sources)], axis=1)


def foot_place(points: np.ndarray, height: float) -> tuple[float, float, float]:
    """Where a plant is whose heel or toe is at points (F, 3): in their middle, at `height` if that is known."""
    x, y, z = points.mean(axis=0).tolist()
    return (x, y if np.isnan(height) else height, z)


def _plants_at(
    registration: Registration,
    weights: np.ndarray,
    feet: Sequence[np.ndarray],
    clock: np.ndarray,
    motion: Motion,
) -> tuple[Plant, ...]:
    """The shared plants of a blend by weights (U, N), and by those of both feet, in its frames: where it has its feet
    on average, as high as its sources do."""
    points = registration.body.feet.world(motion)
    plants = []
    for shared in registration.plants_for(feet):
        start = int(np.searchsorted(clock, shared.start - 0.5))
        stop = int(np.searchsorted(clock, shared.stop - 0.5))
        if shared.stop >= registration.n_clock:
            stop = motion.n_frames
        if stop > start:
            foot, part = ("left", "right").index(shared.foot), ("heel", "toe").index(shared.part)
            at = slice(int(shared.start), int(np.ceil(shared.stop)) + 1)
            height = registration.plant_height(shared, weights[at].mean(axis=0), feet[foot][at].mean(axis=0))
            place = foot_place(points[start:stop, foot, part], height)
            plants.append(Plant(shared.foot, shared.part, start, stop, place, "blend"))
    return tuple(plants)


@njit(cache=True, nogil=True)
def write_times(curves, slopes, weights, times, paces):  # type: ignore[no-untyped-def]
    """Times (U,) of a blend on the clock and their slopes, from curves and slopes (K, U) and weights (U, K)."""
    n_sources, n_clock = curves.shape
    times[0] = 0.0
    for u in range(n_clock):
        pace, slowest, fastest = 0.0, np.inf, 0.0
        step, least, most = 0.0, np.inf, 0.0
        for k in range(n_sources):
            pace += weights[u, k] * slopes[k, u]
            slowest, fastest = min(slowest, slopes[k, u]), max(fastest, slopes[k, u])
            if u > 0:
                by = curves[k, u] - curves[k, u - 1]
                step += 0.5 * (weights[u, k] + weights[u - 1, k]) * by
                least, most = min(least, by), max(most, by)
        paces[u] = min(max(pace, slowest), fastest)
        if u > 0:
            times[u] = times[u - 1] + min(max(step, least), most)
    for u in range(n_clock):  # no steeper than a monotone curve through the times may be
        flatter = np.inf
        if u > 0:
            flatter = times[u] - times[u - 1]
        if u + 1 < n_clock:
            flatter = min(flatter, times[u + 1] - times[u])
        paces[u] = min(paces[u], 2.0 * flatter)
