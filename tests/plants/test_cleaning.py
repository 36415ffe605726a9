from dataclasses import replace

import numpy as np
import pytest

from conftest import swaying_body
from motionary.errors import SkeletonError, UsageError
from motionary.motion import Motion, Skeleton, mirror, resample, rotations
from motionary.plants import CleanOptions, Plant, build_cleaner, clean, clean_reference, cut_plants
from motionary.rig import body_of, mirror_partners, reference_skeleton
from plants.sliding import LEGS, angular_accelerations, drifts_and_speeds, made_to_slide, walks

SLIDES = {
    "sway": {"root": 0.025, "legs": 0.03},
    "stretched": {"scale": 1.1, "root": 0.005, "legs": 0.0},
    "shortened": {"scale": 0.9, "root": 0.005, "legs": 0.02},
}


# A longer or shorter way leads past the true places.
@pytest.mark.parametrize(
    ("slide", "places"), [("sway", "given"), ("sway", "motion"), ("stretched", "motion"), ("shortened", "motion")]
)
@pytest.mark.parametrize("which", range(6))
def test_feet_stand_and_the_rest_stays_smooth(which, slide, places):
    case = made_to_slide(which, **SLIDES[slide])

    cleaned = clean(case.motion, case.plants, case.body, options=CleanOptions(places=places))

    before, _ = drifts_and_speeds(case.motion, case.body, cleaned.plants)
    drift, speed = drifts_and_speeds(cleaned.motion, case.body, cleaned.plants)
    assert not cleaned.not_held
    assert before > 0.01
    assert drift <= 0.002
    assert speed <= 0.005
    assert max(held.left for held in cleaned.plants) <= 0.002
    then, now = angular_accelerations(case.motion), angular_accelerations(cleaned.motion)
    for joint in map(case.motion.skeleton.index, LEGS):
        assert np.percentile(now[:, joint], 99.9) <= 1.5 * np.percentile(then[:, joint], 99.9)
        assert now[:, joint].max() <= 2.0 * then[:, joint].max()
    changed = np.linalg.norm(cleaned.motion.positions_world - case.motion.positions_world, axis=-1)
    assert changed.mean() <= 0.03


@pytest.mark.parametrize("which", range(6))
def test_what_does_not_slide_comes_back_to_the_bit(which):
    motion, plants = walks()[which]

    cleaned = clean(motion, plants)

    assert np.array_equal(cleaned.motion.rotations, motion.rotations)
    assert np.array_equal(cleaned.motion.root_positions, motion.root_positions)
    assert not cleaned.not_held
    assert not cleaned.root_moves.any()


def test_only_legs_and_root_are_touched_and_only_near_what_slides():
    motion, plants = walks()[0]
    slid = np.array(motion.root_positions)
    slid[:30] += np.linspace(1.0, 0.0, 30)[:, None] ** 3 * np.array([0.03, 0.0, 0.0])

    cleaned = clean(replace(motion, root_positions=slid), plants).motion

    legs = [
        motion.skeleton.index(side + part) for side in ("Left", "Right") for part in ("Thigh", "Shin", "Foot", "Toe")
    ]
    others = [joint for joint in range(motion.skeleton.n_joints) if joint not in legs]
    assert np.array_equal(cleaned.rotations[:, others], motion.rotations[:, others])
    assert not np.array_equal(cleaned.rotations[:, legs], motion.rotations[:, legs])
    assert np.array_equal(cleaned.rotations[-10:], motion.rotations[-10:])
    assert np.array_equal(cleaned.root_positions[-10:], slid[-10:])


def test_rotations_stay_unit_and_continuous():
    case = made_to_slide(1, **SLIDES["sway"])

    cleaned = clean(case.motion, case.plants, case.body).motion

    assert np.linalg.norm(cleaned.rotations, axis=-1) == pytest.approx(1.0)
    assert np.sum(cleaned.rotations[1:] * cleaned.rotations[:-1], axis=-1).min() > 0.0


@pytest.mark.parametrize("which", range(3))
def test_a_mirrored_motion_is_cleaned_to_the_mirrored_result(which):
    case = made_to_slide(which, **SLIDES["sway"])
    partners = mirror_partners(case.motion.skeleton)
    other = {"left": "right", "right": "left"}
    plants = [
        replace(plant, foot=other[plant.foot], place=(-plant.place[0], *plant.place[1:])) for plant in case.plants
    ]

    cleaned = clean(mirror(case.motion, partners), plants, case.body).motion

    expected = mirror(clean(case.motion, case.plants, case.body).motion, partners)
    assert cleaned.root_positions == pytest.approx(expected.root_positions, abs=1e-6)
    assert rotations.angle_between(cleaned.rotations, expected.rotations).max() < 1e-4


def test_a_plant_out_of_reach_is_reported_and_the_foot_stays():
    motion, _ = walks()[0]
    far = Plant("left", "toe", 40, 60, (5.0, 0.0, 5.0))

    cleaned = clean(motion, [far])

    (held,) = cleaned.not_held
    assert (held.plant, held.reason) == (far, "out of reach")
    assert held.distance > 1.0
    assert np.array_equal(cleaned.motion.rotations, motion.rotations)


def test_reach_decides_what_is_pulled():
    case = made_to_slide(2, root=0.08)
    farthest = max(held.distance for held in clean(case.motion, case.plants, case.body).plants)

    strict = clean(case.motion, case.plants, case.body, options=CleanOptions(reach=0.5 * farthest))

    assert {held.reason for held in strict.not_held} == {"out of reach"}
    assert all(held.distance > 0.5 * farthest for held in strict.not_held)


def test_feet_that_no_leg_reaches_are_reported_with_what_is_left():
    """Both feet wanted a foot's length ahead and behind, farther apart than the legs go."""
    motion = swaying_body(n_frames=30)
    points = body_of(motion.skeleton).feet.world(motion)
    plants = [
        Plant(foot, "toe", 0, 30, (float(x), 0.0, float(z) + way))
        for foot, (x, _, z), way in (("left", points[0, 0, 1], 1.4), ("right", points[0, 1, 1], -1.4))
    ]

    cleaned = clean(motion, plants, options=CleanOptions(reach=2.0))

    assert [held.reason for held in cleaned.plants] == ["leg too short"] * 2
    assert min(held.left for held in cleaned.plants) > 0.1
    assert np.isfinite(cleaned.motion.rotations).all()


def test_one_frame_is_put_on_its_places():
    case = made_to_slide(0)
    plants = [replace(p, start=0, stop=1) for p in case.plants if p.start <= 50 < p.stop]

    cleaned = clean(case.motion.slice(50, 51), plants, case.body)

    assert cleaned.motion.n_frames == 1
    assert max(held.left for held in cleaned.plants) < 1e-4


@pytest.mark.parametrize(("start", "stop"), [(0, 40), (37, 75), (60, 150)])
def test_segments_cut_plants_at_their_ends(start, stop):
    case = made_to_slide(1, **SLIDES["sway"])

    cleaned = clean(case.motion.slice(start, stop), cut_plants(case.plants, start, stop), case.body)

    drift, speed = drifts_and_speeds(cleaned.motion, case.body, cleaned.plants)
    assert not cleaned.not_held
    assert drift <= 0.002
    assert speed <= 0.005


def test_without_plants_nothing_happens():
    case = made_to_slide(0)

    cleaned = clean(case.motion, [])

    assert cleaned.plants == ()
    assert np.array_equal(cleaned.motion.rotations, case.motion.rotations)


def test_a_foot_rolls_from_heel_to_toe_as_recorded():
    """Pitch of the foot, where only heel or toe stands, differs from the recorded one only by a faded turn."""
    case = made_to_slide(0, **SLIDES["sway"])

    cleaned = clean(case.motion, case.plants, case.body).motion

    foot = case.motion.skeleton.index("LeftFoot")
    change = rotations.angle_between(cleaned.rotations_world[:, foot], case.motion.rotations_world[:, foot])
    assert change.max() < 0.3
    assert np.abs(np.diff(change)).max() < 0.05


def test_a_body_without_toes_is_cleaned():
    full = reference_skeleton()
    keep = [joint for joint, name in enumerate(full.names) if not name.endswith("Toe")]
    new = {joint: i for i, joint in enumerate(keep)}
    sites = [i for i, joint in enumerate(full.end_site_joints) if joint in new]
    skeleton = Skeleton(
        tuple(full.names[j] for j in keep),
        np.array([new.get(int(full.parents[j]), -1) for j in keep]),
        full.offsets[keep],
        np.array([new[int(full.end_site_joints[i])] for i in sites]),
        full.end_site_offsets[sites],
    )
    whole = swaying_body(n_frames=60)
    motion = Motion(skeleton, whole.frame_time, whole.root_positions, whole.rotations[:, keep])
    plants = [Plant(foot, part, 10, 50, (0.0, 0.0, 0.0)) for foot in ("left", "right") for part in ("heel", "toe")]

    cleaned = clean(motion, plants, options=CleanOptions(places="motion"))

    drift, _ = drifts_and_speeds(cleaned.motion, body_of(skeleton), cleaned.plants)
    assert drift <= 0.002


def test_a_body_of_another_skeleton_is_refused():
    case = made_to_slide(0)
    other = Skeleton(("Hips",), np.array([-1]), np.zeros((1, 3)))

    with pytest.raises(SkeletonError, match="the body belongs to another skeleton"):
        clean(Motion(other, 1 / 60, np.zeros((1, 3)), np.array([[[1.0, 0.0, 0.0, 0.0]]])), [], case.body)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reach": 0.0}, "reach must be above 0, not 0 m; 0.15 to 0.30 is usual"),
        ({"reach": float("nan")}, "reach must be above 0, not nan m"),
        ({"fade_secs": 0.0}, "a fade of 0 s is not possible; 0.45 is usual"),
        ({"fade_secs": float("inf")}, "a fade of inf s is not possible"),
        ({"follow_secs": 0.0}, "follow_secs must be above 0, not 0; 0.15 is usual"),
        ({"let_go": 0.0}, "let_go must be above 0, not 0 m/s; 0.15 is usual, inf means never"),
        ({"places": "nowhere"}, 'places must be "given" or "motion", not \'nowhere\''),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        CleanOptions(**options)


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("which", range(3))
def test_the_kernel_does_what_its_steps_do(which, rate_hz):
    case = made_to_slide(which, **SLIDES["sway"])
    motion = resample(case.motion, frame_time=1.0 / rate_hz)
    scale = case.motion.frame_time * rate_hz
    plants = [
        replace(plant, start=int(plant.start * scale), stop=max(int(plant.stop * scale), int(plant.start * scale) + 1))
        for plant in case.plants
        if int(plant.start * scale) < motion.n_frames
    ]
    options = CleanOptions(places="motion")

    cleaner = build_cleaner(case.body)
    cleaned = cleaner.clean(motion, plants, options=options)
    expected = clean_reference(motion, plants, case.body, options=options)
    root, local = cleaner.clean_arrays(
        motion.root_positions, motion.rotations, plants, frame_time=motion.frame_time, options=options
    )

    np.testing.assert_allclose(cleaned.motion.rotations, expected.motion.rotations, atol=1e-9)
    np.testing.assert_allclose(cleaned.root_moves, expected.root_moves, atol=1e-9)
    np.testing.assert_array_equal(local, cleaned.motion.rotations)
    np.testing.assert_array_equal(root, cleaned.motion.root_positions)
    assert [held.reason for held in cleaned.plants] == [held.reason for held in expected.plants]


def test_steps_that_are_made_up_lift_the_feet():
    """A statue that is pushed by 30 cm, as feet are in a blend whose sources step at other times."""
    motion, plants = walks()[0]
    flat = next(plant.start for plant in plants if plant.part == "toe") + 2
    pushed = np.repeat(motion.root_positions[flat : flat + 1], 90, axis=0)
    pushed[:, 2] += 0.3 * np.clip((np.arange(90) - 20) / 30, 0.0, 1.0)
    statue = replace(motion.slice(0, 90), root_positions=pushed, rotations=np.tile(motion.rotations[flat], (90, 1, 1)))
    body = body_of(motion.skeleton)
    points = body.feet.world(statue).reshape(90, 2, 2, 3)
    standing = [
        Plant(foot, part, start, stop, tuple(points[start, f, p]))
        for f, foot in enumerate(("left", "right"))
        for p, part in enumerate(("heel", "toe"))
        for start, stop in ((0, 20), (51, 90))
    ]
    arrays = (statue.root_positions, statue.rotations, standing)
    cleaner, times = build_cleaner(body), {"frame_time": statue.frame_time}

    root, local = cleaner.clean_arrays(*arrays, **times, made_up=np.arange(90) == 30)

    expected = clean_reference(statue, standing, body, options=CleanOptions(), made_up=np.arange(90) == 30).motion
    np.testing.assert_allclose(local, expected.rotations, atol=1e-9)
    np.testing.assert_allclose(root, expected.root_positions, atol=1e-9)
    raised = body.feet.world(expected).reshape(90, 2, 2, 3)[..., 1] - points[..., 1]
    assert ((raised.max(axis=0) > 0.02) & (raised.max(axis=0) < 0.031)).all()  # in the air legs follow nearly
    assert np.abs(raised[[*range(20), *range(51, 90)]]).max() < 0.001
    for made_up in (None, np.arange(90) == 60):
        assert np.array_equal(cleaner.clean_arrays(*arrays, **times, made_up=made_up)[1], statue.rotations)
