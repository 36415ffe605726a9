"""Rows of a picture: bodies as tall as others, joints in another colour."""

import numpy as np
import pytest

from motionary.picture import Row
from motionary.picture.mannequin import mannequin_of
from motionary.picture.rows import as_tall_as, highlighted
from motionary.rig import reference_skeleton


def test_a_body_is_drawn_as_tall_as_the_others_and_moves_as_far_for_its_size(walk, stand):
    child = Row(stand(reference_skeleton(1.1)))

    grown = as_tall_as(Row(walk(30)), [child, child])

    sizes = [mannequin_of(row.motion.skeleton).size for row in (grown, child)]
    assert sizes[0] == pytest.approx(sizes[1])
    assert np.ptp(grown.motion.root_positions, axis=0) == pytest.approx(
        np.ptp(walk(30).root_positions, axis=0) * 1.1 / 1.75
    )
    assert grown.motion.rotations is walk(30).rotations or np.array_equal(grown.motion.rotations, walk(30).rotations)
    assert as_tall_as(child, []) is child


def test_parts_of_the_reference_skeleton_are_joints_of_the_row(walk):
    row = Row(walk(5))

    assert highlighted(row, ()) is row
    assert highlighted(row, ["LeftHand", "Head"]).highlight == ["Head", "LeftHand"]
    assert highlighted(row, ["nothing that is there"]).highlight == []
