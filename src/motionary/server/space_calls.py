"""Calls about pose spaces and match webs: motions as curves, matches of matches as a graph."""

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from motionary.errors import UsageError
from motionary.picture import curves_in_space
from motionary.search import WebSearchResult, library_space, pose_space, web_facts
from motionary.server.answering import Answer, is_gone
from motionary.server.changing import one_change
from motionary.server.clip_calls import Open
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Studio

Name = Annotated[str, Field(min_length=1, max_length=200)]
MOST_CURVES = 200
MOST_NODES = 2_000


class CurvesBody(Strict):
    """Segments, and labels whose segments are meant, in a space; without a name, in that of the library."""

    space: Name | None = None
    segments: Annotated[list[SegmentBody], Field(max_length=MOST_CURVES)] = []
    labels: Annotated[list[Name], Field(max_length=20)] = []


class GraphBody(Strict):
    """An earlier search through a web, and how many of its nodes are wanted."""

    result: Annotated[str, Field(max_length=64)]
    most: Annotated[int, Field(ge=1, le=MOST_NODES)] = 200


class SpaceList(Open):
    spaces: list[dict[str, Any]]


class CurveAnswer(Open):
    clip_id: int
    start: int
    stop: int
    label: str
    points: list[list[float]]


class CurvesAnswer(Open):
    space: str
    rate_hz: float
    shares: list[float]
    curves: list[CurveAnswer]


class WebList(Open):
    webs: list[dict[str, Any]]


class GraphNode(Open):
    node: int
    tier: int
    before: int
    distance_cm: float
    clip_id: int | None
    clip: str
    start: int
    stop: int
    rejected: bool


class GraphEdge(Open):
    nodes: list[int]
    cost_cm: float


class GraphAnswer(Open):
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    left_out: int


class RemovedSpace(Open):
    change: int | None


def space_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["spaces and webs"])

    @router.get("/spaces", response_model=SpaceList)
    def spaces() -> Response:
        """The pose spaces that the bank keeps."""
        with studio.bank() as bank:
            return Answer({"spaces": [pose_space(bank, name).facts() for name in bank.spaces()]})

    @router.delete("/spaces/{name}", response_model=RemovedSpace)
    def remove_space(name: str) -> Response:
        """Remove a pose space."""
        with studio.bank() as bank, one_change(bank, f"space rm {name}") as written:
            bank.remove_space(name)
        return Answer({"change": written.change})

    @router.post("/spaces/curves", response_model=CurvesAnswer)
    def curves(body: CurvesBody, request: Request) -> Response:
        """Motions as curves in the first three components of a space."""
        with studio.indexed_bank(is_gone(request)) as (bank, index):
            wanted = [(one.of(bank), "") for one in body.segments]
            for label in body.labels:
                wanted += [(one, label) for one in bank.labelled(label)]
            if not wanted:
                raise UsageError("name segments or labels, so that there is something to show")
            features = index.features
            space = library_space(bank, features) if body.space is None else pose_space(bank, body.space)
            found = curves_in_space(bank, space, features, wanted[:MOST_CURVES])
        return Answer(
            {
                "space": space.name or space.preset,
                "rate_hz": features.rate_hz,
                "shares": space.space.shares[:3],
                "curves": [
                    {
                        "clip_id": segment.clip_id,
                        "start": segment.start,
                        "stop": segment.stop,
                        "label": label,
                        "points": np.round(curve.points[:, :3], 4),
                    }
                    for (segment, label), curve in zip(wanted, found, strict=False)
                ],
            }
        )

    @router.get("/webs", response_model=WebList)
    def webs() -> Response:
        """The match webs beside the bank."""
        with studio.bank() as bank:
            facts = web_facts(bank)
        return Answer({"webs": [{name: one for name, one in web.items() if name != "folder"} for web in facts]})

    @router.post("/webs/graph", response_model=GraphAnswer)
    def graph(body: GraphBody) -> Response:
        """The match graph of a search by web: nodes nearest first, each with the one that leads to it, and all edges
        among them. To reject nodes, search again with `rejected`."""
        result = studio.result(body.result).result
        if not isinstance(result, WebSearchResult):
            raise UsageError("only searches through a match web have a match graph; search with by: web")
        return Answer(_graph(studio, result, body.most))

    return router


def _graph(studio: Studio, result: WebSearchResult, most: int) -> dict[str, Any]:
    paths = result.graph.shortest_paths()
    shown = paths.order[:most]
    with studio.bank() as bank:
        names = bank.clip_names(segment.clip_id for segment in result.places.values())
    nodes = []
    for node in shown:
        segment = result.places.get(node)
        nodes.append(
            {
                "node": node,
                "tier": result.graph.tiers[node],
                "before": paths.before[node],
                "distance_cm": round(100.0 * float(paths.distances[node]), 3),
                "clip_id": None if segment is None else segment.clip_id,
                "clip": "" if segment is None else names.get(segment.clip_id, ""),
                "start": 0 if segment is None else segment.start,
                "stop": 0 if segment is None else segment.stop,
                "rejected": node in result.graph.rejected,
            }
        )
    inside = set(shown)
    edges = [
        {"nodes": [a, b], "cost_cm": round(100.0 * cost, 3)}
        for a, b, _, cost in result.graph.table.tolist()
        if a in inside and b in inside
    ]
    return {"nodes": nodes, "edges": edges, "left_out": len(result.graph.nodes) - len(shown)}
