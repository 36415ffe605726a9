"""Motions put onto a skeleton whose hips hang on a floor point, as in game engines."""

from typing import Literal

import numpy as np

from motionary.motion import UP, Motion, Skeleton, headings, rotations

Root = Literal["still", "below", "carrying"]  # stands at the origin, moves along on the floor, or carries the hips


def on_floor_point(motion: Motion, root: Root) -> Motion:
    """The same poses; the hips move against the root, but for a root that carries them."""
    old, n = motion.skeleton, motion.n_frames
    offsets = np.concatenate([[[0.0, 0.0, 0.0], [0.0, 0.9, 0.0]], old.offsets[1:]])
    skeleton = Skeleton(
        ("floor", *old.names),
        np.concatenate([[-1], old.parents + 1]),
        offsets,
        old.end_site_joints + 1,
        old.end_site_offsets,
    )
    turns = np.tile(rotations.IDENTITY, (n, 1))
    places = np.zeros((n, 3))
    if root == "below":
        turns = rotations.from_axis_angle(UP, headings(motion.rotations[:, 0]) + 0.3)
        places = motion.root_positions * (1.0, 0.0, 1.0)
    elif root == "carrying":
        places = motion.root_positions - offsets[1]
    local = np.concatenate([turns[:, None], motion.rotations], axis=1)
    local[:, 1] = rotations.multiply(rotations.inverse(turns), motion.rotations[:, 0])
    hips = rotations.rotate(rotations.inverse(turns), motion.root_positions - places)
    carried = root == "carrying"
    return Motion(
        skeleton,
        motion.frame_time,
        places,
        rotations.continuous(local),
        moving_joints=np.array([] if carried else [1], dtype=np.int32),
        translations=None if carried else hips[:, None],
    )
