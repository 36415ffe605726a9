from xml.etree import ElementTree

import numpy as np

from motionary.picture import Drawing, Ellipse, Polygon, Polyline, Text

SVG = "{http://www.w3.org/2000/svg}"


def test_every_primitive_becomes_one_element_in_order():
    triangle = np.array([[0, 0], [10, 0], [5, 8.04]])
    drawing = Drawing(
        20,
        10,
        (
            Polygon(triangle, "#ff0000"),
            Polyline(triangle, "#00ff0080", 2.5),
            Ellipse(1.0, 2.0, 3.0, 4.126, "#0000ff"),
            Text(5.0, 6.0, "0.50", 11.5, "#333333", "middle", bold=True),
        ),
    )

    root = ElementTree.fromstring(drawing.svg())

    assert [child.tag.removeprefix(SVG) for child in root] == ["rect", "polygon", "polyline", "ellipse", "text"]
    _, polygon, line, ellipse, text = root
    assert polygon.attrib == {"points": "0.0,0.0 10.0,0.0 5.0,8.0", "fill": "#ff0000"}
    assert (line.get("stroke"), line.get("stroke-opacity"), line.get("stroke-width")) == ("#00ff00", "0.502", "2.5")
    assert (ellipse.get("rx"), ellipse.get("ry")) == ("3", "4.13")
    assert (text.text, text.get("text-anchor"), text.get("font-weight")) == ("0.50", "middle", "bold")
    assert (root.get("width"), root.get("height")) == ("20", "10")


def test_awkward_names_are_escaped_and_control_characters_written_out():
    name = 'a<b> & "c" \x00\x1f\n ä 走'
    drawing = Drawing(10, 10, (Text(0, 0, name),), title=name)

    root = ElementTree.fromstring(drawing.svg())

    shown = 'a<b> & "c" \\u0000\\u001f  ä 走'
    assert root.find(f"{SVG}title").text == shown
    assert root.find(f"{SVG}text").text == shown
