"""Imports: order, copies, bad files, interruption, labels; always the same bank in the end."""

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acclaim_files import Bone, Case
from bank.small_banks import all_rows, recording, write_bvh
from conftest import swaying_body
from motionary.bank import Bank, ImportOptions, ImportReport, Label, import_motions, import_reading, read_labels
from motionary.bank import importing as importing_module
from motionary.bank.sqlite_errors import readable
from motionary.errors import BankError, UsageError
from motionary.formats import bvh_text
from motionary.motion import Space, recording_of, rotations
from motionary.workers import WorkerDiedError

PATHS = ["b.bvh", "a/2.bvh", "a/10.bvh", "a/b/c.bvh", "Z.bvh", "ä.bvh"]
NAMES = ["Z", "a/10", "a/2", "a/b/c", "b", "ä"]  # as paths are sorted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, path in enumerate(PATHS):
        write_bvh(tmp_path / "in" / path, seed)
    return tmp_path / "in"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def names(bank: Bank) -> list[str]:
    return [clip.name for clip in bank.clips()]


@pytest.mark.thorough
def test_ids_follow_the_sorted_paths_for_any_number_of_processes(folder: Path, tmp_path: Path) -> None:
    (folder / "bad.bvh").write_text("HIERARCHY\nnonsense")
    banks = []
    for n_processes in (1, 2, 3):
        with Bank.open(tmp_path / f"{n_processes}.bank", create=True) as bank:
            report = import_motions(bank, [folder], processes=n_processes)
            assert [name for _, name in report.added] == names(bank) == NAMES
            assert [clip_id for clip_id, _ in report.added] == [1, 2, 3, 4, 5, 6]
            assert [(Path(file).name, "bad.bvh:2" in error) for file, error in report.failed] == [("bad.bvh", True)]
            assert bank.check() == []
            banks.append(all_rows(bank))
    assert banks[0] == banks[1] == banks[2]


def test_a_whole_import_is_undone_by_one_undo(folder: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_module, "COMMIT_SECS", 0.0)  # a commit for every file
    import_motions(bank, [folder])

    assert [change.command for change in bank.log()] == [f"import {folder}"]
    assert bank.undo().n_rows == 6
    assert names(bank) == []
    assert [name for _, name in import_motions(bank, [folder]).added] == NAMES
    assert [clip.id for clip in bank.clips()] == [7, 8, 9, 10, 11, 12]


def test_an_undone_or_purged_import_goes_on_as_another_change(
    folder: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_module, "COMMIT_SECS", 0.0)

    def undo(done: int, _: int, __: str) -> None:
        if done == 3:
            bank.undo()
        if done == 5:
            bank.purge(["a/b/c", "b"])

    import_motions(bank, [folder], processes=1, progress=undo)
    assert names(bank) == ["ä"]
    assert bank.check() == []
    bank.undo()
    assert names(bank) == []


def test_the_same_motion_is_noticed_by_content(folder: Path, bank: Bank) -> None:
    write_bvh(folder / "zz.bvh", 0)
    report = import_motions(bank, [folder])
    assert report.copies == [(str(folder / "zz.bvh"), "b")]
    assert names(bank) == NAMES

    again = import_motions(bank, [folder])
    assert (again.added, len(again.known), again.copies) == ([], 6, report.copies)
    assert len(bank.log()) == 1

    elsewhere = write_bvh(folder.parent / "elsewhere.bvh", 1)
    assert import_motions(bank, [elsewhere]).copies == [(str(elsewhere), "a/2")]
    for _ in range(2):  # kept once, however often the import is run
        import_motions(bank, [folder, elsewhere], options=ImportOptions(keep_copies=True))
        assert names(bank) == [*NAMES, "elsewhere", "zz"]
    assert len(all_rows(bank)["frames"]) == 6


def test_another_body_or_rate_is_no_copy(bank: Bank, tmp_path: Path) -> None:
    write_bvh(tmp_path / "in/a.bvh", 0)
    write_bvh(tmp_path / "in/b.bvh", 0, bone=30.0)
    (tmp_path / "in/c.bvh").write_bytes(bvh_text(recording(0, frame_time=1 / 60)))

    import_motions(bank, [tmp_path / "in"])

    assert names(bank) == ["a", "b", "c"]


def test_taken_names_are_told_apart(bank: Bank, tmp_path: Path) -> None:
    for i, path in enumerate(("x/walk.bvh", "y/walk.bvh")):
        write_bvh(tmp_path / path, i)

    report = import_motions(bank, [tmp_path / "x", tmp_path / "y"])

    assert names(bank) == ["walk", "walk~2"]
    assert report.warnings == [] or all("walk" in who for who, _ in report.warnings)
    assert len(import_motions(bank, [tmp_path / "y", tmp_path / "x"]).known) == 2


def test_odd_file_names_become_possible_clip_names(bank: Bank, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    odd = [
        " walk .bvh",
        "#12.bvh",
        "a\nb.bvh",
        "x:1-2.bvh",
        ".hidden.bvh",
        "__MACOSX/a.bvh",
        "UPPER.BVH",
        "dots.v2.bvh",
    ]
    for i, name in enumerate(odd):
        write_bvh(folder / name, i)
    os.rename(write_bvh(folder / "raw.bvh", 50), os.fsencode(folder) + b"/\xff\xfe.bvh")

    report = import_motions(bank, [folder])

    assert report.failed == []
    assert sorted(names(bank)) == sorted(["walk", "_#12", "a_b", "x:1-2", "UPPER", "dots.v2", "__"])
    assert bank.clip("__").source.endswith(r"\xff\xfe.bvh")
    assert len(import_motions(bank, [folder]).known) == 7


def test_several_roots_are_a_clip_each(bank: Bank, tmp_path: Path) -> None:
    one, two = bvh_text(recording(0)).decode(), bvh_text(recording(1)).decode()
    tree, motion = one.split("MOTION")
    lines = zip(motion.splitlines()[3:], two.split("MOTION")[1].splitlines()[3:], strict=True)
    text = tree + tree.replace("HIERARCHY", "").replace("Hips", "Pelvis") + "MOTION\nFrames: 4\nFrame Time: 0.0333333\n"
    (tmp_path / "pair.bvh").write_text(text + "\n".join(f"{a} {b}" for a, b in lines) + "\n")
    (tmp_path / "labels.csv").write_text("clip,label\npair.Pelvis,second\npair,both\n")

    report = import_motions(
        bank, [tmp_path / "pair.bvh"], options=ImportOptions(labels=read_labels(tmp_path / "labels.csv"))
    )

    assert names(bank) == ["pair.Hips", "pair.Pelvis"]
    assert [clip.labels for clip in bank.clips()] == [("both",), ("both", "second")]
    assert not any("match no file" in warning for _, warning in report.warnings)


def test_archives_gzip_and_patterns(folder: Path, bank: Bank, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for path in PATHS:
            archive.write(folder / path, path)
        archive.writestr("readme.txt", "no motion")
    with tarfile.open(tmp_path / "in.tar.gz", "w:gz") as tar:
        tar.add(folder, "inner")
    packed = tmp_path / "packed" / "walk.bvh.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(bvh_text(recording(50))))

    assert [name for _, name in import_motions(bank, [tmp_path / "in.zip"]).added] == NAMES
    assert bank.clip("a/2").source == str(tmp_path / "in.zip" / "a" / "2.bvh")
    assert len(import_motions(bank, [tmp_path / "in.zip"]).known) == 6
    assert len(import_motions(bank, [tmp_path / "in.tar.gz"]).copies) == 6
    assert len(import_motions(bank, [str(folder / "**" / "*.bvh")]).copies) == 6
    assert len(import_motions(bank, [str(folder / "[a-b].bvh")]).copies) == 1
    assert [name for _, name in import_motions(bank, [packed.parent]).added] == ["walk"]


def test_a_dry_run_says_the_same_and_changes_nothing(folder: Path, bank: Bank) -> None:
    import_motions(bank, [folder / "b.bvh"])
    before, rows = bank.path.read_bytes(), all_rows(bank)

    said = import_motions(bank, [folder], dry_run=True)

    assert bank.path.read_bytes() == before
    assert all_rows(bank) == rows
    done = import_motions(bank, [folder])
    assert said == done
    assert len(done.added) == 5


def test_a_dry_run_makes_no_bank(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.bank"

    said = import_motions(path, [folder], dry_run=True)

    assert not path.exists()
    assert said == import_motions(str(path), [folder])
    with pytest.raises(BankError, match=r"the folder .* does not exist; create it first"):
        import_motions(tmp_path / "nowhere" / "new.bank", [folder], dry_run=True)


def test_a_dry_run_lets_others_write_while_it_reads(folder: Path, bank: Bank) -> None:
    with Bank.open(bank.path) as other:

        def write(done: int, _: int, __: str) -> None:
            other.add(f"other {done}", recording(100 + done))

        report = import_motions(bank, [folder], dry_run=True, processes=1, progress=write)

    assert [name for _, name in report.added] == NAMES
    assert names(bank) == [f"other {i}" for i in range(1, 7)]


def test_no_bank_is_made_without_files(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.bank"
    (tmp_path / "empty").mkdir()
    for paths in ([str(folder / "*.xyz")], [tmp_path / "empty"]):
        with pytest.raises(UsageError, match="no motion file"):
            import_motions(path, paths)
    assert not path.exists()


def test_a_wrong_path_is_reported_and_the_rest_goes_on(folder: Path, bank: Bank, tmp_path: Path) -> None:
    (folder / "bad.zip").write_text("no archive")
    report = import_motions(bank, [tmp_path / "missing", folder])

    assert names(bank) == NAMES
    assert [file for file, _ in report.failed] == [str(tmp_path / "missing"), str(folder / "bad.zip")]
    assert import_motions(bank, [tmp_path / "missing", folder], dry_run=True).failed == report.failed


class Interrupt:
    """Raises KeyboardInterrupt, as Ctrl-C does, when so many files are done."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, done: int, _: int, __: str) -> None:
        if done == self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize("commit_secs", [0.0, 1000.0])
@pytest.mark.parametrize("keep_copies", [True, False])
def test_an_interrupted_import_goes_on_to_the_same_bank(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commit_secs: float, keep_copies: bool
) -> None:
    monkeypatch.setattr(importing_module, "COMMIT_SECS", commit_secs)
    for name in ("a/copy.bvh", "b2.bvh", "zz.bvh"):
        write_bvh(folder / name, 0)
    options = ImportOptions(keep_copies=keep_copies)
    with Bank.open(tmp_path / "whole.bank", create=True) as bank:
        import_motions(bank, [folder], options=options)
        expected = all_rows(bank, but=("changes", "row_changes"))
    for after in range(1, 10):
        with Bank.open(tmp_path / f"{after}.bank", create=True) as bank:
            report = import_motions(bank, [folder], options=options, processes=1, progress=Interrupt(after))
            assert report.interrupted
            assert len(report.added) + len(report.copies) == after
            assert names(bank) == [name for _, name in report.added]
            assert not import_motions(bank, [folder], options=options).interrupted
            assert all_rows(bank, but=("changes", "row_changes")) == expected
            assert bank.check() == []


def test_an_interrupt_within_a_commit_loses_no_file(folder: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    add, calls = bank.add, iter(range(100))

    def interrupted_add(*arguments, **options):  # type: ignore[no-untyped-def]
        if next(calls) == 3:
            raise KeyboardInterrupt
        return add(*arguments, **options)

    monkeypatch.setattr(importing_module, "COMMIT_BYTES", 0)
    monkeypatch.setattr(importing_module, "COMMIT_SECS", 1000.0)
    monkeypatch.setattr(bank, "add", interrupted_add)
    report = import_motions(bank, [folder], processes=1)

    assert report.interrupted
    assert [name for _, name in report.added] == names(bank) == NAMES[:4]


def test_ctrl_c_keeps_what_was_read(tmp_path: Path) -> None:
    for i in range(40):
        write_bvh(tmp_path / "in" / f"{i:02}.bvh", i)
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW_IMPORT, str(tmp_path)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert child.stdout is not None
    while child.stdout.readline() != "5\n":
        pass
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to the readers too
    out, _ = child.communicate(timeout=30)
    assert "interrupted True" in out
    with Bank.open(tmp_path / "a.bank") as bank:
        kept = names(bank)
        assert 5 <= len(kept) < 40
        assert kept == [f"{i:02}" for i in range(len(kept))]
        assert bank.check() == []
        import_motions(bank, [tmp_path / "in"])
        assert names(bank) == [f"{i:02}" for i in range(40)]


SLOW_IMPORT = """
import sys, time
from pathlib import Path
from motionary.bank import Bank, import_motions

def slowly(done, total, shown):
    print(done, flush=True)
    time.sleep(0.05)

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with Bank.open(folder / "a.bank", create=True) as bank:
        report = import_motions(bank, [folder / "in"], processes=2, progress=slowly)
    print("interrupted", report.interrupted)
"""


def test_labels_from_tables_folders_and_names(folder: Path, bank: Bank, tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text(
        "file,start,stop,label,description\n"
        "a/2.bvh,,,far,\n2.bvh,1,3,calm,says so\nb,0,99,late,\nb,,,good,\nA/2,,,lost,\n"
    )

    report = import_motions(
        bank,
        [folder],
        options=ImportOptions(
            labels=read_labels(table),
            label_folders=True,
            label_pattern=r"(?P<label>[a-z])/b",
            licence="CC0",
            credit="Me",
        ),
    )

    assert bank.labels(bank.clip("a/2")) == [
        Label("a", origin="import"),
        Label("far", origin="import"),
        Label("calm", 1, 3, origin="import"),
    ]
    assert bank.clip("a/2").description == "says so"
    assert bank.clip("a/b/c").labels == ("a", "b")
    assert bank.clip("b").labels == ("good", "in")
    assert (bank.clip("b").licence, bank.clip("b").credit, bank.clip("b").format) == ("CC0", "Me", "bvh")
    assert ("b", f"{table}:4: b has no frames 0-99, only 0-4") in report.warnings
    assert (str(table), "1 rows match no file (lines 6)") in report.warnings
    assert report.without_row == ["Z", "a/10", "a/b/c", "ä"]
    assert bank.undo().command.startswith("import")
    assert bank.label_counts() == []


def test_labels_go_onto_clips_that_are_there_already(folder: Path, bank: Bank, tmp_path: Path) -> None:
    write_bvh(folder / "zz.bvh", 0)  # a copy of b
    import_motions(bank, [folder])
    bank.rename("a/2", "second")
    (tmp_path / "labels.csv").write_text(
        "file,start,stop,label,description\na/2,,,far,far away\n2.bvh,1,3,calm,\nb,0,99,late,\nzz,,,twin,\n"
    )
    options = ImportOptions(
        labels=read_labels(tmp_path / "labels.csv"), label_folders=True, label_pattern="[A-Z]", keep_copies=False
    )

    said = import_motions(bank, [folder], options=options, dry_run=True)
    assert bank.label_counts() == []
    report = import_motions(bank, [folder], options=options)

    assert said == report
    assert report.labelled == [("Z", 2), ("a/10", 1), ("second", 3), ("a/b/c", 2), ("b", 1), ("ä", 1)]
    assert report.as_json()["labelled"][0] == {"clip": "Z", "labels": 2}
    assert bank.labels(bank.clip("second")) == [
        Label("a", origin="import"),
        Label("far", origin="import"),
        Label("calm", 1, 3, origin="import"),
    ]
    assert ("b", f"{tmp_path / 'labels.csv'}:4: b has no frames 0-99, only 0-4") in report.warnings
    assert (str(folder / "zz.bvh"), "is a copy of b, which does not get the label twin") in report.warnings
    assert bank.clip("second").description == "far away"
    assert import_motions(bank, [folder], options=options).labelled == []
    assert len(bank.log()) == 3
    bank.undo()
    assert bank.label_counts() == []


def test_oddities_are_noted(bank: Bank, tmp_path: Path) -> None:
    text = bvh_text(recording(0, n_frames=10)).decode()
    (tmp_path / "cut.bvh").write_text(text[: text.rstrip().rfind("\n")] + "\n1 2")
    (tmp_path / "more.bvh").write_text(text + "1 2 3 4 5 6 7 8 9\n")

    report = import_motions(bank, [tmp_path / "cut.bvh", tmp_path / "more.bvh"])
    assert [Path(file).name for file, _ in report.failed] == ["cut.bvh"]
    assert "--truncate" in report.failed[0][1]
    report = import_motions(bank, [tmp_path / "cut.bvh"], options=ImportOptions(truncate=True))

    assert bank.clip("cut").n_frames == 9
    for name in ("cut", "more"):
        assert bank.clip(name).notes
    assert [("cut", note) for note in bank.clip("cut").notes] == report.warnings


def test_an_artificial_t_pose_is_told_and_can_be_dropped(bank: Bank, tmp_path: Path) -> None:
    body = swaying_body(n_frames=40)
    bent = rotations.multiply(body.rotations, rotations.from_rotation_vector(np.array([0.4, 0.0, 0.0])))
    bent[0] = (1.0, 0.0, 0.0, 0.0)
    path = tmp_path / "body.bvh"
    path.write_bytes(bvh_text(recording_of(replace(body, rotations=bent))))

    import_motions(bank, [path])
    assert any("T-pose" in note for note in bank.clip("body").notes)
    import_motions(bank, [path], options=ImportOptions(drop_t_pose=True))

    assert [(clip.name, clip.n_frames) for clip in bank.clips()] == [("body", 40), ("body~2", 39)]
    assert bank.clip("body~2").notes == ("the artificial T-pose in frame 0 was dropped",)
    assert np.array_equal(bank.recording("body~2").values, bank.recording("body").values[1:])
    assert len(import_motions(bank, [path], options=ImportOptions(drop_t_pose=True)).known) == 1


def test_a_held_t_pose_is_dropped_with_the_zeros_behind_it(bank: Bank, tmp_path: Path) -> None:
    body = swaying_body(n_frames=40)
    bent = rotations.multiply(body.rotations, rotations.from_rotation_vector(np.array([0.4, 0.0, 0.0])))
    bent[:5] = (1.0, 0.0, 0.0, 0.0)
    places = np.array(body.root_positions)
    places[2:5] = 0.0
    path = tmp_path / "body.bvh"
    path.write_bytes(bvh_text(recording_of(replace(body, rotations=bent, root_positions=places))))
    import_motions(bank, [path])
    bank.add_labels(bank.clip("body"), [Label("sway", 10, 20)])

    import_motions(bank, [path], options=ImportOptions(drop_t_pose=True, replace=True))

    assert bank.clip("body").n_frames == 35
    assert "the artificial T-pose in frames 0 to 4 was dropped" in bank.clip("body").notes
    assert [(label.start, label.stop) for label in bank.labels(bank.clip("body"))] == [(5, 15)]


def test_given_units_and_rates_are_taken(bank: Bank, folder: Path) -> None:
    import_motions(
        bank, [folder / "b.bvh"], options=ImportOptions(unit_metres=0.0254, up="z", handedness="left", frame_time=0.01)
    )

    assert bank.recording("b").space == Space(0.0254, "z", "left")
    assert bank.clip("b").frame_time == 0.01


def test_what_cannot_be_read_at_all_is_an_error(bank: Bank, folder: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        import_motions(bank, [folder / "missing"])
    with pytest.raises(UsageError, match="no motion file matches this pattern"):
        import_motions(bank, [str(folder / "*.xyz")])
    with pytest.raises(UsageError, match="is not a regular expression"):
        import_motions(bank, [folder], options=ImportOptions(label_pattern="("))
    assert bank.log() == []


def test_a_reader_that_dies_is_told(bank: Bank, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def dying(*_: object):  # type: ignore[no-untyped-def]
        raise WorkerDiedError
        yield

    monkeypatch.setattr(importing_module, "read_all", dying)
    with pytest.raises(BankError, match="a process that reads files died"):
        import_motions(bank, [folder])


def test_a_full_disk_keeps_what_was_committed(folder: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_module, "COMMIT_SECS", 0.0)
    write_bvh(folder / "a/30.bvh", 30, n_frames=5000)
    n_pages = bank.connection.execute("PRAGMA page_count").fetchone()[0]
    bank.connection.execute(f"PRAGMA max_page_count = {n_pages + 8}")

    with pytest.raises(BankError, match="the disk is full"):
        import_motions(bank, [folder], processes=1)
    assert names(bank) == NAMES[:3]
    assert bank.check() == []
    bank.connection.execute("PRAGMA max_page_count = 1000000")
    import_motions(bank, [folder])
    assert names(bank) == [*NAMES[:3], "a/30", *NAMES[3:]]


def test_a_report_is_json(folder: Path, bank: Bank) -> None:
    report = import_motions(bank, [folder]).as_json()
    assert report["added"][0] == {"id": 1, "clip": "Z"}
    assert ImportReport().as_json()["interrupted"] is False


def test_one_file_that_shows_a_bug_does_not_keep_the_others_out(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bvh(tmp_path / "bad.bvh", 1)
    write_bvh(tmp_path / "good.bvh", 2)
    read = import_reading.read_motion_file

    def fails_on_bad(path: Path, **options: object) -> object:
        if path.name == "bad.bvh":
            raise RecursionError("too deep")
        return read(path, **options)

    monkeypatch.setattr(import_reading, "read_motion_file", fails_on_bad)
    report = import_motions(bank, [tmp_path])

    assert [name for _, name in report.added] == ["good"]
    assert report.failed == [
        (
            str(tmp_path / "bad.bvh"),
            f"{tmp_path}/bad.bvh: this program failed on it (RecursionError: too deep); please report it with the file",
        )
    ]


def test_a_superscript_in_a_joint_name_is_a_name(bank: Bank, tmp_path: Path) -> None:
    text = bvh_text(recording(0)).decode().replace("Chest", "a\u00b2")
    (tmp_path / "a.bvh").write_text(text, encoding="utf-8")

    assert [name for _, name in import_motions(bank, [tmp_path]).added] == ["a"]


@pytest.mark.parametrize(("frame_time", "n_frames"), [("10.0", 4), ("1e300", 4), ("1.0", 30_000)])
def test_rates_and_durations_beyond_reason_are_refused(
    bank: Bank, tmp_path: Path, frame_time: str, n_frames: int
) -> None:
    text = bvh_text(recording(0, n_frames=n_frames)).decode()
    lines = [f"Frame Time: {frame_time}" if line.startswith("Frame Time") else line for line in text.splitlines()]
    (tmp_path / "slow.bvh").write_text("\n".join(lines) + "\n")

    ((_, why),) = import_motions(bank, [tmp_path]).failed

    assert "--rate" in why
    assert len(import_motions(bank, [tmp_path], options=ImportOptions(frame_time=1 / 30)).added) == 1


def test_another_subjects_skeleton_is_told(bank: Bank, tmp_path: Path) -> None:
    root = Bone("root", "", dofs=("tx", "ty", "tz", "rx", "ry", "rz"))
    case = Case([root, Bone("head", "root", (0.0, 1.0, 0.0), 3.0, dofs=("rx",))], [{"root": [0.0] * 6, "head": [5.0]}])
    (tmp_path / "07.asf").write_bytes(case.asf())
    (tmp_path / "35_01.amc").write_bytes(case.amc())
    (tmp_path / "07_02.amc").write_bytes(case.amc())

    report = import_motions(bank, [tmp_path], options=ImportOptions(keep_copies=True))

    told = [clip for clip, warning in report.warnings if "07.asf, the only skeleton beside it, was taken" in warning]
    assert told == ["35_01"]


def test_an_import_that_runs_out_of_room_says_what_is_in_the_bank(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        write_bvh(tmp_path / f"{seed}.bvh", seed)
    monkeypatch.setattr(importing_module, "COMMIT_SECS", 0.0)
    add = Bank.add

    def full_at_the_third(self: Bank, name: str, *arguments: object, **options: object) -> int:
        if name == "2":
            raise readable(sqlite3.OperationalError("database or disk is full"), self.path)
        return add(self, name, *arguments, **options)

    monkeypatch.setattr(Bank, "add", full_at_the_third)
    with pytest.raises(BankError) as told:
        import_motions(bank, [tmp_path])

    assert "the disk is full; 2 clips of this import are in the bank" in str(told.value)
    assert len(bank.clips()) == 2
