"""Motion graphs: an endless, steerable stream of motion out of the clips of a bank."""

from motionary.graph.bank_graph import BuiltGraph, NotPlayed
from motionary.graph.building import build_graph, graph_names, open_graph, remove_graphs
from motionary.graph.exporting import export_graph
from motionary.graph.follow_options import FollowOptions
from motionary.graph.following import Followed, follow_path
from motionary.graph.generation import GraphMotion, graph_follow, graph_path, graph_walk
from motionary.graph.ground_path import GroundPath, read_ground_path
from motionary.graph.matching_database import export_matching_database
from motionary.graph.motion_graph import TRANSITION, MotionGraph
from motionary.graph.playable import not_played
from motionary.graph.route import Route
from motionary.graph.route_motion import Actor, PerformedRoute, perform
from motionary.graph.searching import shortest_route, times_to
from motionary.graph.settings import GraphSettings
from motionary.graph.statistics import graph_facts
from motionary.graph.threshold import Threshold
from motionary.graph.walking import random_walk
from motionary.graph.ways import Ways

__all__ = [
    "TRANSITION",
    "Actor",
    "BuiltGraph",
    "FollowOptions",
    "Followed",
    "GraphMotion",
    "GraphSettings",
    "GroundPath",
    "MotionGraph",
    "NotPlayed",
    "PerformedRoute",
    "Route",
    "Threshold",
    "Ways",
    "build_graph",
    "export_graph",
    "export_matching_database",
    "follow_path",
    "graph_facts",
    "graph_follow",
    "graph_names",
    "graph_path",
    "graph_walk",
    "not_played",
    "open_graph",
    "perform",
    "random_walk",
    "read_ground_path",
    "remove_graphs",
    "shortest_route",
    "times_to",
]
