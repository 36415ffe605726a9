"""Recipes of made clips, and verdicts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bank.small_banks import recording
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError

RECIPE = {"version": 1, "operation": "blend", "clip_ids": [1, 2], "weights": [0.25, 0.75], "of": "walk and run"}


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("walk", recording(0))
        bank.add("run", recording(1))
        yield bank


def test_a_recipe_is_kept_with_the_clip_in_one_change(bank: Bank) -> None:
    made = bank.add("between", recording(2), recipe=RECIPE)

    assert bank.recipe("between") == bank.recipe(made) == bank.recipe(bank.clip(made)) == RECIPE
    assert bank.recipe("walk") is None
    assert [clip.name for clip in bank.made_of("run")] == ["between"]
    assert bank.made_of(made) == []
    bank.undo()
    assert [clip.name for clip in bank.clips()] == ["walk", "run"]
    bank.undo(bank.log()[0].id)
    assert bank.recipe("between") == RECIPE
    assert bank.check() == []


def test_a_recipe_can_be_set_and_forgotten(bank: Bank) -> None:
    bank.set_recipe("run", {"n": 1})
    bank.set_recipe("run", {"n": 2})
    assert bank.recipe("run") == {"n": 2}
    bank.set_recipe("run", None)
    assert bank.recipe("run") is None
    bank.undo()
    bank.undo()
    assert bank.recipe("run") == {"n": 1}
    with pytest.raises(UsageError, match="a recipe"):
        bank.set_recipe("run", [1])  # type: ignore[arg-type]


def test_a_removed_clip_takes_its_recipe_along_and_brings_it_back(bank: Bank) -> None:
    bank.add("between", recording(2), recipe=RECIPE)
    bank.remove("between")
    assert bank.made_of("walk") == []
    bank.undo()
    assert bank.recipe("between") == RECIPE


@pytest.mark.parametrize("removed_before", [False, True])
def test_what_was_made_of_a_purged_clip_is_purged_too(bank: Bank, removed_before: bool) -> None:
    bank.add("between", recording(2), recipe=RECIPE)
    bank.add("of between", recording(3), recipe={"clip_ids": [3]})
    bank.add("of walk alone", recording(4), recipe={"clip_ids": [1]})
    if removed_before:
        bank.remove(["between", "of between"])

    assert bank.purge("run") == ["run", "between", "of between"]

    assert [clip.name for clip in bank.clips()] == ["walk", "of walk alone"]
    assert b"between" not in bank.path.read_bytes()
    assert bank.check() == []


def test_verdicts_come_in_their_order(bank: Bank) -> None:
    first, second = bank.add_verdict({"score": 0.5}), bank.add_verdict({"clip_ids": [1], "good": False})

    assert [(verdict.id, verdict.content) for verdict in bank.verdicts()] == [
        (first, {"score": 0.5}),
        (second, {"clip_ids": [1], "good": False}),
    ]
    bank.remove_verdict(first)
    assert [verdict.id for verdict in bank.verdicts()] == [second]
    bank.undo()
    bank.purge("walk")
    assert [verdict.id for verdict in bank.verdicts()] == [first]
    assert bank.check() == []
    with pytest.raises(NotInBankError, match="no verdict 99"):
        bank.remove_verdict(99)
