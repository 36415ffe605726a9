"""Effort and Shape measured: how much of each quality a motion has, by the hands and the trunk."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionary.dynamics import smoothed_derivative
from motionary.edit.curves import facing_of
from motionary.edit.subject import Subject
from motionary.errors import SkeletonError
from motionary.motion import UP, rotations

ARMS = ("UpperArm", "Forearm", "Hand")
QUALITIES = ("space", "weight", "time", "flow", "horizontal", "vertical", "sagittal")
SLOW = 0.35  # of the mean speed: a turning point is slower
APART_SECS = 0.25  # between turning points
WINDOW_SECS = 0.35  # after a turning point in which an overshoot is looked for


@dataclass(frozen=True, eq=False)
class Hands:
    """Both wrists, in the world and as seen from the shoulders of a body that faces ahead."""

    places: np.ndarray  # (F, 2, 3) world
    shoulders: np.ndarray  # (F, 2, 3) world
    facing: np.ndarray  # (F, 4)

    @property
    def relative(self) -> np.ndarray:
        """From the shoulders, as the body faces (F, 2, 3)."""
        away = self.places - self.shoulders
        return rotations.rotate(rotations.inverse(self.facing)[:, None], away)

    def in_world(self, relative: np.ndarray) -> np.ndarray:
        """Places (F, 2, 3) of the world, from the shoulders: the inverse of `relative`."""
        return np.asarray(self.shoulders + rotations.rotate(self.facing[:, None], relative))

    def speed(self, frame_time: float) -> np.ndarray:
        """Of both together, as seen from the shoulders (F,), in m/s."""
        steps = np.gradient(self.relative, frame_time, axis=0) if len(self.places) > 1 else np.zeros_like(self.relative)
        return np.asarray(np.sqrt(np.sum(steps**2, axis=(1, 2))))


def hands_of(subject: Subject) -> Hands:
    """The hands of a subject."""
    body = subject.body
    if body is None:
        raise SkeletonError("Effort and Shape are about people; the skeleton is no person's")
    motion, joints = subject.motion, body.body_map.joints
    hands = [joints.get(side + "Hand", joints[side + "Forearm"]) for side in ("Left", "Right")]
    shoulders = [joints[side + "UpperArm"] for side in ("Left", "Right")]
    facing = rotations.from_axis_angle(UP, facing_of(motion, subject.rest))
    return Hands(motion.positions_world[:, hands], motion.positions_world[:, shoulders], facing)


def turning_points(hands: Hands, frame_time: float) -> np.ndarray:
    """Frames at which the hands change direction or rest: slow ones between faster ones, two at least.

    The ends are among them if the hands are slow there, or where there are too few others.
    """
    n_frames = len(hands.places)
    if n_frames < 5:
        return np.array([0, n_frames - 1])
    speed = hands.speed(frame_time)
    width = max(round(0.05 / frame_time), 1)
    kernel = np.ones(2 * width + 1) / (2 * width + 1)
    speed = np.convolve(np.pad(speed, width, mode="edge"), kernel, mode="valid")
    slow = max(SLOW * float(speed.max()), 0.05)
    apart = max(round(APART_SECS / frame_time), 2)
    inner = (speed[1:-1] <= speed[:-2]) & (speed[1:-1] < speed[2:]) & (speed[1:-1] < slow)
    candidates = [0, *(np.flatnonzero(inner) + 1).tolist()] if speed[0] < slow else (np.flatnonzero(inner) + 1).tolist()
    if speed[-1] < slow:
        candidates.append(n_frames - 1)
    found: list[int] = []
    for frame in candidates:
        if not found or frame - found[-1] >= apart:
            found.append(frame)
        elif speed[frame] < speed[found[-1]] and found[-1] != 0:
            found[-1] = frame
    if len(found) < 2:
        return np.array([0, n_frames - 1])
    return np.array(found)


def quality_measures(subject: Subject, *, points: np.ndarray | None = None) -> dict[str, float]:
    """How much of every quality a motion has. `points` are turning points to measure between, else its own.

    space: path to chord of the wrists (lower is more direct). weight: peak acceleration of the hands, m/s². time: peak
    to mean speed of the hands. flow: how far a hand goes on after a turning point, metres. horizontal: mean distance
    of the hands; vertical: mean height of head and hands; sagittal: how far the hands are ahead of the pelvis; metres.
    """
    hands = hands_of(subject)
    motion, body = subject.motion, subject.body
    assert body is not None
    frame_time = motion.frame_time
    points = turning_points(hands, frame_time) if points is None else points
    relative = hands.relative
    head = body.body_map.joints.get("Head", body.body_map.neck[-1] if body.body_map.neck else 0)
    heights = np.concatenate([motion.positions_world[:, [head], 1], hands.places[:, :, 1]], axis=1)
    ahead = rotations.rotate(rotations.inverse(hands.facing), hands.places.mean(axis=1) - motion.root_positions)[:, 2]
    return {
        "space": _directness(relative, points),
        "weight": _peak_acceleration(relative, frame_time),
        "time": _burst(hands.speed(frame_time), points),
        "flow": _overshoot(relative, points, frame_time),
        "horizontal": float(np.linalg.norm(hands.places[:, 0] - hands.places[:, 1], axis=1).mean()),
        "vertical": float(heights.mean()),
        "sagittal": float(ahead.mean()),
    }


def quality_curves(subject: Subject) -> dict[str, np.ndarray]:
    """The qualities frame by frame (F,), where one can be seen in a frame: speed and acceleration of the hands, and
    where they are."""
    hands = hands_of(subject)
    motion, body = subject.motion, subject.body
    assert body is not None
    speed = hands.speed(motion.frame_time)
    points = turning_points(hands, motion.frame_time)
    ahead = rotations.rotate(rotations.inverse(hands.facing), hands.places.mean(axis=1) - motion.root_positions)[:, 2]
    head = body.body_map.joints.get("Head", body.body_map.neck[-1] if body.body_map.neck else 0)
    heights = np.concatenate([motion.positions_world[:, [head], 1], hands.places[:, :, 1]], axis=1)
    acceleration = smoothed_derivative(hands.relative, order=2, frame_time=motion.frame_time)
    away = np.zeros(motion.n_frames)
    for start, stop in pairwise(points):
        path = hands.relative[start : stop + 1]
        share = np.linspace(0, 1, len(path))[:, None, None]
        away[start : stop + 1] = np.linalg.norm(path - (path[0] + share * (path[-1] - path[0])), axis=-1).max(axis=1)
    return {
        "space": away,
        "weight": np.linalg.norm(acceleration, axis=-1).max(axis=1),
        "time": speed,
        "flow": np.gradient(speed, motion.frame_time) if len(speed) > 1 else np.zeros_like(speed),
        "horizontal": np.linalg.norm(hands.places[:, 0] - hands.places[:, 1], axis=1),
        "vertical": heights.mean(axis=1),
        "sagittal": ahead,
    }


def _directness(relative: np.ndarray, points: np.ndarray) -> float:
    path = chord = 0.0
    for start, stop in pairwise(points):
        steps = np.linalg.norm(np.diff(relative[start : stop + 1], axis=0), axis=-1).sum(axis=0)
        path += float(steps.sum())
        chord += float(np.linalg.norm(relative[stop] - relative[start], axis=-1).sum())
    return path / max(chord, 1e-6)


def _peak_acceleration(relative: np.ndarray, frame_time: float) -> float:
    acceleration = smoothed_derivative(relative, order=2, frame_time=frame_time)
    return float(np.sqrt(np.sum(acceleration**2, axis=(1, 2))).max())


def _burst(speed: np.ndarray, points: np.ndarray) -> float:
    """Peak to mean speed between turning points, weighted by how far the hands go there."""
    total = weight = 0.0
    for start, stop in pairwise(points):
        between = speed[start : stop + 1]
        way = float(between.sum())
        total += way * float(between.max()) / max(float(between.mean()), 1e-9)
        weight += way
    return total / max(weight, 1e-9)


def _overshoot(relative: np.ndarray, points: np.ndarray, frame_time: float) -> float:
    """How far the hands go on in their direction after turning points, on the average over the time after them."""
    before, after = max(round(0.2 / frame_time), 1), max(round(WINDOW_SECS / frame_time), 1)
    total = sizes = 0.0
    for i, point in enumerate(points):
        if point < before or point >= len(relative) - 2:
            continue
        until = points[i + 1] if i + 1 < len(points) else len(relative) - 1
        incoming = relative[point] - relative[point - before]
        for hand in range(2):
            size = float(np.linalg.norm(incoming[hand]))
            if size < 1e-4:
                continue
            on = (relative[point + 1 : min(point + after, until) + 1, hand] - relative[point, hand]) @ incoming[hand]
            total += float(on.mean())  # times its size, so that large movements count more
            sizes += size
    return total / max(sizes, 1e-9)
