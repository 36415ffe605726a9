"""What is said of clips and banks."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording
from conftest import swaying_body
from motionary import describe
from motionary.bank import Bank, Label
from motionary.facts import BankFacts, ClipFacts
from motionary.motion import Motion, recording_of
from motionary.plants import Plant


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def numbered(motion: Motion) -> tuple[Motion, dict[str, str]]:
    """The motion with joints whose names say nothing, and the map that says it."""
    names = tuple(f"bone{joint:02d}" for joint in range(motion.skeleton.n_joints))
    user_map = dict(zip(motion.skeleton.names, names, strict=True))
    return replace(motion, skeleton=replace(motion.skeleton, names=names)), user_map


def test_a_clip_is_described_with_its_curves(bank: Bank) -> None:
    bank.add("sway", recording_of(swaying_body()), labels=[Label("calm"), Label("bend", 3, 9)])

    facts = describe(bank, "sway")

    assert isinstance(facts, ClipFacts)
    assert (facts.clip.name, facts.unit, facts.up, facts.unmapped) == ("sway", "m", "y", "")
    assert [label.name for label in facts.labels] == ["calm", "bend"]
    assert facts.speed.shape == (60,)
    assert facts.contacts.shape == (60, 2)
    assert repr(facts) == f"ClipFacts(sway, 60 frames, {facts.mean_speed:.2f} m/s, 2 labels)"
    assert facts.as_json()["mapped"] is True
    assert set(facts.as_json()["contact_share"]) == {"left", "right"}


def test_a_map_gives_feet_to_a_clip_that_was_described_without(bank: Bank) -> None:
    motion, user_map = numbered(swaying_body())
    bank.add("named", recording_of(swaying_body()))
    bank.add("numbered", recording_of(motion))
    before = describe(bank, "numbered")
    assert before.unmapped.startswith("no joint found for Hips")
    assert before.contacts.shape == (60, 0)

    bank.set_body_map("numbered", user_map)
    mapped = describe(bank, "numbered")
    assert mapped.unmapped == ""
    assert np.array_equal(mapped.contacts, describe(bank, "named").contacts)

    bank.set_body_map("numbered", None)
    assert describe(bank, "numbered").contacts.shape == (60, 0)


def test_stored_plants_are_what_is_shown(bank: Bank) -> None:
    bank.add("sway", recording_of(swaying_body()))
    bank.set_plants("sway", [Plant("right", "toe", 10, 20, (0.0, 0.0, 0.0), origin="hand")])

    facts = describe(bank, "sway")

    assert facts.n_plants == 1
    assert np.flatnonzero(facts.contacts[:, 1]).tolist() == list(range(10, 20))
    assert not facts.contacts[:, 0].any()


def test_a_creature_says_why_it_has_no_feet(bank: Bank) -> None:
    bank.add("hips", recording())

    facts = describe(bank, "hips")

    assert "use the motion only with its own skeleton" in facts.unmapped
    assert facts.as_json()["contact_share"] == {}


def test_a_bank_is_described_as_a_whole(bank: Bank) -> None:
    bank.add("a", recording(1, frame_time=1 / 29.97))
    bank.add("b", recording(2, n_frames=6), labels=[Label("good"), Label("good", 1, 3)])

    facts = describe(bank)

    assert isinstance(facts, BankFacts)
    assert (facts.n_clips, facts.n_frames, facts.n_skeletons) == (2, 10, 1)
    assert facts.rates_hz == (29.97, 30.0)
    assert facts.labels == (("good", 1, 1),)
    assert facts.as_json()["labels"] == {"good": {"clips": 1, "segments": 1}}


def test_an_empty_bank_is_described_too(bank: Bank) -> None:
    assert describe(bank).as_json()["rates_hz"] == []


def test_an_artificial_pose_and_zero_frames_have_no_speed(bank: Bank) -> None:
    sway = swaying_body()
    odd = Motion(sway.skeleton, sway.frame_time, np.array(sway.root_positions), np.array(sway.rotations))
    odd.root_positions[50:] = 0.0
    odd.rotations[50:] = (1.0, 0.0, 0.0, 0.0)
    bank.add("odd", recording_of(odd))
    bank.add("sway", recording_of(sway.slice(0, 50)))

    odd_facts, facts = describe(bank, "odd"), describe(bank, "sway")

    assert np.isnan(odd_facts.speed).nonzero()[0].tolist() == list(range(50, 60))
    assert odd_facts.speed[:50] == pytest.approx(facts.speed, abs=1e-4)
    assert odd_facts.as_json()["mean_speed"] == pytest.approx(facts.as_json()["mean_speed"], abs=1e-3)


def test_a_clip_of_nothing_has_no_mean_speed_to_speak_of(bank: Bank) -> None:
    sway = swaying_body(n_frames=3)
    bank.add("zero", recording_of(replace(sway, root_positions=np.zeros((3, 3)), rotations=np.eye(4)[[[0] * 24] * 3])))

    assert describe(bank, "zero").as_json()["mean_speed"] == 0.0
