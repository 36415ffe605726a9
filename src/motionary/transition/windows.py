"""Windows: pieces of a transition's length, and how unlike two of them are."""

from collections.abc import Iterator

import numpy as np

from motionary.motion import kinematics, rotations
from motionary.transition.pool import Pool

N_TIMES = 7  # moments of a window that are compared
BATCH = 4096


def window_frames(secs: float, frame_time: float) -> int:
    """How many frames later a window of so many seconds ends: it has one pose more."""
    return max(2, round(secs / frame_time))


def complete_windows(pool: Pool, n_frames: int, *, hop: int = 1) -> np.ndarray:
    """First frames (N,) of the windows of `n_frames` + 1 poses that lie in one clip, every `hop` frames."""
    spans = zip(pool.starts[:-1].tolist(), pool.starts[1:].tolist(), strict=True)
    firsts = [np.arange(start, stop - n_frames, hop) for start, stop in spans]
    return np.concatenate(firsts).astype(np.int64)


def window_distance_reference(pool: Pool, a: int, b: int, n_frames: int) -> float:
    """The distance of the windows from frames a and b, from the definition (Ikemoto, Arikan & Forsyth 2007, sec. 4).

    Both are turned and moved so that their centre frames stand at the origin and head to +z; then the squared
    distances of their joints are summed over `N_TIMES` moments, and divided by them.
    """
    total = 0.0
    for step in moments(n_frames):
        for joint in range(pool.body.skeleton.n_joints):
            places = []
            for first in (a, b):
                back = pool.placement(first + n_frames // 2).inverse()
                motion = pool.motion(first + step, first + step + 1)
                places.append(back.apply(motion.positions_world[0, joint]))
            total += float(np.sum((places[0] - places[1]) ** 2))
    return total / N_TIMES


def moments(n_frames: int) -> np.ndarray:
    """The frames (N_TIMES,) of a window that are compared, from the first to the last."""
    return np.round(np.linspace(0, n_frames, N_TIMES)).astype(np.int64)


def window_shapes(pool: Pool, firsts: np.ndarray, n_frames: int) -> Iterator[np.ndarray]:
    """Windows as points (B, D) float32, in batches: their squared Euclidean distance is that of the windows."""
    frames = moments(n_frames)
    for begin in range(0, len(firsts), BATCH):
        batch = firsts[begin : begin + BATCH]
        which = (batch[:, None] + frames[None, :]).reshape(-1)
        used, back = np.unique(which, return_inverse=True)
        bodies = _bodies(pool, used)[back].reshape(len(batch), len(frames), -1, 3)
        middle = batch + n_frames // 2
        turn = pool.headings[which].reshape(len(batch), -1) - pool.headings[middle][:, None]
        away = (pool.roots[which].reshape(len(batch), -1, 3) - pool.roots[middle][:, None]) * (1.0, 0.0, 1.0)
        turned = rotations.rotate(_about_up(turn)[:, :, None], bodies)
        moved = rotations.rotate(_about_up(-pool.headings[middle])[:, None], away)
        shape = (turned + moved[:, :, None]) / np.sqrt(N_TIMES)
        yield shape.reshape(len(batch), -1).astype(np.float32)


def _bodies(pool: Pool, frames: np.ndarray) -> np.ndarray:
    """Places (F, J, 3) of the joints with the root above the origin, heading to +z, its height kept."""
    turned = np.moveaxis(pool.turns[frames].astype(np.float64), 1, 2)
    root = pool.roots[frames] * (0.0, 1.0, 0.0)
    none, nothing = np.zeros(0, dtype=np.int32), np.zeros((len(frames), 0, 3))
    return kinematics.forward(pool.body.skeleton, root, turned, none, nothing)[0]


def _about_up(angle: np.ndarray) -> np.ndarray:
    return rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), angle)


def squared_distances(shapes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Squared distances (N, M) of points (N, D) and (M, D), in double precision."""
    a, b = shapes.astype(np.float64), others.astype(np.float64)
    squares = np.sum(a * a, axis=1)[:, None] + np.sum(b * b, axis=1)[None, :] - 2.0 * a @ b.T
    return np.asarray(np.maximum(squares, 0.0))
