"""Steering: parameters that change while the motion goes on; cycles that never end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from motionary.alignment import write_unwarped, write_warped
from motionary.blend import (
    BlendSource,
    Loop,
    Registration,
    above_ground,
    foot_place,
    frame_clock,
    stood_plants,
    tipped_above_ground,
    unrolled,
    without_opposites,
    write_blend,
    write_times,
)
from motionary.errors import ExtrapolationError, UsageError
from motionary.motion import Motion, Placement, headings, mask_intervals, write_poses
from motionary.naturalness import Naturalness, score
from motionary.parametric.parametric import ParametricMotion
from motionary.parametric.sampling import differences
from motionary.parametric.views import inside
from motionary.plants import Foot, FootPart, Plant, clean, cut_plants, part_contacts_of_plants

CONTROL_SECS = 0.1  # how often weights are asked for; between, they change evenly
PATH_SECS = 5.0  # that a path takes if nothing else is said
EASED = 4  # how many of these before and after are averaged


@dataclass(frozen=True, eq=False)
class Steered:
    """A motion that followed parameters over time."""

    motion: Motion
    plants: tuple[Plant, ...]
    clock: np.ndarray  # (F,) u, counted on over the rounds
    weights: np.ndarray  # (F, N)
    wanted: np.ndarray  # (F, D)
    got: np.ndarray  # (F, D) parameters of the whole motion, had it the weights of that frame throughout
    projected: np.ndarray  # (F,) whether what was wanted lies outside of what can be reached
    parametric: ParametricMotion

    @cached_property
    def errors(self) -> np.ndarray:
        """(F, D) got minus wanted, angles by the shorter way."""
        return differences(self.got, self.wanted, self.parametric.samples.turns)

    @cached_property
    def naturalness(self) -> Naturalness:
        """How natural the motion is, by its own plants."""
        return score(self.motion, self.plants, body=self.parametric.registration.body)

    def as_json(self) -> dict[str, Any]:
        """The path at every tenth of a second: what was asked for, and what the weights there give; the largest errors;
        and the share of the time in which what was asked for could not be reached."""
        names = [parameter.name for parameter in self.parametric.parameters]
        every = max(1, round(CONTROL_SECS / self.motion.frame_time))
        return {
            "path": [
                {
                    "secs": round(f * self.motion.frame_time, 4),
                    "wanted": {n: round(float(x), 6) for n, x in zip(names, self.wanted[f], strict=True)},
                    "got": {n: round(float(x), 6) for n, x in zip(names, self.got[f], strict=True)},
                }
                for f in range(0, self.motion.n_frames, every)
            ],
            "worst": {n: round(float(x), 6) for n, x in zip(names, np.abs(self.errors).max(axis=0), strict=True)},
            "projected": round(float(self.projected.mean()), 4),
            "frames": self.motion.n_frames,
            "seconds": round(self.motion.duration_secs, 4),
            "score_cm": None if np.isnan(self.naturalness.score) else round(100.0 * self.naturalness.score, 3),
        }


def loop_source(name: str, loop: Loop, source: BlendSource) -> BlendSource:
    """A closed loop as an example: one round from the left footfall on, and its first pose once more.

    All loops begin with the same footfall, or they would have no common clock.
    """
    first, n = _footfall(loop), loop.motion.n_frames
    motion = loop.rounds(2).slice(first, first + n + 1)
    plants = tuple(cut_plants(loop.plants_over(2), first, first + n)) if loop.plants else ()
    return replace(source, name=name, motion=motion, plants=plants)


def _footfall(loop: Loop) -> int:
    """The frame of a loop in which the left foot comes down after its longest swing; 0 if it stands always or never."""
    n = loop.motion.n_frames
    standing = part_contacts_of_plants(loop.plants, n)[:, 0].any(axis=1)
    swings = mask_intervals(~np.concatenate([standing, standing]))
    if not standing.any() or standing.all():
        return 0
    return int(max(swings.tolist(), key=lambda swing: swing[1] - swing[0])[1]) % n


def steer(
    parametric: ParametricMotion,
    path: Sequence[Sequence[float]] | np.ndarray,
    *,
    secs: float | None = None,
    start: Placement | None = None,
    clean_up: bool = True,
) -> Steered:
    """The motion that follows parameters (K, D), evenly spread over `secs` seconds; 5 by default if it is cyclic.

    Weights change continuously, at every frame. A cyclic parametric motion goes on round after round; any other ends
    with its examples. Unless `secs` are given, the path is spread over their common clock, from its start to its end.
    """
    registration, n_parameters = parametric.registration, len(parametric.parameters)
    wrong = next((len(row) for row in path if len(row) != n_parameters), None)
    if wrong is not None or not len(path):
        raise UsageError(f"a path needs {n_parameters} parameters at each moment, not {wrong or 0}")
    points = np.array([[float(value) for value in row] for row in path])
    if not np.isfinite(points).all():
        raise UsageError("a parameter is not a finite number")
    if secs is not None and not (np.isfinite(secs) and secs > 0.0):
        raise UsageError(f"a duration of {secs:g} s is not possible; it must be above 0")
    if secs is None and not parametric.cyclic:
        clock, weights, wanted, got, projected = _along_clock(parametric, points)
    else:
        clock, weights, wanted, got, projected = _along_time(parametric, points, PATH_SECS if secs is None else secs)
    try:
        motion = _blended(registration, clock, weights, start or Placement())
    except ExtrapolationError:
        weights = inside(weights)
        motion = _blended(registration, clock, weights, start or Placement())
    ground = registration.ground(weights) if clean_up else None
    if ground is not None:
        motion = above_ground(motion, registration.body, ground)
    plants = _plants(registration, weights, clock, motion, cyclic=parametric.cyclic)
    if clean_up and plants:
        cleaned = clean(motion, plants, registration.body)
        motion, plants = cleaned.motion, stood_plants(cleaned)
        if ground is not None:
            held = [one.plant for one in cleaned.plants if one.held]
            motion = tipped_above_ground(motion, registration.body, ground, held)
    return Steered(motion, plants, clock, weights, wanted, got, projected, parametric)


def _along_time(
    parametric: ParametricMotion, points: np.ndarray, secs: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """u (F,) of the frames of so many seconds, and what `_weights_over_time` says of them; fewer if the clock ends."""
    n_frames = max(2, round(secs / parametric.registration.frame_time) + 1)
    weights, wanted, got, projected = _weights_over_time(parametric, points, n_frames)
    registration = parametric.registration
    clock = clock_over_time(registration.curves, registration.slopes, weights, cyclic=parametric.cyclic)
    n = len(clock)
    return clock, weights[:n], wanted[:n], got[:n], projected[:n]


def _along_clock(
    parametric: ParametricMotion, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same for all of the clock, along which the path is spread."""
    registration = parametric.registration
    weights, wanted, got, projected = _weights_over_time(parametric, points, registration.n_clock)
    used = np.flatnonzero((weights != 0.0).any(axis=0))
    clock = frame_clock(registration.curves[used], registration.slopes[used], weights[:, used])
    moments = np.arange(registration.n_clock)
    own, asked, found = (_over_time(clock, moments, values) for values in (weights, wanted, got))
    return clock, own, asked, found, projected[np.rint(clock).astype(int)]


def _weights_over_time(
    parametric: ParametricMotion, points: np.ndarray, n_frames: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Weights (F, N), the parameters (F, D) that they are for, those (F, D) that they give, and whether (F,) they lie
    outside of what can be reached."""
    at = np.linspace(0.0, len(points) - 1.0, n_frames)
    wanted = _over_time(at, np.arange(len(points)), points)
    every = max(1, round(CONTROL_SECS / parametric.registration.frame_time))
    control = np.unique([*range(0, n_frames, every), n_frames - 1])
    answers = [parametric.ask(wanted[f]) for f in control]
    weights = _eased(np.array([answer.weights for answer in answers]))
    got = np.array([parametric.measure(row) for row in weights])
    frames = np.arange(n_frames)
    projected = np.array([answer.projected for answer in answers])[np.searchsorted(control, frames)]
    return _over_time(frames, control, weights), wanted, _over_time(frames, control, got), projected


def _eased(weights: np.ndarray) -> np.ndarray:
    """Weights (K, N) of one moment after the other, averaged with those around: neighbouring answers may come from
    quite other samples, and the motion must not hurry from one to the next. First and last stay as they are."""
    n = len(weights)
    eased = np.empty_like(weights)
    for k in range(n):
        reach = min(EASED, k, n - 1 - k)
        shares = reach + 1.0 - np.abs(np.arange(-reach, reach + 1))
        eased[k] = shares / shares.sum() @ weights[k - reach : k + reach + 1]
    return eased


def _over_time(at: np.ndarray, moments: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (K, D) of moments (K,), with straight lines between, at others (F,)."""
    return np.stack([np.interp(at, moments, column) for column in values.T], axis=1)


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
        facing[k] = own + rounds * turn  # continuous over the seams
    shares = np.ascontiguousarray(weights[:, used])
    shares /= shares.sum(axis=1, keepdims=True)
    out_root, out_local = np.empty((n_frames, 3)), np.empty((n_frames, n_joints, 4))
    out_translations, out_facing = np.empty((n_frames, n_moving, 3)), np.empty(n_frames)
    joint_shares, of_joint = without_opposites(
        local, facing, shares[None], np.zeros(n_joints, dtype=np.int64), frame_time=registration.frame_time
    )
    refused = write_blend(
        root,
        local,
        translations,
        facing,
        joint_shares,
        of_joint,
        registration.loose_joints,
        np.array([start.theta, start.x, start.z]),
        np.empty((len(used), 4)),
        out_root,
        out_local,
        out_translations,
        out_facing,
    )
    if refused >= 0:
        raise ExtrapolationError("the examples on this path are too unlike to be extrapolated")
    return Motion(
        motions[0].skeleton, registration.frame_time, out_root, out_local, motions[0].moving_joints, out_translations
    )


def _turn_of(motion: Motion, rest: np.ndarray) -> float:
    """By how much a motion turns from its first frame to its last."""
    facing = headings(motion.rotations[:, 0], rest)
    return float(facing[-1] - facing[0])


def _plants(
    registration: Registration, weights: np.ndarray, clock: np.ndarray, motion: Motion, *, cyclic: bool
) -> tuple[Plant, ...]:
    """The shared plants of every round by weights (F, N), in frames, as high as the sources' are; those that go on over
    a seam are one."""
    last = registration.n_clock - 1.0
    places = np.arange(float(registration.n_clock))
    points = registration.body.feet.world(motion)
    spans: dict[tuple[Foot, FootPart], list[tuple[int, int, float]]] = {}
    for number in range(int(clock[-1] // last) + 1 if cyclic else 1):
        own_weights = _over_time(number * last + places, clock, weights)
        for shared in registration.plants_for([own_weights, own_weights]):
            start = int(np.searchsorted(clock, number * last + shared.start - 0.5))
            stop = int(np.searchsorted(clock, number * last + min(shared.stop, last + 1.0) - 0.5))
            if stop <= start:
                continue
            own = spans.setdefault((shared.foot, shared.part), [])
            mean = weights[start:stop].mean(axis=0)
            height = registration.plant_height(shared, mean, mean)
            if own and start <= own[-1][1] + 1:
                first, end, before = own.pop()
                share = (stop - start) / (stop - start + end - first)
                own.append((first, max(end, stop), before + share * (height - before)))
            else:
                own.append((start, stop, height))
    plants = []
    for (foot, part), own in sorted(spans.items()):
        i, k = ("left", "right").index(foot), ("heel", "toe").index(part)
        for start, stop, height in own:
            plants.append(Plant(foot, part, start, stop, foot_place(points[start:stop, i, k], height), "blend"))
    return tuple(sorted(plants, key=lambda p: (p.start, p.foot, p.part)))


def clock_over_time(curves: np.ndarray, slopes: np.ndarray, weights: np.ndarray, *, cyclic: bool) -> np.ndarray:
    """u of every frame for `curves` and `slopes` (N, U) of sources and weights (F, N), by dt/du = Σ w s′ as in `blend`:
    one source alone plays on frame by frame. A motion that is not cyclic ends with the clock, if it comes to that."""
    n_clock = curves.shape[1]
    knots, times, paces = np.arange(n_clock, dtype=float), np.empty(n_clock), np.empty(n_clock)
    at, pace = np.zeros(1), np.empty(1)
    clock, rounds = [0.0], 0
    for own in weights[:-1]:
        used = np.flatnonzero(own)
        write_times(curves[used], slopes[used], np.tile(own[used], (n_clock, 1)), times, paces)
        write_warped(knots, times, paces, at.copy(), at, pace)
        at += 1.0
        if cyclic:
            over = int(at[0] // times[-1])
            rounds, at = rounds + over, at - over * times[-1]
        elif at[0] > times[-1] + 1e-6:
            break
        write_unwarped(knots, times, paces, at.copy(), at, pace)
        np.minimum(at, n_clock - 1.0, out=at)
        clock.append(rounds * (n_clock - 1.0) + float(at[0]))
    return np.array(clock)
