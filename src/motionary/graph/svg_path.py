"""The first line of an SVG drawing, as points: paths with curves and arcs, simple shapes, transforms."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np

from motionary.errors import UsageError

STEPS = 24  # of a curve; of an arc, for every half turn
NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0, "A": 7}
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
SPACE = re.compile(r"[\s,]*")
TRANSFORM = re.compile(r"\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)[\s,]*")
DEFINITIONS = re.compile(r"<!DOCTYPE[^>]*\[|<!ENTITY")
HIDDEN = re.compile(r"(^|;)\s*display\s*:\s*none")
SHAPES = ("path", "polyline", "polygon", "line", "circle", "ellipse", "rect")
NOT_DRAWN = ("defs", "clipPath", "mask", "symbol", "marker", "pattern")


def svg_points(text: str, *, where: str) -> np.ndarray:
    """The points x + i·z of the first line of a drawing, z down the page, with the transforms of its groups."""
    if DEFINITIONS.search(text):
        raise UsageError(f"{where}: SVG files with a DOCTYPE that defines entities are not read; save it as plain SVG")
    try:
        tree = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UsageError(f"{where}: not an SVG file ({error})") from None
    try:
        found = _first_line(tree, np.eye(3), where)
    except RecursionError:
        raise UsageError(f"{where}: groups are nested too deeply; save it as plain SVG") from None
    if found is None:
        raise UsageError(f"{where}: the drawing has no path; draw one, or convert shapes to paths")
    return found


def svg_path_points(data: str, *, where: str = "the path") -> np.ndarray:
    """The points of the data of an SVG path; curves in short lines, y as z. Only its first line counts."""
    points = path_data_points(data, where)
    if len(points) < 2:
        raise UsageError(f"{where}: the path has fewer than two points")
    return points


def path_data_points(data: str, where: str) -> np.ndarray:
    """The same, however few points there are."""
    reader = _Reader(data, where)
    points: list[complex] = []
    command, at, first = "", 0.0j, 0.0j
    pole: complex | None = None  # of the curve before, which S and T mirror
    pole_of = ""
    while (letter := reader.command()) is not None:
        if not letter and (not command or command in "Zz"):
            raise UsageError(f"{where}: the path's data do not begin with a command")
        command = letter or command
        kind, base = command.upper(), at if command.islower() else 0.0j
        if not points and kind != "M":
            raise UsageError(f"{where}: the path's data do not begin with a command M")
        if kind == "M" and points:
            break  # a second line
        values = reader.flags_and_numbers() if kind == "A" else [reader.number() for _ in range(NUMBERS_OF[kind])]
        pairs = [base + x + 1j * y for x, y in zip(values[::2], values[1::2], strict=False)]
        mirrored = 2 * at - pole if pole is not None and pole_of == kind else at
        pole = None
        if kind == "M":
            at = first = pairs[0]
            points.append(at)
            command = "l" if command == "m" else "L"
            continue
        if kind == "A":
            end = base + values[5] + 1j * values[6]
            points += _arc(at, abs(values[0]), abs(values[1]), values[2], bool(values[3]), bool(values[4]), end)
        elif kind in "CSQT":
            poles = {"C": pairs, "S": [mirrored, *pairs], "Q": pairs, "T": [mirrored, *pairs]}[kind]
            points += [_bezier([at, *poles], (n + 1) / STEPS) for n in range(STEPS)]
            pole, pole_of, end = poles[-2], "S" if kind in "CS" else "T", poles[-1]
        elif kind == "H":
            end = complex(base.real + values[0], at.imag)
        elif kind == "V":
            end = complex(at.real, base.imag + values[0])
        else:
            end = first if kind == "Z" else pairs[0]
        if kind in "HVLZ":
            points.append(end)
        at = end
    return np.array(points)


def _first_line(element: ElementTree.Element, outer: np.ndarray, where: str) -> np.ndarray | None:
    """The first line of an element or what is in it, in the coordinates of the drawing."""
    kind = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if kind in NOT_DRAWN or element.get("display") == "none" or HIDDEN.search(element.get("style", "")):
        return None
    inner = outer @ _transform(element.get("transform", ""), where)
    if kind in SHAPES:
        points = _shape(element, kind, where)
        if points is not None:
            placed = inner[:2, :2] @ np.stack([points.real, points.imag]) + inner[:2, 2:]
            return np.asarray(placed[0] + 1j * placed[1])
    for child in element:
        found = _first_line(child, inner, where)
        if found is not None:
            return found
    return None


def _shape(element: ElementTree.Element, kind: str, where: str) -> np.ndarray | None:
    def size(name: str) -> float:
        text = element.get(name, "0")
        if not NUMBER.fullmatch(text.strip()):
            raise UsageError(f"{where}: {name}={text!r} of a {kind} is not a number; convert it to a path")
        return float(text)

    if kind == "path":
        points = path_data_points(element.get("d", ""), where)
        return points if len(points) > 1 else None
    if kind in ("polyline", "polygon"):
        if NUMBER.sub("", element.get("points", "")).strip(" ,\t\r\n"):
            raise UsageError(f"{where}: the points of a {kind} are not numbers; convert it to a path")
        numbers = [float(one) for one in NUMBER.findall(element.get("points", ""))]
        if len(numbers) < 4:
            return None
        points = np.array(numbers[: len(numbers) // 2 * 2 : 2]) + 1j * np.array(numbers[1::2])
        return np.append(points, points[0]) if kind == "polygon" else points
    if kind == "line":
        return np.array([size("x1") + 1j * size("y1"), size("x2") + 1j * size("y2")])
    if kind == "rect":
        if "%" in element.get("width", "") + element.get("height", ""):
            return None  # a background
        corner, width, height = size("x") + 1j * size("y"), size("width"), 1j * size("height")
        return np.array([corner, corner + width, corner + width + height, corner + height, corner])
    radii = (size("r"), size("r")) if kind == "circle" else (size("rx"), size("ry"))
    turn = np.linspace(0.0, 2.0 * np.pi, 2 * STEPS + 1)
    return np.asarray(size("cx") + 1j * size("cy") + radii[0] * np.cos(turn) + 1j * radii[1] * np.sin(turn))


def _transform(text: str, where: str) -> np.ndarray:
    """The matrix (3, 3) of a transform attribute."""
    found, at = np.eye(3), 0
    while at < len(text.rstrip()):
        match = TRANSFORM.match(text, at)
        values = [float(one) for one in NUMBER.findall(match[2])] if match else []
        one = _matrix(match[1], values) if match else None
        if one is None:
            raise UsageError(f"{where}: the transform {text!r} is not valid SVG")
        found, at = found @ one, match.end() if match else at
    return found


def _matrix(kind: str, values: list[float]) -> np.ndarray | None:
    if kind == "matrix" and len(values) == 6:
        a, b, c, d, e, f = values
    elif kind == "translate" and len(values) in (1, 2):
        a, b, c, d, e, f = 1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) == 2 else 0.0
    elif kind == "scale" and len(values) in (1, 2):
        a, b, c, d, e, f = values[0], 0.0, 0.0, values[-1], 0.0, 0.0
    elif kind == "rotate" and len(values) in (1, 3):
        turn = np.radians(values[0])
        centre = complex(*values[1:]) if len(values) == 3 else 0.0j
        moved = centre - centre * np.exp(1j * turn)
        a, b, c, d, e, f = np.cos(turn), np.sin(turn), -np.sin(turn), np.cos(turn), moved.real, moved.imag
    elif kind in ("skewX", "skewY") and len(values) == 1:
        slope = float(np.tan(np.radians(values[0])))
        a, b, c, d, e, f = 1.0, slope * (kind == "skewY"), slope * (kind == "skewX"), 1.0, 0.0, 0.0
    else:
        return None
    return np.array([[a, c, e], [b, d, f], [0.0, 0.0, 1.0]])


class _Reader:
    """Commands and numbers of a path's data, one after the other."""

    def __init__(self, data: str, where: str) -> None:
        self._data, self._where, self._at = data, where, 0

    def command(self) -> str | None:
        """The next command; "" where numbers go on; None at the end."""
        self._skip()
        if self._at >= len(self._data):
            return None
        letter = self._data[self._at]
        if letter.upper() in NUMBERS_OF:
            self._at += 1
            return letter
        if NUMBER.match(self._data, self._at):
            return ""
        raise UsageError(f"{self._where}: the path's data are not valid SVG, at {self._data[self._at :][:12]!r}")

    def number(self) -> float:
        self._skip()
        match = NUMBER.match(self._data, self._at)
        if match is None:
            raise UsageError(f"{self._where}: the path's data end too early, or a number is missing")
        self._at = match.end()
        if not np.isfinite(float(match[0])):
            raise UsageError(f"{self._where}: the path's data have a number that is too large: {match[0]}")
        return float(match[0])

    def flags_and_numbers(self) -> list[float]:
        """Of an arc; its two flags are single digits that may touch what follows."""
        values = [self.number() for _ in range(3)]
        for _ in range(2):
            self._skip()
            flag = self._data[self._at : self._at + 1]
            if flag not in ("0", "1"):
                raise UsageError(f"{self._where}: the path's data are not valid SVG: a flag of an arc is 0 or 1")
            values.append(float(flag))
            self._at += 1
        return [*values, self.number(), self.number()]

    def _skip(self) -> None:
        match = SPACE.match(self._data, self._at)
        self._at = match.end() if match else self._at


def _bezier(poles: list[complex], t: float) -> complex:
    """The point of a Bézier curve (de Casteljau)."""
    while len(poles) > 1:
        poles = [(1.0 - t) * a + t * b for a, b in pairwise(poles)]
    return poles[0]


def _arc(
    start: complex, rx: float, ry: float, tilt_deg: float, large: bool, sweep: bool, end: complex
) -> list[complex]:
    """The points of an elliptical arc behind its start (SVG 1.1, appendix F.6)."""
    if start == end:
        return []
    if rx == 0.0 or ry == 0.0:
        return [end]
    turn = np.exp(1j * np.radians(tilt_deg))
    half = 0.5 * (start - end) / turn  # the ellipse stands upright from here on; then a circle of radius 1
    flat = complex(half.real / rx, half.imag / ry)
    size = abs(flat)
    if size > 1.0:  # radii that are too small grow as needed
        rx, ry, flat, size = rx * size, ry * size, flat / size, 1.0
    centre = 1j * flat * np.sqrt(max(1.0 / size**2 - 1.0, 0.0)) * (1.0 if large == sweep else -1.0)
    begin, stop = np.angle(flat - centre), np.angle(-flat - centre)
    by = (stop - begin) % (2.0 * np.pi)
    by = by if sweep else by - 2.0 * np.pi
    n = max(2, int(np.ceil(STEPS * abs(by) / np.pi - 1e-9)))
    angles = begin + by * np.arange(1, n + 1) / n
    unit = centre + np.exp(1j * angles)
    placed = 0.5 * (start + end) + turn * (rx * unit.real + 1j * ry * unit.imag)
    return [*placed[:-1].tolist(), end]
