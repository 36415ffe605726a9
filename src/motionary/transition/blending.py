"""Blends of windows, from recipe to score, in one compiled path: nothing is allocated, the bits are always the same."""

from typing import Any

import numpy as np
from numba import njit

from motionary.dynamics import CLEARANCE, HALF_WIDTH, LIGHT, POINT_OF, SHORTEST, TOUCHING, nearest_in_hull, touch_ground
from motionary.motion import GRAVITY
from motionary.transition.clock import set_clock
from motionary.transition.lanes import align_signs, forward_joints, mean_rotations, ride, root_lanes, sample_joints
from motionary.transition.planting import plant_feet
from motionary.transition.sources import mass_centres
from motionary.transition.workspace import COLUMNS

LEVEL = 1e-9
ROUNDING = 1e-12  # of a score: what is given up is worse by more than additions may be off, so that ties are scored
FIRST = 16  # frames of which the whole body is blended first: two thirds of the blends that fail do so there
SCORE, PLANT_ERROR, ZMP_ERROR, FALL_ERROR, N_PLANTED, N_COUNTED, N_FLIGHT, N_PIECES = range(8)


@njit(cache=True, nogil=True, error_model="numpy")
def run_blends(b, w, times, paces, recipes, prune, best, out, work):  # type: ignore[no-untyped-def]
    """Blend and score recipes (B, 4), windows from source to target, −1 behind the last; returns the last's frames.

    The one compiled way into blending: all that blends calls it. `best` (K, 2) are the least scores and their codes so
    far, in order, and are kept up to date; the code of recipe n is out[n, 0] when called. With `prune`, blends that
    must be worse than all of these are given up. Writes the parts of the scores, `out` (B, 8); `work` is left with the
    last blend.
    """
    last = len(best) - 1
    n = 0
    for r in range(len(recipes)):
        n_sources = 4
        while recipes[r, n_sources - 1] < 0:
            n_sources -= 1
        code = out[r, 0]
        n = blend_windows(b, w, times, paces, recipes[r], n_sources, best[last, 0] if prune else np.inf, work)
        score = work.parts[SCORE]
        for c in range(len(work.parts)):
            out[r, c] = work.parts[c]
        if score < best[last, 0] or (score == best[last, 0] and code < best[last, 1]):
            k = last
            while k > 0 and (score < best[k - 1, 0] or (score == best[k - 1, 0] and code < best[k - 1, 1])):
                best[k, 0], best[k, 1] = best[k - 1, 0], best[k - 1, 1]
                k -= 1
            best[k, 0], best[k, 1] = score, code
    return n


@njit(cache=True, nogil=True, error_model="numpy", inline="always")  # so that it is compiled once, in `run_blends`
def blend_windows(b, w, times, paces, which, n_sources, give_up_above, work):  # type: ignore[no-untyped-def]
    """Blend windows which[0] … which[n_sources − 1] and score the blend; returns its number of frames.

    `times`, `paces` (R, P) align every window with the first. The poses, plants and parts of the score are left in
    `work`. A blend whose score is certain to exceed `give_up_above` is given up: its score is infinite.
    """
    start = np.int64(0)  # with a plain 0, what is called below would be compiled for it, too
    n = set_clock(times, paces, which, n_sources, work.clock, work.cells, work.share, work.weights, work.heaviest)
    walk(w, which, n_sources, n, work)
    align_signs(w.turns, which, n_sources, work.cells, work.weights, n, work.signs)
    # The legs, which tell where the feet are
    mean_poses(w, which, n_sources, start, b.n_legs, start, n, work)
    root_lanes(work.local, work.facing, work.roots, n, work.world, work.places)
    forward_joints(b.parents, b.offsets, work.local, start + 1, b.n_legs, start, n, work.world, work.places)
    place_soles(b, n, work)
    n_pieces, plant_error, n_planted = plant_feet(w, which, n_sources, n, work)
    parts = work.parts
    parts[PLANT_ERROR], parts[N_PLANTED], parts[N_PIECES] = plant_error, n_planted, n_pieces
    if plant_error > give_up_above:
        parts[SCORE] = np.inf
        return n
    touch_ground(work.soles[:n], work.contacts[:n], TOUCHING)
    surround(w.before[which[0]], w.after[which[n_sources - 1]], n, work)
    # The rest of the body; of blends that may be given up the first frames first, whose context is known
    n_joints, reach = len(b.parents), len(b.taps) // 2
    first = min(FIRST, n) if give_up_above < np.inf else n
    mean_poses(w, which, n_sources, b.n_legs, n_joints, start, first, work)
    forward_joints(b.parents, b.offsets, work.local, b.n_legs, n_joints, start, first, work.world, work.places)
    mass_centres(b, work.world, work.places, start, first, work.point, work.centres[reach:])
    if first < n:
        largest, _ = balance_frames(b, start, first - reach, left_for_zmp(plant_error, give_up_above), work)
        if largest == np.inf:
            parts[ZMP_ERROR] = parts[SCORE] = np.inf
            return n
        mean_poses(w, which, n_sources, b.n_legs, n_joints, first, n, work)
        forward_joints(b.parents, b.offsets, work.local, b.n_legs, n_joints, first, n, work.world, work.places)
        mass_centres(b, work.world, work.places, first, n, work.point, work.centres[reach:])
    score_weight(b, n, give_up_above, work)
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def walk(w, which, n_sources, n, work):  # type: ignore[no-untyped-def]
    """The blend's root: by weighted steps and turns of the sources' roots, each seen half-way between its headings."""
    for i in range(n_sources):
        r = which[i]
        for k in range(n):
            f, s = work.cells[i, k], work.share[i, k]
            work.own[i, 0, k] = w.roots[r, 0, f] + s * (w.roots[r, 0, f + 1] - w.roots[r, 0, f])
            work.own[i, 1, k] = w.roots[r, 2, f] + s * (w.roots[r, 2, f + 1] - w.roots[r, 2, f])
            work.own[i, 2, k] = w.facing[r, f] + s * (w.facing[r, f + 1] - w.facing[r, f])
            height = w.roots[r, 1, f] + s * (w.roots[r, 1, f + 1] - w.roots[r, 1, f])
            work.roots[1, k] = work.weights[i, k] * height + (work.roots[1, k] if i > 0 else 0.0)
    x, z, theta = 0.0, 0.0, 0.0
    work.roots[0, 0], work.roots[2, 0], work.facing[0] = x, z, theta
    for k in range(1, n):
        turn, aside, ahead = 0.0, 0.0, 0.0
        for i in range(n_sources):
            weight = 0.5 * (work.weights[i, k - 1] + work.weights[i, k])
            by = work.own[i, 2, k] - work.own[i, 2, k - 1]
            middle = work.own[i, 2, k - 1] + 0.5 * by
            cosine, sine = np.cos(middle), np.sin(middle)
            dx, dz = work.own[i, 0, k] - work.own[i, 0, k - 1], work.own[i, 1, k] - work.own[i, 1, k - 1]
            turn += weight * by
            aside += weight * (cosine * dx - sine * dz)
            ahead += weight * (sine * dx + cosine * dz)
        middle = theta + 0.5 * turn
        cosine, sine = np.cos(middle), np.sin(middle)
        theta += turn
        x += cosine * aside + sine * ahead
        z += cosine * ahead - sine * aside
        work.roots[0, k], work.roots[2, k], work.facing[k] = x, z, theta
    for i in range(n_sources):
        for k in range(n):
            by = work.facing[k] - work.own[i, 2, k]
            work.own[i, 2, k], work.own[i, 3, k] = np.cos(by), np.sin(by)


@njit(cache=True, nogil=True, error_model="numpy")
def mean_poses(w, which, n_sources, first, last, low, high, work):  # type: ignore[no-untyped-def]
    """The mean rotations of joints [first, last) in frames [low, high), a few joints at a time."""
    n = high - low
    at_once = max(COLUMNS // n, 1)
    for begin in range(first, last, at_once):
        end = min(begin + at_once, last)
        for i in range(n_sources):
            turns, each = w.turns[which[i]], work.each[i]
            sample_joints(turns, work.signs[i], work.cells[i], work.share[i], begin, end, low, high, each)
        for j in range(end - begin):
            column = np.uint64(j * n)
            for i in range(n_sources):
                for k in range(np.uint64(n)):
                    work.wide[i, column + k] = work.weights[i, low + k]
        mean_rotations(work.each, work.wide, n_sources, (end - begin) * n, work.vector, work.mean)
        for j in range(begin, end):
            column = np.uint64((j - begin) * n)
            for c in range(4):
                for k in range(np.uint64(n)):
                    work.local[j, c, low + k] = work.mean[c, column + k]


@njit(cache=True, nogil=True, error_model="numpy")
def place_soles(b, n, work):  # type: ignore[no-untyped-def]
    """Points of the soles, and half their width across."""
    for i in range(6):
        j = b.sole_joints[i]
        ride(work.world, work.places, j, b.sole_offsets[i], np.int64(0), n, work.point)
        x0, y0, z0 = b.sole_sideways[i, 0], b.sole_sideways[i, 1], b.sole_sideways[i, 2]
        for k in range(n):
            work.soles[k, i, 0], work.soles[k, i, 1] = work.point[0, k], work.point[1, k]
            work.soles[k, i, 2] = work.point[2, k]
            p, q, r, t = work.world[j, 0, k], work.world[j, 1, k], work.world[j, 2, k], work.world[j, 3, k]
            u, v, s = 2.0 * (r * z0 - t * y0), 2.0 * (t * x0 - q * z0), 2.0 * (q * y0 - r * x0)
            x, z = x0 + p * u + r * s - t * v, z0 + p * s + q * v - r * u
            size = np.sqrt(x * x + z * z)
            scale = HALF_WIDTH / size if size > LEVEL else 0.0
            work.across[k, i, 0], work.across[k, i, 1] = scale * x, scale * z


@njit(cache=True, nogil=True, error_model="numpy")
def surround(before, after, n, work):  # type: ignore[no-untyped-def]
    """The centres of mass (C, 3 M) around the blend, into their rows; those after it are seen from its last frame."""
    context, n_pieces = len(before), before.shape[1] // 3
    x, z = work.roots[0, n - 1], work.roots[2, n - 1]
    cosine, sine = np.cos(work.facing[n - 1]), np.sin(work.facing[n - 1])
    for k in range(context):
        row = context + n + k
        for i in range(n_pieces):
            u, v = after[k, i], after[k, 2 * n_pieces + i]
            work.centres[row, i] = x + cosine * u + sine * v
            work.centres[row, n_pieces + i] = after[k, n_pieces + i]
            work.centres[row, 2 * n_pieces + i] = z + cosine * v - sine * u
        for c in range(3 * n_pieces):
            work.centres[k, c] = before[k, c]


@njit(cache=True, nogil=True, error_model="numpy")
def score_weight(b, n, give_up_above, work):  # type: ignore[no-untyped-def]
    """Zero-moment point and flight of poses whose places, soles, contacts and centres of mass are known.

    Completes the score. With the context that is around them, accelerations are right in the blend's end frames too.
    """
    parts = work.parts
    most = left_for_zmp(parts[PLANT_ERROR], give_up_above)
    zmp_error, n_counted = balance_frames(b, np.int64(0), n, most, work)
    parts[ZMP_ERROR], parts[N_COUNTED] = zmp_error, n_counted
    parts[FALL_ERROR], parts[N_FLIGHT] = 0.0, 0
    if zmp_error < np.inf:
        parts[FALL_ERROR], parts[N_FLIGHT] = _fall_error(b, len(b.taps) // 2, n, work)
    parts[SCORE] = parts[PLANT_ERROR] + zmp_error + parts[FALL_ERROR]


@njit(cache=True, nogil=True, error_model="numpy")
def left_for_zmp(plant_error, give_up_above):  # type: ignore[no-untyped-def]
    """The ZMP error beyond which the sum of both is above a score, however it is rounded."""
    return give_up_above - plant_error + ROUNDING * give_up_above


@njit(cache=True, nogil=True, error_model="numpy")
def balance_frames(b, low, high, give_up_above, work):  # type: ignore[no-untyped-def]
    """The largest distance of the zero-moment point from the support polygon in frames [low, high), and their count.

    Infinite as soon as it is above `give_up_above`. Frames without contact, or with hardly any weight, do not count.
    """
    n_pieces, context, n_taps = len(b.shares), len(b.taps) // 2, len(b.taps)
    corners, hull, nearest = work.hull[:24].reshape(12, 2), work.hull[24:72].reshape(24, 2), work.hull[72:74]
    accelerations = work.accelerations
    largest, n_counted = 0.0, 0
    for k in range(low, high):
        work.curve[k] = np.nan
        ground, n_standing = 0.0, 0
        for c in range(4):
            if work.contacts[k, c] > 0.0:
                ground += work.soles[k, c, 1]
                n_standing += 1
        if n_standing == 0:
            continue
        ground /= n_standing
        for c in range(3 * n_pieces):
            accelerations[c] = b.taps[0] * work.centres[k, c]
        for t in range(1, n_taps):
            tap = b.taps[t]
            for c in range(3 * n_pieces):
                accelerations[c] += tap * work.centres[k + t, c]
        weight, over_x, over_z = 0.0, 0.0, 0.0
        centres = work.centres[context + k]
        for i in range(n_pieces):
            up = accelerations[n_pieces + i] + GRAVITY
            above = centres[n_pieces + i] - ground
            weight += b.shares[i] * up
            over_x += b.shares[i] * (up * centres[i] - accelerations[i] * above)
            over_z += b.shares[i] * (up * centres[2 * n_pieces + i] - accelerations[2 * n_pieces + i] * above)
        if weight < LIGHT * GRAVITY:
            continue
        n_corners = np.int64(0)
        for i in range(6):
            if work.contacts[k, POINT_OF[i]] > 0.0:
                for sign in (-1.0, 1.0):
                    corners[n_corners, 0] = work.soles[k, i, 0] + sign * work.across[k, i, 0]
                    corners[n_corners, 1] = work.soles[k, i, 2] + sign * work.across[k, i, 1]
                    n_corners += 1
        distance = nearest_in_hull(over_x / weight, over_z / weight, corners, n_corners, hull, nearest)
        work.curve[k] = distance
        largest = max(largest, distance)
        n_counted += 1
        if largest > give_up_above:
            return np.inf, n_counted
    return largest, n_counted


@njit(cache=True, nogil=True, error_model="numpy")
def _fall_error(b, context, n, work):  # type: ignore[no-untyped-def]
    """Root mean square distance of the centre of mass from free fall, over flights, and their frames."""
    ground = np.inf
    for f in range(n):
        for c in range(4):
            if work.contacts[f, c] > 0.0:
                ground = min(ground, work.soles[f, c, 1])
    k: Any = np.int64(0)
    total, count = 0.0, 0
    while k < n:
        start, highest = k, -np.inf
        while k < n and work.contacts[k, 0] + work.contacts[k, 1] + work.contacts[k, 2] + work.contacts[k, 3] == 0.0:
            lowest = np.inf
            for j in range(len(b.parents)):
                lowest = min(lowest, work.places[j, 1, k] - b.below[j])
            for i in range(4):
                lowest = min(lowest, work.soles[k, i, 1])
            highest = max(highest, lowest)
            k += 1
        if k - start >= SHORTEST and (ground == np.inf or highest > ground + CLEARANCE):
            total += _fall(b, context, start, k, work)
            count += k - start
        k = max(k, start + 1)
    return (np.sqrt(total / count) if count else 0.0), count


@njit(cache=True, nogil=True, error_model="numpy")
def _fall(b, context, start, stop, work):  # type: ignore[no-untyped-def]
    """The sum of squared distances of the centre of mass from the best parabola of free fall."""
    n, n_pieces = stop - start, len(b.shares)
    middle = 0.5 * (n - 1)
    times_square = n * (n * n - 1.0) / 12.0 * b.frame_time * b.frame_time
    total = 0.0
    for c in range(3):
        mean, speed = 0.0, 0.0
        for k in range(start, stop):
            time = (k - start - middle) * b.frame_time
            value = 0.5 * GRAVITY * time * time if c == 1 else 0.0
            for i in range(n_pieces):
                value += b.shares[i] * work.centres[context + k, c * n_pieces + i]
            work.flown[k, c] = value
            mean += value / n
        for k in range(start, stop):
            speed += (work.flown[k, c] - mean) * (k - start - middle) * b.frame_time / times_square
        for k in range(start, stop):
            total += (work.flown[k, c] - mean - speed * (k - start - middle) * b.frame_time) ** 2
    return total
