import pytest

from motionary.rig.mapping import map_skeleton
from rig.families import FAMILIES, Family, family_parts, family_skeleton


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_is_mapped_by_its_names(family: Family) -> None:
    skeleton = family_skeleton(family)

    body_map = map_skeleton(skeleton)

    expected = family_parts(family)
    found = {part: skeleton.names[joint] for part, joint in body_map.joints.items()}
    found |= {f"Spine{i + 1}": skeleton.names[joint] for i, joint in enumerate(body_map.spine)}
    found |= {f"Neck{i + 1}": skeleton.names[joint] for i, joint in enumerate(body_map.neck)}
    assert found == expected
