"""Recordings as rows: skeletons as JSON, frames as one blob, both named by the digest of their content."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np

from motionary.motion import ChannelLayout, Recording, Skeleton, Space

ANGLE_TYPE = np.dtype("<f4")  # 24 bits: half of 1e-4 degree at 1,000 degrees
LENGTH_TYPE = np.dtype("<f8")


@dataclass(frozen=True, slots=True)
class PackedRecording:
    """A recording as the bank stores it."""

    skeleton: str  # JSON: the rig, without frames
    frames: bytes
    frames_digest: bytes  # of frames, skeleton, channels and rate: the same for copies under another name
    n_frames: int
    frame_time: float

    @property
    def skeleton_digest(self) -> bytes:
        return digest_of_skeleton(self.skeleton)

    @property
    def is_intact(self) -> bool:
        """Whether the frames are as many, and the same, as when they were packed."""
        return (
            len(self.frames) == frames_size(self.skeleton, self.n_frames)
            and digest_of_frames(self.skeleton, self.frame_time, self.frames) == self.frames_digest
        )


def pack(recording: Recording) -> PackedRecording:
    """The recording as rows; angles lose what float32 cannot hold, lengths nothing."""
    angles = recording.layout.is_rotation
    frames = (
        recording.values[:, angles].astype(ANGLE_TYPE).tobytes()
        + recording.values[:, ~angles].astype(LENGTH_TYPE).tobytes()
    )
    skeleton, frame_time = _rig_json(recording), float(recording.frame_time)
    digest = digest_of_frames(skeleton, frame_time, frames)
    return PackedRecording(skeleton, frames, digest, recording.n_frames, frame_time)


def digest_of_skeleton(skeleton: str) -> bytes:
    """What names a skeleton's JSON."""
    return hashlib.blake2b(skeleton.encode(), digest_size=16).digest()


def digest_of_frames(skeleton: str, frame_time: float, frames: bytes) -> bytes:
    """What names frames, together with the body, the channels and the rate.

    Unit and axes are not in it: they may be guessed or given, and the file is still the same.
    """
    rig = json.loads(skeleton)
    parts = [rig[key] for key in ("names", "parents", "offsets", "channel_joints", "channel_kinds")]
    digest = hashlib.blake2b(json.dumps([*parts, frame_time]).encode(), digest_size=16)
    digest.update(frames)
    return digest.digest()


def unpack(packed: PackedRecording, start: int = 0, stop: int | None = None) -> Recording:
    """Frames [start, stop) of the recording."""
    skeleton, layout, space = unpack_rig(packed.skeleton)
    angles = layout.is_rotation
    n_angles, n_lengths = int(angles.sum()), int((~angles).sum())
    split = packed.n_frames * n_angles * ANGLE_TYPE.itemsize
    values = np.empty((packed.n_frames, layout.n_channels))
    values[:, angles] = np.frombuffer(packed.frames[:split], ANGLE_TYPE).reshape(packed.n_frames, n_angles)
    values[:, ~angles] = np.frombuffer(packed.frames[split:], LENGTH_TYPE).reshape(packed.n_frames, n_lengths)
    return Recording(skeleton, layout, values[start:stop], packed.frame_time, space)


def unpack_rig(content: str) -> tuple[Skeleton, ChannelLayout, Space]:
    """The skeleton, in the file's units and axes, its channel layout and its space."""
    rig = json.loads(content)
    skeleton = Skeleton(
        tuple(rig["names"]),
        np.array(rig["parents"], dtype=np.int32),
        np.array(rig["offsets"], dtype=float).reshape(-1, 3),
        np.array(rig["end_site_joints"], dtype=np.int32),
        np.array(rig["end_site_offsets"], dtype=float).reshape(-1, 3),
    )
    layout = ChannelLayout(
        np.array(rig["channel_joints"], dtype=np.int32),
        np.array(rig["channel_kinds"], dtype=np.int8),
        rig["translation_rule"],
        rig["root_adds_offset"],
        None if rig["axes"] is None else np.array(rig["axes"], dtype=float),
    )
    return skeleton, layout, Space(rig["unit_metres"], rig["up"], rig["handedness"])


def frames_size(skeleton: str, n_frames: int) -> int:
    """How many bytes the frames of that rig must have."""
    kinds = np.array(json.loads(skeleton)["channel_kinds"], dtype=np.int8)
    angles = int((kinds >= 3).sum())
    return n_frames * (angles * ANGLE_TYPE.itemsize + (len(kinds) - angles) * LENGTH_TYPE.itemsize)


def _rig_json(recording: Recording) -> str:
    skeleton, layout, space = recording.skeleton, recording.layout, recording.space
    return json.dumps(
        {
            "names": list(skeleton.names),
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.tolist(),
            "end_site_joints": skeleton.end_site_joints.tolist(),
            "end_site_offsets": skeleton.end_site_offsets.tolist(),
            "channel_joints": layout.joints.tolist(),
            "channel_kinds": layout.kinds.tolist(),
            "translation_rule": layout.translation_rule,
            "root_adds_offset": layout.root_adds_offset,
            "axes": None if layout.axes is None else layout.axes.tolist(),
            "unit_metres": space.unit_metres,
            "up": space.up,
            "handedness": space.handedness,
        },
        ensure_ascii=False,
    )
