"""The seven uses that docs/editing.md shows, on the sample library: each does what it is for."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.edit import Subject, apply_edit, learn_operation
from motionary.edit.curves import turns_of
from motionary.edit.subjects import subject_of_clip
from motionary.motion import Segment, oddities, rotations
from motionary.plants import part_contacts_of_plants
from motionary.sample import sample_into
from motionary.search import search_bank


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("uses") / "library.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=2.0)
    return path


@pytest.fixture
def bank(library: Path, tmp_path: Path) -> Iterator[Bank]:
    shutil.copy(library, tmp_path / "library.bank")
    with Bank.open(tmp_path / "library.bank") as bank:
        yield bank


def part(bank: Bank, segment: Segment | str) -> Subject:
    found = bank.segment_of(segment)
    return subject_of_clip(bank, bank.clip(found.clip_id)).slice(found.start, found.stop)


def joint(subject: Subject, name: str) -> int:
    assert subject.body is not None
    return subject.body.body_map.joints[name]


def test_glitches_are_removed(bank: Bank) -> None:
    motion = bank.motion("#4")
    places, turned = np.array(motion.root_positions), np.array(motion.rotations)
    places[300:] += [0.6, 0.0, 0.3]
    elbow = joint(part(bank, "#4"), "LeftForearm")
    turned[80, elbow] = rotations.multiply(turned[80, elbow], rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.0))
    bank.set_motion("#4", replace(motion, root_positions=places, rotations=turned), command="break")

    apply_edit(bank, "#1:0-60", "mend", to="oddity:root jump")
    apply_edit(bank, "#4:34-129", "deglitch")

    mended = bank.motion("#4")
    assert not [one for one in oddities(mended) if one.kind == "root jump"]
    assert np.abs(mended.root_positions - motion.root_positions).max() < 0.05
    assert rotations.angle_between(mended.rotations[80, elbow], motion.rotations[80, elbow]) < 0.1


def test_what_a_character_cannot_do_is_brought_within_limits(bank: Bank) -> None:
    """Limits learnt from gestures with hanging arms let no arm up."""
    limits = learn_operation(bank, "limits", ["#3:793-996"], share=0.99)
    before = part(bank, "#5:45-181")
    apply_edit(bank, "#5:45-181", limits)
    after = part(bank, "#5:45-181")

    heights = [one.motion.positions_world[:, joint(one, "RightHand"), 1].max() for one in (before, after)]
    assert heights[1] < heights[0] - 0.3


def test_a_library_is_adapted_to_a_character(bank: Bank) -> None:
    style = learn_operation(bank, "style", ["#4:533-897", "#5:528-826"])
    walks = bank.labelled("walk")
    heights = {one: part(bank, one).motion.root_positions[:, 1].min() for one in walks}
    report = apply_edit(bank, walks[0], style, to="label:walk")

    assert report.n_changed == len(walks)
    assert all(row["slide_after_cm"] <= 0.2 for row in report.rows)
    for before, after in zip(heights, bank.labelled("walk"), strict=True):
        now = part(bank, after)
        contacts = part_contacts_of_plants(now.plants, now.motion.n_frames).any(axis=2)
        assert np.abs(now.motion.root_positions[:, 1].min() - heights[before]) > 0.01
        assert 0.1 < contacts[:, 0].mean() < 1.0  # each foot steps
        assert 0.1 < contacts[:, 1].mean() < 1.0


def test_recurring_actions_are_swapped(bank: Bank) -> None:
    wave, shrugs = bank.motion("#5:45-181"), bank.labelled("shrug")
    apply_edit(bank, shrugs[0], "replace", {"source": "#5:45-181"}, to="label:shrug")
    nearest = search_bank(bank, wave, k=len(shrugs) + 1, mirrored="no").matches

    assert {one.clip_id for one in shrugs} <= {match.segment.clip_id for match in nearest}


def test_repeats_become_various(bank: Bank) -> None:
    runs = bank.labelled("run")
    before = [part(bank, one).motion for one in runs]
    apply_edit(bank, runs[0], "noise", to="label:run", vary={"amplitude_deg": (1.0, 4.0), "frequency_hz": (0.5, 2.0)})
    changes = []
    for one, motion in zip(runs, before, strict=True):
        now = part(bank, one)
        turn = rotations.multiply(now.motion.rotations, rotations.inverse(motion.rotations))
        changes.append(rotations.to_rotation_vector(turn)[20:60, joint(now, "LeftUpperArm")])

    assert all(np.abs(one).max() > np.radians(0.3) for one in changes)
    assert all(np.abs(a - b).max() > np.radians(0.3) for i, a in enumerate(changes) for b in changes[:i])


def test_gestures_are_removed(bank: Bank) -> None:
    """The arms forget the wave; the slouch goes with its frames."""
    apply_edit(bank, "#5:45-181", "bridge", to="label:wave", joints=["arms"])
    for segment in bank.labelled("wave"):
        now = part(bank, segment)
        arm = turns_of(now.motion, now.rest)[:, joint(now, "RightUpperArm")]
        assert rotations.angle_between(arm, arm[0]).max() < np.radians(25.0)

    n_frames = {clip.id: clip.n_frames for clip in bank.clips()}
    slouches = bank.labelled("slouch")
    apply_edit(bank, slouches[0], "delete", to="label:slouch")
    assert "slouch" not in {name for name, _, _ in bank.label_counts()}
    for one in slouches:
        assert bank.clip(one.clip_id).n_frames == n_frames[one.clip_id] - one.n_frames


def test_a_library_grows(bank: Bank) -> None:
    report = apply_edit(
        bank, "#2:812-954", "emote", vary={"vertical": (-1.0, 1.0), "horizontal": (-1.0, 1.0)}, new_clips=True,
        variants=2,
    )  # fmt: skip
    motions = [bank.motion(name).positions_world for name in ("#2", *report.new_clips)]

    assert len(report.new_clips) == 2
    assert all(np.linalg.norm(a - b, axis=-1).max() > 0.02 for i, a in enumerate(motions) for b in motions[:i])
    assert [clip.name for clip in bank.made_of("#2")] == list(report.new_clips)
