import numpy as np
import pytest

from motionary.picture import Drawing, Ellipse, Polygon, Polyline, Text
from motionary.picture.raster import text_width


def pixels(drawing):
    return np.asarray(drawing.image())


def test_a_polygon_covers_the_pixels_inside_it_and_no_others():
    square = np.array([[2, 3], [8, 3], [8, 7], [2, 7]])

    image = pixels(Drawing(10, 10, (Polygon(square, "#ff0000"),)))

    assert image.shape == (10, 10, 3)
    red = np.all(image == [255, 0, 0], axis=2)
    assert red[3:7, 2:8].all()
    assert np.all(image[:3] == 255)
    assert np.all(image[8:] == 255)


def test_later_shapes_lie_above_earlier_ones_and_shine_through_if_translucent():
    below, above = Ellipse(5, 5, 4, 4, "#000000"), Ellipse(5, 5, 4, 4, "#ffffff80")

    image = pixels(Drawing(10, 10, (below, above)))

    assert image[5, 5].tolist() == pytest.approx([128, 128, 128], abs=2)


def test_lines_have_their_width():
    line = Polyline(np.array([[0.0, 5.0], [20.0, 5.0]]), "#000000", 4.0)

    column = pixels(Drawing(20, 10, (line,)))[:, 10, 0]

    assert (255 - column.astype(float)).sum() / 255 == pytest.approx(4.0, abs=0.7)


def test_text_stands_on_its_baseline_within_its_width():
    wide = text_width("1.25", 20.0)

    ink = np.argwhere(pixels(Drawing(100, 40, (Text(50, 30, "1.25", 20.0, "#000000", "middle"),)))[..., 0] < 128)

    assert ink[:, 0].max() in (29, 30)
    assert 50 - wide / 2 - 1 <= ink[:, 1].min() < ink[:, 1].max() <= 50 + wide / 2 + 1


def test_a_huge_drawing_is_enlarged_less_instead_of_filling_memory():
    image = Drawing(8000, 2000, ()).image(enlarge=3)

    assert image.size == (8000, 2000)
