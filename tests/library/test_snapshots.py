"""A search is one snapshot of its bank, and never of other data than it was built from."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import BankError, DamagedArtefactError, NotInBankError, UsageError
from motionary.library import build_features, check_features, one_snapshot
from motionary.motion import recording_of
from motionary.search import build_index, search_bank

MOTIONS = [wild_body(seed, n_frames=60, frame_time=1 / 30) for seed in range(4)]


def made(path: Path, *seeds: int) -> Bank:
    bank = Bank.open(path, create=True)
    for seed in seeds:
        bank.add(f"take {seed}", recording_of(MOTIONS[seed]))
    return bank


@pytest.fixture
def bank(tmp_path: Path):
    with made(tmp_path / "a.bank", 0, 1, 2) as bank:
        yield bank


def found(result) -> list[tuple[str, int, int]]:
    return [(match.clip, match.segment.start, match.segment.stop) for match in result.matches]


def test_a_clip_that_another_process_removes_meanwhile_is_found_all_the_same(bank):
    expected = found(search_bank(bank, "take 0:0-30"))
    bank.add("more", recording_of(MOTIONS[3]))
    removed = []

    def remove(*_: int) -> None:
        if not removed:
            with Bank.open(bank.path) as other:
                removed.extend(other.remove(["take 1", "take 2"]))

    during = found(search_bank(bank, "take 0:0-30", progress=remove))

    assert len(removed) == 2
    assert {"take 1", "take 2"} <= {name for name, *_ in during}
    assert {"take 1", "take 2"} <= {name for name, *_ in expected}
    assert {name for name, *_ in found(search_bank(bank, "take 0:0-30"))}.isdisjoint({"take 1", "take 2"})


def test_what_is_read_inside_a_snapshot_is_one_state(bank):
    with bank.snapshot():
        before = [clip.name for clip in bank.clips()]
        with Bank.open(bank.path) as other:
            other.rename("take 0", "changed")
        assert [clip.name for clip in bank.clips()] == before
        with bank.snapshot():
            assert bank.clip("take 0").id == 1
    assert [clip.name for clip in bank.clips()] == ["changed", "take 1", "take 2"]
    with pytest.raises(BankError, match="cannot be part"), bank.snapshot():
        bank.rename("changed", "never")
    bank.rename("changed", "again")


def test_a_purge_during_a_search_says_what_it_could_not_do(bank, monkeypatch):
    monkeypatch.setattr("motionary.bank.connection.BUSY_SECS", 0.05)
    expected = found(search_bank(bank, "take 0:0-30"))
    said = []

    @one_snapshot
    def searched(bank: Bank):
        with Bank.open(bank.path) as other, pytest.raises(BankError) as error:
            other.purge(["take 2"])
        said.append(str(error.value))
        return search_bank(bank, "take 0:0-30")

    assert found(searched(bank)) == expected
    assert "the clips are purged, but other processes are reading the bank" in said[0]
    assert "compact" in said[0]
    assert "take 2" not in {name for name, *_ in found(search_bank(bank, "take 0:0-30"))}


def test_an_index_of_an_older_state_or_of_another_bank_is_refused(bank, tmp_path):
    index = build_index(bank)
    search_bank(bank, "take 0:0-30", index=index)
    wrong = pytest.raises(UsageError, match=r"the index does not match the current state of .*b\.bank")
    with made(tmp_path / "b.bank", 0, 1, 3) as other, wrong:
        search_bank(other, "take 0:0-30", index=index)
    for change in (
        lambda: bank.add("new", recording_of(MOTIONS[3])),
        lambda: bank.remove("new"),
        lambda: bank.set_motion("take 1", bank.motion("take 2"), command="edit"),
        lambda: bank.set_body_map("take 0", {"Head": "Head"}),
    ):
        fresh = build_index(bank)
        search_bank(bank, "take 0:0-30", index=fresh)
        change()
        with pytest.raises(UsageError, match=r"Build it again: build_index\(bank\)"):
            search_bank(bank, "take 0:0-30", index=fresh)


def test_changes_that_touch_no_motion_leave_an_index_as_it_is(bank):
    index = build_index(bank)
    bank.label(["take 0"], ["calm"])
    bank.rename("take 1", "other")

    assert found(search_bank(bank, "take 0:0-30", index=index)) == found(search_bank(bank, "take 0:0-30"))


def test_a_rehearsal_does_not_fool_the_check(bank):
    index = build_index(bank)
    with bank.rehearse():
        bank.remove("take 2")
        with pytest.raises(UsageError, match="the index does not match the current state of"):
            search_bank(bank, "take 0:0-30", index=index)
        fewer = build_features(bank)
        check_features(bank, fewer, called="the table", remedy="build_features(bank)")
    with pytest.raises(UsageError, match="the table does not match"):
        check_features(bank, fewer, called="the table", remedy="build_features(bank)")


def test_damaged_data_that_are_given_are_told(bank):
    build_index(bank)
    for path in (bank.derived_path / "features" / "30hz").glob("gist.*"):
        path.write_bytes(bytes(path.stat().st_size))
    index = build_index(bank)

    with pytest.raises(DamagedArtefactError, match="does not match its checksum"):
        search_bank(bank, "take 0:0-30", index=index)
    assert found(search_bank(bank, "take 0:0-30"))


def test_what_is_no_bank_is_told_as_before():
    with pytest.raises((UsageError, NotInBankError)):
        search_bank("a.bank", "take 0:0-30")


def test_threads_that_search_one_bank_share_a_snapshot(bank):
    expected = found(search_bank(bank, "take 0:0-30"))

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: found(search_bank(bank, "take 0:0-30")), range(12)))

    assert results == [expected] * 12
    bank.rename("take 1", "other")  # nothing is left open
