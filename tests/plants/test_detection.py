"""Plants of whole motions."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import swaying_body
from motionary.errors import UsageError
from motionary.motion import Motion, resample, rotations
from motionary.plants import PlantOptions, detect_plants, part_contacts_of_plants, plants_of_points, sole_heights
from motionary.rig import body_of, reference_skeleton
from motionary.sample import Take, make_library
from plants.made_feet import Feet


@pytest.fixture(scope="module")
def takes() -> list[Take]:
    return list(make_library(minutes=1.2, seed=41))


def f1(found: np.ndarray, true: np.ndarray) -> float:
    return 2 * np.sum(found & true) / (np.sum(found) + np.sum(true))


def truth(take: Take, motion: Motion) -> np.ndarray:
    """The take's contacts (F, 2, 2) at the motion's rate."""
    at_take = part_contacts_of_plants(take.plants, take.motion.n_frames)
    frames = np.arange(motion.n_frames) * motion.frame_time / take.motion.frame_time
    before, after = np.floor(frames + 1e-6).astype(int), np.ceil(frames - 1e-6).astype(int)
    return at_take[before] & at_take[np.minimum(after, len(at_take) - 1)]


def suffering(motion: Motion, kind: str) -> Motion:
    """The motion with noise of a capture, or on another floor."""
    rng = np.random.default_rng(7)
    root, turned = motion.root_positions, motion.rotations.copy()
    if kind == "noise":  # about 2 mm at heels and balls
        shake = rotations.from_rotation_vector(0.0025 * rng.normal(size=(*turned.shape[:2], 3)))
        root, turned = root + 0.001 * rng.normal(size=root.shape), rotations.multiply(turned, shake)
    if kind == "floor":
        tilt = rotations.from_axis_angle(np.array([0.6, 0.0, 0.8]), np.radians(1.0))
        turned[:, 0] = rotations.multiply(tilt, turned[:, 0])
        root = rotations.rotate(tilt, root) + np.array([0.0, 0.1, 0.0])
    return replace(motion, root_positions=root, rotations=rotations.continuous(turned))


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("kind", ["clean", "noise", "floor"])
def test_plants_of_the_sample_library_are_found(takes, rate_hz, kind):
    found, true = [], []
    for take in takes:
        motion = suffering(resample(take.motion, frame_time=1.0 / rate_hz), kind)
        found.append(detect_plants(motion).contacts)
        true.append(truth(take, motion))

    assert f1(np.concatenate(found), np.concatenate(true)) > 0.985


def test_places_are_within_a_centimetre(takes):
    for take in takes:
        for plant in detect_plants(suffering(take.motion, "noise")).plants:
            shared = [
                (
                    min(plant.stop, its.stop) - max(plant.start, its.start),
                    np.linalg.norm(np.subtract(its.place, plant.place)),
                )
                for its in take.plants
                if (its.foot, its.part) == (plant.foot, plant.part)
            ]
            n_shared, error = max(shared)
            assert n_shared <= 0 or error < 0.01


def test_the_floor_is_reported(takes):
    take = max(takes, key=lambda take: np.ptp(take.motion.root_positions[:, [0, 2]], axis=0).min())

    level, tilted = detect_plants(take.motion), detect_plants(suffering(take.motion, "floor"))

    assert level.floor.height == pytest.approx(0.0, abs=0.005)
    assert level.floor.tilt < np.radians(0.1)
    assert np.degrees(tilted.floor.tilt) == pytest.approx(1.0, abs=0.15)
    assert any(note.startswith("the floor is at +1") for note in tilted.notes)


def test_plants_are_sorted_and_make_the_contacts(takes):
    found = detect_plants(takes[0].motion)

    keys = [(plant.start, plant.foot, plant.part) for plant in found.plants]
    assert keys == sorted(keys)
    assert all(plant.origin == "detected" for plant in found.plants)
    np.testing.assert_array_equal(part_contacts_of_plants(found.plants, takes[0].motion.n_frames), found.contacts)
    np.testing.assert_array_equal(found.foot_contacts, found.contacts[..., 0] | found.contacts[..., 1])


@given(size=st.floats(0.5, 2.0), turn=st.floats(-3.0, 3.0), lift=st.floats(-1.0, 1.0))
def test_size_heading_and_height_change_nothing(size, turn, lift):
    """A child and a giant that do the same, in the same tempo of their legs, stand at the same frames."""
    feet = Feet(150)
    feet.move(1, slice(0, 2), 0.5, 1.0, (0.0, 0.3, 0.1))
    feet.move(1, slice(0, 2), 1.0, 1.4, (0.0, -0.3, 0.2))
    about = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), turn)
    places = [size * rotations.rotate(about, p) + np.array([2.0, lift, 1.0]) for p in (feet.points, feet.pelvis)]
    usual = PlantOptions()
    options = replace(usual, stillness=replace(usual.stillness, tight=usual.stillness.tight * size))

    found = plants_of_points(*places, frame_time=size**0.5 / 60, leg_length=0.85 * size, options=options)

    agree = np.mean(found.contacts == feet.detect().contacts)
    assert agree > 0.97  # windows are whole numbers of frames
    assert found.floor.height == pytest.approx(lift, abs=0.01)


def test_a_standing_body_stands():
    motion = swaying_body()
    still = replace(motion, rotations=np.tile(rotations.IDENTITY, (*motion.rotations.shape[:2], 1)))

    found = detect_plants(replace(still, root_positions=np.tile(still.root_positions[:1], (still.n_frames, 1))))

    assert found.contacts.all()
    assert [(plant.start, plant.stop) for plant in found.plants] == [(0, 60)] * 4
    assert found.notes == ()


def test_one_frame_stands_where_it_is_lowest():
    feet = Feet(1)
    feet.points[:, 1, :, 1] = 0.3

    contacts = feet.detect().contacts

    assert contacts[0].tolist() == [[True, True], [False, False]]


def test_what_flies_stands_nowhere_and_says_so():
    feet = Feet(60)
    feet.points[..., 2] += np.arange(60)[:, None, None] * 0.05

    found = feet.detect()

    assert not found.contacts.any()
    assert found.plants == ()
    assert found.notes == ("no foot stands anywhere",)


def test_soles_are_at_the_ground_in_the_t_pose():
    body = body_of(reference_skeleton())

    heights = sole_heights(body)

    assert np.all((heights >= -1e-9) & (heights < 0.03))
    np.testing.assert_allclose(heights[0], heights[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda feet: feet.points.__setitem__((3, 0, 0, 1), np.nan), "a position of the feet or pelvis is not"),
        (lambda feet: feet.pelvis.__setitem__((3, 1), np.inf), "a position of the feet or pelvis is not"),
        (lambda feet: setattr(feet, "points", feet.points[:, :, 0]), "do not fit"),
        (lambda feet: setattr(feet, "pelvis", feet.pelvis[:-1]), "do not fit"),
        (lambda feet: setattr(feet, "points", feet.points[:0]), "do not fit"),
    ],
)
def test_bad_places_are_refused(change, message):
    feet = Feet(10)
    change(feet)

    with pytest.raises(UsageError, match=message):
        feet.detect()


def test_impossible_lengths_are_refused():
    feet = Feet(10)

    with pytest.raises(UsageError, match="legs of 0 m are not possible"):
        plants_of_points(feet.points, feet.pelvis, frame_time=0.01, leg_length=0)


@pytest.mark.parametrize("noise", [0.0, 0.001])
def test_a_foot_that_creeps_stands_all_along_in_plants_of_two_centimetres(noise):
    feet = Feet()
    feet.move(0, slice(None), 0.5, 2.5, (0.0, 0.0, 0.05))  # 5 cm in two seconds, both parts

    found = feet.detect(noise)

    assert found.contacts[:, 0].all()
    plants = [plant for plant in found.plants if (plant.foot, plant.part) == ("left", "toe")]
    assert 3 <= len(plants) <= 6
    assert all(one.stop == other.start for one, other in pairwise(plants))
    for plant in plants:
        path = feet.points[plant.start : plant.stop, 0, 1]
        assert np.linalg.norm(path[-1] - path[0]) < 0.025


def test_a_foot_in_haste_stands_on_the_floor_only():
    """A runner's foot that is never quite still stands, if it is on the floor; a few centimetres above it does not."""
    found = []
    for height in (0.0, 0.06):
        feet = Feet(180, rate_hz=120.0)
        secs = np.arange(180) / 120.0
        creep = np.clip(secs - 0.7, 0.0, 0.12) * 0.25  # 0.25 m/s for 0.12 s
        swing = 2.0 * np.clip(secs - 0.35, 0.0, 0.35) + 2.0 * np.clip(secs - 0.82, 0.0, 0.3)
        lift = 0.15 * np.maximum(np.sin(np.pi * (secs - 0.35) / 0.35), 0.0) * (secs < 0.7)
        lift += 0.15 * np.maximum(np.sin(np.pi * (secs - 0.82) / 0.3), 0.0) * ((secs > 0.82) & (secs < 1.12))
        feet.points[:, 1, :, 2] += (swing + creep)[:, None]
        feet.points[:, 1, :, 1] += (lift + height * ((secs > 0.36) & (secs < 1.1)))[:, None]
        found.append(feet.detect().foot_contacts[85:98, 1])

    assert found[0].sum() >= 8
    assert not found[1].any()


def test_frames_of_zeros_do_not_decide_where_the_floor_is():
    body = swaying_body(n_frames=90)
    places, turns = np.array(body.root_positions), np.array(body.rotations)
    places[:40], turns[:40] = 0.0, rotations.IDENTITY  # nothing was captured there: the feet are below the floor

    found = detect_plants(replace(body, root_positions=places, rotations=turns))

    assert found.floor.height == pytest.approx(detect_plants(body).floor.height, abs=0.02)
    assert not found.contacts[:38].any()
