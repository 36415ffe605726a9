"""The index of a bank: it follows every change, and whatever happens to its files, answers are those of the scan."""

import errno
import multiprocessing
import os
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.library import build_features
from motionary.motion import recording_of
from motionary.search import Query, build_index, scan, search
from motionary.search.exact.index_store import Part
from motionary.search.examples import ExampleMaker

MOTIONS = [wild_body(seed, n_frames=60 + 9 * seed, frame_time=1 / 30) for seed in range(5)]


@pytest.fixture
def bank(tmp_path: Path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i, motion in enumerate(MOTIONS[:3]):
            bank.add(f"take {i}", recording_of(motion))
        yield bank


class Told(list[str]):
    """What builds and searches said."""


@pytest.fixture
def told() -> Told:
    return Told()


def folder(bank: Bank) -> Path:
    return bank.derived_path / "index" / "30hz"


def rows_files(bank: Bank) -> list[Path]:
    return sorted(path for path in folder(bank).iterdir() if path.suffix[1:].isdigit())


def answers(found) -> list[object]:
    return [(match.as_json(), match.alignment.pairs.tolist()) for match in found.matches]


def is_right(bank: Bank, told: Told, *, kept: bool = True) -> bool:
    """Whether a new build answers as the scan does, for each description."""
    index = build_index(bank, message=told.append)
    assert (index.files is not None) == kept
    maker = ExampleMaker(bank, index.features)
    first = int(index.features.clip_ids[0])
    for names, distance in ((("gist",), "dtw"), (("positions", "root"), "dtw"), (("angles",), "euclid")):
        query = Query(example=maker.example(f"#{first}:5-35"), descriptions=names, distance=distance)
        assert answers(search(index, query)) == answers(scan(index.features, query))
    return True


def test_what_is_built_is_found_again(bank, told):
    assert is_right(bank, told)
    before = {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()}

    assert is_right(bank, told)

    assert {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()} == before
    assert [path.name.split(".")[0] for path in rows_files(bank)] == ["angles", "gist", "positions"]
    assert told == []


def test_it_follows_every_change(bank, told):
    assert is_right(bank, told)
    bank.add("new", recording_of(MOTIONS[3]))
    assert is_right(bank, told)
    bank.add("copy", recording_of(MOTIONS[0]))
    assert is_right(bank, told)
    bank.remove(["take 1"])
    assert is_right(bank, told)
    bank.undo()
    assert is_right(bank, told)
    bank.remove(["take 0", "take 2", "copy"])  # so many that the features are begun anew
    assert is_right(bank, told)
    bank.add("last", recording_of(MOTIONS[4]))
    assert is_right(bank, told)
    assert told == []


def test_features_made_anew_in_the_same_place_are_told_from_the_old_ones(bank, told):
    assert is_right(bank, told)
    shutil.rmtree(bank.derived_path / "features")
    index = build_index(bank, message=told.append)

    assert index.files is not None
    assert index.files.artefact.manifest.inputs == {"features": index.features.id}
    assert is_right(bank, told)
    assert told == []


def test_a_changed_index_answers_as_one_that_is_built_anew(bank, told):
    is_right(bank, told)
    bank.add("new", recording_of(MOTIONS[3]))
    bank.remove(["take 0"])
    grown = build_index(bank)
    shutil.rmtree(folder(bank))
    anew = build_index(bank)
    query = Query(example=ExampleMaker(bank, anew.features).example("take 1:0-40"), k=20)

    assert answers(search(grown, query)) == answers(search(anew, query))


def test_an_index_may_be_older_than_the_bank(bank):
    old = build_index(bank)
    bank.add("new", recording_of(MOTIONS[3]))
    build_index(bank)
    query = Query(example=ExampleMaker(bank, old.features).example("take 1:0-40"), k=20)

    assert answers(search(old, query)) == answers(scan(old.features, query))


def test_a_process_with_older_features_leaves_a_newer_index_alone(bank, told, monkeypatch):
    monkeypatch.setattr("motionary.library.features.FEW_UNUSED", 10)
    old = build_features(bank)
    bank.add("new", recording_of(MOTIONS[3]))
    assert is_right(bank, told)
    before = {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()}

    index = build_index(bank, features=old, message=told.append)

    assert index.files is not None  # whose first rows are those of the old features
    query = Query(example=ExampleMaker(bank, old).example("take 1:0-40"), k=20)
    assert answers(search(index, query)) == answers(scan(old, query))
    assert {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()} == before
    bank.remove(["take 0", "take 1", "take 2"])  # so many that the features are begun anew
    assert is_right(bank, told)
    before = {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()}

    index = build_index(bank, features=old, message=told.append)

    assert index.files is None
    assert answers(search(index, query)) == answers(scan(old, query))
    assert {path: path.stat().st_mtime_ns for path in folder(bank).iterdir()} == before
    assert told == []


def test_a_flipped_byte_is_told_and_the_next_build_mends_it(bank, told):
    is_right(bank, told)
    for path in rows_files(bank):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 16
        path.write_bytes(bytes(content))

    assert is_right(bank, told)
    assert len(told) == 3
    assert all("does not match its checksum" in message for message in told)
    assert is_right(bank, told)
    assert len(told) == 3


def test_a_deleted_folder_costs_only_time(bank, told):
    is_right(bank, told)
    shutil.rmtree(folder(bank))
    assert is_right(bank, told)
    shutil.rmtree(bank.derived_path)
    assert is_right(bank, told)
    assert told == []


def test_a_folder_that_cannot_be_written_costs_only_time(bank, told):
    build_features(bank)
    (bank.derived_path / "index").write_text("a file is in the way")

    assert is_right(bank, told)
    assert len(told) == 1
    assert "built for this time only" in told[0]


@pytest.mark.parametrize("grown", [False, True])
def test_a_full_disk_costs_only_time(bank, told, monkeypatch, grown):
    if grown:
        is_right(bank, told)
        bank.add("new", recording_of(MOTIONS[3]))
    build_features(bank)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        assert is_right(bank, told, kept=False)
    assert len(told) == 1
    assert "No space left on device" in told[0]
    assert is_right(bank, told)
    assert len(told) == 1


def test_an_interrupted_build_leaves_what_was_there(bank, told, monkeypatch):
    is_right(bank, told)
    bank.add("new", recording_of(MOTIONS[3]))
    build_features(bank)
    with monkeypatch.context() as patched:
        patched.setattr(Part, "stored", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            build_index(bank)

    assert is_right(bank, told)
    assert told == []


def test_an_empty_bank(tmp_path, told):
    with Bank.open(tmp_path / "empty.bank", create=True) as empty, Bank.open(tmp_path / "b.bank", create=True) as other:
        other.add("take", recording_of(MOTIONS[0]))
        example = ExampleMaker(other, build_features(other)).example("take:0-30")
        index = build_index(empty, message=told.append)
        for distance in ("dtw", "euclid", "lcss"):
            found = search(index, Query(example=example, distance=distance, with_itself=True))
            assert (found.matches, found.n_windows, found.n_compared, found.n_clips) == ((), 0, 0, 0)
    assert told == []


def build_again_and_again(path: Path) -> None:
    """For a process that will be killed: an index is made from nothing, over and over."""
    with Bank.open(path, read_only=True) as bank:
        features = build_features(bank)
        while True:
            build_index(bank, features=features)
            (folder(bank) / "manifest").unlink(missing_ok=True)


def test_killed_builds_leave_an_index_that_works(bank, told):
    is_right(bank, told)
    rng = np.random.default_rng(0)
    for _ in range(4):
        child = multiprocessing.get_context("fork").Process(target=build_again_and_again, args=(bank.path,))
        child.start()
        time.sleep(0.02 + 0.1 * rng.random())
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        assert is_right(bank, told)
    assert told == []  # what a killed process leaves is no damage


def build_and_tell(path: Path, n_times: int, queue: "multiprocessing.Queue[int]") -> None:
    with Bank.open(path, read_only=True) as bank:
        features, n_kept = build_features(bank), 0
        for _ in range(n_times):
            (folder(bank) / "manifest").unlink(missing_ok=True)
            index = build_index(bank, features=features)
            n_kept += index.files is not None and index.files.n_rows == features.n_rows
        queue.put(n_kept)


def test_two_processes_may_build_at_once(bank, told):
    is_right(bank, told)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=build_and_tell, args=(bank.path, 5, queue)) for _ in range(2)]
    for child in children:
        child.start()
    assert [queue.get(timeout=60) for _ in children] == [5, 5]
    for child in children:
        child.join()

    assert is_right(bank, told)
    assert told == []
