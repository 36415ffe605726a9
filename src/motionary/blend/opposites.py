"""Where sources turn a joint past the opposite of each other, as feet do in captures that lost a marker.

The mean of rotations goes the shorter way round. At half a turn apart the shorter way changes, and the mean would jump
from one frame to the next; there, what most of the weight does counts alone.
"""

import numpy as np

from motionary.blend.grounding import lift_curve
from motionary.motion import UP, mask_intervals, rotations

ALIKE = np.radians(90.0)  # apart: as near as this all sources count
OPPOSITE = np.radians(150.0)  # as far as this those that pass the opposite of the others do not
FADE_SECS = 0.05  # over which they cease to count
LITTLE = 0.2  # of the weight: sources that have less in all do not stand in for others


def without_opposites(
    local: np.ndarray, facing: np.ndarray, weights: np.ndarray, of_joint: np.ndarray, *, frame_time: float
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (G, F, N) and the joints' groups (J,), so that the mean of no joint jumps: a joint that would jump gets a
    group of its own, in which sources count less while they are opposite to what most of the weight does.

    `local` (N, F, J, 4), continuous over time, and `facing` (N, F) are the sources' rotations and headings.
    """
    added: list[np.ndarray] = []
    groups = np.array(of_joint)
    for joint in _jumping(local, facing, weights, of_joint):
        fades = _fades(_turns_of(local, facing, joint), weights[of_joint[joint]], frame_time)
        if fades is not None:
            groups[joint] = len(weights) + len(added)
            added.append(fades)
    return (np.concatenate([weights, np.stack(added)]) if added else weights), groups


def _jumping(local: np.ndarray, facing: np.ndarray, weights: np.ndarray, of_joint: np.ndarray) -> list[int]:
    """The joints in which some source passes the opposite of the heaviest."""
    found = []
    for joint in range(local.shape[2]):
        own = weights[of_joint[joint]]
        if own.min(axis=1).max() < 0.0:  # all of it is extrapolation, which is refused so far apart
            continue
        turned = _turns_of(local, facing, joint)
        for heaviest in np.unique(own.argmax(axis=1)).tolist():
            if _passes(np.einsum("fc,nfc->nf", turned[heaviest], turned)).any():
                found.append(joint)
                break
    return found


def _turns_of(local: np.ndarray, facing: np.ndarray, joint: int) -> np.ndarray:
    """Rotations (N, F, 4) of a joint as they are averaged: the root's without its heading."""
    if joint > 0:
        return local[:, :, joint]
    return rotations.multiply(rotations.from_axis_angle(UP, -facing), local[:, :, 0])


def _passes(alike: np.ndarray) -> np.ndarray:
    """Whether two rotations pass half a turn between a frame and the next (…, F − 1), by their dot products (…, F)."""
    return np.asarray((alike[..., 1:] < 0.0) != (alike[..., :-1] < 0.0))


def _fades(turned: np.ndarray, weights: np.ndarray, frame_time: float) -> np.ndarray | None:
    """Weights (F, N) by which a joint's mean does not jump; None if it does not anyway.

    While sources are far apart that pass each other's opposites, those count that agree with the source that most of
    the weight agrees with, and of such sources the calmest.
    """
    n_frames = len(weights)
    alike = np.einsum("afc,bfc->abf", turned, turned)
    counts = (weights != 0.0).T
    passes = _passes(alike) & ((counts[:, None] & counts)[..., 1:] | (counts[:, None] & counts)[..., :-1])
    if not passes.any():
        return None
    apart = 2.0 * np.arccos(np.clip(np.abs(alike), 0.0, 1.0))
    at_pass = np.zeros(apart.shape, dtype=bool)
    at_pass[..., 1:] |= passes
    at_pass[..., :-1] |= passes
    astray = np.where(at_pass, 1.0, np.clip((apart - ALIKE) / (OPPOSITE - ALIKE), 0.0, 1.0))
    astray[~passes.any(axis=2)] = 0.0  # (N, N, F): only of pairs that pass each other's opposites
    speeds = rotations.angle_between(turned[:, :-1], turned[:, 1:])
    fades = np.zeros((len(turned), n_frames))
    for start, stop in mask_intervals(np.asarray(astray.any(axis=(0, 1)))).tolist():
        here = passes[..., start : max(stop - 1, start + 1)].any(axis=2)
        usual = np.maximum(weights[start:stop].mean(axis=0), 0.0)
        calm = speeds[:, start : max(stop - 1, start + 1)].sum(axis=1)
        while here.any():  # those left that pass each other's opposites; one of them stays, and its opposites fade
            agree = np.where(here.any(axis=1), np.where(here, 0.0, usual).sum(axis=1), -1.0)
            base = int(np.lexsort((calm, -np.round(agree, 9)))[0])
            for i in np.flatnonzero(here[base]).tolist():
                own = np.zeros(n_frames)
                own[start:stop] = astray[base, i, start:stop]
                fades[i] = np.maximum(fades[i], lift_curve(own, max(1, round(FADE_SECS / frame_time))))
                here[i] = here[:, i] = False
            here[base] = here[:, base] = False
    kept = weights * (1.0 - fades.T)
    total = kept.sum(axis=1, keepdims=True)
    share = np.clip(total / LITTLE, 0.0, 1.0)  # where hardly any weight is left, they count as they did
    return np.asarray(share * kept / np.maximum(total, LITTLE * 1e-3) + (1.0 - share) * weights)
