"""Foot plants of blends: where the feet of most of the weight stand."""

import numpy as np
import pytest

from motionary.alignment import Warp
from motionary.blend.shared_plants import SharedPlant, floor_of, lone_plants, plant_height, plant_spans, shared_plants
from motionary.plants import Plant

N_FRAMES = 41
SAME = Warp(np.arange(float(N_FRAMES)), np.arange(float(N_FRAMES)))


def heels(*spans):
    return [Plant("left", "heel", start, stop, (0.0, 0.0, 0.0)) for start, stop in spans]


def shared(*plants, weights=None):
    spans = [plant_spans(own, SAME) for own in plants]
    both = None if weights is None else [np.asarray(weights), np.asarray(weights)]
    return [
        (round(p.start, 9), round(p.stop, 9), p.n_sources)
        for p in shared_plants(plants, spans, N_FRAMES, both, frame_time=1 / 30)
    ]


def test_plants_of_most_sources_have_one_interval():
    assert shared(heels((4, 12)), heels((6, 16)), heels((8, 14)), heels((30, 36))) == [(6.0, 14.0, 3)]


def test_a_plant_begins_with_the_motion_if_it_does_in_most_sources():
    assert shared(heels((0, 6)), heels((0, 8)), heels((3, 7))) == [(0.0, 7.0, 3)]
    assert shared(heels((0, 6)), heels((3, 8))) == [(1.5, 7.0, 2)]


def test_plants_end_where_they_do_on_the_average_by_weights():
    plants = heels((4, 12)), heels((8, 20))

    assert shared(*plants, weights=[0.75, 0.25]) == [(5.0, 14.0, 2)]
    assert shared(*plants, weights=[1.1, -0.1]) == [(4.0, 12.0, 1)]


def test_a_foot_is_lifted_where_most_of_the_weight_lifts_it():
    """One source stands throughout, which says nothing of when the foot is lifted in between."""
    plants = heels((0, 41)), heels((0, 14), (26, 41)), heels((0, 18), (30, 41))

    assert shared(*plants) == [(0.0, 16.0, 3), (28.0, 41.0, 3)]
    assert shared(*plants, weights=[0.7, 0.2, 0.1]) == [(0.0, 41.0, 3)]
    assert shared(*plants, weights=[0.6, 0.2, 0.2]) == shared(*plants)
    assert shared(*plants, weights=[0.0, 0.1, 0.9]) == [(0.0, 17.6, 2), (29.6, 41.0, 2)]


def test_a_foot_that_moves_a_little_has_one_plant():
    assert shared(heels((4, 12), (13, 20)), heels((4, 12), (14, 20))) == [(4.0, 20.0, 2)]
    assert len(shared(heels((4, 12), (16, 20)), heels((4, 12), (16, 20)))) == 2


def test_what_only_light_sources_plant_is_not_planted():
    plants = heels((4, 12)), heels((5, 13)), heels((28, 34))

    assert shared(*plants, weights=[0.1, 0.1, 0.8]) == [(28.0, 34.0, 1)]
    assert shared(*plants, weights=[0.5, 0.5, 0.0]) == [(4.5, 12.5, 2)]
    assert shared(*plants, weights=[0.2, 0.2, 0.6]) == []  # what a third and more of the weight moves cannot be held


def test_weights_over_time_change_which_feet_stand():
    plants = heels((4, 12)), heels((28, 34))
    first, last = np.linspace(1.0, 0.0, N_FRAMES), np.linspace(0.0, 1.0, N_FRAMES)

    assert shared(*plants, weights=np.stack([first, last], axis=1)) == [(4.0, 12.0, 1), (28.0, 34.0, 1)]
    assert shared(*plants, weights=np.stack([last, first], axis=1)) == []


def test_each_foot_goes_by_its_own_weights():
    plants = [[*heels((4, 12)), Plant("right", "heel", 20, 30, (0.0, 0.0, 0.0))], heels((28, 34))]
    spans = [plant_spans(own, SAME) for own in plants]

    found = shared_plants(plants, spans, N_FRAMES, [np.array([0.0, 1.0]), np.array([1.0, 0.0])], frame_time=1 / 30)

    assert [(p.foot, p.start, p.stop) for p in found] == [("right", 20.0, 30.0), ("left", 28.0, 34.0)]


def test_a_foot_that_creeps_has_no_lone_plants():
    """It has one plant after the other, each too short to be the one that corresponds."""
    plants = heels((4, 20)), heels((4, 6), (6, 9), (9, 20)), heels((4, 20))
    spans = [plant_spans(own, SAME) for own in plants]

    assert lone_plants(plants, spans, shared_plants(plants, spans, N_FRAMES, frame_time=1 / 30)) == ((), (), ())


def test_lone_plants_have_no_partner():
    plants = heels((4, 12), (30, 34)), heels((6, 16)), heels((8, 14))
    spans = [plant_spans(own, SAME) for own in plants]

    lone = lone_plants(plants, spans, shared_plants(plants, spans, N_FRAMES, frame_time=1 / 30))

    assert [[p.start for p in own] for own in lone] == [[30], [], []]


@pytest.mark.parametrize(
    ("weights", "height"),
    [
        ([0.5, 0.5, 0.0], 0.05 + 0.35),  # the floor in the middle, and steps of 0.3 and 0.4 above it
        ([1.5, -0.5, 0.0], -0.05 + 0.25),
        ([0.4, 0.0, 0.6], 0.12 + 0.3),  # the last one does not stand: it says where its floor is, no more
        ([0.1, 0.1, 0.8], np.nan),
    ],
)
def test_plants_are_as_high_above_the_floor_as_those_of_the_sources(weights, height):
    def source(floor, step):
        low = [Plant("right", part, 0, 10, (0.0, floor, 0.0)) for part in ("heel", "toe")]
        return [*low, *low, Plant("left", "heel", 12, 20, (0.0, floor + step, 0.0))]

    plants = source(0.0, 0.3), source(0.1, 0.4), source(0.2, 0.5)[:4]
    spans = [plant_spans(own, SAME) for own in plants]
    floors = np.array([floor_of(own) for own in plants])

    found = plant_height(
        plants, spans, floors, SharedPlant("left", "heel", 12.0, 20.0, 2), np.array(weights), np.array(weights)
    )

    assert found == pytest.approx(height, nan_ok=True)
    assert np.isnan(floor_of([]))
