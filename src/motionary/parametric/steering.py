"""Steering: parameters that change while the motion goes on; cycles that never end."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.blend import BlendSource, Loop, Registration, unrolled, write_blend
from motionary.errors import UsageError
from motionary.motion import Motion, Placement, headings, write_poses
from motionary.parametric.parametric import ParametricMotion
from motionary.plants import CleanOptions, Plant, clean

CONTROL_SECS = 0.1  # how often weights are asked for; between, they change evenly


@dataclass(frozen=True, eq=False)
class Steered:
    """A motion that followed parameters over time."""

    motion: Motion
    plants: tuple[Plant, ...]
    clock: np.ndarray  # (F,) u, counted on over the rounds
    weights: np.ndarray  # (F, N)
    wanted: np.ndarray  # (F, D)


def loop_source(name: str, loop: Loop, source: BlendSource) -> BlendSource:
    """A closed loop as an example: one round, and its first pose once more."""
    motion = loop.rounds(1)
    plants = tuple(plant for plant in loop.plants if plant.stop <= motion.n_frames)
    return BlendSource(name, motion, source.body, plants)


def steer(
    parametric: ParametricMotion,
    path: Sequence[Sequence[float]] | np.ndarray,
    *,
    secs: float,
    start: Placement | None = None,
    clean_up: bool = True,
) -> Steered:
    """The motion that follows parameters (K, D), evenly spread over `secs` seconds.

    Weights change continuously, at every frame. A cyclic parametric motion goes on round after round; any other ends
    with its examples, whatever `secs` says.
    """
    points = np.atleast_2d(np.asarray(path, dtype=float))
    registration = parametric.registration
    if points.shape[1] != len(parametric.parameters):
        raise UsageError(f"a path needs {len(parametric.parameters)} parameters at each moment, not {points.shape[1]}")
    if not (np.isfinite(secs) and secs > 0.0):
        raise UsageError(f"a duration of {secs:g} s is not possible; it must be above 0")
    n_frames = max(2, round(secs / registration.frame_time) + 1)
    weights, wanted = _weights_over_time(parametric, points, n_frames)
    clock = np.empty(n_frames)
    n_used = int(write_clock(registration.curves, registration.slopes, weights, parametric.cyclic, clock))
    clock, weights, wanted = clock[:n_used], weights[:n_used], wanted[:n_used]
    motion = _blended(registration, clock, weights, start or Placement())
    plants = _plants(registration, clock, motion)
    if clean_up and plants:
        cleaned = clean(motion, plants, registration.body, options=CleanOptions(places="motion"))
        motion = cleaned.motion
    return Steered(motion, plants, clock, weights, wanted)


def _weights_over_time(
    parametric: ParametricMotion, points: np.ndarray, n_frames: int
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (F, N), and the parameters (F, D) that they are for."""
    at = np.linspace(0.0, len(points) - 1.0, n_frames)
    wanted = np.stack([np.interp(at, np.arange(len(points)), points[:, d]) for d in range(points.shape[1])], axis=1)
    every = max(1, round(CONTROL_SECS / parametric.registration.frame_time))
    control = np.unique([*range(0, n_frames, every), n_frames - 1])
    asked = np.array([parametric.ask(wanted[f]).weights for f in control])
    frames = np.arange(n_frames)
    return np.stack([np.interp(frames, control, asked[:, i]) for i in range(asked.shape[1])], axis=1), wanted


def _blended(registration: Registration, clock: np.ndarray, weights: np.ndarray, start: Placement) -> Motion:
    used = np.flatnonzero((weights != 0.0).any(axis=0))
    n_frames, last = len(clock), registration.n_clock - 1.0
    rounds = np.floor(clock / last)
    rounds = np.where((clock > 0) & (clock % last == 0) & (clock == clock[-1]), rounds - 1, rounds)  # ends on a seam
    within = clock - rounds * last
    motions = [registration.sources[int(i)].motion for i in used]
    n_joints, n_moving = motions[0].skeleton.n_joints, len(motions[0].moving_joints)
    root, local = np.empty((len(used), n_frames, 3)), np.empty((len(used), n_frames, n_joints, 4))
    translations, facing = np.empty((len(used), n_frames, n_moving, 3)), np.empty((len(used), n_frames))
    rest = registration.body.rest_world[0]
    reference = registration.sources[registration.reference].motion
    common = _turn_of(reference, rest)
    for k, (number, motion) in enumerate(zip(used.tolist(), motions, strict=True)):
        turn = _turn_of(motion, rest)
        step = motion.root_positions[-1] - motion.root_positions[0]
        whole = motion
        if rounds[-1] > 0:
            placement = Placement(turn, float(step[0]), float(step[2]))
            whole = unrolled(motion.slice(0, motion.n_frames - 1), placement, int(rounds[-1]) + 1)
        frames = registration.warp(number)(within) + rounds * (motion.n_frames - 1)
        write_poses(
            whole.root_positions,
            whole.rotations,
            np.ascontiguousarray(whole.joint_translations),
            np.ascontiguousarray(frames),
            root[k],
            local[k],
            translations[k],
        )
        own = np.interp(within, np.arange(registration.n_clock), registration.headings[number])
        facing[k] = own + rounds * (turn - common)  # continuous over the seams; what all have in common cancels
    shares = np.ascontiguousarray(weights[:, used])
    shares /= shares.sum(axis=1, keepdims=True)
    out_root, out_local = np.empty((n_frames, 3)), np.empty((n_frames, n_joints, 4))
    out_translations, out_facing = np.empty((n_frames, n_moving, 3)), np.empty(n_frames)
    refused = write_blend(
        root,
        local,
        translations,
        facing,
        shares[None],
        np.zeros(n_joints, dtype=np.int64),
        np.array([start.theta, start.x, start.z]),
        np.empty((len(used), 4)),
        out_root,
        out_local,
        out_translations,
        out_facing,
    )
    if refused >= 0:
        raise UsageError("the examples on this path are too far apart to be extrapolated; stay inside of the region")
    return Motion(
        motions[0].skeleton, registration.frame_time, out_root, out_local, motions[0].moving_joints, out_translations
    )


def _turn_of(motion: Motion, rest: np.ndarray) -> float:
    """By how much a motion turns from its first frame to its last."""
    facing = headings(motion.rotations[:, 0], rest)
    return float(facing[-1] - facing[0])


def _plants(registration: Registration, clock: np.ndarray, motion: Motion) -> tuple[Plant, ...]:
    """The shared plants of every round, in frames; those that go on over a seam are one."""
    last = registration.n_clock - 1.0
    points = registration.body.feet.world(motion)
    spans: dict[tuple[str, str], list[list[int]]] = {}
    for number in range(int(clock[-1] // last) + 1):
        for shared in registration.plants:
            start = int(np.searchsorted(clock, number * last + shared.start - 0.5))
            stop = int(np.searchsorted(clock, number * last + min(shared.stop, last + 1.0) - 0.5))
            if stop <= start:
                continue
            own = spans.setdefault((shared.foot, shared.part), [])
            if own and start <= own[-1][1] + 1:
                own[-1][1] = max(own[-1][1], stop)
            else:
                own.append([start, stop])
    plants = []
    for (foot, part), own in sorted(spans.items()):
        i, k = ("left", "right").index(foot), ("heel", "toe").index(part)
        for start, stop in own:
            x, y, z = np.median(points[start:stop, i, k], axis=0).tolist()
            plants.append(Plant(foot, part, start, stop, (x, y, z), "blend"))  # type: ignore[arg-type]
    return tuple(sorted(plants, key=lambda p: (p.start, p.foot, p.part)))


@njit(cache=True, nogil=True)
def write_clock(curves, slopes, weights, cyclic, clock):  # type: ignore[no-untyped-def]
    """u (F,) of every frame for weights (F, N): du = 1 / Σ w s′; returns how many frames there are."""
    n_sources, n_clock = curves.shape
    last = n_clock - 1.0
    u = 0.0
    for f in range(len(clock)):
        clock[f] = u
        middle = u
        pace = 1.0
        for _ in range(2):  # by the pace in the middle of the step
            within = middle - last * np.floor(middle / last)
            k = min(int(within), n_clock - 2)
            share = within - k
            pace, slowest, fastest = 0.0, np.inf, 0.0
            for i in range(n_sources):
                slope = (1.0 - share) * slopes[i, k] + share * slopes[i, k + 1]
                if weights[f, i] != 0.0:
                    pace += weights[f, i] * slope
                    slowest, fastest = min(slowest, slope), max(fastest, slope)
            pace = min(max(pace, slowest), fastest)
            middle = u + 0.5 / pace
        u += 1.0 / pace
        if not cyclic and u > last + 1e-6:
            return f + 1
    return len(clock)
