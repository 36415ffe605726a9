"""Paths on the ground, and strides along them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.sample.gait import Path, Stride, travel
from motionary.sample.performer import Performer


@given(length=st.floats(1.0, 8.0), turn=st.floats(-3.0, 3.0), heading=st.floats(-3.0, 3.0))
def test_paths_turn_as_asked_and_have_their_length(length: float, turn: float, heading: float) -> None:
    path = Path(np.array([1.0, 2.0]), heading, length, turn)
    stations = np.linspace(0.0, length, 400)

    places = np.array([path.place(station) for station in stations])

    assert path.heading(0.0) == pytest.approx(heading)
    assert path.heading(length) == pytest.approx(heading + turn)
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).sum() == pytest.approx(length, rel=1e-3)
    assert places[0] == pytest.approx([1.0, 2.0])


def test_left_of_a_path_is_left_and_beyond_it_is_straight_on() -> None:
    path = Path(np.zeros(2), 0.0, 2.0, np.pi / 2)  # along +z, turning left onto +x

    assert path.place(0.0, left=0.5) == pytest.approx([0.5, 0.0])
    assert path.place(-1.0) == pytest.approx([0.0, -1.0])
    assert path.place(3.0) - path.place(2.0) == pytest.approx([1.0, 0.0])
    assert path.place(2.0, left=0.5) - path.place(2.0) == pytest.approx([0.0, -0.5], abs=1e-9)


@pytest.mark.parametrize("turn", [0.0, 1.2, -1.2])
def test_strides_end_side_by_side_at_the_end_of_the_path(perform, turn: float) -> None:
    strides = [Stride(0.5, 0.55, 0.12), Stride(0.7, 0.5, 0.12), Stride(0.7, 0.5, 0.12), Stride(0.0, 0.5, 0.12)]
    plans = []

    def walk(p: Performer) -> None:
        with p.label("walk"):
            plans.append(travel(p, strides, turn=turn, first="left"))

    p, _ = perform(walk)
    (plan,) = plans

    assert plan.stations[-1] == pytest.approx(1.9 * p.leg)
    assert p.feet.middle[[0, 2]] == pytest.approx(plan.path.place(plan.stations[-1]), abs=1e-6)
    assert p.heading == pytest.approx(0.7 + turn)
    across = p.feet.soles["left"] - p.feet.soles["right"]
    assert across == pytest.approx(p.stance * p.left, abs=1e-6)


def test_feet_alternate_and_overlap(perform) -> None:
    strides = [Stride(0.6, 0.5, 0.1)] * 5 + [Stride(0.0, 0.5, 0.1)]

    def walk(p: Performer) -> None:
        with p.label("walk"):
            travel(p, strides, turn=0.0, first="right")

    _, take = perform(walk)
    landings = sorted((plant.start, plant.foot) for plant in take.plants if plant.part == "heel" and plant.start > 60)

    assert [foot for _, foot in landings] == ["right", "left"] * 3
    assert np.diff([frame for frame, _ in landings]) == pytest.approx(30, abs=1)
    standing = np.zeros((take.motion.n_frames, 2), dtype=bool)
    for plant in take.plants:
        standing[plant.start : plant.stop, 0 if plant.foot == "left" else 1] = True
    assert np.all(standing.any(axis=1))
