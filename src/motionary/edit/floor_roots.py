"""Edits of skeletons whose hips hang on a floor point, as in game engines: as if their root were the hips."""

from dataclasses import replace

import numpy as np

from motionary.edit.subject import Edited, Subject
from motionary.motion import poses_at, rotations
from motionary.rig import floor_root_of


def with_hips_as_root(subject: Subject) -> Subject:
    """The subject with its root moved to the hips, and the same poses; unchanged if the hips are the root already.

    Operations take the place, tilt and heading of the body from the root.
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
    chosen[0] = chosen[subject.body.body_map.hips]
    return chosen


def with_own_root(subject: Subject, rooted: Subject, edited: Edited) -> Edited:
    """An edit of `rooted`, which is `with_hips_as_root(subject)`, on the subject's own skeleton.

    A floor point that stands still stays there. One that follows the body keeps its place and turn below the hips.
    Frames that the edit leaves as they were are copied from the subject.
    """
    if edited.motion is rooted.motion:
        return replace(edited, motion=subject.motion)
    floor_root = None if subject.body is None else floor_root_of(subject.body)
    assert floor_root is not None
    own, after, chain = subject.motion, edited.motion, list(floor_root.chain)
    frames = np.arange(own.n_frames, dtype=float) if edited.shown is None else edited.shown
    frames = np.clip(frames, 0.0, own.n_frames - 1.0)
    shown = own if edited.shown is None else poses_at(own, frames)
    seams = [int(np.searchsorted(frames, start)) for start, _ in edited.lost]
    seams = [seam for seam in seams if 0 < seam < after.n_frames]
    motion = floor_root.with_own_root(after, like=own, shown=shown, seams=seams)
    # To the bit where nothing was changed
    whole = frames.astype(int)
    same = (frames == whole) & np.all(after.root_positions == rooted.motion.root_positions[whole], axis=-1)
    same &= np.all(np.abs(after.rotations[:, chain]) == np.abs(rooted.motion.rotations[whole][:, chain]), axis=(1, 2))
    turned, places = np.array(motion.rotations), np.array(motion.root_positions)
    turned[np.ix_(same, chain)] = own.rotations[np.ix_(whole[same], chain)]
    places[same] = own.root_positions[whole[same]]
    columns, moved = np.isin(own.moving_joints, chain), np.array(motion.joint_translations)
    moved[np.ix_(same, columns)] = own.joint_translations[np.ix_(whole[same], columns)]
    motion = replace(motion, rotations=rotations.continuous(turned), root_positions=places, translations=moved)
    return replace(edited, motion=motion)
