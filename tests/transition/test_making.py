from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.motion import rotations
from motionary.transition import (
    METHODS,
    ClusterOptions,
    Frame,
    MakeOptions,
    Maker,
    blender,
    build_clusters,
    build_table,
)
from motionary.transition.chaining import chain_stops
from motionary.transition.targets import Stop, best_pair, best_target, entries, likeliest
from transition.pools import small_pool


@cache
def small_maker() -> Maker:
    pool = small_pool()
    clusters = build_clusters(pool, options=ClusterOptions(n_clusters=4, n_components=3, n_sample=60))
    return Maker(pool, build_table(pool, clusters))


@pytest.mark.parametrize("method", METHODS)
def test_a_transition_begins_as_its_source_and_ends_as_its_target(method):
    maker = small_maker()
    pool, source, target = maker.pool, Frame(0, 50), Frame(1, 80)

    made = maker.make(source, target, options=MakeOptions(method=method, clean_feet=False))

    motion = made.motion
    for at, frame in ((made.start, source), (made.stop - 1, target)):
        first = int(pool.starts[frame.clip]) + frame.frame
        expected = pool.motion(first, first + 1)
        assert rotations.angle_between(motion.rotations[at, 1:], expected.rotations[0, 1:]).max() < 2e-3
        floor = pool.floors[source.clip]
        assert motion.root_positions[at, 1] - floor == pytest.approx(expected.root_positions[0, 1], abs=1e-6)
    np.testing.assert_allclose(motion.root_positions[made.start], pool.roots[50] + [0, pool.floors[0], 0], atol=1e-9)
    assert made.start == 30
    assert motion.n_frames == made.stop + 30
    assert 0.5 <= made.secs <= 2.0
    assert np.isfinite(made.score.score)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_jumps_at_the_seams(method):
    maker = small_maker()
    for source, target in ((Frame(0, 50), Frame(2, 90)), (Frame(1, 100), Frame(0, 60))):
        made = maker.make(source, target, options=MakeOptions(method=method, clean_feet=False))
        velocities = np.diff(made.motion.positions_world, axis=0) / made.motion.frame_time
        steps = np.linalg.norm(np.diff(velocities, axis=0), axis=-1)  # (F − 2, J) m/s
        usual = steps.max()
        for seam in (made.start, made.stop - 1):
            assert steps[seam - 1].max() <= max(usual, 1.0)
            assert np.linalg.norm(np.diff(made.motion.positions_world, axis=0)[seam - 1], axis=-1).max() < 0.3


def test_the_share_of_planted_frames_that_are_held_is_that_of_a_plain_count():
    maker = small_maker()
    made = maker.make(Frame(0, 50), Frame(1, 80))

    held = maker.held(made.motion, made.plants, made.start, made.stop)

    points, still = maker.pool.body.feet.world(made.motion), []
    for plant in made.plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        for frame in range(max(plant.start, made.start), min(plant.stop, made.stop) - 1):
            way = np.linalg.norm(points[frame + 1, foot, part] - points[frame, foot, part])
            still.append(way / made.motion.frame_time <= 0.005)
    assert held == pytest.approx(np.mean(still))
    assert held >= maker.held(made.raw, made.plants, made.start, made.stop)
    assert np.isnan(maker.held(made.motion, (), made.start, made.stop))


def test_planted_feet_are_held_from_end_to_end_of_most_plants():
    """A blend makes a foot slide all through its plant: that is no sign that it lifts off or lands there."""
    maker = small_maker()
    drawn = np.random.default_rng(0).integers([0, 20, 0, 40], [3, 110, 3, 140], size=(12, 4)).tolist()

    made = [maker.make(Frame(a, b), Frame(c, d)) for a, b, c, d in drawn]

    held = [maker.held(one.motion, one.plants, one.start, one.stop) for one in made]
    assert np.nanmean(held) > 0.9


def test_a_foot_has_time_for_the_step_from_one_place_to_another():
    maker = small_maker()
    n_steps = 0
    for source, target in ((Frame(0, 50), Frame(1, 80)), (Frame(1, 100), Frame(2, 60)), (Frame(2, 40), Frame(0, 90))):
        made = maker.make(source, target, options=MakeOptions(lead_secs=0.0))
        for one in made.plants:
            for other in made.plants:
                follows = (one.foot, one.part) == (other.foot, other.part) and one.stop <= other.start
                if follows and np.linalg.norm(np.subtract(one.place, other.place)) > 0.3:
                    n_steps += 1
                    assert other.start - one.stop >= 6
    assert n_steps > 0


def test_feet_stand_after_the_clean_up():
    maker = small_maker()

    made = maker.make(Frame(0, 50), Frame(1, 80))

    points = maker.pool.body.feet.world(made.motion)
    raw = maker.pool.body.feet.world(made.raw)
    drift, before = [], []
    for plant in made.plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        for world, into in ((points, drift), (raw, before)):
            way = world[max(plant.start, made.start) : min(plant.stop, made.stop), foot, part]
            if len(way):
                into.append(np.linalg.norm(way - way[0], axis=1).max())
    assert np.median(drift) <= np.median(before)


def test_the_clean_up_leaves_the_source_before_and_the_target_after_as_they_are():
    maker = small_maker()

    made = maker.make(Frame(0, 50), Frame(1, 80), options=MakeOptions(lead_secs=1.5))

    off = np.linalg.norm(made.motion.positions_world - made.raw.positions_world, axis=2).max(axis=1)
    assert made.start > 0
    assert made.stop < made.motion.n_frames
    assert off[[0, -1]].max() < 1e-9
    assert off[[1, -2]].max() < 1e-3  # nor do they begin or end with another velocity
    assert off[made.start : made.stop].max() > 1e-3  # the blend is cleaned up
    accelerations = np.diff(made.motion.positions_world - made.raw.positions_world, n=2, axis=0) * 900.0
    assert np.linalg.norm(accelerations, axis=2)[: made.start - 1].max() < 40.0


def test_the_best_of_more_candidates_is_never_worse():
    maker = small_maker()
    rng = np.random.default_rng(0)
    for _ in range(4):
        source, target = Frame(0, int(rng.integers(30, 100))), Frame(2, int(rng.integers(40, 100)))
        one, several, variants = (
            maker.make(source, target, options=MakeOptions(candidates=c, variants=v, clean_feet=False, seed=3))
            for c, v in ((1, 0), (5, 0), (5, 4))
        )
        assert several.score.score <= one.score.score
        assert variants.score.score <= several.score.score
        again = maker.make(source, target, options=MakeOptions(candidates=5, variants=4, clean_feet=False, seed=3))
        assert again.score == variants.score
        np.testing.assert_array_equal(again.motion.rotations, variants.motion.rotations)


@pytest.mark.parametrize("method", ["direct", "dead"])
def test_simple_blends_are_among_the_candidates(method):
    maker = small_maker()
    rng = np.random.default_rng(1)
    n_best = 0
    for _ in range(12):
        source, target = Frame(0, int(rng.integers(30, 130))), Frame(2, int(rng.integers(40, 130)))

        made, simple = (maker.blender.blend(source, target, options=MakeOptions(method=m)) for m in ("table", method))

        assert made.score.score <= simple.score.score or simple.score.plant_error > blender.REACH
        if made.way == simple.way == method and made.score == simple.score:
            n_best += 1
            np.testing.assert_array_equal(made.poses.turned, simple.poses.turned)
    assert n_best > 0


def test_feet_out_of_reach_are_taken_only_if_all_are(monkeypatch):
    maker, pair = small_maker(), (Frame(0, 60), Frame(2, 100))
    monkeypatch.setattr(blender, "REACH", np.inf)
    best = maker.blender.blend(*pair)

    monkeypatch.setattr(blender, "REACH", best.score.plant_error - 1e-4)
    other = maker.blender.blend(*pair)
    monkeypatch.setattr(blender, "REACH", -1.0)
    none = maker.blender.blend(*pair)

    assert other.score.plant_error < best.score.plant_error
    assert other.score.score > best.score.score
    assert none.score == best.score


def test_room_that_is_used_again_changes_nothing():
    maker = small_maker()
    pairs = [(Frame(0, 50), Frame(1, 80)), (Frame(2, 40), Frame(0, 90)), (Frame(1, 30), Frame(2, 100))]
    fresh = [replace(maker).make(*pair) for pair in pairs]

    again = [maker.make(*pair) for pair in (*pairs, *reversed(pairs))][-1:2:-1]

    for one, other in zip(fresh, again, strict=True):
        assert one.score == other.score
        np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)
        assert one.plants == other.plants


def test_a_clip_that_ends_is_carried_on_and_says_so():
    maker = small_maker()
    last = int(maker.pool.starts[1]) - 1

    made = maker.make(Frame(0, last - 2), Frame(1, 1))

    assert len(made.remarks) == 2
    assert (
        f"ends, or breaks off, soon after {(last - 2) / 30:.2f} s: it is carried on by its last velocities"
        in made.remarks[0]
    )
    assert "begins, or goes on, shortly before 0.03 s: what comes before is made up" in made.remarks[1]
    assert np.isfinite(made.motion.rotations).all()


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        (Frame(0, 9999), Frame(1, 80), "has no frame 9999 at 30 Hz; it has frames 0 to"),
        (Frame(7, 0), Frame(1, 80), "the pool has 3 clips, not a clip 7"),
    ],
)
def test_frames_that_are_not_there_are_refused(source, target, problem):
    with pytest.raises(UsageError, match=problem):
        small_maker().make(source, target)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": "magic"}, "no method is called 'magic'; there are table, direct, inertial, dead"),
        ({"candidates": 0}, "at least 1 candidate"),
        ({"lead_secs": -1.0}, "-1 s before and after are not possible"),
    ],
)
def test_options_that_cannot_be_are_refused(options, problem):
    with pytest.raises(UsageError, match=problem):
        MakeOptions(**options)


def test_the_target_with_the_best_direct_blend_is_taken():
    maker, source = small_maker(), Frame(0, 50)
    targets = entries([Stop(1, 40, 100), Stop(2, 50, 80)])

    made = best_target(maker, source, targets, options=MakeOptions(clean_feet=False), n_tried=len(targets))

    direct = [maker.blender.blend(source, one, options=MakeOptions(method="direct")).score.score for one in targets]
    assert made.target == targets[int(np.argmin(direct))]
    assert made.score.score <= min(direct)


def test_the_best_of_several_ways_out_and_in_is_taken():
    maker = small_maker()
    sources, targets = [Frame(0, 50), Frame(0, 70), Frame(2, 40)], [Frame(1, 40), Frame(2, 90)]

    made = best_pair(maker, sources, targets, options=MakeOptions(method="direct", clean_feet=False))

    direct = {
        (source, target): maker.blender.blend(source, target, options=MakeOptions(method="direct")).score.score
        for source in sources
        for target in targets
    }
    assert (made.source, made.target) == min(direct, key=lambda pair: direct[pair])


def test_of_equally_likely_targets_some_are_tried_evenly_spread():
    scores = np.array([0.3, 0.1, 0.3, 0.3, 0.2, 0.3, 0.3, 0.3, 0.9])

    assert likeliest(scores, 2).tolist() == [1, 4]
    assert likeliest(scores, 4).tolist() == [0, 1, 4, 5]
    assert likeliest(scores, 9).tolist() == list(range(9))
    assert likeliest(np.zeros(100), 4).tolist() == [0, 25, 50, 75]


def test_a_chain_is_one_continuous_motion():
    maker = small_maker()

    chain = chain_stops(
        maker, [Stop(0, 20, 80), [Stop(1, 40, 110), Stop(2, 40, 110)], Stop(2, 60, 120)], play_secs=1.5,
        options=MakeOptions(clean_feet=False),
    )  # fmt: skip

    assert len(chain.transitions) == len(chain.seams) == 2
    assert len(chain.stops) == 3
    steps = np.linalg.norm(np.diff(chain.motion.positions_world, axis=0), axis=-1)
    assert steps.max() < 0.3
    for start, stop in chain.seams:
        assert 0 < start < stop <= chain.motion.n_frames
    with pytest.raises(UsageError, match="at least two segments"):
        chain_stops(maker, [Stop(0, 20, 80)], play_secs=1.5, options=MakeOptions())


@pytest.mark.parametrize("listed", [False, True])
def test_a_chain_goes_on_from_the_last_frame_of_a_clip(listed):
    maker = small_maker()
    n_frames = int(maker.pool.starts[2] - maker.pool.starts[1])
    last = Stop(1, n_frames - 1, n_frames)

    chain = chain_stops(
        maker,
        [Stop(0, 10, 60), [last] if listed else last, Stop(2, 10, 60)],
        play_secs=2.0,
        options=MakeOptions(method="direct"),
    )

    assert [stop.clip for stop in chain.stops] == [0, 1, 2]
    assert chain.transitions[0].target.frame < chain.transitions[1].source.frame < n_frames


def test_what_is_played_of_a_label_leads_best_to_what_follows():
    maker, options = small_maker(), MakeOptions(method="direct", clean_feet=False)
    n_frames = int(maker.pool.starts[1] - maker.pool.starts[0])

    chain = chain_stops(maker, [[Stop(0, 0, n_frames)], Stop(2, 60, 120)], play_secs=2.0, options=options)
    short = chain_stops(maker, [[Stop(0, 0, 60)], Stop(2, 60, 120)], play_secs=2.0, options=options)

    assert chain.stops[0].n_frames == 60
    assert 60 <= chain.stops[0].stop < n_frames
    assert 60 - 13 <= short.stops[0].stop <= 60  # a segment that is played whole is left 0.4 s sooner at most
    last = Frame(0, n_frames - 1 - (n_frames - 1 - 60) % 4)
    assert chain.worst <= maker.make(last, Frame(2, 60), options=options).score.score + 1e-9


def test_a_label_between_others_may_be_left_sooner_if_that_scores_better():
    maker, options = small_maker(), MakeOptions(method="direct", clean_feet=False)

    chain = chain_stops(
        maker, [Stop(0, 10, 60), [Stop(1, 0, 130)], Stop(2, 60, 120)], play_secs=2.0, options=options
    )  # fmt: skip

    assert 30 <= chain.stops[1].n_frames <= 60  # half of it at least


def test_parts_of_a_label_in_which_somebody_waits_are_not_played():
    pool = small_pool()
    roots, turns = pool.roots.copy(), pool.turns.copy()
    roots[:65], turns[:65] = roots[65], turns[65]  # clip 0 begins with two seconds of standing
    maker = replace(small_maker(), pool=replace(pool, roots=roots, turns=turns))

    chain = chain_stops(
        maker, [[Stop(0, 0, 130), Stop(1, 0, 130)], [Stop(0, 0, 130), Stop(2, 20, 120)]], play_secs=1.0,
        options=MakeOptions(method="direct", clean_feet=False),
    )  # fmt: skip

    for stop in chain.stops:
        assert stop.clip != 0 or stop.start >= 40


def raised(maker: Maker, clip: int, height: float) -> Maker:
    """The same, but one clip stands on a platform."""
    pool = maker.pool
    roots, places = np.array(pool.roots), np.array(pool.footprints.places)
    start, stop = pool.starts[clip], pool.starts[clip + 1]
    roots[start:stop, 1] += height
    places[(pool.footprints.spans[:, 0] >= start) & (pool.footprints.spans[:, 0] < stop), 1] += height
    return replace(maker, pool=replace(pool, roots=roots, footprints=replace(pool.footprints, places=places)))


def test_parts_of_a_label_that_stand_on_a_platform_are_not_played_if_others_are():
    maker = raised(small_maker(), 1, 0.4)
    options = MakeOptions(method="direct", clean_feet=False)

    chain, high = (
        chain_stops(maker, [Stop(0, 10, 60), label, Stop(2, 60, 120)], play_secs=1.0, options=options)
        for label in ([Stop(1, 0, 130), Stop(2, 0, 130)], [Stop(1, 0, 130)])
    )

    assert chain.stops[1].clip == 2
    assert high.stops[1].clip == 1


@pytest.mark.parametrize(("clip", "where"), [(1, "above"), (0, "below")])
def test_a_target_on_a_platform_goes_on_on_the_ground_of_the_source(clip, where):
    maker = small_maker()
    source, target = Frame(0, 50), Frame(1, 80)
    flat = maker.make(source, target, options=MakeOptions(clean_feet=False, candidates=1))

    made = raised(maker, clip, 0.4).make(source, target, options=MakeOptions(clean_feet=False, candidates=1))

    height = 0.4 if clip == source.clip else 0.0
    np.testing.assert_allclose(made.motion.root_positions - [0, height, 0], flat.motion.root_positions, atol=1e-3)
    assert made.score.score == pytest.approx(flat.score.score, abs=2e-3)
    assert f"stands 40 cm {where} the ground of" in made.remarks[-1]
    heights = [np.mean([plant.place[1] for plant in one.plants]) for one in (made, flat)]
    assert heights[0] - height == pytest.approx(heights[1], abs=1e-3)
