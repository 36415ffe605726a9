"""Features of a bank: computed once, followed by every change, rebuilt when they are not what they should be."""

import errno
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording as creature
from features.moving_bodies import wild_body
from motionary.artefacts import rebuilding
from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError
from motionary.features import computed_descriptions, features_of
from motionary.library import build_features
from motionary.library.features import KIND
from motionary.motion import Motion, recording_of

MOTIONS = [wild_body(seed, n_frames=20 + 7 * seed, frame_time=1 / (30 * (1 + seed % 2))) for seed in range(4)]


class Told:
    """What a build said."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.progress: list[tuple[int, int]] = []

    def build(self, bank: Bank, **options):
        self.messages, self.progress = [], []
        return build_features(
            bank, message=self.messages.append, progress=lambda *done: self.progress.append(done), **options
        )


@pytest.fixture
def bank(tmp_path: Path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i, motion in enumerate(MOTIONS[:3]):
            bank.add(f"take {i}", recording_of(motion))
        yield bank


@pytest.fixture
def told() -> Told:
    return Told()


def folder(bank: Bank) -> Path:
    return bank.derived_path / "features" / "30hz"


def tables(bank: Bank) -> list[Path]:
    """The files with rows."""
    return [path for path in folder(bank).iterdir() if path.suffix[1:].isdigit()]


def is_right(features, bank: Bank) -> bool:
    """Whether every clip has the features of its motion."""
    assert features.clip_ids.tolist() == [clip.id for clip in bank.clips() if clip.n_joints > 2]
    for clip_id in features.clip_ids:
        own, wanted = features.of(int(clip_id)), features_of(bank.motion(int(clip_id)))
        assert own.rates == wanted.rates
        assert own.n_frames == wanted.n_frames
        assert all(np.array_equal(own[name], wanted[name]) for name in computed_descriptions())
    return True


def test_features_of_all_clips(bank, told):
    features = told.build(bank)

    assert is_right(features, bank)
    assert told.progress == [(1, 3), (2, 3), (3, 3)]
    assert told.messages == []
    assert features.n_frames.sum() == len(features.arrays["positions"])
    assert all(not np.asarray(array).flags.writeable for array in features.arrays.values())


def test_nothing_is_computed_twice(bank, told):
    told.build(bank)
    files = {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()}

    features = told.build(bank)

    assert told.progress == []
    assert {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()} == files
    assert is_right(features, bank)


def test_new_clips_are_added_behind_the_others(bank, told):
    old = told.build(bank)
    bank.add("new", recording_of(MOTIONS[3]))

    features = told.build(bank)

    assert told.progress == [(1, 1)]
    assert is_right(features, bank)
    n_old = len(old.arrays["root"])
    assert np.array_equal(features.arrays["root"][:n_old], old.arrays["root"])


def test_copies_share_their_rows(bank, told):
    bank.add("copy", recording_of(MOTIONS[0]))

    features = told.build(bank)

    assert told.progress[-1] == (3, 3)
    assert features.n_clips == 4
    assert features.starts[0] == features.starts[3]
    assert is_right(features, bank)


def test_removed_clips_go_and_come_back(bank, told):
    told.build(bank)
    bank.remove(["take 1"])

    assert is_right(told.build(bank), bank)
    assert told.progress == []

    bank.undo()
    assert is_right(told.build(bank), bank)
    assert told.progress == []


def test_rows_that_nobody_needs_are_dropped_when_they_are_many(bank, told, monkeypatch):
    monkeypatch.setattr("motionary.library.features.FEW_UNUSED", 10)
    before = told.build(bank)
    rows = {name: np.array(array) for name, array in before.arrays.items()}
    bank.remove(["take 1", "take 0"])

    features = told.build(bank)

    assert is_right(features, bank)
    assert len(features.arrays["root"]) == features.n_frames.sum() == before.n_frames[2]
    assert all(np.array_equal(before.arrays[name], rows[name]) for name in rows)  # an open map stays what it was
    assert len(tables(bank)) == len(computed_descriptions())


def test_a_few_rows_that_nobody_needs_stay_for_what_is_undone(bank, told):
    before = told.build(bank)
    bank.remove(["take 1", "take 0"])
    assert len(told.build(bank).arrays["root"]) == len(before.arrays["root"])
    bank.undo()

    assert is_right(told.build(bank), bank)


def test_a_user_s_map_is_part_of_what_features_are_built_from(bank, told):
    told.build(bank)
    bank.set_body_map("take 0", {"LeftThigh": "LeftThigh", "Head": "Head"})

    features = told.build(bank)

    assert len(told.progress) == 3
    assert is_right(features, bank)


def test_clips_that_cannot_be_mapped_are_left_out_with_the_reason(bank, told):
    worm = bank.add("worm", creature(1))

    for n_computed in (3, 0):
        features = told.build(bank)
        assert len(told.progress) == n_computed
        (left,) = features.left_out
        assert left.clip_id == worm
        assert "Thigh" in left.reason
        with pytest.raises(NotInBankError, match=f"clip #{worm} has no features: .*Thigh"):
            features.of(worm)
        with pytest.raises(NotInBankError, match="clip #99 has no features: it is not in the library"):
            features.of(99)
    assert is_right(features, bank)


def test_a_deleted_folder_costs_only_time(bank, told):
    told.build(bank)
    shutil.rmtree(bank.derived_path)

    assert is_right(told.build(bank), bank)
    assert told.messages == []


def test_what_a_killed_process_wrote_is_overwritten(bank, told):
    told.build(bank)
    for path in tables(bank):
        with path.open("ab") as file:
            file.write(b"\x7f" * 12345)
    bank.add("new", recording_of(MOTIONS[3]))

    assert is_right(told.build(bank), bank)
    assert told.messages == []


def test_an_interrupted_build_keeps_what_it_has(bank, told):
    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_features(bank, progress=interrupt)

    assert is_right(told.build(bank), bank)
    assert told.progress == [(1, 1)]


def test_processes_give_the_same_files(bank, told):
    told.build(bank)
    alone = {path.name: path.read_bytes() for path in tables(bank)}
    shutil.rmtree(bank.derived_path)

    features = told.build(bank, processes=2)

    assert {path.name: path.read_bytes() for path in tables(bank)} == alone
    assert told.progress == [(1, 3), (2, 3), (3, 3)]
    assert is_right(features, bank)


def test_a_folder_that_cannot_be_written_costs_only_time(bank, told):
    bank.derived_path.write_text("a file is in the way")

    features = told.build(bank)

    assert is_right(features, bank)
    (message,) = told.messages
    assert message.startswith(f"the features cannot be kept in {bank.derived_path}")
    assert "for this time only" in message


def test_every_search_rate_has_its_own_files(bank, told):
    slow = told.build(bank, rate_hz=15.0)

    assert slow.of(1)["root"].shape[0] == 10
    assert is_right(told.build(bank), bank)
    assert len(list((bank.derived_path / "features").iterdir())) == 2


def test_an_empty_bank(tmp_path, told):
    with Bank.open(tmp_path / "empty.bank", create=True) as bank:
        features = told.build(bank)
        assert features.n_clips == 0
        assert features.arrays["root"].shape == (0, 6)
        assert told.build(bank).n_clips == 0


def test_motions_of_one_frame(bank, told):
    still = MOTIONS[0]
    one = Motion(still.skeleton, still.frame_time, still.root_positions[:1], still.rotations[:1])
    bank.add("one", recording_of(one))

    assert is_right(told.build(bank), bank)


@pytest.mark.parametrize("name", ["gist", "root"])
def test_rows_that_are_damaged_are_computed_again_and_the_others_kept(bank, told, name, monkeypatch):
    monkeypatch.setattr("motionary.artefacts.table.BLOCK_BYTES", 256)
    monkeypatch.setattr("motionary.artefacts.manifest.BLOCK_BYTES", 256)
    told.build(bank)
    (path,) = folder(bank).glob(f"{name}.*")
    content = bytearray(path.read_bytes())
    content[-8:] = np.array([np.nan, 0.0], dtype=np.float32).tobytes()  # in the last clip
    path.write_bytes(content)

    assert rebuilding(lambda: is_right(told.build(bank), bank), message=told.messages.append)

    assert told.progress == [(1, 1)]
    assert is_right(told.build(bank), bank)
    assert told.progress == []


def test_features_of_another_version_are_computed_again(bank, told, monkeypatch):
    told.build(bank)
    monkeypatch.setattr("motionary.library.features.KIND", replace(KIND, version=99))

    assert is_right(told.build(bank), bank)

    assert len(told.progress) == 3
    assert told.messages == []


def test_a_full_disk_is_told_and_leaves_what_was_there(bank, told, monkeypatch):
    told.build(bank)
    bank.add("new", recording_of(MOTIONS[3]))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(BankError, match=r"features cannot be written \(No space left on device\)"):
            told.build(bank)

    assert is_right(told.build(bank), bank)
    assert told.progress == [(1, 1)]
