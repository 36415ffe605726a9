"""Plants, clean-up, scores and masses of clips in a bank, against the functions that see motions."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from conftest import swaying_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.feet import (
    LeftAlone,
    add_plants,
    clean_each,
    clean_segments,
    fit_library,
    remove_plants,
    score_segments,
    store_plants,
    weigh,
)
from motionary.library import performance
from motionary.motion import ChannelLayout, Motion, Recording, Skeleton, Space, recording_of, rotations
from motionary.plants import Plant, detect_plants
from motionary.rig import body_of
from motionary.sample import make_library


@pytest.fixture(scope="module")
def take():
    return next(iter(make_library(minutes=0.5, seed=5)))


@pytest.fixture
def bank(tmp_path: Path, take):
    """A bank with a take as it was made, without its truth, and the same take with feet that slide."""
    secs = np.arange(take.motion.n_frames) * take.motion.frame_time
    sway = 0.04 * np.stack([np.sin(4.0 * secs), 0.0 * secs, np.cos(3.0 * secs)], axis=1)
    sliding = replace(take.motion, root_positions=take.motion.root_positions + sway)
    with Bank.open(tmp_path / "feet.bank", create=True) as bank:
        bank.add("made", recording_of(take.motion))
        bank.add("sliding", recording_of(sliding), plants=[replace(plant, origin="hand") for plant in take.plants])
        bank.add("dog", recording_of(_dog()))
        yield bank


def _dog() -> Motion:
    skeleton = Skeleton(("spine", "tail"), np.array([-1, 0]), np.array([[0.0, 0.5, 0.0], [0.0, 0.0, -0.3]]))
    return Motion(skeleton, 1 / 30, np.zeros((10, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (10, 2, 1)))


def test_detected_plants_are_kept_and_taken_back_by_one_undo(bank):
    expected = detect_plants(bank.motion("made")).plants

    results = store_plants(bank, ["made", "sliding", "dog"])

    assert bank.plants(bank.clip("made")) == sorted(expected, key=lambda p: (p.start, p.foot, p.part))
    assert results[0].n_plants == len(expected)
    assert results[1].left_out == "its plants were set by hand"
    assert "missing" in results[2].left_out or "no" in results[2].left_out
    assert results[0].as_json()["floor_height_m"] == pytest.approx(0.0, abs=0.01)
    bank.undo()
    assert bank.plants(bank.clip("made")) == []


def test_a_dry_run_keeps_no_plants(bank):
    store_plants(bank, ["made"], dry_run=True)

    assert bank.plants(bank.clip("made")) == []
    assert performance(bank, "made").plants_origin is None


def test_plants_by_hand_replace_what_is_in_their_way(bank):
    clip = bank.clip("made")
    bank.set_plants(
        "made", [Plant("left", "heel", 0, 50, (0.0, 0.0, 0.0)), Plant("right", "heel", 0, 50, (1.0, 0.0, 0.0))]
    )

    add_plants(bank, ["made:10-20"], foot="left", parts=["heel"], place=(0.5, 0.0, 0.5))

    assert [(p.foot, p.start, p.stop) for p in bank.plants(clip)] == [
        ("left", 0, 10), ("right", 0, 50), ("left", 10, 20), ("left", 20, 50),
    ]  # fmt: skip
    assert remove_plants(bank, ["made:5-30"], feet=["left"]) == 3
    assert [(p.foot, p.start, p.stop) for p in bank.plants(clip)] == [
        ("left", 0, 5),
        ("right", 0, 50),
        ("left", 30, 50),
    ]


def test_a_plant_without_a_place_stands_where_the_foot_is(bank, take):
    heel = next(p for p in take.plants if p.part == "heel" and p.stop - p.start > 10)

    (added,) = add_plants(bank, [f"made:{heel.start}-{heel.stop}"], foot=heel.foot, parts=["heel"])

    assert added.place == pytest.approx(heel.place, abs=0.002)


def test_cleaning_holds_the_feet_as_a_new_version_that_can_be_undone(bank):
    before = bank.motion("sliding")

    (result,) = clean_segments(bank, ["sliding"])

    cleaned = bank.motion("sliding")
    points = body_of(cleaned.skeleton).feet.world(cleaned)
    feet, parts = ("left", "right"), ("heel", "toe")
    for held in result.plants:
        if held.held:
            p = held.plant
            drift = points[p.start : p.stop, feet.index(p.foot), parts.index(p.part)]
            assert np.linalg.norm(drift - drift.mean(axis=0), axis=1).max() < 0.002
    assert sum(held.held for held in result.plants) > 0.9 * len(result.plants)
    assert result.as_json()["worst_after_cm"] < 0.2 < result.as_json()["worst_before_cm"]
    assert json.dumps(result.as_json())
    bank.undo()
    assert bank.motion("sliding").positions_world == pytest.approx(before.positions_world, abs=1e-9)


def test_cleaning_in_a_dry_run_changes_nothing(bank):
    n_changes = len(bank.log())

    (result,) = clean_segments(bank, ["sliding:0-200"], dry_run=True)

    assert result.mean_change > 0.001
    assert len(bank.log()) == n_changes


def test_sliding_feet_score_worse_and_cleaned_ones_well(bank):
    made, sliding = score_segments(bank, ["made", "sliding"])
    clean_segments(bank, ["sliding"])
    (cleaned,) = score_segments(bank, ["sliding"])

    assert sliding.naturalness.slide_mean > 5 * made.naturalness.slide_mean
    assert cleaned.naturalness.slide_mean < 0.3 * sliding.naturalness.slide_mean
    assert sliding.as_json()["slide_mean_cm"] == pytest.approx(100 * sliding.naturalness.slide_mean)


def test_bodies_are_weighed(bank):
    weighed = weigh(bank, "made", body_mass=70.0)

    assert weighed.masses.body_mass == 70.0
    assert weighed.displaced[0] == pytest.approx(1.0)
    assert weighed.as_json()["mass_kg"] == 70.0
    assert weighed.energy.min() >= 0.0


def test_masses_are_fitted_within_their_bounds(bank):
    fitted = fit_library(bank, bank.clips())

    assert sum(fitted.shares.values()) == pytest.approx(1.0)
    assert all(abs(moved) <= 0.3 + 1e-9 for moved in fitted.moved.values())


def test_another_length_cannot_replace_a_clips_motion(bank):
    with pytest.raises(UsageError, match="has 1919 frames, but the new motion has 10"):
        bank.set_motion("made", bank.motion("made:0-10"), command="cut")


def test_a_motion_that_needs_more_channels_gets_them_in_the_clips_own_unit(bank):
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]))
    layout = ChannelLayout(np.array([0] * 6 + [1]), np.array([0, 1, 2, 5, 3, 4, 3]))
    bank.add("narrow", Recording(skeleton, layout, np.full((5, 7), 12.0), 1 / 30, Space(0.01, "z")))
    motion = bank.motion("narrow")
    turned = replace(motion, rotations=rotations.multiply(rotations.from_axis_angle([0, 1, 1], 0.3), motion.rotations))

    bank.set_motion("narrow", turned, command="turn")

    assert bank.motion("narrow").positions_world == pytest.approx(turned.positions_world, abs=1e-8)
    assert bank.recording("narrow").space == Space(0.01, "z")


def test_plants_by_hand_begin_with_the_detected_ones_and_stay(bank):
    detected = detect_plants(bank.motion("made")).plants

    add_plants(bank, ["made:100-110"], foot="left", parts=["heel"], place=(0.0, 0.0, 0.0))

    assert len(bank.plants(bank.clip("made"))) >= len(detected)
    remove_plants(bank, ["made"])
    assert performance(bank, "made").plants == ()
    assert store_plants(bank, ["made"])[0].left_out == "its plants were set by hand"


def test_a_score_after_cleaning_agrees_with_the_report(bank):
    bank.set_plants("made", (), origin="hand")
    bank.undo()
    clean_segments(bank, ["sliding"])
    (scored,) = score_segments(bank, ["sliding"])

    held = clean_segments(bank, ["sliding"], dry_run=True)[0]
    assert scored.naturalness.plant_error < 0.003
    assert not held.changed or held.mean_change < 0.001


def test_cleaning_several_segments_is_one_change(bank):
    n_changes = len(bank.log())

    clean_segments(bank, ["sliding:0-300", "sliding:400-700"])

    assert len(bank.log()) == n_changes + 1


def test_where_nothing_was_measured_there_is_no_score(bank):
    bank.set_plants("made", (), origin="hand")

    (scored,) = score_segments(bank, ["made:0-5"])

    assert scored.as_json()["score_cm"] is None


def test_standing_on_the_hands_is_no_flight(tmp_path):
    for take in make_library(minutes=4.0, seed=20):
        wheel = next((label for label in take.labels if label.name == "cartwheel"), None)
        if wheel is not None:
            break
    with Bank.open(tmp_path / "wheel.bank", create=True) as bank:
        bank.add("wheel", recording_of(take.motion), plants=take.plants)
        (scored,) = score_segments(bank, [f"wheel:{wheel.start}-{wheel.stop}"])

    assert scored.naturalness.n_without_contact > 10  # the hands bear the body
    assert scored.naturalness.n_flight == 0


def test_key_poses_a_second_apart_are_seen_cleaned_and_scored(bank):
    """Each pose of a slow drift was a rest of its own, and there was no room for so many: memory was overwritten."""
    motion = swaying_body(n_frames=21, frame_time=1.0)
    drift = 0.08 * np.arange(21)[:, None] * np.array([0.0, 0.0, 1.0])
    bank.add("keys", recording_of(replace(motion, root_positions=motion.root_positions + drift)))

    (planted,) = store_plants(bank, ["keys"])
    (cleaned,) = clean_segments(bank, ["keys"], dry_run=True)
    (scored,) = score_segments(bank, ["keys"])

    assert planted.left_out == ""
    assert cleaned.after.n_frames == 21
    assert np.isfinite(scored.naturalness.score)


def test_many_clips_are_cleaned_as_one_change_and_what_has_no_body_is_left_alone(bank):
    (alone,) = clean_segments(bank, ["sliding"], dry_run=True)
    before = bank.newest_change

    cleaned = list(clean_each(bank, ["dog", "made", "sliding"]))

    assert isinstance(cleaned[0], LeftAlone)
    assert "missing" in cleaned[0].reason or "no" in cleaned[0].reason
    assert cleaned[2].as_json() == alone.as_json()
    assert np.array_equal(bank.motion("sliding").root_positions, alone.after.root_positions)
    assert len([entry for entry in bank.log() if entry.id > before]) == 1


def test_a_trial_of_many_clips_changes_nothing(bank):
    before = bank.newest_change

    assert len(list(clean_each(bank, ["made", "sliding"], dry_run=True))) == 2
    assert bank.newest_change == before


def test_plants_of_a_single_segment_are_logged_by_its_name(bank: Bank) -> None:
    for segment in ("made:10-20", bank.segment("made:10-20")):
        add_plants(bank, segment, foot="left", parts=["heel"], place=(0.5, 0.0, 0.5))
        assert bank.log(last=1)[0].command == "plants add made:10-20: left heel"
        assert remove_plants(bank, segment, feet=["left"]) >= 1
        assert bank.log(last=1)[0].command == "plants rm made:10-20: left heel and toe"
