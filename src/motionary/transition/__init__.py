"""Transitions: from one frame to another in a given time, known to be good before they are shown."""

from motionary.transition.blended import Blended, TransitionScore
from motionary.transition.blender import Blender
from motionary.transition.chaining import Chain, join_transitions
from motionary.transition.clusters import ClusterOptions, Clusters, build_clusters
from motionary.transition.footprints import Footprints
from motionary.transition.judging import ANSWERS, Calibration
from motionary.transition.making import Maker, Transition
from motionary.transition.pool import Pool, Source, build_pool
from motionary.transition.requests import METHODS, WAYS, Frame, MakeOptions
from motionary.transition.table import TransitionRecipe, TransitionTable, build_table
from motionary.transition.targets import Stop
from motionary.transition.transitions import (
    BankTransitions,
    build_transitions,
    make_transition,
    open_transitions,
    remove_tables,
    table_facts,
    transitions_by,
)

__all__ = [
    "ANSWERS",
    "METHODS",
    "WAYS",
    "BankTransitions",
    "Blended",
    "Blender",
    "Calibration",
    "Chain",
    "ClusterOptions",
    "Clusters",
    "Footprints",
    "Frame",
    "MakeOptions",
    "Maker",
    "Pool",
    "Source",
    "Stop",
    "Transition",
    "TransitionRecipe",
    "TransitionScore",
    "TransitionTable",
    "build_clusters",
    "build_pool",
    "build_table",
    "build_transitions",
    "join_transitions",
    "make_transition",
    "open_transitions",
    "remove_tables",
    "table_facts",
    "transitions_by",
]
