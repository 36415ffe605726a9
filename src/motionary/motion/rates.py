"""The clip's own frames and frames at the search rate, mapped both ways."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np

from motionary.errors import UsageError
from motionary.motion.motion import Motion

SEARCH_RATE_HZ = 30.0
ROUNDED_WITHIN = 1e-4  # files write 0.0083333 for 1/120 s; 29.97 and 30 Hz are ten times as far apart
SIMPLE_STEPS = 8  # the largest denominator of a ratio that a rounded frame time is taken to mean


@dataclass(frozen=True, slots=True)
class Rates:
    """How the frames of a clip and those at the search rate follow one another: search frame k is at clip frame
    k · `step`, both begin together, and the last search frame is not later than the clip's last.

    A segment's ends go to the nearest frame of the other rate, halves to the later one, and at least one frame
    remains. So segments that touch still touch, and the way to the finer rate and back changes nothing. The clip's
    end is the end at either rate, even where its last frame has none of its own at the search rate.
    """

    n_frames: int  # of the clip
    step: Fraction  # clip frames from one search frame to the next

    @classmethod
    def of(cls, n_frames: int, *, frame_time: float, rate_hz: float = SEARCH_RATE_HZ) -> "Rates":
        """The rates of a clip of that many frames, `frame_time` seconds apart."""
        if not (np.isfinite(rate_hz) and rate_hz > 0):
            raise UsageError(f"a search rate of {rate_hz} Hz is not possible; it must be above 0")
        return cls(n_frames, _step(frame_time, rate_hz))

    @property
    def n_search_frames(self) -> int:
        return (self.n_frames - 1) * self.step.denominator // self.step.numerator + 1

    def clip_frames(self, search_frames: np.ndarray) -> np.ndarray:
        """Where frames (or times between them) at the search rate lie in the clip; need not be whole."""
        return np.asarray(search_frames) * self.step.numerator / self.step.denominator

    def search_segment(self, start: int, stop: int) -> tuple[int, int]:
        """The frames at the search rate of the clip's frames [start, stop): at least one."""
        if not 0 <= start < stop <= self.n_frames:
            raise UsageError(f"no frames [{start}, {stop}) in a clip of {self.n_frames} frames")
        end = self.n_search_frames if stop == self.n_frames else self._to_search(stop)
        return _at_least_one(self._to_search(start), end, self.n_search_frames)

    def search_segment_inside(self, start: int, stop: int) -> tuple[int, int]:
        """The most frames at the search rate of which no segment leaves the clip's frames [start, stop): may be none.

        `search_segment` goes to the nearest frames instead, which may lie outside.
        """
        if not 0 <= start < stop <= self.n_frames:
            raise UsageError(f"no frames [{start}, {stop}) in a clip of {self.n_frames} frames")
        first = max(0, self._first_beyond(start - 1))
        if stop == self.n_frames:
            return first, self.n_search_frames
        last_fits = min(self._first_beyond(stop - 1), self._first_beyond(stop) - 1)
        return first, max(first, min(last_fits, self.n_search_frames - 1))

    def clip_segment(self, start: int, stop: int) -> tuple[int, int]:
        """The clip's frames of the frames [start, stop) at the search rate: at least one."""
        if not 0 <= start < stop <= self.n_search_frames:
            raise UsageError(f"no frames [{start}, {stop}) among {self.n_search_frames} at the search rate")
        end = self.n_frames if stop == self.n_search_frames else self._to_clip(stop)
        return _at_least_one(self._to_clip(start), end, self.n_frames)

    def _to_search(self, frame: int) -> int:
        return _nearest(frame * self.step.denominator, self.step.numerator)

    def _first_beyond(self, frame: int) -> int:
        """The first frame at the search rate whose nearest frame in the clip comes after that one."""
        return -(-(2 * frame + 1) * self.step.denominator // (2 * self.step.numerator))

    def _to_clip(self, frame: int) -> int:
        return _nearest(frame * self.step.numerator, self.step.denominator)


def at_search_rate(motion: Motion, *, rate_hz: float = SEARCH_RATE_HZ) -> tuple[Motion, Rates]:
    """The motion at the search rate, and how its frames lie in the old ones.

    Frames that exist are taken as they are; between frames joints turn along the shortest way. Nothing is filtered.
    """
    from motionary.motion.timing import poses_at  # here: whoever only lists clips needs no kernels

    rates = Rates.of(motion.n_frames, frame_time=motion.frame_time, rate_hz=rate_hz)
    if rates.step.denominator == 1:
        every = slice(None, None, rates.step.numerator)
        resampled = replace(
            motion,
            root_positions=motion.root_positions[every],
            rotations=motion.rotations[every],
            translations=motion.joint_translations[every],
        )
    else:
        resampled = poses_at(motion, rates.clip_frames(np.arange(rates.n_search_frames)))
    return replace(resampled, frame_time=1.0 / rate_hz), rates


@cache
def _step(frame_time: float, rate_hz: float) -> Fraction:
    """Clip frames from one search frame to the next. Most clips of a library have one of a few frame times."""
    exact = Fraction(1.0 / (rate_hz * frame_time))
    simple = exact.limit_denominator(SIMPLE_STEPS)
    meant = abs(simple - exact) <= ROUNDED_WITHIN * exact
    return simple if meant else exact.limit_denominator(1_000_000)


def _nearest(numerator: int, denominator: int) -> int:
    """A fraction to the nearest whole number, halves up; whole numbers throughout, as it is asked often."""
    return (2 * numerator + denominator) // (2 * denominator)


def _at_least_one(start: int, stop: int, n_frames: int) -> tuple[int, int]:
    start = min(start, n_frames - 1)
    return start, max(min(stop, n_frames), start + 1)
