"""Motions at another rate, and motions one after the other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionary.errors import SkeletonError, UsageError
from motionary.motion import rotations
from motionary.motion.motion import Motion
from motionary.motion.placement import placement_onto

RATES_HZ = (1.0, 10_000.0)  # what can be asked for
FRAME_TIMES_WITHIN = 1e-4  # files round 1/120 to 0.0083333; 29.97 and 30 Hz are ten times as far apart


def frame_time_of(rate_hz: float) -> float:
    """The seconds from frame to frame at a rate that a user asks for: 1 to 10,000 frames a second."""
    lowest, highest = RATES_HZ
    if not lowest <= rate_hz <= highest:
        raise UsageError(f"a rate of {rate_hz:g} Hz is not possible; it must be between {lowest:g} and {highest:,g}")
    return 1.0 / rate_hz


def check_frame_time(frame_time: float) -> None:
    """Raise unless this is the frame time of a rate that can be asked for."""
    frame_time_of(1.0 / frame_time if frame_time else np.inf)


def resample(motion: Motion, *, frame_time: float) -> Motion:
    """The motion with frames `frame_time` seconds apart, from the first frame's time to the last's.

    Rotations turn along the shortest way between frames, places move in straight lines; nothing is filtered.
    """
    if not (np.isfinite(frame_time) and frame_time > 0):
        raise UsageError(f"a frame time of {frame_time} s is not possible; it must be above 0")
    last_secs = (motion.n_frames - 1) * motion.frame_time
    n_frames = int(np.floor(last_secs / frame_time + 1e-6)) + 1
    return replace(poses_at(motion, np.arange(n_frames) * frame_time / motion.frame_time), frame_time=frame_time)


def poses_at(motion: Motion, frames: np.ndarray, *, smooth: bool = False) -> Motion:
    """The poses at `frames`, which need not be whole; beyond the ends the end poses hold.

    Between two frames rotations turn along the shortest way and places move in straight lines; `smooth` ones follow
    the cubic through the four frames around, without kinks: warped time needs that.
    """
    if smooth:
        return _smooth_poses_at(motion, frames)
    frames = np.clip(np.asarray(frames, dtype=float), 0.0, motion.n_frames - 1)
    before = np.minimum(np.floor(frames).astype(int), max(motion.n_frames - 2, 0))
    after = np.minimum(before + 1, motion.n_frames - 1)
    share = frames - before

    def between(values: np.ndarray) -> np.ndarray:
        weight = share[(...,) + (None,) * (values.ndim - 1)]
        return (1.0 - weight) * values[before] + weight * values[after]

    turned = rotations.slerp(motion.rotations[before], motion.rotations[after], share[:, None])
    return replace(
        motion,
        root_positions=between(motion.root_positions),
        rotations=rotations.continuous(turned),
        translations=between(motion.joint_translations),
    )


def _smooth_poses_at(motion: Motion, frames: np.ndarray) -> Motion:
    from motionary.motion.sampling import write_poses  # here: whoever only counts frames needs no kernels

    frames = np.ascontiguousarray(frames, dtype=float)
    root = np.empty((len(frames), 3))
    local = np.empty((len(frames), motion.skeleton.n_joints, 4))
    translations = np.empty((len(frames), len(motion.moving_joints), 3))
    write_poses(
        np.ascontiguousarray(motion.root_positions),
        np.ascontiguousarray(motion.rotations),
        np.ascontiguousarray(motion.joint_translations),
        frames,
        root,
        local,
        translations,
    )
    return replace(motion, root_positions=root, rotations=rotations.continuous(local), translations=translations)


def even_frames(n_frames: int, n_most: int) -> np.ndarray:
    """Up to `n_most` frames (S,) of so many, evenly spread, the first and the last among them."""
    return np.unique(np.round(np.linspace(0, n_frames - 1, min(n_frames, n_most))).astype(int))


def join(motions: Sequence[Motion], *, placed: bool = False, pelvis_rest: np.ndarray = rotations.IDENTITY) -> Motion:
    """The motions one after the other; `placed`: each starts where, and heading whither, the last one ended.

    `pelvis_rest` is the root's orientation in an upright body that faces +z, as in `headings`. Frame times may
    differ by as much as files round them (0.0083333 for 1/120 s); the first motion's counts.
    """
    from motionary.motion.heading import headings

    if not motions:
        raise UsageError("no motions to join")
    first = motions[0]
    parts = [first]
    for motion in motions[1:]:
        if not motion.skeleton.same_as(first.skeleton):
            raise SkeletonError("motions of different skeletons cannot be joined; transfer them first")
        if not np.isclose(motion.frame_time, first.frame_time, rtol=FRAME_TIMES_WITHIN, atol=0.0):
            raise UsageError(
                f"motions at {first.rate_hz:g} and {motion.rate_hz:g} Hz cannot be joined; resample them first"
            )
        if not np.array_equal(motion.moving_joints, first.moving_joints):
            raise SkeletonError("motions whose moving joints differ cannot be joined")
        if placed:
            last = parts[-1]
            motion = placement_onto(
                motion.root_positions[0],
                headings(motion.rotations[:, 0], pelvis_rest)[0],
                last.root_positions[-1],
                headings(last.rotations[:, 0], pelvis_rest)[-1],
            ).place(motion)
        parts.append(motion)
    return replace(
        first,
        root_positions=np.concatenate([part.root_positions for part in parts]),
        rotations=rotations.continuous(np.concatenate([part.rotations for part in parts])),
        translations=np.concatenate([part.joint_translations for part in parts]),
    )
