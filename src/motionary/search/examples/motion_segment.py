"""A motion played slower or faster: its poses between frames, taken as rotations."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from motionary.alignment import sampled_frames
from motionary.features import Network, Rates, features_of
from motionary.motion import Motion, poses_at
from motionary.rig import Body, body_of, reference_skeleton, transfer_between
from motionary.search.examples.example import Rows, no_network

CONTEXT_FRAMES = 15  # before and after, so that speeds, headings and contacts know what they come from


@dataclass(frozen=True, eq=False)
class MotionSegment:
    """Frames of a motion, which need not be in the library, as an example; [start, stop) at the search rate."""

    motion: Motion
    body: Body
    start: int
    stop: int
    rate_hz: float
    name: str = ""
    place: None = None
    network: Callable[[], Network | None] = no_network  # that describes it, too

    @classmethod
    def of(
        cls,
        motion: Motion,
        body: Body,
        *,
        start: int,
        stop: int,
        rate_hz: float,
        name: str,
        network: Callable[[], Network | None] = no_network,
    ) -> "MotionSegment":
        """The motion's own frames [start, stop)."""
        rates = Rates.of(motion.n_frames, frame_time=motion.frame_time, rate_hz=rate_hz)
        return cls(motion, body, *rates.search_segment(start, stop), rate_hz, name, network=network)

    @property
    def n_frames(self) -> int:
        return self.stop - self.start

    @property
    def is_whole(self) -> bool:
        """Whether it is all that there is, with nothing known of what was before and after."""
        return self.start == 0 and self.stop == self._rates.n_search_frames

    def rows(self, length: int) -> Rows:
        """As long as it is, it is described as a clip of the library would be; else as `played_rows` says."""
        if length == self.n_frames:
            return {name: array[self.start : self.stop] for name, array in self._described.items()}
        return self.played_rows(length)

    def played_rows(self, length: int) -> Rows:
        """Its features (p, D), by description, played in `length` frames.

        Its ends lie on the ends of the frames as they were, and all is as much slower as it is longer: speeds too.
        """
        return self._described_as_played(length)

    def poses(self, length: int) -> Motion:
        return transfer_between(self._played(length, 0, 0), self.body, body_of(reference_skeleton()))

    @cached_property
    def _described(self) -> Rows:
        return features_of(self.motion, self.body, rate_hz=self.rate_hz, network=self.network()).arrays

    @cached_property
    def _described_as_played(self) -> Callable[[int], Rows]:
        """The features at each length that was asked for once."""

        def described(length: int) -> Rows:
            before, after = self._context(length)
            played = self._played(length, before, after)
            features = features_of(played, self.body, rate_hz=self.rate_hz, network=self.network())
            return {name: array[before : before + length] for name, array in features.arrays.items()}

        return cache(described)

    @cached_property
    def _rates(self) -> Rates:
        return Rates.of(self.motion.n_frames, frame_time=self.motion.frame_time, rate_hz=self.rate_hz)

    def _step(self, length: int) -> float:
        """Search frames of the motion from one played frame to the next."""
        return (self.n_frames - 1) / (length - 1) if length > 1 else 1.0

    def _context(self, length: int) -> tuple[int, int]:
        """How many played frames there are before and after, up to what is needed."""
        step = self._step(length)
        if step == 0.0:  # one pose that is held
            return 0, 0
        inner = self.start + sampled_frames(self.n_frames, length)
        before = min(CONTEXT_FRAMES, int(inner[0] / step))
        return before, min(CONTEXT_FRAMES, int((self._rates.n_search_frames - 1 - inner[-1]) / step))

    def _played(self, length: int, before: int, after: int) -> Motion:
        """The poses, and some before and after, at the search rate."""
        step = self._step(length)
        inner = self.start + sampled_frames(self.n_frames, length)
        around = np.concatenate(
            [inner[0] - step * np.arange(before, 0, -1), inner, inner[-1] + step * np.arange(1, after + 1)]
        )
        frames = np.clip(self._rates.clip_frames(around), 0, self.motion.n_frames - 1)
        return replace(poses_at(self.motion, frames), frame_time=1.0 / self.rate_hz)
