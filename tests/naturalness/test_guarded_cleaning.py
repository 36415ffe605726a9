"""Clean-up that makes nothing worse."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from conftest import swaying_body
from motionary.errors import UsageError
from motionary.motion import Motion
from motionary.naturalness import clean_carefully, score
from motionary.plants import FEET, PARTS, Cleaned, Plant, clean, cut_plants
from motionary.rig import Body, body_of
from plants.sliding import angular_accelerations, drifts_and_speeds, made_to_slide, walks


def kept(cleaned: Cleaned) -> list[Plant]:
    return [replace(one.plant, place=one.place) if one.held else one.plant for one in cleaned.plants]


def knees(motion: Motion) -> np.ndarray:
    """rad/s² (F − 2, 2) of both knees."""
    return angular_accelerations(motion)[:, [motion.skeleton.index(side + "Shin") for side in ("Left", "Right")]]


def pelvis(motion: Motion) -> np.ndarray:
    return np.linalg.norm(np.diff(motion.root_positions, 2, axis=0), axis=1) / motion.frame_time**2


def assert_not_worse(before: Motion, plants: list[Plant], body: Body, cleaned: Cleaned) -> None:
    was, now = score(before, plants, body=body), score(cleaned.motion, kept(cleaned), body=body)
    assert now.zmp_error <= 1.05 * was.zmp_error + 0.0005
    assert now.zmp_mean <= 1.05 * was.zmp_mean + 0.0005
    assert now.score <= 1.02 * was.score + 0.0005
    assert np.all(knees(cleaned.motion).max(axis=0) <= np.maximum(1.2 * knees(before).max(axis=0), 5.0))
    assert pelvis(cleaned.motion).max() <= max(1.2 * pelvis(before).max(), 0.2)


def asked_for_a_jerk() -> tuple[Motion, list[Plant], Body]:
    """Somebody who stands and sways, and a plant in the middle, seven centimetres up, that the left foot never had."""
    motion = swaying_body(n_frames=150)
    body = body_of(motion.skeleton)
    points = body.feet.world(motion).mean(axis=0)
    places = {(foot, part): points[f, p] for f, foot in enumerate(FEET) for p, part in enumerate(PARTS)}
    up = np.array([0.0, 0.07, 0.0])
    plants = [Plant("right", part, 0, 150, tuple(map(float, places["right", part]))) for part in PARTS]
    for start, stop, higher in ((0, 60, 0.0), (100, 150, 0.0), (75, 85, 1.0)):
        plants.append(Plant("left", "toe", start, stop, tuple(map(float, places["left", "toe"] + higher * up))))
    return motion, plants, body


@pytest.mark.parametrize("which", range(6))
def test_nothing_gets_worse(which):
    case = made_to_slide(which, root=0.01, legs=0.02)

    cleaned = clean_carefully(case.motion, case.plants, case.body)

    assert_not_worse(case.motion, case.plants, case.body, cleaned)
    drift, speed = drifts_and_speeds(cleaned.motion, case.body, cleaned.plants)
    assert drift <= 0.004  # from one side of 2 mm to the other
    assert speed <= 0.005 + 1e-9


def test_feet_that_only_a_jerk_could_hold_are_not_held_and_say_why():
    motion, plants, body = asked_for_a_jerk()
    assert knees(clean(motion, plants, body).motion).max() > max(1.2 * knees(motion).max(), 5.0)

    cleaned = clean_carefully(motion, plants, body)

    assert_not_worse(motion, plants, body, cleaned)
    (wrong,) = [one for one in cleaned.plants if one.plant == plants[-1]]
    assert wrong.reason.startswith("would ")
    assert wrong.left > 0.002


def test_the_parts_of_a_plant_are_frames_of_it():
    motion, plants, body = asked_for_a_jerk()

    cleaned = clean_carefully(motion, plants, body)

    frames, recorded = defaultdict(list), defaultdict(set)
    for one in cleaned.plants:
        frames[one.plant.foot, one.plant.part].extend(range(one.plant.start, one.plant.stop))
    for plant in plants:
        recorded[plant.foot, plant.part] |= set(range(plant.start, plant.stop))
    for part, its in frames.items():
        assert len(its) == len(set(its))
        assert set(its) <= recorded[part]


def test_what_does_not_slide_comes_back_to_the_bit():
    motion, plants = walks()[0]

    cleaned = clean_carefully(motion, plants)

    assert cleaned.motion is motion
    assert not cleaned.not_held


def test_plants_beyond_the_end_are_cut_or_refused():
    case = made_to_slide(1, root=0.01, legs=0.02)
    motion = case.motion.slice(0, 60)
    longer = [replace(plant, stop=plant.stop + 1000) for plant in cut_plants(case.plants, 0, 60) if plant.stop == 60]

    assert all(one.plant.stop <= 60 for one in clean_carefully(motion, longer, case.body).plants)
    with pytest.raises(UsageError, match="the motion has 60 frames"):
        clean_carefully(motion, [Plant("left", "toe", 80, 90, (0.0, 0.0, 0.0))], case.body)
