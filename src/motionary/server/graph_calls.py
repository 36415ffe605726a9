"""Calls that generate motion from motion graphs: walks, ways, and motion along a path that was drawn."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.graph import (
    BuiltGraph,
    GraphMotion,
    graph_facts,
    graph_follow,
    graph_names,
    graph_path,
    graph_walk,
    open_graph,
    remove_graphs,
)
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import LARGEST_ID, Open
from motionary.server.playing import FRAMED, ClipName, Hz, played
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Studio
from motionary.server.transition_calls import FrameBody

Name = Annotated[str, Path(min_length=1, max_length=200)]
Label = Annotated[str, Field(min_length=1, max_length=200)]
Labels = Annotated[list[Label], Field(max_length=50)]
MOST_POINTS = 500  # of the path, as it was followed
Metres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]


class GraphBody(Strict):
    """What all motions out of a graph are asked; `keep` makes one a clip."""

    avoid: Annotated[list[SegmentBody], Field(max_length=1_000)] = []
    body: Annotated[int | None, Field(ge=1, le=LARGEST_ID)] = None  # a clip's number
    clean: bool = True
    hz: Hz = 30.0
    keep: ClipName | None = None


class WalkBody(GraphBody):
    """A walk of some seconds."""

    secs: Annotated[float, Field(ge=0.1, le=600)] = 20.0
    seed: Annotated[int, Field(ge=0, le=2**32)] = 0
    start: FrameBody | None = None
    prefer: dict[str, Annotated[float, Field(ge=0, le=1e6)]] = {}
    only: Labels = []


class ThroughBody(Strict):
    """A label, and for how long at least."""

    label: Label
    secs: Annotated[float, Field(ge=0, le=600)] = 0.0


class WayBody(GraphBody):
    """The shortest way to a frame, to a label, or through labels in order."""

    start: FrameBody
    goal: FrameBody | None = None
    label: Label | None = None
    labels: Annotated[list[ThroughBody], Field(max_length=50)] = []
    seed: Annotated[int, Field(ge=0, le=2**32)] = 0


class FollowBody(GraphBody):
    """A path on the ground, as points (x, z) in metres."""

    points: Annotated[list[tuple[Metres, Metres]], Field(min_length=2, max_length=2_000)]
    only: Labels = []
    start: FrameBody | None = None
    time_limit_secs: Annotated[float | None, Field(gt=0, le=60)] = None


class GraphFacts(Open):
    graph: str
    transitions: int
    clips: int


class GraphList(Open):
    graphs: list[str]


class MadeMotion(Open):
    clip_id: int
    change: int | None


def graph_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(prefix="/graphs", tags=["graphs"])

    @router.get("", response_model=GraphList)
    def graphs() -> Response:
        """The graphs beside the bank, the one that was built last at the end."""
        with studio.bank() as bank:
            return Answer({"graphs": graph_names(bank)})

    @router.get("/{name}", response_model=GraphFacts)
    def facts(name: Name) -> Response:
        """Numbers about a graph."""
        with studio.bank() as bank:
            return Answer(graph_facts(_opened(studio, bank, name), reach=False))

    @router.delete("/{name}", response_model=GraphList)
    def remove(name: Name) -> Response:
        """Delete a graph; it can be built again."""
        with studio.bank() as bank:
            remove_graphs(bank, [name])
            return Answer({"graphs": graph_names(bank)})

    @router.post("/{name}/walk", response_model=MadeMotion, responses=FRAMED)
    def walk(name: Name, body: WalkBody) -> Response:
        """A walk through the graph."""

        def made(bank: Bank, built: BuiltGraph, common: dict[str, Any]) -> GraphMotion:
            start = None if body.start is None else body.start.text(bank)
            prefer = body.prefer or None
            return graph_walk(
                bank, built, secs=body.secs, seed=body.seed, start=start, prefer=prefer, only=body.only, **common
            )

        return _answer(studio, name, body, made)

    @router.post("/{name}/path", response_model=MadeMotion, responses=FRAMED)
    def path(name: Name, body: WayBody) -> Response:
        """The shortest way."""

        def made(bank: Bank, built: BuiltGraph, common: dict[str, Any]) -> GraphMotion:
            return graph_path(
                bank,
                built,
                body.start.text(bank),
                None if body.goal is None else body.goal.text(bank),
                label=body.label,
                labels=[(one.label, one.secs) for one in body.labels],
                seed=body.seed,
                **common,
            )

        return _answer(studio, name, body, made)

    @router.post("/{name}/follow", response_model=MadeMotion, responses=FRAMED)
    def follow(name: Name, body: FollowBody) -> Response:
        """Motion along a path."""

        def made(bank: Bank, built: BuiltGraph, common: dict[str, Any]) -> GraphMotion:
            return graph_follow(
                bank,
                built,
                body.points,
                only=body.only,
                start=None if body.start is None else body.start.text(bank),
                time_limit_secs=body.time_limit_secs,
                **common,
            )

        return _answer(studio, name, body, made)

    return router


def _opened(studio: Studio, bank: Bank, name: str) -> BuiltGraph:
    if name not in graph_names(bank):
        raise UsageError(f"there is no graph {name!r}; build one")
    return studio.graphs.get((name, bank.newest_change), lambda: open_graph(bank, name))


def _answer(
    studio: Studio, name: str, body: GraphBody, made: Callable[[Bank, BuiltGraph, dict[str, Any]], GraphMotion]
) -> Response:
    """The motion, with its pieces and where it changes from one to the next; or the clip that it was kept as."""
    with studio.bank() as bank:
        built = _opened(studio, bank, name)
        common = {
            "avoid": [f"#{one.clip_id}:{one.start}-{one.stop}" for one in body.avoid],
            "body": None if body.body is None else f"#{body.body}",
            "clean": body.clean,
        }
        found = made(bank, built, common)
        if body.keep is not None:
            with one_change(bank, f"graph {body.keep}") as written:
                clip_id = found.keep(bank, body.keep)
            return Answer({"clip_id": clip_id, "change": written.change})
    facts = found.facts()
    if found.path is not None:
        line = found.path.points[:: max(1, len(found.path.points) // MOST_POINTS)]
        facts["line"] = [[round(float(point.real), 3), round(float(point.imag), 3)] for point in line]
    route = found.performed.route
    facts["costs_cm"] = [round(100.0 * float(cost) ** 0.5, 3) for cost in route.graph.costs[route.taken]]
    return played(studio, facts, [found.motion], hz=body.hz)
