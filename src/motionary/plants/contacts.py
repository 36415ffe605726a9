"""Foot contacts, frame by frame, from plants."""

from collections.abc import Iterable

import numpy as np

from motionary.plants.plant import FEET, PARTS, Plant


def contacts_of_plants(plants: Iterable[Plant], n_frames: int) -> np.ndarray:
    """Whether the left and the right foot stand (F, 2), by their plants."""
    contacts = np.zeros((n_frames, 2), dtype=bool)
    for plant in plants:
        contacts[plant.start : plant.stop, FEET.index(plant.foot)] = True
    return contacts


def part_contacts_of_plants(plants: Iterable[Plant], n_frames: int) -> np.ndarray:
    """Whether heels and toes stand (F, 2, 2), by their plants; [left, right] by [heel, toe]."""
    contacts = np.zeros((n_frames, 2, 2), dtype=bool)
    for plant in plants:
        contacts[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)] = True
    return contacts
