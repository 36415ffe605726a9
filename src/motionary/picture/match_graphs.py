"""Match graphs as pictures: segments as small figures, from the query to the right, along the shortest paths."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from motionary.picture.drawing import Drawing
from motionary.picture.figure import figure
from motionary.picture.poses import poses_of
from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
from motionary.picture.scene import Row, Scene, scenes_of
from motionary.picture.tree_layout import Area, Spacing, tree_layout
from motionary.rounding import rounded_up
from motionary.search import MatchGraph

LARGE, SMALL = Spacing(160.0, 100.0), Spacing(124.0, 78.0, gap=6.0)
MOST_LARGE = 40  # boxes; more are drawn small
N_POSES = 4
ASIDE = 0.04  # of a box, at either side of its figures
INK, FAINT, PANEL, BOX, QUERY, TREE = "#39424e", "#7d8590", "#eef1f5", "#ffffff", "#dceafb", "#6b4e9b"
TITLE, HEADING = 9.5, 12.0


def match_graph_drawing(graph: MatchGraph, rows_of: Callable[[int], Row], *, nodes: Sequence[int]) -> Drawing:
    """Some nodes of a graph and those that lead to them, each with what it shows and how far it is.

    Columns are steps along the shortest paths from the query. What one node leads to stands together in a panel.
    """
    paths = graph.shortest_paths()
    wanted = _with_ways(nodes, paths.before)
    shown = [node for node in paths.order if node in wanted]  # nearest first, and each after the one that leads to it
    spacing = LARGE if len(shown) <= MOST_LARGE else SMALL
    layout = tree_layout({node: paths.before[node] for node in shown}, spacing)
    rows = [rows_of(node) for node in shown]
    primitives: list[Primitive] = [_ground(panel, PANEL) for panel in layout.panels.values()]
    for line in layout.lines.values():
        primitives.append(Polyline(line, TREE, 1.6))
        primitives.append(Ellipse(float(line[-1, 0]), float(line[-1, 1]), 3.0, 3.0, TREE))
    n_steps = paths.n_steps
    for step, column in enumerate(layout.columns):
        n_here = sum(n_steps[node] == step for node in shown)
        heading = f"step {step}: {n_here} {'match' if n_here == 1 else 'matches'}" if step else "query"
        x, y = column.x + column.width / 2.0, spacing.margin + HEADING
        primitives.append(Text(x, y, heading, HEADING, FAINT, "middle", bold=True))
    for node, scene, row in zip(shown, scenes_of(rows, "auto"), rows, strict=True):
        last = paths.before[node]
        far = _how_far(float(paths.distances[last]), float(paths.distances[node])) if node else ""
        primitives.extend(_node(layout.boxes[node], scene, row.title, far, is_query=node == 0))
    left_out = len(graph.nodes) - len(shown)
    notes = (f"{left_out:,} more distant segments of the match graph are not drawn",) if left_out else ()
    return Drawing(int(layout.width), int(layout.height), tuple(primitives), title=f"like {rows[0].title}", notes=notes)


def _with_ways(nodes: Sequence[int], before: Sequence[int]) -> set[int]:
    """The nodes and all between them and the query."""
    found = {0}
    for node in nodes:
        while node >= 0 and node not in found:
            found.add(node)
            node = before[node]
    return found


def _how_far(before: float, here: float) -> str:
    """What a step costs, and what the way to it does, in cm; rounded up, as in tables."""
    step = rounded_up(100.0 * (here - before), 1)
    return f"{rounded_up(100.0 * before, 1)} + {step} cm" if before > 0.0 else f"{step} cm"


def _ground(area: Area, fill: str) -> Polygon:
    x, y = [area.x, area.right, area.right, area.x], [area.y, area.y, area.bottom, area.bottom]
    return Polygon(np.stack([x, y], axis=1), fill)


def _node(box: Area, scene: Scene, title: str, far: str, *, is_query: bool) -> list[Primitive]:
    shapes: list[Primitive] = [_ground(box, QUERY if is_query else BOX)]
    frames = np.unique(np.linspace(0, scene.row.motion.n_frames - 1, N_POSES).round().astype(int))
    poses = poses_of(scene.mannequin, scene.row.motion, frames)
    camera = replace(scene.camera, scale=0.58 * box.height / scene.mannequin.size)
    base = camera.project(scene.on_ground(poses.centre))[:, :2]
    floor = box.bottom - 2.0 * TITLE
    for i in range(len(frames)):
        centre = box.x + box.width * (ASIDE + (1.0 - 2.0 * ASIDE) * (i + 0.5) / len(frames))
        shapes.extend(figure(poses, i, camera, at=(centre - float(base[i, 0]), floor - float(base[i, 1]))))
    shapes.append(Text(box.x + box.width / 2, box.bottom - 4.5, title, TITLE, INK, "middle", bold=is_query))
    shapes.append(Text(box.right - 5.0, box.y + TITLE + 2.0, far, TITLE, TREE, "end"))
    return shapes
