"""Edits of skeletons whose hips hang on a floor point, as in game engines: as if their root were the hips."""

from dataclasses import replace

import numpy as np

from motionary.edit.subject import Edited, Subject
from motionary.motion import Motion, poses_at, rotations
from motionary.rig import floor_root_of


def with_hips_as_root(subject: Subject) -> Subject:
    """The subject with all that its hips do done by its root, which stands where they are; the same if they are one.

    Operations read from the root where the body is, how it is tilted and where it faces. The poses stay.
    """
    floor_root = None if subject.body is None else floor_root_of(subject.body)
    if floor_root is None:
        return subject
    rooted = floor_root.with_hips_as_root(subject.motion)
    return Subject(rooted, replace(floor_root.rooted, skeleton=rooted.skeleton), subject.plants)


def chosen_with_hips(subject: Subject, joints: np.ndarray) -> np.ndarray:
    """Which joints (J,) an edit of `with_hips_as_root` may change: its root as well, if the hips are chosen."""
    assert subject.body is not None
    chosen = np.array(joints)
    chosen[0] |= chosen[subject.body.body_map.hips]
    return chosen


def with_own_root(subject: Subject, rooted: Subject, edited: Edited) -> Edited:
    """An edit of `rooted`, which is `with_hips_as_root(subject)`, as one of the subject.

    What is above the hips does what it did, and the hips make up for it; if they cannot be moved, the root is.
    """
    if edited.motion is rooted.motion:
        return replace(edited, motion=subject.motion)
    assert subject.body is not None
    own, after = subject.motion, edited.motion
    chain = own.skeleton.chain(subject.body.body_map.hips)
    hips, above = chain[-1], chain[-2]
    shown = np.arange(own.n_frames, dtype=float) if edited.shown is None else edited.shown
    shown = np.clip(shown, 0.0, own.n_frames - 1.0)
    like = own if edited.shown is None else poses_at(own, shown)
    turned = np.array(after.rotations)
    turned[:, chain[:-1]] = like.rotations[:, chain[:-1]]
    turned[:, hips] = rotations.multiply(
        rotations.inverse(like.rotations_world[:, above]), after.rotations_world[:, hips]
    )
    places, moved = np.array(like.root_positions), np.array(like.joint_translations)
    moved[:, np.isin(own.moving_joints, after.moving_joints)] = after.joint_translations
    wanted = after.positions_world[:, hips]
    column = np.flatnonzero(own.moving_joints == hips)
    if len(column):
        away = wanted - like.positions_world[:, above]
        moved[:, column[0]] = rotations.rotate(rotations.inverse(like.rotations_world[:, above]), away)
    else:
        places += wanted - like.positions_world[:, hips]
    # To the bit where nothing was changed
    frames = shown.astype(int)
    same = (shown == frames) & np.all(after.root_positions == rooted.motion.root_positions[frames], axis=-1)
    same &= np.all(np.abs(after.rotations[:, chain]) == np.abs(rooted.motion.rotations[frames][:, chain]), axis=(1, 2))
    turned[np.ix_(same, chain)] = own.rotations[np.ix_(frames[same], chain)]
    places[same] = own.root_positions[frames[same]]
    if len(column):
        moved[same, column[0]] = own.joint_translations[frames[same], column[0]]
    motion = Motion(
        own.skeleton,
        after.frame_time,
        places,
        rotations.continuous(turned),
        moving_joints=own.moving_joints,
        translations=moved,
    )
    return replace(edited, motion=motion)
