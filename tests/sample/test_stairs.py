"""Platforms carry whoever steps onto them."""

import pytest

from motionary.sample.stairs import up_and_down


@pytest.mark.parametrize("seed", range(4))
def test_what_goes_up_comes_down(perform, seed: int) -> None:
    p, take = perform(up_and_down, seed, seed)
    labels = {label.name: label for label in take.labels}
    top = slice(labels["step_up"].stop, labels["step_down"].start)
    levels = sorted({round(float(plant.place[1]), 4) for plant in take.plants if plant.part == "heel"})

    rise = take.motion.root_positions[top, 1].mean() - take.motion.root_positions[30, 1]
    assert rise == pytest.approx(levels[-1], abs=0.02)
    assert 0.15 < levels[-1] < 0.75
    assert levels[0] == pytest.approx(0.0)
    assert p.ground == pytest.approx(0.0)
    assert take.motion.root_positions[-1, 1] == pytest.approx(take.motion.root_positions[30, 1], abs=0.02)
