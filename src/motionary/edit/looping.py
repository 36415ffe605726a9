"""Loops: a cycle found in a segment, its seam spread over the whole of it, and repeated."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import curves_of
from motionary.edit.cutting import placed_subject
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import UsageError
from motionary.motion import Skeleton, join, placement_onto
from motionary.plants import Plant

LEAST_SECS = 0.3  # of a cycle


@dataclass(frozen=True)
class Loop(Operation):
    """Makes a cycle of a segment: finds the best one in it, removes the rest of the clip, and makes its ends meet.

    The seam is spread over the whole cycle and velocities match, so the cycle can be repeated endlessly: every round
    starts where the last one ended. `repeats` is the number of rounds in the clip. Without `find`, the segment itself
    is the cycle.
    """

    name: ClassVar[str] = "loop"
    title: ClassVar[str] = "seamless cycle"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {"repeats": 2}

    repeats: int = parameter(1, "number of rounds", low=1, high=1000)
    find: bool = parameter(True, "find the best cycle in the segment")
    least_secs: float = parameter(0.5, "duration of the shortest cycle to find", low=LEAST_SECS, high=60.0, unit="s")

    def apply(self, subject: Subject, place: Place) -> Edited:
        start, stop = place.start, place.stop
        if self.find:
            first, last = find_cycle(subject.slice(start, stop), least_secs=self.least_secs)
            start, stop = start + first, start + last
        cycle = subject.slice(start, stop)
        if cycle.motion.n_frames * place.frame_time < LEAST_SECS:
            raise UsageError(f"loop: a cycle lasts {LEAST_SECS:g} s at least")
        after = subject.motion.slice(stop, stop + 1) if stop < subject.motion.n_frames else None
        closed = closed_cycle(cycle, after=None if after is None else Subject(after, subject.body))
        rounds = [closed]
        for _ in range(self.repeats - 1):
            rounds.append(next_round(closed, rounds[-1]))
        motion = join([one.motion for one in rounds])
        n = closed.motion.n_frames
        plants = _joined(
            [replace(p, start=p.start + i * n, stop=p.stop + i * n) for i, one in enumerate(rounds) for p in one.plants]
        )
        shown = start + np.arange(n * self.repeats) / self.repeats
        lost = [(0, start)] if start > 0 else []
        lost += [(stop, subject.motion.n_frames)] if stop < subject.motion.n_frames else []
        note = f"a cycle of {n * place.frame_time:.2f} s, frames {start} to {stop}"
        return Edited(motion, plants, shown, tuple(lost), (note,))


def find_cycle(subject: Subject, *, least_secs: float = 0.5) -> tuple[int, int]:
    """The frames [start, stop) of the best cycle: its last pose leads into its first as smoothly as can be.

    Poses and velocities are compared, joints by how much hangs on them; of equal ones the longer is better.
    """
    motion = subject.motion
    least = max(round(least_secs / motion.frame_time), 2)
    if motion.n_frames < least + 2:
        raise UsageError(f"loop: {motion.n_frames} frames are too few for a cycle of {least_secs:g} s")
    curves = curves_of(motion, subject.rest)
    height = curves.places[:, 1:2]
    poses = np.concatenate([height, curves.vectors.reshape(motion.n_frames, -1)], axis=1)
    weights = np.repeat(_reach_of_joints(motion.skeleton), 3)
    poses = poses * np.concatenate([[1.0], weights])
    secs = 0.15
    speeds = np.gradient(poses, motion.frame_time, axis=0) * secs
    rows = np.concatenate([poses, speeds], axis=1)
    step = max(motion.n_frames // 400, 1)
    frames = np.arange(0, motion.n_frames, step)
    some = rows[frames]
    squares = np.sum(some**2, axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * some @ some.T, 0.0))
    spans = frames[None] - frames[:, None]
    distances = np.where(spans >= least, distances, np.inf)
    # Of two cycles whose seams are alike, the one that is a single round
    cost = distances + 0.02 * np.median(distances[np.isfinite(distances)]) * spans / motion.n_frames
    i, j = np.unravel_index(int(np.argmin(cost)), cost.shape)
    start, stop = int(frames[i]), int(frames[j])
    return start, stop


def closed_cycle(cycle: Subject, *, after: Subject | None = None) -> Subject:
    """The cycle with the gap between its end and its start spread over all of it.

    `after` is the frame that would come next: its pose should be the first one's. Place and heading go on.
    """
    motion = cycle.motion
    n = motion.n_frames
    curves = curves_of(motion, cycle.rest)
    columns = curves.columns
    if after is None:
        follows = columns[-1] + (columns[-1] - columns[-2])
    else:
        joined = join([motion, after.motion])
        follows = curves_of(joined, cycle.rest, means=curves.means).columns[-1]
    gap = follows - columns[0]
    gap[[0, 2, 3]] = 0.0
    before = columns[1] - columns[0]
    at_end = follows - columns[-1]
    slope_gap = at_end - before
    slope_gap[[0, 2, 3]] = 0.0
    t = np.arange(n) / n
    # The gap leaves along a line, half at each end; that of the slopes along a curve that is 0 at both ends
    rise = t[:, None]
    swing = (t * (1 - t) * (t - 0.5) * 2)[:, None]
    columns = columns - gap * (rise - 0.5) - n * slope_gap * swing * 0.5
    motion = curves.with_columns(columns).motion(motion)
    return Subject(motion, cycle.body, cycle.plants)


def next_round(cycle: Subject, last: Subject) -> Subject:
    """The cycle once more, placed where the last round ends."""
    curves = curves_of(last.motion, last.rest)
    own = curves_of(cycle.motion, cycle.rest)
    step = curves.places[-1] - curves.places[-2]
    turn = curves.headings[-1] - curves.headings[-2]
    placement = placement_onto(own.places[0], own.headings[0], curves.places[-1] + step, curves.headings[-1] + turn)
    return placed_subject(cycle, placement)


def _reach_of_joints(skeleton: Skeleton) -> np.ndarray:
    """How much of the body's length hangs on each joint (J,), at most 1."""
    parents, offsets = skeleton.parents, skeleton.offsets
    below = np.zeros(len(parents))
    for joint in range(len(parents) - 1, 0, -1):
        length = float(np.linalg.norm(offsets[joint]))
        below[parents[joint]] = max(below[parents[joint]], below[joint] + length)
    return np.asarray(below / max(below.max(), 1e-9))


def _joined(plants: list[Plant]) -> tuple[Plant, ...]:
    """Plants of the same point and place that touch, made one."""
    done: list[Plant] = []
    for plant in sorted(plants, key=lambda one: (one.foot, one.part, one.start)):
        if done and done[-1].foot == plant.foot and done[-1].part == plant.part and done[-1].stop >= plant.start:
            middle = 0.5 * (np.array(done[-1].place) + np.array(plant.place))
            x, y, z = middle.tolist()
            done[-1] = replace(done[-1], stop=max(done[-1].stop, plant.stop), place=(x, y, z))
        else:
            done.append(plant)
    return tuple(sorted(done, key=lambda one: (one.start, one.foot, one.part)))
