"""Match graphs as pictures: segments as small figures, from the query to the right, and what ties them together."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from motionary.picture.drawing import Drawing
from motionary.picture.figure import figure
from motionary.picture.poses import poses_of
from motionary.picture.primitives import Polygon, Polyline, Primitive, Text
from motionary.picture.scene import Row, Scene, scenes_of
from motionary.rounding import rounded_up
from motionary.search import MatchGraph

BOX_WIDTH, BOX_HEIGHT, ACROSS, DOWN, MARGIN, ASIDE = 168.0, 104.0, 120.0, 16.0, 16.0, 8.0  # pixels
BESIDE = 64.0  # between stacks of one column
MOST_DOWN = 7  # nodes of a column, before it becomes two stacks
N_POSES = 4
INK, FAINT, BACK, QUERY, TIE, TREE = "#39424e", "#8b949e", "#f4f6f8", "#e4eefa", "#d5dae0", "#6b4e9b"
SMALL, LARGE = 9.5, 11.0


def match_graph_drawing(graph: MatchGraph, rows_of: Callable[[int], Row], *, nodes: Sequence[int]) -> Drawing:
    """Some nodes of a graph and those that lead to them, each with what it shows.

    Columns are steps from the query. The lines of shortest paths have their costs (cm) beside them, others are faint.
    """
    before = graph.shortest_paths().before
    shown = _with_ways(nodes, before)
    rows = [rows_of(node) for node in shown]
    columns = {node: _n_steps(before, node) for node in shown}
    places = _places(shown, columns, before)
    edges = [(before[b] == a or before[a] == b, a, b) for a, b in graph.edges if a in places and b in places]
    primitives: list[Primitive] = []
    costs: list[Primitive] = []  # above all lines
    for on_tree, a, b in sorted(edges):
        line = _line(places[a], places[b])
        primitives.append(Polyline(line, TREE, 1.8) if on_tree else Polyline(line, TIE, 1.0))
        if on_tree:
            costs.extend(_cost(line, graph.edges[a, b][0]))
    primitives.extend(costs)
    for node, scene, row in zip(shown, scenes_of(rows, "auto"), rows, strict=True):
        primitives.extend(_node(places[node], scene, row.title, is_query=node == 0))
    width = MARGIN + max(x for x, _ in places.values()) + BOX_WIDTH
    height = MARGIN + max(y for _, y in places.values()) + BOX_HEIGHT
    left_out = len(graph.nodes) - len(shown)
    notes = (f"{left_out} more distant segments of the match graph are not drawn",) if left_out else ()
    return Drawing(int(width), int(height), tuple(primitives), title=f"like {rows[0].title}", notes=notes)


def _with_ways(nodes: Sequence[int], before: Sequence[int]) -> list[int]:
    """The nodes and all between them and the query, the query first."""
    found = {0}
    for node in nodes:
        while node >= 0 and node not in found:
            found.add(node)
            node = before[node]
    return sorted(found)


def _n_steps(before: Sequence[int], node: int) -> int:
    n = 0
    while before[node] >= 0:
        node, n = before[node], n + 1
    return n


def _places(nodes: Sequence[int], columns: dict[int, int], before: Sequence[int]) -> dict[int, tuple[float, float]]:
    """The upper left corner of every node: a column for each step, ordered as what they hang on, all in the middle."""
    order: dict[int, float] = {0: 0.0}
    by_column: dict[int, list[int]] = {}
    for column in range(max(columns.values()) + 1):
        here = [node for node in nodes if columns[node] == column]
        here.sort(key=lambda node: (order.get(before[node], 0.0), node))
        by_column[column] = here
        order |= {node: float(n) for n, node in enumerate(here)}
    tallest = min(MOST_DOWN, max(len(here) for here in by_column.values()))
    places = {}
    x = MARGIN
    for here in by_column.values():
        for n, node in enumerate(here):
            stack, row = divmod(n, MOST_DOWN)
            n_rows = min(MOST_DOWN, len(here) - stack * MOST_DOWN)
            room = (tallest - n_rows) * (BOX_HEIGHT + DOWN) / 2.0
            places[node] = (x + stack * (BOX_WIDTH + BESIDE), MARGIN + room + row * (BOX_HEIGHT + DOWN))
        x += BOX_WIDTH + ACROSS + (len(here) - 1) // MOST_DOWN * (BOX_WIDTH + BESIDE)
    return places


def _line(first: tuple[float, float], second: tuple[float, float]) -> np.ndarray:
    """From the right side of the one further left to the left side of the other."""
    (x1, y1), (x2, y2) = sorted((first, second))
    right = x1 + BOX_WIDTH if x2 > x1 else x1
    return np.array([[right, y1 + BOX_HEIGHT / 2], [x2, y2 + BOX_HEIGHT / 2]])


def _cost(line: np.ndarray, cost: float) -> list[Primitive]:
    """On a white ground, where the line ends: there it is alone."""
    x, y = float(line[1, 0]) - 24.0, float(line[1, 1])
    plate = np.array([[x - 22.0, y - 8.0], [x + 22.0, y - 8.0], [x + 22.0, y + 8.0], [x - 22.0, y + 8.0]])
    return [Polygon(plate, "#ffffff"), Text(x, y + 4.0, f"{rounded_up(100 * cost, 1)} cm", LARGE, TREE, "middle")]


def _node(place: tuple[float, float], scene: Scene, title: str, *, is_query: bool) -> list[Primitive]:
    x, y = place
    corners = np.array([[x, y], [x + BOX_WIDTH, y], [x + BOX_WIDTH, y + BOX_HEIGHT], [x, y + BOX_HEIGHT]])
    shapes: list[Primitive] = [Polygon(corners, QUERY if is_query else BACK)]
    frames = np.unique(np.linspace(0, scene.row.motion.n_frames - 1, N_POSES).round().astype(int))
    poses = poses_of(scene.mannequin, scene.row.motion, frames)
    camera = replace(scene.camera, scale=0.64 * BOX_HEIGHT / scene.mannequin.size)
    base = camera.project(scene.on_ground(poses.centre))[:, :2]
    floor = y + BOX_HEIGHT - 2.2 * LARGE
    for i in range(len(frames)):
        centre = x + ASIDE + (BOX_WIDTH - 2 * ASIDE) * (i + 0.5) / len(frames)
        shapes.extend(figure(poses, i, camera, at=(centre - float(base[i, 0]), floor - float(base[i, 1]))))
    shapes.append(Text(x + BOX_WIDTH / 2, y + BOX_HEIGHT - 5.0, title, SMALL, INK, "middle", bold=is_query))
    return shapes
