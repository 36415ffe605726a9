"""Contacts from plants."""

import numpy as np

from motionary.plants import Plant, contacts_of_plants, part_contacts_of_plants

PLANTS = (
    Plant("left", "heel", 0, 2, (0.0, 0.0, 0.0)),
    Plant("left", "toe", 1, 4, (0.0, 0.0, 0.0)),
    Plant("right", "toe", 4, 5, (0.0, 0.0, 0.0)),
)


def test_a_foot_stands_on_heel_or_toe():
    contacts = contacts_of_plants(PLANTS, 6)

    assert contacts[:, 0].tolist() == [True, True, True, True, False, False]
    assert contacts[:, 1].tolist() == [False, False, False, False, True, False]


def test_heels_and_toes_apart():
    contacts = part_contacts_of_plants(PLANTS, 6)

    assert np.argwhere(contacts).tolist() == [
        [0, 0, 0], [1, 0, 0], [1, 0, 1], [2, 0, 1], [3, 0, 1], [4, 1, 1],
    ]  # fmt: skip
