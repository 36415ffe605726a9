"""Both hands of a person, and when they change direction or rest."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.errors import SkeletonError
from motionary.motion import UP, Motion, headings, rotations
from motionary.rig import SIDES, Body

ARMS = ("UpperArm", "Forearm", "Hand")
SLOW = 0.2  # of the peak speed: a hand that rests is slower
TURN = 0.2  # of the peak speed: where a hand changes direction it is slower by that than before and after
STILL = 0.05  # m/s: a hand that is never faster does not move
APART_SECS = 0.25  # between turning points


@dataclass(frozen=True, eq=False)
class Hands:
    """Both wrists, in the world and as seen from the shoulders of a body that faces ahead."""

    places: np.ndarray  # (F, 2, 3) world
    shoulders: np.ndarray  # (F, 2, 3) world
    facing: np.ndarray  # (F, 4) turns about the vertical
    pelvis: np.ndarray  # (F, 4) how the pelvis is turned, tilt and all

    @cached_property
    def relative(self) -> np.ndarray:
        """From the shoulders, as the body faces (F, 2, 3)."""
        away = self.places - self.shoulders
        return rotations.rotate(rotations.inverse(self.facing)[:, None], away)

    def in_world(self, relative: np.ndarray) -> np.ndarray:
        """Places (F, 2, 3) of the world, from the shoulders: the inverse of `relative`."""
        return np.asarray(self.shoulders + rotations.rotate(self.facing[:, None], relative))

    @cached_property
    def from_pelvis(self) -> np.ndarray:
        """From the shoulders, as the pelvis is turned (F, 2, 3): what arms and trunk do, and the legs do not."""
        away = self.places - self.shoulders
        return rotations.rotate(rotations.inverse(self.pelvis)[:, None], away)

    def speeds(self, frame_time: float) -> np.ndarray:
        """Of each, by what arms and trunk do (F, 2), in m/s."""
        if len(self.places) < 2:
            return np.zeros((len(self.places), 2))
        return np.asarray(np.linalg.norm(np.gradient(self.from_pelvis, frame_time, axis=0), axis=-1))

    def speed(self, frame_time: float) -> np.ndarray:
        """Of both together (F,), in m/s."""
        return np.asarray(np.linalg.norm(self.speeds(frame_time), axis=-1))


@dataclass(frozen=True, eq=False)
class TurningPoints:
    """Frames at which hands change direction, come to rest, or set off again; at least two of each."""

    both: np.ndarray  # of the hands taken together
    each: tuple[np.ndarray, np.ndarray]  # of the left and the right one


def hands_of(motion: Motion, body: Body | None) -> Hands:
    """The hands of a motion of that body."""
    if body is None:
        raise SkeletonError("Effort and Shape are about people; the skeleton is no person's")
    joints = body.body_map.joints
    hands = [joints.get(side + "Hand", joints[side + "Forearm"]) for side in SIDES]
    shoulders = [joints[side + "UpperArm"] for side in SIDES]
    hips = body.body_map.hips
    facing = rotations.from_axis_angle(UP, headings(motion.rotations_world[:, hips], body.rest_world[hips]))
    pelvis = rotations.multiply(motion.rotations_world[:, hips], rotations.inverse(body.rest_world[hips]))
    return Hands(motion.positions_world[:, hands], motion.positions_world[:, shoulders], facing, pelvis)


def turning_points(hands: Hands, frame_time: float) -> TurningPoints:
    """When the hands change direction, rest or set off, together and each for itself."""
    speeds = hands.speeds(frame_time)
    both = _turns(np.linalg.norm(speeds, axis=-1), frame_time)
    return TurningPoints(both, (_turns(speeds[:, 0], frame_time), _turns(speeds[:, 1], frame_time)))


def averaged(speed: np.ndarray, frame_time: float) -> np.ndarray:
    """A speed (F,) averaged over a tenth of a second: a single frame's is mostly noise."""
    width = max(round(0.05 / frame_time), 1)
    kernel = np.ones(2 * width + 1) / (2 * width + 1)
    return np.convolve(np.pad(speed, width, mode="edge"), kernel, mode="valid")


def _turns(speed: np.ndarray, frame_time: float) -> np.ndarray:
    """Frames at which a speed (F,) has a marked low, comes to rest or leaves it; and both ends, if none is near."""
    from scipy.signal import find_peaks

    n_frames = len(speed)
    ends = np.array([0, n_frames - 1])
    if n_frames < 5:
        return ends
    speed = averaged(speed, frame_time)
    most = float(speed.max())
    if most < STILL:
        return ends
    apart = max(round(APART_SECS / frame_time), 2)
    rests = np.flatnonzero(np.diff(np.concatenate([[False], speed < SLOW * most, [False]]).astype(int)))
    found: set[int] = set()
    for first, stop in zip(rests[::2].tolist(), rests[1::2].tolist(), strict=True):
        if first > 0:
            found.add(first)
        if stop < n_frames and (first == 0 or stop - 1 - first >= apart):
            found.add(stop - 1)
    lows = find_peaks(-speed, prominence=TURN * most)[0].tolist()
    kept: list[int] = []
    for frame in sorted(found) + [low for low in lows if speed[low] >= SLOW * most]:
        if all(abs(frame - other) >= apart for other in kept):
            kept.append(frame)
    kept += [end for end in ends.tolist() if all(abs(end - other) >= apart for other in kept)]
    return np.array(sorted(kept)) if len(kept) >= 2 else ends
