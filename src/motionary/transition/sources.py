"""The windows that a blend is made of, as kernels take them; clips that are too short are carried on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from motionary.transition.body_lanes import BodyLanes
from motionary.transition.lanes import forward_joints, ride, root_lanes
from motionary.transition.pool import Pool

DYING_SECS = 0.2  # in which the last velocities fall to 1/e
LAST_FRAMES = 3  # that tell the last velocities: those of one frame may be noise
SOON = 1.0 / 3.0  # of that time, in which the velocity of the very last frame gives way to theirs
FOREVER = 1 << 28


class SourceWindows(NamedTuple):
    """R windows of P poses, each seen from its first frame: that stands at the origin and heads to +z."""

    turns: np.ndarray  # (R, J, 4, P), joints in the order of `BodyLanes`
    roots: np.ndarray  # (R, 3, P)
    facing: np.ndarray  # (R, P)
    shapes: np.ndarray  # (R, P, 3 J) places of the joints without the root's place and heading
    before: np.ndarray  # (R, C, 3 M) centres of mass before the first frame, seen from it
    after: np.ndarray  # (R, C, 3 M) the same after the last frame, seen from that
    points: np.ndarray  # (N,) int64: plants
    spans: np.ndarray  # (N, 2) int64 frames of the window, which may lie outside it
    places: np.ndarray  # (N, 3)
    groups: np.ndarray  # (G + 1,) int64: footprints
    of_windows: np.ndarray  # (R + 1,) int64
    carried: np.ndarray  # (R,) int64 frames of the window that its clip does not have


def gather_windows(
    pool: Pool,
    lanes: BodyLanes,
    firsts: np.ndarray,
    n_frames: int,
    *,
    ends: Sequence[bool] = (),
    levels: Sequence[float] | None = None,
    within: np.ndarray | None = None,
) -> SourceWindows:
    """The windows of `n_frames` + 1 poses from these frames of the pool.

    `firsts` (R, 2) are clip and first frame, counted through the pool; a window may begin before its clip, or end after
    it, by as much as it likes. A window that `ends` knows nothing of its clip after its first frame. `levels` are the
    heights of the ground below the windows, from which all heights count; if not given, below their middles. `within`
    (R, 2) are the frames [start, stop) that may be used of each clip; it is carried on beyond these, too.
    """
    n_poses, context = n_frames + 1, lanes.reach
    n_windows, n_joints, n_pieces = len(firsts), len(lanes.order), len(lanes.shares)
    clips = np.stack([pool.starts[firsts[:, 0]], pool.starts[firsts[:, 0] + 1]], axis=1).astype(np.int64)
    if within is not None:
        clips = np.stack([np.maximum(clips[:, 0], within[:, 0]), np.minimum(clips[:, 1], within[:, 1])], axis=1)
    points, spans, places, groups, of_windows = _footprints(pool, firsts, clips, n_poses)
    w = SourceWindows(
        np.empty((n_windows, n_joints, 4, n_poses)),
        np.empty((n_windows, 3, n_poses)),
        np.empty((n_windows, n_poses)),
        np.empty((n_windows, n_poses, 3 * n_joints)),
        np.empty((n_windows, context, 3 * n_pieces)),
        np.empty((n_windows, context, 3 * n_pieces)),
        points,
        spans,
        places,
        groups,
        of_windows,
        np.zeros(n_windows, dtype=np.int64),
    )
    for r, ended in enumerate(ends):
        if ended:
            clips[r, 1] = min(firsts[r, 1] + 1, clips[r, 1])
    if levels is None:
        levels = [pool.level(clip, first + n_frames // 2) for clip, first in firsts.tolist()]
    places[:, 1] -= np.repeat(levels, np.diff(groups[of_windows]))
    dying = DYING_SECS / pool.frame_time
    _gather(
        lanes,
        pool.roots,
        pool.headings,
        pool.turns,
        clips,
        firsts[:, 1].astype(np.int64),
        np.array(levels, dtype=np.float64),
        dying,
        w,
    )
    return w


def _footprints(pool: Pool, firsts: np.ndarray, within: np.ndarray, n_poses: int) -> tuple[np.ndarray, ...]:
    """The plants of the footprints that reach into windows: points, spans, places, groups, of_windows.

    Windows are of frames `within` (R, 2) of their clips.
    """
    prints = pool.footprints
    low, high = prints.of_clips[firsts[:, 0]], prints.of_clips[firsts[:, 0] + 1]
    n_groups, n_plants = int(np.sum(high - low)), int(np.sum(prints.groups[high] - prints.groups[low]))
    points, spans = np.empty(n_plants, dtype=np.int64), np.empty((n_plants, 2), dtype=np.int64)
    places = np.empty((n_plants, 3))
    groups, of_windows = np.zeros(n_groups + 1, dtype=np.int64), np.zeros(len(firsts) + 1, dtype=np.int64)
    _collect(
        prints.points, prints.spans, prints.places, prints.groups, prints.of_clips, within,
        firsts, n_poses, points, spans, places, groups, of_windows,
    )  # fmt: skip
    n_groups = int(of_windows[-1])
    n_plants = int(groups[n_groups])
    return points[:n_plants], spans[:n_plants], places[:n_plants], groups[: n_groups + 1], of_windows


@njit(cache=True, nogil=True)
def _collect(  # type: ignore[no-untyped-def]
    all_points, all_spans, all_places, all_groups, of_clips, within, firsts, n_poses, points, spans, places, groups,
    of_windows,
):  # fmt: skip
    n, n_groups = 0, 0
    for r in range(len(firsts)):
        clip, first = firsts[r, 0], firsts[r, 1]
        for g in range(of_clips[clip], of_clips[clip + 1]):
            before = n
            for m in range(all_groups[g], all_groups[g + 1]):
                start, stop = max(all_spans[m, 0], within[r, 0]), min(all_spans[m, 1], within[r, 1])
                if start >= stop:
                    continue
                start = -FOREVER if start == within[r, 0] else start - first  # a clip that is carried on stands on
                stop = FOREVER if stop == within[r, 1] else stop - first
                if start < n_poses and stop > 0:
                    points[n], spans[n, 0], spans[n, 1] = all_points[m], start, stop
                    for c in range(3):
                        places[n, c] = all_places[m, c]
                    n += 1
            if n > before:
                n_groups += 1
                groups[n_groups] = n
        of_windows[r + 1] = n_groups


@njit(cache=True, nogil=True, error_model="numpy")
def copy_frames(order, roots, headings, turns, start, stop, first, dying, out_roots, out_facing, out_turns):  # type: ignore[no-untyped-def]
    """Frames from `first` on of the clip [start, stop) into (3, F), (F,) and (J, 4, F); returns how many it lacks.

    Beyond its ends the clip is carried on by its last velocities, dying away by e every `dying` frames: at first by
    that of the very last frame, so that nothing jerks, then by the mean of a few.
    """
    n, n_lacking = len(out_facing), 0
    for k in range(n):
        f = first + k
        e = min(max(f, start), stop - 1)
        for c in range(3):
            out_roots[c, k] = roots[e, c]
        out_facing[k] = headings[e]
        for j in range(len(order)):
            for c in range(4):
                out_turns[j, c, k] = turns[e, c, order[j]]
        if e == f:
            continue
        n_lacking += 1
        back = min(LAST_FRAMES, stop - start - 1)
        if back == 0:
            continue
        next_to, earlier = (e - 1, e - back) if f >= stop else (e + 1, e + back)
        soon = SOON * dying * (1.0 - np.exp(-abs(f - e) / (SOON * dying)))
        way = (dying * (1.0 - np.exp(-abs(f - e) / dying)) - soon) / back
        for c in range(3):
            out_roots[c, k] += way * (roots[e, c] - roots[earlier, c]) + soon * (roots[e, c] - roots[next_to, c])
        out_facing[k] += way * (headings[e] - headings[earlier]) + soon * (headings[e] - headings[next_to])
        for j in range(len(order)):
            m = order[j]
            _carry_on(turns, e, earlier, m, way, out_turns[j], k)
            _carry_on(turns, e, next_to, m, soon, out_turns[j], k)
    return n_lacking


@njit(cache=True, nogil=True, error_model="numpy")
def _carry_on(turns, e, earlier, m, way, out, k):  # type: ignore[no-untyped-def]
    """Turns the rotation on by `way` times the turn from the earlier frame to frame e."""
    w, x, y, z = turns[earlier, 0, m], turns[earlier, 1, m], turns[earlier, 2, m], turns[earlier, 3, m]
    a, b, c, d = turns[e, 0, m], turns[e, 1, m], turns[e, 2, m], turns[e, 3, m]
    p = w * a + x * b + y * c + z * d
    q, r, t = w * b - x * a - y * d + z * c, w * c + x * d - y * a - z * b, w * d - x * c + y * b - z * a
    if p < 0.0:
        p, q, r, t = -p, -q, -r, -t
    length = np.sqrt(q * q + r * r + t * t)
    if length > 1e-9:
        half = way * np.arctan2(length, p)
        scale = np.sin(half) / length
        p, q, r, t = np.cos(half), scale * q, scale * r, scale * t
        a, b, c, d = out[0, k], out[1, k], out[2, k], out[3, k]
        out[0, k] = a * p - b * q - c * r - d * t
        out[1, k] = a * q + b * p + c * t - d * r
        out[2, k] = a * r - b * t + c * p + d * q
        out[3, k] = a * t + b * r - c * q + d * p


@njit(cache=True, nogil=True, error_model="numpy")
def seen_from(x, z, heading, roots, facing):  # type: ignore[no-untyped-def]
    """Roots (3, F) and headings (F,) in place, as seen from a place and heading."""
    cosine, sine = np.cos(heading), np.sin(heading)
    for k in range(len(facing)):
        u, v = roots[0, k] - x, roots[2, k] - z
        roots[0, k], roots[2, k] = cosine * u - sine * v, sine * u + cosine * v
        facing[k] -= heading


@njit(cache=True, nogil=True, error_model="numpy")
def mass_centres(b, world, places, low, high, work, out):  # type: ignore[no-untyped-def]
    """Centres of the pieces of mass, (F, 3 M): all x, then all y, then all z; `work` (3, F)."""
    n_pieces = len(b.shares)
    for i in range(n_pieces):
        ride(world, places, b.piece_joints[i], b.piece_centres[i], low, high, work)
        for c in range(3):
            for k in range(np.uint64(low), np.uint64(high)):
                out[k, c * n_pieces + i] = work[c, k]


@njit(cache=True, nogil=True, error_model="numpy")
def _gather(b, roots, headings, turns, spans, firsts, levels, dying, w):  # type: ignore[no-untyped-def]
    n_windows, n_joints, _, n_poses = w.turns.shape
    context = w.before.shape[1]
    total = n_poses + 2 * context
    all_roots, all_facing = np.empty((3, total)), np.empty(total)
    all_turns = np.empty((n_joints, 4, total))
    world, places = np.empty((n_joints, 4, total)), np.empty((n_joints, 3, total))
    work = np.empty((3, total))
    for r in range(n_windows):
        first = firsts[r]
        copy_frames(
            b.order, roots, headings, turns, spans[r, 0], spans[r, 1], first - context, dying, all_roots, all_facing,
            all_turns,
        )  # fmt: skip
        w.carried[r] = max(spans[r, 0] - first, 0) + max(first + n_poses - spans[r, 1], 0)
        x, z, heading = all_roots[0, context], all_roots[2, context], all_facing[context]
        seen_from(x, z, heading, all_roots, all_facing)
        for k in range(total):
            all_roots[1, k] -= levels[r]
        for k in range(n_poses):
            w.facing[r, k] = all_facing[context + k]
            for c in range(3):
                w.roots[r, c, k] = all_roots[c, context + k]
            for j in range(n_joints):
                for c in range(4):
                    w.turns[r, j, c, k] = all_turns[j, c, context + k]
        _see_places(w, r, x, z, heading)
        root_lanes(all_turns, all_facing, all_roots, total, world, places)
        forward_joints(b.parents, b.offsets, all_turns, np.int64(1), n_joints, np.int64(0), total, world, places)
        _contexts(b, w, r, world, places, all_roots, all_facing, work)
        _shapes(w, r, places, all_roots, all_facing, context)


@njit(cache=True, nogil=True, error_model="numpy")
def _see_places(w, r, x, z, heading):  # type: ignore[no-untyped-def]
    cosine, sine = np.cos(heading), np.sin(heading)
    for m in range(w.groups[w.of_windows[r]], w.groups[w.of_windows[r + 1]]):
        u, v = w.places[m, 0] - x, w.places[m, 2] - z
        w.places[m, 0], w.places[m, 2] = cosine * u - sine * v, sine * u + cosine * v


@njit(cache=True, nogil=True, error_model="numpy")
def _contexts(b, w, r, world, places, roots, facing, work):  # type: ignore[no-untyped-def]
    """Centres of mass before the first frame, and, seen from the last, after that."""
    n_pieces, context, n_poses = len(b.shares), w.before.shape[1], w.facing.shape[1]
    total = n_poses + 2 * context
    last = context + n_poses - 1
    cosine, sine = np.cos(facing[last]), np.sin(facing[last])
    for i in range(n_pieces):
        ride(world, places, b.piece_joints[i], b.piece_centres[i], np.int64(0), total, work)
        for k in range(context):
            for c in range(3):
                w.before[r, k, c * n_pieces + i] = work[c, k]
            x, z = work[0, last + 1 + k] - roots[0, last], work[2, last + 1 + k] - roots[2, last]
            w.after[r, k, i] = cosine * x - sine * z
            w.after[r, k, n_pieces + i] = work[1, last + 1 + k]
            w.after[r, k, 2 * n_pieces + i] = sine * x + cosine * z


@njit(cache=True, nogil=True, error_model="numpy")
def _shapes(w, r, places, roots, facing, context):  # type: ignore[no-untyped-def]
    """Where the joints are, seen from the root's place and heading in each frame."""
    for k in range(w.facing.shape[1]):
        f = context + k
        cosine, sine = np.cos(facing[f]), np.sin(facing[f])
        for j in range(places.shape[0]):
            x, z = places[j, 0, f] - roots[0, f], places[j, 2, f] - roots[2, f]
            w.shapes[r, k, 3 * j] = cosine * x - sine * z
            w.shapes[r, k, 3 * j + 1] = places[j, 1, f]
            w.shapes[r, k, 3 * j + 2] = sine * x + cosine * z
