"""Rows of a picture: bodies as tall as others, joints in another colour, feet that stand."""

from dataclasses import replace

import numpy as np
import pytest

from motionary.alignment import Alignment
from motionary.bank import Bank
from motionary.motion import Segment, recording_of
from motionary.picture import Row
from motionary.picture.mannequin import mannequin_of
from motionary.picture.rows import as_tall_as, highlighted, how_near, row_of
from motionary.plants import Plant, detect_plants
from motionary.rig import reference_skeleton
from motionary.search import Match


def test_a_body_is_drawn_as_tall_as_the_others_and_moves_as_far_for_its_size(walk, stand):
    child = Row(stand(reference_skeleton(1.1)))

    grown = as_tall_as(Row(walk(30)), [child, child])

    sizes = [mannequin_of(row.motion.skeleton).size for row in (grown, child)]
    assert sizes[0] == pytest.approx(sizes[1])
    assert np.ptp(grown.motion.root_positions, axis=0) == pytest.approx(
        np.ptp(walk(30).root_positions, axis=0) * 1.1 / 1.75
    )
    assert grown.motion.rotations is walk(30).rotations or np.array_equal(grown.motion.rotations, walk(30).rotations)
    assert as_tall_as(child, []) is child


def test_parts_of_the_reference_skeleton_are_joints_of_the_row(walk):
    row = Row(walk(5))

    assert highlighted(row, ()) is row
    assert highlighted(row, ["LeftHand", "Head"]).highlight == ["Head", "LeftHand"]
    assert highlighted(row, ["nothing that is there"]).highlight == []


@pytest.mark.parametrize(
    ("method", "distance", "mean", "text"),
    [
        ("dtw", 1.0, 3.21, "3.3 cm"),
        ("dtw", 1.0, 3.2, "3.2 cm"),
        ("euclid", -1.0, -0.57, "-0.5 cm"),
        ("lcss", 0.07, 3.21, "93% in common"),
        ("lcss", 0.201, 3.21, "79% in common"),
    ],
)
def test_what_a_picture_says_of_a_match_can_be_given_as_a_threshold(method, distance, mean, text):
    alignment = Alignment(np.array([[0, 0], [1, 1]]))

    assert how_near(Match(Segment(1, 0, 2), distance, mean, "cm", method, alignment, 2, 30.0)) == text


@pytest.fixture
def lifted(tmp_path, stand):
    """A bank with a body that stands for two seconds and is then held 1.2 m up, quite still, for one."""
    still = stand(reference_skeleton(), 210, 1 / 60)
    height = np.interp(np.arange(210), [120, 150], [0.0, 1.2])[:, None] * np.array([0.0, 1.0, 0.0])
    motion = replace(still, root_positions=still.root_positions + height)
    with Bank.open(tmp_path / "lifted.bank", create=True) as bank:
        bank.add("lifted", recording_of(motion))
        yield bank


def test_feet_stand_in_a_segment_as_they_do_in_its_clip(lifted):
    clip = lifted.clip("lifted")
    whole = detect_plants(lifted.motion("lifted")).foot_contacts

    hanging = row_of(lifted, Segment(clip.id, 150, 210))

    assert whole[:115].all()
    assert not whole[150:].any()
    np.testing.assert_array_equal(hanging.contacts, whole[150:210])
    assert hanging.floor.height == pytest.approx(0.0, abs=0.01)


def test_kept_plants_are_drawn_be_they_none(lifted):
    clip = lifted.clip("lifted")

    lifted.set_plants("lifted", [])
    none = row_of(lifted, clip.segment).contacts
    lifted.set_plants("lifted", [Plant("left", "toe", 5, 9, (0.0, 0.0, 0.0))])
    one = row_of(lifted, clip.segment).contacts

    assert not none.any()
    assert np.argwhere(one).tolist() == [[5, 0], [6, 0], [7, 0], [8, 0]]
