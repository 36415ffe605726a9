"""Dimensions of several descriptions side by side, and the words for them."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.search.dimensions import Dimensions, compared_joints

BOTH = Dimensions.of(("positions", "root"))
ALL = [dimension for name in BOTH.names for dimension in descriptions()[name].dimensions]


def parts_of(chosen: np.ndarray) -> set[str]:
    return {dimension.part for dimension, on in zip(ALL, chosen, strict=True) if on}


def test_chosen_by_joint_part_dimension_or_description():
    assert parts_of(BOTH.chosen(["LeftHand"])) == {"LeftHand"}
    assert parts_of(BOTH.chosen(["left arm", "head"])) == {
        *("LeftClavicle", "LeftUpperArm", "LeftForearm", "LeftHand", "Head")
    }
    assert BOTH.chosen(["root turning"]).sum() == 1
    assert BOTH.chosen(["Root"]).sum() == descriptions()["root"].n_dimensions
    assert BOTH.chosen(["lower-body"]).sum() == BOTH.chosen(["legs", "Hips"]).sum()
    assert BOTH.chosen([]).all()


def test_factors_multiply():
    factors = BOTH.factors({"arms": 2.0, "LeftHand": 3.0, "positions": 5.0, "LeftHand up": -1.0, "root": 0.0})

    found = {dimension.name: factor for dimension, factor in zip(ALL, factors, strict=True)}
    assert (found["LeftHand left"], found["LeftHand up"], found["RightHand up"]) == (30.0, -30.0, 10.0)
    assert (found["Head up"], found["root height"]) == (5.0, 0.0)


def test_what_does_not_matter_at_all_stays_so_whatever_it_is_multiplied_by():
    """0 times ∞ was not a number, with a warning."""
    factors = BOTH.factors({"arms": np.inf, "LeftHand": 0.0})

    found = {dimension.name: factor for dimension, factor in zip(ALL, factors, strict=True)}
    assert (found["LeftHand up"], found["RightHand up"], found["Head up"]) == (np.inf, np.inf, 1.0)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("lfet arm", "belongs to 'lfet arm'; did you mean 'left arm'?"),
        ("RightHnad", "did you mean 'RightHand'?"),
        ("energy", "the description 'curves' contains it"),
        ("Curves", "belongs to 'Curves'; it is not among the descriptions that are compared"),
        ("Tail", "there are Spine1, .*, neck, spine, .*upper body, lower body"),
        ("", "belongs to ''"),
    ],
)
def test_words_that_mean_nothing_here(word, message):
    for ask in (BOTH.chosen, lambda words: BOTH.factors(dict.fromkeys(words, 1.0))):
        with pytest.raises(UsageError, match=message):
            ask([word])


def test_blocks_and_mirror_columns_run_over_all_descriptions():
    counts = np.zeros(len(ALL), dtype=bool)
    counts[[1, 4, len(ALL) - 1]] = True
    values = np.random.default_rng(0).normal(size=(3, len(ALL)))
    n_positions = descriptions()["positions"].n_dimensions

    assert [(name, columns.tolist()) for name, columns in BOTH.blocks(counts)] == [("positions", [1, 4]), ("root", [5])]
    assert BOTH.blocks(counts & False) == []
    assert np.array_equal(BOTH.mirrored(BOTH.mirrored(values)), values)
    assert np.array_equal(
        BOTH.mirrored(values)[:, n_positions:], descriptions()["root"].mirrored(values[:, n_positions:])
    )
    assert BOTH.shares.sum() == pytest.approx(n_positions / 3 + 6)


def test_words_choose_joints_and_parts_stand_for_all_of_theirs():
    assert compared_joints(("gist",), ()) == ()
    assert compared_joints(("gist",), ("right leg",)) == ("RightFoot", "RightShin", "RightThigh", "RightToe")
    assert compared_joints(("positions", "root"), ("left-hand", "root height")) == ("Hips", "LeftHand")
    assert compared_joints(("curves",), ("energy",)) == ()
    with pytest.raises(UsageError, match="'tail'"):
        compared_joints(("gist",), ("tail",))
