"""Rotations as unit quaternions [w, x, y, z], over any leading axes.

A quaternion q turns a vector v into q v q*; products read right to left, like matrices. q and −q are the
same rotation; `continuous` picks the signs that do not jump over time.
"""

import numpy as np

from motionary.errors import UsageError

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False
WHOLE_TURN = 1.5 * np.pi  # radians: what turns farther may make a whole turn
TINY = 1e-12
WEIGHTS_WITHIN = 1e-6  # of 1, for the sum of weights


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The rotation that turns by b first, then by a."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def inverse(q: np.ndarray) -> np.ndarray:
    """The rotation that undoes q."""
    return np.asarray(q, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The vectors v, turned by q."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=float), -1, 0)
    a, b, c = np.moveaxis(np.asarray(v, dtype=float), -1, 0)
    # v + w t + u × t with u the quaternion's vector and t = 2 u × v, written out: np.cross is twice as slow
    ta, tb, tc = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return np.stack([a + w * ta + y * tc - z * tb, b + w * tb + z * ta - x * tc, c + w * tc + x * tb - y * ta], axis=-1)


def normalise(q: np.ndarray) -> np.ndarray:
    """q at length 1; quaternions of length 0 (no rotation can be read from them) become the identity."""
    q = np.asarray(q, dtype=float)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(length > TINY, q / np.where(length > TINY, length, 1.0), IDENTITY)


def from_axis_angle(axis: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
    """A turn by `angle` about `axis` (of any length but 0), right-handed."""
    axis = np.asarray(axis, dtype=float)
    half = 0.5 * np.asarray(angle, dtype=float)[..., None]
    vector = np.sin(half) * axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    return np.concatenate([np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1)), vector], axis=-1)


def from_rotation_vector(vector: np.ndarray) -> np.ndarray:
    """A turn about `vector` by its length; exact at 0."""
    vector = np.asarray(vector, dtype=float)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1)


def to_rotation_vector(q: np.ndarray) -> np.ndarray:
    """Axis times angle, the angle at most π; the inverse of `from_rotation_vector` below π."""
    q = np.asarray(q, dtype=float)
    q = np.where(q[..., :1] < 0, -q, q)
    length = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(length, q[..., :1])
    return q[..., 1:] * np.where(length > TINY, angle / np.where(length > TINY, length, 1.0), 2.0)


def unfolded_vectors(away: np.ndarray) -> np.ndarray:
    """Rotation vectors (F, J, 3) of continuous quaternions, whose angle may pass π without a jump.

    After a whole turn a joint is back where it began, but its vectors may have any direction. If they then jump
    farther than vectors of at most π would, the joint gets those.
    """
    near = np.sum(away[..., 0], axis=0) < 0  # most of the curve is nearer to −1: the other sign is meant
    away = np.where(near[None, :, None], -away, away)
    length = np.linalg.norm(away[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(length, away[..., :1])
    vectors = away[..., 1:] * np.where(length > 1e-12, angle / np.where(length > 1e-12, length, 1.0), 2.0)
    round_ = np.flatnonzero(np.any(angle[..., 0] > WHOLE_TURN, axis=0))
    if len(round_):
        short = to_rotation_vector(away[:, round_])
        calmer = _longest_step(short) < _longest_step(vectors[:, round_])
        vectors[:, round_[calmer]] = short[:, calmer]
    return vectors


def _longest_step(vectors: np.ndarray) -> np.ndarray:
    """The longest step (J,) of vectors (F, J, 3) from one frame to the next."""
    return np.asarray(np.linalg.norm(np.diff(vectors, axis=0), axis=-1).max(axis=0, initial=0.0))


def from_matrix(m: np.ndarray) -> np.ndarray:
    """The quaternion of rotation matrices (..., 3, 3), by the largest of its four parts (Shepperd 1978)."""
    m = np.asarray(m, dtype=float)
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    squares = np.stack([trace, m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]], axis=-1)
    largest = np.argmax(squares, axis=-1)
    outer = np.empty((*m.shape[:-2], 4, 4))  # 4 q qᵀ, of which the row of the largest part is taken
    outer[..., 0, 0] = 1.0 + trace
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        outer[..., i + 1, i + 1] = 1.0 + m[..., i, i] - m[..., j, j] - m[..., k, k]
        outer[..., 0, i + 1] = outer[..., i + 1, 0] = m[..., k, j] - m[..., j, k]
        outer[..., j + 1, k + 1] = outer[..., k + 1, j + 1] = m[..., k, j] + m[..., j, k]
    return normalise(np.take_along_axis(outer, largest[..., None, None], axis=-2)[..., 0, :])


def to_matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def slerp(a: np.ndarray, b: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """The rotation `share` of the (shorter) way from a to b."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    share = np.asarray(share, dtype=float)[..., None]
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    angle = 2.0 * np.arctan2(
        np.linalg.norm(b - a, axis=-1, keepdims=True), np.linalg.norm(b + a, axis=-1, keepdims=True)
    )
    far = angle > 1e-6
    sine = np.where(far, np.sin(angle), 1.0)
    weight_a = np.where(far, np.sin((1.0 - share) * angle) / sine, 1.0 - share)
    weight_b = np.where(far, np.sin(share * angle) / sine, share)
    return normalise(weight_a * a + weight_b * b)


def mean(q: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted mean (..., 4) of rotations (..., N, 4), by weights (..., N) that sum to 1 and may be below 0.

    It is the Karcher mean: the weighted turns from the mean to the rotations cancel. Two rotations give their slerp;
    the order does not matter. Weights below 0 extrapolate, which over 150° has no meaning and raises.
    """
    from motionary.motion.rotation_means import mean_each  # here: whoever only lists clips needs no kernels

    q, weights = np.asarray(q, dtype=float), np.asarray(weights, dtype=float)
    if q.ndim < 2 or q.shape[-1] != 4 or weights.ndim < 1 or weights.shape[-1] != q.shape[-2] or not q.shape[-2]:
        raise UsageError(f"rotations of shape {q.shape} do not fit weights of shape {weights.shape}")
    leading = np.broadcast_shapes(q.shape[:-2], weights.shape[:-1])
    n = q.shape[-2]
    flat = np.ascontiguousarray(np.broadcast_to(q, (*leading, n, 4))).reshape(-1, n, 4)
    shares = np.ascontiguousarray(np.broadcast_to(weights, (*leading, n))).reshape(-1, n)
    if not np.isfinite(shares).all() or (np.abs(shares.sum(axis=1) - 1.0) > WEIGHTS_WITHIN).any():
        raise UsageError("the weights of a mean must sum to 1")
    out = np.empty((len(flat), 4))
    refused = int(mean_each(flat, shares, out))
    if refused >= 0:
        raise UsageError(
            "rotations more than 150° apart cannot be extrapolated; use weights from 0 to 1 or more similar examples"
        )
    return out.reshape(*leading, 4)


def mean_reference(q: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean (4,) of rotations (N, 4), from the definition: from the heaviest, until nothing is left to turn."""
    heaviest = int(np.argmax(weights))
    q = np.where((q @ q[heaviest])[:, None] < 0, -q, q)
    middle = q[heaviest]
    for _ in range(200):
        between = multiply(inverse(middle), q)
        length = np.linalg.norm(between[:, 1:], axis=1)
        angles = 2.0 * np.arctan2(length, between[:, 0])
        step = np.sum((weights * angles / np.maximum(length, TINY))[:, None] * between[:, 1:], axis=0)
        middle = normalise(multiply(middle, from_rotation_vector(step)))
        if np.linalg.norm(step) < 1e-14:
            break
    return middle


def angle_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The angle of the turn from a to b, 0 to π; exact for small angles."""
    between = multiply(inverse(a), b)
    return 2.0 * np.arctan2(np.linalg.norm(between[..., 1:], axis=-1), np.abs(between[..., 0]))


def between_vectors(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The smallest turn that brings the direction of u onto that of v; opposite ones turn about any normal."""
    u, v = np.broadcast_arrays(np.asarray(u, dtype=float), np.asarray(v, dtype=float))
    u = u / np.linalg.norm(u, axis=-1, keepdims=True)
    v = v / np.linalg.norm(v, axis=-1, keepdims=True)
    # u is turned onto the half-way vector and as far again; for opposite vectors that half-way vector is 0.
    half, across = u + v, u - v
    # Unit vectors are so only to rounding, which near opposite ones is much of their sum: what of it lies along
    # their difference is wrong.
    overlap = np.sum(half * across, axis=-1, keepdims=True)
    half = half - across * (overlap / np.maximum(np.sum(across * across, axis=-1, keepdims=True), 1.0))
    length = np.linalg.norm(half, axis=-1, keepdims=True)
    opposite = length < 1e-15
    least = np.argmin(np.abs(u), axis=-1)
    normal = np.cross(u, np.eye(3)[least])
    normal = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    half = half / np.where(opposite, 1.0, length)
    turn = np.concatenate([np.sum(u * half, axis=-1, keepdims=True), np.cross(u, half)], axis=-1)
    return np.where(opposite, np.concatenate([np.zeros_like(length), normal], axis=-1), normalise(turn))


def swing_twist(q: np.ndarray, axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(swing, twist) with q = swing · twist: twist turns about the unit `axis`, swing about a normal of it.

    A half turn about a normal of the axis has no twist of its own; it is returned as all swing.
    """
    q, axis = np.asarray(q, dtype=float), np.asarray(axis, dtype=float)
    along = np.sum(q[..., 1:] * axis, axis=-1, keepdims=True)
    twist = normalise(np.concatenate([q[..., :1], along * axis], axis=-1))
    return multiply(q, inverse(twist)), twist


def continuous(q: np.ndarray) -> np.ndarray:
    """The same rotations over time (axis 0), with signs such that neighbours lie on the same side."""
    q = np.array(q, dtype=float)
    if len(q) > 1:
        flips = np.sum(q[1:] * q[:-1], axis=-1) < 0
        odd = np.cumsum(flips, axis=0) % 2 == 1
        q[1:][odd] *= -1.0
    return q
