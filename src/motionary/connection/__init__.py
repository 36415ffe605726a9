"""Connections: the best way from a frame to another within a time, by a motion graph, transitions, or both."""

from motionary.connection.connecting import (
    Connection,
    Connector,
    Option,
    connect,
    open_connector,
)
from motionary.connection.edges import Edges, reach
from motionary.connection.planning import Plan, Step, plans

__all__ = [
    "Connection",
    "Connector",
    "Edges",
    "Option",
    "Plan",
    "Step",
    "connect",
    "open_connector",
    "plans",
    "reach",
]
