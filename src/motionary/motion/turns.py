"""Turns of single vectors for kernels: quaternions and vectors are tuples, nothing is allocated.

They are what `motionary.motion.rotations` is for arrays; a kernel of any package may call them.
"""

import math

from numba import njit

TINY = 1e-12


@njit(cache=True, nogil=True)
def multiply(a, b):  # type: ignore[no-untyped-def]
    """The rotation that turns by b first, then by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True, nogil=True)
def inverse(q):  # type: ignore[no-untyped-def]
    """The rotation that undoes q."""
    return (q[0], -q[1], -q[2], -q[3])


@njit(cache=True, nogil=True)
def rotate(q, v):  # type: ignore[no-untyped-def]
    """The vector v, turned by q."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
        v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
        v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
    )


@njit(cache=True, nogil=True)
def from_rotation_vector(v):  # type: ignore[no-untyped-def]
    """A turn about v by its length."""
    half = 0.5 * math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    share = 0.5 if half < 1e-8 else 0.5 * math.sin(half) / half
    return (math.cos(half), share * v[0], share * v[1], share * v[2])


@njit(cache=True, nogil=True)
def to_rotation_vector(q):  # type: ignore[no-untyped-def]
    """Axis times angle, the angle at most π."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    length = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    share = sign * (2.0 if length < TINY else 2.0 * math.atan2(length, sign * q[0]) / length)
    return (share * q[1], share * q[2], share * q[3])


@njit(cache=True, nogil=True)
def swing(u, v):  # type: ignore[no-untyped-def]
    """The smallest turn that brings the direction of u onto that of v; none where one of them has no length."""
    long_u = math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    long_v = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if long_u < TINY or long_v < TINY:
        return (1.0, 0.0, 0.0, 0.0)
    ux, uy, uz = u[0] / long_u, u[1] / long_u, u[2] / long_u
    vx, vy, vz = v[0] / long_v, v[1] / long_v, v[2] / long_v
    w = 1.0 + ux * vx + uy * vy + uz * vz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if w < 1e-9:  # opposite: half a turn about any normal
        x, y, z, w = (0.0, uz, -uy, 0.0) if abs(ux) < 0.6 else (-uz, 0.0, ux, 0.0)
    length = math.sqrt(w * w + x * x + y * y + z * z)
    return (w / length, x / length, y / length, z / length)


@njit(cache=True, nogil=True)
def twist_about_up(q):  # type: ignore[no-untyped-def]
    """The part of q that turns about the vertical."""
    length = math.sqrt(q[0] * q[0] + q[2] * q[2])
    if length < TINY:
        return (1.0, 0.0, 0.0, 0.0)
    return (q[0] / length, 0.0, q[2] / length, 0.0)
