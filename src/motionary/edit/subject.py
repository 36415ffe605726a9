"""What an edit is put on, where, and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.plants import Plant
from motionary.rig import Body

TO_MICROSECONDS = 2e-6  # seconds: the times of matches are rounded
LAST_SECS = 0.1  # a frame of the example lasts no longer


@dataclass(frozen=True, eq=False)
class Subject:
    """A motion with what an edit has to know of its body; `body` is None for creatures."""

    motion: Motion
    body: Body | None = None
    plants: tuple[Plant, ...] = ()

    @cached_property
    def rest(self) -> np.ndarray:
        """World rotations (J, 4) of the body's T-pose; of a creature none."""
        if self.body is None:
            return np.tile(rotations.IDENTITY, (self.motion.skeleton.n_joints, 1))
        return self.body.rest_world

    def slice(self, start: int, stop: int) -> "Subject":
        """Frames [start, stop) as a subject of their own; plants are cut at its ends."""
        plants = tuple(
            replace(plant, start=max(plant.start, start) - start, stop=min(plant.stop, stop) - start)
            for plant in self.plants
            if plant.start < stop and plant.stop > start
        )
        return Subject(self.motion.slice(start, stop), self.body, plants)


class Space(Protocol):
    """What an edit has to know of a pose space: `motionary.search.PoseSpace` is one."""

    @property
    def means(self) -> np.ndarray: ...
    @property
    def centre(self) -> np.ndarray: ...
    @property
    def weights(self) -> np.ndarray: ...
    @property
    def basis(self) -> np.ndarray: ...
    @property
    def variances(self) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Place:
    """Where and how an operation is put on a subject: frames [start, stop), and what each match has of its own.

    `times` (N,) is the time of the recipe, in seconds, that each frame of the segment stands for: at the example
    itself its own time, on a match the example's by their alignment. `joints` (J,) are those that may change.
    """

    start: int
    stop: int
    times: np.ndarray
    joints: np.ndarray
    frame_time: float
    strength: float = 1.0
    ease_secs: float = 0.2
    mirrored: bool = False  # left for right against the recipe
    seed: int = 0
    sources: Mapping[str, Subject] = field(default_factory=dict)  # other motions, by the name that the recipe gives
    spaces: Mapping[str, Space] = field(default_factory=dict)  # pose spaces by name

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise UsageError(f"there are no frames [{self.start}, {self.stop}) to edit")
        times = np.asarray(self.times, dtype=float)
        if times.shape != (self.stop - self.start,):
            raise UsageError(f"{times.shape} times do not fit frames [{self.start}, {self.stop})")
        if len(times) > 1 and not (np.diff(times) > 0).all():
            raise UsageError("the times of an edit must grow from frame to frame")
        if not np.isfinite(self.strength):
            raise UsageError(f"a strength of {self.strength} is not possible")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "joints", np.asarray(self.joints, dtype=bool))

    @property
    def n_frames(self) -> int:
        return self.stop - self.start

    @property
    def tempo(self) -> float:
        """How many seconds of the recipe go by in one second of the segment."""
        if self.n_frames < 2:
            return 1.0
        return float((self.times[-1] - self.times[0]) / ((self.n_frames - 1) * self.frame_time))

    @property
    def stop_time(self) -> float:
        """The time of the recipe at the segment's end, one frame after its last."""
        return float(self.times[-1] + self.tempo * self.frame_time)

    @property
    def latest(self) -> float:
        """The latest time that the recipe may name. What is later than a match's last frame is its end: how long the
        example's last frame lasts is not known there."""
        return self.stop_time + TO_MICROSECONDS if self.is_own_time else max(self.stop_time, self.times[-1] + LAST_SECS)

    @property
    def is_own_time(self) -> bool:
        """Whether the recipe's times are the segment's own, as at the example."""
        own = np.arange(self.n_frames) * self.frame_time
        return bool(np.allclose(self.times, own, rtol=0.0, atol=TO_MICROSECONDS))

    def source(self, name: str) -> Subject:
        """The motion that the recipe calls by that name."""
        if name not in self.sources:
            raise UsageError(f"the motion {name!r} that the edit takes something from is not there")
        return self.sources[name]


@dataclass(frozen=True, eq=False)
class Edited:
    """A motion after an edit.

    `shown` (F',) is the frame of the motion before that each frame now shows, growing, where the edit changed
    timing or length; None where every frame is still itself. `lost` are frames [start, stop) of before that are gone.
    """

    motion: Motion
    plants: tuple[Plant, ...]
    shown: np.ndarray | None = None
    lost: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()

    def frame_now(self, frame: float) -> float:
        """Where what was at `frame` is now."""
        if self.shown is None:
            return frame
        for start, stop in self.lost:
            if start <= frame < stop:  # the seam
                return float(np.searchsorted(self.shown, start))
        after = np.arange(len(self.shown), dtype=float)
        last = float(self.shown[-1])
        if frame > last:
            return float(after[-1] + (frame - last))
        return float(np.interp(frame, self.shown, after))

    def interval_now(self, start: int, stop: int) -> tuple[int, int] | None:
        """Where frames [start, stop) are now, whole frames; None if all of them are gone."""
        if self.shown is None:
            return start, stop
        if any(lost[0] <= start and stop <= lost[1] for lost in self.lost):
            return None
        n_frames = self.motion.n_frames
        first = min(max(int(np.floor(self.frame_now(start) + 0.5)), 0), n_frames - 1)
        last = min(max(int(np.floor(self.frame_now(stop) + 0.5)), first + 1), n_frames)
        return first, last


def changed_frames(shown: np.ndarray) -> tuple[int, int]:
    """The frames [first, stop) that an edit of time made anew; outside, whole frames of before follow one another.

    Where frames were only taken out, both are the seam.
    """
    frames = np.arange(len(shown))
    head = np.flatnonzero(shown != frames)
    tail = np.flatnonzero(shown - shown[-1] != frames - frames[-1])
    return int(head[0]) if len(head) else len(frames), int(tail[-1]) + 1 if len(tail) else 0
