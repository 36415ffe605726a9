import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.motion import Placement
from motionary.plants import Plant
from motionary.rig import body_of
from motionary.transition import Source, build_pool
from motionary.transition.footprints import footprints_of
from transition.pools import small_pool, small_sources

LEG, ARM = re.compile("Shin|Foot|Toe"), re.compile("Forearm|Hand")


def test_a_pool_gives_its_motion_back():
    pool = small_pool()

    motion = pool.motion(int(pool.starts[1]), int(pool.starts[2]))

    assert motion.skeleton.same_as(pool.body.skeleton)
    np.testing.assert_allclose(motion.root_positions, pool.roots[pool.starts[1] : pool.starts[2]])
    feet = pool.body.feet.world(motion)
    assert -0.03 < feet[..., 1].min() < 0.03  # soles on the floor


def test_poses_do_not_know_where_they_are():
    """A clip that is turned and moved has the same poses; only places and headings differ."""
    pool = small_pool()
    stop = int(pool.starts[1])
    motion = pool.motion(0, stop)
    placed = Placement(1.2, 3.0, -2.0).place(motion)
    both = build_pool([Source(1, "here", motion, pool.body, ()), Source(2, "there", placed, pool.body, ())])

    np.testing.assert_allclose(both.turns[:stop], both.turns[stop:], atol=1e-5)
    np.testing.assert_allclose(np.diff(both.headings[:stop]), np.diff(both.headings[stop:]), atol=1e-6)


def scaled(source: Source, scale: Callable[[str], float]) -> Source:
    """The clip of somebody whose bones are longer or shorter; legs that are longer take longer steps."""
    motion, skeleton = source.motion, source.motion.skeleton
    factors = np.array([scale(name) for name in skeleton.names])
    ends = factors[skeleton.end_site_joints, None] * skeleton.end_site_offsets
    other = replace(skeleton, offsets=factors[:, None] * skeleton.offsets, end_site_offsets=ends)
    legs = scale("LeftShin")
    moved = replace(motion, skeleton=other, root_positions=legs * motion.root_positions)
    plants = tuple(replace(plant, place=tuple(legs * x for x in plant.place)) for plant in source.plants)
    return Source(source.clip_id + 10, "scaled", moved, body_of(other, motion=moved), plants)


def test_a_child_moves_like_a_grown_up():
    source = small_sources(n_clips=1, secs=4.0)[0]

    pool = build_pool([source, scaled(source, lambda _name: 0.6)])

    n = int(pool.starts[1])
    np.testing.assert_allclose(pool.roots[:n], pool.roots[n:], atol=2e-3)
    np.testing.assert_allclose(pool.turns[:n], pool.turns[n:], atol=5e-3)
    np.testing.assert_array_equal(
        pool.footprints.spans[: len(source.plants)] + n, pool.footprints.spans[-len(source.plants) :]
    )


def test_feet_of_other_limbs_stand_on_the_floor():
    """Longer legs and shorter arms: of the poses of the pool the planted feet are still at their places."""
    source = small_sources(n_clips=1, secs=4.0)[0]

    pool = build_pool([scaled(source, lambda name: 1.35 if LEG.search(name) else 0.7 if ARM.search(name) else 1.0)])

    prints, points = pool.footprints, pool.body.feet.world(pool.motion(0, pool.n_frames)).reshape(-1, 4, 3)
    away = [
        np.linalg.norm(points[start:stop, point] - place, axis=1)
        for point, (start, stop), place in zip(prints.points, prints.spans, prints.places, strict=True)
    ]
    assert np.percentile(np.concatenate(away), 95) < 0.03
    assert np.abs(prints.places[:, 1]).max() < 0.05


def test_footprints_join_what_overlaps():
    place = (0.0, 0.0, 0.0)
    heel, ball = Plant("left", "heel", 3, 9, place), Plant("left", "toe", 7, 15, place)
    later, other = Plant("left", "heel", 15, 20, place), Plant("right", "toe", 0, 30, place)

    assert footprints_of([later, ball, other, heel]) == [[other], [heel, ball], [later]]


def test_places_of_footprints_are_where_the_points_were():
    pool = small_pool()
    prints = pool.footprints

    assert prints.n_footprints > 4
    for n in range(len(prints.points)):
        start, stop = prints.spans[n]
        clip = pool.clip_of(int(start))
        motion = pool.motion(int(start), int(stop))
        world = pool.body.feet.world(motion).reshape(-1, 4, 3)
        np.testing.assert_allclose(world[:, prints.points[n]].mean(axis=0), prints.places[n], atol=1e-5)
        assert pool.starts[clip] <= start < stop <= pool.starts[clip + 1]


@pytest.mark.parametrize("border", [20, 21])
def test_plants_that_follow_each_other_do_not_overlap_at_the_pool_s_rate(border):
    made = small_pool()
    motion = replace(made.motion(0, 60), frame_time=made.frame_time / 2)
    place = (0.0, 0.0, 0.0)
    plants = (Plant("left", "heel", 3, border, place), Plant("left", "heel", border, 50, place))

    spans = build_pool([Source(1, "one", motion, made.body, plants)]).footprints.spans

    assert spans.tolist() == [[2, (border + 1) // 2], [(border + 1) // 2, 25]]


def test_a_pool_of_nothing_is_refused():
    with pytest.raises(UsageError, match="no clips to make transitions from"):
        build_pool([])


def test_clips_are_found_by_their_ids():
    pool = small_pool()

    assert pool.clip_number(2) == 1
    assert pool.clip_of(int(pool.starts[1])) == 1
    assert pool.clip_of(int(pool.starts[1]) - 1) == 0
    with pytest.raises(UsageError, match="clip #99 is not among the 3 clips"):
        pool.clip_number(99)
