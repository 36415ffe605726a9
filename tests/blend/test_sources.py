from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blend.made_sources import reach, walkers
from motionary.blend import BlendSource, one_body
from motionary.motion import Motion, Placement
from motionary.plants import FEET, PARTS, Plant
from motionary.rig import reference_skeleton


def test_mirrored_twice_is_the_source():
    source = walkers()[0]

    twice = source.mirrored().mirrored()

    assert twice.motion.positions_world == pytest.approx(source.motion.positions_world, abs=1e-9)
    assert twice.plants == source.plants
    assert source.mirrored().plants[0].foot != source.plants[0].foot


def test_other_bodies_come_onto_the_first():
    small = reach(0.0)
    tall_motion = small.motion
    tall_skeleton = reference_skeleton(2.0)
    root = tall_motion.root_positions * (2.0 / 1.75)
    tall = BlendSource.of("tall", Motion(tall_skeleton, tall_motion.frame_time, root, tall_motion.rotations))

    both = one_body([small, tall])

    assert both[1].motion.skeleton.same_as(small.motion.skeleton)
    hand = small.body.body_map.joints["RightHand"]
    assert np.abs(both[1].motion.positions_world[:, hand] - small.motion.positions_world[:, hand]).max() < 0.02


def test_plants_stand_where_the_feet_of_the_other_body_stand():
    tall, far = reach(0.0), replace(walkers()[0], name="far")
    tall_skeleton = reference_skeleton(2.0)
    root = tall.motion.root_positions * (2.0 / 1.75)
    tall = BlendSource.of("tall", Motion(tall_skeleton, tall.motion.frame_time, root, tall.motion.rotations))
    placement = Placement(0.4, 9.0, 7.0)
    plants = tuple(replace(p, place=tuple(placement.apply(np.array(p.place)).tolist())) for p in far.plants)
    far = replace(far, motion=placement.place(far.motion), plants=plants)

    moved = one_body([tall, far])[1]

    points = moved.body.feet.world(moved.motion)
    assert len(moved.plants) == len(far.plants)
    for plant in moved.plants:
        stood = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        assert np.linalg.norm(np.median(stood, axis=0) - plant.place) < 1e-9


def test_plants_keep_their_times_at_another_rate():
    source = walkers()[0]

    (fine,) = one_body([source], frame_time=1 / 120)

    assert [round(p.start / 4) for p in fine.plants] == pytest.approx([p.start for p in source.plants], abs=1)
    assert max(p.stop for p in fine.plants) <= fine.motion.n_frames


@pytest.mark.parametrize("border", [20, 21, 22])
def test_plants_that_follow_each_other_do_not_overlap_at_another_rate(border):
    source = walkers()[0]
    spans = ((3, border), (border, border + 1), (border + 1, 50))
    plants = tuple(Plant("left", "heel", start, stop, (0.0, 0.0, 0.0)) for start, stop in spans)

    (coarse,) = one_body([replace(source, plants=plants)], frame_time=2 * source.motion.frame_time)

    for one, other in pairwise(coarse.plants):
        assert one.start < one.stop <= other.start < other.stop
