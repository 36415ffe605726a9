"""Whatever the skeleton: a body, or an error that says why not; never a crash, never a number that is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, recording_of
from motionary.motion import rotations as rot
from motionary.rig import guess_space, map_skeleton, mirror_partners, symmetric_pose, to_reference
from motionary.rig.aliases import LIMB_WORDS
from rig.families import FAMILIES, family_skeleton

WORDS = [*LIMB_WORDS, "hips", "spine", "neck", "head", "root", "tail", "end", "l", "r", "_", "", "7", "Left", "右"]


@st.composite
def strange_skeletons(draw: st.DrawFn) -> Skeleton:
    n_joints = draw(st.integers(1, 30))
    names = [
        draw(st.sampled_from(["", "l", "r", "Left", "right_", "Bip01_", "a:"])) + draw(st.sampled_from(WORDS))
        for _ in range(n_joints)
    ]
    parents = [-1, *(draw(st.integers(0, joint - 1)) for joint in range(1, n_joints))]
    offsets = draw(st.lists(st.sampled_from([0.0, 0.4, -0.4, 1.0]), min_size=3 * n_joints, max_size=3 * n_joints))
    return Skeleton(tuple(names), np.array(parents), np.array(offsets).reshape(-1, 3))


def standing(skeleton: Skeleton) -> Motion:
    return Motion(skeleton, 0.1, np.zeros((3, 3)), np.tile(rot.IDENTITY, (3, skeleton.n_joints, 1)))


@given(skeleton=strange_skeletons())
def test_any_tree_is_mapped_or_refused(skeleton: Skeleton) -> None:
    guess = guess_space(recording_of(standing(skeleton)))

    assert guess.space.unit_metres > 0.0
    try:
        partners = mirror_partners(skeleton)
        assert np.array_equal(partners[partners], np.arange(skeleton.n_joints))
    except MappingError as refused:
        assert "left and right" in str(refused)  # noqa: PT017
    assert np.isfinite(symmetric_pose(skeleton)).all()
    try:
        map_skeleton(skeleton)
    except MappingError:
        return
    assert np.isfinite(to_reference(standing(skeleton)).positions_world).all()


@given(
    family=st.sampled_from(FAMILIES),
    numbers=st.lists(st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.3]), min_size=90, max_size=90),
)
def test_any_shape_with_human_names_is_moved_or_refused(family: object, numbers: list[float]) -> None:
    skeleton = family_skeleton(family)
    offsets = np.resize(np.array(numbers), (skeleton.n_joints, 3))
    motion = standing(Skeleton(skeleton.names, skeleton.parents, offsets))

    try:
        moved = to_reference(motion)
    except MappingError:
        return

    assert np.isfinite(moved.positions_world).all()
    assert np.linalg.norm(moved.rotations, axis=-1) == pytest.approx(1.0)
