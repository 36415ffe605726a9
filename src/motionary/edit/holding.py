"""Hands that are brought somewhere, or held where they are: arms follow by inverse kinematics."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import SkeletonError, UsageError
from motionary.ik import turn_joints, two_bone
from motionary.motion import Motion, rotations
from motionary.qualities import ARMS
from motionary.rig import SIDES

HANDS = ("LeftHand", "RightHand")
MOVED = 1e-6  # metres: a hand that an edit moved by less stays as it is


def held(subject: Subject, edited: Edited, place: Place, hands: Sequence[str]) -> Edited:
    """The edited motion with these hands where they were in the world: what they touch, they go on touching.

    An arm that is too short gets as near as it can. Where time was changed, a hand is where it was at that time.
    """
    if not hands or edited.motion is subject.motion:
        return edited
    body = subject.body
    if body is None:
        raise SkeletonError("only hands of people can be held; the skeleton is not a person's")
    for name in hands:
        if name not in HANDS or name not in body.body_map.joints:
            raise UsageError(f"only hands can be held: {' or '.join(HANDS)}, not {name!r}")
    wanted = [name if not place.mirrored else HANDS[1 - HANDS.index(name)] for name in hands]
    before = subject.motion.positions_world[:, [body.body_map.joints[name] for name in HANDS]]
    if edited.shown is not None:
        low = np.clip(edited.shown.astype(int), 0, len(before) - 1)
        high = np.minimum(low + 1, len(before) - 1)
        before = before[low] + (edited.shown - low)[:, None, None] * (before[high] - before[low])
    joints, targets = [body.body_map.joints[name] for name in wanted], before[:, [HANDS.index(one) for one in wanted]]
    moved = np.linalg.norm(edited.motion.positions_world[:, joints] - targets, axis=-1).max(axis=1) > MOVED
    brought = with_hands(Subject(edited.motion, body), before, hands=wanted, soft=0.005)
    turned = np.where(moved[:, None, None], brought.rotations, edited.motion.rotations)
    motion = replace(edited.motion, rotations=rotations.continuous(turned))
    away = np.linalg.norm(motion.positions_world[:, joints] - targets, axis=-1)
    notes = edited.notes
    if away.max() > 0.01:
        notes = (*notes, f"a hand could not be held: it is {100 * away.max():.0f} cm away at most")
    return replace(edited, motion=motion, notes=notes)


def with_hands(subject: Subject, targets: np.ndarray, *, hands: Sequence[str] = HANDS, soft: float = 0.02) -> Motion:
    """The motion with its wrists at places (F, 2, 3) of the world, as far as the arms reach."""
    motion, body = subject.motion, subject.body
    assert body is not None
    turns: dict[int, np.ndarray] = {}
    for hand, side in enumerate(SIDES):
        if HANDS[hand] not in hands:
            continue
        limb = [body.body_map.get(side + part) for part in ARMS]
        if any(joint is None for joint in limb):
            continue
        upper, middle, end = (int(joint) for joint in limb if joint is not None)
        world = motion.positions_world
        back = rotations.rotate(rotations.inverse(subject.rest[upper]), np.array([0.0, 0.0, -1.0]))
        behind = rotations.rotate(motion.rotations_world[:, upper], back)
        found = two_bone(world[:, upper], world[:, middle], world[:, end], targets[:, hand], pole=behind, soft=soft)
        turns |= {upper: found.upper, middle: found.lower}
    return turn_joints(motion, turns)
