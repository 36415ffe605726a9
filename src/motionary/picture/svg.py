"""Drawings as SVG text."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
from motionary.printable import printable

FONTS = "Helvetica, Arial, sans-serif"


def to_svg(primitives: Iterable[Primitive], *, width: int, height: int, background: str, title: str = "") -> str:
    """The SVG document that shows the primitives, the first at the back."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONTS}" stroke-linecap="round" stroke-linejoin="round">'
    ]
    if title:
        lines.append(f"<title>{escape(_one_line(title))}</title>")
    lines.append(f'<rect width="{width}" height="{height}"{_paint("fill", background)}/>')
    lines.extend(_element(primitive) for primitive in primitives)
    lines.append("</svg>\n")
    return "\n".join(lines)


def _element(primitive: Primitive) -> str:
    match primitive:
        case Polygon(points, fill):
            return f'<polygon points="{_points(points)}"{_paint("fill", fill)}/>'
        case Polyline(points, colour, line_width):
            stroke = f'{_paint("stroke", colour)} stroke-width="{_number(line_width)}"'
            return f'<polyline points="{_points(points)}" fill="none"{stroke}/>'
        case Ellipse(x, y, half_width, half_height, fill):
            place = f'cx="{_number(x)}" cy="{_number(y)}" rx="{_number(half_width)}" ry="{_number(half_height)}"'
            return f"<ellipse {place}{_paint('fill', fill)}/>"
        case Text(x, y, text, size, colour, anchor, bold):
            weight = ' font-weight="bold"' if bold else ""
            return (
                f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" '
                f"text-anchor={quoteattr(anchor)}{weight}{_paint('fill', colour)}>{escape(_one_line(text))}</text>"
            )


def _paint(attribute: str, colour: str) -> str:
    if len(colour) == 9:
        return f' {attribute}="{colour[:7]}" {attribute}-opacity="{int(colour[7:], 16) / 255:.3g}"'
    return f' {attribute}="{colour}"'


def _points(points: np.ndarray) -> str:
    return " ".join([f"{x:.1f},{y:.1f}" for x, y in points.tolist()])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _one_line(text: str) -> str:
    """The text in one line, without what XML forbids or what turns text around."""
    return printable(" ".join(text.split("\n")).replace("\t", " "))
