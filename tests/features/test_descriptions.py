"""The registry of descriptions: names, units, parts and mirrors."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.features import computed_descriptions, descriptions

ALL = pytest.mark.parametrize("description", descriptions().values(), ids=lambda description: description.name)


@ALL
def test_dimensions_are_named_once_and_have_units(description):
    names = [dimension.name for dimension in description.dimensions]

    assert len(set(names)) == description.n_dimensions
    assert {d.unit for d in description.dimensions} <= {"m", "rad", "m/s", "rad/s", "m/s²", ""}


@ALL
def test_twice_mirrored_is_the_original(description):
    columns, signs = description.mirror_columns, description.mirror_signs

    assert np.array_equal(columns[columns], np.arange(description.n_dimensions))
    assert np.array_equal(signs * signs[columns], np.ones(description.n_dimensions))
    values = np.random.default_rng(0).normal(size=(3, description.n_dimensions)).astype(np.float32)
    assert np.array_equal(description.mirrored(description.mirrored(values)), values)
    assert description.mirrored(values).dtype == np.float32


def test_sides_are_swapped_in_a_mirror():
    positions = descriptions()["positions"]
    by_name = {dimension.name: dimension for dimension in positions.dimensions}

    assert by_name["LeftHandTip left"].mirror == "RightHandTip left"
    assert by_name["LeftHandTip left"].mirror_sign == -1.0
    assert by_name["RightHeel forward"].mirror == "LeftHeel forward"
    assert by_name["HeadTop up"].mirror == "HeadTop up"


def test_everything_together_takes_less_than_a_kilobyte_a_frame():
    assert 4 * sum(description.n_dimensions for description in computed_descriptions().values()) <= 1000


def test_columns_of_parts_and_of_single_dimensions():
    positions, root = descriptions()["positions"], descriptions()["root"]

    hand = [positions.dimensions[i].name for i in positions.columns(["LeftHand"])]
    assert hand == [f"{point} {axis}" for point in ("LeftHand", "LeftHandTip") for axis in ("left", "up", "forward")]
    assert root.columns(["root turning", "root height"]).tolist() == [0, 3]
    assert len(root.columns(["Hips"])) == root.n_dimensions
    with pytest.raises(UsageError, match="root has no dimension for 'LeftHand'; choose from Hips"):
        root.columns(["LeftHand"])
    with pytest.raises(UsageError, match="curves has no dimension for ''"):
        descriptions()["curves"].columns([""])
