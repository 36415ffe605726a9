"""What is said of windows: taken as it is meant, or refused by its name."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.search.recurring import WindowOptions


def test_options_are_taken_as_a_search_takes_them():
    said = WindowOptions(
        length=np.float32(1.5), descriptions="root, positions", joints="arms", weights={"Head": np.int64(2)}, within=3
    )

    meant = WindowOptions(
        length=1.5, descriptions=("root", "positions"), joints=("arms",), weights={"Head": 2.0}, within=3.0
    )
    assert said == meant
    assert WindowOptions(descriptions=["gist"], joints=["left arm", "Head"]).joints == ("left arm", "Head")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"length": "2"}, "length must be a number, not '2'"),
        ({"length": float("inf")}, "need at least two frames"),
        ({"length": 0.02}, "need at least two frames"),
        ({"hop": None}, "hop must be a number"),
        ({"hop": 0.0}, "hop must be above 0"),
        ({"descriptions": 3}, "descriptions must be a list of strings"),
        ({"descriptions": "gist, gist"}, "each once"),
        ({"joints": ["arms", 3]}, "an item of joints must be a string"),
        ({"weights": ["Head"]}, "weights must be numbers by name"),
        ({"weights": {"Head": -1.0}}, "must not be negative"),
        ({"within": "8 cm"}, "within must be a number"),
        ({"radius": True}, "radius must be a number"),
        ({"radius": 0}, "radius must be above 0"),
        ({"least_movement": float("nan")}, "least_movement must be"),
        ({"rank": "best"}, "rank must be relative or distance"),
        ({"both_sides": "no"}, "both_sides must be True or False"),
        ({"other_clips": 1}, "other_clips must be True or False"),
    ],
)
def test_what_says_nothing_is_refused_by_its_name(options, told):
    with pytest.raises(UsageError, match=told):
        WindowOptions(**options)
