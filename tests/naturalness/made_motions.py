"""Motions with plants for the tests: steps, hops and noise, on the reference skeleton and on others."""

import numpy as np

from motionary.dynamics import Masses, body_masses
from motionary.motion import Motion, Skeleton, rotations
from motionary.naturalness import Standing
from motionary.rig import Body, body_of, reference_skeleton, root_height

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY)


def still(n_frames: int = 60, *, frame_time: float = 1 / 60, skeleton: Skeleton = BODY.skeleton) -> Motion:
    """A body that stands as stiff as a board."""
    root = np.tile([0.0, root_height(skeleton), 0.0], (n_frames, 1))
    return Motion(skeleton, frame_time, root, np.tile(rotations.IDENTITY, (n_frames, skeleton.n_joints, 1)))


def restless(seed: int, n_frames: int, *, frame_time: float = 1 / 60, moving: bool = False) -> Motion:
    """A body that turns all its joints smoothly and moves its root, now and then high above the ground."""
    rng = np.random.default_rng(seed)
    skeleton = BODY.skeleton
    secs = np.arange(n_frames) * frame_time
    tempo, phase = rng.uniform(1.0, 12.0, (2, skeleton.n_joints, 3))
    turned = rotations.from_rotation_vector(0.3 * np.sin(secs[:, None, None] * tempo + phase))
    root = np.cumsum(rng.normal(0.0, 0.01, (n_frames, 3)), axis=0)
    root[:, 1] += root_height(skeleton) + 0.2 * np.maximum(np.sin(5.0 * secs + phase[0, 0]), 0.0)
    movers = np.array([5, 9, 17], dtype=np.int32) if moving else np.zeros(0, dtype=np.int32)
    translations = skeleton.offsets[movers] + rng.normal(0.0, 0.01, (n_frames, len(movers), 3))
    return Motion(skeleton, frame_time, root, rotations.continuous(turned), movers, translations)


def some_plants(seed: int, n_frames: int, *, n_plants: int = 4) -> Standing:
    """Plants anywhere, also overlapping ones."""
    rng = np.random.default_rng(seed)
    spans = np.sort(rng.integers(0, n_frames + 1, (n_plants, 2)), axis=1)
    spans = spans[spans[:, 0] < spans[:, 1]]
    return Standing(n_frames, rng.integers(0, 4, len(spans)), spans, rng.normal(0.0, 0.3, (len(spans), 3)))


def body_and_masses(motion: Motion) -> tuple[Body, Masses]:
    body = body_of(motion.skeleton, motion=motion)
    return body, body_masses(body)
