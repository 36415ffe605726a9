"""Edits that come and go gently: the weight of an edit over the frames of its segment."""

from dataclasses import replace

import numpy as np

from motionary.edit.subject import Place
from motionary.motion import Motion, ease, rotations


def border_weights(place: Place, n_frames: int) -> np.ndarray:
    """The weight (N,) of the edit in each frame of its segment, strength included.

    It eases in and out over `ease_secs`; at an end of the clip there is nothing to ease from. A segment that is too
    short for both is half and half.
    """
    n = place.n_frames
    ramp = min(round(place.ease_secs / place.frame_time), n // 2)
    weights = np.full(n, place.strength)
    if ramp:
        rise = ease(np.arange(ramp) / ramp)
        if place.start > 0:
            weights[:ramp] *= rise
        if place.stop < n_frames:
            weights[n - ramp :] *= rise[::-1]
    return weights


def eased_in(motion: Motion, posed: Motion, place: Place) -> Motion:
    """The motion with `posed` in place of its segment, by the weights of its borders, on the chosen joints only."""
    weights = border_weights(place, motion.n_frames)
    segment = slice(place.start, place.stop)
    turned, places = np.array(motion.rotations), np.array(motion.root_positions)
    moved = np.array(motion.joint_translations)
    chosen = np.flatnonzero(place.joints)
    old, new = turned[segment][:, chosen], posed.rotations[:, chosen]
    mixed = rotations.slerp(old, new, weights[:, None])
    same = np.sum(mixed * old, axis=-1, keepdims=True) < 0
    mixed = np.where(same, -mixed, mixed)
    still = (weights[:, None, None] == 0.0) | np.all(old == new, axis=-1, keepdims=True)
    part = turned[segment]
    part[:, chosen] = np.where(still, old, mixed)
    turned[segment] = part
    if place.joints[0]:
        places[segment] += weights[:, None] * (posed.root_positions - places[segment])
    columns = np.flatnonzero(place.joints[motion.moving_joints])
    if len(columns):
        part = moved[segment]
        part[:, columns] += weights[:, None, None] * (posed.joint_translations[:, columns] - part[:, columns])
        moved[segment] = part
    return replace(motion, root_positions=places, rotations=rotations.continuous(turned), translations=moved)
