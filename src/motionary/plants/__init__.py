"""Foot plants: when and where the feet stand."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.plants.bearing import Bearing
    from motionary.plants.clean_places import HeldPlant, Holding, Reason, cut_plants
    from motionary.plants.cleaning import Cleaned, Cleaner, CleanOptions, build_cleaner, clean, clean_reference
    from motionary.plants.contacts import contacts_of_plants, part_contacts_of_plants
    from motionary.plants.detection import FootPlants, PlantOptions, detect_plants, plants_of_points, sole_heights
    from motionary.plants.floor import Floor
    from motionary.plants.plant import FEET, PARTS, Foot, FootPart, Plant
    from motionary.plants.rests import Stillness
else:
    import_on_use(__name__)

__all__ = [
    "FEET",
    "PARTS",
    "Bearing",
    "CleanOptions",
    "Cleaned",
    "Cleaner",
    "Floor",
    "Foot",
    "FootPart",
    "FootPlants",
    "HeldPlant",
    "Holding",
    "Plant",
    "PlantOptions",
    "Reason",
    "Stillness",
    "build_cleaner",
    "clean",
    "clean_reference",
    "contacts_of_plants",
    "cut_plants",
    "detect_plants",
    "part_contacts_of_plants",
    "plants_of_points",
    "sole_heights",
]
