"""How much of every quality of Effort and Shape a motion has, in all and frame by frame."""

from itertools import pairwise

import numpy as np

from motionary.dynamics import smoothed_derivative
from motionary.motion import Motion, rotations
from motionary.qualities.hands import Hands, TurningPoints, averaged, hands_of, turning_points
from motionary.rig import Body

WINDOW_SECS = 0.35  # after a turning point in which an overshoot is looked for
COMES_IN_SECS = 0.2  # before it: the way on which the hand came
AROUND_SECS = 0.5  # on both sides of a frame: what its curves look at


def quality_measures(motion: Motion, body: Body | None, *, points: TurningPoints | None = None) -> dict[str, float]:
    """How much of every quality a motion has. `points` are turning points to measure between, else its own.

    space: path to chord of the wrists (lower is more direct). weight: peak acceleration of the hands, m/s². time: peak
    to mean speed of the hands. flow: how far a hand goes on after a turning point, metres. horizontal: mean distance
    of the hands; vertical: mean height of head and hands; sagittal: how far the hands are ahead of the pelvis; metres.
    """
    hands, frame_time = hands_of(motion, body), motion.frame_time
    points = turning_points(hands, frame_time) if points is None else points
    shape = _shape_curves(motion, body, hands)
    return {
        "space": _directness(hands.relative, points),
        "weight": float(_accelerations(hands, frame_time).max()),
        "time": _burst(hands.from_pelvis, points.both, frame_time),
        "flow": _overshoot(hands.relative, points, frame_time),
        **{name: float(curve.mean()) for name, curve in shape.items()},
    }


def quality_curves(motion: Motion, body: Body | None) -> dict[str, np.ndarray]:
    """The qualities frame by frame (F,), each of what happens within half a second before and after.

    space: path to chord of the wrists' ways, less 1, of paths below 5 cm 0. weight: the largest acceleration. time: the
    largest speed to the mean speed, less 1. flow: how far the hands go on, of how far they came, over 0.2 s. The others
    are where the hands and the head are in the frame itself.
    """
    hands, frame_time = hands_of(motion, body), motion.frame_time
    around = max(round(AROUND_SECS / frame_time), 1)
    speed = hands.speed(frame_time)
    steps = np.linalg.norm(np.diff(hands.relative, axis=0, prepend=hands.relative[:1]), axis=-1).sum(axis=1)
    ways = np.cumsum(steps)
    frames = np.arange(motion.n_frames)
    first, last = np.maximum(frames - around, 0), np.minimum(frames + around, motion.n_frames - 1)
    path = ways[last] - ways[first]
    chord = np.linalg.norm(hands.relative[last] - hands.relative[first], axis=-1).sum(axis=1)
    peak = _largest_around(speed, around)
    total = np.concatenate([[0.0], np.cumsum(speed)])
    mean = (total[last + 1] - total[first]) / (last + 1 - first)
    short = max(round(COMES_IN_SECS / frame_time), 1)
    came = hands.relative - hands.relative[np.maximum(frames - short, 0)]
    goes = hands.relative[np.minimum(frames + short, motion.n_frames - 1)] - hands.relative
    size = np.linalg.norm(came, axis=-1)
    on = np.sum(goes * came, axis=-1) / np.maximum(size, 0.02)
    return {
        "space": np.where(path > 0.05, path / np.maximum(chord, 0.2 * path + 1e-9) - 1.0, 0.0),
        "weight": _largest_around(_accelerations(hands, frame_time), around),
        "time": np.where(mean > 0.02, peak / np.maximum(mean, 0.02) - 1.0, 0.0),
        "flow": on.sum(axis=1),
        **_shape_curves(motion, body, hands),
    }


def _shape_curves(motion: Motion, body: Body | None, hands: Hands) -> dict[str, np.ndarray]:
    """How far apart the hands are, how high head and hands, how far ahead of the pelvis the hands (F,)."""
    assert body is not None
    head = body.body_map.joints.get("Head", body.body_map.neck[-1] if body.body_map.neck else 0)
    heights = np.concatenate([motion.positions_world[:, [head], 1], hands.places[:, :, 1]], axis=1)
    pelvis = motion.positions_world[:, body.body_map.hips]
    ahead = rotations.rotate(rotations.inverse(hands.facing), hands.places.mean(axis=1) - pelvis)[:, 2]
    return {
        "horizontal": np.linalg.norm(hands.places[:, 0] - hands.places[:, 1], axis=1),
        "vertical": heights.mean(axis=1),
        "sagittal": ahead,
    }


def _accelerations(hands: Hands, frame_time: float) -> np.ndarray:
    """Of both hands together (F,), in m/s²."""
    acceleration = smoothed_derivative(hands.from_pelvis, order=2, frame_time=frame_time)
    return np.asarray(np.sqrt(np.sum(acceleration**2, axis=(1, 2))))


def _largest_around(curve: np.ndarray, around: int) -> np.ndarray:
    """The largest value (F,) of a curve within so many frames before and after each."""
    from scipy.ndimage import maximum_filter1d

    return np.asarray(maximum_filter1d(curve, 2 * around + 1, mode="nearest"))


def _directness(relative: np.ndarray, points: TurningPoints) -> float:
    """Path to chord of each hand between its turning points."""
    path = chord = 0.0
    for hand, frames in enumerate(points.each):
        for start, stop in pairwise(frames):
            way = relative[start : stop + 1, hand]
            path += float(np.linalg.norm(np.diff(way, axis=0), axis=-1).sum())
            chord += float(np.linalg.norm(way[-1] - way[0]))
    return path / max(chord, 1e-6)


def _burst(paths: np.ndarray, points: np.ndarray, frame_time: float) -> float:
    """Peak to mean speed between turning points, weighted by how far the hands go there."""
    if len(paths) < 2:
        return 0.0
    steps = np.sqrt(np.sum(np.diff(paths, axis=0) ** 2, axis=(1, 2)))
    total = weight = 0.0
    for start, stop in pairwise(points):
        between = averaged(steps[start:stop], frame_time)
        way = float(between.sum())
        total += way * float(between.max()) / max(float(between.mean()), 1e-9)
        weight += way
    return total / max(weight, 1e-9)


def _overshoot(relative: np.ndarray, points: TurningPoints, frame_time: float) -> float:
    """How far the hands go on in their direction after turning points, on the average over the time after them."""
    before, after = max(round(COMES_IN_SECS / frame_time), 1), max(round(WINDOW_SECS / frame_time), 1)
    total = sizes = 0.0
    for hand, frames in enumerate(points.each):
        for i, point in enumerate(frames):
            if point < before or point >= len(relative) - 2:
                continue
            until = frames[i + 1] if i + 1 < len(frames) else len(relative) - 1
            incoming = relative[point, hand] - relative[point - before, hand]
            size = float(np.linalg.norm(incoming))
            if size < 1e-4:
                continue
            on = (relative[point + 1 : min(point + after, until) + 1, hand] - relative[point, hand]) @ incoming
            total += float(on.mean())  # times its size, so that large movements count more
            sizes += size
    return total / max(sizes, 1e-9)
