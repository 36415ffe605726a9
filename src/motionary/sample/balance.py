"""Poses in balance: the centre of mass where it is asked to be, the pelvis no higher than the legs allow."""

import numpy as np

from motionary.motion import Motion, Skeleton, kinematics
from motionary.sample.figure import Figure, Values

N_ROUNDS = 3  # each brings the centre of mass about four times nearer
SETTLE_SECS = 0.16  # how early the pelvis begins to give way to a leg that would be stretched

# Segment, its two ends, share of the body mass (Dempster 1955, as tabled by Winter).
MASSES = (
    ("Hips", "Spine2", 0.142),
    ("Spine2", "Spine3", 0.139),
    ("Spine3", "Neck1", 0.216),
    ("Neck2", "Head", 0.081),
    *((f"{side}UpperArm", f"{side}Forearm", 0.028) for side in ("Left", "Right")),
    *((f"{side}Forearm", f"{side}Hand", 0.022) for side in ("Left", "Right")),
    *((f"{side}Thigh", f"{side}Shin", 0.100) for side in ("Left", "Right")),
    *((f"{side}Shin", f"{side}Foot", 0.061) for side in ("Left", "Right")),
)


def motion_of(skeleton: Skeleton, values: Values, *, frame_time: float) -> Motion:
    """The motion that the tracks' values ask for, in balance."""
    figure = balanced(skeleton, values, frame_time=frame_time)
    rotations_local = kinematics.local_rotations(skeleton, figure.rotations_world)
    return Motion(skeleton, frame_time, figure.places["Hips"], rotations_local)


def balanced(skeleton: Skeleton, values: Values, *, frame_time: float | None = None) -> Figure:
    """The poses with `balance` of the way from pelvis to centre of mass over `place`: 1 in balance, 0 the pelvis.

    Without a frame time the poses are taken as single ones, not as a motion.
    """
    shift = np.zeros((len(values["place"]), 3))
    for _ in range(N_ROUNDS):
        figure = Figure(skeleton, values, shift)
        offset = centre_of_mass(figure.places) - figure.places["Hips"]
        shift[:, [0, 2]] = -values["balance"] * offset[:, [0, 2]]
        needed = figure.overstretch
        shift[:, 1] -= needed if frame_time is None else _eased(needed, max(1, round(SETTLE_SECS / frame_time)))
    return Figure(skeleton, values, shift)


def centre_of_mass(places: dict[str, np.ndarray]) -> np.ndarray:
    """The centre of mass (F, 3) of a body whose joints stand at these places."""
    return np.asarray(sum(0.5 * mass * (places[a] + places[b]) for a, b, mass in MASSES))


def _eased(needed: np.ndarray, n_frames: int) -> np.ndarray:
    """A smooth curve that is nowhere below `needed`: its running maximum, averaged over the same window."""
    if not np.any(needed > 0.0):
        return needed
    padded = np.pad(needed, 2 * n_frames, mode="edge")
    widest = np.lib.stride_tricks.sliding_window_view(padded, 2 * n_frames + 1).max(axis=-1)
    window = np.hanning(2 * n_frames + 3)[1:-1]
    return np.convolve(widest, window / window.sum(), mode="valid")
