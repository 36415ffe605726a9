import numpy as np
import pytest

from motionary.motion import Skeleton, mirror
from motionary.rig import mirror_partners, symmetric_pose
from rig.bodies import a_pose, axes_by_part, bandai, dance, lafan, with_axes, z_up
from rig.families import FAMILIES, Family, family_parts, family_skeleton


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_limb_has_its_counterpart(family: Family) -> None:
    skeleton = family_skeleton(family)
    parts = {part: skeleton.index(name) for part, name in family_parts(family).items()}

    partners = mirror_partners(skeleton)

    assert np.array_equal(partners[partners], np.arange(skeleton.n_joints))
    for part, joint in parts.items():
        other = part.replace("Left", "Right") if part.startswith("Left") else part.replace("Right", "Left")
        assert partners[joint] == parts[other]


def test_fingers_and_creatures_have_counterparts_too() -> None:
    names = ("body", "LeftHandIndex1", "RightHandIndex1", "LeftHandIndex2", "lwing", "rwing", "LThumb", "RThumb")
    skeleton = Skeleton(names, np.array([-1] + [0] * 7), np.zeros((8, 3)))

    assert mirror_partners(skeleton).tolist() == [0, 2, 1, 3, 5, 4, 7, 6]
    assert symmetric_pose(skeleton).shape == (8, 4)


@pytest.mark.parametrize("rig", [a_pose, z_up, lafan, bandai])
def test_mirroring_shows_the_same_on_every_rig(rig: object) -> None:
    danced = dance(n_frames=20)
    other = with_axes(danced, axes_by_part(danced.skeleton, rig))
    partners = mirror_partners(danced.skeleton)

    seen = mirror(other, partners, rest_world=symmetric_pose(other.skeleton, motion=other))

    expected = danced.positions_world[:, partners] * (-1.0, 1.0, 1.0)
    assert seen.positions_world == pytest.approx(expected, abs=0.02)
