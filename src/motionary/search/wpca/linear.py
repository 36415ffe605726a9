"""Poses as vectors of straight numbers: every joint's turn away from its mean, the way the trunk points, the height.

A rotation vector is straight only near 0, so the mean rotation of a joint is taken out first (Johnson 2003). The root
turns through full circles, which no such vector can follow; where its up axis points, as a unit vector, has no seam.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import UP, Motion, rotations
from motionary.rig import reference_skeleton

N_CELLS = 9  # of each component of a quaternion: rotations in one cell differ by 30 degrees or so at most
FULL_SHARE = 1e-3  # of the frames: a rotation that so many have is part of what the joint does
ROOT_COLUMNS = ("up to the left", "up", "up forward", "height")  # of the pelvis: its up axis (unit), and metres


@dataclass(frozen=True, eq=False)
class PoseRows:
    """Poses as features describe them: what the body does, without place and heading."""

    angles: np.ndarray  # (F, 3 J) rotation vectors of all joints but the hips
    root: np.ndarray  # (F, 6)

    def __post_init__(self) -> None:
        known = descriptions()
        for name, array in (("angles", self.angles), ("root", self.root)):
            if array.ndim != 2 or array.shape[1] != known[name].n_dimensions or len(array) != len(self.angles):
                raise UsageError(f"the {name} of poses are (F, {known[name].n_dimensions}), not {array.shape}")

    @property
    def n_frames(self) -> int:
        return len(self.angles)

    def __getitem__(self, frames: slice | np.ndarray) -> "PoseRows":
        return PoseRows(self.angles[frames], self.root[frames])

    def mirrored(self) -> "PoseRows":
        """The same poses left for right."""
        known = descriptions()
        return PoseRows(known["angles"].mirrored(self.angles), known["root"].mirrored(self.root))


@cache
def joints() -> tuple[str, ...]:
    """The joints that turn, in the order of their columns."""
    return reference_skeleton().names[1:]


def n_columns() -> int:
    """Three for each joint, then those of the hips."""
    return 3 * len(joints()) + len(ROOT_COLUMNS)


def mean_rotations(pieces: Sequence[np.ndarray]) -> np.ndarray:
    """The middle (J, 4) of what each joint does in all pieces, each (F, 3 J) of `angles`.

    It is the rotation with the least sum of squared chords to all (Markley 2007), where rotations that are much the
    same count together: in full if a thousandth of the frames has them, else by their share. In a library where
    people mostly stand with their arms down, the plain mean is arms down, and arms up are half a turn away, where
    rotation vectors jump. This is what the mean of a range-of-motion take would be.
    """
    n_frames = sum(len(angles) for angles in pieces)
    counts, products = np.zeros((len(joints()), N_CELLS**4)), np.zeros((len(joints()), N_CELLS**4, 4, 4))
    for angles in pieces:
        _add_to_cells(np.ascontiguousarray(angles, dtype=np.float64), counts, products)
    shares = np.minimum(counts / (FULL_SHARE * max(n_frames, 1)), 1.0) / np.maximum(counts, 1.0)
    middles = np.linalg.eigh(np.einsum("jc,jcab->jab", shares, products))[1][:, :, -1]
    return np.where(middles[:, :1] < 0, -middles, middles)


def columns(poses: PoseRows, means: np.ndarray) -> np.ndarray:
    """The straight numbers (F, D) of poses: turns away from `means` (J, 4), in radians, then the root's."""
    out = np.empty((poses.n_frames, n_columns()))
    turns = 3 * len(joints())
    angles = np.array(poses.angles, dtype=np.float64, order="C")  # a copy, as they may be read-only, or not
    _turns_away(angles, np.array(means, order="C"), out)
    root = np.asarray(poses.root, dtype=np.float64)
    forward, left = root[:, 4], root[:, 5]
    angle = np.hypot(forward, left)
    out[:, turns] = np.sinc(angle / np.pi) * left
    out[:, turns + 1] = np.cos(angle)
    out[:, turns + 2] = np.sinc(angle / np.pi) * forward
    out[:, turns + 3] = root[:, 0]
    return out


def columns_reference(poses: PoseRows, means: np.ndarray) -> np.ndarray:
    """What `columns` computes, from the definition."""
    vectors = np.asarray(poses.angles, dtype=np.float64).reshape(poses.n_frames, -1, 3)
    turns = rotations.to_rotation_vector(
        rotations.multiply(rotations.inverse(means), rotations.from_rotation_vector(vectors))
    )
    tilt = np.asarray(poses.root, dtype=np.float64)[:, [5, 4]]
    # The pelvis leans to the left by turning against z, and forward by turning about x
    lean = np.stack([tilt[:, 1], np.zeros(poses.n_frames), -tilt[:, 0]], axis=-1)
    up = rotations.rotate(rotations.from_rotation_vector(lean), UP)
    return np.concatenate([turns.reshape(poses.n_frames, -1), up, np.asarray(poses.root)[:, :1]], axis=1)


def motion_of(
    values: np.ndarray,
    means: np.ndarray,
    *,
    frame_time: float,
    headings: np.ndarray | None = None,
    places: np.ndarray | None = None,
) -> Motion:
    """The motion of the reference skeleton whose poses have these columns (F, D); the inverse of `columns`.

    Place (F, 2) on the ground and heading (F,) are no part of a pose, and 0 unless given. The up axis may have any
    length but 0.
    """
    values = np.asarray(values, dtype=np.float64)
    n_frames, turns = len(values), 3 * len(joints())
    local = rotations.multiply(means, rotations.from_rotation_vector(values[:, :turns].reshape(n_frames, -1, 3)))
    up = values[:, turns : turns + 3]
    if (np.linalg.norm(up, axis=1) < 1e-9).any():
        raise UsageError("a pose whose up axis has no direction cannot be drawn")
    lean = rotations.between_vectors(UP, up)
    heading = rotations.from_axis_angle(UP, np.zeros(n_frames) if headings is None else np.asarray(headings))
    root = np.zeros((n_frames, 3))
    root[:, 1] = values[:, turns + 3]
    if places is not None:
        root[:, [0, 2]] = places
    turned = np.concatenate([rotations.multiply(heading, lean)[:, None], local], axis=1)
    return Motion(reference_skeleton(), frame_time, root, rotations.continuous(turned))


@njit(cache=True, nogil=True)
def _add_to_cells(angles, counts, products):  # type: ignore[no-untyped-def]
    """Counts every frame and joint in the cell of its rotation, and adds q qᵀ there; q and −q have one cell."""
    q = np.empty(4)
    for f in range(angles.shape[0]):
        for j in range(counts.shape[0]):
            _quaternion(angles[f, 3 * j], angles[f, 3 * j + 1], angles[f, 3 * j + 2], q)
            largest = 0
            for a in range(1, 4):
                if abs(q[a]) > abs(q[largest]):
                    largest = a
            sign = 1.0 if q[largest] >= 0.0 else -1.0
            cell = 0
            for a in range(4):
                cell = N_CELLS * cell + min(int((sign * q[a] + 1.0) * 0.5 * N_CELLS), N_CELLS - 1)
            counts[j, cell] += 1.0
            for a in range(4):
                for b in range(4):
                    products[j, cell, a, b] += q[a] * q[b]


@njit(cache=True, nogil=True)
def _quaternion(x, y, z, out):  # type: ignore[no-untyped-def]
    angle = np.sqrt(x * x + y * y + z * z)
    size = 0.5 if angle < 1e-9 else np.sin(0.5 * angle) / angle
    out[0], out[1], out[2], out[3] = np.cos(0.5 * angle), size * x, size * y, size * z


@njit(cache=True, nogil=True)
def _turns_away(angles, means, out):  # type: ignore[no-untyped-def]
    """The rotation vector of mean⁻¹ q for every frame and joint, of at most half a turn, into the first columns."""
    q = np.empty(4)
    for f in range(angles.shape[0]):
        for j in range(means.shape[0]):
            _quaternion(angles[f, 3 * j], angles[f, 3 * j + 1], angles[f, 3 * j + 2], q)
            mw, mx, my, mz = means[j, 0], means[j, 1], means[j, 2], means[j, 3]
            w = mw * q[0] + mx * q[1] + my * q[2] + mz * q[3]
            x = mw * q[1] - mx * q[0] - my * q[3] + mz * q[2]
            y = mw * q[2] + mx * q[3] - my * q[0] - mz * q[1]
            z = mw * q[3] - mx * q[2] + my * q[1] - mz * q[0]
            if w < 0.0:
                w, x, y, z = -w, -x, -y, -z
            length = np.sqrt(x * x + y * y + z * z)
            size = 2.0 if length < 1e-12 else 2.0 * np.arctan2(length, w) / length
            out[f, 3 * j], out[f, 3 * j + 1], out[f, 3 * j + 2] = size * x, size * y, size * z
