"""Flight within a score: free fall of the centre of mass, and angular momentum about it. See `motionary.dynamics`."""

from typing import Any

import numpy as np
from numba import njit

from motionary.dynamics import CLEARANCE, SHORTEST
from motionary.motion import GRAVITY
from motionary.naturalness.measures import FALL_CURVE, FALL_ERROR, MOMENTUM_CURVE, MOMENTUM_ERROR, N_FLIGHT


@njit(cache=True, nogil=True)
def turned(w, x, y, z, u, v, t):  # type: ignore[no-untyped-def]
    """The vector (u, v, t), turned by the quaternion (w, x, y, z)."""
    a, b, c = 2.0 * (y * t - z * v), 2.0 * (z * u - x * t), 2.0 * (x * v - y * u)
    return u + w * a + y * c - z * b, v + w * b + z * a - x * c, t + w * c + x * b - y * a


@njit(cache=True, nogil=True)
def _fall(p, centres, start, stop, flown, curves):  # type: ignore[no-untyped-def]
    """The sum of squared distances of the centre of mass from the best parabola over frames [start, stop)."""
    n_pieces, n = len(p.joints), stop - start
    middle = 0.5 * (n - 1)
    times_square = n * (n * n - 1.0) / 12.0 * p.frame_time * p.frame_time
    for f in range(start, stop):
        flown[f, 3] = 0.0
    for c in range(3):
        mean, speed = 0.0, 0.0
        for f in range(start, stop):
            time = (f - start - middle) * p.frame_time
            value = 0.5 * GRAVITY * time * time if c == 1 else 0.0
            for i in range(n_pieces):
                value += p.shares[i] * centres[f, c * n_pieces + i]
            flown[f, c] = value
            mean += value / n
        for f in range(start, stop):
            speed += (flown[f, c] - mean) * (f - start - middle) * p.frame_time / times_square
        for f in range(start, stop):
            flown[f, 3] += (flown[f, c] - mean - speed * (f - start - middle) * p.frame_time) ** 2
    total = 0.0
    for f in range(start, stop):
        total += flown[f, 3]
        if len(curves):
            curves[f, FALL_CURVE] = np.sqrt(flown[f, 3])
    return total


@njit(cache=True, nogil=True)
def _momentum_after(p, world, centres, f):  # type: ignore[no-untyped-def]
    """Angular momentum about the centre of mass, per kilogram, between a frame and the next."""
    n_pieces = len(p.joints)
    mx, my, mz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    hx, hy, hz = 0.0, 0.0, 0.0
    for i in range(n_pieces):
        share, j = p.shares[i], p.joints[i]
        ax, ay, az = centres[f, i], centres[f, n_pieces + i], centres[f, 2 * n_pieces + i]
        bx, by, bz = centres[f + 1, i], centres[f + 1, n_pieces + i], centres[f + 1, 2 * n_pieces + i]
        x, y, z = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
        u, v, w = (bx - ax) / p.frame_time, (by - ay) / p.frame_time, (bz - az) / p.frame_time
        mx, my, mz = mx + share * x, my + share * y, mz + share * z
        vx, vy, vz = vx + share * u, vy + share * v, vz + share * w
        hx, hy, hz = hx + share * (y * w - z * v), hy + share * (z * u - x * w), hz + share * (x * v - y * u)
        # The piece's own turning: ω from the turn between the frames, its axis half-way.
        aw, ax, ay, az = world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3]
        bw, bx, by, bz = world[f + 1, j, 0], world[f + 1, j, 1], world[f + 1, j, 2], world[f + 1, j, 3]
        turn = 2.0 / p.frame_time
        if aw * bw + ax * bx + ay * by + az * bz < 0.0:
            bw, bx, by, bz = -bw, -bx, -by, -bz
        ox = turn * (-bw * ax + bx * aw - by * az + bz * ay)
        oy = turn * (-bw * ay + bx * az + by * aw - bz * ax)
        oz = turn * (-bw * az - bx * ay + by * ax + bz * aw)
        aw, ax, ay, az = aw + bw, ax + bx, ay + by, az + bz
        size = np.sqrt(aw * aw + ax * ax + ay * ay + az * az)
        x, y, z = turned(aw / size, ax / size, ay / size, az / size, p.axes[i, 0], p.axes[i, 1], p.axes[i, 2])
        along = (p.radii[i, 1] - p.radii[i, 0]) * (x * ox + y * oy + z * oz)
        hx += share * (p.radii[i, 0] * ox + along * x)
        hy += share * (p.radii[i, 0] * oy + along * y)
        hz += share * (p.radii[i, 0] * oz + along * z)
    return hx - (my * vz - mz * vy), hy - (mz * vx - mx * vz), hz - (mx * vy - my * vx)


@njit(cache=True, nogil=True)
def _momentum_changes(p, world, centres, start, stop, flown, curves):  # type: ignore[no-untyped-def]
    """The sum of squared changes of the angular momentum, as a share of its unit, over frames [start, stop)."""
    unit = p.height * np.sqrt(GRAVITY * p.height)
    mx, my, mz = 0.0, 0.0, 0.0
    n = stop - 1 - start
    for f in range(start, stop - 1):
        x, y, z = _momentum_after(p, world, centres, f)
        flown[f, 0], flown[f, 1], flown[f, 2] = x / unit, y / unit, z / unit
        mx, my, mz = mx + flown[f, 0] / n, my + flown[f, 1] / n, mz + flown[f, 2] / n
    total = 0.0
    for f in range(start, stop):
        g = min(f, stop - 2)
        square = (flown[g, 0] - mx) ** 2 + (flown[g, 1] - my) ** 2 + (flown[g, 2] - mz) ** 2
        total += square
        if len(curves):
            curves[f, MOMENTUM_CURVE] = np.sqrt(square)
    return total


@njit(cache=True, nogil=True)
def measure_flights(p, world, centres, soles, lowest, contacts, flown, out, curves):  # type: ignore[no-untyped-def]
    """Free fall and angular momentum wherever nothing stands; `flown` (F, 4) is room to work."""
    n_frames = len(centres)
    ground = np.inf
    for i in range(n_frames):
        for k in range(4):
            if contacts[i, k] > 0.0:
                ground = min(ground, soles[i, k, 1])
    falls, changes, n_flight = 0.0, 0.0, 0
    f: Any = np.int64(0)  # with a plain 0, what is called would be compiled for it, too
    while f < n_frames:
        start, highest = f, -np.inf
        while f < n_frames and contacts[f, 0] + contacts[f, 1] + contacts[f, 2] + contacts[f, 3] == 0.0:
            highest = max(highest, lowest[f])
            f += 1
        if f - start >= SHORTEST and (ground == np.inf or highest > ground + CLEARANCE):
            falls += _fall(p, centres, start, f, flown, curves)
            changes += _momentum_changes(p, world, centres, start, f, flown, curves)
            n_flight += f - start
        f = max(f, start + 1)
    out[FALL_ERROR], out[MOMENTUM_ERROR] = np.nan, np.nan
    if n_flight:
        out[FALL_ERROR], out[MOMENTUM_ERROR] = np.sqrt(falls / n_flight), np.sqrt(changes / n_flight)
    out[N_FLIGHT] = n_flight
