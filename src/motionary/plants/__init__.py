"""Foot plants: when and where the feet stand."""

from motionary.plants.contacts import contacts_of_plants, part_contacts_of_plants
from motionary.plants.detection import FootPlants, PlantOptions, detect_plants, plants_of_points, sole_heights
from motionary.plants.floor import Floor
from motionary.plants.plant import FEET, PARTS, Foot, FootPart, Plant
from motionary.plants.rests import Stillness
from motionary.plants.support import Support

__all__ = [
    "FEET",
    "PARTS",
    "Floor",
    "Foot",
    "FootPart",
    "FootPlants",
    "Plant",
    "PlantOptions",
    "Stillness",
    "Support",
    "contacts_of_plants",
    "detect_plants",
    "part_contacts_of_plants",
    "plants_of_points",
    "sole_heights",
]
