"""Which joint of one body drives which joint of another, and by what constant turn."""

from dataclasses import dataclass

import numpy as np

from motionary.motion import Skeleton, rotations
from motionary.rig.body_map import LIMB_PARTS, BodyMap, anchors
from motionary.rig.names import read_names


@dataclass(frozen=True, eq=False)
class Correspondence:
    """For every joint of the target: the two source joints between which its orientation lies, and how far.

    With W the source's world rotations, a target joint's is slerp(W[lower] · lower_turns, W[upper] ·
    upper_turns, share): what the source has turned since its T-pose, applied to the target's T-pose. A joint
    that nothing drives (above the hips) has lower = −1 and stands as in the T-pose, `lower_turns`.
    """

    lower: np.ndarray  # (J,) int32
    upper: np.ndarray  # (J,) int32
    share: np.ndarray  # (J,)
    lower_turns: np.ndarray  # (J, 4)
    upper_turns: np.ndarray  # (J, 4)


def correspondence(
    source: Skeleton,
    target: Skeleton,
    *,
    source_map: BodyMap,
    target_map: BodyMap,
    source_rest: np.ndarray,
    target_rest: np.ndarray,
) -> Correspondence:
    """How the joints of `target` follow those of `source`; `source_rest`, `target_rest` are their T-poses (J, 4).

    Parts of the body follow their namesakes. Where one spine (or neck) has more joints than the other, several
    share one: their turns add up on the way to the coarser body, and are shared out evenly on the way back.
    Other joints follow a joint of the same name (fingers), else the joint they hang on.
    """
    drives = _drivers(source, target, source_map, target_map)
    lower = np.full(target.n_joints, -1, dtype=np.int32)
    upper = np.full(target.n_joints, -1, dtype=np.int32)
    share = np.ones(target.n_joints)
    for joint in range(target.n_joints):
        if joint in drives:
            lower[joint], upper[joint], share[joint] = drives[joint]
        elif joint:
            parent = target.parents[joint]
            lower[joint], upper[joint], share[joint] = lower[parent], upper[parent], share[parent]
    driven = (lower >= 0)[:, None]
    turns = [
        np.where(driven, rotations.multiply(rotations.inverse(source_rest[joints]), target_rest), target_rest)
        for joints in (lower, upper)
    ]
    return Correspondence(lower, upper, share, turns[0], turns[1])


def _drivers(
    source: Skeleton, target: Skeleton, source_map: BodyMap, target_map: BodyMap
) -> dict[int, tuple[int, int, float]]:
    """Target joint -> (lower source joint, upper source joint, share)."""
    drives: dict[int, tuple[int, int, float]] = {}
    for part in ("Hips", "Head", *LIMB_PARTS):
        theirs, ours = target_map.get(part), source_map.get(part)
        if theirs is not None and ours is not None:
            drives[theirs] = (ours, ours, 1.0)
    _share_out(drives, source_map.spine, target_map.spine, source_map.hips)
    chest = source_map.spine[-1] if source_map.spine else source_map.hips
    head = source_map.get("Head")
    if source_map.neck:
        _share_out(drives, source_map.neck, target_map.neck, chest)
    elif head is not None:  # a head without a neck: the neck's joints lie between chest and head
        n_neck = len(target_map.neck)
        for i, joint in enumerate(target_map.neck):
            drives[joint] = (chest, head, (i + 1) / (n_neck + 1))
    taken = {joint for lower, upper, _ in drives.values() for joint in (lower, upper)}
    by_name = {
        (name.side, name.word, name.numbers): joint
        for joint, name in enumerate(read_names(source.names))
        if joint not in taken and name.word
    }
    below = _below(target, target_map.hips)
    for joint, name in enumerate(read_names(target.names)):
        same = by_name.get((name.side, name.word, name.numbers))
        if joint not in drives and same is not None and below[joint]:
            drives[joint] = (same, same, 1.0)
    return drives


def _share_out(
    drives: dict[int, tuple[int, int, float]], source: tuple[int, ...], target: tuple[int, ...], base: int
) -> None:
    """Let a chain of joints follow another with more or fewer joints; `base` is the source joint below it."""
    if not source or not target:
        return
    if len(target) <= len(source):
        for joint, at in zip(target, anchors(len(target), len(source)), strict=True):
            drives[joint] = (source[at], source[at], 1.0)
        return
    ends = anchors(len(source), len(target))
    starts = (-1, *ends[:-1])
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        below = source[i - 1] if i else base
        for at in range(start + 1, end + 1):
            drives[target[at]] = (below, source[i], (at - start) / (end - start))


def _below(skeleton: Skeleton, joint: int) -> np.ndarray:
    below = np.zeros(skeleton.n_joints, dtype=bool)
    for j in range(skeleton.n_joints):
        below[j] = j == joint or (j > 0 and below[skeleton.parents[j]])
    return below
