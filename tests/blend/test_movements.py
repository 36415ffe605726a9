from dataclasses import replace

import numpy as np
import pytest

from blend.made_sources import leg_raise, reach, walkers
from motionary.blend import register
from motionary.blend.movements import LIKE_MOVEMENT, OTHER_MOVEMENT, movement_likeness, movement_of
from motionary.errors import UsageError


def test_movements_are_alike_wherever_and_however_fast_they_go():
    sources = [reach(-60.0), reach(60.0, n_frames=100, peak=60), reach(0.0).mirrored(), leg_raise("kick")]

    alike = movement_likeness([movement_of(source) for source in sources])

    assert np.diag(alike) == pytest.approx(1.0)
    assert alike[0, 1] > LIKE_MOVEMENT
    assert alike[0, 2] < OTHER_MOVEMENT
    assert alike[0, 3] < OTHER_MOVEMENT


def test_two_motions_of_other_actions_are_refused():
    with pytest.raises(UsageError, match="another action"):
        register([reach(0.0), leg_raise("kick")])


def test_a_motion_of_the_other_side_is_told_so():
    with pytest.raises(UsageError, match="other side of the body moves; its mirror image may fit"):
        register([reach(0.0, height=0.6), replace(reach(0.0, height=0.6).mirrored(), name="left")])


def test_motions_of_other_actions_do_not_vouch_for_each_other():
    walks = walkers()

    registration = register([*walks[:2], replace(reach(0.0), name="reach"), leg_raise("kick")])

    assert registration.names == tuple(walk.name for walk in walks[:2])
    assert [spoiler.name for spoiler in registration.spoilers] == ["reach", "kick"]


def test_one_that_moves_alike_fits_repeats_that_are_very_near_each_other():
    repeats = [walkers((turn,))[0] for turn in (2.6, 3.0, 3.6)]
    walks = [*repeats, walkers((-0.02, 0.0))[1]]

    registration = register([*walks, replace(reach(0.0), name="reach")])

    assert registration.names == tuple(walk.name for walk in walks)
    assert [spoiler.name for spoiler in registration.spoilers] == ["reach"]
