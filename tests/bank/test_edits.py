"""Stacks of edits: the recording below, layers with their results, and what a purge leaves of them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording, write_bvh
from motionary.bank import Bank, ImportOptions, import_motions
from motionary.bank.storage import pack
from motionary.errors import UsageError


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i, name in enumerate(("walk", "run", "secret")):
            bank.add(name, recording(i))
        yield bank


def put(
    bank: Bank, clip: str, *layers: tuple[str, int], keep: int | None = None, clip_ids: tuple[int, ...] = ()
) -> None:
    """Layers by the name of their operation and the seed of their result."""
    contents = [{"operation": name, "clip_ids": list(clip_ids)} for name, _ in layers]
    packed = [pack(recording(seed)) for _, seed in layers]
    bank.put_edits(clip, list(zip(contents, packed, strict=True)), keep=keep)


def stack(bank: Bank, clip: str) -> list[str]:
    return [row.content["operation"] for row in bank.edit_rows(clip)]


def shows(bank: Bank, clip: str, seed: int) -> bool:
    return np.allclose(bank.recording(clip).values, recording(seed).values, atol=1e-4)


def test_the_clip_shows_the_highest_layer_and_the_base_stays(bank: Bank) -> None:
    assert bank.edit_base("walk") == bank.clip("walk").recording_id
    put(bank, "walk", ("smooth", 10), ("mirror", 11))

    assert stack(bank, "walk") == ["smooth", "mirror"]
    assert shows(bank, "walk", 11)
    assert np.allclose(bank.stored_recording(bank.edit_base("walk")).values, recording(0).values, atol=1e-4)
    assert bank.check() == []
    put(bank, "walk", ("speed", 12), keep=1)
    assert stack(bank, "walk") == ["smooth", "speed"]
    assert shows(bank, "walk", 12)
    put(bank, "walk", keep=0)
    assert stack(bank, "walk") == []
    assert shows(bank, "walk", 0)
    assert bank.check() == []


def test_every_step_can_be_undone_to_the_bit(bank: Bank) -> None:
    before = bank.recording("walk").values
    put(bank, "walk", ("smooth", 10))
    put(bank, "walk", ("mirror", 11))
    put(bank, "walk", keep=0)
    for expected in (["smooth", "mirror"], ["smooth"], []):
        bank.undo()
        assert stack(bank, "walk") == expected
        assert bank.check() == []
    assert np.array_equal(bank.recording("walk").values, before)


def test_more_layers_than_there_are_cannot_be_kept(bank: Bank) -> None:
    with pytest.raises(UsageError, match="clip 'walk' has 0 edits, so 1 cannot be kept"):
        put(bank, "walk", ("smooth", 10), keep=1)


def test_a_motion_that_is_set_becomes_a_layer_on_those_that_are_there(bank: Bank) -> None:
    bank.set_motion("run", bank.motion("walk"), command="set")
    assert stack(bank, "run") == []
    put(bank, "walk", ("smooth", 10))
    bank.set_motion("walk", bank.motion("run"), command="set")
    assert stack(bank, "walk") == ["smooth", "recording"]
    assert bank.check() == []


def test_a_file_read_anew_takes_the_edits_off_if_it_has_changed(tmp_path: Path) -> None:
    anew = ImportOptions(replace=True)
    write_bvh(tmp_path / "in" / "a.bvh", 0)
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        import_motions(bank, [tmp_path / "in"])
        put(bank, "a", ("smooth", 10))
        for options in (None, anew):
            assert [clip for _, clip in import_motions(bank, [tmp_path / "in"], options=options).known] == ["a"]
        assert stack(bank, "a") == ["smooth"]

        write_bvh(tmp_path / "in" / "a.bvh", 5)
        report = import_motions(bank, [tmp_path / "in"], options=anew)

        assert stack(bank, "a") == []
        assert shows(bank, "a", 5)
        assert any("the edits of the earlier version were removed (1)" in warning for _, warning in report.warnings)
        assert bank.check() == []


def test_damage_of_a_stack_is_told(bank: Bank) -> None:
    put(bank, "walk", ("smooth", 10), ("mirror", 11))
    with bank.change("damage"):
        bank.connection.execute("UPDATE edits SET below_id = recording_id WHERE position = 2")
    assert bank.check() == ["clip 'walk': its edits do not stand one on the other"]
    with bank.change("damage"):
        bank.connection.execute("DELETE FROM edits WHERE position = 1")
    assert bank.check() == ["clip 'walk': a layer of its edits is missing"]


def test_edits_with_motion_of_a_purged_clip_go_with_those_above_and_with_their_past(bank: Bank) -> None:
    put(bank, "walk", ("smooth", 10))
    put(bank, "walk", ("paste", 11), clip_ids=(3,))
    put(bank, "walk", ("mirror", 12))
    assert [row.content["clip_ids"] for row in bank.edit_rows("walk")] == [[], [3], [3]]
    put(bank, "run", ("paste", 13), clip_ids=(3,))
    put(bank, "run", keep=0)  # it is in the log only

    assert bank.purge("secret") == ["secret"]

    assert stack(bank, "walk") == ["smooth"]
    assert shows(bank, "walk", 10)
    assert shows(bank, "run", 1)
    left = {tuple(row) for row in bank.connection.execute("SELECT recording_id FROM frames")}
    assert len(left) == 3  # walk, run and the smoothed walk
    assert bank.check() == []
    bank.undo(4)
    assert stack(bank, "walk") == []
    assert shows(bank, "walk", 0)
    assert bank.check() == []


def test_edits_forget_the_name_of_whom_they_were_copied_from(bank: Bank) -> None:
    bank.put_edits("walk", [({"operation": "smooth", "origin": "secret:0-3"}, pack(recording(10)))])

    bank.purge("secret")

    assert [row.content["origin"] for row in bank.edit_rows("walk")] == ["…:0-3"]
    assert bank.check() == []
