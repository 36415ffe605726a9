from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blend.made_sources import long_walk, reach
from motionary.blend import BlendSource, Cycle, close_loop, find_cycles
from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.plants import FEET, PARTS
from motionary.rig import body_of
from motionary.sample import ACTORS, gestures, locomotion
from motionary.sample.performer import Performer


@pytest.fixture(scope="module")
def walk():
    return long_walk()


def test_the_cycles_of_a_walk_are_found(walk):
    source, landings = walk

    cycles = find_cycles(source)

    true_period = np.median(np.diff(landings))
    assert len(cycles) >= 2
    assert all(abs(cycle.n_frames - true_period) <= 2 for cycle in cycles)
    assert all(a.stop == b.start for a, b in pairwise(cycles))


@pytest.mark.parametrize("then", [locomotion.turn_on_the_spot, gestures.slouch])
def test_cycles_are_found_though_most_of_the_motion_is_something_else(then):
    performer = Performer(ACTORS[0], np.random.default_rng(3), heading=0.3)
    gestures.idle(performer, 0.3)
    locomotion.walk(performer, turn=0.5, metres=3.4)
    walked = len(performer.take("walk", rate_hz=30.0).motion.root_positions)
    for _ in range(3):
        then(performer)
    take = performer.take("walk and more", rate_hz=30.0)
    source = BlendSource(take.name, take.motion, body_of(take.motion.skeleton), take.plants)
    landings = [p.start for p in take.plants if (p.foot, p.part) == ("left", "heel") and 0 < p.start < walked]

    cycles = find_cycles(source)

    assert len(cycles) >= 2
    assert all(abs(cycle.n_frames - np.median(np.diff(sorted(landings)))) <= 2 for cycle in cycles)
    assert all(cycle.stop < walked for cycle in cycles)


def test_what_does_not_come_back_has_no_cycles():
    assert find_cycles(reach(0.0)) == []


def slow_reach(n_frames, *arrivals):
    """A reach that only goes part of its way, 10 cm or so, at each of some frames."""
    source = reach(0.0)
    turns = np.zeros((n_frames, source.motion.skeleton.n_joints, 3))
    up = sum(np.exp(-0.5 * ((np.arange(n_frames) - arrival) / 9.0) ** 2) for arrival in arrivals)
    turns[:, source.motion.skeleton.index("RightUpperArm")] = [0.0, 0.0, 1.35]
    turns[:, source.motion.skeleton.index("RightUpperArm"), 1] = -0.9 * up
    root = np.repeat(source.motion.root_positions[:1], n_frames, axis=0)
    local = rotations.continuous(rotations.from_rotation_vector(turns))
    motion = Motion(source.motion.skeleton, 1 / 30, root, local)
    return BlendSource("reach", motion, source.body, tuple(replace(p, stop=n_frames) for p in source.plants))


@pytest.mark.parametrize("arrival", [20, 40, 60])
def test_a_reach_has_no_cycles_though_its_poses_are_near_each_other(arrival):
    assert find_cycles(slow_reach(80, arrival)) == []


def test_what_is_done_again_and_again_has_cycles_without_a_step():
    cycles = find_cycles(slow_reach(240, *range(60, 240, 36)))

    assert len(cycles) >= 3
    assert all(abs(cycle.n_frames - 36) <= 4 for cycle in cycles)
    assert np.median([cycle.n_frames for cycle in cycles]) == 36


def test_a_body_at_rest_at_a_low_rate_has_no_cycles():
    """A round would be shorter than a frame, and the search for the next one would never end."""
    rest = reach(0.0).motion.slice(0, 1)
    still = Motion(rest.skeleton, 1.0, np.repeat(rest.root_positions, 20, 0), np.repeat(rest.rotations, 20, 0))

    assert find_cycles(BlendSource.of("still", still)) == []


@pytest.mark.parametrize("which", [0, 1])
def test_a_closed_loop_has_no_seam(walk, which):
    source, _ = walk
    cycle = find_cycles(source)[which]

    loop = close_loop(source, cycle)

    assert loop.motion.n_frames == cycle.n_frames
    assert loop.seam <= 1e-4
    assert loop.velocity <= 0.01
    rounds = loop.rounds(3)
    n = loop.motion.n_frames
    assert rounds.n_frames == 3 * n + 1
    turned = rotations.angle_between(rounds.rotations[n, 1:], rounds.rotations[0, 1:])
    assert turned.max() < 1e-6
    speeds = np.linalg.norm(np.diff(rounds.root_positions, axis=0), axis=1)
    assert abs(speeds[n - 1] - speeds[n]) < 0.25 * speeds.mean()
    assert np.abs(np.diff(speeds)).max() < 0.3 * speeds.mean()


def test_feet_of_a_loop_stand_still_over_the_seam(walk):
    from motionary.naturalness import score

    source, _ = walk
    cycle = find_cycles(source)[1]

    loop, left = close_loop(source, cycle), close_loop(source, cycle, clean_up=False)

    plants = loop.plants_over(3)
    n = loop.motion.n_frames
    assert any(plant.start < n < plant.stop for plant in plants)  # one that stands over the seam is one
    assert all(plant.stop <= n for plant in loop.plants)
    slides = [score(one.rounds(3), one.plants_over(3), body=source.body).slide_worst for one in (loop, left)]
    assert slides[0] < 1e-5
    assert slides[1] > 1e-3
    assert close_loop(source, cycle, in_place=True).plants_over(3) == ()


def test_a_loop_of_a_body_that_stands_goes_nowhere():
    """Feet that stand all the time cannot be held where every round leads on, by a sway that does not come back."""
    source = slow_reach(240, *range(60, 240, 36))
    motion, n_frames = source.motion, source.motion.n_frames
    sway = np.linspace(0.0, 1.0, n_frames)
    root, local = np.array(motion.root_positions), np.array(motion.rotations)
    root[:, 0] += 0.15 * sway
    local[:, 0] = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.5 * sway)
    source = replace(source, motion=replace(motion, root_positions=root, rotations=rotations.continuous(local)))

    cycle = find_cycles(source)[1]
    loop = close_loop(source, cycle)

    assert loop.seam < 1e-4
    assert loop.velocity < 0.01
    assert (loop.placement.theta, loop.placement.x, loop.placement.z) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    feet = source.body.feet.world(loop.rounds(3))
    assert np.linalg.norm(feet - feet[0], axis=-1).max() < 0.002
    assert {plant.stop - plant.start for plant in loop.plants_over(3)} == {3 * loop.motion.n_frames}
    assert_plants_are_where_feet_are(close_loop(source, cycle, clean_up=False), source)


def test_plants_of_a_loop_that_is_not_cleaned_up_are_where_its_feet_are(walk):
    source, _ = walk
    for cycle in find_cycles(source):
        assert_plants_are_where_feet_are(close_loop(source, cycle, clean_up=False), source)


def assert_plants_are_where_feet_are(loop, source):
    feet = source.body.feet.world(loop.rounds(4))
    n = loop.motion.n_frames
    inner = [plant for plant in loop.plants_over(4) if n <= plant.start and plant.stop <= 3 * n]
    for plant in inner or loop.plants_over(4):
        stood = feet[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        assert np.linalg.norm(stood.mean(axis=0) - plant.place) < 0.001


def test_a_loop_in_place_goes_nowhere(walk):
    source, _ = walk

    loop = close_loop(source, find_cycles(source)[0], in_place=True)

    rounds = loop.rounds(4)
    assert np.linalg.norm(rounds.root_positions[-1, [0, 2]] - rounds.root_positions[0, [0, 2]]) < 1e-9
    assert np.ptp(rounds.root_positions[:, [0, 2]], axis=0).max() < 0.25


def test_a_cycle_with_nothing_around_it_is_closed_too(walk):
    source, _ = walk
    cycle = find_cycles(source)[0]
    from dataclasses import replace

    alone = replace(source, motion=source.motion.slice(cycle.start, cycle.stop + 1), plants=())

    loop = close_loop(alone, Cycle(0, cycle.n_frames, cycle.cost))

    assert loop.seam <= 1e-4


def test_what_is_no_cycle_is_refused(walk):
    with pytest.raises(UsageError, match="are not a cycle"):
        close_loop(walk[0], Cycle(3, 5, 0.0))


def test_a_short_loop_whose_legs_are_too_short_has_no_seam():
    """Straight legs that a swaying pelvis pulls at: what the ends of the cleaned rounds do is felt for seconds."""
    n_frames, period = 180, 12
    source = slow_reach(n_frames, *range(6, n_frames, period))
    root = np.array(source.motion.root_positions)
    phase = 2.0 * np.pi * np.arange(n_frames) / period
    root += 0.03 * np.stack([np.sin(phase), 0.2 * np.cos(phase), 0.5 * np.cos(phase)], axis=1)
    source = replace(source, motion=replace(source.motion, root_positions=root))

    loop = close_loop(source, Cycle(60, 60 + period, 0.0))

    assert loop.seam < 1e-4
    assert loop.velocity < 0.01
