"""Jumps and hops leave the ground and come back to it."""

import numpy as np
import pytest

from motionary.sample.leaps import along_flight, hop, jump


@pytest.mark.parametrize("actor", range(4))
def test_jumps_crouch_fly_and_crouch(perform, actor: int) -> None:
    p, take = perform(jump, actor)
    height, ((off, on),) = take.motion.root_positions[:, 1], p.flights
    takeoff, landing = int(off * 60), int(np.ceil(on * 60))
    toes = take.motion.positions_world[:, take.motion.skeleton.index("LeftToe"), 1]

    assert height[60:takeoff].min() < p.standing - 0.2 * p.leg
    assert height[takeoff:landing].max() > p.standing + 0.15
    assert height[landing : landing + 30].min() < p.standing - 0.15 * p.leg
    assert toes[(takeoff + landing) // 2] > 0.12
    assert {plant.start for plant in take.plants if plant.start} <= set(range(landing - 1, landing + 12))


@pytest.mark.parametrize("seed", range(3))
def test_hops_are_on_one_foot(perform, seed: int) -> None:
    p, take = perform(hop, 0, seed)
    first, last = p.flights[0][0] * 60, p.flights[-1][1] * 60
    during = {plant.foot for plant in take.plants if plant.start > first and plant.stop < last}

    assert 3 <= len(p.flights) <= 6
    assert len(during) == 1


def test_feet_fly_with_the_body() -> None:
    start, stop = np.zeros(3), np.array([0.0, 0.0, 0.5])

    way = along_flight(start, stop, 0.4, early=0.25, held_down=0.8)

    top = 9.81 * 0.4**2 / 8
    assert [share for share, _ in way] == pytest.approx([0.25, 0.5, 0.75])
    assert [place[1] for _, place in way] == pytest.approx([0.6 * top, 0.95 * top, 0.6 * top])
    assert start == pytest.approx(np.zeros(3))
