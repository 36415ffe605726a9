"""Performances: one rule for the plants that a clip has, for every command."""

from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import MappingError
from motionary.facts import describe
from motionary.library import performance
from motionary.motion import Motion, Segment, Skeleton, recording_of
from motionary.picture.rows import row_of
from motionary.plants import Plant, contacts_of_plants, detect_plants
from motionary.sample import make_library

HAND = (Plant("left", "heel", 5, 40, (0.0, 0.0, 0.0)), Plant("right", "toe", 30, 60, (0.3, 0.0, 0.1)))


@pytest.fixture
def bank(tmp_path: Path):
    take = next(iter(make_library(minutes=0.5, seed=5)))
    with Bank.open(tmp_path / "acted.bank", create=True) as bank:
        bank.add("walk", recording_of(take.motion))
        skeleton = Skeleton(("spine", "tail"), np.array([-1, 0]), np.array([[0.0, 0.5, 0.0], [0.0, 0.0, -0.3]]))
        still = Motion(skeleton, 1 / 30, np.zeros((80, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (80, 2, 1)))
        bank.add("dog", recording_of(still))
        yield bank


def test_a_clip_without_kept_plants_has_those_detected_in_it(bank):
    motion = bank.motion("walk")

    walk = performance(bank, "walk")

    assert walk.plants_origin is None
    assert walk.plants == detect_plants(motion, walk.body).plants != ()
    assert np.array_equal(walk.motion.rotations, motion.rotations)
    assert walk.contacts.shape == (motion.n_frames, 2, 2)
    assert np.array_equal(walk.foot_contacts, walk.contacts.any(axis=2))


@pytest.mark.parametrize("plants", [HAND, ()], ids=["some", "none"])
def test_kept_plants_count_even_if_they_are_none_and_everybody_agrees(bank, plants):
    bank.set_plants("walk", plants)
    clip = bank.clip("walk")
    expected = contacts_of_plants(plants, clip.n_frames)

    walk = performance(bank, clip)

    assert (walk.plants, walk.plants_origin) == (plants, "hand")
    assert np.array_equal(walk.foot_contacts, expected)
    assert np.array_equal(describe(bank, "walk").contacts, expected)
    assert np.array_equal(row_of(bank, clip.segment).contacts, expected)


@pytest.mark.parametrize("kept", [False, True])
def test_a_segment_has_the_plants_of_its_clip_cut_at_its_ends(bank, kept):
    if kept:
        bank.set_plants("walk", HAND)
    whole = performance(bank, "walk")

    part = performance(bank, "walk:20-50")

    assert np.array_equal(part.foot_contacts, whole.foot_contacts[20:50])
    assert part.clip_plants == whole.plants
    assert np.array_equal(part.motion.rotations, whole.motion.rotations[20:50])
    assert whole.within(part.segment).plants == part.plants
    assert np.array_equal(row_of(bank, part.segment).contacts, whole.foot_contacts[20:50])
    with pytest.raises(ValueError, match="not a segment of clip"):
        part.within(Segment(part.clip.id, 0, 100_000))


def test_what_is_no_person_has_only_the_plants_that_are_kept(bank):
    dog = performance(bank, "dog")

    assert not dog.has_body
    with pytest.raises(MappingError):
        dog.plants  # noqa: B018
    assert row_of(bank, dog.segment).contacts is None
    bank.set_plants("dog", HAND)
    assert performance(bank, "dog").plants == HAND
    assert row_of(bank, dog.segment).contacts.any()
    assert describe(bank, "dog").contacts.shape == (80, 2)


def test_a_plant_never_appears_in_a_segment_only(bank):
    """A foot high above the floor rests nowhere in its clip, though it may look so in some frames of it."""
    bank.add("wild", recording_of(wild_body(3, n_frames=120)))
    whole = performance(bank, "wild")

    for start in range(0, 120, 30):
        row = row_of(bank, Segment(whole.clip.id, start, start + 30))
        assert np.array_equal(row.contacts, whole.foot_contacts[start : start + 30])
