"""Where the boxes of a tree are: steps are columns, and what hangs on one box stands together in a panel to its right.

A panel has as many columns of boxes as it needs; those on which something hangs are in the last one. So lines run in
the gaps between steps alone, never behind a box, and no two of them cross.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

ASPECT = 1.6  # width by height of a picture that fits a screen
MOST_ROWS = 24


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        """Half of its height."""
        return self.y + self.height / 2.0


@dataclass(frozen=True)
class Spacing:
    """What a layout is made of, in pixels."""

    box_width: float
    box_height: float
    gap: float = 8.0  # around boxes in a panel
    between: float = 14.0  # panels, one above the other
    channel: float = 72.0  # between steps, for lines
    margin: float = 16.0
    heading: float = 24.0  # above all boxes


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Boxes by node, and panels and lines by the node that what is in them hangs on."""

    boxes: dict[int, Area]
    panels: dict[int, Area]
    lines: dict[int, np.ndarray]  # (n, 2)
    columns: tuple[Area, ...]  # of every step, from the first to the last of its boxes
    width: float
    height: float


def tree_layout(before: Mapping[int, int], spacing: Spacing) -> TreeLayout:
    """The layout of the tree that has these nodes, each with the one it hangs on (−1: the root, which is first).

    Nodes come after what they hang on. Panels are as high as it takes to make the whole nearly as wide as a screen.
    """
    children: dict[int, list[int]] = {node: [] for node in before}
    for node, parent in before.items():
        if parent >= 0:
            children[parent].append(node)
    layouts = [_layout(before, children, spacing, n_rows) for n_rows in range(1, min(MOST_ROWS, len(before)) + 1)]
    return min(layouts, key=lambda one: abs(math.log(one.width / one.height / ASPECT)))


def _layout(
    before: Mapping[int, int], children: Mapping[int, Sequence[int]], spacing: Spacing, n_rows: int
) -> TreeLayout:
    root = next(iter(before))
    in_panel = {node: _columns(hanging, children, n_rows) for node, hanging in children.items() if hanging}
    sizes = {node: _size([len(column) for column in columns], spacing) for node, columns in in_panel.items()}
    steps: list[list[int]] = []  # of each, the nodes on which something hangs, from above
    leading = [root] if root in in_panel else []
    while leading:
        steps.append(leading)
        leading = [one for node in leading for one in in_panel[node][-1] if one in in_panel]
    tall = [sum(sizes[node][1] + spacing.between for node in nodes) - spacing.between for nodes in steps]
    half = max([spacing.box_height, *tall]) / 2.0
    boxes = {root: Area(spacing.margin, -spacing.box_height / 2.0, spacing.box_width, spacing.box_height)}
    panels: dict[int, Area] = {}
    columns = [boxes[root]]
    for nodes in steps:
        x = columns[-1].right + spacing.channel
        heights = [sizes[node][1] for node in nodes]
        tops = _stacked([boxes[node].middle for node in nodes], heights, spacing.between, half)
        for node, top in zip(nodes, tops, strict=True):
            panels[node] = Area(x, top, *sizes[node])
            _fill(boxes, panels[node], in_panel[node], spacing)
        columns.append(Area(x, 0.0, max(panels[node].width for node in nodes), 0.0))
    return _finished(boxes, panels, columns, spacing)


def _columns(hanging: Sequence[int], children: Mapping[int, Sequence[int]], n_rows: int) -> list[list[int]]:
    """What hangs on a node, in columns of about equal height; all on which something hangs are in the last one."""
    leading = {node for node in hanging if children[node]}
    n_columns = math.ceil(len(hanging) / max(n_rows, len(leading)))
    heights = [len(part) for part in np.array_split(np.arange(len(hanging)), n_columns)]
    n_last = max(heights[-1], len(leading))
    n_first = len(hanging) - n_last
    first = [node for node in hanging if node not in leading][:n_first]
    last = [node for node in hanging if node not in set(first)]
    parts = np.array_split(np.array(first, dtype=int), max(n_columns - 1, 1)) if first else []
    return [*(part.tolist() for part in parts), last]


def _size(shape: Sequence[int], spacing: Spacing) -> tuple[float, float]:
    width = len(shape) * (spacing.box_width + spacing.gap) + spacing.gap
    return width, max(shape) * (spacing.box_height + spacing.gap) + spacing.gap


def _stacked(middles: Sequence[float], heights: Sequence[float], between: float, half: float) -> list[float]:
    """Where panels begin, one above the other in this order, near to where their middles are wanted.

    All of them are between −half and half, so that no column makes the picture taller than its tallest has to be.
    """
    tops = [middle - height / 2.0 for middle, height in zip(middles, heights, strict=True)]
    above = -half
    for n, height in enumerate(heights):
        tops[n] = max(tops[n], above)
        above = tops[n] + height + between
    below = half
    for n in reversed(range(len(heights))):
        tops[n] = min(tops[n], below - heights[n])
        below = tops[n] - between
    return tops


def _fill(boxes: dict[int, Area], panel: Area, columns: Sequence[Sequence[int]], spacing: Spacing) -> None:
    """Put nodes into their panel, column by column."""
    for column, nodes in enumerate(columns):
        x = panel.x + spacing.gap + column * (spacing.box_width + spacing.gap)
        for row, node in enumerate(nodes):
            y = panel.y + spacing.gap + row * (spacing.box_height + spacing.gap)
            boxes[node] = Area(x, y, spacing.box_width, spacing.box_height)


def _finished(boxes: dict[int, Area], panels: dict[int, Area], columns: Sequence[Area], spacing: Spacing) -> TreeLayout:
    """All moved below the headings, with lines."""
    areas = [*boxes.values(), *panels.values()]
    down = spacing.margin + spacing.heading - min(area.y for area in areas)

    def moved(area: Area) -> Area:
        return Area(area.x, area.y + down, area.width, area.height)

    boxes, panels = ({node: moved(area) for node, area in some.items()} for some in (boxes, panels))
    lines = {node: _line(boxes[node], panel, spacing) for node, panel in panels.items()}
    width = columns[-1].right + spacing.margin
    height = down + max(area.bottom for area in areas) + spacing.margin
    return TreeLayout(boxes, panels, lines, tuple(columns), width, height)


def _line(box: Area, panel: Area, spacing: Spacing) -> np.ndarray:
    """From the right of a box to the left of a panel: straight to the channel between them, and there a curve."""
    inside = min(panel.height / 2.0, spacing.gap + spacing.box_height / 2.0)
    end = min(max(box.middle, panel.y + inside), panel.bottom - inside)
    along = np.linspace(0.0, 1.0, 25)
    rise = along * along * (3.0 - 2.0 * along)
    x = panel.x - spacing.channel * (1.0 - along)
    curve = np.stack([x, box.middle + (end - box.middle) * rise], axis=1)
    return np.concatenate([[[box.right, box.middle]], curve])
