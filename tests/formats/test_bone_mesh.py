"""The plain body around a skeleton."""

import numpy as np
import pytest
from hypothesis import given

from motionary.formats.bone_mesh import COLOURS, bone_mesh, joint_colours
from motionary.motion import Skeleton
from motionary.rig import reference_skeleton
from strategies import skeletons


@given(skeleton=skeletons())
def test_faces_look_outwards(skeleton):
    mesh = bone_mesh(skeleton)
    faces = mesh.positions.reshape(-1, 8, 3, 3)
    normals = mesh.normals.reshape(-1, 8, 3, 3)

    outwards = faces.mean(axis=2) - faces.mean(axis=(1, 2))[:, None]
    wound = np.cross(faces[:, :, 1] - faces[:, :, 0], faces[:, :, 2] - faces[:, :, 0])

    assert (np.einsum("bfi,bfi->bf", normals[:, :, 0], outwards) > 0).all()
    assert (np.einsum("bfi,bfi->bf", wound, outwards) > 0).all()
    assert np.linalg.norm(mesh.normals, axis=-1) == pytest.approx(1.0)


def test_bones_reach_from_joint_to_joint_and_to_the_end_sites():
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 2.0, 0]]), [1], np.array([[1.0, 0, 0]]))

    mesh = bone_mesh(skeleton)

    bases, tips = mesh.positions.reshape(-1, 8, 3, 3)[:2, 0, 0], mesh.positions.reshape(-1, 8, 3, 3)[:2, 4, 0]
    assert bases.tolist() == [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    assert tips.tolist() == [[0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]
    # the base goes with its own joint, the tip with the joint that stands there
    assert mesh.joints.reshape(-1, 8, 3)[:2, 0, 0].tolist() == [0, 1]
    assert mesh.joints.reshape(-1, 8, 3)[:2, 4, 0].tolist() == [1, 1]


def test_a_single_joint_still_has_a_knot():
    mesh = bone_mesh(Skeleton(("root",), np.array([-1]), np.zeros((1, 3))))

    assert mesh.positions.shape == (24, 3)


def test_sides_have_their_colours():
    names = ("root", "lowerback", "lfemur", "rfemur", "LeftArm", "RightArm", "Hand_L", "Hand_R", "toe.l", "toe.r")
    skeleton = Skeleton(names, np.array([-1] + [0] * 9), np.zeros((10, 3)))

    colours = [tuple(colour) for colour in joint_colours(skeleton).tolist()]

    assert colours == [COLOURS["middle"]] * 2 + [COLOURS["left"], COLOURS["right"]] * 4


def test_a_root_on_the_floor_is_not_shown():
    body = reference_skeleton()
    far = Skeleton(
        ("joint_Root", *body.names),
        np.concatenate([[-1], body.parents + 1]),
        np.concatenate([np.zeros((1, 3)), [[4.0, 1.0, 0.0]], body.offsets[1:]]),
        body.end_site_joints + 1,
        body.end_site_offsets,
    )

    mesh = bone_mesh(far)

    assert np.ptp(mesh.positions[:, 0]) < 2.5
    assert len(mesh.positions) == len(bone_mesh(body).positions)
