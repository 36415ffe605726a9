"""The blend of poses: n motions at common frames, by weights over time, into one.

Place and heading are taken out of every source; rotations, the pelvis's tilt and its height are averaged; then the
blend is moved by the weighted steps of the sources, each seen from its own heading, and turned by theirs. Places are
never averaged: paths would fold.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import ExtrapolationError, UsageError
from motionary.motion import (
    Placement,
    Placements,
    extrapolates_too_far,
    headings,
    mean_rotation,
    rotations,
    turns,
)

WEIGHTS_WITHIN = 1e-6  # of 1, for the sum of the weights at a frame


@dataclass(frozen=True, eq=False)
class BlendedPoses:
    """What comes out of `blend_poses`."""

    root_positions: np.ndarray  # (F, 3)
    rotations: np.ndarray  # (F, J, 4), continuous over time
    translations: np.ndarray  # (F, M, 3)
    headings: np.ndarray  # (F,) of the blend


def blend_poses(
    root_positions: np.ndarray,
    rotations_local: np.ndarray,
    weights: np.ndarray,
    *,
    translations: np.ndarray | None = None,
    headings_of_sources: np.ndarray | None = None,
    pelvis_rest: np.ndarray = rotations.IDENTITY,
    joint_groups: np.ndarray | None = None,
    start: Placement | None = None,
) -> BlendedPoses:
    """N sources at F common frames, (N, F, 3) and (N, F, J, 4), blended by weights (F, N) or (N,) that sum to 1.

    Joint groups may have weights of their own: `weights` is then (G, F, N) and `joint_groups` (J,) names each joint's
    group; the root's place, heading and height go by the first. Headings (N, F) are the pelvis's if not given; any
    curves will do that say which way each source faces, as long as they are smooth. The blend starts where and as
    the first source does (at its first frame), or at `start`: its place and heading.
    """
    root_positions = np.ascontiguousarray(root_positions, dtype=float)
    rotations_local = np.ascontiguousarray(rotations_local, dtype=float)
    n_sources, n_frames, n_joints = _check_sources(root_positions, rotations_local)
    moved = np.zeros((n_sources, n_frames, 0, 3)) if translations is None else np.asarray(translations, dtype=float)
    if moved.shape[:2] != (n_sources, n_frames):
        raise UsageError(f"translations of shape {moved.shape} do not fit {n_sources} sources of {n_frames} frames")
    shares, groups = _checked_weights(weights, joint_groups, n_sources, n_frames, n_joints)
    if headings_of_sources is None:
        facing = np.stack([headings(source[:, 0], pelvis_rest) for source in rotations_local])
    else:
        facing = np.ascontiguousarray(headings_of_sources, dtype=float)
        if facing.shape != (n_sources, n_frames):
            raise UsageError(f"headings of shape {facing.shape} do not fit {n_sources} sources of {n_frames} frames")
    if start is None:
        start = Placement(float(facing[0, 0]), float(root_positions[0, 0, 0]), float(root_positions[0, 0, 2]))
    out = BlendedPoses(
        np.empty((n_frames, 3)),
        np.empty((n_frames, n_joints, 4)),
        np.empty((n_frames, moved.shape[2], 3)),
        np.empty(n_frames),
    )
    refused = write_blend(
        root_positions,
        rotations_local,
        np.ascontiguousarray(moved),
        facing,
        shares,
        groups,
        np.zeros(n_joints, dtype=np.bool_),
        np.array([start.theta, start.x, start.z]),
        np.empty((n_sources, 4)),
        out.root_positions,
        out.rotations,
        out.translations,
        out.headings,
    )
    if refused >= 0:
        frame, joint = divmod(int(refused), n_joints)
        raise ExtrapolationError(
            f"at frame {frame} the sources turn joint {joint} over 150° apart, which cannot be extrapolated. "
            "Use weights from 0 to 1, or leave out the source that differs"
        )
    return out


def blend_poses_reference(
    root_positions: np.ndarray,
    rotations_local: np.ndarray,
    weights: np.ndarray,
    facing: np.ndarray,
    start: Placement,
) -> tuple[np.ndarray, np.ndarray]:
    """Root positions and rotations of `blend_poses` with weights (F, N), from the definition."""
    n_sources, n_frames = root_positions.shape[:2]
    steps = [Placements(facing[i], root_positions[i][:, [0, 2]]).steps() for i in range(n_sources)]
    between = 0.5 * (weights[1:] + weights[:-1])  # (F − 1, N)
    way = Placements.along(
        start,
        Placements(
            sum((between[:, i] * steps[i].thetas for i in range(n_sources)), np.zeros(n_frames - 1)),
            sum((between[:, i, None] * steps[i].moves for i in range(n_sources)), np.zeros((n_frames - 1, 2))),
        ),
    )
    places = np.stack([way.moves[:, 0], np.sum(weights.T * root_positions[..., 1], axis=0), way.moves[:, 1]], axis=1)
    local = np.array(rotations_local)
    up = np.array([0.0, 1.0, 0.0])
    for i in range(n_sources):
        local[i, :, 0] = rotations.multiply(rotations.from_axis_angle(up, -facing[i]), local[i, :, 0])
    turned = np.array(
        [[rotations.mean_reference(local[:, f, j], weights[f]) for j in range(local.shape[2])] for f in range(n_frames)]
    )
    turned[:, 0] = rotations.multiply(rotations.from_axis_angle(up, way.thetas), turned[:, 0])
    return places, turned


def _check_sources(root_positions: np.ndarray, rotations_local: np.ndarray) -> tuple[int, int, int]:
    if rotations_local.ndim != 4 or rotations_local.shape[3] != 4 or not rotations_local.size:
        raise UsageError(f"rotations of sources have the shape (N, F, J, 4), not {rotations_local.shape}")
    n_sources, n_frames, n_joints = rotations_local.shape[:3]
    if root_positions.shape != (n_sources, n_frames, 3):
        raise UsageError(f"root positions of shape {root_positions.shape} do not fit {n_sources} sources")
    return n_sources, n_frames, n_joints


def _checked_weights(
    weights: np.ndarray, joint_groups: np.ndarray | None, n_sources: int, n_frames: int, n_joints: int
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (G, F, N) and the joints' groups (J,)."""
    shares = np.asarray(weights, dtype=float)
    if shares.ndim == 1:
        shares = np.broadcast_to(shares, (n_frames, len(shares)))
    if shares.ndim == 2:
        shares = shares[None]
    if shares.ndim != 3 or shares.shape[1:] != (n_frames, n_sources):
        raise UsageError(f"weights of shape {np.shape(weights)} do not fit {n_sources} sources of {n_frames} frames")
    if not np.isfinite(shares).all():
        raise UsageError("a weight is not a finite number")
    sums = shares.sum(axis=2)
    if (np.abs(sums - 1.0) > WEIGHTS_WITHIN).any():
        wrong = float(sums.flat[int(np.argmax(np.abs(sums - 1.0)))])
        raise UsageError(f"the weights of a blend must sum to 1; these sum to {wrong:g}")
    groups = np.zeros(n_joints, dtype=np.int64) if joint_groups is None else np.asarray(joint_groups, dtype=np.int64)
    if groups.shape != (n_joints,) or groups.min() < 0 or groups.max() >= len(shares):
        raise UsageError(f"joint groups must name one of {len(shares)} groups for each of {n_joints} joints")
    return np.ascontiguousarray(shares), groups


@njit(cache=True, nogil=True)
def write_blend(  # type: ignore[no-untyped-def]
    root,
    local,
    translations,
    facing,
    weights,
    groups,
    loose,
    start,
    room,
    out_root,
    out_local,
    out_translations,
    out_facing,
):
    """`blend_poses` into the outputs. Returns frame · J + joint of a refusal, −1 if none.

    `root` (N, F, 3), `local` (N, F, J, 4), `translations` (N, F, M, 3), `facing` (N, F), `weights` (G, F, N), `groups`
    (J,), `start` (theta, x, z), `room` (N, 4) to work in. Joints that are `loose` (J,) are not extrapolated: for them,
    weights below 0 count as 0.
    """
    n_sources, n_frames, n_joints = local.shape[0], local.shape[1], local.shape[2]
    theta, x, z = start[0], start[1], start[2]
    refused = -1
    for f in range(n_frames):
        if f > 0:
            # steps of the sources, each seen half-way between its headings at both frames
            turn, aside, ahead = 0.0, 0.0, 0.0
            for i in range(n_sources):
                share = 0.5 * (weights[0, f - 1, i] + weights[0, f, i])
                if share == 0.0:
                    continue
                by = facing[i, f] - facing[i, f - 1]
                middle = facing[i, f - 1] + 0.5 * by
                cosine, sine = np.cos(middle), np.sin(middle)
                dx, dz = root[i, f, 0] - root[i, f - 1, 0], root[i, f, 2] - root[i, f - 1, 2]
                turn += share * by
                aside += share * (cosine * dx - sine * dz)
                ahead += share * (sine * dx + cosine * dz)
            middle = theta + 0.5 * turn
            cosine, sine = np.cos(middle), np.sin(middle)
            theta += turn
            x += cosine * aside + sine * ahead
            z += cosine * ahead - sine * aside
        out_facing[f] = theta
        height = 0.0
        for i in range(n_sources):
            height += weights[0, f, i] * root[i, f, 1]
        out_root[f, 0], out_root[f, 1], out_root[f, 2] = x, height, z
        refused_here = write_mean_pose(
            local, translations, facing, weights, groups, loose, f, theta, room, out_local, out_translations
        )
        if refused < 0 and refused_here >= 0:
            refused = f * n_joints + refused_here
    return refused


@njit(cache=True, nogil=True)
def write_mean_pose(  # type: ignore[no-untyped-def]
    local, translations, facing, weights, groups, loose, f, theta, room, out_local, out_translations
):
    """The mean pose of frame f, turned to the heading `theta`; returns the joint that was refused, −1 if none."""
    n_sources, n_joints = local.shape[0], local.shape[2]
    refused = -1
    for j in range(n_joints):
        shares = weights[groups[j], f]
        if j == 0:
            for i in range(n_sources):
                half = -0.5 * facing[i, f]
                own = (local[i, f, 0, 0], local[i, f, 0, 1], local[i, f, 0, 2], local[i, f, 0, 3])
                tilt = turns.multiply((np.cos(half), 0.0, np.sin(half), 0.0), own)
                room[i, 0], room[i, 1], room[i, 2], room[i, 3] = tilt
        else:
            for i in range(n_sources):
                for c in range(4):
                    room[i, c] = local[i, f, j, c]
        if loose[j] and shares.min() < 0.0:
            shares = np.maximum(shares, 0.0)
            shares /= shares.sum()
        if refused < 0 and extrapolates_too_far(room, shares):
            refused = j
        q = mean_rotation(room, shares)
        if j == 0:
            half = 0.5 * theta
            q = turns.multiply((np.cos(half), 0.0, np.sin(half), 0.0), q)
        sign = 1.0
        if f > 0:
            before = out_local[f - 1, j]
            if q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0.0:
                sign = -1.0
        for c in range(4):
            out_local[f, j, c] = sign * q[c]
    shares = weights[0, f]
    for m in range(translations.shape[2]):
        for c in range(3):
            total = 0.0
            for i in range(n_sources):
                total += shares[i] * translations[i, f, m, c]
            out_translations[f, m, c] = total
    return refused
