"""A few key poses with times as an example: the body turns from one to the next along the shortest way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from motionary.errors import UsageError
from motionary.features import Network, features_of
from motionary.motion import Motion, Placement, headings, placement_onto, poses_at
from motionary.rig import Body, body_of, reference_skeleton, transfer_between
from motionary.search.examples.example import Rows, no_network

LONGEST_SECS = 600.0  # from the first to the last key pose
LATEST_SECS = 1e9


@dataclass(frozen=True)
class KeyPose:
    """A pose of a clip or motion file, and when the body is to be in it."""

    source: str | int | Path  # a clip, or a file
    frame: int | str  # of the source; a time as in "1.5s"
    secs: float

    @classmethod
    def parse(cls, text: str) -> "KeyPose":
        """The pose and time that `CLIP:FRAME@SECONDS` means."""
        pose, _, secs = text.rpartition("@")
        source, _, frame = pose.rpartition(":")
        try:
            time = float(secs.removesuffix("s"))
        except ValueError:
            source = ""
        if not source or not frame:
            raise UsageError(f"{text!r} is not a key pose; write CLIP:FRAME@SECONDS, as in walk:30@0 or walk:1.5s@0.4")
        return cls(source, frame, time)


@dataclass(frozen=True, eq=False)
class Posed:
    """One pose of a body, where its clip has it."""

    motion: Motion  # of one frame
    body: Body
    heading: float  # as its clip has it: a pelvis that lies says nothing of its own
    source: str | int  # what it comes from


@dataclass(frozen=True, eq=False)
class KeyPoses:
    """Poses of the reference skeleton and their times; between them joints turn evenly, the hips move straight."""

    keys: Motion  # (K frames)
    secs: np.ndarray  # (K,) ascending
    rate_hz: float
    name: str = ""
    place: None = None
    network: Callable[[], Network | None] = no_network  # that describes them, too

    def __post_init__(self) -> None:
        far = np.abs(self.secs) > LATEST_SECS
        if far.any() or self.secs[-1] - self.secs[0] > LONGEST_SECS:
            raise UsageError(f"key poses must lie within {LONGEST_SECS / 60.0:g} minutes; give their times in seconds")
        if not (np.diff(self.secs) > 0).all():
            times = ", ".join(f"{secs:g}" for secs in self.secs)
            raise UsageError(f"the times of key poses must increase, not {times} s")
        if self.n_frames < 2:
            raise UsageError(
                f"key poses within {self.secs[-1] - self.secs[0]:.3g} s fall on a single frame; "
                "give their times in seconds, farther apart"
            )

    @classmethod
    def of(
        cls,
        poses: Sequence[Posed],
        secs: Sequence[float],
        *,
        rate_hz: float,
        name: str,
        network: Callable[[], Network | None] = no_network,
    ) -> "KeyPoses":
        """Poses that follow each other in one clip or file keep their way and turn between them; a pose of another is
        placed where, and facing whither, the one before it is."""
        if len(poses) < 2:
            raise UsageError("a single key pose is not enough; give two or more, or CLIP:START-STOP with one frame")
        reference = body_of(reference_skeleton())
        placed: list[Motion] = []
        placement = Placement()
        for i, pose in enumerate(poses):
            moved = transfer_between(pose.motion, pose.body, reference, feet=False)
            if i and pose.source != poses[i - 1].source:
                onto = placement.theta + poses[i - 1].heading
                placement = placement_onto(moved.root_positions[0], pose.heading, placed[-1].root_positions[0], onto)
            placed.append(replace(placement.place(moved), frame_time=1.0 / rate_hz))
        keys = replace(
            placed[0],
            root_positions=np.concatenate([one.root_positions for one in placed]),
            rotations=np.concatenate([one.rotations for one in placed]),
            translations=None,
        )
        return cls(keys, np.array(secs, dtype=float), rate_hz, name, network=network)

    @property
    def n_frames(self) -> int:
        """The frame nearest to the last pose's time is the last."""
        return int(np.floor((self.secs[-1] - self.secs[0]) * self.rate_hz + 0.5)) + 1

    def rows(self, length: int) -> Rows:
        return self._described(length)

    def poses(self, length: int) -> Motion:
        """The first and last frame are the first and last pose; frames between are as far apart as each other."""
        times = np.linspace(self.secs[0], self.secs[-1], length) if length > 1 else self.secs[:1]
        return poses_at(self.keys, np.interp(times, self.secs, np.arange(len(self.secs))))

    @cached_property
    def _described(self) -> Callable[[int], Rows]:
        """The features at each length that was asked for once."""
        body = body_of(reference_skeleton())

        def described(length: int) -> Rows:
            return features_of(self.poses(length), body, rate_hz=self.rate_hz, network=self.network()).arrays

        return cache(described)


def heading_at(motion: Motion, body: Body, frame: int) -> float:
    """Where the body faces at a frame; carried on from earlier ones while the pelvis lies."""
    hips = body.body_map.hips
    return float(headings(motion.rotations_world[: frame + 1, hips], body.rest_world[hips])[-1])
