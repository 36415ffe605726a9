"""What the position channels of a BVH file mean: files do not say, their numbers do.

On joints other than the root they replace the OFFSET (most programs), add to it (MakeHuman), or are places in
the world (a Vicon export). Bones keep their lengths, so the right meaning is the one under which the distance
of a joint from its parent is the length of its OFFSET. The usual one needs no proof, the others do.
"""

from dataclasses import replace

import numpy as np

from motionary.motion import Recording, Skeleton, TranslationRule, even_frames

MOST_FRAMES = 32  # enough to judge by
CLEARLY_WRONG = 0.4  # share of the OFFSETs' lengths that bones may stray under the usual rule
NOTES = {
    "adds to offset": "position channels of joints are taken as added to their OFFSETs",
    "world": "position channels of joints are taken as places in the world",
}


def position_meaning(recording: Recording) -> tuple[Recording, list[str]]:
    """The recording with the meaning that its numbers show, and notes where that is not the usual one."""
    layout = recording.layout
    moving, n_channels = np.unique(layout.joints[~layout.is_rotation & (layout.joints > 0)], return_counts=True)
    bones = np.array([joint for joint in moving if not _carries_all(recording.skeleton, int(joint))], dtype=int)
    if len(bones) == 0:
        return recording, []
    usual: TranslationRule = "replaces offset"
    others: list[TranslationRule] = ["adds to offset"]
    if np.all(n_channels == 3):  # a place in the world has three coordinates
        others.append("world")
    misfit = _misfit(recording, usual, bones)
    if misfit <= CLEARLY_WRONG:
        return recording, []
    other_misfit, rule = min((_misfit(recording, rule, bones), rule) for rule in others)
    if other_misfit > 0.5 * misfit:
        return recording, []
    notes = [NOTES[rule]]
    adds_root = rule == "adds to offset" and _root_adds_offset(recording)
    if adds_root:
        notes.append("the root's position channels are added to its OFFSET")
    return replace(recording, layout=replace(layout, translation_rule=rule, root_adds_offset=adds_root)), notes


def _misfit(recording: Recording, rule: TranslationRule, bones: np.ndarray) -> float:
    """By what share (0 to 1) the distances of the joints from their parents miss their OFFSETs' lengths."""
    frames = even_frames(recording.n_frames, MOST_FRAMES)
    few = replace(recording, values=recording.values[frames], layout=replace(recording.layout, translation_rule=rule))
    positions = few.motion().positions_world
    lengths = np.linalg.norm(positions[:, bones] - positions[:, recording.skeleton.parents[bones]], axis=-1)
    expected = np.linalg.norm(recording.skeleton.offsets, axis=-1)
    if expected[1:].max() == 0.0:
        return 0.0  # nothing to judge by
    scale = np.maximum(expected[bones], 0.02 * expected[1:].max())  # joints that sit on their parents
    share = np.minimum(np.abs(lengths - expected[bones]) / scale, 1.0)
    return float(np.median(share, axis=0).mean())


def _carries_all(skeleton: Skeleton, joint: int) -> bool:
    """Whether all limbs of a body hang on the joint, as on Hips below a Reference: its way is no bone's length."""
    branches = np.bincount(skeleton.parents[1:], minlength=skeleton.n_joints) > 1
    return bool(branches.any()) and not branches[skeleton.chain(joint)[:-1]].any()


def _root_adds_offset(recording: Recording) -> bool:
    """Whether the root's channels, in a file whose other joints add, stay far below the root's OFFSET."""
    layout = recording.layout
    columns = layout.of_joint(0)
    columns = columns[~layout.is_rotation[columns]]
    offset = recording.skeleton.offsets[0, layout.kinds[columns]]
    usual_place = np.median(recording.values[:, columns], axis=0)
    return bool(np.linalg.norm(usual_place) < 0.5 * np.linalg.norm(offset))
