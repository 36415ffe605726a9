import numpy as np
import pytest

from motionary.motion import Motion
from motionary.motion import rotations as rot
from motionary.rig import body_headings, reference_skeleton
from rig.bodies import a_pose, axes_by_part, dance, lafan, with_axes, z_up

X, Y, Z = np.eye(3)


@pytest.mark.parametrize("rig", [a_pose, z_up, lafan])
def test_headings_do_not_depend_on_the_axes_of_the_hips(rig: object) -> None:
    danced = dance()
    other = with_axes(danced, axes_by_part(danced.skeleton, rig))

    assert body_headings(other) == pytest.approx(body_headings(danced), abs=0.01)
    assert np.ptp(body_headings(danced)) > 1.0


def test_a_cartwheel_keeps_its_heading() -> None:
    skeleton = reference_skeleton()
    facing, roll = 0.7, np.linspace(0.0, 2.0 * np.pi, 61)
    local = np.tile(rot.IDENTITY, (61, skeleton.n_joints, 1))
    local[:, 0] = rot.multiply(rot.from_axis_angle(Y, facing), rot.from_axis_angle(Z, roll))
    wheel = Motion(skeleton, 1 / 30, np.zeros((61, 3)), local)

    assert body_headings(wheel) == pytest.approx(np.full(61, facing), abs=1e-9)
    other = with_axes(wheel, axes_by_part(skeleton, z_up))
    assert body_headings(other) == pytest.approx(np.full(61, facing), abs=1e-9)
