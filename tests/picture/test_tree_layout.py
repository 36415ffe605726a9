"""Where the boxes of a tree are."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.picture.tree_layout import Area, Spacing, tree_layout

SPACING = Spacing(120.0, 80.0)


@st.composite
def trees(draw):
    """Every node hangs on one that came before it."""
    n_nodes = draw(st.integers(1, 40))
    return {0: -1} | {node: draw(st.integers(0, node - 1)) for node in range(1, n_nodes)}


def n_steps(tree, node):
    return 0 if tree[node] < 0 else 1 + n_steps(tree, tree[node])


def overlap(one: Area, other: Area) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def cut(line, area: Area):
    """Where a line is inside an area: finely sampled, without its border."""
    t = np.linspace(0.0, len(line) - 1.0, 40 * len(line))
    x, y = (np.interp(t, np.arange(len(line)), column) for column in line.T)
    return bool(((x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom)).any())


@given(trees())
def test_columns_are_steps_and_no_line_runs_behind_a_box(tree):
    layout = tree_layout(tree, SPACING)

    assert set(layout.boxes) == set(tree)
    for one, other in combinations(layout.boxes.values(), 2):
        assert not overlap(one, other)
    for one, other in combinations([*layout.panels.values(), layout.boxes[0]], 2):
        assert not overlap(one, other)
    for node, parent in tree.items():
        box, column = layout.boxes[node], layout.columns[n_steps(tree, node)]
        assert column.x <= box.x
        assert box.right <= column.right
        if parent >= 0:
            panel = layout.panels[parent]
            assert panel.x < box.x < box.right < panel.right
            assert panel.y < box.y < box.bottom < panel.bottom
    for node, line in layout.lines.items():
        assert line[0].tolist() == [layout.boxes[node].right, layout.boxes[node].middle]
        assert line[-1, 0] == layout.panels[node].x
        assert layout.panels[node].y < line[-1, 1] < layout.panels[node].bottom
        assert not any(cut(line, box) for box in layout.boxes.values())
    assert all(box.x > 0 and box.right < layout.width for box in layout.boxes.values())
    assert all(SPACING.heading < box.y and box.bottom < layout.height for box in layout.boxes.values())


@given(trees())
def test_lines_do_not_cross(tree):
    lines = list(tree_layout(tree, SPACING).lines.values())

    for one, other in combinations(lines, 2):
        if one[-1, 0] == other[-1, 0]:  # in the same channel
            apart = one[1:, 1] - other[1:, 1]
            assert (apart > 0).all() or (apart < 0).all()


@pytest.mark.parametrize("n_nodes", [1, 2, 8, 24, 101])
def test_a_tree_of_one_step_fits_a_screen(n_nodes):
    layout = tree_layout({0: -1} | dict.fromkeys(range(1, n_nodes), 0), SPACING)

    assert n_nodes < 8 or 1.0 < layout.width / layout.height < 2.5
    for node in range(1, n_nodes - 1):  # read from above, column after column
        here, following = layout.boxes[node], layout.boxes[node + 1]
        assert (here.x, here.y) < (following.x, following.y)
