"""What every pose description is computed from: a motion on the reference skeleton, at the search rate."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from motionary.motion import Motion, headings
from motionary.plants import detect_plants
from motionary.rig import Body, body_of, mirror_partners, reference_skeleton, transfer_between


@dataclass(frozen=True, eq=False)
class Poses:
    """A motion on the reference skeleton: lengths are those of a person of 1.75 m with the same leg length."""

    motion: Motion
    headings: np.ndarray  # (F,) radians about +y from +z
    contacts: np.ndarray  # (F, 2, 2) bool; [left, right] by [heel, toe]

    @classmethod
    def of(cls, motion: Motion, body: Body) -> "Poses":
        """The poses of a motion of that body, at the motion's rate.

        Feet are found standing on the actor's own skeleton. Legs are not bent to put the feet on scaled places: on
        CMU's clips that takes six times as long, and feet slide and rise neither more nor less without it.
        """
        moved = transfer_between(motion, body, body_of(reference_skeleton()), feet=False)
        return cls(moved, headings(moved.rotations_world[:, 0]), detect_plants(motion, body).contacts)

    @property
    def frame_time(self) -> float:
        return self.motion.frame_time

    def into_body(self, vectors: np.ndarray) -> np.ndarray:
        """Vectors (F, ..., 3) of the world as the body sees them: x to its left, y up, z forward."""
        shape = (-1,) + (1,) * (vectors.ndim - 2)
        cosine, sine = np.cos(self.headings).reshape(shape), np.sin(self.headings).reshape(shape)
        x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
        return np.stack([cosine * x - sine * z, y, sine * x + cosine * z], axis=-1)


def rate_of_change(values: np.ndarray, *, frame_time: float) -> np.ndarray:
    """Derivatives (F, ...) over time by central differences, one-sided at the ends; one frame alone does not move."""
    if len(values) == 1:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, frame_time, axis=0))


@cache
def other_side() -> dict[str, str]:
    """The counterpart of every joint of the reference skeleton; itself for those in the middle."""
    skeleton = reference_skeleton()
    return {name: skeleton.names[j] for name, j in zip(skeleton.names, mirror_partners(skeleton), strict=True)}
