"""Edits that come and go gently: the weight of an edit over the frames of its segment."""

from dataclasses import replace

import numpy as np
from numba import njit

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
    _mix(turned[segment], np.array(posed.rotations), weights, chosen)
    if place.joints[0]:
        places[segment] += weights[:, None] * (posed.root_positions - places[segment])
    columns = np.flatnonzero(place.joints[motion.moving_joints])
    if len(columns):
        part = moved[segment]
        part[:, columns] += weights[:, None, None] * (posed.joint_translations[:, columns] - part[:, columns])
        moved[segment] = part
    return replace(motion, root_positions=places, rotations=rotations.continuous(turned), translations=moved)


def mix_reference(turned: np.ndarray, posed: np.ndarray, weights: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """What `_mix` makes of `turned`, written plainly."""
    old, new = turned[:, chosen], posed[:, chosen]
    mixed = rotations.slerp(old, new, weights[:, None])
    mixed = np.where(np.sum(mixed * old, axis=-1, keepdims=True) < 0, -mixed, mixed)
    still = (weights[:, None, None] == 0.0) | np.all(old == new, axis=-1, keepdims=True)
    done = np.array(turned)
    done[:, chosen] = np.where(still, old, mixed)
    return done


@njit(cache=True, nogil=True)
def _mix(turned: np.ndarray, posed: np.ndarray, weights: np.ndarray, chosen: np.ndarray) -> None:
    """Turn chosen joints of `turned` (N, J, 4) towards `posed`, by a weight (N,) for each frame; on its side."""
    mixed = np.empty(4)
    for frame in range(len(turned)):
        share = weights[frame]
        if share == 0.0:
            continue
        for joint in chosen:
            old, new = turned[frame, joint], posed[frame, joint]
            cosine, same = 0.0, True
            for k in range(4):
                cosine += old[k] * new[k]
                same = same and old[k] == new[k]
            if same:
                continue
            sign = -1.0 if cosine < 0.0 else 1.0
            away = together = 0.0
            for k in range(4):
                away += (sign * new[k] - old[k]) ** 2
                together += (sign * new[k] + old[k]) ** 2
            angle = 2.0 * np.arctan2(np.sqrt(away), np.sqrt(together))
            first, second = 1.0 - share, share
            if angle > 1e-6:
                first, second = np.sin(first * angle) / np.sin(angle), np.sin(share * angle) / np.sin(angle)
            length = side = 0.0
            for k in range(4):
                mixed[k] = first * old[k] + second * sign * new[k]
                length += mixed[k] * mixed[k]
                side += mixed[k] * old[k]
            length = np.sqrt(length) if side >= 0.0 else -np.sqrt(length)
            for k in range(4):
                turned[frame, joint, k] = mixed[k] / length
