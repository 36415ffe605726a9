"""Drawings as pixels: drawn larger with Pillow, then reduced, so that every edge is smooth."""

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw

from motionary.picture.fonts import lettered
from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text

ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
MAX_PIXELS = 60e6  # of the enlarged image: three bytes each


def to_image(
    primitives: Iterable[Primitive], *, width: int, height: int, background: str, enlarge: int = 4
) -> Image.Image:
    """The RGB image (width × height) that shows the primitives, the first at the back."""
    while enlarge > 1 and width * height * enlarge**2 > MAX_PIXELS:
        enlarge -= 1
    image = Image.new("RGB", (width * enlarge, height * enlarge), background)
    draw = ImageDraw.Draw(image, "RGBA")
    for primitive in primitives:
        _draw(draw, primitive, float(enlarge))
    return image.reduce(enlarge) if enlarge > 1 else image


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How many pixels wide a line of text is."""
    font, drawable = lettered(text, size)
    return float(font.getlength(drawable)) + (size * 0.04 if bold else 0.0)


def _draw(draw: ImageDraw.ImageDraw, primitive: Primitive, scale: float) -> None:
    match primitive:
        case Polygon(points, fill):
            draw.polygon((points * scale).ravel().tolist(), fill=fill)
        case Polyline(points, colour, line_width):
            _draw_line(draw, points * scale, colour, max(1, round(line_width * scale)))
        case Ellipse(x, y, half_width, half_height, fill):
            box = (x - half_width, y - half_height, x + half_width, y + half_height)
            draw.ellipse([scale * v for v in box], fill=fill)
        case Text(x, y, text, size, colour, anchor, bold):
            stroke = size * scale * 0.03 if bold else 0.0
            place = (x * scale, y * scale)
            font, drawable = lettered(text, size * scale)
            draw.text(place, drawable, fill=colour, font=font, anchor=ANCHORS[anchor], stroke_width=stroke)


def _draw_line(draw: ImageDraw.ImageDraw, points: np.ndarray, colour: str, width: int) -> None:
    draw.line(points.ravel().tolist(), fill=colour, width=width, joint="curve")
    if width > 3 and len(colour) == 7:  # round ends; through a translucent line they would show
        radius = width / 2
        for x, y in (points[0].tolist(), points[-1].tolist()):
            draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=colour)
