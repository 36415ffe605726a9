"""Paths on the ground: from points, a CSV file, or the path of an SVG drawing."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from motionary.errors import UsageError

SPACING = 0.05  # metres between the points of a path
STEPS = 24  # of a curve of an SVG path
LONGEST = 10_000.0  # metres
COMMANDS = "MmLlHhVvCcSsQqTtZzAa"
NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0, "A": 7}
TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtZzAa])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(\S)")


@dataclass(frozen=True, eq=False)
class GroundPath:
    """A line on the ground, as points x + i·z at even distances."""

    points: np.ndarray  # (M,) complex128

    @classmethod
    def through(cls, points: np.ndarray | Sequence[tuple[float, float]], *, spacing: float = SPACING) -> "GroundPath":
        """The straight lines from point to point, (x, z) in metres."""
        given = np.asarray(points)
        if not np.iscomplexobj(given):
            given = np.asarray(points, dtype=np.float64)
            if given.ndim != 2 or given.shape[1] != 2:
                raise UsageError("a path is a list of points (x, z) in metres")
            given = given[:, 0] + 1j * given[:, 1]
        if not np.isfinite(given).all():
            raise UsageError("a path has a point that is not a finite number")
        steps = np.abs(np.diff(given))
        along = np.concatenate([[0.0], np.cumsum(steps)])
        if len(given) < 2 or along[-1] < 2 * spacing:
            raise UsageError("a path needs at least two points that are apart; units are metres (--scale changes them)")
        if along[-1] > LONGEST:
            raise UsageError(f"a path of {along[-1]:,.0f} m is too long; units are metres (--scale changes them)")
        n = max(2, int(np.ceil(along[-1] / spacing)) + 1)
        at = np.linspace(0.0, along[-1], n)
        return cls(np.interp(at, along, given.real) + 1j * np.interp(at, along, given.imag))

    @property
    def length(self) -> float:
        return float(np.abs(np.diff(self.points)).sum())

    @property
    def spacing(self) -> float:
        return self.length / (len(self.points) - 1)

    def distances(self, places: np.ndarray) -> np.ndarray:
        """How far places (n,) are from the nearest place of the path."""
        starts, ends = self.points[:-1], self.points[1:]
        found = np.empty(len(places))
        for n, place in enumerate(places):
            along = ends - starts
            share = np.clip(((place - starts) * np.conj(along)).real / np.maximum(np.abs(along) ** 2, 1e-12), 0.0, 1.0)
            found[n] = np.abs(place - starts - share * along).min()
        return found


def read_ground_path(path: Path | str, *, scale: float = 1.0) -> GroundPath:
    """A path from a file: CSV with x and z in metres, or SVG, of which the first path counts (y down is z)."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: the path cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the path is not UTF-8 text") from None
    points = _svg_points(path, text) if path.suffix.lower() == ".svg" else _csv_points(path, text)
    try:
        return GroundPath.through(scale * points)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def parsed_points(text: str) -> np.ndarray:
    """Points (n,) complex from text: `0,0 2,0 2,3`."""
    try:
        pairs = [tuple(float(number) for number in point.split(",")) for point in text.split()]
        if pairs and all(len(pair) == 2 for pair in pairs):
            return np.array([x + 1j * z for x, z in pairs])
    except ValueError:
        pass
    raise UsageError(f"{text!r} is not a path; write points x,z in metres, as in '0,0 4,0 4,3', or name a file")


def _csv_points(path: Path, text: str) -> np.ndarray:
    found = []
    for number, row in enumerate(csv.reader(text.splitlines()), start=1):
        if not row or not "".join(row).strip():
            continue
        try:
            values = [float(value) for value in row[:2]]
            if len(values) != 2:
                raise ValueError
        except ValueError:
            if number == 1:
                continue  # a header
            raise UsageError(f"{path}:{number}: expected two numbers, x and z in metres") from None
        found.append(values[0] + 1j * values[1])
    if not found:
        raise UsageError(f"{path}: no points; a line has x and z in metres")
    return np.array(found)


def _svg_points(path: Path, text: str) -> np.ndarray:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise UsageError(f"{path}: SVG files with a DOCTYPE are not read; save it as plain SVG")
    try:
        tree = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UsageError(f"{path}: not an SVG file ({error})") from None
    for element in tree.iter():
        kind = element.tag.rpartition("}")[2]
        if kind == "path" and element.get("d"):
            return svg_path_points(str(element.get("d")), where=str(path))
        if kind in ("polyline", "polygon") and element.get("points"):
            numbers = [float(one) for one in re.findall(r"[-+.\deE]+", str(element.get("points")))]
            points = np.array(numbers[::2]) + 1j * np.array(numbers[1::2])
            return np.append(points, points[0]) if kind == "polygon" else points
    raise UsageError(f"{path}: the drawing has no path; draw one, or convert shapes to paths")


def svg_path_points(data: str, *, where: str = "the path") -> np.ndarray:
    """The points of the data of an SVG path; curves in short lines, y as z. Only its first line counts."""
    tokens = TOKEN.findall(data)
    if any(other for _, _, other in tokens if other != ","):
        raise UsageError(f"{where}: the path's data are not valid SVG")
    points: list[complex] = []
    command, at, first, control = "", 0.0j, 0.0j, None
    index = 0

    def take(n: int) -> list[float]:
        nonlocal index
        numbers: list[float] = []
        while len(numbers) < n:
            if index >= len(tokens) or tokens[index][0]:
                raise UsageError(f"{where}: the path's data end too early")
            if tokens[index][1]:
                numbers.append(float(tokens[index][1]))
            index += 1
        return numbers

    while index < len(tokens):
        letter, number, _ = tokens[index]
        if letter:
            command, index = letter, index + 1
        elif not number:
            index += 1
            continue
        if not command or (command in "Zz" and not letter):
            raise UsageError(f"{where}: the path's data do not begin with a command")
        kind, base = command.upper(), at if command.islower() else 0.0j
        values = take(NUMBERS_OF[kind])
        pairs = [base + x + 1j * y for x, y in zip(values[::2], values[1::2], strict=False)]
        if kind == "M":
            if points:
                break  # a second line
            at = first = pairs[0]
            points.append(at)
            command = "l" if command == "m" else "L"
            control = None
            continue
        reflected = at if control is None else 2 * at - control
        if kind in "LTZ" or kind == "A":
            ends = {"L": pairs, "Z": [first], "A": [base + values[5] + 1j * values[6]] if kind == "A" else []}
            if kind == "T":
                pole, end = reflected, pairs[0]
                points += [_bezier([at, pole, end], t) for t in _shares()]
                at, control = end, pole
                continue
            at = ends[kind][0]
            points.append(at)
            control = None
        elif kind in "HV":
            moved = values[0]
            if kind == "H":
                at = complex((at.real if command.islower() else 0.0) + moved, at.imag)
            else:
                at = complex(at.real, (at.imag if command.islower() else 0.0) + moved)
            points.append(at)
            control = None
        else:
            poles = {"C": pairs, "S": [reflected, *pairs], "Q": pairs}[kind]
            points += [_bezier([at, *poles], t) for t in _shares()]
            control, at = poles[-2], poles[-1]
    if len(points) < 2:
        raise UsageError(f"{where}: the path has fewer than two points")
    return np.array(points)


def _shares() -> list[float]:
    return [(n + 1) / STEPS for n in range(STEPS)]


def _bezier(poles: list[complex], t: float) -> complex:
    """The point of a Bézier curve (de Casteljau)."""
    while len(poles) > 1:
        poles = [(1.0 - t) * a + t * b for a, b in pairwise(poles)]
    return poles[0]
