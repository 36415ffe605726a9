"""Operations on time: warps by control points, and speed. Poses stay, and so do places; feet stand as they stood."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.borders import border_weights
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import TO_MICROSECONDS, Edited, Place, Subject
from motionary.errors import UsageError
from motionary.motion import join, poses_at
from motionary.plants import Plant

FASTEST = 20.0  # times: beyond that nothing is left of a motion
STAYS = 1e-6  # frames: points that move less stay


@dataclass(frozen=True)
class TimeWarp(Operation):
    """Moves moments in time: each control point says when a moment of the segment happens now.

    Times are seconds from the segment's start. A monotone curve (PCHIP) leads through the points and joins the frames
    outside at their own pace. If the last point moves the end, the segment becomes shorter or longer. Identity: points
    that stay.
    """

    name: ClassVar[str] = "time-warp"
    title: ClassVar[str] = "time warp by control points"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = {"points": ((0.5, 0.5),)}
    example: ClassVar[Any] = {"points": ((0.4, 0.8), (1.0, 1.0))}

    points: tuple[tuple[float, float], ...] = parameter((), "(before, after) in seconds")

    def apply(self, subject: Subject, place: Place) -> Edited:
        from scipy.interpolate import PchipInterpolator

        points = sorted(self.points)
        before = np.array([point[0] for point in points])
        after = np.array([point[1] for point in points])
        first, last = float(place.times[0]), place.stop_time
        for outside in before[(before < first - TO_MICROSECONDS) | (before > place.latest)][:1]:
            raise UsageError(f"time-warp: a point at {outside:g} s lies outside of the segment's {last - first:g} s")
        frames = np.arange(place.start, place.stop + 1, dtype=float)
        times = np.append(place.times, last)
        old = np.interp(before, times, frames)
        if not place.is_own_time:
            old[before > place.times[-1] + TO_MICROSECONDS] = place.stop
        new = old + place.strength * (after - before) / place.tempo / place.frame_time
        inner = (old > place.start + 1e-9) & (old < place.stop - 1e-3)
        end = float(place.stop)
        ends = np.flatnonzero(old >= place.stop - 1e-3)
        if len(ends):
            end = float(np.round(new[ends[-1]]))
        old = np.concatenate([[place.start - 3.0, place.start], old[inner], [place.stop, place.stop + 3.0]])
        new = np.concatenate([[place.start - 3.0, place.start], new[inner], [end, end + 3.0]])
        if np.any(np.diff(new) <= 1e-6) or np.any(np.diff(old) <= 1e-9):
            raise UsageError("time-warp: the points must keep their order; two of them change places or meet")
        if np.any(np.diff(new) / np.diff(old) < 1.0 / FASTEST):
            raise UsageError(f"time-warp: a stretch would play over {FASTEST:g} times as fast; move the points apart")
        if np.abs(new - old).max() <= STAYS:
            return Edited(subject.motion, subject.plants)
        shown = PchipInterpolator(new, old)(np.arange(place.start, int(end)))
        return retimed(subject, place, shown)


@dataclass(frozen=True)
class Speed(Operation):
    """Plays a segment faster or slower; the pace changes gradually at its borders. Identity: a factor of 1."""

    name: ClassVar[str] = "speed"
    title: ClassVar[str] = "play faster or slower"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = {"factor": 1.0}
    example: ClassVar[Any] = {"factor": 1.6}

    factor: float = parameter(1.0, "2: twice as fast", low=1.0 / FASTEST, high=FASTEST, varies=True)

    def apply(self, subject: Subject, place: Place) -> Edited:
        if self.factor == 1.0 or place.strength == 0.0:
            return Edited(subject.motion, subject.plants)
        weights = border_weights(place, subject.motion.n_frames)
        paces = self.factor**weights
        new = np.concatenate([[0.0], np.cumsum(1.0 / paces)])
        n_frames = max(round(float(new[-1])), 1)
        new *= n_frames / new[-1]
        shown = place.start + np.interp(np.arange(n_frames), new, np.arange(place.n_frames + 1))
        return retimed(subject, place, shown)


def retimed(subject: Subject, place: Place, shown: np.ndarray) -> Edited:
    """The subject with the frames `shown`, which need not be whole, in place of its segment."""
    motion = subject.motion
    parts = [poses_at(motion, shown)]
    if place.start > 0:
        parts.insert(0, motion.slice(0, place.start))
    if place.stop < motion.n_frames:
        parts.append(motion.slice(place.stop, motion.n_frames))
    before, after = np.arange(place.start), np.arange(place.stop, motion.n_frames)
    edited = Edited(join(parts), (), np.concatenate([before, shown, after]).astype(float))
    return replace(edited, plants=plants_now(subject, edited))


def plants_now(subject: Subject, edited: Edited) -> tuple[Plant, ...]:
    """The subject's plants where their frames are now, at their places.

    Those whose frames are gone go, and so do those that are too short by now to be told from the one before.
    """
    moved: list[Plant] = []
    free: dict[tuple[str, str], int] = {}  # of each foot's parts the first frame after what is planted
    for plant in sorted(subject.plants, key=lambda plant: plant.start):
        interval = edited.interval_now(plant.start, plant.stop)
        if interval is None:
            continue
        point = (plant.foot, plant.part)
        start, stop = max(interval[0], free.get(point, 0)), interval[1]
        if start < stop:
            moved.append(replace(plant, start=start, stop=stop))
            free[point] = stop
    return tuple(sorted(moved, key=lambda plant: (plant.start, plant.foot, plant.part)))
