"""Paths on the ground: from points, a CSV file, or the path of an SVG drawing."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionary.errors import UsageError
from motionary.files import read_ordinary
from motionary.graph.svg_path import svg_points

SPACING = 0.05  # metres between the points of a path
LONGEST = 10_000.0  # metres
MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, eq=False)
class GroundPath:
    """A line on the ground, as points x + i·z at even distances."""

    points: np.ndarray  # (M,) complex128

    @classmethod
    def through(
        cls, points: np.ndarray | Sequence[tuple[float, float]], *, spacing: float = SPACING, scale: float = 1.0
    ) -> "GroundPath":
        """The straight lines from point to point, (x, z) in units of `scale` metres."""
        given = np.asarray(points)
        if not np.iscomplexobj(given):
            given = np.asarray(points, dtype=np.float64)
            if given.ndim != 2 or given.shape[1] != 2:
                raise UsageError("a path is a list of points (x, z) in metres")
            given = given[:, 0] + 1j * given[:, 1]
        if not np.isfinite(given).all():
            raise UsageError("a path has a point that is not a finite number")
        with np.errstate(over="ignore"):  # what is so long is refused below
            given = scale * given
            along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(given.real), np.diff(given.imag)))])
        if len(given) < 2 or along[-1] < 2 * spacing:
            raise UsageError("a path needs at least two points that are apart; units are metres (--scale changes them)")
        if not along[-1] <= LONGEST:
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
        text = read_ordinary(path, max_bytes=MAX_FILE_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: the path cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the path is not UTF-8 text") from None
    points = svg_points(text, where=str(path)) if path.suffix.lower() == ".svg" else _csv_points(path, text)
    try:
        return GroundPath.through(points, scale=scale)
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
    """Two columns, x and z; a header may name them, in any order and among others."""
    found: list[complex] = []
    columns: list[int] | None = None
    for number, row in _csv_rows(path, text):
        try:
            x, z = (float(row[column]) for column in columns or (0, 1))
        except (ValueError, IndexError):
            names = [name.strip().lower() for name in row]
            if not found and "x" in names and "z" in names:
                columns = [names.index("x"), names.index("z")]
                continue
            if not found and number == 1 and len(row) >= 2:
                continue  # a header of other words
            raise UsageError(f"{path}:{number}: expected two numbers, x and z in metres") from None
        if columns is None and len([cell for cell in row if cell.strip()]) > 2:
            raise UsageError(f"{path}:{number}: more than two columns; a first line must say which are x and z")
        found.append(x + 1j * z)
    if not found:
        raise UsageError(f"{path}: no points; a line has x and z in metres")
    return np.array(found)


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines with something in them, by number, as cells. These are parted by semicolons (then numbers may have
    decimal commas), tabs, commas or blanks, as the first line has them."""
    parted_by: str | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip(" ,;\t") or line.lstrip().startswith("#"):
            continue
        parted_by = parted_by or next((mark for mark in ";\t," if mark in line), " ")
        if parted_by == " ":
            yield number, line.split()
            continue
        try:
            row = next(csv.reader([line], delimiter=parted_by))
        except csv.Error as error:
            raise UsageError(f"{path}: not a CSV file ({error})") from None
        yield number, [cell.replace(",", ".") for cell in row] if parted_by == ";" else row
