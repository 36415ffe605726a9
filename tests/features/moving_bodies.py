"""Motions of the reference body whose features are known by hand."""

import numpy as np

from motionary.motion import Motion, rotations
from motionary.rig import reference_skeleton, root_height

SKELETON = reference_skeleton()


def body(
    *,
    n_frames: int = 30,
    frame_time: float = 1 / 30,
    root: np.ndarray | None = None,
    turns: dict[str, np.ndarray] | None = None,
) -> Motion:
    """A standing body at rest but for its `root` (F, 3) and the axis-angle vectors (F, 3) of some joints."""
    vectors = np.zeros((n_frames, SKELETON.n_joints, 3))
    for joint, values in (turns or {}).items():
        vectors[:, SKELETON.index(joint)] = values
    places = np.zeros((n_frames, 3)) if root is None else np.array(root, dtype=float)
    places[:, 1] += root_height(SKELETON)
    return Motion(SKELETON, frame_time, places, rotations.continuous(rotations.from_rotation_vector(vectors)))


def wild_body(seed: int, *, n_frames: int = 40, frame_time: float = 1 / 30) -> Motion:
    """A body that walks about, turns, leans and waves, smoothly; every seed otherwise."""
    rng = np.random.default_rng(seed)
    secs = np.arange(n_frames)[:, None] * frame_time
    n_waves = 3

    def waves(size: float) -> np.ndarray:
        tempo, phase = rng.uniform(0.5, 4.0, (n_waves, 3)), rng.uniform(0, 2 * np.pi, (n_waves, 3))
        return size / n_waves * np.sin(secs[:, None] * tempo + phase).sum(axis=1)

    turns = {joint: waves(0.9) for joint in SKELETON.names[1:]}
    turns["Hips"] = waves(0.5) + (0.0, 1.0, 0.0) * secs * rng.uniform(-2, 2)
    root = waves(0.3) * (1.0, 0.2, 1.0) + secs * rng.uniform(-1, 1, 3) * (1.0, 0.0, 1.0)
    return body(n_frames=n_frames, frame_time=frame_time, root=root, turns=turns)
