"""Selections: kept, thinned out, joined, undone; and what becomes of them when clips change."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.small_banks import all_rows, recording, write_bvh
from motionary.alignment import Alignment, Match
from motionary.bank import Bank, ImportOptions, import_motions
from motionary.bank.replacing import NewVersion, replace_clip
from motionary.bank.storage import pack
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.motion import Segment

WAY = np.array([[0, 0], [1, 0], [2, 1], [2, 2]], dtype=np.int32)


def match(clip_id: int = 1, start: int = 0, stop: int = 10, *, pairs: np.ndarray = WAY, **facts) -> Match:
    return Match(Segment(clip_id, start, stop), **{
        "distance": 0.5, "mean": 1.0, "unit": "cm", "method": "dtw", "alignment": Alignment(pairs), "n_query": 3,
        "rate_hz": 30.0, **facts,
    })  # fmt: skip


def facts_of(row: Match) -> tuple:
    """All of it, to the bit."""
    reals = [np.float64(x).tobytes() for x in (row.distance, row.mean, row.scale)]
    return (row.segment, reals, row.unit, row.method, row.alignment.pairs.tolist(), row.mirrored, row.tier)


def segments(bank: Bank, name: str) -> dict[int, tuple[int, int, int]]:
    return {
        rank: (found.segment.clip_id, found.segment.start, found.segment.stop)
        for rank, found in bank.matches(name).items()
    }


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """Four clips of 100 frames; a selection `kicks` of five matches in two of them, found by the first."""
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i in range(4):
            bank.add(f"clip {i}", recording(i, n_frames=100))
        found = [match(2, 10 * i, 10 * i + 10, distance=0.1 * i) for i in range(3)] + [match(3), match(3, 90, 100)]
        bank.keep_selection("kicks", found, query=Segment(1, 0, 10), method="dtw", asked={"k": 5})
        yield bank


REALS = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)  # −0 is 0 to SQLite
ROWS = st.builds(
    lambda start, length, steps, **facts: match(
        2, start, start + length, pairs=np.cumsum(steps, axis=0, dtype=np.int32), **facts
    ),
    start=st.integers(0, 50),
    length=st.integers(1, 50),
    steps=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 300)).filter(any), min_size=1, max_size=30),
    distance=REALS,
    mean=REALS,
    scale=REALS,
    unit=st.sampled_from(["cm", "°", ""]),
    method=st.sampled_from(["dtw", "euclid", "lcss"]),
    mirrored=st.booleans(),
    tier=st.integers(1, 5),
)


@given(rows=st.lists(ROWS, max_size=6))
def test_whatever_is_kept_comes_back_to_the_bit_also_from_the_log(rows: list[Match]) -> None:
    with Bank.open("never.bank", create="in memory") as bank:
        for i in range(2):
            bank.add(f"clip {i}", recording(i, n_frames=100))
        bank.keep_selection("any", rows)

        kept = bank.matches("any")
        found = list(kept.values())
        assert [facts_of(row) for row in found] == [facts_of(row) for row in rows]
        assert list(kept) == list(range(1, len(rows) + 1))
        assert {row.clip for row in found} <= {"clip 1"}
        bank.remove_selections(["any"])
        assert bank.selections() == []
        bank.undo()
        assert [facts_of(row) for row in bank.matches("any").values()] == [facts_of(row) for row in rows]
        assert bank.check() == []


def test_what_is_known_of_a_selection(bank: Bank) -> None:
    bank.keep_selection("a b", [])
    kicks = bank.selection("kicks")

    assert [found.name for found in bank.selections()] == ["a b", "kicks"]
    assert kicks == bank.selection("@kicks")
    assert kicks.as_json() == {
        "selection": "kicks",
        "matches": 5,
        "method": "dtw",
        "query": {"id": 1, "start": 0, "stop": 10},
        "asked": {"k": 5},
        "kept_at": kicks.kept_at,
    }
    assert bank.selection("a b").query is None
    assert [change.command for change in bank.log(last=2)] == ["keep selection a b", "keep selection kicks"]


def test_equal_alignments_are_stored_once(bank: Bank) -> None:
    assert bank.connection.execute("SELECT count(*) FROM alignments").fetchone()[0] == 1


@pytest.mark.parametrize("name", ["", " x", "x\n", "a:b", "@a"])
def test_impossible_names(bank: Bank, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a selection's name"):
        bank.keep_selection(name, [])
    with pytest.raises(UsageError, match="cannot be a selection's name"):
        bank.rename_selection("kicks", name)


def test_what_cannot_be_kept(bank: Bank) -> None:
    before = all_rows(bank)
    for wrong, why in (
        (lambda: match(1, 95, 101), "clip 'clip 0' has 100 frames, not 101"),
        (lambda: match(9), "no clip 9"),
        (lambda: match(distance=np.inf), "the distance, mean and scale of a match must be finite"),
        (lambda: match(mean=np.nan), "finite"),
    ):
        with pytest.raises((UsageError, NotInBankError), match=why):
            bank.keep_selection("new", [match(), wrong()])
    with pytest.raises(NotInBankError, match="has 100 frames, not 200"):
        bank.keep_selection("new", [], query=Segment(1, 0, 200))
    assert all_rows(bank) == before


def test_a_name_is_given_once_unless_it_is_overwritten(bank: Bank) -> None:
    with pytest.raises(BankError, match="a selection named 'kicks' already exists; --overwrite replaces it"):
        bank.keep_selection("kicks", [match(4)])
    bank.keep_selection("kicks", [match(4)], overwrite=True)

    assert segments(bank, "kicks") == {1: (4, 0, 10)}
    bank.undo()
    assert len(segments(bank, "kicks")) == 5


def test_thinning_out_leaves_the_other_ranks_as_they_are(bank: Bank) -> None:
    assert bank.thin_selection("kicks", drop=[2]) == 1
    assert list(segments(bank, "kicks")) == [1, 3, 4, 5]
    assert bank.thin_selection("kicks", drop=["1", "5-"]) == 2
    assert list(segments(bank, "kicks")) == [3, 4]
    bank.undo()
    assert bank.thin_selection("kicks", keep=["1-3"]) == 2
    assert list(segments(bank, "kicks")) == [1, 3]
    assert bank.thin_selection("kicks", drop=["7-9"]) == 0
    with pytest.raises(NotInBankError, match=r"selection 'kicks' has no match 2; it may have been removed\."):
        bank.thin_selection("kicks", drop=[1, 2])
    assert list(segments(bank, "kicks")) == [1, 3]
    assert [bank.undo().command for _ in range(2)] == ["thin out selection kicks"] * 2
    assert list(segments(bank, "kicks")) == [1, 2, 3, 4, 5]
    assert bank.check() == []


def test_what_lies_in_another_selection(bank: Bank) -> None:
    near = [match(2, 5, 15), match(2, 6, 16), match(3, 0, 21), match(4, 90, 100)]  # at match 1 and 2, 2, none, none
    bank.keep_selection("others", near)

    assert bank.thin_selection("kicks", keep_in="others") == 3
    assert list(segments(bank, "kicks")) == [1, 2]
    bank.undo()
    assert bank.thin_selection("kicks", drop_in="others") == 2
    assert list(segments(bank, "kicks")) == [3, 4, 5]


def test_joining_adds_what_is_new_with_the_ranks_that_follow(bank: Bank) -> None:
    bank.thin_selection("kicks", drop=[2])
    bank.keep_selection("more", [match(2, 1, 11), match(2, 11, 21), match(4)], query=Segment(1, 0, 10))
    bank.keep_selection("most", [match(4, 1, 11), match(4, 50, 60)], query=Segment(1, 0, 10))

    assert bank.join_selections("kicks", ["more", "@most"]) == 3
    assert segments(bank, "kicks") == {
        1: (2, 0, 10), 3: (2, 20, 30), 4: (3, 0, 10), 5: (3, 90, 100), 6: (2, 11, 21), 7: (4, 0, 10), 8: (4, 50, 60),
    }  # fmt: skip
    assert len(segments(bank, "more")) == 3
    bank.undo(6)
    with pytest.raises(BankError, match="would leave matches without their selection; undo the later changes first"):
        bank.undo(5)
    bank.undo()
    assert list(segments(bank, "kicks")) == [1, 2, 3, 4, 5]
    bank.keep_selection("elsewhere", [], query=Segment(1, 0, 11))
    with pytest.raises(UsageError, match=r"has another query .*name both instead of joining them \(@kicks @elsewhere"):
        bank.join_selections("kicks", ["elsewhere"])


def test_renaming_and_removing(bank: Bank) -> None:
    bank.keep_selection("punches", [match()])
    with pytest.raises(BankError, match="a selection named 'kicks' already exists; choose another name"):
        bank.rename_selection("punches", "kicks")
    assert bank.rename_selection("punches", "hits").name == "hits"
    assert bank.rename_selection("hits", "hits").name == "hits"
    assert [found.name for found in bank.remove_selections(["hits", "kicks", "hits"])] == ["hits", "kicks"]
    with pytest.raises(NotInBankError, match=r"no selection 'kicks'\. There are none yet; `motionary search … --keep"):
        bank.selection("kicks")
    bank.keep_selection("kicks", [])
    removing = next(change.id for change in bank.log() if change.command == "rm selection hits, kicks")
    with pytest.raises(BankError, match="a selection named 'kicks' exists now; rename or remove it first"):
        bank.undo(removing)
    bank.rename_selection("kicks", "old kicks")
    bank.undo(removing)
    assert [found.n_matches for found in bank.selections()] == [1, 5, 0]
    with pytest.raises(NotInBankError, match=r"no selection 'kick'\. There are hits, kicks, old kicks"):
        bank.matches("kick")


def test_matches_go_with_their_clip_and_come_back_with_it(bank: Bank) -> None:
    before = all_rows(bank, but=("changes", "row_changes"))
    bank.remove(["clip 1", "clip 0"])

    assert list(segments(bank, "kicks")) == [4, 5]
    assert bank.selection("kicks").query == Segment(1, 0, 10)  # whose clip is gone, but may come back
    assert bank.check() == []
    bank.undo()
    assert all_rows(bank, but=("changes", "row_changes")) == before
    bank.remove(["clip 1"])
    bank.remove_selections(["kicks"])
    with pytest.raises(BankError, match="would leave matches without their selection"):
        bank.undo(max(change.id for change in bank.log() if change.command == "rm clip 1"))


def test_a_renamed_clip_and_a_new_motion_leave_matches_as_they_are(bank: Bank) -> None:
    bank.rename("clip 1", "kicking")
    bank.set_motion("kicking", bank.motion("clip 0"), command="edit")

    assert [row.clip for row in bank.matches("kicks", ["1-4"]).values()] == ["kicking"] * 3 + ["clip 2"]


@pytest.mark.parametrize(
    ("n_frames", "shift", "ranks", "first"),
    [(100, 0, [1, 2, 3], 0), (99, 1, [2, 3], 9), (25, 0, [1, 2], 0), (30, 0, [1, 2, 3], 0), (101, -1, [1, 2, 3], 1)],
)
def test_matches_of_a_new_version_stay_while_their_frames_are_there(
    bank: Bank, n_frames: int, shift: int, ranks: list[int], first: int
) -> None:
    before = all_rows(bank, but=("changes", "row_changes"))
    new = NewVersion(pack(recording(9, n_frames=n_frames)), (), shift=shift)

    lost = replace_clip(bank, bank.clip("clip 1"), new)

    found = segments(bank, "kicks")
    assert list(found) == [*ranks, 4, 5]
    assert found[ranks[0]] == (2, first, first + 10)
    assert bank.check() == []
    n_gone = 3 - len(ranks)
    assert lost == (
        [f"matches of selections are gone, as the clip has no such frames any more ({n_gone})"] * (n_gone > 0)
    )
    bank.undo()
    kept = all_rows(bank, but=("changes", "row_changes", "recordings", "frames"))
    assert kept == {table: before[table] for table in kept}


def test_matches_of_a_clip_with_other_times_are_gone(bank: Bank) -> None:
    lost = replace_clip(bank, bank.clip("clip 1"), NewVersion(pack(recording(1, n_frames=100, frame_time=1 / 60)), ()))

    assert lost == ["matches of selections are gone, as its frames have other times (3)"]
    assert list(segments(bank, "kicks")) == [4, 5]


def test_a_query_moves_with_its_frames_or_is_forgotten(bank: Bank) -> None:
    longer = pack(recording(9, n_frames=102))
    replace_clip(bank, bank.clip("clip 0"), NewVersion(longer, (), shift=-2))
    assert bank.selection("kicks").query == Segment(1, 2, 12)
    replace_clip(bank, bank.clip("clip 0"), NewVersion(pack(recording(8, n_frames=5)), ()))
    assert bank.selection("kicks").query is None
    assert len(segments(bank, "kicks")) == 5
    bank.undo()
    assert bank.selection("kicks").query == Segment(1, 2, 12)


def test_a_file_read_anew_tells_what_is_gone(tmp_path: Path) -> None:
    path = write_bvh(tmp_path / "in" / "walk.bvh", n_frames=20)
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        import_motions(bank, [path], processes=1)
        bank.keep_selection("kicks", [match(1), match(1, 10, 20)])
        write_bvh(path, n_frames=15)
        report = import_motions(bank, [path], options=ImportOptions(replace=True), processes=1)

        assert list(segments(bank, "kicks")) == [1]
        assert any("matches of selections are gone" in warning for _, warning in report.warnings)


def test_a_purge_takes_matches_and_alignments_with_it(bank: Bank) -> None:
    bank.keep_selection("rest", [match(4, pairs=np.array([[0, 0], [5, 5]])), replace(match(3), tier=2)])
    bank.thin_selection("kicks", drop=[5])
    bank.purge(["clip 3", "clip 1"])

    assert list(segments(bank, "kicks")) == [4]
    assert list(segments(bank, "rest")) == [2]
    assert bank.connection.execute("SELECT count(*) FROM alignments").fetchone()[0] == 1
    assert bank.check() == []
    assert bank.undo().command == "thin out selection kicks"
    assert list(segments(bank, "kicks")) == [4, 5]


def test_rehearsed_changes_of_selections_never_happened(bank: Bank) -> None:
    before = all_rows(bank)
    with bank.rehearse():
        bank.thin_selection("kicks", drop=[1])
        bank.keep_selection("new", [match(pairs=np.array([[0, 7]]))])
        bank.rename_selection("kicks", "x")
        assert [found.name for found in bank.selections()] == ["new", "x"]
    assert all_rows(bank) == before


def test_damage_is_found_and_never_read_as_a_match(bank: Bank) -> None:
    execute = bank.connection.execute
    execute("PRAGMA foreign_keys = OFF")
    execute("UPDATE alignments SET pairs = x'0401'")
    assert bank.check() == ["alignment 1 of a match does not match its checksum"]
    with pytest.raises(BankError, match="is damaged: the alignment of a match does not match its checksum"):
        bank.matches("kicks")
    for event in ("insert", "update", "delete"):
        execute(f"DROP TRIGGER track_matches_{event}")
    execute("UPDATE matches SET stop = 300 WHERE rank = 2")
    assert "match 2 of selection 'kicks' ends at frame 300, its clip 'clip 1' at 100" in bank.check()
