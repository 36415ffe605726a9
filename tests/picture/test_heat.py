import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.picture.heat import HeatBlock, heat_strip
from motionary.picture.primitives import Polygon, Text

PARTS = ("Head", "LeftHand", "RightHand")
PALE, DARK, BLUE = "#f4f5f7", "#4a0d1f", "#2d6ca8"


def block(values: list[list[float]], title: str = "1  walk:0-60") -> HeatBlock:
    return HeatBlock(title, "3.2 cm", np.array(values), 2.0)


def fills(drawing) -> list[str]:
    return [shape.fill for shape in drawing.primitives if isinstance(shape, Polygon)]


def words(drawing) -> list[str]:
    return [shape.text for shape in drawing.primitives if isinstance(shape, Text)]


def test_the_largest_value_of_all_blocks_is_darkest():
    drawing = heat_strip(
        [block([[0, 1, 0]]), block([[0, 0, 4]])], PARTS, unit="cm", title="query"
    )  # one frame each; the colours of the scale come first

    cells = [fill for fill in fills(drawing)[40:] if fill != PALE]
    assert cells[-1] == DARK
    assert len(cells) == 2
    assert {"query", "4 cm", "Head", "LeftHand", "1  walk:0-60", "3.2 cm", "2.00 s"} <= set(words(drawing))


def test_neighbours_of_one_shade_are_one_shape():
    drawing = heat_strip([block([[0, 3, 0], [0, 3, 0], [0, 0, 0], [0, 3, 0]])], PARTS)

    cells = [shape for shape in drawing.primitives if isinstance(shape, Polygon)][40:]
    dark = [shape.points for shape in cells if shape.fill == DARK]
    assert len(dark) == 2
    assert np.ptp(dark[0][:, 0]) == pytest.approx(2 * np.ptp(dark[1][:, 0]))


def test_what_speaks_for_a_match_is_blue():
    drawing = heat_strip([block([[0, -2, 1]])], PARTS)

    assert BLUE in fills(drawing)[40:]
    assert "-2" in words(drawing)


def test_many_blocks_fill_several_lines_of_the_page():
    drawing = heat_strip(
        [block([[1, 2, 3]], f"{i}  a clip with a very long name indeed:0-60") for i in range(20)], PARTS
    )

    names = [shape for shape in drawing.primitives if isinstance(shape, Text) and shape.text == "Head"]
    assert len(names) == 3
    assert drawing.width == 1200
    for shape in drawing.primitives:
        if isinstance(shape, Polygon):
            assert shape.points.min() >= 0
            assert (shape.points <= [drawing.width, drawing.height]).all()
    assert any("…" in word for word in words(drawing))


def test_long_matches_are_drawn_in_as_many_columns_as_can_be_told_apart():
    rng = np.random.default_rng(0)

    drawing = heat_strip([HeatBlock("", "", rng.random((1000, 3)), 33.0)], PARTS)

    assert len(fills(drawing)) <= 41 + 3 * 60


def test_an_exact_match_has_no_heat():
    assert set(fills(heat_strip([block([[0, 0, 0]])], PARTS))[40:]) == {PALE}


@pytest.mark.parametrize("blocks", [[], [HeatBlock("", "", np.zeros((4, 2)), 1.0)]])
def test_nothing_to_show(blocks):
    with pytest.raises(UsageError, match="a value of every part"):
        heat_strip(blocks, PARTS)
