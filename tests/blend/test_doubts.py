from dataclasses import replace

import numpy as np

from blend.made_sources import leg_raise, reach, walkers
from motionary.blend import RegistrationOptions, register
from motionary.motion import rotations


def test_motions_that_are_aligned_though_they_are_unlike_are_doubted():
    walk, kick = walkers()[0], leg_raise("kick", n_frames=40, peak=20)

    registration = register([walk, kick], options=RegistrationOptions(spoilers="keep"))

    (doubt,) = registration.doubts
    assert "may be another action" in doubt
    assert "other parts of the body move" in doubt
    assert registration.as_json()["doubts"] == [doubt]


def test_motions_of_one_action_are_not_doubted():
    assert register(walkers()).doubts == ()
    assert register([reach(-20.0), replace(reach(20.0, n_frames=75, peak=40), name="other")]).doubts == ()


def test_motions_far_apart_are_doubted_though_the_same_parts_move():
    """The same reach, by a body that stands and by one that leans back as if it sat low."""
    upright = reach(20.0, name="stands")
    motion, joint = upright.motion, upright.motion.skeleton.index("Spine1")
    turned = np.array(motion.rotations)
    lean = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), -1.2)
    turned[:, joint] = rotations.multiply(turned[:, joint], lean)
    leaning = replace(upright, name="leans", motion=replace(motion, rotations=rotations.continuous(turned)))

    registration = register([upright, leaning], options=RegistrationOptions(spoilers="keep"))

    (doubt,) = registration.doubts
    assert "cm apart. Check the result" in doubt
