import numpy as np
import pytest

from motionary.motion import Skeleton
from motionary.picture.sides import sides


def sides_of(*names):
    n = len(names)
    return sides(Skeleton(names, [-1, *range(n - 1)], np.zeros((n, 3))))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftFoot", "RightFoot"),
        ("mixamorig:LeftArm", "mixamorig:RightArm"),
        ("LHipJoint", "RHipJoint"),
        ("lfemur", "rfemur"),
        ("lShldr", "rShldr"),
        ("L_Thigh", "R_Thigh"),
        ("Hand_L", "Hand_R"),
        ("upperarm_l", "upperarm_r"),
        ("finger1-1.L", "finger1-1.R"),
        ("b_l_arm", "b_r_arm"),
        ("Bip01 L Calf", "Bip01 R Calf"),
        ("mWristLeft", "mWristRight"),
        ("LEFT_KNEE", "RIGHT_KNEE"),
        ("handL", "handR"),
    ],
)
def test_pairs_of_names_tell_their_sides_in_either_order(left, right):
    assert sides_of("root", left, right) == ["middle", "left", "right"]
    assert sides_of("root", right, left) == ["middle", "right", "left"]


def test_names_without_a_counterpart_are_in_the_middle_unless_they_say_so_in_full():
    assert sides_of("Hips", "lowerback", "LThumb") == ["middle"] * 3
    assert sides_of("Hips", "LeftHand", "rightwing", "upright") == ["middle", "left", "right", "middle"]
