"""Motion graphs: an endless, steerable stream of motion out of the clips of a bank."""

from motionary.graph.building import BuiltGraph, build_graph, graph_names, open_graph, remove_graphs
from motionary.graph.motion_graph import TRANSITION, MotionGraph
from motionary.graph.settings import GraphSettings
from motionary.graph.threshold import Threshold

__all__ = [
    "TRANSITION",
    "BuiltGraph",
    "GraphSettings",
    "MotionGraph",
    "Threshold",
    "build_graph",
    "graph_names",
    "open_graph",
    "remove_graphs",
]
