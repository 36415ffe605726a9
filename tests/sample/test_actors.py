"""Actors differ, and all have the reference skeleton's joints."""

import numpy as np
import pytest

from motionary.rig import reference_skeleton
from motionary.sample import ACTORS, Actor
from motionary.sample.figure import limb_length


def test_there_are_at_least_six_who_differ_in_build_and_habit() -> None:
    assert len(ACTORS) >= 6
    assert len({actor.name for actor in ACTORS}) == len(ACTORS)
    assert {actor.hand for actor in ACTORS} == {"left", "right"}
    for habit in ("height", "legs", "arms", "tempo", "stance", "stoop", "arm_swing"):
        assert len({getattr(actor, habit) for actor in ACTORS}) >= 3, habit


@pytest.mark.parametrize("actor", ACTORS, ids=lambda actor: actor.name)
def test_skeletons_have_the_reference_joints_and_are_symmetric(actor: Actor) -> None:
    skeleton, reference = actor.skeleton, reference_skeleton(actor.height)

    assert skeleton.names == reference.names
    for joint, name in enumerate(skeleton.names):
        if name.startswith("Left"):
            right = skeleton.offsets[skeleton.index(name.replace("Left", "Right"))]
            assert right * [-1.0, 1.0, 1.0] == pytest.approx(skeleton.offsets[joint])


def test_ratios_scale_what_they_name() -> None:
    plain, long = Actor("plain", 1.75), Actor("long", 1.75, legs=1.1, arms=0.9)

    legs = [limb_length(actor.skeleton, "LeftShin", "LeftFoot") for actor in (plain, long)]
    arms = [limb_length(actor.skeleton, "RightForearm", "RightHand") for actor in (plain, long)]

    assert legs[1] == pytest.approx(1.1 * legs[0])
    assert arms[1] == pytest.approx(0.9 * arms[0])
    assert long.skeleton.offsets[0, 1] - plain.skeleton.offsets[0, 1] == pytest.approx(legs[1] - legs[0])
    assert np.array_equal(plain.skeleton.offsets, reference_skeleton(1.75).offsets)
