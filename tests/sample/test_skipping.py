"""Skipping is a step and a hop on the same foot."""

import pytest

from motionary.sample.skipping import skip


@pytest.mark.parametrize("actor", range(3))
def test_each_foot_lands_twice_in_turn(perform, actor: int) -> None:
    p, take = perform(skip, actor)
    first = p.flights[0][0] * 60
    landings = [plant.foot for plant in take.plants if plant.part == "toe" and plant.start > first]

    assert 5 <= len(p.flights) <= 7
    # After the first hop's landing: the other foot steps, and hops onto itself, and so on in turn.
    assert landings[0] != landings[1]
    for k in range(1, len(landings) - 2, 2):
        assert landings[k] == landings[k + 1] != landings[k + 2]


def test_the_free_knee_rises_to_the_hip(perform) -> None:
    p, take = perform(skip)
    knee = take.motion.positions_world[:, take.motion.skeleton.index("LeftShin"), 1]

    assert knee.max() > 0.8 * p.leg
