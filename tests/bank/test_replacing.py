"""Files that are read anew: another unit, rate or first frame for a clip that is there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bank.small_banks import all_rows, write_bvh
from conftest import swaying_body
from motionary.bank import Bank, ImportOptions, ImportReport, Label, import_motions, read_labels
from motionary.bank.replacing import moved_labels
from motionary.formats import bvh_text
from motionary.motion import Space, recording_of, rotations
from motionary.plants import Plant


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_bvh(tmp_path / "walk.bvh", n_frames=10)


def again(bank: Bank, path: Path, **options: Any) -> ImportReport:
    """Import a file that is there; rehearsed, it says the same."""
    said = import_motions(bank, [path], options=ImportOptions(replace=True, **options), dry_run=True)
    report = import_motions(bank, [path], options=ImportOptions(replace=True, **options))
    assert said == report
    assert bank.check() == []
    return report


def test_space_rate_licence_and_credit_are_corrected_and_come_back(bank: Bank, path: Path) -> None:
    import_motions(bank, [path], options=ImportOptions(unit_metres=0.01, licence="CC0", credit="Me"))
    bank.rename("walk", "first")  # the file tells which clip it is
    bank.label(["first:2-6", "first"], ["calm"])
    before, values = (
        all_rows(bank, but=("changes", "row_changes", "recordings", "frames", "skeletons")),
        bank.recording(1),
    )

    report = again(bank, path, unit_metres=0.1, up="z", handedness="left", frame_time=0.01, credit="You")

    assert (report.added, report.known, report.replaced) == ([], [], [(str(path), "first")])
    assert report.as_json()["replaced"] == [{"file": str(path), "clip": "first"}]
    clip = bank.clip("first")
    assert (clip.id, clip.frame_time, clip.licence, clip.credit) == (1, 0.01, "CC0", "You")
    assert bank.recording(1).space == Space(0.1, "z", "left")
    assert np.array_equal(bank.recording(1).values, values.values)
    assert bank.labels(1) == [Label("calm"), Label("calm", 2, 6)]
    assert len(bank.clips()) == 1

    assert bank.undo().command == f"import {path}"
    assert all_rows(bank, but=("changes", "row_changes", "recordings", "frames", "skeletons")) == before
    assert bank.recording(1).space == values.space


def test_what_is_like_the_file_is_known(bank: Bank, path: Path, tmp_path: Path) -> None:
    import_motions(bank, [path], options=ImportOptions(unit_metres=0.01))
    rows = all_rows(bank)

    assert again(bank, path, unit_metres=0.01).known == [(str(path), "walk")]
    assert all_rows(bank) == rows
    (tmp_path / "labels.csv").write_text("clip,label,description\nwalk,calm,a walk\n")
    report = again(bank, path, unit_metres=0.01, labels=read_labels(tmp_path / "labels.csv"))

    assert (report.replaced, report.labelled) == ([(str(path), "walk")], [("walk", 1)])
    assert (bank.clip("walk").description, bank.clip("walk").labels) == ("a walk", ("calm",))


def test_files_that_are_new_are_added(bank: Bank, path: Path, tmp_path: Path) -> None:
    other = write_bvh(tmp_path / "other" / "walk.bvh", 5)
    import_motions(bank, [path])

    assert again(bank, other).added == [(2, "walk~2")]  # of the same name, but another file
    assert import_motions(bank, [path], options=ImportOptions(frame_time=0.01)).warnings[0] == (
        "walk~3",
        "comes from the same file as walk; --replace changes that one instead",
    )


def test_a_file_that_was_moved_is_known_by_name_and_frames(bank: Bank, path: Path, tmp_path: Path) -> None:
    import_motions(bank, [path], options=ImportOptions(up="y"))
    moved = write_bvh(tmp_path / "elsewhere" / "walk.bvh", n_frames=10)

    assert again(bank, moved, up="z").replaced == [(str(moved), "walk")]
    assert bank.recording("walk").space.up == "z"


def test_labels_move_with_a_dropped_t_pose_and_places_go(bank: Bank, tmp_path: Path) -> None:
    body = swaying_body(n_frames=40)
    bent = rotations.multiply(body.rotations, rotations.from_rotation_vector(np.array([0.4, 0.0, 0.0])))
    bent[0] = (1.0, 0.0, 0.0, 0.0)
    path = tmp_path / "body.bvh"
    path.write_bytes(bvh_text(recording_of(replace(body, rotations=bent))))
    import_motions(bank, [path])
    bank.label(["body:0-1"], ["t"])
    bank.label(["body:0-20", "body:30-40"], ["x"])
    bank.set_plants("body", [Plant("left", "heel", 1, 4, (0.0, 0.0, 0.0), "hand")])
    bank.set_body_map("body", {"Head": "Head"})

    report = again(bank, path, drop_t_pose=True, unit_metres=0.5)

    assert [(label.name, label.start, label.stop) for label in bank.labels(1)] == [("x", 0, 19), ("x", 29, 39)]
    warnings = [warning for _, warning in report.warnings]
    assert "label 't' on frames 0-1 was removed: the clip no longer has these frames" in warnings
    assert "the plants of the earlier version were removed (1)" in warnings
    assert bank.plants(1) == []
    maps = [(row[1], row[2]) for row in all_rows(bank)["body_maps"]]
    assert maps == [(1, '{"Head": "Head"}'), (2, '{"Head": "Head"}')]

    again(bank, path)
    assert [(label.name, label.start, label.stop) for label in bank.labels(1)] == [("x", 1, 20), ("x", 30, 40)]


def test_labels_beyond_a_shorter_file_are_cut_or_gone() -> None:
    labels = [Label("whole"), Label("a", 0, 3), Label("b", 2, 9), Label("c", 7, 9)]

    moved, lost = moved_labels(labels, shift=0, n_frames=5)

    assert moved == [Label("whole"), Label("a", 0, 3), Label("b", 2, 5)]
    assert lost == [
        "label 'b' on frames 2-9 now ends at frame 5, where the clip ends",
        "label 'c' on frames 7-9 was removed: the clip no longer has these frames",
    ]
