"""A library of human motion that the package makes itself, with the truth about it."""

from motionary.sample.actors import ACTORS, Actor
from motionary.sample.into_bank import sample_into
from motionary.sample.library import PRESETS, make_library
from motionary.sample.takes import ACTIONS, ROUTINES, Routine
from motionary.sample.truth import LabelledSegment, Take

__all__ = [
    "ACTIONS",
    "ACTORS",
    "PRESETS",
    "ROUTINES",
    "Actor",
    "LabelledSegment",
    "Routine",
    "Take",
    "make_library",
    "sample_into",
]
