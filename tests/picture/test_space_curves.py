import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.picture import Ellipse, Polygon, Polyline, SpaceCurve, Text, space_plot
from motionary.picture.figure import GREYS, PALETTE
from motionary.picture.space_curves import COLOURS


def test_curves_of_a_group_share_a_colour_and_a_name():
    line = np.linspace(0, 1, 9)[:, None] * (1.0, 2.0, 3.0)

    drawing = space_plot([SpaceCurve("a", line, "walk"), SpaceCurve("b", -line, "walk"), SpaceCurve("c", 2 * line)])

    texts = [shape.text for shape in drawing.primitives if isinstance(shape, Text)]
    assert [text for text in texts if text in ("walk", "a", "b", "c")] == ["walk", "c"]
    dots = [shape for shape in drawing.primitives if isinstance(shape, Ellipse)]
    assert dots[0].fill == dots[1].fill != dots[2].fill
    for shape in drawing.primitives:
        if isinstance(shape, Polyline):
            assert (shape.points >= 0).all()
            assert (shape.points <= (drawing.width, drawing.height)).all()


def test_one_pose_and_marks_can_be_drawn():
    drawing = space_plot([SpaceCurve("still", np.zeros((1, 3)), marks=(0,))], title="one")

    assert sum(isinstance(shape, Ellipse) for shape in drawing.primitives) == 3


def test_what_cannot_be_drawn():
    with pytest.raises(UsageError, match="no motion to draw"):
        space_plot([])
    with pytest.raises(UsageError, match="needs three components"):
        space_plot([SpaceCurve("flat", np.zeros((4, 2)))])


def test_curves_have_colours_that_no_body_has(walk):
    line = np.linspace(0, 1, 60)[:, None] * (1.0, 2.0, 3.0)

    drawing = space_plot([SpaceCurve("a", line, motion=walk(60)), SpaceCurve("b", -line, motion=walk(60))])

    bodies = {shape.fill for shape in drawing.primitives if isinstance(shape, Polygon)}
    curves = {shape.fill for shape in drawing.primitives if isinstance(shape, Ellipse)}
    assert bodies.isdisjoint(PALETTE.sides.values())
    assert curves & set(COLOURS)
    assert set(COLOURS).isdisjoint(GREYS.sides.values())
