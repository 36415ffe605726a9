"""Foot plants: when and where the feet stand."""

from motionary.plants.contacts import contacts_of_plants, simple_contacts
from motionary.plants.plant import FEET, Foot, FootPart, Plant

__all__ = ["FEET", "Foot", "FootPart", "Plant", "contacts_of_plants", "simple_contacts"]
