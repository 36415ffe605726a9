"""A body as kernels of transitions take it: joints ordered legs first, masses, soles, smoothed accelerations."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from motionary.dynamics import Soles, below_joints, body_masses, derivative
from motionary.rig import SIDES, Body


class BodyLanes(NamedTuple):
    """The arrays of a body; joints are numbered anew, the root and the legs before all others."""

    order: np.ndarray  # (J,) int64: the skeleton's number of each joint
    parents: np.ndarray  # (J,) int64
    offsets: np.ndarray  # (J, 3)
    n_legs: int  # so many joints tell where the feet are
    piece_joints: np.ndarray  # (M,) int64, of the pieces of mass
    piece_centres: np.ndarray  # (M, 3)
    shares: np.ndarray  # (M,)
    below: np.ndarray  # (J,) metres that the body reaches below its joints
    sole_joints: np.ndarray  # (6,) int64
    sole_offsets: np.ndarray  # (6, 3)
    sole_sideways: np.ndarray  # (6, 3)
    taps: np.ndarray  # (2 R + 1,) weights of the smoothed second derivative
    frame_time: float

    @property
    def reach(self) -> int:
        """Frames before and after a frame that its acceleration depends on."""
        return len(self.taps) // 2


@lru_cache(maxsize=16)
def body_lanes(body: Body, frame_time: float) -> BodyLanes:
    """The arrays of a body with average masses, for motion of this frame time."""
    skeleton, joints = body.skeleton, body.body_map.joints
    legs = {0}
    for side in SIDES:
        for part in ("Thigh", "Shin", "Foot", "Toe"):
            if side + part in joints:
                legs.update(skeleton.chain(joints[side + part]))
    order = np.array(sorted(range(skeleton.n_joints), key=lambda joint: (joint not in legs, joint)))
    number = np.argsort(order)  # parents stay before their children: a leg's chain is all legs
    masses, soles = body_masses(body), Soles.of(body)
    wide = derivative(2, frame_time=frame_time, n_frames=1 + 2 * round(1.0 / frame_time))
    parents = skeleton.parents[order].astype(np.int64)
    return BodyLanes(
        order,
        np.where(parents < 0, -1, number[np.maximum(parents, 0)]).astype(np.int64),
        np.ascontiguousarray(skeleton.offsets[order]),
        len(legs),
        number[masses.joints].astype(np.int64),
        np.ascontiguousarray(masses.offsets),
        np.ascontiguousarray(masses.shares),
        np.ascontiguousarray(below_joints(body)[order]),
        number[soles.joints].astype(np.int64),
        np.ascontiguousarray(soles.offsets),
        np.ascontiguousarray(soles.sideways),
        np.ascontiguousarray(wide.weights[wide.n_frames // 2]),
        frame_time,
    )
