"""The kernel of a score: from poses to slides, balance, flight and jerk, serial, without allocating anything."""

import numpy as np
from numba import njit

from motionary.dynamics import (
    HALF_WIDTH,
    LIGHT,
    POINT_OF,
    TOUCHING,
    nearest_in_hull,
    touch_ground,
    weigh_frames,
)
from motionary.motion import GRAVITY, kinematics
from motionary.naturalness.flying import measure_flights, turned
from motionary.naturalness.measures import (
    ARC_MEAN,
    ARC_WORST,
    JERK,
    JERK_CURVE,
    JERK_WORST,
    LEAN,
    LEAN_CURVE,
    N_LIGHT,
    N_PLANTED,
    N_WITHOUT_CONTACT,
    PLANT_CURVE,
    PLANT_ERROR,
    PLANT_WORST,
    SLIDE_MEAN,
    SLIDE_WORST,
    ZMP_CURVE,
    ZMP_ERROR,
    ZMP_MEAN,
    ZMP_X_CURVE,
    ZMP_Z_CURVE,
)

LEVEL = 1e-9


@njit(cache=True, nogil=True)
def _mass_and_soles(p, world, places, centres, soles, across, left):  # type: ignore[no-untyped-def]
    """Centres of the pieces, points of the soles, half their width, where left is; returns the lowest height."""
    n_pieces = len(p.joints)
    for i in range(n_pieces):
        j = p.joints[i]
        x, y, z = turned(
            world[j, 0], world[j, 1], world[j, 2], world[j, 3], p.centres[i, 0], p.centres[i, 1], p.centres[i, 2]
        )
        centres[i] = places[j, 0] + x
        centres[n_pieces + i] = places[j, 1] + y
        centres[2 * n_pieces + i] = places[j, 2] + z
    lowest = np.inf
    for j in range(len(places)):
        lowest = min(lowest, places[j, 1] - p.below[j])
    for i in range(6):
        j = p.sole_joints[i]
        w, x, y, z = world[j, 0], world[j, 1], world[j, 2], world[j, 3]
        u, v, t = turned(w, x, y, z, p.sole_offsets[i, 0], p.sole_offsets[i, 1], p.sole_offsets[i, 2])
        soles[i, 0], soles[i, 1], soles[i, 2] = places[j, 0] + u, places[j, 1] + v, places[j, 2] + t
        if i < 4:  # the tips are no points of contact
            lowest = min(lowest, soles[i, 1])
        u, v, t = turned(w, x, y, z, p.sole_sideways[i, 0], p.sole_sideways[i, 1], p.sole_sideways[i, 2])
        size = np.sqrt(u * u + t * t)
        scale = HALF_WIDTH / size if size > LEVEL else 0.0
        across[i, 0], across[i, 1] = scale * u, scale * t
    x = places[p.thighs[0], 0] - places[p.thighs[1], 0]
    z = places[p.thighs[0], 2] - places[p.thighs[1], 2]
    size = np.sqrt(x * x + z * z)
    left[0], left[1] = 1.0, 0.0
    if size > LEVEL:
        left[0], left[1] = x / size, z / size
    return lowest


@njit(cache=True, nogil=True)
def _slides(soles, points, spans, places, contacts, out, curves):  # type: ignore[no-untyped-def]
    """Slides and errors of the plants; notes which points stand in which frames."""
    for f in range(len(contacts)):
        for k in range(4):
            contacts[f, k] = 0.0
    n_plants = len(points)
    total, worst, total_arc, worst_arc, total_error, worst_error = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n_planted = 0
    for n in range(n_plants):
        k = points[n]
        start, stop = spans[n, 0], spans[n, 1]
        arc = 0.0
        for f in range(start, stop):
            contacts[f, k] = 1.0
            x, y, z = soles[f, k, 0], soles[f, k, 1], soles[f, k, 2]
            error = np.sqrt((x - places[n, 0]) ** 2 + (y - places[n, 1]) ** 2 + (z - places[n, 2]) ** 2)
            total_error += error
            worst_error = max(worst_error, error)
            if len(curves) and not curves[f, PLANT_CURVE] >= error:
                curves[f, PLANT_CURVE] = error
            if f > start:
                x, y, z = x - soles[f - 1, k, 0], y - soles[f - 1, k, 1], z - soles[f - 1, k, 2]
                arc += np.sqrt(x * x + y * y + z * z)
        n_planted += stop - start
        x = soles[stop - 1, k, 0] - soles[start, k, 0]
        y = soles[stop - 1, k, 1] - soles[start, k, 1]
        z = soles[stop - 1, k, 2] - soles[start, k, 2]
        slide = np.sqrt(x * x + y * y + z * z)
        total, worst = total + slide, max(worst, slide)
        total_arc, worst_arc = total_arc + arc, max(worst_arc, arc)
    for measure in range(SLIDE_MEAN, PLANT_WORST + 1):
        out[measure] = np.nan
    if n_plants:
        out[SLIDE_MEAN], out[SLIDE_WORST] = total / n_plants, worst
        out[ARC_MEAN], out[ARC_WORST] = total_arc / n_plants, worst_arc
        out[PLANT_ERROR], out[PLANT_WORST] = total_error / n_planted, worst_error
    out[N_PLANTED] = n_planted


@njit(cache=True, nogil=True)
def _balance(p, centres, accelerations, soles, across, left, contacts, room, out, curves):  # type: ignore[no-untyped-def]
    """The zero-moment point against the support polygon."""
    n_pieces = len(p.joints)
    corners, hull, nearest = room[:24].reshape(12, 2), room[24:72].reshape(24, 2), room[72:74]
    largest, total = 0.0, 0.0
    offset_x, offset_z, to_left, ahead = 0.0, 0.0, 0.0, 0.0
    n_counted, n_without, n_light = 0, 0, 0
    for f in range(len(centres)):
        ground, n_standing = 0.0, 0
        for k in range(4):
            if contacts[f, k] > 0.0:
                ground += soles[f, k, 1]
                n_standing += 1
        if n_standing == 0:
            n_without += 1
            continue
        ground /= n_standing
        weight, over_x, over_z = 0.0, 0.0, 0.0
        for i in range(n_pieces):
            up = accelerations[f, n_pieces + i] + GRAVITY
            above = centres[f, n_pieces + i] - ground
            weight += p.shares[i] * up
            over_x += p.shares[i] * (up * centres[f, i] - accelerations[f, i] * above)
            over_z += p.shares[i] * (up * centres[f, 2 * n_pieces + i] - accelerations[f, 2 * n_pieces + i] * above)
        if weight < LIGHT * GRAVITY:
            n_light += 1
            continue
        n_corners, middle_x, middle_z = np.int64(0), 0.0, 0.0
        for i in range(6):
            if contacts[f, POINT_OF[i]] > 0.0:
                for sign in (-1.0, 1.0):
                    corners[n_corners, 0] = soles[f, i, 0] + sign * across[f, i, 0]
                    corners[n_corners, 1] = soles[f, i, 2] + sign * across[f, i, 1]
                    middle_x, middle_z = middle_x + corners[n_corners, 0], middle_z + corners[n_corners, 1]
                    n_corners += 1
        x, z = over_x / weight, over_z / weight
        distance = nearest_in_hull(x, z, corners, n_corners, hull, nearest)
        largest = max(largest, distance)
        total += distance
        n_counted += 1
        away_x, away_z = x - middle_x / n_corners, z - middle_z / n_corners
        offset_x, offset_z = offset_x + away_x, offset_z + away_z
        to_left += away_x * left[f, 0] + away_z * left[f, 1]
        ahead += away_z * left[f, 0] - away_x * left[f, 1]
        if len(curves):
            curves[f, ZMP_X_CURVE], curves[f, ZMP_Z_CURVE] = x, z
            curves[f, ZMP_CURVE] = distance
            curves[f, LEAN_CURVE] = np.sqrt(away_x * away_x + away_z * away_z)
    out[ZMP_ERROR], out[ZMP_MEAN], out[LEAN] = np.nan, np.nan, np.nan
    if n_counted:
        square = max(offset_x * offset_x + offset_z * offset_z, to_left * to_left + ahead * ahead)
        out[ZMP_ERROR], out[ZMP_MEAN], out[LEAN] = largest, total / n_counted, np.sqrt(square) / n_counted
    out[N_WITHOUT_CONTACT], out[N_LIGHT] = n_without, n_light


@njit(cache=True, nogil=True)
def _jerks(p, accelerations, out, curves):  # type: ignore[no-untyped-def]
    """How fast the accelerations of all the body's mass change."""
    n_frames, n_pieces = len(accelerations), len(p.joints)
    unit = GRAVITY * np.sqrt(GRAVITY / p.height) * p.frame_time
    total, worst = 0.0, 0.0
    for f in range(n_frames - 1):
        square = 0.0
        for i in range(n_pieces):
            x = accelerations[f + 1, i] - accelerations[f, i]
            y = accelerations[f + 1, n_pieces + i] - accelerations[f, n_pieces + i]
            z = accelerations[f + 1, 2 * n_pieces + i] - accelerations[f, 2 * n_pieces + i]
            square += p.shares[i] * (x * x + y * y + z * z)
        total += square
        worst = max(worst, square)
        if len(curves):
            curves[f, JERK_CURVE] = curves[n_frames - 1, JERK_CURVE] = np.sqrt(square) / unit
    out[JERK], out[JERK_WORST] = np.nan, np.nan
    if n_frames > 1:
        out[JERK], out[JERK_WORST] = np.sqrt(total / (n_frames - 1)) / unit, np.sqrt(worst) / unit


@njit(cache=True, nogil=True)
def measure_motion(p, root, local, translations, points, spans, places, scratch, out, curves):  # type: ignore[no-untyped-def]
    """All measures of one motion into `out` (MEASURES,), and its curves unless `curves` has no rows.

    `root` (F, 3), `local` (F, J, 4), `translations` (F, M, 3); `points`, `spans` and `places` as in `Standing`; `p` and
    `scratch` as the scorer makes them.
    """
    n_frames, n_joints, n_pieces = local.shape[0], local.shape[1], len(p.joints)
    a = 4 * n_frames * n_joints
    world = scratch[:a].reshape(n_frames, n_joints, 4)
    b = a + 3 * n_frames * n_pieces
    centres = scratch[a:b].reshape(n_frames, 3 * n_pieces)  # all x, then all y, then all z
    a = b + 3 * n_frames * n_pieces
    accelerations = scratch[b:a].reshape(n_frames, 3 * n_pieces)
    b = a + 18 * n_frames
    soles = scratch[a:b].reshape(n_frames, 6, 3)
    a = b + 12 * n_frames
    across = scratch[b:a].reshape(n_frames, 6, 2)
    b = a + 4 * n_frames
    contacts = scratch[a:b].reshape(n_frames, 4)
    lowest = scratch[b : b + n_frames]
    b += n_frames
    flown = scratch[b : b + 4 * n_frames].reshape(n_frames, 4)
    b += 4 * n_frames
    places_now = scratch[b : b + 3 * n_joints].reshape(n_joints, 3)
    b += 3 * n_joints
    room = scratch[b : b + 80]
    b += 80
    left = scratch[b : b + 2 * n_frames].reshape(n_frames, 2)
    curves[:] = np.nan
    for f in range(n_frames):
        kinematics.pose_joints(p.parents, p.offsets, root[f], local[f], p.mover, translations, f, places_now, world[f])
        lowest[f] = _mass_and_soles(p, world[f], places_now, centres[f], soles[f], across[f], left[f])
    weigh_frames(centres, p.starts, p.weights, accelerations)
    _slides(soles, points, spans, places, contacts, out, curves)
    touch_ground(soles, contacts, TOUCHING)
    _balance(p, centres, accelerations, soles, across, left, contacts, room, out, curves)
    measure_flights(p, world, centres, soles, lowest, contacts, flown, out, curves)
    _jerks(p, accelerations, out, curves)
