"""Poses of many frames at once: kernels whose inner loops run along frames, so that processors take several at a time.

Rotations of a body over time lie as (J, 4, F); frames [low, high) are computed. Means are taken of columns (4, Q): a
few joints one after the other, all frames of each. A loop of one joint's frames would end as soon as it has begun.
Frames are counted without a sign: an index that might be below 0 would have to be checked, and loops with checks are
not taken several frames at a time.
"""

import numpy as np
from numba import njit

# arccos(w) / sqrt(1 − w²) as a polynomial of 1 − w, for w from −0.2 to 1: within 3e-9, without a root or a branch.
_LOG = (
    1.000000001896706, 0.33333281412902127, 0.13335678854563762, 0.05672861076496145, 0.029174166524727756,
    -0.00878943903871145, 0.07484023443279164, -0.15445457979487048, 0.238740839056728, -0.23876229635377982,
    0.15485043994362938, -0.05824363366555939, 0.010022380021240205,
)  # fmt: skip
FARTHEST = 1.2  # 1 − w of rotations 203° apart; what has turned farther from the mean counts as less far
STEPS = 1  # from the normalised sum: within 0.03° while the rotations lie within 60° of their mean, 0.14° within 90°
NOTHING = 1e-12  # squared length of a sum of unit quaternions below which it has no direction


@njit(cache=True, nogil=True, error_model="numpy")
def align_signs(turns, which, n_sources, cells, weights, n, signs):  # type: ignore[no-untyped-def]
    """Choose the signs (N, J) of the quaternions of sources, windows which[i] of `turns` (R, J, 4, P), for all frames.

    Means go the shorter way round in the frame in which a source begins to weigh as much as the one before it. That way
    is kept: were the shorter one taken in every frame, the mean would jump where a source passes the opposite of
    another.
    """
    for j in range(turns.shape[1]):
        signs[0, j] = 1.0
    for i in range(1, n_sources):
        k = 0
        while k < n - 1 and weights[i, k] < weights[i - 1, k]:
            k += 1
        a, b, f, g = which[i - 1], which[i], cells[i - 1, k], cells[i, k]
        for j in range(turns.shape[1]):
            dot = 0.0
            for c in range(4):
                dot += turns[a, j, c, f] * turns[b, j, c, g]
            signs[i, j] = signs[i - 1, j] if dot >= 0.0 else -signs[i - 1, j]


@njit(cache=True, nogil=True, error_model="numpy")
def sample_joints(turns, signs, cells, share, first, last, low, high, out):  # type: ignore[no-untyped-def]
    """The unit quaternions (4, Q) of joints [first, last) of a window (J, 4, P) at frames cells + share [low, high).

    They have the signs (J,) of the window's times these.
    """
    n = high - low
    for j in range(first, last):
        begin, sign = np.uint64((j - first) * n), signs[j]
        for k in range(np.uint64(n)):
            f, s = np.uint64(cells[low + k]), sign * share[low + k]
            w, x, y, z = turns[j, 0, f], turns[j, 1, f], turns[j, 2, f], turns[j, 3, f]
            f += np.uint64(1)
            out[0, begin + k] = sign * w + s * (turns[j, 0, f] - w)
            out[1, begin + k] = sign * x + s * (turns[j, 1, f] - x)
            out[2, begin + k] = sign * y + s * (turns[j, 2, f] - y)
            out[3, begin + k] = sign * z + s * (turns[j, 3, f] - z)
    for q in range(np.uint64((last - first) * n)):
        w, x, y, z = out[0, q], out[1, q], out[2, q], out[3, q]
        scale = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
        out[0, q], out[1, q], out[2, q], out[3, q] = scale * w, scale * x, scale * y, scale * z


@njit(cache=True, nogil=True, error_model="numpy")
def mean_rotations(each, weights, n_sources, n, vector, out):  # type: ignore[no-untyped-def]
    """The Karcher means (4, Q) of n columns of unit quaternions (N, 4, Q) by weights (N, Q) from 0 to 1 that sum to 1.

    Which way round a mean goes is told by their signs. Where a rotation is farther than 203° from it that way, the mean
    is nearer to the others than Karcher's. From the normalised sum it takes a step of log and exp.
    `vector` (3, Q) is work space.
    """
    n = np.uint64(n)
    for q in range(n):
        out[0, q], out[1, q], out[2, q], out[3, q] = 0.0, 0.0, 0.0, 0.0
    for i in range(n_sources):
        for q in range(n):
            share = weights[i, q]
            out[0, q] += share * each[i, 0, q]
            out[1, q] += share * each[i, 1, q]
            out[2, q] += share * each[i, 2, q]
            out[3, q] += share * each[i, 3, q]
    for q in range(n):
        w, x, y, z = out[0, q], out[1, q], out[2, q], out[3, q]
        square = w * w + x * x + y * y + z * z
        far = square < NOTHING
        scale = 1.0 / np.sqrt(square)
        out[0, q] = each[0, 0, q] if far else scale * w
        out[1, q] = each[0, 1, q] if far else scale * x
        out[2, q] = each[0, 2, q] if far else scale * y
        out[3, q] = each[0, 3, q] if far else scale * z
    for _ in range(STEPS):
        for q in range(n):
            vector[0, q], vector[1, q], vector[2, q] = 0.0, 0.0, 0.0
        for i in range(n_sources):
            _add_log(out, each, weights, i, n, vector)
        _turn_on(out, vector, n)


@njit(cache=True, nogil=True, error_model="numpy")
def _add_log(mean, each, weights, i, n, vector):  # type: ignore[no-untyped-def]
    """Adds weight times half the rotation vector from the mean to the rotation of source i."""
    for q in range(n):
        w, x, y, z = mean[0, q], mean[1, q], mean[2, q], mean[3, q]
        a, b, c, d = each[i, 0, q], each[i, 1, q], each[i, 2, q], each[i, 3, q]
        t = min(1.0 - (w * a + x * b + y * c + z * d), FARTHEST)
        f = _LOG[11] + t * _LOG[12]
        f = _LOG[9] + t * (_LOG[10] + t * f)
        f = _LOG[7] + t * (_LOG[8] + t * f)
        f = _LOG[5] + t * (_LOG[6] + t * f)
        f = _LOG[3] + t * (_LOG[4] + t * f)
        f = weights[i, q] * (_LOG[0] + t * (_LOG[1] + t * (_LOG[2] + t * f)))
        vector[0, q] += f * (w * b - x * a - y * d + z * c)
        vector[1, q] += f * (w * c + x * d - y * a - z * b)
        vector[2, q] += f * (w * d - x * c + y * b - z * a)


@njit(cache=True, nogil=True, error_model="numpy")
def _turn_on(mean, vector, n):  # type: ignore[no-untyped-def]
    """Turns the mean on by half rotation vectors, which are short: sine and cosine by their series."""
    for q in range(n):
        b, c, d = vector[0, q], vector[1, q], vector[2, q]
        s = b * b + c * c + d * d
        a = 1.0 + s * (-1.0 / 2.0 + s * (1.0 / 24.0 - s / 720.0))
        sinc = 1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 - s / 5040.0))
        b, c, d = sinc * b, sinc * c, sinc * d
        w, x, y, z = mean[0, q], mean[1, q], mean[2, q], mean[3, q]
        p = w * a - x * b - y * c - z * d
        r = w * b + x * a + y * d - z * c
        s = w * c - x * d + y * a + z * b
        t = w * d + x * c - y * b + z * a
        scale = 1.0 / np.sqrt(p * p + r * r + s * s + t * t)
        mean[0, q], mean[1, q], mean[2, q], mean[3, q] = scale * p, scale * r, scale * s, scale * t


@njit(cache=True, nogil=True, error_model="numpy")
def forward_joints(parents, offsets, local, first, last, low, high, world, places):  # type: ignore[no-untyped-def]
    """World rotations (J, 4, F) and places (J, 3, F) of joints [first, last); what they hang on is known already."""
    for j in range(first, last):
        p = parents[j]
        if p < 0:
            continue
        x0, y0, z0 = offsets[j, 0], offsets[j, 1], offsets[j, 2]
        for k in range(np.uint64(low), np.uint64(high)):
            a, b, c, d = world[p, 0, k], world[p, 1, k], world[p, 2, k], world[p, 3, k]
            w, x, y, z = local[j, 0, k], local[j, 1, k], local[j, 2, k], local[j, 3, k]
            world[j, 0, k] = a * w - b * x - c * y - d * z
            world[j, 1, k] = a * x + b * w + c * z - d * y
            world[j, 2, k] = a * y - b * z + c * w + d * x
            world[j, 3, k] = a * z + b * y - c * x + d * w
            u, v, t = 2.0 * (c * z0 - d * y0), 2.0 * (d * x0 - b * z0), 2.0 * (b * y0 - c * x0)
            places[j, 0, k] = places[p, 0, k] + x0 + a * u + c * t - d * v
            places[j, 1, k] = places[p, 1, k] + y0 + a * v + d * u - b * t
            places[j, 2, k] = places[p, 2, k] + z0 + a * t + b * v - c * u


@njit(cache=True, nogil=True, error_model="numpy")
def root_lanes(local, facing, roots, n, world, places):  # type: ignore[no-untyped-def]
    """World rotation and place of the root, from its rotation without heading, its heading (F,) and place (3, F)."""
    for k in range(n):
        a, c = np.cos(0.5 * facing[k]), np.sin(0.5 * facing[k])
        w, x, y, z = local[0, 0, k], local[0, 1, k], local[0, 2, k], local[0, 3, k]
        world[0, 0, k], world[0, 1, k] = a * w - c * y, a * x + c * z
        world[0, 2, k], world[0, 3, k] = a * y + c * w, a * z - c * x
        places[0, 0, k], places[0, 1, k], places[0, 2, k] = roots[0, k], roots[1, k], roots[2, k]


@njit(cache=True, nogil=True, error_model="numpy")
def ride(world, places, joint, offset, low, high, out):  # type: ignore[no-untyped-def]
    """Places (3, F) of a point that rides on a joint."""
    x0, y0, z0 = offset[0], offset[1], offset[2]
    for k in range(np.uint64(low), np.uint64(high)):
        a, b, c, d = world[joint, 0, k], world[joint, 1, k], world[joint, 2, k], world[joint, 3, k]
        u, v, t = 2.0 * (c * z0 - d * y0), 2.0 * (d * x0 - b * z0), 2.0 * (b * y0 - c * x0)
        out[0, k] = places[joint, 0, k] + x0 + a * u + c * t - d * v
        out[1, k] = places[joint, 1, k] + y0 + a * v + d * u - b * t
        out[2, k] = places[joint, 2, k] + z0 + a * t + b * v - c * u
