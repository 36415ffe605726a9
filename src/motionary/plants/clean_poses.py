"""The clean-up of one motion in one kernel: arrays in, arrays out."""

import numpy as np
from numba import njit

from motionary.ik import hinge_bends, swing_hinges, turn_in_world
from motionary.motion import turns
from motionary.plants.clean_fades import _fade
from motionary.plants.clean_feet import GENTLE_TURN, _flat_turns, _leave_alone, _lift_steps, _planted_moves, _stay_above
from motionary.plants.clean_legs import (
    AROUND_SECS,
    LAST_SECS,
    ROUNDS,
    UNKNOWNS,
    _balance,
    _carried,
    _knee_limits,
    _last_touch,
    _near,
    _solve,
)
from motionary.plants.clean_noise import NOISE_SECS, _quieten, _tremble
from motionary.plants.clean_places import GENTLE_MOVE

PLAIN_KNEE = 0.1  # sine of the bend below which the knee's axis is the body's rather than the pose's


@njit(cache=True, nogil=True)
def clean_poses(  # type: ignore[no-untyped-def]
    legs, parents, positions, world, places, planted, made_up, frame_time, fade_secs, follow_secs, root_moves, local
):
    """Move and turn poses so that planted feet stand; returns whether anything changed.

    `legs` is a `LegArrays`. World places (F, J, 3) and orientations (F, J, 4) of the joints are read, and where heels
    and balls are `planted` (F, 2, 2), and at which `places` (F, 2, 2, 3); steps with frames that are `made_up` (F,) are
    lifted. `root_moves` (F, 3), zeros, and `local` (F, J, 4), the rotations as they are, are written. The steps are
    those of `clean_reference`.
    """
    n_frames = len(positions)
    points = np.empty((n_frames, 2, 2, 3))
    foot_points(positions, world, legs.point_joints, legs.point_offsets, points)
    limbs = np.empty((n_frames, 2, 3, 3))
    standing = np.empty((n_frames, 2), dtype=np.bool_)
    for f in range(n_frames):
        for leg in range(2):
            standing[f, leg] = planted[f, leg, 0] or planted[f, leg, 1]
            for k in range(3):
                for i in range(3):
                    limbs[f, leg, k, i] = positions[f, legs.joints[leg, k], i]

    # What the feet must do.
    turn_vectors, moves = np.zeros((n_frames, 2, 3)), np.zeros((n_frames, 2, 3))
    changed = False
    for foot in range(2):
        changed |= _correct_foot(
            points, limbs, places, planted, made_up, foot, frame_time, fade_secs, turn_vectors, moves
        )
    if not changed:
        return False

    # What root and knees do then; all of it for poses without their noise.
    hips, knees, ankles = _column(limbs, np.int64(0)), _column(limbs, np.int64(1)), _column(limbs, np.int64(2))
    axes = np.empty((n_frames, 2, 3))
    knee_axes(limbs, world, legs.joints, legs.knee_axes, axes)
    found = np.empty((2 * n_frames, 3))
    hinge_bends(hips.reshape(-1, 3), knees.reshape(-1, 3), ankles.reshape(-1, 3), axes.reshape(-1, 3), found)
    bends, evens, spans = np.empty((n_frames, 2)), np.empty((n_frames, 2)), np.empty((n_frames, 2))
    for k in range(2 * n_frames):
        bends[k // 2, k % 2], evens[k // 2, k % 2], spans[k // 2, k % 2] = found[k, 0], found[k, 1], found[k, 2]
    wanted = ankles + moves
    n_noise = int(np.rint(NOISE_SECS / frame_time))
    quiet_hips, quiet_wanted, quiet_moves = _quiet(hips, n_noise), _quiet(wanted, n_noise), _quiet(moves, n_noise)
    quiet_bends = bends.copy()
    if n_noise > 1 and n_frames > 2:
        _quieten(bends, n_noise, quiet_bends)
    inside = np.zeros(n_frames, dtype=np.bool_)
    _near(moves, max(2, int(np.rint(AROUND_SECS / frame_time))), inside)
    weights, limits = np.empty(n_frames), np.empty(2)
    _carried(quiet_hips, frame_time, weights)
    _knee_limits(quiet_bends, frame_time, limits)
    _balance(quiet_hips, quiet_wanted, quiet_moves, standing, weights, inside, frame_time, root_moves)
    for f in range(n_frames):
        for leg in range(2):
            for i in range(3):
                quiet_hips[f, leg, i] += root_moves[f, i]
    unknowns = np.zeros((n_frames, UNKNOWNS))
    stiffness = (follow_secs / frame_time) ** 4
    _solve(quiet_hips, quiet_wanted, quiet_bends, evens, spans, standing, weights, limits, inside, stiffness,
           np.int64(ROUNDS), unknowns)  # fmt: skip
    firm = np.empty((n_frames, 2), dtype=np.bool_)
    both = np.empty((n_frames, 5))
    for f in range(n_frames):
        firm[f, 0], firm[f, 1] = standing[f, 0] and inside[f], standing[f, 1] and inside[f]
        both[f, 0], both[f, 1], both[f, 2] = root_moves[f, 0], root_moves[f, 1] + unknowns[f, 0], root_moves[f, 2]
        both[f, 3], both[f, 4] = unknowns[f, 1], unknowns[f, 2]
    if n_noise > 1:
        added, known = np.zeros((n_frames, 5)), np.empty(n_frames, dtype=np.bool_)
        _tremble(hips, wanted, bends, evens, spans, firm, both, added)
        for f in range(n_frames):
            known[f] = firm[f, 0] or firm[f, 1]
            if not known[f]:
                added[f] = 0.0
        _fade(added, known, frame_time, LAST_SECS, np.inf)
        for f in range(n_frames):
            if inside[f]:
                for i in range(5):
                    both[f, i] += added[f, i]
    bend_by = both[:, 3:].copy()
    for f in range(n_frames):
        for i in range(3):
            root_moves[f, i] = both[f, i]
    last, known = np.zeros((n_frames, 2)), np.empty(n_frames, dtype=np.bool_)
    _last_touch(hips, wanted, bends, evens, spans, firm, root_moves, bend_by, last)
    one = np.empty((n_frames, 1))
    for leg in range(2):
        for f in range(n_frames):
            known[f] = standing[f, leg]
            one[f, 0] = last[f, leg] if known[f] else 0.0
        _fade(one, known, frame_time, LAST_SECS, np.inf)
        for f in range(n_frames):
            bend_by[f, leg] += one[f, 0]

    # Into the joints.
    for f in range(n_frames):
        for leg in range(2):
            for i in range(3):
                wanted[f, leg, i] -= root_moves[f, i]
    upper, lower = np.empty((n_frames, 2, 4)), np.empty((n_frames, 2, 4))
    middles, ends = np.empty((2 * n_frames, 3)), np.empty((2 * n_frames, 3))
    swing_hinges(
        hips.reshape(-1, 3), knees.reshape(-1, 3), ankles.reshape(-1, 3), wanted.reshape(-1, 3), axes.reshape(-1, 3),
        bend_by.reshape(-1), upper.reshape(-1, 4), lower.reshape(-1, 4), middles, ends,
    )  # fmt: skip
    feet, toes = np.empty((n_frames, 2, 4)), np.empty((n_frames, 2, 4))
    finish_turns(turn_vectors, moves, root_moves, upper, lower, feet, toes)
    stacked = np.zeros((n_frames, len(legs.turned) + 1, 4))
    stacked[:, :, 0] = 1.0  # the last is for what hangs on no turned joint
    for leg in range(2):
        for k in range(4):
            column = legs.columns[leg, k]
            if column >= 0:
                source = upper if k == 0 else lower if k == 1 else feet if k == 2 else toes
                for f in range(n_frames):
                    for i in range(4):
                        stacked[f, column, i] = source[f, leg, i]
    turn_in_world(parents, legs.turned, legs.above, stacked, world, local)
    return True


@njit(cache=True, nogil=True)
def _correct_foot(points, limbs, places, planted, made_up, foot, frame_time, fade_secs, turn_vectors, moves):  # type: ignore[no-untyped-def]
    """Write how a foot turns and moves, as `foot_corrections` says; returns whether it does."""
    n_frames = len(points)
    from_ankle, ankle, own_places = np.empty((n_frames, 2, 3)), np.empty((n_frames, 3)), np.empty((n_frames, 2, 3))
    own, flat, known = (
        np.empty((n_frames, 2), dtype=np.bool_),
        np.empty(n_frames, dtype=np.bool_),
        np.empty(n_frames, dtype=np.bool_),
    )
    turning, moving = np.zeros((n_frames, 3)), np.zeros((n_frames, 3))
    for f in range(n_frames):
        for part in range(2):
            own[f, part] = planted[f, foot, part]
            for i in range(3):
                own_places[f, part, i] = places[f, foot, part, i]
                from_ankle[f, part, i] = points[f, foot, part, i] - limbs[f, foot, 2, i]
        for i in range(3):
            ankle[f, i] = limbs[f, foot, 2, i]
        flat[f], known[f] = own[f, 0] and own[f, 1], own[f, 0] or own[f, 1]
    _flat_turns(from_ankle, own_places, flat, turning)
    _leave_alone(turning, flat)
    _fade(turning, flat, frame_time, fade_secs, GENTLE_TURN)
    _planted_moves(from_ankle, ankle, own_places, own, turning, moving)
    _leave_alone(moving, known)
    _fade(moving, known, frame_time, fade_secs, GENTLE_MOVE)
    _stay_above(from_ankle, ankle, own_places, own, turning, moving)
    _lift_steps(from_ankle, ankle, own, turning, moving, made_up, frame_time)
    changed = False
    for f in range(n_frames):
        for i in range(3):
            turn_vectors[f, foot, i], moves[f, foot, i] = turning[f, i], moving[f, i]
            changed |= turning[f, i] != 0.0 or moving[f, i] != 0.0
    return changed


@njit(cache=True, nogil=True)
def _column(limbs, k):  # type: ignore[no-untyped-def]
    """One joint of all limbs (F, 2, 3)."""
    out = np.empty((len(limbs), 2, 3))
    for f in range(len(limbs)):
        for leg in range(2):
            for i in range(3):
                out[f, leg, i] = limbs[f, leg, k, i]
    return out


@njit(cache=True, nogil=True)
def _quiet(values, n):  # type: ignore[no-untyped-def]
    """A copy (F, 2, 3) without noise."""
    out = values.copy()
    if n > 1 and len(values) > 2:
        _quieten(values.reshape(len(values), 6), n, out.reshape(len(values), 6))
    return out


@njit(cache=True, nogil=True)
def foot_points(positions, world, joints, offsets, points):  # type: ignore[no-untyped-def]
    for f in range(positions.shape[0]):
        for foot in range(2):
            for part in range(2):
                j = joints[foot, part]
                q = (world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3])
                v = turns.rotate(q, (offsets[foot, part, 0], offsets[foot, part, 1], offsets[foot, part, 2]))
                for i in range(3):
                    points[f, foot, part, i] = positions[f, j, i] + v[i]


@njit(cache=True, nogil=True)
def knee_axes(limbs, world, joints, body_axes, axes):  # type: ignore[no-untyped-def]
    """The axis about which each knee bends: the pose's own where it is bent, else the body's."""
    for f in range(limbs.shape[0]):
        for leg in range(2):
            j = joints[leg, 0]
            q = (world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3])
            own = turns.rotate(q, (body_axes[leg, 0], body_axes[leg, 1], body_axes[leg, 2]))
            hip, knee, ankle = limbs[f, leg, 0], limbs[f, leg, 1], limbs[f, leg, 2]
            ax, ay, az = knee[0] - hip[0], knee[1] - hip[1], knee[2] - hip[2]
            bx, by, bz = ankle[0] - knee[0], ankle[1] - knee[1], ankle[2] - knee[2]
            size = np.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))
            if size < 1e-12:
                size = 1.0
            x, y, z = (ay * bz - az * by) / size, (az * bx - ax * bz) / size, (ax * by - ay * bx) / size
            backwards = min(x * own[0] + y * own[1] + z * own[2], 0.0)  # overstretched: mirrored
            axes[f, leg, 0] = x + (PLAIN_KNEE - 2.0 * backwards) * own[0]
            axes[f, leg, 1] = y + (PLAIN_KNEE - 2.0 * backwards) * own[1]
            axes[f, leg, 2] = z + (PLAIN_KNEE - 2.0 * backwards) * own[2]


@njit(cache=True, nogil=True)
def finish_turns(turn_vectors, moves, root, upper, lower, feet, toes):  # type: ignore[no-untyped-def]
    """Turns of feet and toes; legs that need not turn do not turn at all."""
    for f in range(root.shape[0]):
        still = root[f, 0] == 0.0 and root[f, 1] == 0.0 and root[f, 2] == 0.0
        for leg in range(2):
            vector = (turn_vectors[f, leg, 0], turn_vectors[f, leg, 1], turn_vectors[f, leg, 2])
            turn = turns.from_rotation_vector(vector)
            twist = turns.twist_about_up(turn)
            unmoved = moves[f, leg, 0] == 0.0 and moves[f, leg, 1] == 0.0 and moves[f, leg, 2] == 0.0
            for i in range(4):
                feet[f, leg, i], toes[f, leg, i] = turn[i], twist[i]
                if still and unmoved:
                    upper[f, leg, i] = lower[f, leg, i] = 1.0 if i == 0 else 0.0
