import json
from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import MappingError, SkeletonError, UsageError
from motionary.motion import Motion, Placement, Skeleton, mirror
from motionary.naturalness import CURVES, MEANINGS, Naturalness, Standing, score
from motionary.plants import Plant
from motionary.rig import mirror_partners, reference_skeleton
from motionary.sample import make_library
from naturalness.made_motions import BODY, body_and_masses, restless, some_plants, still

ALL = np.ones((60, 2, 2), dtype=bool)
MEASURED = [name for name in Naturalness.__dataclass_fields__ if name != "curves"]


def values(found: Naturalness) -> list[float]:
    return [getattr(found, name) for name in MEASURED]


def test_a_body_that_stands_still_is_perfect():
    found = score(still(), ALL)

    assert found.score == pytest.approx(0.0, abs=1e-12)
    assert [found.slide_worst, found.arc_worst, found.plant_worst] == pytest.approx([0.0] * 3, abs=1e-12)
    assert [found.zmp_error, found.jerk] == pytest.approx([0.0] * 2, abs=1e-9)
    assert np.isnan(found.fall_error)
    assert (found.n_frames, found.n_planted, found.n_without_contact, found.n_flight) == (60, 240, 0, 0)


def test_slides_are_measured_straight_and_along_the_way():
    motion = still()
    root = np.array(motion.root_positions)
    root[:31, 0] = np.linspace(0.0, 0.03, 31)  # there, three centimetres
    root[30:, 0] = np.linspace(0.03, 0.01, 30)  # and two back
    moved = replace(motion, root_positions=root)
    place = tuple(BODY.feet.world(motion)[0, 0, 1])

    found = score(moved, [Plant("left", "toe", 0, 60, place), Plant("left", "toe", 0, 31, place)])

    assert (found.slide_mean, found.slide_worst) == pytest.approx((0.02, 0.03))
    assert (found.arc_mean, found.arc_worst) == pytest.approx((0.04, 0.05))
    assert found.plant_worst == pytest.approx(0.03)
    wanted = (np.abs(root[:, 0]).sum() + root[:31, 0].sum()) / 91
    assert found.plant_error == pytest.approx(wanted)
    assert found.curves["plant_error"] == pytest.approx(root[:, 0], abs=1e-12)


def test_a_body_that_hangs_over_falls():
    motion = still()
    leaning = np.array(motion.rotations)
    leaning[:, BODY.skeleton.index("Spine1"), 0] = np.cos(0.4)
    leaning[:, BODY.skeleton.index("Spine1"), 1] = -np.sin(0.4)  # 46° backwards
    found = score(replace(motion, rotations=leaning), ALL)

    assert found.zmp_error == pytest.approx(found.zmp_mean)
    assert found.zmp_error > 0.005
    assert found.score == pytest.approx(found.plant_error + found.zmp_error)


def test_a_jump_falls_freely_and_a_hover_does_not():
    secs = np.arange(60) / 60
    motion = still()
    contacts = np.array(ALL)
    contacts[10:50] = False
    heights = {}
    for name, gravity in (("jump", 9.81), ("hover", 2.0)):
        root = np.array(motion.root_positions)
        t = secs[10:50] - secs[10]
        root[10:50, 1] += 0.5 * gravity * t * (t[-1] - t)
        heights[name] = score(replace(motion, root_positions=root), contacts)

    assert heights["jump"].fall_error < 1e-9
    assert heights["hover"].fall_error > 0.05
    assert 36 <= heights["jump"].n_flight == heights["jump"].n_without_contact <= 40


def test_jerk_is_the_same_for_bodies_of_all_sizes():
    """A body twice as tall that moves √2 times as slowly, Froude's rule, is as jerky."""
    jerks = []
    for height, hz in ((0.9, 0.7 * np.sqrt(2.0)), (1.8, 0.7)):
        rate = 100.0 * hz
        motion = still(200, frame_time=1.0 / rate, skeleton=reference_skeleton(height))
        root = np.array(motion.root_positions)
        root[:, 0] = 0.1 * height * np.sin(2.0 * np.pi * hz * np.arange(200) / rate)  # two swings
        jerks.append(score(replace(motion, root_positions=root), np.ones((200, 2, 2), dtype=bool)).jerk)

    by_hand = 0.18 * (2.0 * np.pi * 0.7) ** 3 / np.sqrt(2.0) / (9.81 * np.sqrt(9.81 / 1.8))
    assert jerks == pytest.approx([by_hand, by_hand], rel=0.08)  # near the ends less is known


def test_where_whither_and_which_side_do_not_matter():
    motion, standing = restless(5, 60), some_plants(5, 60)
    placement = Placement(0.7, 3.0, -2.0)
    placed = placement.place(motion)
    holder = replace(still(len(standing.places)), root_positions=standing.places)
    moved = Standing(60, standing.points, standing.spans, placement.place(holder).root_positions)
    mirrored = mirror(motion, mirror_partners(motion.skeleton))
    other_side = Standing(60, (standing.points + 2) % 4, standing.spans, standing.places * [-1, 1, 1])

    wanted = values(score(motion, standing))

    assert values(score(placed, moved)) == pytest.approx(wanted, rel=1e-6, abs=1e-9, nan_ok=True)
    assert values(score(mirrored, other_side)) == pytest.approx(wanted, rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("n_frames", [1, 2, 3, 4, 7])
def test_short_motions_are_scored_as_far_as_they_go(n_frames):
    found = score(still(n_frames), ALL[:n_frames])

    assert found.zmp_error == pytest.approx(0.0, abs=1e-9)
    assert found.slide_mean == 0.0
    assert np.isnan(found.jerk) == (n_frames == 1)


def test_without_contacts_there_is_nothing_to_stand_on():
    found = score(still(), np.zeros((60, 2, 2), dtype=bool))

    assert np.isnan([found.slide_mean, found.plant_error, found.zmp_error]).all()
    assert np.isnan(found.score)
    assert found.n_without_contact == found.n_flight == 60
    assert found.fall_error > 0.1  # it should fall


def test_the_report_is_json_and_has_curves():
    found = score(restless(2, 60), np.zeros((60, 2, 2), dtype=bool))

    assert set(found.curves) == set(CURVES)
    assert all(curve.shape == (60,) for curve in found.curves.values())
    report = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert report["zmp_error"] is None
    assert report["n_frames"] == 60


def test_plants_are_detected_unless_they_are_given():
    found = score(still())

    assert found.n_planted == 240
    assert found.score == pytest.approx(0.0, abs=1e-9)


def test_other_bodies_and_plants_are_refused():
    with pytest.raises(UsageError, match="plants of 10 frames for a motion of 60"):
        score(still(), some_plants(0, 10))
    with pytest.raises(UsageError, match="contacts must be"):
        score(still(), np.ones((60, 2), dtype=bool))
    with pytest.raises(MappingError):  # a skeleton that is no body
        score(Motion(Skeleton(("a",), np.array([-1]), np.zeros((1, 3))), 1 / 60, np.zeros((1, 3)), np.eye(4)[None, :1]))
    other, masses = body_and_masses(still(skeleton=reference_skeleton(1.6)))
    with pytest.raises(SkeletonError, match="the body belongs to another skeleton"):
        score(still(), ALL, body=other, masses=masses)


def test_a_made_walk_is_more_natural_than_the_same_walk_sliding():
    take = next(iter(make_library(minutes=0.2, seed=3)))
    motion = take.motion.slice(0, min(300, take.motion.n_frames))
    plants = [
        Plant(p.foot, p.part, p.start, min(p.stop, motion.n_frames), tuple(p.place))
        for p in take.plants
        if p.start < motion.n_frames
    ]
    drift = np.zeros((motion.n_frames, 3))
    drift[:, 0] = 0.2 * np.arange(motion.n_frames) * motion.frame_time  # 20 cm/s

    found = score(motion, plants)
    sliding = score(replace(motion, root_positions=motion.root_positions + drift), plants)

    assert found.slide_worst < 0.002  # the library's plants stand
    assert found.plant_error < 0.002
    assert sliding.slide_mean > 10.0 * found.slide_mean + 0.02


def test_every_measure_has_a_meaning():
    assert set(MEANINGS) == set(score(still(), ALL).as_json())
