"""Truth that could not be is refused."""

import pytest

from motionary.plants import Plant
from motionary.sample import LabelledSegment


def test_empty_labels_and_plants_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'walk' has no frames \[5, 5\)"):
        LabelledSegment(5, 5, "walk")
    with pytest.raises(ValueError, match=r"a plant of the left heel has no frames \[7, 3\)"):
        Plant("left", "heel", 7, 3, (0.0, 0.0, 0.0))


def test_labels_sort_by_time() -> None:
    labels = [LabelledSegment(5, 9, "run"), LabelledSegment(0, 5, "walk")]

    assert [label.name for label in sorted(labels)] == ["walk", "run"]
